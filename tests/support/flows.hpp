/// Flows with known solutions for the tests of the fractional steps.
#pragma once

#include <functional>

#include "physics/flow/reconstruct/velocity_reconstruction.hpp"
#include "physics/flow/step/exact_step.hpp"
#include "physics/flow/step/flow_method.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {

/// A manufactured flow in the unit square with a wall that moves along itself: psi = g(t) [sin^2(pi x) sin^2(pi y) +
/// sin(pi x) sin(pi y) / 2] / pi, p = g(t) cos(pi x) cos(pi y), g = 1 where steady, 1 + sin(3 t) / 2 otherwise.
struct ManufacturedFlow {
  real viscosity = 0.01;
  bool steady = true;

  real potential(const Vec3& x, real t) const;  ///< psi, with u = (psi_y, -psi_x)
  Vec3 velocity(const Vec3& x, real t) const;
  real pressure(const Vec3& x, real t) const;  ///< mean zero
  Vec3 force(const Vec3& x, real t) const;     ///< what the momentum equation leaves over
  FlowBoundaries walls() const;
};

/// Gives `flow` the manufactured force and, at time 0, the exact velocity.
void start(FlowStep& flow, const ManufacturedFlow& manufactured);

/// Kovasznay's flow (1948, Proc. Camb. Phil. Soc. 44, 58-62) behind a row of bodies, in the unit square from its inlet
/// on the left to an outlet on the right, between planes of symmetry: psi = y - e^(l x) sin(2 pi y) / (2 pi), p = (e^(2
/// l) - e^(2 l x)) / 2, l = 1/(2 nu) - sqrt(1/(4 nu^2) + 4 pi^2).
struct KovasznayFlow {
  real viscosity = 0.025;

  real decay() const;  ///< l
  real potential(const Vec3& x) const;
  Vec3 velocity(const Vec3& x) const;
  real pressure(const Vec3& x) const;  ///< 0 on the outlet
  FlowBoundaries boundaries(const LocalMesh& mesh) const;
};

/// What a flow should be at one time.
struct KnownFlow {
  std::function<real(const Vec3&)> potential;
  std::function<Vec3(const Vec3&)> velocity;
  std::function<real(const Vec3&)> pressure;
};

/// Relative errors in L2.
struct FlowErrors {
  real flux = 0;           ///< of U_f / A_f, weighted with the face's A_f^2
  real node_velocity = 0;  ///< of the quadratic fit, plain mean over nodes
  real pressure = 0;       ///< weighted with cell volumes
  real wall_pressure = 0;  ///< on the walls' faces, weighted with their areas
};

/// Fluxes of a velocity through triangles: Hammer, Marlowe & Stroud's rule of seven points, exact to degree five.
Field<Face> flux_of_velocity(const LocalMesh& mesh, const std::function<Vec3(const Vec3&)>& u);

/// Fluxes of a velocity by its potential.
Field<Face> flux_of(const LocalMesh& mesh, const std::function<real(const Vec3&)>& potential);

struct FlowProblem {
  std::unique_ptr<LocalMesh> mesh;
  WideHaloMesh wide;
  /// `layers`: of halo cells; two for rebuilt velocities on triangles.
  FlowProblem(const Comm& comm, const MeshSource& source, const Partitioner& partition = partition_cells,
              int layers = 1)
      : mesh(std::make_unique<LocalMesh>(comm, share_out(comm, source, layers, partition))),
        wide(*mesh, share_out(comm, source, WideHaloMesh::layers + layers - 1, partition)) {}
  /// `wide_part`: the same partition with WideHaloMesh::layers.
  FlowProblem(const Comm& comm, MeshPart part, MeshPart wide_part)
      : mesh(std::make_unique<LocalMesh>(comm, std::move(part))), wide(*mesh, std::move(wide_part)) {}
};

FlowStepSettings tight_settings(real viscosity, real tolerance = 1e-10);

FlowErrors errors_of(FlowStep& flow, const FlowProblem& problem, const KnownFlow& known);

/// Starts from the exact solution and takes `steps` equal steps to `end`.
FlowErrors run_manufactured(FlowProblem& problem, const ManufacturedFlow& flow, const FlowStepSettings& settings,
                            real end, int steps);

/// The observed order: by which power of `refinement` the error fell from `coarse` to `fine`.
real rate(real coarse, real fine, real refinement);

/// The driven cavity on this mesh: walls at rest, patch "lid" with speed 1.
FlowBoundaries cavity_walls(const LocalMesh& mesh);

}  // namespace solenoid::test
