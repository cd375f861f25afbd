#include "solve/projection.hpp"

#include <Eigen/Eigenvalues>
#include <cmath>

#include "solve/solution_history.hpp"
#include "solve/tolerances.hpp"

namespace solenoid {

template <std::size_t N>
std::array<real, N> projection(const std::array<std::array<real, N>, N>& gram, const std::array<real, N>& products) {
  constexpr real round_off = by_precision(1e-13, 1e-5);
  using Matrix = Eigen::Matrix<real, N, N>;
  using Vector = Eigen::Matrix<real, N, 1>;
  Vector scale, scaled_products;  // scaled to vectors of length 1
  for (std::size_t i = 0; i < N; ++i) {
    scale[i] = gram[i][i] > 0 ? 1 / std::sqrt(gram[i][i]) : 0;
    scaled_products[i] = scale[i] * products[i];
  }
  Matrix scaled;
  for (std::size_t i = 0; i < N; ++i) {
    for (std::size_t j = 0; j < N; ++j) scaled(i, j) = scale[i] * gram[i][j] * scale[j];
  }
  const Eigen::SelfAdjointEigenSolver<Matrix> directions(scaled);
  Vector in_directions = directions.eigenvectors().transpose() * scaled_products;
  for (std::size_t k = 0; k < N; ++k) {
    const real length = directions.eigenvalues()[k];
    in_directions[k] = length > round_off ? in_directions[k] / length : 0;
  }
  const Vector scaled_coefficients = directions.eigenvectors() * in_directions;
  std::array<real, N> coefficients;
  for (std::size_t i = 0; i < N; ++i) coefficients[i] = scale[i] * scaled_coefficients[i];
  return coefficients;
}

template std::array<real, past_solutions> projection(
    const std::array<std::array<real, past_solutions>, past_solutions>&, const std::array<real, past_solutions>&);

}  // namespace solenoid
