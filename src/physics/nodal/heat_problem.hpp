/// A diffusion problem: div(k grad T) + s = c dT/dt in the body, with its boundary conditions.
#pragma once

#include "model/material.hpp"
#include "model/solver_advice.hpp"
#include "model/time_scheme.hpp"
#include "physics/nodal/nodal_boundary.hpp"

namespace solenoid {

/// k dT/dn = 0.
inline NodalBoundary insulated() { return {BoundaryKind::natural, "insulated", {}}; }
/// T = value [K].
inline NodalBoundary given_temperature(const Coefficient<real>& value = {}) {
  return {BoundaryKind::value, "temperature {} K", {{"value", "K", value}}};
}
/// k dT/dn = value [W/m^2]: positive heats the body.
inline NodalBoundary given_heat_flux(const Coefficient<real>& value = {}) {
  return {BoundaryKind::flux, "heat flux {} W/m^2 into the body", {{"value", "W/m^2", value}}};
}
/// k dT/dn = coefficient (ambient - T), with a coefficient [W/(m^2 K)] >= 0.
inline NodalBoundary heat_exchange(const Coefficient<real>& coefficient = {}, const Coefficient<real>& ambient = {}) {
  return {BoundaryKind::exchange,
          "convection, {} W/(m^2 K) to {} K",
          {{"coefficient", "W/(m^2 K)", coefficient}, {"ambient", "K", ambient}}};
}

struct HeatProblem {
  OnRegions conductivity;                  ///< k [W/(m K)], > 0
  std::optional<OnRegions> heat_capacity;  ///< c [J/(m^3 K)], > 0; nullopt: steady state
  OnRegions source;                        ///< s [W/m^3]
  std::vector<NodalBoundary> boundary;     ///< by patch
};

struct HeatSolverSettings {
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl heat{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

}  // namespace solenoid
