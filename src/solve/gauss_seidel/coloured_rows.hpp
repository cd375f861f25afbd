/// A matrix on the host with its unknowns sorted by colour, for Gauss-Seidel sweeps.
#pragma once

#include "base/comm.hpp"
#include "mesh/host_exchange.hpp"
#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Per local row, halo included, a colour from 0 on that differs from those of all coupled rows. In each round, every
/// uncoloured row whose scattered global id is the highest among its uncoloured neighbours gets the lowest colour free
/// among its neighbours (Jones & Plassmann 1993). The result depends on the global ids alone. `rows`: of a matrix with
/// symmetric pattern. Collective.
std::vector<int> colours(const HostExchange& exchange, const LocalNumbering& numbering, const MatrixRows& rows);

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
