#include "app/commands.hpp"

#include <algorithm>

#include "base/host_memory.hpp"
#include "base/log.hpp"
#include "base/partial_sum.hpp"
#include "base/phases.hpp"
#include "parallel/placement.hpp"
#include "run/loop/case_run.hpp"
#include "run/observe/probe_spectra.hpp"
#include "run/report/report.hpp"
#include "run/result/result_folder.hpp"
#include "run/result/run_summary.hpp"

namespace solenoid {

namespace {

/// The wall time by phase, longest first, without phases below 1 %.
std::string time_by_phase(const Phases& phases, double total) {
  std::vector<Phases::Phase> sorted(phases.all().begin(), phases.all().end());
  std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) { return a.seconds > b.seconds; });
  std::vector<std::string> texts;
  for (const Phases::Phase& phase : sorted) {
    if (phase.seconds < 0.01 * total) continue;
    texts.push_back(message("{} {} ({:.0f} %)", phase.name, duration_text(phase.seconds), 100 * phase.seconds / total));
  }
  return joined(texts, ", ");
}

void warn_of_round_off(Log& log, const SolveLog& solves) {
  for (const auto& [name, entry] : solves.entries()) {
    if (entry.stagnated == 0) continue;
    log.line(
        message("warning: [solver.{}] in {} of {} solves round-off kept the residual above the tolerance of {:.1e}, at "
                "{:.1e} at most: these solutions are the best that there are in {} precision; a tolerance of {:.0e} "
                "asks for no more",
                name, entry.stagnated, entry.calls, entry.control.tolerance, entry.residual_max, precision_name,
                2 * entry.residual_max));
  }
}

void say_how_it_went(Log& log, const std::filesystem::path& folder, const Case& wanted, const RunReport& report,
                     std::int64_t cells, const Phases& phases, double seconds, const MemoryPeaks& memory) {
  std::string pace;
  if (report.steps > report.began_at) {
    const double per_step = report.step_seconds / (report.steps - report.began_at);
    pace = message("; {:.3g} ms a step, {:.3g} us a step and cell", 1e3 * per_step,
                   1e6 * per_step / static_cast<double>(cells));
  }
  log.line("");
  for (const std::string& line : report.outcome) log.line(line);
  log.line("  time     " + duration_text(seconds) + pace);
  log.line(message("           {}", time_by_phase(phases, seconds)));
  log.line(message("  memory   at most {:.0f} MB a rank", 1e-6 * static_cast<double>(memory.host)));
  if (!report.interrupted_by.empty()) {
    log.line(message("  go on    the same command with --restart continues from {}", report.checkpoint));
  }
  log.line(message("  results  {}: {} opens in ParaView, summary.json has the figures", folder.string(),
                   wanted.output.format == FieldFormat::vtkhdf ? "fields.vtkhdf" : "fields.pvd"));
}

void say_what_a_run_would_do(Log& log, const std::filesystem::path& folder, const std::string& plan) {
  log.line("");
  log.line("Dry run: everything is set up, no step is taken, nothing is written");
  log.line(plan);
  log.line(message("  memory   {:.0f} MB on rank 0 so far", 1e-6 * static_cast<double>(host_bytes_peak())));
  log.line(message("  results  would go to {}", folder.string()));
}

/// The checkpoint of a restart; null if the run begins at its start. Collective.
std::unique_ptr<CheckpointReader> find_checkpoint(const Comm& comm, const RunOptions& options,
                                                  const std::filesystem::path& folder, Log& log) {
  if (!options.restart) return nullptr;
  if (*options.restart != "auto") return std::make_unique<CheckpointReader>(comm, *options.restart);
  auto newest = newest_checkpoint(comm, folder, [&](const std::string& line) { log.line("warning: " + line); });
  if (newest) return newest;
  comm.guard([&] {
    require_input(!comm.is_root() || !std::filesystem::exists(folder / "summary.json"), [&] {
      return message("{}: a run that ended left no checkpoint there; without --restart its results are replaced",
                     folder.string());
    });
  });
  log.line(message("{} has no checkpoint: the run begins at its start", folder.string()));
  return nullptr;
}

/// The moment from which the run continues the results in the folder; nullopt if the checkpoint is not one of them.
std::optional<RunMoment> moment_in(const std::filesystem::path& folder, const CheckpointReader* checkpoint) {
  std::error_code is_elsewhere;
  const bool is_there =
      checkpoint &&
      std::filesystem::equivalent(std::filesystem::absolute(checkpoint->path()).parent_path(), folder, is_elsewhere);
  if (!is_there) return std::nullopt;
  return RunMoment{checkpoint->header().step, checkpoint->header().time};
}

