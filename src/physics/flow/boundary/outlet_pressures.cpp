#include "physics/flow/boundary/outlet_pressures.hpp"

#include <algorithm>
#include <cmath>

#include "base/error.hpp"
#include "base/partial_sum.hpp"
#include "base/vec3.hpp"

namespace solenoid {

namespace {

std::vector<int> outlets_with_condition(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::vector<int> patches;
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    const Outlet* const outlet = boundaries.outlet(p);
    if (outlet && !outlet->has_own_pressure()) patches.push_back(p);
  }
  return patches;
}

/// Refuses given fluxes through all outlets.
void require_an_outlet_for_the_rest(const LocalMesh& mesh, const FlowBoundaries& boundaries) {
  std::string outlets;
  for (int p = 0; p < static_cast<int>(mesh.part().patches.size()); ++p) {
    const Outlet* const outlet = boundaries.outlet(p);
    if (!outlet) continue;
    if (!outlet->has_given_flux()) return;
    outlets += (outlets.empty() ? "`" : ", `") + mesh.part().patches[p] + "`";
  }
  require_on_all_ranks(
      outlets.empty(),
      [&] {
        return message(
            "each outlet ({}) has a `flow_rate` or `share`: leave one outlet without, it takes the rest and tells the "
            "pressure",
            outlets);
      },
      ExitCode::bad_input);
}

/// Net flux into the domain. Collective.
real entering(const LocalMesh& mesh, const std::vector<real>& fluxes) {
  PartialSum inward;
  for (std::size_t i = 0; i < fluxes.size(); ++i) {
    const BoundaryFace& b = mesh.boundary()[static_cast<int>(i)];
    if (b.is_owned) inward += -static_cast<real>(b.orientation) * fluxes[i];
  }
  return total(mesh.comm(), inward);
}

}  // namespace

OutletPressures::OutletPressures(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh),
      boundaries_(boundaries),
      patches_(outlets_with_condition(mesh, boundaries)),
      faces_(FluxSurfaces::of_patches(mesh, patches_)),
      given_(patches_.size(), 0),
      now_(patches_.size(), 0),
      now_by_patch_(mesh.part().patches.size()),
      shown_by_patch_(mesh.part().patches.size()) {
  require_an_outlet_for_the_rest(mesh, boundaries);
  for (std::size_t k = 0; k < patches_.size(); ++k) stored_.push_back(vessels(k) ? vessels(k)->initial : 0);
  older_ = begun_ = now_;
  stored_older_ = stored_;
  set_now();
  std::vector<PartialSum> parts(patches_.size());
  for (const BoundaryFace& b : mesh.boundary()) {
    const auto found = std::find(patches_.begin(), patches_.end(), b.patch);
    if (b.is_owned && found != patches_.end()) parts[found - patches_.begin()] += norm(b.outward_area);
  }
  areas_ = totals(mesh.comm(), parts);
}

bool OutletPressures::has_given_fluxes() const {
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (outlet(k).has_given_flux()) return true;
  }
  return false;
}

void OutletPressures::sample(real time, const std::vector<real>& fluxes) {
  if (!has_given_fluxes()) return;
  const real enters = entering(mesh_, fluxes);
  mesh_.comm().guard([&] {
    for (std::size_t k = 0; k < patches_.size(); ++k) {
      if (const auto* const given = std::get_if<OutletRate>(&outlet(k).behind))
        given_[k] = given->rate.at(Vec3{}, time);
      if (const auto* const given = std::get_if<OutletShare>(&outlet(k).behind)) given_[k] = given->share * enters;
    }
  });
}

std::vector<std::optional<real>> OutletPressures::given_fluxes() const {
  std::vector<std::optional<real>> fluxes(patches_.size());
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (outlet(k).has_given_flux()) fluxes[k] = given_[k];
  }
  return fluxes;
}

real OutletPressures::largest_speed() const {
  real largest = 0;
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (outlet(k).has_given_flux()) largest = std::max(largest, std::abs(given_[k]) / areas_[k]);
    if (vessels(k)) largest = std::max(largest, std::sqrt(2 * std::abs(vessels(k)->initial)));
  }
  return largest;
}

std::vector<real> OutletPressures::expected(real dt, real history_span) const {
  constexpr real most = 2;  // growth of a difference: more is not stable in steps of alternating length
  const real ratio = history_span > 0 ? std::min(dt / history_span, most) : 0;
  std::vector<real> pressures = now_;
  for (std::size_t k = 0; k < pressures.size(); ++k) pressures[k] += ratio * (now_[k] - older_[k]);
  return pressures;
}

std::vector<std::optional<OutletCondition>> OutletPressures::conditions(const TimeCoefficients& scheme, real dt) const {
  std::vector<std::optional<OutletCondition>> conditions = conditions_of_fluxes(false);
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    const Windkessel* const behind = vessels(k);
    if (!behind) continue;
    real resistance = behind->proximal, pressure = 0;  // p = resistance Q + pressure
    if (behind->capacitance > 0) {
      const real past = scheme.before * stored_[k] + scheme.earlier * stored_older_[k];
      const real flux_by_pressure = scheme.now * behind->capacitance / dt + 1 / behind->distal;
      resistance += 1 / flux_by_pressure;
      pressure = -behind->capacitance / dt * past / flux_by_pressure;
    }
    conditions[k] = OutletCondition{-pressure / resistance, 1 / resistance};
  }
  return conditions;
}

std::vector<std::optional<OutletCondition>> OutletPressures::conditions_of_fluxes(bool at_rest) const {
  std::vector<std::optional<OutletCondition>> conditions(patches_.size());
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (outlet(k).has_given_flux()) conditions[k] = OutletCondition{at_rest ? 0 : given_[k], 0};
  }
  return conditions;
}

void OutletPressures::begin(const std::vector<real>& fluxes) {
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (const Windkessel* const behind = vessels(k)) now_[k] = behind->proximal * fluxes[k] + stored_[k];
  }
  older_ = begun_ = now_;
  stored_older_ = stored_;
  if (!empty()) set_now();
}

void OutletPressures::advance(std::vector<real> pressures, const std::vector<real>& fluxes, bool keeps_older) {
  begun_ = now_;
  if (!keeps_older) {
    older_ = now_;
    stored_older_ = stored_;
  }
  now_ = std::move(pressures);
  if (!empty()) set_now();
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (const Windkessel* const behind = vessels(k)) stored_[k] = now_[k] - behind->proximal * fluxes[k];
  }
}

void OutletPressures::set(const std::vector<real>& pressures, DeviceArray<real>& by_patch) const {
  std::vector<real> of_patches(mesh_.part().patches.size(), 0);
  for (std::size_t k = 0; k < patches_.size(); ++k) of_patches[patches_[k]] = pressures[k];
  by_patch.from_host(of_patches);
}

void OutletPressures::set_now() {
  set(now_, now_by_patch_);
  show(now_);
}

void OutletPressures::visit_state(StateVisitor& visitor) {
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    const std::string name = "_" + mesh_.part().patches[patches_[k]];
    visitor.number("outlet_pressure" + name, now_[k]);
    visitor.number("outlet_pressure_older" + name, older_[k]);
    if (!vessels(k)) continue;
    visitor.number("stored_pressure" + name, stored_[k]);
    visitor.number("stored_pressure_older" + name, stored_older_[k]);
  }
  begun_ = now_;
  if (!empty()) set_now();
}

}  // namespace solenoid
