#include "app/flow_run.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_flow.hpp"
#include "physics/diagnostics.hpp"

namespace solenoid {

namespace {

constexpr double seconds_between_lines = 5;
constexpr real round_off = 1e-9;  // of a time, relative to the end

}  // namespace

FlowRun::FlowRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Log& log, Phases& phases)
    : comm_(comm),
      case_(wanted),
      mesh_(std::move(mesh)),
      log_(log),
      phases_(phases),
      control_(step_control(wanted)),
      output_times_(wanted.output, wanted.time.end),
      flow_(*mesh_.local, flow_settings(wanted), wall_motion(wanted, mesh_.report.patches), 0),
      output_(wanted, *mesh_.local, std::move(mesh_.wide)) {
  if (auto flux = initial_flux(wanted, *mesh_.local)) flow_.project(*flux);
  rate_ = std::max(courant_rate(flow_.state().flux), courant_rate_of_speed(*mesh_.local, flow_.wall_speed()));
}

void FlowRun::open(const std::filesystem::path& folder) {
  comm_.guard([&] {
    if (comm_.is_root()) history_.emplace(folder, case_.flow.convection != ConvectionForm::none);
  });
  output_.open(folder);
}

RunReport FlowRun::run() {
  phases_.time("output", [&] { output_.write(0, flow_, true); });
  since_start_ = since_line_ = Stopwatch();
  const real end = static_cast<real>(case_.time.end);
  while (report_.stopped_by.empty()) {
    const StepRecord record = advance(output_times_.next(flow_.time()));
    if (flow_.time() >= end * (1 - round_off)) {
      report_.stopped_by = "end";
    } else if (is_steady()) {
      report_.stopped_by = "steady";
    }
    comm_.guard([&] {
      if (history_) history_->write(record, flow_.solves());
    });
    const bool is_due = !report_.stopped_by.empty() || output_times_.is_due(record.step, record.time);
    phases_.time("output", [&] { output_.write(record.step, flow_, is_due); });
    if (is_due || since_line_.seconds() > seconds_between_lines) say(record);
  }
  report_.time = flow_.time();
  report_.wall_seconds = since_start_.seconds();
  return report_;
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
bool FlowRun::is_steady() const {
  if (case_.time.steady_tolerance <= 0) return false;
  const real rate = flow_.rate_of_change();
  return rate < case_.time.steady_tolerance && (rate > 0 || !flow_.walls().depends_on_time);
}

void FlowRun::say(const StepRecord& record) {
  const SolveReport potential = flow_.solves().entries().at("potential").last;
  log_.line(
      message("step {:6}  t = {:.4f} s  dt = {:.2e} s  CFL {:.2f}  potential: {} iterations  max|div U| {:.1e}  energy "
              "{:.6f}  {:.0f} s",
              record.step, record.time, record.dt, record.cfl, potential.iterations, record.max_divergence,
              record.kinetic_energy, record.wall_seconds));
  since_line_ = Stopwatch();
}

}  // namespace solenoid