ExitCode run_and_report(const Comm& comm, const RunOptions& options, Log& log) {
  const Stopwatch since_start;
  const Purpose purpose("preparing the run");
  Phases phases;
  Case wanted;
  std::filesystem::path folder;
  comm.guard([&] {
    wanted =
        read_case(options.case_file, options.sets, options.restart ? Beginning::of_checkpoint : Beginning::of_case);
    folder = options.output.empty() ? std::filesystem::path("results") / wanted.name : options.output;
    if (comm.is_root() && !options.restart) require_replaceable(folder);
  });
  make_sums_exact(wanted.reproducible);
  const RunOrigin origin = origin_of_run(options.command, options.sets);
  const Device device = select_device(comm);
  const Placement placement = find_placement(comm, device);
  log.line(wanted.title + ": " + placement.text);
  if (!origin.overrides.empty()) log.line("  with " + joined(origin.overrides, ", "));
  log.note(message("  {} on {}\n  {}", origin.started, origin.host, origin.command));
  for (const std::string& warning : placement.warnings) log.line("warning: " + warning);
  for (const std::string& warning : wanted.setup->warnings()) log.line("warning: " + warning);
  std::unique_ptr<CheckpointReader> checkpoint = find_checkpoint(comm, options, folder, log);
  if (checkpoint) {
    const CheckpointHeader& header = checkpoint->header();
    log.line(message("goes on from {}, step {}, t = {:.6g} s", checkpoint->path().string(), header.step, header.time));
    if (wanted.setup->run_that_goes_on()) wanted.setup->begin_at(static_cast<real>(header.time));
    wanted.setup->forget_beginning();
  } else if (options.restart) {  // it begins anew
    comm.guard([&] { wanted = read_case(options.case_file, options.sets); });
  }
  const std::optional<RunMoment> moment = moment_in(folder, checkpoint.get());
  comm.guard([&] {
    if (comm.is_root() && options.restart) moment ? require_writable(folder) : require_replaceable(folder);
  });
  CaseMesh mesh = load_mesh(comm, wanted, checkpoint.get(), log, phases);
  for (const std::string& warning : warnings_of_points(wanted, *mesh.local)) log.line("warning: " + warning);
  std::optional<CaseRun> run;
  phases.time("set up", [&] {
    const Activity shown(log, "setting up the solver");
    run.emplace(comm, wanted, std::move(mesh), phases);
  });

  if (const ShownCells& shown = wanted.output.shown; !shown.are_all()) {
    log.line(message("outputs show {} of {} cells", count_shown_cells(run->mesh(), shown), run->mesh_counts().cells));
  }
  const std::size_t after_set_up = host_bytes_in_use();
  if (checkpoint) {
    run->go_on_from(*checkpoint, [&](const std::string& line) { log.line(line); });
    if (moment) run->require_same_tables(folder);
    checkpoint.reset();  // the run may remove the file
  } else {
    for (const std::string& line : run->origin()) log.line(line);
    run->go_on_with_averages([&](const std::string& line) { log.line(line); });
  }

  if (options.dry_run) {
    say_what_a_run_would_do(log, folder, run->plan());
    return ExitCode::done;
  }
  OutputFolder results(folder);
  comm.guard([&] {
    if (!comm.is_root()) return;
    const auto say = [&](const std::string& line) { log.line(line); };
    results = moment ? reopen_result_folder(folder, *moment, say) : claim_result_folder(folder, say);
    log.write_to(results.file("run.log"), moment ? Log::LogFile::at_its_end : Log::LogFile::anew);
  });
  if (moment) results.go_on_from(*moment);  // on all ranks, which cut series together
  run->open(results);
  comm.guard([&] {
    if (comm.is_root()) remove_later_outputs(results, [&](const std::string& line) { log.line(line); });
  });
  const StopRequest stop;
  const auto summarise = [&](const RunReport& report, const MemoryPeaks& memory) {
    const RunTraffic traffic = traffic_of_run(comm, phases, run->solves(), options.report);
    return summary_of(comm, origin, wanted, run->mesh_counts(), placement, report, run->solves(), phases, traffic,
                      memory);
  };
  RunReport report;
  try {
    report = run->run(log, stop);
  } catch (const Error& error) {
    if (!error.collective() || !options.report) throw;
    report = run->failed(error);
    write_report(comm, results, wanted, *run, report, summarise(report, memory_peaks(comm, after_set_up)), log);
    throw;
  }
  warn_of_round_off(log, run->solves());
  const MemoryPeaks memory = memory_peaks(comm, after_set_up);  // before the report allocates more
  const double seconds = since_start.seconds();
  const auto summary = summarise(report, memory);
  write_summary(comm, results, summary);
  write_spectra(comm, results, wanted.probes, [&](const std::string& text) { log.line(text); });
  say_how_it_went(log, folder, wanted, report, run->mesh_counts().cells, phases, seconds, memory);
  if (options.report) write_report(comm, results, wanted, *run, report, summary, log);
  return !report.interrupted_by.empty() ? ExitCode::stopped_early : ExitCode::done;
}

}  // namespace

ExitCode run_case(const Comm& comm, const RunOptions& options) {
  Log log(comm, options.quiet);
  try {
    return run_and_report(comm, options, log);
  } catch (...) {
    log.note(std::string("error: ") + current_error().what());
    throw;
  }
}

}  // namespace solenoid
