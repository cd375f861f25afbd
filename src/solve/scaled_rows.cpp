#include "solve/scaled_rows.hpp"

#include <cmath>

#include "field/assign.hpp"
#include "solve/multigrid/spectrum.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

template <class L>
std::vector<real> scales(const Space<L>& space, const MatrixRows& rows, bool unit_diagonal) {
  const LocalMesh& mesh = space.mesh();
  std::vector<real> scale(mesh.owned<L>(), 1);
  if (unit_diagonal) {
    scale = rows.diagonal();
    if (space.groups() > 0) {
      const SparseMatrix<L> matrix(rows);
      Field<L> diagonal(mesh, scale);
      space.restrict_diagonal([&](Field<L>& x, Field<L>& y) { y = matrix * halo(x); }, diagonal);
      scale = diagonal.to_host();
    }
  }
  const std::vector<int>& role = space.role();
  std::int64_t not_positive = 0;
  for (std::size_t i = 0; i < scale.size(); ++i) {
    if (role[i] == Space<L>::prescribed) {
      scale[i] = 0;
    } else if (scale[i] > 0) {
      scale[i] = 1 / std::sqrt(scale[i]);
    } else {
      ++not_positive;
    }
  }
  require_on_all_ranks(mesh.comm().sum(not_positive) == 0, [&] {
    return message("the matrix has {} {}s with a diagonal entry that is not positive: check the mesh's worst cells",
                   not_positive, L::name);
  });
  return scale;
}

template <class L>
MatrixRows scaled(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal) {
  halo(scales);
  const std::vector<real> scale = scales.all_to_host();
  MatrixRows result;
  result.offset.reserve(rows.offset.size());
  result.column.reserve(rows.column.size());
  result.value.reserve(rows.value.size());
  for (int i = 0; i < rows.rows(); ++i) {
    for (int k = rows.offset[i]; k < rows.offset[i + 1]; ++k) {
      const int j = rows.column[k];
      real value = scale[i] * rows.value[k] * scale[j];
      if (unit_diagonal && i == j) {
        if (space.role()[i] < 0) continue;
        value -= 1;  // the diagonal entry of a tied group belongs to the group, not to its members
      }
      if (value == 0) continue;
      result.column.push_back(j);
      result.value.push_back(value);
    }
    result.offset.push_back(static_cast<int>(result.column.size()));
  }
  return result;
}

template <class L>
double largest_eigenvalue(const Space<L>& space, const MatrixRows& rows, Field<L>& scales, bool unit_diagonal) {
  const LocalMesh& mesh = space.mesh();
  MatrixRows unit = scaled(space, rows, scales, unit_diagonal);  // without the implicit unit diagonal of a level
  for (int i = 0; i < unit.rows() && !unit_diagonal; ++i) {
    for (int k = unit.offset[i]; k < unit.offset[i + 1]; ++k) {
      if (unit.column[k] == i) unit.value[k] -= 1;
    }
  }
  const HostLevel level{mesh.template numbering<L>(),
                        {unit.offset, unit.column, {unit.value.begin(), unit.value.end()}},
                        std::vector<float>(mesh.template total<L>(), 1)};
  return largest_eigenvalue(HostExchange(mesh.comm(), level.numbering), level);
}

template std::vector<real> scales(const Space<Node>&, const MatrixRows&, bool);
template MatrixRows scaled(const Space<Node>&, const MatrixRows&, Field<Node>&, bool);
template std::vector<real> scales(const Space<Edge>&, const MatrixRows&, bool);
template MatrixRows scaled(const Space<Edge>&, const MatrixRows&, Field<Edge>&, bool);
template double largest_eigenvalue(const Space<Edge>&, const MatrixRows&, Field<Edge>&, bool);
template std::vector<real> scales(const Space<Face>&, const MatrixRows&, bool);
template MatrixRows scaled(const Space<Face>&, const MatrixRows&, Field<Face>&, bool);
template std::vector<real> scales(const Space<Cell>&, const MatrixRows&, bool);
template MatrixRows scaled(const Space<Cell>&, const MatrixRows&, Field<Cell>&, bool);

}  // namespace solenoid
