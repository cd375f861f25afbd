/// The implicit half of the exact fractional step with friction by the vorticity: (alpha L + nu L W^-1 L) s = b for the
/// potential s.
#pragma once

#include <functional>
#include <memory>

#include "physics/flow/momentum/potential_drag.hpp"
#include "physics/flow/momentum/potential_momentum_system.hpp"
#include "physics/flow/momentum/two_part_system.hpp"
#include "physics/flow/solenoidal/harmonic_fluxes.hpp"
#include "solve/hiptmair_xu.hpp"
#include "solve/linear_system.hpp"
#include "solve/sparse_matrix.hpp"

namespace solenoid {

/// An approximate inverse of L on the unknowns: z from r, 0 where prescribed (`apply`, collective), or on the edges of
/// tetrahedra one in single precision; with neither the diagonal is used.
struct NearInverse {
  PreconditionerKind kind = PreconditionerKind::jacobi;
  std::function<void(Field<Edge>& r, Field<Edge>& z)> apply{};
  const HiptmairXu* on_edges = nullptr;

  bool only_launches() const { return kind != PreconditionerKind::boomeramg; }
};

/// The preconditioner of a system of L; the system must outlive its users.
NearInverse near_inverse_of(LinearSystem<Edge>& system);

/// The largest sum_j |L_ij| / W_i over unknowns: an upper bound of the eigenvalues of W^-1 L there. Collective.
real bound_of_rate(const Space<Edge>& unknowns, const MatrixRows& laplacian, const Field<Edge>& mass);

/// Solves with the matrix as a product of assembled ones: the inner index runs over every edge, the walls' included.
///
/// With S = W^-1 L it is, up to rows at walls, L (alpha + nu S), and its inverse (alpha + nu S)^-1/2 L^-1
/// (alpha + nu S^T)^-1/2, since S L^-1 = L^-1 S^T. The preconditioner replaces L^-1 by an approximation (in 2D a cycle
/// of multigrid, in 3D HiptmairXu) and the root by a polynomial: symmetric, positive definite, and set up once for
/// steps of any length.
///
/// On tetrahedra it may be R (alpha M + nu K') C of PotentialMomentumSystem instead, K' its friction; nu L W^-1 L then
/// stands for that friction in the preconditioner.
///
/// With porous zones PotentialDrag is a part of the friction; the preconditioner has its L_w in the place of L, and W
/// times w in that of W: root and inverse are those of the cells' own mass and drag.
///
/// With loops the unknown of each harmonic flux is in its slot: the solution is the fluxes C s + sum_k c_k H_k, with
/// alpha M + nu M C W^-1 R M between them and their transposes.
class VorticityMomentumSystem : public TwoPartSystem<Edge> {
 public:
  /// L as rows and on the device; W at the owned edges, and W^-1, which is 0 at edges without vorticity.
  /// `largest_rate`: the largest eigenvalue of W^-1 L on the unknowns, or somewhat more. `loops`: null where none has a
  /// slot. `with_friction`: replaces L W^-1 L. `drag`: is added to it. All but `rows` and `mass` must outlive this.
  /// Collective.
  VorticityMomentumSystem(const Space<Edge>& unknowns, const MatrixRows& rows, const SparseMatrix<Edge>& laplacian,
                          NearInverse near_inverse, const Field<Edge>& mass, Field<Edge>& inverse_mass,
                          real largest_rate, const HarmonicFluxes* loops = nullptr,
                          PotentialMomentumSystem* with_friction = nullptr, PotentialDrag* drag = nullptr,
                          const MemoryOf& = MemoryOf("system"));
  ~VorticityMomentumSystem() override;

  void friction_changed() override;
  void visit_state(StateVisitor& visitor) override;

 private:
  void apply_parts(Field<Edge>& s, std::span<Field<Edge>> images) override;
  SolveReport solve_from(Field<Edge>& s, const Field<Edge>* image, real alpha, real viscosity, const Field<Edge>& b,
                         const SolveControl& control) override;

  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
