#include "app/flow_run.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_flow.hpp"
#include "app/case_solver.hpp"
#include "physics/diagnostics.hpp"
#include "run/processor_watch.hpp"
#include "run/run_progress.hpp"

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
      output_times_(wanted.output, wanted.time->end),
      flow_(*mesh_.local, flow_settings(wanted), wall_motion(wanted, mesh_.counts.patches), 0),
      output_(wanted, *mesh_.local, std::move(*mesh_.wide)) {
  if (auto flux = initial_flux(wanted, *mesh_.local)) flow_.project(*flux);
  rate_of_flow_ = courant_rate(flow_.state().flux);
  rate_ = std::max(rate_of_flow_, courant_rate_of_walls(*mesh_.local, flow_.walls(), 0, 0, 1));
}

void FlowRun::open(const OutputFolder& folder) {
  comm_.guard([&] {
    if (comm_.is_root()) history_.emplace(folder, case_.flow->convection != ConvectionForm::none);
  });
  output_.open(folder);
}

RunReport FlowRun::run(Log& log, const StopRequest& stop) {
  RunProgress progress(log, *case_.time);
  ProcessorWatch watch(log);
  phases_.time("output", [&] { output_.write(0, flow_, true); });
  since_start_ = Stopwatch();
  const real end = static_cast<real>(case_.time->end);
  while (report_.stopped_by.empty()) {
    watch.begin();
    const StepRecord record = advance_or_show(step_length(), log);
    watch.end();
    const int signal = stop.signal(comm_);
    std::optional<real> change;
    if (case_.time->steady_tolerance > 0) change = flow_.rate_of_change();
    if (flow_.time() >= end * (1 - round_off)) {
      report_.stopped_by = "end";
    } else if (change && is_steady(*change)) {
      report_.stopped_by = "steady";
    } else if (signal != 0) {
      report_.stopped_by = "interrupted";
      report_.signal = signal;
    }
    comm_.guard([&] {
      if (history_) history_->write(record, flow_.solves());
    });
    const bool is_due = !report_.stopped_by.empty() || output_times_.is_due(record.step, record.time);
    phases_.time("output", [&] { output_.write(record.step, flow_, is_due); });
    if (is_due) last_written_ = record.step;
    const auto figures = [&] {
      return message("CFL {:.2f}  {} it  max|div U| {:.0e}{}", record.cfl,
                     flow_.solves().entries().at("potential").last.iterations, record.max_divergence,
                     change ? message("  change {:.1e} 1/s", *change) : "");
    };
    progress.step({record.step, record.time, record.wall_seconds}, figures, is_due);
  }
  report_.time = flow_.time();
  report_.wall_seconds = since_start_.seconds();
  report_.outcome = {message("{} at t = {:.6g} s after {} steps, largest max|div U| {:.1e}", outcome_word(report_),
                             report_.time, report_.steps, max_divergence_)};
  report_.figures["divergence"] = {{"max", max_divergence_}};
  return report_;
}

std::string FlowRun::plan() const {
  const real first = step_length();
  return message("  steps    the first one {:.3g} s long; about {:.0f} of this length to t = {:.6g} s", first,
                 std::ceil(case_.time->end / first), case_.time->end);
}

real FlowRun::step_length() const {
  const real time = flow_.time(), target = output_times_.next(time);
  real dt = next_step(control_, rate_, flow_.last_dt(), time, target);
  if (control_.cfl <= 0 || !flow_.walls().depends_on_time) return dt;
  const bool first = flow_.last_dt() == 0;
  const int moments = first ? 64 : 4;
  for (bool shorter = true; shorter;) {  // a shorter step may be spared the walls' fastest moments
    const real rate = std::max(rate_, courant_rate_of_walls(*mesh_.local, flow_.walls(), time, time + dt, moments));
    const real safe = next_step(control_, rate, flow_.last_dt(), time, target);
    shorter = safe < dt * (1 - round_off);
    dt = std::min(dt, safe);
  }
  return dt;
}

/// Where the flow diverges its last finite state is written: pictures of it tell where that began.
StepRecord FlowRun::advance_or_show(real dt, Log& log) {
  try {
    return advance(dt);
  } catch (const Error& error) {
    const bool may_write = error.collective() && error.code() == ExitCode::failure && report_.steps > last_written_;
    if (!may_write) throw;
    try {
      output_.write_without_pressure(report_.steps, flow_);
      log.line(
          message("the fields of step {} at t = {:.6g} s, the last before the failure, are written, without pressure",
                  report_.steps, flow_.time()));
    } catch (const Error& other) {  // the first failure is the one to end with
      if (!other.collective()) throw;
      log.line(message("warning: the last fields before the failure: {}", other.what()));
    }
    throw;
  }
}

StepRecord FlowRun::advance(real dt) {
  const Stopwatch watch;
  require_on_all_ranks(dt > 1e-12 * case_.time->end, [&] {
    return message(
        "at t = {:.6g} s the step fell to {:.2e} s: the flow has diverged; take smaller steps (cfl or step in [time])",
        flow_.time(), dt);
  });
  phases_.time("steps", [&] { flow_.advance(dt); });

  StepRecord record;
  phases_.time("diagnostics", [&] { record.kinetic_energy = kinetic_energy(flow_.state().velocity); });
  if (!std::isfinite(record.kinetic_energy)) {
    const real time = flow_.time();
    flow_.take_back_step();
    throw Error(
        ExitCode::failure,
        message("at t = {:.6g} s the velocity is not finite: the flow has diverged; take a smaller time step", time),
        true);
  }
  phases_.time("diagnostics", [&] {
    const real rate = courant_rate(flow_.state().flux);
    rate_ = std::max(rate, 2 * rate - rate_of_flow_);  // a flow that speeds up goes on to
    rate_of_flow_ = rate;
    record.step = ++report_.steps;
    record.time = flow_.time();
    record.dt = dt;
    record.cfl = dt * rate;
    record.max_divergence = max_divergence(flow_.state().flux);
  });
  max_divergence_ = std::max(max_divergence_, record.max_divergence);
  report_.step_seconds += watch.seconds();
  record.wall_seconds = since_start_.seconds();
  return record;
}

/// A flow that has not yet been moved by walls that will is not steady.
bool FlowRun::is_steady(real change) const {
  return change < case_.time->steady_tolerance && (change > 0 || !flow_.walls().depends_on_time);
}

}  // namespace solenoid
