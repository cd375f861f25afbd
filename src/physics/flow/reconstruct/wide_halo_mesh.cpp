#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

#include <utility>

#include "base/error.hpp"

namespace solenoid {

WideHaloMesh::WideHaloMesh(const LocalMesh& mesh, MeshPart wide, const MemoryOf& /*scope*/)
    : part(std::move(wide)), faces(mesh.comm(), std::move(part.face_numbering)) {
  mesh.comm().guard([&] {
    require(faces.owned() == mesh.owned<Face>(), [] { return "the wider part of the mesh is of another partition"; });
  });
  cells_of = Csr<int>(part.nodes(), [&](const auto& visit) {
    for (int c = 0; c < part.cells(); ++c) {
      for (const int n : part.cell_nodes_of(c)) visit(n, c);
    }
  });
}

}  // namespace solenoid
