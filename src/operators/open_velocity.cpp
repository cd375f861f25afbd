#include "operators/open_velocity.hpp"

#include <algorithm>

namespace solenoid {

namespace {

std::vector<int> nodes_behind(const LocalMesh& mesh, const std::vector<char>& is_open) {
  std::vector<int> nodes;
  for (std::size_t i = 0; i < is_open.size(); ++i) {
    if (!is_open[i]) continue;
    const int n = opposite_node(mesh.part(), mesh.boundary()[i]);
    if (n < mesh.owned<Node>()) nodes.push_back(n);
  }
  return nodes;
}

}  // namespace

int opposite_node(const MeshPart& part, const BoundaryFace& face) {
  const std::span<const int> corners = part.face_nodes_of(face.face);
  for (const int n : part.cell_nodes_of(face.cell)) {
    if (std::find(corners.begin(), corners.end(), n) == corners.end()) return n;
  }
  return corners[0];
}

OpenVelocity::OpenVelocity(const LocalMesh& mesh, const std::vector<char>& is_open)
    : means_(mesh, nodes_behind(mesh, is_open)) {}

}  // namespace solenoid
