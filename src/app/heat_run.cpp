#include "app/heat_run.hpp"

#include <algorithm>
#include <cmath>

#include "app/case_heat.hpp"
#include "app/case_solver.hpp"
#include "base/activity.hpp"
#include "run/processor_watch.hpp"
#include "run/run_progress.hpp"

namespace solenoid {

HeatRun::HeatRun(const Comm& comm, const Case& wanted, CaseMesh mesh, Phases& phases)
    : comm_(comm),
      case_(wanted),
      mesh_(std::move(mesh)),
      phases_(phases),
      heat_(*mesh_.local, heat_problem(wanted, mesh_.counts.regions, mesh_.counts.patches), heat_settings(wanted), 0),
      output_(wanted, *mesh_.local) {
  if (wanted.time) heat_.set_temperature(initial_temperature(wanted));
}

void HeatRun::open(const OutputFolder& folder) {
  comm_.guard([&] {
    if (comm_.is_root()) history_.emplace(folder, mesh_.counts.patches, heat_unit());
  });
  output_.open(folder);
}

std::string HeatRun::plan() const {
  if (!case_.time) return message("  solve    one linear system for the temperatures of {} nodes", mesh_.counts.nodes);
  const OutputTimes output_times(case_.output, case_.time->end);
  constexpr real most = 1e7;  // steps that are counted
  real steps = 0;
  for (real time = 0; !is_over(time) && steps < most;) {
    const real target = output_times.next(time);
    steps += std::round((target - time) / next_step(step_control(case_), 0, 0, time, target));
    time = target;
  }
  return message("  steps    {}{:.0f} of at most {:.3g} s to t = {:.6g} s", steps < most ? "" : "at least ", steps,
                 *case_.time->step, case_.time->end);
}

bool HeatRun::is_over(real time) const {
  constexpr real round_off = 1e-9;
  return time >= static_cast<real>(case_.time->end) * (1 - round_off);
}

RunReport HeatRun::run(Log& log, const StopRequest& stop) {
  if (case_.time) {
    step_to_the_end(log, stop);
  } else {
    find_steady_state(log);
  }
  report_.time = heat_.time();
  report_.wall_seconds = since_start_.seconds();
  report_outcome(log);
  return report_;
}

void HeatRun::find_steady_state(Log& log) {
  since_start_ = Stopwatch();
  {
    const Activity shown(log, "solving for the temperature");
    phases_.time("solve", [&] { heat_.solve_steady(); });
  }
  last_ = record_step(0);
  phases_.time("output", [&] { output_.write(0, heat_, true); });
  report_.stopped_by = "steady";
}

void HeatRun::step_to_the_end(Log& log, const StopRequest& stop) {
  const TimeSettings& time = *case_.time;
  const OutputTimes output_times(case_.output, time.end);
  const StepControl control = step_control(case_);
  RunProgress progress(log, time);
  ProcessorWatch waiting(log);
  phases_.time("output", [&] { output_.write(0, heat_, true); });
  since_start_ = Stopwatch();
  while (report_.stopped_by.empty()) {
    const Stopwatch watch;
    const real dt = next_step(control, 0, heat_.last_dt(), heat_.time(), output_times.next(heat_.time()));
    waiting.begin();
    phases_.time("steps", [&] { heat_.advance(dt); });
    waiting.end();
    const int signal = stop.signal(comm_);
    ++report_.steps;
    phases_.time("diagnostics", [&] { last_ = record_step(dt); });
    report_.step_seconds += watch.seconds();
    std::optional<real> change;
    if (time.steady_tolerance > 0) change = heat_.rate_of_change();
    if (is_over(heat_.time())) {
      report_.stopped_by = "end";
    } else if (change && *change < time.steady_tolerance && (*change > 0 || !heat_.depends_on_time())) {
      report_.stopped_by = "steady";
    } else if (signal != 0) {
      report_.stopped_by = "interrupted";
      report_.signal = signal;
    }
    const bool is_due = !report_.stopped_by.empty() || output_times.is_due(last_.step, last_.time);
    phases_.time("output", [&] { output_.write(last_.step, heat_, is_due); });
    const auto figures = [&] {
      return message("T {:.6g} to {:.6g} K  {} it{}", last_.range.low, last_.range.high,
                     heat_.solves().entries().at("heat").last.iterations,
                     change ? message("  change {:.1e} 1/s", *change) : "");
    };
    progress.step({last_.step, last_.time, last_.wall_seconds}, figures, is_due);
  }
}

/// What there is to know of the temperatures just found, into history.csv too. Collective.
HeatRecord HeatRun::record_step(real dt) {
  const HeatRecord record{report_.steps, heat_.time(), dt, heat_.range(), heat_.balance(), since_start_.seconds()};
  comm_.guard([&] {
    if (history_) history_->write(record, heat_.solves());
  });
  return record;
}

void HeatRun::report_outcome(Log& log) {
  const HeatBalance& heat = last_.balance;
  const MaximumPrinciple bounds = heat_.maximum_principle();
  const std::string watts = heat_unit();
  const SolveReport& solve = heat_.solves().entries().at("heat").last;

  std::vector<std::string> flows;
  for (std::size_t p = 0; p < heat.through.size(); ++p) {
    flows.push_back(message("{} {:.6g}", mesh_.counts.patches[p], heat.through[p]));
    report_.figures["heat"][mesh_.counts.patches[p]] = heat.through[p];
  }
  if (heat.source != 0) flows.push_back(message("sources {:.6g}", heat.source));
  if (case_.time) flows.push_back(message("stored {:.6g}", heat.stored));
  const bool is_even =
      bounds.highest - bounds.lowest <= 1e-12 * std::max(std::abs(bounds.highest), std::abs(bounds.lowest));
  const bool flows_none = is_even && heat.source == 0;  // but for round-off
  const real part = heat.supplied() > 0 && !flows_none ? std::abs(heat.imbalance()) / heat.supplied() : 0;
  report_.outcome = {
      case_.time ? message("{} at t = {:.6g} s after {} steps", outcome_word(report_), report_.time, report_.steps)
                 : message("Steady after {} iterations, residual {:.1e}", solve.iterations, solve.residual),
      message("  heat     into the body [{}]: {}", watts, joined(flows, ", ")),
      message("           balance open by {:.1e} {}, {:.1e} of what is supplied", heat.imbalance(), watts, part),
      message("  range    {:.9g} to {:.9g} K", bounds.lowest, bounds.highest)};
  if (bounds.nodes_beyond > 0)
    log.line("warning: " + beyond_bounds_text(bounds, case_.time && case_.time->scheme != TimeScheme::euler));

  report_.figures["heat_balance"] = {{"supplied", heat.supplied()},
                                     {"source", heat.source},
                                     {"stored", heat.stored},
                                     {"imbalance", heat.imbalance()},
                                     {"imbalance_part", part}};
  const auto limit = [](const std::optional<real>& bound) {
    return bound ? nlohmann::ordered_json(*bound) : nlohmann::ordered_json();
  };
  report_.figures["maximum_principle"] = {{"allowed", {limit(bounds.low), limit(bounds.high)}},
                                          {"found", {bounds.lowest, bounds.highest}},
                                          {"nodes_beyond", bounds.nodes_beyond},
                                          {"couplings", bounds.couplings},
                                          {"positive_couplings", bounds.positive_couplings}};
}

}  // namespace solenoid
