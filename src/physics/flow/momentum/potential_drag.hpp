/// The drag of porous zones between potentials at edges, and an approximate inverse of mass and drag there.
#pragma once

#include <optional>
#include <vector>

#include "operators/cell_curl.hpp"
#include "physics/flow/momentum/porous_drag.hpp"
#include "solve/hiptmair_xu.hpp"
#include "solve/linear_system.hpp"

namespace solenoid {

/// R I^T V (R_c / nu) I C of PorousDrag's R_c per viscosity nu. With mass it is L_w = R I^T V w I C, w = 1 + R_c /
/// alpha, a Laplacian or curl-curl matrix whose coefficient may jump by many powers of ten at the zones' surfaces:
/// multigrid of a w near it approximates its inverse. R_c stands there as its trace times the shape of the constant
/// tensor, and w is limited to `most` times its least value, for multigrid in single precision; beyond, all of a zone
/// is one cluster of eigenvalues. It is renewed where the present w differs by more than a factor of two somewhere.
class PotentialDrag {
 public:
  /// `free_edges`: of the potential. `kind`: of the near inverse, multigrid, or none. Refers to all, which must
  /// outlive it.
  PotentialDrag(const Space<Edge>& free_edges, const PorousDrag& drag, PreconditionerKind kind,
                const MemoryOf& = MemoryOf("system of zones"));

  /// product += factor R I^T V (R_c / nu) I C s. Collective.
  void add(const Scalar<>& factor, Field<Edge>& s, Field<Edge>& product);
  /// I^T V (R_c / nu) I U, along the duals. Collective.
  void compute(Field<Face>& flux, Field<Face>& along_duals);
  /// The diagonal of add(), per owned edge.
  std::vector<real> diagonal() const;

  /// Makes near inverses those of alpha + nu R_c / nu, unless they are near enough. Returns whether they are new.
  /// Collective.
  bool renew(real alpha, real nu);
  LinearSystem<Edge>* on_nodes() { return on_nodes_ ? &*on_nodes_ : nullptr; }      ///< in 2D, of L_w
  const HiptmairXu* on_edges() const { return on_edges_ ? &*on_edges_ : nullptr; }  ///< in 3D
  /// mass times the mean of w around each edge.
  Field<Edge> slowed(const Field<Edge>& mass) const;

  void visit_state(StateVisitor& visitor) { visitor.field("drag_of_inverse", built_); }
  void state_restored() { is_built_ = false, is_restored_ = true; }

 private:
  void build();
  std::vector<Tensor> weights() const;
  std::vector<real> means_of_weights() const;

  static constexpr real most = 1e5;

  const Space<Edge>& free_edges_;
  const LocalMesh& mesh_;
  const PorousDrag& drag_;
  const PreconditionerKind kind_;
  std::optional<CellCurl> curl_;  // in 3D
  std::optional<Field<Face>> flux_, along_duals_;
  std::optional<Field<Edge>> circulation_;  // in 3D
  Field<Cell, Vec3> velocity_;
  Field<Cell> built_;  // trace of R_c / alpha in the near inverses
  bool is_built_ = false, is_restored_ = false;
  real largest_ = 0;  // of it in w
  std::optional<LinearSystem<Edge>> on_nodes_;
  std::optional<SparseMatrix<Edge>> matrix_;  // of on_edges_
  std::optional<HiptmairXu> on_edges_;
};

}  // namespace solenoid
