#include "mesh/mesh_fingerprint.hpp"

#include "base/fingerprint.hpp"

namespace solenoid {

std::int64_t fingerprint_of(const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  const std::vector<std::int64_t>&nodes = mesh.numbering<Node>().global_id, &cells = mesh.numbering<Cell>().global_id,
        &faces = mesh.numbering<Face>().global_id;
  Fingerprint fingerprint;
  constexpr std::uint64_t kinds = 8;  // of data per entity
  const auto place = [](std::int64_t id, std::uint64_t kind) { return kinds * static_cast<std::uint64_t>(id) + kind; };
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    const Vec3& x = part.points[n];
    fingerprint.add(place(3 * nodes[n], 0), x.x);
    fingerprint.add(place(3 * nodes[n] + 1, 0), x.y);
    fingerprint.add(place(3 * nodes[n] + 2, 0), x.z);
  }
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    for (const int n : part.cell_nodes_of(c)) fingerprint.add(place(cells[c], 1), nodes[n]);
    fingerprint.add(place(cells[c], 2), std::int64_t{part.cell_region.empty() ? -1 : part.cell_region[c]});
  }
  for (const BoundaryFace& b : mesh.boundary()) {
    if (b.is_owned) fingerprint.add(place(faces[b.face], 3), std::int64_t{b.patch});
  }
  return fingerprint.of_all_ranks(mesh.comm());
}

}  // namespace solenoid
