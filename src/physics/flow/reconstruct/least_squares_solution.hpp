/// The least-squares problem at a node, solved once for any data. For files that include Eigen.
#pragma once

#include <Eigen/Dense>

namespace solenoid {

struct LeastSquaresSolution {
  Eigen::MatrixXd shares;  // by row of the problem: what its datum adds to each result
  bool is_whole;           // no pivot is small
};

/// Minimizes |matrix c - weight * data| over the first `unknowns` of the coefficients c; `matrix` has its rows
/// weighted, (rows, coefficients), and the results of interest are `results` c. The systems have their columns scaled
/// to one; coefficients of small pivots stay zero.
LeastSquaresSolution solve_fit(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& weight,
                               const Eigen::MatrixXd& results, Eigen::Index unknowns);

}  // namespace solenoid
