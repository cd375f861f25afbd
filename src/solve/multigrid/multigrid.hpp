/// Multigrid by smoothed aggregation, as a preconditioner.
#pragma once

#include <memory>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"
#include "parallel/memory.hpp"
#include "solve/multigrid/shape.hpp"

namespace solenoid {

/// Size limits of a hierarchy, in unknowns of a level over all ranks.
struct MultigridSizes {
  /// Largest level held whole by every rank, where exchanges cost more than unshared work: larger on GPUs, whose
  /// kernels take as long for few rows as for many.
  std::int64_t replicated = device_is_host ? 2500 : 20000;
  std::int64_t inverted = 400;  ///< largest level solved by its inverse, also on every rank
  /// Most entries of each matrix of the levels that take one launch together: on a GPU, where launches of so short work
  /// cost more than a block of threads alone. 0: each pass is a launch.
  std::int64_t entries_in_one_launch = device_is_host ? 0 : 1 << 15;
};

/// One multigrid cycle: an approximate inverse of a symmetric positive (semi)definite matrix A with a unit diagonal,
/// itself symmetric and positive definite, in single precision.
///
/// Levels come from smoothed aggregation (Vanek, Mandel & Brezina 1996) of independent sets (Bell, Dalton & Olson 2012)
/// that depend on global ids alone, and all sums are in the order of global ids: levels are the same on any number of
/// ranks. Each level is scaled to a unit diagonal. The smoother is two Chebyshev steps (Adams, Brezina, Hu & Tuminaro
/// 2003) before and after. Small levels are held whole by every rank, the last one by its inverse.
class Multigrid {
 public:
  static constexpr bool is_in_single_precision = true;

  /// `rows`: A without its unit diagonal, columns in the local numbers; `null`: near-null vector of A per local
  /// unknown, such as the square roots of the diagonal before A was scaled; 0 where a row is prescribed. Collective.
  Multigrid(const Comm& comm, LocalNumbering numbering, SingleRows rows, std::vector<float> null,
            const MultigridSizes& sizes = {}, const MemoryOf& = MemoryOf("multigrid"));
  ~Multigrid();
  Multigrid(Multigrid&&) noexcept;

  /// z = M r at the owned entities; of vectors M of each component, in one cycle. Collective.
  template <class L, class T>
  void operator()(Field<L, T>& r, Field<L, T>& z) const {
    cycle(std::as_const(r).view().data, z.view().data);
  }
  bool only_launches() const { return true; }

  const MultigridShape& shape() const;
  double bytes_per_cycle(int vectors = 1) const;  ///< read and written by this rank, as counted in benchmarks

 private:
  void cycle(const real* r, real* z) const;
  void cycle(const Vec3* r, Vec3* z) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
