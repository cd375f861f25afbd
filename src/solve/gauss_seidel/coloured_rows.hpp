/// A matrix on the host with its unknowns sorted by colour, for Gauss-Seidel sweeps.
#pragma once

#include "base/comm.hpp"
#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// A symmetric matrix 1 + L + L^T: L couples each unknown to those of lower colours. The rows of each colour are
/// numbered from 0, columns are in the local numbers; all ascend in the colours, then in the global ids.
struct ColouredRows {
  LocalNumbering numbering;              ///< owned unknowns by colour; its global ids ascend in the colours too
  std::vector<int> first;                ///< the first owned unknown of each colour; plus the end
  std::vector<int> from;                 ///< per owned unknown: its number before sorting
  std::vector<MatrixRows> lower, upper;  ///< per colour: its rows of L, and of L^T
};

/// `rows`: the matrix without its unit diagonal. Collective.
ColouredRows coloured_rows(const Comm& comm, const LocalNumbering& numbering, const MatrixRows& rows);

}  // namespace solenoid
