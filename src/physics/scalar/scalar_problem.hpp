/// A transported scalar with diffusion: the temperature or the concentration of a dye.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/nodal/heat_problem.hpp"

namespace solenoid {

/// How a scalar is carried: by the mean of two nodes' values, of second order; by that upstream, of first order; or by
/// as much of the former as keeps to the values around (FluxLimiter).
enum class ScalarConvection { central, upwind, limited };

/// dT/dt + div(u T) = div(a grad T) + s, with the terms of heat conduction: `diffusion` has the diffusivity a [m^2/s]
/// as its conductivity, a heat capacity of 1, and at patches fluxes a dT/dn [unit of T m/s].
struct ScalarProblem {
  HeatProblem diffusion;
  std::vector<std::optional<Coefficient<real>>>
      inflow;  ///< by patch: of fluid that enters there; none: the value inside
  /// Of its inlets the value that `diffusion` gives holds where fluid enters; where it leaves it has the value inside.
  std::optional<FlowBoundaries> flow{};
  std::vector<char> is_solid{};  ///< by volume group; empty: none is
};

struct ScalarSettings {
  ScalarConvection convection = ScalarConvection::central;
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl solver{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

}  // namespace solenoid
