#include "physics/scalar/scalar_setup.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "physics/flow/flow_setup.hpp"

namespace solenoid {

namespace {

struct ScalarInWords {
  const std::string& name;
  std::string unit;  // after a number
  std::string operator()(const Insulated&) const { return ""; }
  std::string operator()(const GivenTemperature& given) const {
    return message("{} {}{}", name, given.value.text(), unit);
  }
  std::string operator()(const HeatFlux& flux) const {
    return message("{} flux {}{} m/s inwards", name, flux.value.text(), unit);
  }
  std::string operator()(const Convection& convection) const {
    return message("{} m/s to a {} of {}{}", convection.coefficient.text(), name, convection.ambient.text(), unit);
  }
};

ThermalBoundary seen(const ThermalBoundary& condition, const Frame& frame, const std::string& unit) {
  if (const auto* given = std::get_if<GivenTemperature>(&condition)) {
    return GivenTemperature{frame.seen(given->value, unit)};
  }
  if (const auto* flux = std::get_if<HeatFlux>(&condition)) return HeatFlux{frame.seen(flux->value, unit + " m/s")};
  if (const auto* convection = std::get_if<Convection>(&condition)) {
    return Convection{frame.seen(convection->coefficient, "m/s"), frame.seen(convection->ambient, unit)};
  }
  return condition;
}

}  // namespace

std::vector<QuantityInfo> ScalarSetup::quantities() const {
  const std::string flux = name + "_flux", unit_of_flux = unit() + " m/s";
  return {{.field = name, .name = name, .unit = unit(), .at = ValuesAt::nodes, .columns = {name}, .on_patches = true},
          {.field = flux,
           .name = flux,
           .unit = unit_of_flux,
           .at = ValuesAt::cells,
           .components = 3,
           .columns = {flux + "_x", flux + "_y", flux + "_z"}},
          {.field = flux, .name = flux + "_in", .unit = unit_of_flux, .at = ValuesAt::boundary_faces}};
}

std::string ScalarSetup::condition_on(const std::string& patch, const FlowSetup& flow) const {
  const std::string its_unit = is_temperature ? " K" : "";
  if (const auto entering = inflow.find(patch); entering != inflow.end()) {
    return message("{} {}{} comes in", name, entering->second.text(), its_unit);
  }
  const auto found = boundary.find(patch);
  if (found == boundary.end()) return "";
  const std::string text = std::visit(ScalarInWords{name, its_unit}, found->second);
  return flow.is_inlet(patch) ? text + " comes in" : text;
}

SolidRegion SolidRegion::transformed(const Frame& frame) const {
  return {name, conductivity * frame.factor("m^2/s"), heat_capacity, frame.seen(source, "K/s")};
}

namespace {

/// Conduction with insulated patches; the coefficients apply to the fluid.
HeatProblem conduction(const Coefficient<real>& conductivity, const Coefficient<real>& heat_capacity,
                       const Coefficient<real>& source, const std::vector<SolidRegion>& solids,
                       const std::vector<std::string>& regions, std::size_t patches) {
  MaterialProperty conductivities{"", conductivity, {}}, capacities{"", heat_capacity, {}}, sources{"", source, {}};
  for (const std::string& region : solids.empty() ? std::vector<std::string>() : regions) {
    for (MaterialProperty* const property : {&conductivities, &capacities, &sources}) {
      property->of_region[region] = property->everywhere;
    }
  }
  for (const SolidRegion& solid : solids) {
    conductivities.of_region[solid.name] = Coefficient<real>(solid.conductivity);
    capacities.of_region[solid.name] = Coefficient<real>(solid.heat_capacity);
    sources.of_region[solid.name] = solid.source;
  }
  return {.conductivity = {conductivities, regions},
          .heat_capacity = OnRegions(capacities, regions),
          .source = {sources, regions},
          .boundary = std::vector<ThermalBoundary>(patches, Insulated{})};
}

}  // namespace

HeatProblem ScalarSetup::problem_in_solids(const std::vector<std::string>& regions,
                                           const std::vector<std::string>& patches) const {
  return conduction(Coefficient<real>(0), Coefficient<real>(0), Coefficient<real>(0), solids, regions, patches.size());
}

ScalarProblem ScalarSetup::problem(const std::vector<std::string>& regions, const std::vector<std::string>& patches,
                                   const FlowSetup& flow) const {
  ScalarProblem problem{conduction(Coefficient<real>(diffusivity), Coefficient<real>(1), source, solids, regions, 0),
                        {},
                        flow.boundaries(patches)};
  for (const std::string& region : solids.empty() ? std::vector<std::string>() : regions) {
    const auto is_it = [&](const SolidRegion& solid) { return solid.name == region; };
    problem.is_solid.push_back(std::any_of(solids.begin(), solids.end(), is_it));
  }
  for (const std::string& patch : patches) {
    const auto condition = boundary.find(patch);
    problem.diffusion.boundary.push_back(condition == boundary.end() ? Insulated{} : condition->second);
    const auto entering = inflow.find(patch);
    problem.inflow.push_back(entering == inflow.end() ? std::nullopt : std::optional(entering->second));
  }
  return problem;
}

ScalarSetup ScalarSetup::transformed(const Frame& frame) const {
  ScalarSetup other = *this;
  other.diffusivity *= frame.factor("m^2/s");
  other.source = frame.seen(source, unit() + "/s");
  for (SolidRegion& solid : other.solids) solid = solid.transformed(frame);
  for (auto& [patch, condition] : other.boundary) condition = seen(condition, frame, unit());
  for (auto& [patch, value] : other.inflow) value = frame.seen(value, unit());
  other.initial = frame.seen(initial, unit());
  if (other.buoyancy) {
    other.buoyancy->gravity = frame.factor("m/s^2") * frame.turned(buoyancy->gravity);
  }
  if (other.nusselt) other.nusselt->length *= frame.factor("m");
  return other;
}

}  // namespace solenoid
