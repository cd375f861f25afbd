/// Velocity anywhere in a piece of an earlier run's mesh, from that at its points.
#pragma once

#include <array>
#include <optional>
#include <vector>

#include "io/paraview/piece_locator.hpp"
#include "mesh/csr.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"

namespace solenoid {

/// In a cell with barycentric coordinates l_i, u(x) = sum_i l_i (u_i + grad u_i . (x - x_i) / 2): continuous, and exact
/// for quadratic velocities if the gradients are. These are of quadratics through u_i, fitted to the surrounding points
/// by least squares. Cells with u = 0 at all their points, such as those of solids, have no part in it. Where the
/// points do not determine a quadratic, the gradient is that of the linear velocity in the cell.
class QuadraticVelocity {
 public:
  /// Three values per point [m/s]. Refers to `piece`, which must outlive it.
  explicit QuadraticVelocity(const ResultPiece& piece);

  Vec3 at(const PointInCell& place);

 private:
  using Gradient = std::array<Vec3, 3>;  // derivatives along x, y, z
  Vec3 value(int point) const;
  bool moves(int cell) const;
  const std::optional<Gradient>& gradient(int point);
  std::optional<Gradient> fit(int point, const std::vector<int>& around);
  std::vector<int> neighbours(const std::vector<int>& points) const;
  Gradient linear(int cell) const;

  const ResultPiece& piece_;
  Csr<int> cells_;               // the moving ones, by point
  std::vector<char> is_fitted_;  // by point
  std::vector<std::optional<Gradient>> gradient_;
  LeastSquaresSolver<9, 3> solver_;
};

}  // namespace solenoid
