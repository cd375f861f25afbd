/// A transported scalar with diffusion: the temperature or the concentration of a dye.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "physics/flow/boundary/flow_boundary.hpp"
#include "physics/nodal/heat_problem.hpp"

namespace solenoid {

/// Value that a flux between two nodes carries: their mean, second order; the upstream value, first order; or as much
/// of the mean as stays within the range of the neighbouring values (FluxLimiter).
enum class ScalarConvection { central, upwind, limited };

/// dT/dt + div(u T) = div(a grad T) + s, with the terms of heat conduction: `diffusion` has the diffusivity a [m^2/s]
/// as conductivity, a heat capacity of 1, and fluxes a dT/dn [unit of T m/s] at patches.
struct ScalarProblem {
  HeatProblem diffusion;
  std::vector<std::optional<Coefficient<real>>>
      inflow;  ///< by patch: value of entering fluid; nullopt: the value inside
  /// At its inlets the value of `diffusion` is prescribed where fluid enters; where fluid leaves, it has the value
  /// inside.
  std::optional<FlowBoundaries> flow{};
  std::vector<char> is_solid{};  ///< by volume group; empty: none
};

struct ScalarSettings {
  ScalarConvection convection = ScalarConvection::central;
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl solver{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

}  // namespace solenoid
