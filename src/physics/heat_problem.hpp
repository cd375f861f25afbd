/// A problem of heat conduction: div(k grad T) + s = c dT/dt in the body, and what happens at its boundary.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "io/case_settings.hpp"
#include "physics/solver_advice.hpp"

namespace solenoid {

/// A property of the material as a function of the volume group (-1: in none), place [m] and time [s].
struct MaterialProperty {
  std::function<real(int region, const Vec3& x, real t)> value;
  bool depends_on_place = false;  ///< within a volume group
  bool depends_on_time = false;
};

/// A quantity on a patch as a function of place [m] and time [s].
struct PatchQuantity {
  std::function<real(const Vec3& x, real t)> value;
  bool depends_on_time = false;
};

enum class ThermalCondition {
  temperature,  ///< T = value [K]
  flux,         ///< k dT/dn = value [W/m^2], n out of the body: positive heats it; insulated: 0
  convection    ///< k dT/dn = coefficient (value - T), value the ambient temperature [K]
};

struct ThermalBoundary {
  ThermalCondition condition = ThermalCondition::flux;
  PatchQuantity value;
  PatchQuantity coefficient;  ///< h [W/(m^2 K)], >= 0; convection only
};

struct HeatProblem {
  MaterialProperty conductivity;          ///< k [W/(m K)], > 0
  MaterialProperty heat_capacity;         ///< c [J/(m^3 K)], > 0; not asked for where the steady state is
  MaterialProperty source;                ///< s [W/m^3]
  std::vector<ThermalBoundary> boundary;  ///< by patch
};

struct HeatSolverSettings {
  TimeScheme scheme = TimeScheme::second_order;
  SolveControl heat{"heat", 1e-8, 10000, PreconditionerKind::jacobi, 0, heat_advice()};
};

}  // namespace solenoid
