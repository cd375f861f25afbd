/// Nodal velocities for output (3D: and tracers): a quadratic, divergence-free least-squares fit to the surrounding
/// face fluxes.
#pragma once

#include <memory>

#include "field/field.hpp"
#include "model/node_velocity.hpp"
#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/flow/reconstruct/wide_halo_mesh.hpp"

namespace solenoid {

/// At each node fits the quadratic velocity with div u = 0 identically (9 unknowns in 2D, 26 in 3D) to the face
/// averages U_f / A_f of the cells around and to the tangential velocity of walls and inlets; see
/// QuadraticLeastSquares. The systems are solved once, for the first fit; a fit is then a product on the device. Those
/// whose weights take too much memory are solved anew for each fit, with the same result.
class VelocityReconstruction {
 public:
  /// `wide` belongs to `mesh`; all three must outlive the fit. Collective.
  VelocityReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide, const FlowBoundaries& boundaries);
  VelocityReconstruction(const LocalMesh& mesh, const WideHaloMesh& wide, FlowBoundaries&& boundaries) = delete;
  ~VelocityReconstruction();

  /// Solves the systems unless done, and keeps as many weights as fit into this share of the device memory that is left
  /// to the rank. Collective.
  void prepare(double most_of_memory = 0.3);

  /// Node velocities from the fluxes; nodes on walls and inlets have the prescribed velocity. Collective.
  Exchanged<Node, NodeVelocity> fit(const Field<Face>& flux, real time, Field<Node, NodeVelocity>& nodes);

 private:
  friend class NodeFit;
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

/// The fit at a few nodes, set up once, at the cost of those nodes: the same numbers, on a GPU except for round-off.
/// For probes, which need it in every step.
class NodeFit {
 public:
  /// `nodes`: local nodes of owned cells of the fit's mesh. Refers to `fit`, which must outlive it. Collective.
  NodeFit(VelocityReconstruction& fit, const std::vector<int>& nodes);
  ~NodeFit();

  /// Velocities at those nodes, in their order. Collective.
  std::vector<NodeVelocity> fit(const Field<Face>& flux, real time);

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace solenoid
