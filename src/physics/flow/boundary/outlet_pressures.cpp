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

std::string fault_of_given_fluxes(const std::vector<std::string>& patches, const FlowBoundaries& boundaries) {
  constexpr real round_off = 1e-12;
  std::string outlets;
  real shares = 0;
  bool takes_rest = false;
  for (std::size_t p = 0; p < patches.size(); ++p) {
    const Outlet* const outlet = boundaries.outlet(static_cast<int>(p));
    if (!outlet) continue;
    const auto* const given = std::get_if<OutletShare>(&outlet->behind);
    shares += given ? given->share : 0;
    takes_rest = takes_rest || !outlet->has_given_flux();
    outlets += (outlets.empty() ? "`" : ", `") + patches[p] + "`";
  }
  if (!(shares <= 1 + round_off)) return message("`share` of outlets: {:.6g} in all, expected at most 1", shares);
  if (takes_rest || outlets.empty()) return "";
  return message(
      "each outlet ({}) has a `flow_rate` or `share`: leave one outlet without, it takes the rest and tells the "
      "pressure",
      outlets);
}

OutletPressures::OutletPressures(const LocalMesh& mesh, const FlowBoundaries& boundaries)
    : mesh_(mesh),
      boundaries_(boundaries),
      patches_(outlets_with_condition(mesh, boundaries)),
      faces_(FluxSurfaces::of_patches(mesh, patches_)),
      given_(patches_.size(), 0),
      now_(patches_.size(), 0),
      now_by_patch_(mesh.part().patches.size()),
      shown_by_patch_(mesh.part().patches.size()) {
  const std::string fault = fault_of_given_fluxes(mesh.part().patches, boundaries);
  require_on_all_ranks(
      fault.empty(), [&] { return fault; }, ExitCode::bad_input);
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
  }
  return largest;
}

real OutletPressures::largest_stored() const {
  real largest = 0;
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    largest = std::max({largest, std::abs(stored_[k]), std::abs(stored_older_[k])});
  }
  return largest;
}

real OutletPressures::largest_dynamic_pressure(const std::vector<real>& fluxes) const {
  real largest = 0;
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    const real speed = fluxes[k] / areas_[k];
    largest = std::max(largest, speed * speed);
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
    if (!behind(k)) continue;
    real resistance = behind(k)->proximal, pressure = 0;  // p = resistance Q + pressure
    if (vessels(k)) {
      const auto [flux_by_pressure, past] = storage(k, scheme, dt);
      resistance += 1 / flux_by_pressure;
      pressure = -past / flux_by_pressure;
    }
    conditions[k] = OutletCondition{-pressure / resistance, 1 / resistance};
  }
  return conditions;
}

/// C (now p_c' + before p_c + earlier p_c_older) / dt = Q - p_c' / distal.
OutletPressures::Storage OutletPressures::storage(std::size_t k, const TimeCoefficients& scheme, real dt) const {
  const real by_step = vessels(k)->capacitance / dt;
  return {scheme.now * by_step + 1 / vessels(k)->distal,
          by_step * (scheme.before * stored_[k] + scheme.earlier * stored_older_[k])};
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
    if (behind(k)) now_[k] = behind(k)->proximal * fluxes[k] + stored_[k];
  }
  older_ = begun_ = now_;
  stored_older_ = stored_;
  if (!empty()) set_now();
}

/// The vessels store the fluxes themselves, so that no volume is lost to a solver's tolerance.
void OutletPressures::advance(const TimeCoefficients& scheme, real dt, std::vector<real> pressures,
                              const std::vector<real>& fluxes, bool keeps_older) {
  std::vector<real> stored = stored_;
  for (std::size_t k = 0; k < patches_.size(); ++k) {
    if (!vessels(k)) continue;
    const auto [flux_by_pressure, past] = storage(k, scheme, dt);
    stored[k] = (fluxes[k] - past) / flux_by_pressure;
  }
  begun_ = now_;
  if (!keeps_older) {
    older_ = now_;
    stored_older_ = stored_;
  }
  stored_ = std::move(stored);
  now_ = std::move(pressures);
  if (!empty()) set_now();
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
    visitor.number("older_outlet_pressure" + name, older_[k]);
    if (!vessels(k)) continue;
    visitor.number("stored_pressure" + name, stored_[k]);
    visitor.number("older_stored_pressure" + name, stored_older_[k]);
  }
  begun_ = now_;
  if (!empty()) set_now();
}

}  // namespace solenoid
