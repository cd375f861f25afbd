#include "run/loop/case_run.hpp"

#include <algorithm>
#include <cmath>

#include "base/host_memory.hpp"
#include "base/log.hpp"
#include "run/loop/run_progress.hpp"
#include "run/observe/observer.hpp"
#include "solve/boomeramg.hpp"

namespace solenoid {

namespace {

/// How the run ended, as the start of a log line.
std::string outcome_word(const RunReport& report) {
  if (!report.interrupted_by.empty()) return message("Interrupted ({})", report.interrupted_by);
  return report.stopped_by == "steady" ? "Steady" : "Done";
}

nlohmann::ordered_json as_json(const std::vector<SummaryFigure>& figures) {
  nlohmann::ordered_json json;
  for (const SummaryFigure& figure : figures) {
    nlohmann::ordered_json& entry = json[figure.group][figure.name];
    if (const auto* list = std::get_if<std::vector<std::optional<double>>>(&figure.value)) {
      for (const auto& value : *list) entry.push_back(value ? nlohmann::ordered_json(*value) : nullptr);
    } else if (const auto* table = std::get_if<std::vector<std::pair<std::string, double>>>(&figure.value)) {
      for (const auto& [name, value] : *table) entry[name] = value;
    } else if (const auto* count = std::get_if<std::int64_t>(&figure.value)) {
      entry = *count;
    } else {
      entry = std::get<double>(figure.value);
    }
  }
  return json;
}

}  // namespace

CaseRun::CaseRun(const Comm& comm, Case& wanted, CaseMesh mesh, Phases& phases)
    : comm_(comm),
      case_(wanted),
      mesh_(std::move(mesh)),
      phases_(phases),
      model_(wanted.setup->model(*mesh_.local, std::move(mesh_.wide))),
      averages_(*mesh_.local, wanted, model_->quantities()),
      tracers_(wanted.file.string(), model_->fluid_mesh(*mesh_.local), wanted.tracers, *model_),
      observers_(observers_of(wanted, *mesh_.local, *model_, averages_, tracers_)),
      checkpoints_(wanted, mesh_, {*model_, averages_, &tracers_, observers_}) {
  model_->start();
  model_->require_sound();
}

void CaseRun::go_on_from(CheckpointReader& checkpoint, const OutputList::Say& say) {
  const CheckpointHeader& header = checkpoint.header();
  const bool is_at_the_end = !case_.setup->time || is_over(static_cast<real>(header.time));
  require_on_all_ranks(
      !is_at_the_end,
      [&] {
        return message("{}: is at t = {:.6g} s, where the case ends; to go on give `end` in [time] a later time",
                       checkpoint.path().string(), header.time);
      },
      ExitCode::bad_input);
  const bool is_as_before = restore(checkpoint, case_, *mesh_.local, {*model_, averages_, &tracers_, observers_}, say);
  model_->require_sound();
  averages_.go_on(model_->time(), say);
  if (is_as_before) checkpoints_.expect_as_after(checkpoint.path());
  goes_on_ = true;
  report_.steps = report_.began_at = last_written_ = static_cast<int>(header.step);
  wall_before_ = header.wall_seconds;
}

void CaseRun::go_on_with_averages(const OutputList::Say& say) {
  const EarlierFields* const earlier = case_.setup->run_that_goes_on();
  if (earlier) averages_.go_on_from(*mesh_.local, *earlier, model_->time(), say);
}

void CaseRun::require_same_tables(const std::filesystem::path& folder) const {
  comm_.guard([&] {
    if (!comm_.is_root()) return;
    require_same_columns(History::table(*model_), folder);
    for (const Observer& observer : observers_) {
      if (const auto table = observer.sink->table()) require_same_columns(*table, folder);
    }
  });
}

void CaseRun::open(const OutputFolder& folder) {
  folder_ = folder;
  comm_.guard([&] {
    if (comm_.is_root()) history_.emplace(folder, *model_);
  });
  for (const Observer& observer : observers_) observer.sink->open(folder);
  checkpoints_.open(folder, wall_before_);
}

std::string CaseRun::plan() const {
  const auto& time = case_.setup->time;
  if (!time) {
    return message("  solve    one linear system for the {} of {} nodes", case_.setup->unknowns(), mesh_.counts.nodes);
  }
  const real begin = model_->time();
  if (time->step.step <= 0) {
    const real first = model_->next_step(next_output(begin)), uncut = model_->next_step(time->end);
    const std::string cut = was_cut(first, uncut) ? message(", cut from {:.3g} s", uncut) : "";
    return message("  steps    the first one {:.3g} s long{}; about {:.0f} of this length to t = {:.6g} s", first, cut,
                   std::ceil((time->end - begin) / (cut.empty() ? first : uncut)), time->end);
  }
  constexpr real most = 1e7;  // cap of the step count
  real steps = 0;
  for (real now = begin; !is_over(now) && steps < most;) {
    const real target = next_output(now);
    steps += std::round((target - now) / next_step(time->step, 0, 0, now, target));
    now = target;
  }
  return message("  steps    {}{:.0f} of at most {:.3g} s to t = {:.6g} s", steps < most ? "" : "at least ", steps,
                 time->step.step, time->end);
}

std::vector<Quantity> CaseRun::fields(const std::vector<std::string>& words) const {
  std::vector<Quantity> shown = for_fields(model_->quantities(), words);
  if (report_.stopped_by.empty()) std::erase_if(shown, [](const Quantity& q) { return q.takes_a_solve; });
  return shown;
}

RunReport CaseRun::failed(const Error& error) const {
  RunReport report = report_;
  report.time = model_->time();
  report.wall_seconds = since_start_.seconds();
  report.stopped_by = "failure";
  report.outcome = {error.what()};
  return report;
}

RunReport CaseRun::run(Log& log, const StopRequest& stop) {
  since_start_ = Stopwatch();
  if (case_.setup->time) {
    step_to_the_end(log, stop);
  } else {
    solve_at_once(log);
  }
  return report_;
}

void CaseRun::solve_at_once(Log& log) {
  SolveReport solve;
  {
    const Activity shown(log, "solving for the " + case_.setup->unknowns());
    phases_.time("solve", [&] { solve = model_->solve_steady(); });
  }
  model_->diagnose();
  comm_.guard([&] {
    if (history_) history_->write(0, model_->time(), 0, since_start_.seconds());
  });
  write_at_end(0);
  report_.stopped_by = "steady";
  report(log, message("Steady after {} iterations, residual {:.1e}", solve.iterations, solve.residual));
}

void CaseRun::step_to_the_end(Log& log, const StopRequest& stop) {
  const TimeSettings& time = *case_.setup->time;
  const Purpose purpose("taking the steps");
  RunProgress progress(log, time);
  ProcessorWatch watch(log);
  RunRequests requests(comm_, stop);
  requests.open(folder_, log);
  if (!goes_on_) {
    tracers_.start();
    sample();
    write_at_end(0);
    return_free_memory();  // of what the first output made
  }
  since_start_ = Stopwatch();
  while (report_.stopped_by.empty()) {
    watch.begin();
    real dt = 0;
    try {
      dt = take_step();
    } catch (const Error& error) {
      if (error.collective() && error.code() == ExitCode::failure) write_last_state(log);
      throw;
    }
    watch.end();
    if (const auto said = diagnose_step()) log.line(*said);
    const double wall_seconds = wall_before_ + since_start_.seconds();
    const RunRequest asked = requests.take(log);
    apply_request(asked, log);
    std::optional<real> change;
    if (time.steady_tolerance > 0) change = model_->rate_of_change();
    if (is_over(model_->time())) {
      report_.stopped_by = "end";
    } else if (change && is_steady(*change)) {
      report_.stopped_by = "steady";
    } else if (!asked.stopped_by.empty()) {
      report_.stopped_by = "interrupted";
      report_.interrupted_by = asked.stopped_by;
    }
    comm_.guard([&] {
      if (history_) history_->write(report_.steps, model_->time(), dt, wall_seconds);
    });
    write_due(report_.steps);
    const bool is_shown = asked.write || !report_.stopped_by.empty();
    save(wall_seconds, asked.write);  // before outputs that an uninterrupted run lacks
    if (is_shown) write_at_end(report_.steps);
    const auto figures = [&] { return model_->progress() + (change ? message("  change {:.1e} 1/s", *change) : ""); };
    progress.step({report_.steps, model_->time(), wall_seconds, change}, figures, last_written_ == report_.steps);
  }
  report(log, message("{} at t = {:.6g} s after {} steps", outcome_word(report_), model_->time(), report_.steps));
}

std::optional<std::string> CaseRun::diagnose_step() {
  return phases_.time("checkpoints", [&] { return checkpoints_.diagnose_step(report_.steps); });
}

/// Writes a checkpoint if one is due or requested, at the end of a case with checkpoints, and on an interrupt.
void CaseRun::save(double wall_seconds, bool is_asked) {
  const bool is_due = checkpoints_.is_due(report_.steps, model_->time(), wall_seconds);
  const bool is_end = !report_.stopped_by.empty() && (case_.checkpoint || !report_.interrupted_by.empty());
  if (!is_due && !is_end && !is_asked) return;
  model_->require_sound();
  phases_.time("checkpoints",
               [&] { report_.checkpoint = checkpoints_.write(report_.steps, model_->time(), wall_seconds); });
}

/// Returns its step size [s].
real CaseRun::take_step() {
  const Stopwatch watch;
  const real dt = model_->next_step(next_output(model_->time()));
  carry([&] { tracers_.begin_step(dt); });
  phases_.time("steps", [&] { model_->advance(dt); });
  phases_.time("diagnostics", [&] { model_->diagnose(); });
  ++report_.steps;
  carry([&] { tracers_.end_step(); });
  sample();
  report_.step_seconds += watch.seconds();
  return dt;
}

void CaseRun::carry(const std::function<void()>& work) {
  if (!tracers_.empty()) phases_.time("tracers", work);
}

void CaseRun::sample() {
  if (case_.averages.empty() && case_.profiles.empty()) return;
  phases_.time("averages", [&] { averages_.sample(report_.steps, model_->time()); });
}

/// Writes the last good state, which shows where a failure began.
void CaseRun::write_last_state(Log& log) {
  if (report_.steps <= last_written_) return;
  try {
    std::vector<std::string> left_out;
    for (const Observer& observer : observers_) {
      if (!observer.at_ends) continue;
      const std::vector<std::string> names = observer.sink->write_without_solves(report_.steps, model_->time());
      for (const std::string& name : names) {
        if (std::find(left_out.begin(), left_out.end(), name) == left_out.end()) left_out.push_back(name);
      }
    }
    log.line(message("the fields of step {} at t = {:.6g} s, the last before the failure, are written{}", report_.steps,
                     model_->time(), left_out.empty() ? "" : ", without " + joined(left_out, ", ")));
  } catch (const Error& error) {  // the run ends with the first failure
    if (!error.collective()) throw;
    log.line(message("warning: the last fields before the failure: {}", error.what()));
  }
}

void CaseRun::write(const Observer& observer, int step) {
  if (observer.is_noted) model_->require_sound();
  phases_.time("output", [&] { observer.sink->write(step, model_->time()); });
  if (observer.is_noted) last_written_ = step;
}

/// Writes all outputs due after a step.
void CaseRun::write_due(int step) {
  for (const Observer& observer : observers_) {
    if (observer.schedule.is_due(step, model_->time())) write(observer, step);
  }
}

/// Writes the remaining outputs of either end of the run, or of a requested write; at the start (step 0), all outputs
/// due then.
void CaseRun::write_at_end(int step) {
  for (const Observer& observer : observers_) {
    const bool is_due = observer.schedule.is_due(step, model_->time());
    if (step == 0 ? is_due || observer.at_ends : observer.at_ends && !is_due) write(observer, step);
  }
}

/// The next time that a step must end at [s].
real CaseRun::next_output(real time) const {
  real next = averages_.next(time, case_.setup->time->end);
  for (const Observer& observer : observers_) next = std::min(next, observer.schedule.next(time));
  return next;
}

bool CaseRun::is_over(real time) const { return case_.setup->time->is_over(time); }

/// Applies requested changes of the end time and of the output interval.
void CaseRun::apply_request(const RunRequest& request, Log& log) {
  TimeSettings& time = *case_.setup->time;
  const double least_interval = 1e-8 * time.end;
  if (request.end && *request.end < model_->time()) {
    log.line(
        message("warning: control: `end` is {:.6g} s, but the run is at t = {:.6g} s: it continues; to stop it write "
                "`stop`",
                *request.end, model_->time()));
  } else if (request.end && *request.end > case_.last_time_of_functions) {
    log.line(message(
        "warning: control: `end` is {:.6g} s, but a table of values in the case ends at {:.6g} s: it stays as it "
        "was",
        *request.end, case_.last_time_of_functions));
  } else if (request.end) {
    time.end = static_cast<real>(*request.end);
    case_.effective["time"]["end"] = *request.end;
  }
  if (request.every && *request.every < least_interval) {
    log.line(message("warning: control: `every` is {:.3g} s, expected at least {:.3g} s: it stays as it was",
                     *request.every, least_interval));
  } else if (request.every) {
    case_.output.every = request.every;
    case_.output.every_steps.reset();
    case_.effective["output"]["every"] = *request.every;
    case_.effective["output"]["every_steps"] = nullptr;
  }
  if (!request.end && !request.every) return;
  for (Observer& observer : observers_) {
    observer.schedule = observer.is_noted ? OutputTimes(case_.output, time.end) : observer.schedule.until(time.end);
  }
}

/// A zero rate of change is not steady if the data depend on time: they may not have acted yet.
bool CaseRun::is_steady(real change) const {
  return change < case_.setup->time->steady_tolerance && (change > 0 || !model_->depends_on_time());
}

namespace {

/// Log line of a solver with a multigrid cycle, Solenoid's or hypre's, as preconditioner.
std::string line_of_cycles(const std::string& solver, const SolveLog::Entry& entry) {
  const std::string cycle = entry.multigrid ? message("multigrid of {} levels, complexity {:.2f}",
                                                      entry.multigrid->rows.size(), entry.multigrid->complexity)
                                            : message("BoomerAMG of hypre {}", hypre_version());
  return message("  solver   {}: {}, {:.1f} iterations a solve", solver, cycle,
                 static_cast<double>(entry.iterations_total) / std::max(entry.calls, 1));
}

}  // namespace

void CaseRun::report(Log& log, const std::string& ended) {
  ModelOutcome outcome = model_->outcome();
  for (const Observer& observer : observers_) observer.sink->conclude(outcome);
  report_.time = model_->time();
  report_.wall_seconds = since_start_.seconds();
  report_.outcome = {ended + outcome.ending};
  report_.outcome.insert(report_.outcome.end(), outcome.lines.begin(), outcome.lines.end());
  for (const auto& [name, entry] : model_->solves().entries()) {
    if (entry.multigrid || entry.control.preconditioner == PreconditionerKind::boomeramg) {
      report_.outcome.push_back(line_of_cycles(name, entry));
    }
  }
  report_.figures = as_json(outcome.figures);
  for (const std::string& warning : outcome.warnings) log.line("warning: " + warning);
}

}  // namespace solenoid
