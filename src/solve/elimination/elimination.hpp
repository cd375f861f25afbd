/// Repeated red-black elimination on graphs, as a preconditioner.
#pragma once

#include <memory>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"
#include "parallel/memory.hpp"
#include "solve/elimination/elimination_factor.hpp"

namespace solenoid {

/// An incomplete factor: an approximate inverse of a symmetric positive definite matrix A with a unit diagonal, itself
/// symmetric and positive definite, in single precision.
///
/// A maximal set of uncoupled unknowns is eliminated exactly; the matrix of the others is thinned out to the strongest
/// couplings of each row, the rest going to the diagonal; and again, until few are left, which have a stored inverse
/// (repeated red-black elimination, de Jong et al., with independent sets in the place of the colours of a grid).
/// Levels depend on global ids alone, and all sums are in an order that does not depend on the partition: the result
/// has the same bits on any number of ranks. Each level takes a kernel forth and one back; of other ranks it needs the
/// values of the level before.
class Elimination {
 public:
  static constexpr bool is_in_single_precision = true;

  /// `rows`: A without its unit diagonal, columns in the local numbers; `null`: near-null vector of A per local
  /// unknown, whose images the thinning keeps; 0 where a row is prescribed. Collective.
  Elimination(const Comm& comm, LocalNumbering numbering, MatrixRows rows, const std::vector<real>& null,
              const EliminationSizes& sizes = {}, const MemoryOf& = MemoryOf("elimination"));
  ~Elimination();
  Elimination(Elimination&&) noexcept;

  /// z = M r at the owned entities; r may be z. Collective.
  template <class L>
  void operator()(Field<L>& r, Field<L>& z) const {
    solve(std::as_const(r).view().data, z.view().data);
  }
  bool only_launches() const { return true; }

  const std::vector<std::int64_t>& rows() const;  ///< of the matrix at each level, over all ranks
  double bytes_per_call() const;                  ///< read and written by this rank, as counted in benchmarks

 private:
  void solve(const real* r, real* z) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
