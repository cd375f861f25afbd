#include "physics/flow/reconstruct/least_squares_solution.hpp"

#include <utility>

#include "physics/flow/reconstruct/cubic_stream.hpp"

namespace solenoid {

LeastSquaresSolution solve_fit(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& weight,
                               const Eigen::MatrixXd& results, Eigen::Index unknowns) {
  const Eigen::RowVectorXd column_norm = matrix.leftCols(unknowns).colwise().norm().cwiseMax(1e-300);
  Eigen::MatrixXd scaled = matrix.leftCols(unknowns), scaled_results = results.leftCols(unknowns);
  scaled.array().rowwise() /= column_norm.array();
  scaled_results.array().rowwise() /= column_norm.array();
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> factors(std::move(scaled));
  const Eigen::VectorXd pivots = factors.matrixQR().diagonal().cwiseAbs();
  const Eigen::Index rank = (pivots.array() > cubic::worst_condition * pivots.maxCoeff()).count();
  const Eigen::MatrixXd permuted = scaled_results * factors.colsPermutation();
  LeastSquaresSolution solution{Eigen::MatrixXd::Zero(matrix.rows(), results.rows()), rank == unknowns};
  solution.shares.topRows(rank) = factors.matrixQR()
                                      .topLeftCorner(rank, rank)
                                      .triangularView<Eigen::Upper>()
                                      .transpose()
                                      .solve(permuted.leftCols(rank).transpose());
  solution.shares.applyOnTheLeft(factors.householderQ());
  solution.shares.array().colwise() *= weight.array();
  return solution;
}

}  // namespace solenoid
