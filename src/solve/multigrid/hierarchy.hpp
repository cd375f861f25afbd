/// The levels of multigrid, from the finest to the last.
#pragma once

#include <optional>
#include <tuple>

#include "solve/multigrid/coarsening.hpp"
#include "solve/multigrid/multigrid.hpp"
#include "solve/multigrid/replicated.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// Values of three vectors at an unknown. Trivial, for shared memory of a GPU.
struct Triple {
  float x, y, z;
  SOLENOID_HD Triple& operator+=(const Triple& b) { return x += b.x, y += b.y, z += b.z, *this; }
  SOLENOID_HD friend Triple operator+(Triple a, const Triple& b) { return a += b; }
  SOLENOID_HD friend Triple operator-(const Triple& a, const Triple& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
  SOLENOID_HD friend Triple operator*(float s, const Triple& a) { return {s * a.x, s * a.y, s * a.z}; }
  SOLENOID_HD operator Vec3() const { return {x, y, z}; }
};

using LevelMatrix = SparseMatrix<Unknown, Unknown, float>;

/// Where a level held whole by every rank has the input from the finer level.
struct Gathering {
  Layout layout;           ///< the ranks' shares, with all unknowns of other ranks in the halo
  DeviceArray<int> place;  ///< per local unknown: its number on the level
  Gathering(const Comm& comm, const Replicated& replicated)
      : layout(comm, replicated.gathered), place(replicated.place) {}
};

/// The right-hand side of a level, and the cycle's work vectors; y is its result. V: float, or several.
template <class V>
struct LevelVectors {
  Field<Unknown, V> b, x, y;
  std::optional<Field<Unknown, V>> shared;  ///< the right-hand side on a Gathering's layout
  LevelVectors(const Layout& layout, const Gathering* gathering) : b(layout), x(layout), y(layout) {
    if (gathering) shared.emplace(gathering->layout);
  }
  /// The right-hand side, written by the finer level or the caller.
  Field<Unknown, V>& inbox() { return shared ? *shared : b; }
};

/// Matrix with a unit diagonal, and the transfers to the next level, if there is one; or the inverse.
struct Level {
  Layout layout;
  std::unique_ptr<Gathering> gathering;  ///< if ranks shared the level above
  LevelMatrix matrix;                    ///< of the last level: its inverse
  bool is_inverse;
  ChebyshevSteps steps{};
  std::optional<LevelMatrix> prolongation, restriction;

  Level(const Comm& comm, LocalNumbering numbering, const SingleRows& rows, bool holds_inverse)
      : layout(comm, std::move(numbering)),
        matrix(rows, holds_inverse ? LevelMatrix::Diagonal::stored : LevelMatrix::Diagonal::unit),
        is_inverse(holds_inverse) {
    matrix.share_rows(comm, rows);
  }

  /// For one cycle, or three at once; made at the first use.
  template <class V>
  LevelVectors<V>& vectors() {
    auto& made = std::get<std::optional<LevelVectors<V>>>(vectors_);
    if (!made) {
      const MemoryOf scope("multigrid");
      made.emplace(layout, gathering.get());
    }
    return *made;
  }

 private:
  std::tuple<std::optional<LevelVectors<float>>, std::optional<LevelVectors<Triple>>> vectors_;
};

/// Bytes that a rank reads and writes in a cycle: of matrices, and for each vector.
struct CycleTraffic {
  double matrices = 0, vectors = 0;
};

/// Of a level's passes, each array once per kernel.
CycleTraffic traffic_of(const Level& level);

struct Hierarchy {
  std::vector<std::unique_ptr<Level>> levels;
  MultigridShape shape;
  CycleTraffic traffic;

  /// Parameters as for Multigrid. Collective.
  Hierarchy(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
            const MultigridSizes& sizes);
};

}  // namespace solenoid
