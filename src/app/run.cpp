#include "app/run.hpp"

#include <optional>

#include "app/flow_run.hpp"
#include "app/result_folder.hpp"
#include "base/log.hpp"

namespace solenoid {

namespace {

ExitCode run_and_report(const Comm& comm, const RunOptions& options, Log& log) {
  Phases phases;
  Case wanted;
  comm.guard([&] { wanted = read_case(options.case_file, options.sets); });
  const Device device = select_device(comm);
  log.line(message("{}: {} rank{}, {}", wanted.title, comm.size(), comm.size() == 1 ? "" : "s", device.name));
  CaseMesh mesh = load_mesh(comm, wanted, VelocityFit::layers, log, phases);
  std::unique_ptr<FlowRun> flow;
  phases.time("set up", [&] { flow = std::make_unique<FlowRun>(comm, wanted, std::move(mesh), log, phases); });

  const std::filesystem::path folder =
      options.output.empty() ? std::filesystem::path("results") / wanted.name : options.output;
  std::optional<ResultFolder> held;  // rank 0
  comm.guard([&] {
    if (!comm.is_root()) return;
    held.emplace(folder);
    if (!held->replaced().empty()) log.line(held->replaced());
    log.write_to(folder / "run.log");
  });
  flow->open(folder);
  const RunReport report = flow->run();
  write_summary(comm, folder, wanted, flow->mesh_report(), device, report, flow->solves(), phases);

  log.line(message("{} after {} steps at t = {:.4f} s, {:.1f} s of wall time, {:.2f} ms a step; max|div U| {:.1e}",
                   report.stopped_by == "steady" ? "steady" : "done", report.steps, report.time, report.wall_seconds,
                   1e3 * report.step_seconds / report.steps, report.max_divergence));
  const std::int64_t peak = comm.max(static_cast<std::int64_t>(host_bytes_peak()));
  log.line(message("memory: at most {:.0f} MB a rank", 1e-6 * static_cast<double>(peak)));
  log.line(message("results: {} (open fields.pvd in ParaView)", folder.string()));
  return ExitCode::done;
}

}  // namespace

ExitCode run_case(const Comm& comm, const RunOptions& options) {
  Log log(comm, options.quiet);
  try {
    return run_and_report(comm, options, log);
  } catch (const Error& error) {
    log.note(std::string("error: ") + error.what());
    throw;
  }
}

}  // namespace solenoid
