#include "physics/scalar/scalar_setup.hpp"

#include <algorithm>

#include "base/error.hpp"
#include "physics/flow/flow_setup.hpp"
#include "physics/flow/zones/zone_cells.hpp"
#include "physics/nodal/nodal_diffusion.hpp"

namespace solenoid {

std::vector<QuantityInfo> ScalarSetup::quantities() const {
  return diffusion_quantities(name, unit(), name + "_flux", unit() + " m/s");
}

NodalBoundary ScalarSetup::given_value(const Coefficient<real>& value) const {
  return {BoundaryKind::value, name + " {}" + unit_in_words(), {{name, unit(), value}}};
}

NodalBoundary ScalarSetup::entering_value(const Coefficient<real>& value, BoundaryKind kind) const {
  return {kind, name + " {}" + unit_in_words() + " comes in", {{name, unit(), value}}};
}

NodalBoundary ScalarSetup::given_flux(const Coefficient<real>& flux) const {
  return {BoundaryKind::flux,
          name + " flux {}" + unit_in_words() + " m/s inwards",
          {{name + "_flux", unit() + " m/s", flux}}};
}

NodalBoundary ScalarSetup::exchange(const Coefficient<real>& transfer, const Coefficient<real>& ambient) const {
  return {BoundaryKind::exchange,
          "{} m/s to a " + name + " of {}" + unit_in_words(),
          {{name + "_transfer", "m/s", transfer}, {name + "_ambient", unit(), ambient}}};
}

std::string ScalarSetup::condition_on(const std::string& patch) const {
  const auto found = boundary.find(patch);
  return found == boundary.end() ? "" : found->second.in_words();
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
          .boundary = std::vector<NodalBoundary>(patches)};
}

}  // namespace

HeatProblem ScalarSetup::problem_in_solids(const std::vector<std::string>& regions,
                                           const std::vector<std::string>& patches) const {
  return conduction(Coefficient<real>(0), Coefficient<real>(0), Coefficient<real>(0), solids, regions, patches.size());
}

namespace {

/// By volume, of a source in a whole zone.
Coefficient<real> spread_over(real volume, const Coefficient<real>& source) {
  return {[=](std::span<const Vec3> points, real time, std::span<real> values) {
            source.evaluate(points, time, values);
            for (real& value : values) value /= volume;
          },
          source.depends()};
}

}  // namespace

ScalarProblem ScalarSetup::problem(const LocalMesh& mesh, FlowBoundaries flow,
                                   const std::vector<FlowZone>& zones) const {
  const std::vector<std::string>&regions = mesh.part().regions, &patches = mesh.part().patches;
  ScalarProblem problem{conduction(Coefficient<real>(diffusivity), Coefficient<real>(1), source, solids, regions, 0),
                        {},
                        std::move(flow)};
  for (const std::string& region : solids.empty() ? std::vector<std::string>() : regions) {
    const auto is_it = [&](const SolidRegion& solid) { return solid.name == region; };
    problem.is_solid.push_back(std::any_of(solids.begin(), solids.end(), is_it));
  }
  for (const std::string& patch : patches) {
    const auto found = boundary.find(patch);
    const NodalBoundary condition = found == boundary.end() ? NodalBoundary{} : found->second;
    const bool is_inflow = condition.kind == BoundaryKind::inflow;
    problem.diffusion.boundary.push_back(is_inflow ? NodalBoundary{} : condition);
    problem.inflow.push_back(is_inflow ? std::optional(condition.f()) : std::nullopt);
  }
  std::vector<std::string> solid_names;
  for (const SolidRegion& solid : solids) solid_names.push_back(solid.name);
  for (const FlowZone& zone : zones) {
    if (!zone.heat) continue;
    const ZoneHeat& heat = *zone.heat;
    CellsOfZone cells = cells_of_zone(zone, mesh, solid_names);
    const auto of_scalar = heat.sources.find(name);
    const Coefficient<real> supply = is_temperature                    ? heat.heat
                                     : of_scalar == heat.sources.end() ? Coefficient<real>(0)
                                                                       : of_scalar->second;
    problem.diffusion.of_cells.push_back({std::move(cells.marks), is_temperature ? heat.conductivity : std::nullopt,
                                          is_temperature ? heat.capacity() : heat.porosity,
                                          spread_over(cells.volume, supply)});
  }
  return problem;
}

ScalarSetup ScalarSetup::transformed(const Frame& frame) const {
  ScalarSetup other = *this;
  other.diffusivity *= frame.factor("m^2/s");
  other.source = frame.seen(source, unit() + "/s");
  for (SolidRegion& solid : other.solids) {
    solid.conductivity *= frame.factor("m^2/s");
    solid.source = frame.seen(solid.source, "K/s");
  }
  for (auto& [patch, condition] : other.boundary) condition = condition.transformed(frame);
  other.initial = frame.seen(initial, unit());
  if (start) other.start->values = frame.seen(start->values, unit());
  if (other.buoyancy) {
    other.buoyancy->gravity = frame.factor("m/s^2") * frame.turned(buoyancy->gravity);
  }
  if (other.nusselt) other.nusselt->length *= frame.factor("m");
  return other;
}

}  // namespace solenoid
