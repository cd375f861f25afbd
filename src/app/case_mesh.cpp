#include "app/case_mesh.hpp"

#include <algorithm>
#include <optional>

#include "base/nearest_name.hpp"
#include "io/gmsh_reader.hpp"
#include "mesh/partition.hpp"

namespace solenoid {

namespace {

std::string list(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "`" : ", `") + name + "`";
  return text.empty() ? "none" : text;
}

/// Every boundary group of the mesh has its table in the case, and every table its group; all faults in one Error.
void require_boundaries(const Case& wanted, const MeshSource& source) {
  std::string faults;
  const auto note = [&](const std::string& text) {
    faults += (faults.empty() ? "" : "\n") + wanted.file.string() + ": " + text;
  };
  for (const auto& [name, settings] : wanted.boundary) {
    if (std::find(source.patches.begin(), source.patches.end(), name) != source.patches.end()) continue;
    const auto near = nearest_name(name, source.patches);
    note(message("[boundary.{}]: the mesh has no boundary group of this name{}; its groups: {}", name,
                 near ? " (did you mean `" + *near + "`?)" : "", list(source.patches)));
  }
  for (const std::string& patch : source.patches) {
    if (wanted.boundary.count(patch) != 0) continue;
    note(message("the mesh's boundary group `{}` has no table: add [boundary.{}] with a type", patch, patch));
  }
  require_input(faults.empty(), [&] { return faults; });
}

/// Pieces that do not touch are legal: walls keep each a domain of its own. They are seldom meant.
void warn_of_pieces(const std::string& name, const std::vector<MeshPiece>& pieces, Log& log) {
  constexpr std::size_t most = 4;
  if (pieces.size() < 2) return;
  std::string text;
  for (std::size_t k = 0; k < std::min(most, pieces.size()); ++k) {
    text += message("{}{} cells at ({:.6g}, {:.6g})", k == 0 ? "" : ", ", pieces[k].cells, pieces[k].place.x,
                    pieces[k].place.y);
  }
  log.line(
      message("warning: {}: the mesh falls into {} pieces that share no face: {}{}. Each is computed as a domain "
              "of its own; only differences of pressure within a piece mean something",
              name, pieces.size(), text, pieces.size() > most ? ", ..." : ""));
}

MeshReport report_on(const Comm& comm, const LocalMesh& mesh) {
  MeshReport report;
  report.dimension = mesh.dimension();
  report.nodes = mesh.global_count<Node>();
  report.edges = mesh.global_count<Edge>();
  report.faces = mesh.global_count<Face>();
  report.cells = mesh.global_count<Cell>();
  report.patches = mesh.part().patches;
  report.cells_min = comm.min(std::int64_t{mesh.owned<Cell>()});
  report.cells_max = comm.max(std::int64_t{mesh.owned<Cell>()});
  report.halo_cells = comm.sum(std::int64_t{mesh.total<Cell>() - mesh.owned<Cell>()});
  std::int64_t cut = 0;
  const IncidenceRows& cells = mesh.G.host();
  const auto& owner = mesh.numbering<Cell>().owner;
  for (int f = 0; f < cells.rows(); ++f) {
    const int first = cells.offset[f];
    cut += cells.offset[f + 1] - first == 2 && owner[cells.index[first]] != owner[cells.index[first + 1]];
  }
  report.cut_faces = comm.sum(cut);
  return report;
}

}  // namespace

CaseMesh load_mesh(const Comm& comm, const Case& wanted, int wide_layers, Log& log, Phases& phases) {
  std::optional<GlobalMesh> whole;
  std::vector<int> owner;
  comm.guard([&] {
    if (!comm.is_root()) return;
    const MeshSource source = phases.time("read mesh", [&] {
      return read_mesh({wanted.mesh.file, wanted.mesh.size, wanted.mesh.scale},
                       [&](const std::string& line) { log.line(line); });
    });
    require_input(source.dimension == 2, [&] {
      return message(
          "{}: found {} tetrahedra; this version computes flow on triangle meshes only: give a mesh in the x-y plane",
          source.name, source.cell_count());
    });
    require_boundaries(wanted, source);
    phases.time("connect mesh", [&] { whole = build_topology(source); });
    warn_of_pieces(source.name, connected_pieces(*whole), log);
    phases.time("partition", [&] { owner = partition_cells(*whole, comm.size()); });
  });
  CaseMesh result;
  phases.time("distribute", [&] {
    result.local = std::make_unique<LocalMesh>(comm, distribute(comm, whole, owner, 1));
    result.wide = distribute(comm, whole, owner, wide_layers);
  });
  result.report = report_on(comm, *result.local);
  const MeshReport& r = result.report;
  log.line(message("mesh: {} cells, {} faces, {} nodes; {} to {} cells a rank, {} faces cut", r.cells, r.faces, r.nodes,
                   r.cells_min, r.cells_max, r.cut_faces));
  return result;
}

}  // namespace solenoid
