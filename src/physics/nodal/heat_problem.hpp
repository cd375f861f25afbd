/// A diffusion problem: div(k grad T) + s = c dT/dt in the body, with its boundary conditions.
#pragma once

#include <optional>
#include <variant>
#include <vector>

#include "model/material.hpp"
#include "model/solver_advice.hpp"
#include "model/time_scheme.hpp"

namespace solenoid {

// Boundary conditions; n is the outward normal of the body.

/// T = value [K].
struct GivenTemperature {
  Coefficient<real> value;
};
/// k dT/dn = value [W/m^2]: positive heats the body.
struct HeatFlux {
  Coefficient<real> value;
};
/// k dT/dn = 0.
struct Insulated {};
/// k dT/dn = coefficient (ambient - T).
struct Convection {
  Coefficient<real> coefficient;  ///< h [W/(m^2 K)], >= 0
  Coefficient<real> ambient;      ///< [K]
};
using ThermalBoundary = std::variant<Insulated, GivenTemperature, HeatFlux, Convection>;

struct HeatProblem {
  OnRegions conductivity;                  ///< k [W/(m K)], > 0
  std::optional<OnRegions> heat_capacity;  ///< c [J/(m^3 K)], > 0; nullopt: steady state
  OnRegions source;                        ///< s [W/m^3]
  std::vector<ThermalBoundary> boundary;   ///< by patch
};

struct HeatSolverSettings {
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl heat{"heat", 1e-8, 10000, PreconditionerKind::automatic, 0, heat_advice()};
};

}  // namespace solenoid
