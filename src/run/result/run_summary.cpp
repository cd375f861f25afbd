#include "run/result/run_summary.hpp"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <ctime>
#include <sstream>

#include "base/host_memory.hpp"
#include "base/output_file.hpp"
#include "parallel/triad.hpp"
#include "run/result/version.hpp"

namespace solenoid {

RunTraffic traffic_of_run(const Comm& comm, const Phases& phases, const SolveLog& solves, bool measure) {
  constexpr double long_enough = 0.05;
  RunTraffic traffic;
  std::string names;  // only rank 0 has a phase of reading
  for (const Phases::Phase& phase : phases.all()) names += phase.name + "\n";
  std::istringstream of_root(comm.broadcast(names));
  for (std::string name; std::getline(of_root, name);) {
    const auto& all = phases.all();
    const auto found = std::find_if(all.begin(), all.end(), [&](const Phases::Phase& p) { return p.name == name; });
    const std::int64_t bytes = found == all.end() ? 0 : found->bytes;
    traffic.phases.emplace_back(name, static_cast<double>(comm.sum(bytes)));
  }
  for (const auto& [name, entry] : solves.entries()) {
    traffic.solvers.emplace_back(name, static_cast<double>(comm.sum(entry.bytes)));
  }
  if (measure) traffic.triad = measure_triad(comm, long_enough);
  return traffic;
}

using Json = nlohmann::ordered_json;

namespace {

Json solver_summary(const SolveLog& solves) {
  Json result = Json::object();
  for (const auto& [name, entry] : solves.entries()) {
    result[name] = {{"preconditioner", name_of(entry.control.preconditioner)},
                    {"tolerance", entry.control.tolerance},
                    {"calls", entry.calls},
                    {"iterations_total", entry.iterations_total},
                    {"iterations_mean", static_cast<double>(entry.iterations_total) / std::max(entry.calls, 1)},
                    {"iterations_max", entry.iterations_max},
                    {"residual_max", entry.residual_max},
                    {"stagnated", entry.stagnated},
                    {"setup_seconds", entry.setup_seconds},
                    {"seconds", entry.seconds}};
    if (entry.multigrid) {
      result[name]["multigrid"] = {{"levels", entry.multigrid->rows.size()},
                                   {"rows", entry.multigrid->rows},
                                   {"complexity", entry.multigrid->complexity},
                                   {"bytes_per_unknown", entry.multigrid->bytes_per_unknown}};
    }
  }
  return result;
}

/// Bytes of a phase or solver, and its fraction of the bandwidth if that was measured.
Json traffic_entry(double bytes, double seconds, double triad) {
  Json entry{{"bytes", static_cast<std::int64_t>(bytes)}};
  if (triad > 0 && seconds > 0 && bytes > 0) entry["bandwidth_fraction"] = bytes / seconds / triad;
  return entry;
}

Json traffic_summary(const RunTraffic& traffic, const SolveLog& solves, const Phases& phases) {
  Json result{{"triad_bytes_per_second", traffic.triad > 0 ? Json(traffic.triad) : Json()},
              {"phases", Json::object()},
              {"solvers", Json::object()}};
  for (std::size_t k = 0; k < traffic.phases.size(); ++k) {
    const auto& [name, bytes] = traffic.phases[k];
    result["phases"][name] = traffic_entry(bytes, phases.all()[k].seconds, traffic.triad);
  }
  for (const auto& [name, bytes] : traffic.solvers) {
    result["solvers"][name] = traffic_entry(bytes, solves.entries().at(name).seconds, traffic.triad);
  }
  return result;
}

}  // namespace

RunOrigin origin_of_run(std::string command, std::vector<std::string> overrides) {
  std::array<char, 256> host{};
  if (gethostname(host.data(), host.size() - 1) != 0) host = {"unknown"};
  const std::time_t now = std::time(nullptr);
  std::tm local{};
  localtime_r(&now, &local);
  std::array<char, 32> when{};
  std::strftime(when.data(), when.size(), "%Y-%m-%dT%H:%M:%S%z", &local);
  return {std::move(command), host.data(), when.data(), std::move(overrides)};
}

MemoryPeaks memory_peaks(const Comm& comm, std::size_t host_after_set_up) {
  return {.host = comm.max(static_cast<std::int64_t>(host_bytes_peak())),
          .device = comm.max(static_cast<std::int64_t>(device_bytes_peak())),
          .all_devices = comm.sum(static_cast<double>(device_bytes_peak())),
          .host_after_set_up = comm.max(static_cast<std::int64_t>(host_after_set_up)),
          .device_arrays = device_arrays()};
}

Json summary_of(const Comm& comm, const RunOrigin& origin, const Case& wanted, const MeshCounts& mesh,
                const Placement& placement, const RunReport& run, const SolveLog& solves, const Phases& phases,
                const RunTraffic& traffic, const MemoryPeaks& memory) {
  Json summary;
  comm.guard([&] {
    if (!comm.is_root()) return;
    summary["program"] = version_summary();
    summary["run"] = {
        {"ranks", comm.size()},
        {"nodes", placement.nodes},
        {"threads", placement.threads},
        {"binding", placement.binding},
        {"devices", placement.devices},
        {"device", placement.device},
        {"steps", run.steps},
        {"time", run.time},
        {"wall_seconds", run.wall_seconds},
        {"wall_seconds_per_step", run.steps > run.began_at ? run.step_seconds / (run.steps - run.began_at) : 0},
        {"began_at_step", run.began_at},
        {"stopped_by", run.stopped_by},
        {"command", origin.command},
        {"host", origin.host},
        {"started", origin.started},
        {"overrides", origin.overrides}};
    summary["mesh"] = {{"dimension", mesh.dimension}, {"nodes", mesh.nodes}, {"edges", mesh.edges},
                       {"faces", mesh.faces},         {"cells", mesh.cells}, {"patches", mesh.patches},
                       {"regions", mesh.regions}};
    summary["partition"] = {{"cells_min", mesh.cells_min},
                            {"cells_max", mesh.cells_max},
                            {"cut_faces", mesh.cut_faces},
                            {"halo_cells", mesh.halo_cells}};
    summary.update(run.figures);
    summary["solvers"] = solver_summary(solves);
    summary["phases"] = Json::object();
    for (const Phases::Phase& phase : phases.all()) summary["phases"][phase.name] = phase.seconds;
    summary["traffic"] = traffic_summary(traffic, solves, phases);
    summary["memory"] = {{"host_bytes_max_rank", memory.host},
                         {"host_bytes_after_set_up_max_rank", memory.host_after_set_up},
                         {"device_bytes_max_rank", memory.device},
                         {"device_bytes_per_cell", std::round(memory.all_devices / static_cast<double>(mesh.cells))}};
    for (const ArraysOf& of : memory.device_arrays) {
      summary["memory"]["device_arrays"].push_back({{"owner", of.owner}, {"arrays", of.arrays}, {"bytes", of.bytes}});
    }
    for (const FunctionTable& table : wanted.functions) {
      summary["tables"].push_back({{"name", table.name}, {"file", table.file.string()}, {"crc32", table.checksum}});
    }
    for (const PointValuesFile& table : wanted.point_tables) {
      summary["tables"].push_back(
          {{"name", joined(table.key, ".")}, {"file", table.file.string()}, {"crc32", table.checksum}});
    }
    summary["case"] = wanted.effective;
  });
  return summary;
}

void write_summary(const Comm& comm, const OutputFolder& folder, const Json& summary) {
  comm.guard([&] {
    if (!comm.is_root()) return;
    write_text_file(folder.file("summary.json"), summary.dump(2, ' ', false, Json::error_handler_t::replace) + "\n");
  });
}

}  // namespace solenoid
