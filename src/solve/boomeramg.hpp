/// BoomerAMG, the multigrid of hypre, as a preconditioner; optional in a build.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "field/field.hpp"
#include "operators/matrix_rows.hpp"

namespace solenoid {

/// Version of the hypre in this build, such as "2.26.0"; empty without hypre.
std::string hypre_version();

/// Message for "boomeramg" in a build without hypre.
inline constexpr const char* needs_hypre = "needs hypre: install libhypre-dev and build again, or use \"multigrid\"";

/// One V-cycle of BoomerAMG (Henson & Yang 2002): an approximate inverse of a symmetric positive (semi)definite matrix
/// A with a unit diagonal, itself symmetric and positive definite, in double precision and on the host.
///
/// Its levels and results depend on the partition, and so do iterations with it.
class BoomerAmg {
 public:
  /// `rows`: A without its unit diagonal, columns in the local numbers; `null`: near-null vector of A per local entity,
  /// at most 1; 0 for entities that are not unknowns, whose rows and columns are empty. `dimension`: of the mesh.
  /// Collective; throws Error: exit code 1 if hypre fails, 2 in a build without hypre.
  BoomerAmg(const Comm& comm, const LocalNumbering& numbering, const MatrixRows& rows, const std::vector<real>& null,
            int dimension);
  ~BoomerAmg();
  BoomerAmg(BoomerAmg&&) noexcept;

  /// z = M r at the owned entities, 0 at those that are not unknowns. Collective.
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
