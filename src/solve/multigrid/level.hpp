/// A level of multigrid on the device.
#pragma once

#include <optional>

#include "solve/multigrid/coarsening.hpp"
#include "solve/multigrid/replicated.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

using LevelMatrix = SparseMatrix<Unknown, Unknown, float>;
using LevelField = Field<Unknown, float>;

/// What makes every rank hold a level whole: what comes from the finer level is gathered here.
struct Gathering {
  Layout layout;  ///< the ranks' shares, and all that others own in the halo
  LevelField b;
  DeviceArray<int> place;  ///< per local unknown: its number on the level
  Gathering(const Comm& comm, const Replicated& replicated)
      : layout(comm, replicated.gathered), b(layout), place(replicated.place) {}
};

/// Its matrix, with a diagonal of ones, and what leads to the next level, if there is one; or its inverse.
struct Level {
  Layout layout;
  std::unique_ptr<Gathering> gathering;  ///< where ranks shared the level above
  LevelMatrix matrix;                    ///< of the last level: its inverse
  bool is_inverse;
  ChebyshevSteps steps{};
  std::optional<LevelMatrix> prolongation, restriction;
  LevelField b, x, y;  ///< the right-hand side, and what the cycle works on; y is its result

  Level(const Comm& comm, LocalNumbering numbering, const SingleRows& rows, bool holds_inverse)
      : layout(comm, std::move(numbering)),
        matrix(rows, holds_inverse ? LevelMatrix::Diagonal::stored : LevelMatrix::Diagonal::unit),
        is_inverse(holds_inverse),
        b(layout),
        x(layout),
        y(layout) {}

  /// Where the finer level, or the caller, puts the right-hand side.
  LevelField& inbox() { return gathering ? gathering->b : b; }
};

}  // namespace solenoid
