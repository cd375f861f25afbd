#include "physics/flow/boundary/symmetry_planes.hpp"

#include <algorithm>
#include <array>
#include <numeric>
#include <type_traits>

#include "operators/boundary_circulation.hpp"
#include "parallel/backend.hpp"

namespace solenoid {

namespace {

/// Makes `normal` orthogonal to `normals` and adds it to them unless nearly nothing of it is left.
void add_normal(Vec3 normal, std::array<Vec3, 3>& normals) {
  constexpr real least = 0.1;  // below this angle two planes count as one that is not quite flat
  for (Vec3& other : normals) {
    if (norm(other) == 0) {
      if (norm(normal) > least) other = normal / norm(normal);
      return;
    }
    normal -= dot(normal, other) * other;
  }
}

template <class L>
std::span<const int> of_face(const MeshPart& part, int face) {
  return std::is_same_v<L, Node> ? part.face_nodes_of(face) : edges_of_face(part, face);
}

}  // namespace

std::vector<int> in_order_of_faces(const LocalMesh& mesh) {
  const auto& id = mesh.numbering<Face>().global_id;
  std::vector<int> places(mesh.boundary().size());
  std::iota(places.begin(), places.end(), 0);
  std::sort(places.begin(), places.end(),
            [&](int a, int b) { return id[mesh.boundary()[a].face] < id[mesh.boundary()[b].face]; });
  return places;
}

template <class L>
SymmetryPlanes<L>::SymmetryPlanes(const LocalMesh& mesh, const FlowBoundaries& boundaries,
                                  const std::vector<int>& entities) {
  std::vector<std::array<Vec3, 3>> normals(mesh.owned<L>());
  for (const int i : in_order_of_faces(mesh)) {
    const BoundaryFace& b = mesh.boundary()[i];
    if (!std::holds_alternative<Symmetry>(boundaries.on(b.patch))) continue;
    for (const int l : of_face<L>(mesh.part(), b.face)) {
      if (l < mesh.owned<L>()) add_normal(b.outward_normal, normals[l]);
    }
  }
  std::vector<int> symmetric;
  std::vector<Vec3> of_symmetric;
  for (const int l : entities) {
    if (norm(normals[l][0]) == 0) continue;
    symmetric.push_back(l);
    of_symmetric.insert(of_symmetric.end(), normals[l].begin(), normals[l].end());
  }
  entity_ = DeviceArray<int>(symmetric);
  normals_ = DeviceArray<Vec3>(of_symmetric);
}

template <class L>
void SymmetryPlanes<L>::remove_normal(Field<L, Vec3>& vectors) const {
  const int* const entity = entity_.data();
  const Vec3* const normal = normals_.data();
  const auto u = vectors.view();
  forall(
      static_cast<int>(entity_.size()), SOLENOID_KERNEL(int i) {
        Vec3& here = u[Index<L>{entity[i]}];
        for (int k = 3 * i; k < 3 * i + 3; ++k) here -= dot(here, normal[k]) * normal[k];
      });
}

template class SymmetryPlanes<Edge>;

}  // namespace solenoid
