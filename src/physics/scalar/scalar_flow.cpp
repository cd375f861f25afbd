#include "physics/scalar/scalar_flow.hpp"

#include <algorithm>
#include <cstdlib>

#include "base/error.hpp"
#include "base/user_text.hpp"
#include "mesh/submesh.hpp"
#include "physics/flow/zones/zone_findings.hpp"

namespace solenoid {

namespace {

FlowSetup with_walls(FlowSetup flow, const std::vector<std::string>& solids) {
  for (const std::string& solid : solids) flow.boundary.try_emplace(solid, Wall{});
  return flow;
}

bool is_one_of(const std::string& name, const std::vector<std::string>& names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

}  // namespace

ScalarFlow::ScalarFlow(const ScalarFlowSetup& setup, const LocalMesh& mesh, MeshPart wide)
    : flow_(with_walls(setup.flow, setup.solids())), pairs_(mesh) {
  const std::vector<std::string> solids = setup.solids();
  if (!solids.empty()) fluid_.emplace(mesh, part_with_fewer_layers(wide, flow_.layers(wide.dimension)), solids);
  FluidPart* const fluid = fluid_ ? &*fluid_ : nullptr;
  auto moving = std::make_unique<FlowModel>(flow_, fluid ? fluid->mesh() : mesh, std::move(wide));
  FlowModel& carrying = *moving;
  carrier_.emplace(pairs_, carrying.flow(), fluid);
  add(std::move(moving));
  for (const ScalarSetup& scalar : setup.scalars) {
    if (fluid && !scalar.is_temperature && !pairs_in_fluid_) {
      pairs_in_fluid_.emplace(fluid->mesh());
      carrier_in_fluid_.emplace(*pairs_in_fluid_, carrying.flow(), nullptr, "carrier_in_fluid");
    }
    auto carried = fluid && !scalar.is_temperature
                       ? std::make_unique<ScalarModel>(scalar, flow_, *pairs_in_fluid_, *carrier_in_fluid_)
                       : std::make_unique<ScalarModel>(scalar, flow_, pairs_, *carrier_, fluid);
    if (Buoyancy* const buoyancy = carried->buoyancy()) carrying.set_buoyancy(*buoyancy);
    if (scalar.is_temperature && flow_.settings.of_temperature) carrying.set_temperature(carried->in_fluid());
    scalars_.push_back(carried.get());
    add(std::move(carried));
  }
}

std::vector<Quantity> ScalarFlow::quantities() {
  if (!fluid_) return CoupledModel::quantities();
  std::vector<Quantity> all;
  for (std::size_t k = 0; k < parts().size(); ++k) {
    const bool is_temperature = k == 1;  // the part after the flow; only a temperature has solids
    std::vector<Quantity> of_part = parts()[k]->quantities();
    if (!is_temperature) of_part = fluid_->spread(std::move(of_part));
    for (Quantity& quantity : of_part) all.push_back(std::move(quantity));
  }
  return all;
}

void ScalarFlow::visit_state(StateVisitor& visitor) {
  CoupledModel::visit_state(visitor);
  carrier_->visit_state(visitor);
  if (carrier_in_fluid_) carrier_in_fluid_->visit_state(visitor);
}

void ScalarFlow::state_restored() {
  CoupledModel::state_restored();
  carrier_->state_restored();
  if (carrier_in_fluid_) carrier_in_fluid_->state_restored();
  for (ScalarModel* const scalar : scalars_) {
    if (scalar->time() != time()) scalar->begin_at(time());  // absent from the state
  }
}

std::vector<std::string> ScalarFlowSetup::solids() const {
  std::vector<std::string> names;
  for (const ScalarSetup& scalar : scalars) {
    for (const SolidRegion& solid : scalar.solids) names.push_back(solid.name);
  }
  return names;
}

std::string ScalarFlowSetup::condition_on(const std::string& patch) const {
  std::string text = flow.condition_on(patch);
  for (const ScalarSetup& scalar : scalars) {
    const std::string condition = scalar.condition_on(patch);
    if (!condition.empty()) text += "; " + condition;
  }
  return text;
}

std::vector<ZoneReport> ScalarFlowSetup::zones(const GlobalMesh& mesh) const {
  if (solids().empty()) return flow.zones(mesh);
  return flow.zones(without_regions(file, mesh, solids()).mesh);
}

std::vector<QuantityInfo> ScalarFlowSetup::quantities() const {
  std::vector<QuantityInfo> all = flow.quantities();
  for (const ScalarSetup& scalar : scalars) {
    for (QuantityInfo& info : scalar.quantities()) all.push_back(std::move(info));
  }
  return all;
}

std::vector<std::string> ScalarFlowSetup::faults(const GlobalMesh& mesh, const Domain& domain) const {
  std::vector<std::string> faults = flow.faults(mesh, domain);
  for (const ScalarSetup& scalar : scalars) {
    if (mesh.dimension == 3 || !scalar.buoyancy || scalar.buoyancy->gravity.z == 0) continue;
    faults.push_back(message("{}: `gravity` in [temperature] has a z-component, {} m/s^2: a 2D flow has none", file,
                             scalar.buoyancy->gravity.z));
  }
  for (std::string& fault : faults_of_solids(mesh)) {
    if (std::find(faults.begin(), faults.end(), fault) == faults.end()) faults.push_back(std::move(fault));
  }
  return faults;
}

/// Patches and pairs with a flux must touch fluid.
std::vector<std::string> ScalarFlowSetup::faults_of_solids(const GlobalMesh& mesh) const {
  std::vector<std::string> faults;
  const std::vector<std::string> names = solids();
  if (names.empty()) return faults;
  for (const std::string& name : names) {
    if (is_one_of(name, mesh.regions)) continue;
    const auto near = nearest_name(name, mesh.regions);
    faults.push_back(message("{}: [region.{}]: the mesh has no volume group of this name{}; {}", file, name,
                             near ? " (did you mean `" + *near + "`?)" : "",
                             mesh.regions.empty() ? "it has none" : "its groups: " + name_list(mesh.regions)));
  }
  if (flow.random) {
    faults.push_back(
        message("{}: `spectrum` in [initial]: beside solids, [region.{}], the flow has walls: it takes a "
                "periodic box without any",
                file, names.front()));
  }
  if (!faults.empty()) return faults;
  faults = zone_faults(flow.settings.zones, names, mesh, file);
  const std::vector<char> is_solid = cells_in(mesh, names);
  std::vector<char> is_wet(mesh.patches.size(), 0), is_dry(is_wet), pair_is_wet(mesh.pairs.size(), 0);
  for (int f = 0; f < mesh.faces(); ++f) {
    const int pair = mesh.face_pair.empty() ? 0 : std::abs(mesh.face_pair[f]);
    const std::span<const int> cells = mesh.face_cells_of(f);
    if (is_solid[cells[0]] && mesh.face_patch[f] >= 0) is_dry[mesh.face_patch[f]] = 1;
    if (is_solid[cells[0]]) continue;
    if (mesh.face_patch[f] >= 0) is_wet[mesh.face_patch[f]] = 1;
    if (pair > 0 && !is_solid[cells[1]]) pair_is_wet[pair - 1] = 1;
  }
  for (std::size_t p = 0; p < mesh.patches.size(); ++p) {
    const auto condition = flow.boundary.find(mesh.patches[p]);
    const InletRate* const rate = condition == flow.boundary.end() ? nullptr : given_rate(condition->second);
    if (is_wet[p] && is_dry[p] && rate && rate->shape == ProfileShape::formula) {
      faults.push_back(
          message("{}: [boundary.{}]: this group bounds solids too, over which its `profile` would spread "
                  "the flow rate: make the inlet a group of its own",
                  file, mesh.patches[p]));
    }
    if (is_wet[p] || condition == flow.boundary.end() || std::holds_alternative<Wall>(condition->second)) continue;
    faults.push_back(
        message("{}: [boundary.{}]: this group bounds solids alone: nothing flows there; give it type = "
                "\"wall\"",
                file, mesh.patches[p]));
  }
  for (std::size_t k = 0; k < pair_is_wet.size(); ++k) {
    if (pair_is_wet[k]) continue;
    faults.push_back(
        message("{}: [[periodic]]: only solids touch the groups \"{}\" and \"{}\", at least one cell of "
                "fluid on each is needed",
                file, mesh.pairs[k].first, mesh.pairs[k].second));
  }
  return faults;
}

std::vector<std::string> ScalarFlowSetup::warnings() const {
  std::vector<std::string> warnings = flow.warnings();
  if (scalars.empty() || !scalars.front().buoyancy) return warnings;
  const ScalarSetup& temperature = scalars.front();
  std::vector<std::optional<real>> given{temperature.first_values().constant()};
  for (const auto& [patch, condition] : temperature.boundary) {
    for (const NodalBoundary::Function& function : condition.functions) {
      if (function.unit == temperature.unit()) given.push_back(function.value.constant());
    }
  }
  const bool are_constants =
      std::all_of(given.begin(), given.end(), [](const auto& value) { return value.has_value(); });
  if (!are_constants) return warnings;
  const auto [lowest, highest] = std::minmax_element(given.begin(), given.end());
  const real reference = temperature.buoyancy->reference;
  if (reference >= **lowest && reference <= **highest) return warnings;
  warnings.push_back(
      message("`reference` in [temperature], {:.6g} K, is outside all given temperatures, {:.6g} to {:.6g} K: the mean "
              "temperature then drives the flow wherever it can leave; are Celsius and kelvins mixed?",
              reference, **lowest, **highest));
  return warnings;
}

std::optional<StepForecast> ScalarFlowSetup::forecast(const GlobalMesh& mesh) const {
  if (solids().empty()) return flow.forecast(mesh);
  const RemainingMesh fluid = without_regions(file, mesh, solids());
  std::optional<StepForecast> forecast = with_walls(flow, solids()).forecast(fluid.mesh);
  if (forecast) forecast->cell = fluid.cells[forecast->cell];
  return forecast;
}

std::unique_ptr<Model> ScalarFlowSetup::model(const LocalMesh& mesh, std::optional<MeshPart> wide) const {
  return std::make_unique<ScalarFlow>(*this, mesh, std::move(*wide));
}

/// `initial` remains, for scalars that the restored state lacks; those of an earlier run get a stand-in until then, the
/// temperature one that the viscosity is known at.
void ScalarFlowSetup::forget_beginning() {
  flow.forget_beginning();
  for (ScalarSetup& scalar : scalars) {
    if (scalar.start) scalar.start = ScalarStart{nullptr, scalar.is_temperature ? flow.settings.temperature : 0};
  }
}

std::unique_ptr<ModelSetup> ScalarFlowSetup::transformed(const Frame& frame, int dimension) const {
  auto other = std::make_unique<ScalarFlowSetup>();
  const std::unique_ptr<ModelSetup> seen = flow.transformed(frame, dimension);
  other->flow = static_cast<const FlowSetup&>(*seen);
  other->file = file;
  other->time = other->flow.time;
  for (const ScalarSetup& scalar : scalars) other->scalars.push_back(scalar.transformed(frame));
  return other;
}

}  // namespace solenoid
