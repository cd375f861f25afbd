/// The levels of multigrid, from the finest to the last.
#pragma once

#include <optional>

#include "solve/multigrid/coarsening.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/multigrid/replicated.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

using LevelMatrix = SparseMatrix<Unknown, Unknown, float>;
using LevelField = Field<Unknown, float>;

/// Gathers the input from the finer level for a level held whole by every rank.
struct Gathering {
  Layout layout;  ///< the ranks' shares, with all unknowns of other ranks in the halo
  LevelField b;
  DeviceArray<int> place;  ///< per local unknown: its number on the level
  Gathering(const Comm& comm, const Replicated& replicated)
      : layout(comm, replicated.gathered), b(layout), place(replicated.place) {}
};

/// Matrix with a unit diagonal, and the transfers to the next level, if there is one; or the inverse.
struct Level {
  Layout layout;
  std::unique_ptr<Gathering> gathering;  ///< if ranks shared the level above
  LevelMatrix matrix;                    ///< of the last level: its inverse
  bool is_inverse;
  ChebyshevSteps steps{};
  std::optional<LevelMatrix> prolongation, restriction;
  LevelField b, x, y;  ///< the right-hand side, and the cycle's work vectors; y is its result

  Level(const Comm& comm, LocalNumbering numbering, const SingleRows& rows, bool holds_inverse)
      : layout(comm, std::move(numbering)),
        matrix(rows, holds_inverse ? LevelMatrix::Diagonal::stored : LevelMatrix::Diagonal::unit),
        is_inverse(holds_inverse),
        b(layout),
        x(layout),
        y(layout) {
    matrix.share_rows(comm, rows);
  }

  /// The right-hand side, written by the finer level or the caller.
  LevelField& inbox() { return gathering ? gathering->b : b; }
};

struct Hierarchy {
  std::vector<std::unique_ptr<Level>> levels;
  MultigridShape shape;
  double traffic = 0;  ///< bytes read and written by this rank in a cycle

  /// Parameters as for Multigrid. Collective.
  Hierarchy(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
            const MultigridSizes& sizes);
};

}  // namespace solenoid
