/// The setup of a transported scalar: all that a case says of it.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "model/earlier_fields.hpp"
#include "model/frame.hpp"
#include "model/quantity.hpp"
#include "physics/flow/momentum/buoyancy.hpp"
#include "physics/flow/zones/flow_zone.hpp"
#include "physics/scalar/scalar_transport.hpp"

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
};

/// The start of a scalar from an earlier run.
struct ScalarStart {
  std::shared_ptr<const EarlierFields> fields;
  Coefficient<real> values;  ///< those of `initial` if the earlier run has none
};

struct ScalarSetup {
  std::string name;             ///< of its array; "temperature", or that of a [[scalar]]
  bool is_temperature = false;  ///< in K; else dimensionless
  real diffusivity = 0;         ///< [m^2/s]
  real heat_capacity = 1;       ///< of the fluid, by which others are given [J/(m^3 K)]
  ScalarSettings settings;
  Coefficient<real> source;                       ///< [unit/s]
  std::map<std::string, NodalBoundary> boundary;  ///< by patch; default: insulated
  Coefficient<real> initial;
  std::optional<ScalarStart> start;  ///< of a run that starts from an earlier one, instead of `initial`
  std::vector<SolidRegion> solids;   ///< only of the temperature
  std::optional<BuoyancySettings> buoyancy;
  std::optional<NusseltScale> nusselt;

  /// At the start of a run.
  const Coefficient<real>& first_values() const { return start ? start->values : initial; }

  std::string unit() const { return is_temperature ? "K" : "1"; }
  std::string unit_in_words() const { return is_temperature ? " K" : ""; }  ///< after a number
  /// Prefix of its columns for patches, sources and storage: heat, or its name.
  std::string prefix() const { return is_temperature ? "heat" : name; }
  std::vector<QuantityInfo> quantities() const;
  NodalBoundary given_value(const Coefficient<real>& value) const;
  /// `kind`: value at an inlet, inflow at patches where fluid may enter.
  NodalBoundary entering_value(const Coefficient<real>& value, BoundaryKind kind) const;
  NodalBoundary given_flux(const Coefficient<real>& flux) const;  ///< inwards [unit m/s]
  /// `transfer`: [m/s].
  NodalBoundary exchange(const Coefficient<real>& transfer, const Coefficient<real>& ambient) const;
  /// The condition on a patch in words; empty if none is prescribed.
  std::string condition_on(const std::string& patch) const;
  /// `flow`: the flow's conditions, for the directions at its inlets; `zones`: its zones. Collective; throws as
  /// cells_of_zone().
  ScalarProblem problem(const LocalMesh& mesh, FlowBoundaries flow, const std::vector<FlowZone>& zones) const;
  /// The problem in the solids alone, insulated.
  HeatProblem problem_in_solids(const std::vector<std::string>& regions, const std::vector<std::string>& patches) const;
  ScalarSetup transformed(const Frame& frame) const;
};

}  // namespace solenoid
