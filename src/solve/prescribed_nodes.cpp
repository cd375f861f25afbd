#include "solve/prescribed_nodes.hpp"

#include "solve/space.hpp"

namespace solenoid {

std::vector<int> prescribed_on(const LocalMesh& mesh, const std::function<bool(int patch)>& is_given) {
  const MeshPart& part = mesh.part();
  const int corners = mesh.dimension();
  std::vector<real> marks(mesh.owned<Node>(), 0);
  for (const int f : mesh.boundary_faces()) {
    if (!is_given(part.face_patch[f])) continue;
    for (int k = 0; k < corners; ++k) {
      const int node = part.face_nodes[corners * f + k];
      if (node < mesh.owned<Node>()) marks[node] = 1;
    }
  }
  Field<Node> marked(mesh, marks);
  halo(marked);
  std::vector<int> role;
  for (const real mark : marked.all_to_host()) role.push_back(mark > 0 ? Space<Node>::prescribed : Space<Node>::free);
  return role;
}

}  // namespace solenoid
