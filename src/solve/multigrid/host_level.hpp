/// A level of multigrid on the host, while the next one is set up.
#pragma once

#include <vector>

#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Told apart from what lives on a mesh: an unknown of a level.
struct Unknown {
  static constexpr const char* name = "unknown";
};

/// A symmetric matrix with a diagonal of ones. Row i is 1 at i and what is stored.
struct HostLevel {
  LocalNumbering numbering;  ///< the rows, and the halo that they reach; global ids are those of the finest level
  SingleRows rows;           ///< all but the diagonal, each row ascending in the columns' global ids
  std::vector<float> null;   ///< what the matrix nearly maps to zero, per local unknown; 0 where a row stands alone
};

}  // namespace solenoid
