#include "run/mesh/mesh_counts.hpp"

namespace solenoid {

MeshCounts count_mesh(const LocalMesh& mesh) {
  const Comm& comm = mesh.comm();
  MeshCounts counts;
  counts.dimension = mesh.dimension();
  counts.nodes = mesh.global_count<Node>();
  counts.edges = mesh.global_count<Edge>();
  counts.faces = mesh.global_count<Face>();
  counts.cells = mesh.global_count<Cell>();
  counts.patches = mesh.part().patches;
  counts.regions = mesh.part().regions;
  counts.cells_min = comm.min(std::int64_t{mesh.owned<Cell>()});
  counts.cells_max = comm.max(std::int64_t{mesh.owned<Cell>()});
  counts.halo_cells = comm.sum(std::int64_t{mesh.total<Cell>() - mesh.owned<Cell>()});
  std::int64_t cut = 0;
  const IncidenceRows& cells = mesh.G.host();
  const auto& owner = mesh.numbering<Cell>().owner;
  for (int f = 0; f < cells.rows(); ++f) {
    const int first = cells.offset[f];
    cut += cells.offset[f + 1] - first == 2 && owner[cells.index[first]] != owner[cells.index[first + 1]];
  }
  counts.cut_faces = comm.sum(cut);
  return counts;
}

std::string mesh_line(const MeshCounts& mesh) {
  return message("mesh: {} cells, {} faces, {} nodes; {} to {} cells a rank, {} faces cut", mesh.cells, mesh.faces,
                 mesh.nodes, mesh.cells_min, mesh.cells_max, mesh.cut_faces);
}

}  // namespace solenoid
