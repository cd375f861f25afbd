#include "app/commands.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/host_memory.hpp"
#include "base/log.hpp"
#include "base/output_file.hpp"
#include "base/phases.hpp"
#include "base/user_text.hpp"
#include "bench/benchmark.hpp"
#include "bench/matrix_file.hpp"
#include "bench/systems.hpp"
#include "io/gmsh/gmsh_reader.hpp"
#include "mesh/mesh_source.hpp"
#include "mesh/partition.hpp"
#include "mesh/refinement.hpp"
#include "parallel/placement.hpp"
#include "run/mesh/mesh_counts.hpp"
#include "run/result/version.hpp"

namespace solenoid {

namespace {

using Json = nlohmann::ordered_json;

/// Measured in every run as the reference of all others.
const std::vector<std::string> always{"triad", "copy"};

/// The benchmarks selected by `names`, whole names or their first parts, in the order of the list.
std::vector<NamedBenchmark> chosen(const std::vector<std::string>& names) {
  std::vector<std::string> known = always;
  for (const NamedBenchmark& benchmark : all_benchmarks()) known.push_back(benchmark.name);
  const auto asked_for = [](const std::string& name, const std::string& word) {
    return name == word || name.starts_with(word + "/");
  };
  for (const std::string& word : names) {
    const bool found = std::any_of(known.begin(), known.end(), [&](const auto& name) { return asked_for(name, word); });
    require_input(found, [&] {
      const auto near = nearest_name(word, known);
      return message("there is no benchmark `{}`{}; there are {}", word, near ? " (did you mean `" + *near + "`?)" : "",
                     joined(known, ", "));
    });
  }
  std::vector<NamedBenchmark> result;
  for (const NamedBenchmark& benchmark : all_benchmarks()) {
    const bool wanted = names.empty() || std::any_of(names.begin(), names.end(), [&](const std::string& word) {
                          return asked_for(benchmark.name, word);
                        });
    if (wanted) result.push_back(benchmark);
  }
  return result;
}

/// Refuses an unwritable file now rather than after minutes of measurement.
void require_json_file(const std::filesystem::path& file) {
  try {
    const FreshFile trial(output_file_named(file));
  } catch (const Error& error) {
    throw Error(ExitCode::bad_input, std::string("--json ") + error.what());
  }
}

MeshSource source_of(const BenchOptions& options, Log& log) {
  const int given = !options.mesh.empty() + options.square.has_value() + options.cube.has_value();
  require_input(given == 1, [&] {
    return message("{}: give one of --mesh FILE, --square N (2 N^2 triangles) and --cube N (6 N^3 tetrahedra)",
                   given == 0 ? "no mesh to measure on" : "more than one mesh");
  });
  require_input(!options.size || !options.mesh.empty(), [] { return "--size is for a .geo given with --mesh"; });
  if (options.square) return unit_square(*options.square, 0.2);
  if (options.cube) return unit_cube(*options.cube, 0.2);
  return read_mesh({options.mesh, options.size, 1, options.trust}, [&](const std::string& line) { log.line(line); });
}

std::string mesh_name(const BenchOptions& options) {
  if (options.square) return message("square {}", *options.square);
  if (options.cube) return message("cube {}", *options.cube);
  return options.mesh.filename().string();
}

std::unique_ptr<LocalMesh> make_mesh(const Comm& comm, const BenchOptions& options, Log& log, Phases& phases) {
  const Activity shown(log, "making the mesh " + mesh_name(options));
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  comm.guard([&] {
    if (!comm.is_root()) return;
    std::optional<MeshSource> source;
    phases.time("read mesh", [&] { source = source_of(options, log); });
    phases.time("connect mesh", [&] { whole = build_topology(*std::exchange(source, {})); });
    phases.time("partition", [&] { owner = partition_cells(*whole, comm.size()); });
  });
  std::unique_ptr<LocalMesh> mesh;
  phases.time("distribute", [&] {
    mesh =
        std::make_unique<LocalMesh>(comm, distribute_refined(comm, std::exchange(whole, {}), owner, 1, options.refine));
  });
  return mesh;
}

/// The making of the mesh.
struct SetUp {
  double seconds;
  Phases phases;
  std::int64_t bytes_max_rank, bytes;  ///< peak of host memory on a rank, and the sum of all [bytes]
};

void write_matrices(const Comm& comm, const std::filesystem::path& folder, const LocalMesh& mesh, Log& log) {
  const Activity shown(log, "writing the matrices");
  comm.guard([&] {
    if (comm.is_root()) std::filesystem::create_directories(folder);
  });
  write_petsc_matrix(comm, folder / "pressure.petsc", pressure_matrix(mesh), mesh.numbering<Cell>());
  write_petsc_matrix(comm, folder / "heat.petsc", identity_where_prescribed(heat_matrix(mesh), fixed_on_boundary(mesh)),
                     mesh.numbering<Node>());
  log.line("matrices in " + folder.string() + ": pressure.petsc, heat.petsc, each with a .json about its rows");
}

double per_unknown(double value, std::int64_t unknowns) {
  return unknowns > 0 ? value / static_cast<double>(unknowns) : 0;
}

constexpr const char* table_head =
    "                            unknowns      median   per unknown    bytes per      GB/s   GB/s per   of   kernels\n"
    "                                              us            ns      unknown                 rank  triad";

std::string table_row(const Measurement& m, const MemoryBandwidth& memory, int ranks) {
  const double rate = m.bytes / m.seconds;
  return message("{:<24} {:>11} {:>11.2f} {:>13.3f} {:>12.1f} {:>9.2f} {:>10.2f} {:>5.2f} {:>8.1f}{}", m.name,
                 m.unknowns, 1e6 * m.seconds, 1e9 * per_unknown(m.seconds, m.unknowns),
                 per_unknown(m.bytes, m.unknowns), 1e-9 * rate, 1e-9 * rate / ranks, rate / memory.triad, m.launches,
                 m.iterations ? message("  {} iterations", *m.iterations) : "");
}

Json row_for_machines(const Measurement& m, const MemoryBandwidth& memory, int ranks) {
  Json row{{"name", m.name},
           {"unknowns", m.unknowns},
           {"seconds", m.seconds},
           {"seconds_per_unknown", per_unknown(m.seconds, m.unknowns)},
           {"bytes_per_unknown", per_unknown(m.bytes, m.unknowns)},
           {"bytes_per_second", m.bytes / m.seconds},
           {"bytes_per_second_and_rank", m.bytes / m.seconds / ranks},
           {"bandwidth_fraction", m.bytes / m.seconds / memory.triad},
           {"kernels", m.launches},
           {"samples", m.samples},
           {"spread", m.spread}};
  if (m.iterations) row["iterations"] = *m.iterations;
  return row;
}

void write_json(const Comm& comm, const BenchOptions& options, const Device& device, const MeshCounts& mesh,
                const MemoryBandwidth& memory, const std::vector<Measurement>& measured, const SetUp& set_up) {
  comm.guard([&] {
    if (!comm.is_root()) return;
    Json json;
    json["program"] = version_summary();
    json["backend"] = backend_name();
    json["device"] = device.name;
    json["ranks"] = comm.size();
    json["mesh"] = {{"name", mesh_name(options)}, {"dimension", mesh.dimension}, {"nodes", mesh.nodes},
                    {"edges", mesh.edges},        {"faces", mesh.faces},         {"cells", mesh.cells}};
    json["partition"] = {{"cells_min", mesh.cells_min},
                         {"cells_max", mesh.cells_max},
                         {"cut_faces", mesh.cut_faces},
                         {"halo_cells", mesh.halo_cells}};
    json["refinements"] = options.refine;
    json["setup_seconds"] = set_up.seconds;
    for (const Phases::Phase& phase : set_up.phases.all()) json["setup_phases"][phase.name] = phase.seconds;
    json["setup_bytes_max_rank"] = set_up.bytes_max_rank;
    json["setup_bytes"] = set_up.bytes;
    json["triad_bytes_per_second"] = memory.triad;
    json["copy_bytes_per_second"] = memory.copy;
    json["results"] = Json::array();
    for (const Measurement& m : measured) json["results"].push_back(row_for_machines(m, memory, comm.size()));
    write_text_file(output_file_named(options.json), json.dump(2) + "\n");
  });
}

}  // namespace

void bench(const Comm& comm, const BenchOptions& options) {
  Log log(comm, false);
  std::vector<NamedBenchmark> benchmarks;
  comm.guard([&] {
    benchmarks = chosen(options.names);
    if (comm.is_root() && !options.json.empty()) require_json_file(options.json);
  });
  const Device device = select_device(comm);
  const Stopwatch watch;
  Phases phases;
  const std::unique_ptr<LocalMesh> mesh = make_mesh(comm, options, log, phases);
  const auto own_bytes = static_cast<std::int64_t>(host_bytes_peak());
  const SetUp set_up{watch.seconds(), phases, comm.max(own_bytes), comm.sum(own_bytes)};
  const MeshCounts counts = count_mesh(*mesh);
  const Placement placement = find_placement(comm, device);
  log.line(mesh_name(options) + ": " + placement.text);
  for (const std::string& warning : placement.warnings) log.line("warning: " + warning);
  log.line(mesh_line(counts));
  if (options.refine > 0) {
    log.line(message("divided {} time{}; set up in {:.2f} s with at most {:.0f} MB a rank", options.refine,
                     options.refine == 1 ? "" : "s", set_up.seconds,
                     1e-6 * static_cast<double>(set_up.bytes_max_rank)));
  }
  if (!options.matrices.empty()) write_matrices(comm, options.matrices, *mesh, log);

  MemoryBandwidth memory;
  {
    const Activity shown(log, "measuring the memory");
    memory = measure_memory(comm);
  }
  log.line(message("memory: triad {:.1f} GB/s, copy {:.1f} GB/s, all ranks together", 1e-9 * memory.triad,
                   1e-9 * memory.copy));
  log.line("");
  log.line(table_head);
  std::vector<Measurement> measured;
  for (std::size_t k = 0; k < benchmarks.size(); ++k) {
    const std::string& name = benchmarks[k].name;
    const Activity shown(log, message("measuring {} ({} of {})", name, k + 1, benchmarks.size()));
    measured.push_back(measure(comm, name, benchmarks[k].prepare(*mesh), options.seconds));
    log.line(table_row(measured.back(), memory, comm.size()));
  }
  if (!options.json.empty()) write_json(comm, options, device, counts, memory, measured, set_up);
}

}  // namespace solenoid
