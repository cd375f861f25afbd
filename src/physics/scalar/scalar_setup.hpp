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

/// What a Nusselt number is taken of: heat through a patch by what conduction alone would take through a layer.
struct NusseltScale {
  real length = 1, difference = 1;  ///< [m], [K]
};

/// A body that the fluid flows around or along, and that conducts its heat.
struct SolidRegion {
  std::string name;          ///< of its volume group
  real conductivity = 0;     ///< by the heat capacity of the fluid [m^2/s]
  real heat_capacity = 1;    ///< by that of the fluid
  Coefficient<real> source;  ///< by the heat capacity of the fluid [K/s]
  SolidRegion transformed(const Frame& frame) const;
};

struct ScalarSetup {
  std::string name;             ///< of its array; "temperature", or that of a [[scalar]]
  bool is_temperature = false;  ///< in K, or a number
  real diffusivity = 0;         ///< [m^2/s]
  ScalarSettings settings;
  Coefficient<real> source;                         ///< [unit/s]
  std::map<std::string, ThermalBoundary> boundary;  ///< by patch; insulated where there is none
  std::map<std::string, Coefficient<real>> inflow;  ///< by patch: of fluid that may enter elsewhere
  Coefficient<real> initial;
  std::vector<SolidRegion> solids;  ///< of the temperature
  std::optional<BuoyancySettings> buoyancy;
  std::optional<NusseltScale> nusselt;

  std::string unit() const { return is_temperature ? "K" : "1"; }
  /// Of its columns for patches, sources and stores: heat, or its name.
  std::string prefix() const { return is_temperature ? "heat" : name; }
  std::vector<QuantityInfo> quantities() const;
  /// The condition on a patch of this flow in words; empty where nothing is said.
  std::string condition_on(const std::string& patch, const FlowSetup& flow) const;
  ScalarProblem problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches,
                        const FlowSetup& flow) const;
  /// What of it is in the solids, insulated.
  HeatProblem problem_in_solids(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const;
  ScalarSetup transformed(const Frame& frame) const;
};

}  // namespace solenoid
