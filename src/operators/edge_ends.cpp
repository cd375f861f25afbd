#include "operators/edge_ends.hpp"

namespace solenoid {

EdgeEnds::EdgeEnds(const LocalMesh& mesh) {
  require(mesh.dimension() == 3, [] { return "edges have ends in 3D only"; });
  const MeshPart& part = mesh.part();
  IncidenceRows ends;
  ends.reserve(part.edges(), part.edge_nodes.size());
  for (int e = 0; e < part.edges(); ++e) {
    const std::span<const int> v = part.edge_nodes_of(e);  // ascending in their global ids
    ends.add(v[0], -1);
    ends.add(v[1], 1);
    ends.end_row();
  }
  // Positions on a face; across a periodic pair they differ from those of the nodes.
  std::vector<Vec3> along(part.edges());
  for (int f = 0; f < part.faces(); ++f) {
    const std::span<const int> edges = part.face_edges_of(f), at = part.face_points_of(f);
    const auto leads = [&](int from, int to) { return part.points[at[to]] - part.points[at[from]]; };
    along[edges[0]] = leads(0, 1);
    along[edges[1]] = leads(1, 2);
    along[edges[2]] = leads(0, 2);
  }
  gradient_ = Incidence<Edge, Node>(first_rows(ends, mesh.owned<Edge>()));
  transposed_ = Incidence<Node, Edge>(transpose(ends, mesh.owned<Node>(), mesh.numbering<Edge>(), 1));
  along_ = DeviceArray<Vec3>(along);
}

std::size_t EdgeEnds::bytes_of_formulas() const { return bytes() + along_.size() * sizeof(Vec3); }

std::size_t EdgeEnds::bytes() const {
  const auto of_table = [](const IncidenceRows& rows) {
    return (rows.offset.size() + rows.index.size()) * sizeof(int);
  };
  return of_table(gradient_.host()) + of_table(transposed_.host()) + along_.size() * sizeof(Vec3);
}

}  // namespace solenoid
