#include "physics/flow/momentum/rayleigh_ritz.hpp"

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>

namespace solenoid {

std::optional<std::array<real, 3>> largest_combination(const Products& A, const Products& B, int count) {
  Eigen::MatrixXd a(count, count), b(count, count);
  Eigen::VectorXd scale(count);
  for (int i = 0; i < count; ++i) {
    if (!(B[i][i] > 0)) return std::nullopt;
    scale[i] = 1 / std::sqrt(static_cast<double>(B[i][i]));
    for (int j = 0; j <= i; ++j) {
      a(i, j) = scale[i] * static_cast<double>(A[i][j]) * scale[j];
      b(i, j) = scale[i] * static_cast<double>(B[i][j]) * scale[j];
    }
  }
  if (Eigen::LLT<Eigen::MatrixXd>(b).info() != Eigen::Success) return std::nullopt;  // of the lower triangle
  const Eigen::GeneralizedSelfAdjointEigenSolver<Eigen::MatrixXd> solved(a, b);
  if (solved.info() != Eigen::Success) return std::nullopt;
  std::array<real, 3> c{};
  for (int i = 0; i < count; ++i) c[i] = static_cast<real>(scale[i] * solved.eigenvectors()(i, count - 1));
  return c;
}

}  // namespace solenoid
