#include "operators/edge_ends.hpp"

namespace solenoid {

EdgeEnds::EdgeEnds(const LocalMesh& mesh) {
  require(mesh.dimension() == 3, [] { return "edges have ends in 3D only"; });
  const MeshPart& part = mesh.part();
  IncidenceRows ends;
  ends.reserve(part.edges(), part.edge_nodes.size());
  std::vector<Vec3> along;
  along.reserve(part.edges());
  for (int e = 0; e < part.edges(); ++e) {
    const std::span<const int> v = part.edge_nodes_of(e);  // ascending in their global ids
    ends.add(v[0], -1);
    ends.add(v[1], 1);
    ends.end_row();
    along.push_back(part.points[v[1]] - part.points[v[0]]);
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
