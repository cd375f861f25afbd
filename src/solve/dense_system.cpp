#include "solve/dense_system.hpp"

#include <Eigen/Cholesky>

namespace solenoid {

std::vector<real> solve_dense(const std::vector<real>& matrix, const std::vector<real>& b) {
  using Matrix = Eigen::Matrix<real, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  using Vector = Eigen::Matrix<real, Eigen::Dynamic, 1>;
  const auto count = static_cast<Eigen::Index>(b.size());
  const Vector x =
      Eigen::Map<const Matrix>(matrix.data(), count, count).ldlt().solve(Eigen::Map<const Vector>(b.data(), count));
  return {x.data(), x.data() + count};
}

}  // namespace solenoid
