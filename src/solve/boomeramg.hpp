/// BoomerAMG, the multigrid of hypre, as a preconditioner; optional in a build.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Of the hypre that this program was built with, such as "2.26.0"; empty where it was built without.
std::string hypre_version();

/// What to say of "boomeramg" where it was.
inline constexpr const char* needs_hypre = "needs hypre: install libhypre-dev and build again, or use \"multigrid\"";

/// One V-cycle of BoomerAMG (Henson & Yang 2002): near A^-1 for a symmetric positive (semi)definite matrix A with a
/// diagonal of ones, itself symmetric and positive definite, in double precision and on the host.
///
/// Its levels and results depend on the partition, as do iterations with it.
class BoomerAmg {
 public:
  /// `rows`: all of A but its diagonal of ones, columns in the local numbers; `null`: per local entity what A nearly
  /// maps to zero, at most 1; 0 where an entity is no unknown, and its row and column are empty. `dimension`: of the
  /// mesh. Collective; throws Error: exit code 1 where hypre fails, 2 where the program was built without it.
  BoomerAmg(const Comm& comm, const LocalNumbering& numbering, const MatrixRows& rows, const std::vector<real>& null,
            int dimension);
  ~BoomerAmg();
  BoomerAmg(BoomerAmg&&) noexcept;

  /// z = M r at the owned entities, 0 at those that are no unknowns. Collective.
  template <class L>
  void operator()(Field<L>& r, Field<L>& z) const {
    cycle(std::as_const(r).view().data, z.view().data);
  }

 private:
  void cycle(const real* r, real* z) const;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
