/// A level of multigrid on the host, while the next one is set up.
#pragma once

#include <vector>

#include "mesh/local_numbering.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// An unknown of a level, as a type apart from the entities of meshes.
struct Unknown {
  static constexpr const char* name = "unknown";
};

/// A symmetric matrix with a unit diagonal. Row i is 1 at i plus the stored entries.
struct HostLevel {
  LocalNumbering numbering;  ///< the rows and their halo; global ids are those of the finest level
  SingleRows rows;           ///< without the diagonal, each row ascending in the columns' global ids
  std::vector<float> null;   ///< near-null vector per local unknown; 0 if the row is uncoupled
};

}  // namespace solenoid
