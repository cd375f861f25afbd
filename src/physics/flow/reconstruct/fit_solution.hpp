/// The least-squares problem of a fit at a node, solved once for any data. For files that include Eigen.
#pragma once

#include <Eigen/Dense>

namespace solenoid {

struct FitSolution {
  Eigen::MatrixXd shares;  // by row of the problem: what its datum adds to each result
  bool is_whole;           // no pivot is small
};

/// Minimizes |matrix c - weight * data| over the first `unknowns` of the coefficients c; `matrix` has its rows
/// weighted, (rows, coefficients), and the results of interest are `results` c. The systems have their columns scaled
/// to one; coefficients of small pivots stay zero.
FitSolution solve_fit(const Eigen::MatrixXd& matrix, const Eigen::VectorXd& weight, const Eigen::MatrixXd& results,
                      Eigen::Index unknowns);

}  // namespace solenoid
