/// The state of a flow and the settings it advances with.
#pragma once

#include "field/field.hpp"
#include "physics/solver_advice.hpp"
#include "physics/time_scheme.hpp"

namespace solenoid {

/// The unknown of the exact fractional step and what follows from it at one time. In 2D everything is per metre of
/// depth.
struct FlowState {
  Field<Edge> potential;       ///< s, U = C s                             [m^3/s]
  Field<Face> flux;            ///< U_f = integral of u.n over the face    [m^3/s]
  Field<Cell, Vec3> velocity;  ///< u_c = I U                              [m/s]
  Field<Edge> vorticity;       ///< omega = W^-1 (R M U + b), lumped       [1/s]
  explicit FlowState(const LocalMesh& mesh) : potential(mesh), flux(mesh), velocity(mesh), vorticity(mesh) {}
};

/// How momentum is convected: not at all, by omega x u between walls, or by what faces carry.
enum class ConvectionForm { none, rotational, central, upwind };

struct ExactStepSettings {
  real viscosity = 0;  ///< kinematic [m^2/s]
  ConvectionForm convection = ConvectionForm::rotational;
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl potential{"potential", 1e-8, 10000, PreconditionerKind::automatic, 0, potential_advice()};
  SolveControl vorticity{"vorticity", 1e-10, 10000, PreconditionerKind::automatic, 0, vorticity_advice()};
  SolveControl pressure{"pressure", 1e-8, 10000, PreconditionerKind::automatic, 0, pressure_advice()};
};

}  // namespace solenoid
