#include "solve/prescribed_nodes.hpp"

#include "solve/space.hpp"

namespace solenoid {

template <class L>
std::vector<int> prescribed_where(const LocalMesh& mesh, const std::vector<real>& marks) {
  Field<L> marked(mesh, marks);
  halo(marked);
  std::vector<int> role;
  for (const real mark : marked.all_to_host()) role.push_back(mark > 0 ? Space<L>::prescribed : Space<L>::free);
  return role;
}
template std::vector<int> prescribed_where<Node>(const LocalMesh&, const std::vector<real>&);
template std::vector<int> prescribed_where<Edge>(const LocalMesh&, const std::vector<real>&);

std::vector<int> prescribed_on(const LocalMesh& mesh, const std::function<bool(int patch)>& is_given) {
  const MeshPart& part = mesh.part();
  std::vector<real> marks(mesh.owned<Node>(), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!is_given(b.patch)) continue;
    for (const int node : part.face_nodes_of(b.face)) {
      if (node < mesh.owned<Node>()) marks[node] = 1;
    }
  }
  return prescribed_where<Node>(mesh, marks);
}

MatrixRows around_prescribed(const MatrixRows& rows, const std::vector<int>& role) {
  MatrixRows result;
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      if (role[i] != Space<Node>::prescribed && role[j] != Space<Node>::prescribed) continue;
      result.column.push_back(j);
      result.value.push_back(rows.value[k]);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

}  // namespace solenoid
