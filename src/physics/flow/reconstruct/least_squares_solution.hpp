/// The least-squares problem at a node, solved once for any data. For files that include Eigen.
#pragma once

#include <Eigen/Dense>

namespace solenoid {

struct LeastSquaresSolution {
  Eigen::MatrixXd shares;  // per row of the problem: weights of its datum in the results
  bool is_whole;           // no small pivot
};

/// Minimizes |matrix c - weight * data| over the first `unknowns` of the coefficients c. `matrix` (rows, coefficients)
/// has weighted rows; the results are `results` c. Columns are scaled to one; coefficients of small pivots stay zero.
LeastSquaresSolution solve_fit(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& weight,
                               const Eigen::MatrixXd& results, Eigen::Index unknowns);

}  // namespace solenoid
