/// The setup of a transported scalar: all that a case says of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/frame.hpp"
#include "model/quantity.hpp"
#include "physics/flow/momentum/buoyancy.hpp"
#include "physics/scalar/scalar_problem.hpp"

namespace solenoid {

class FlowSetup;

/// Reference of a Nusselt number: conduction through a layer of this thickness and temperature difference.
struct NusseltScale {
  real length = 1, difference = 1;  ///< [m], [K]
};

/// A body in contact with the fluid, with heat conduction inside.
struct SolidRegion {
  std::string name;          ///< of the volume group
  real conductivity = 0;     ///< divided by the heat capacity of the fluid [m^2/s]
  real heat_capacity = 1;    ///< divided by that of the fluid
  Coefficient<real> source;  ///< divided by the heat capacity of the fluid [K/s]
  SolidRegion transformed(const Frame& frame) const;
};

struct ScalarSetup {
  std::string name;             ///< of its array; "temperature", or that of a [[scalar]]
  bool is_temperature = false;  ///< in K; else dimensionless
  real diffusivity = 0;         ///< [m^2/s]
  ScalarSettings settings;
  Coefficient<real> source;                         ///< [unit/s]
  std::map<std::string, ThermalBoundary> boundary;  ///< by patch; default: insulated
  std::map<std::string, Coefficient<real>> inflow;  ///< by patch: of fluid that may enter at other patches than inlets
  Coefficient<real> initial;
  std::vector<SolidRegion> solids;  ///< only of the temperature
  std::optional<BuoyancySettings> buoyancy;
  std::optional<NusseltScale> nusselt;

  std::string unit() const { return is_temperature ? "K" : "1"; }
  /// Prefix of its columns for patches, sources and storage: heat, or its name.
  std::string prefix() const { return is_temperature ? "heat" : name; }
  std::vector<QuantityInfo> quantities() const;
  /// The condition on a patch of this flow in words; empty if none is prescribed.
  std::string condition_on(const std::string& patch, const FlowSetup& flow) const;
  ScalarProblem problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches,
                        const FlowSetup& flow) const;
  /// The problem in the solids alone, insulated.
  HeatProblem problem_in_solids(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const;
  ScalarSetup transformed(const Frame& frame) const;
};

}  // namespace solenoid
