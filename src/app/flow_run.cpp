#include "app/flow_run.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_flow.hpp"
#include "app/run_progress.hpp"
#include "physics/diagnostics.hpp"

namespace solenoid {

namespace {

constexpr real round_off = 1e-9;  // of a time, relative to the end

}  // namespace

FlowRun::FlowRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Phases& phases)
    : comm_(comm),
      case_(wanted),
      mesh_(std::move(mesh)),
      phases_(phases),
      control_(step_control(wanted)),
      output_times_(wanted.output, wanted.time.end),
      flow_(*mesh_.local, flow_settings(wanted), wall_motion(wanted, mesh_.report.patches), 0),
      output_(wanted, *mesh_.local, std::move(mesh_.wide)) {
  if (auto flux = initial_flux(wanted, *mesh_.local)) flow_.project(*flux);
  const real wall_speed = largest_speed(*mesh_.local, flow_.walls(), 0, static_cast<real>(wanted.time.end));
  rate_ = std::max(courant_rate(flow_.state().flux), courant_rate_of_speed(*mesh_.local, wall_speed));
}

void FlowRun::open(const std::filesystem::path& folder) {
  comm_.guard([&] {
    if (comm_.is_root()) history_.emplace(folder, case_.flow.convection != ConvectionForm::none);
  });
  output_.open(folder);
}

RunReport FlowRun::run(Log& log) {
  RunProgress progress(log, case_.time);
  phases_.time("output", [&] { output_.write(0, flow_, true); });
  since_start_ = Stopwatch();
  const real end = static_cast<real>(case_.time.end);
  while (report_.stopped_by.empty()) {
    const StepRecord record = advance(output_times_.next(flow_.time()));
    std::optional<real> change;
    if (case_.time.steady_tolerance > 0) change = flow_.rate_of_change();
    if (flow_.time() >= end * (1 - round_off)) {
      report_.stopped_by = "end";
    } else if (change && is_steady(*change)) {
      report_.stopped_by = "steady";
    }
    comm_.guard([&] {
      if (history_) history_->write(record, flow_.solves());
    });
    const bool is_due = !report_.stopped_by.empty() || output_times_.is_due(record.step, record.time);
    phases_.time("output", [&] { output_.write(record.step, flow_, is_due); });
    progress.step(record, flow_.solves().entries().at("potential").last.iterations, change, is_due);
  }
  report_.time = flow_.time();
  report_.wall_seconds = since_start_.seconds();
  return report_;
}

real FlowRun::first_step() const {
  return next_step(control_, rate_, flow_.last_dt(), flow_.time(), output_times_.next(flow_.time()));
}

StepRecord FlowRun::advance(real target) {
  const Stopwatch watch;
  const real dt = next_step(control_, rate_, flow_.last_dt(), flow_.time(), target);
  require_on_all_ranks(dt > 1e-12 * case_.time.end, [&] {
    return message(
        "at t = {:.6g} s the step fell to {:.2e} s: the flow has diverged; take smaller steps (cfl or step in [time])",
        flow_.time(), dt);
  });
  phases_.time("steps", [&] { flow_.advance(dt); });

  StepRecord record;
  phases_.time("diagnostics", [&] {
    rate_ = courant_rate(flow_.state().flux);
    record.step = ++report_.steps;
    record.time = flow_.time();
    record.dt = dt;
    record.cfl = dt * rate_;
    record.max_divergence = max_divergence(flow_.state().flux);
    record.kinetic_energy = kinetic_energy(flow_.state().velocity);
  });
  require_on_all_ranks(std::isfinite(record.kinetic_energy), [&] {
    return message("at t = {:.6g} s the velocity is not finite: the flow has diverged; take a smaller time step",
                   record.time);
  });
  report_.max_divergence = std::max(report_.max_divergence, record.max_divergence);
  report_.step_seconds += watch.seconds();
  record.wall_seconds = since_start_.seconds();
  return record;
}

/// A flow that has not yet been moved by walls that will is not steady.
bool FlowRun::is_steady(real change) const {
  return change < case_.time.steady_tolerance && (change > 0 || !flow_.walls().depends_on_time);
}

}  // namespace solenoid
