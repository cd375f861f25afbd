#include "physics/flow/boundary/flow_boundary.hpp"

namespace solenoid {

const Coefficient<Vec3>* given_velocity(const FlowBoundary& condition) {
  if (const auto* wall = std::get_if<Wall>(&condition)) return &wall->velocity;
  if (const auto* inlet = std::get_if<Inlet>(&condition)) return &inlet->velocity;
  if (const auto* farfield = std::get_if<Farfield>(&condition)) return &farfield->velocity;
  return nullptr;
}

const InletRate* given_rate(const FlowBoundary& condition) {
  const auto* const inlet = std::get_if<Inlet>(&condition);
  return inlet && inlet->rate ? &*inlet->rate : nullptr;
}

const InletTurbulence* entering_turbulence(const FlowBoundary& condition) {
  const auto* const inlet = std::get_if<Inlet>(&condition);
  return inlet && inlet->turbulence ? inlet->turbulence->on_patch.get() : nullptr;
}

RecycledInflow* recycled_inflow(const FlowBoundary& condition) {
  const InletRate* const rate = given_rate(condition);
  return rate ? rate->recycled.get() : nullptr;
}

const OutletRate* given_outlet_rate(const FlowBoundary& condition) {
  const auto* const outlet = std::get_if<Outlet>(&condition);
  return outlet ? std::get_if<OutletRate>(&outlet->behind) : nullptr;
}

const WallLaw* given_wall_law(const FlowBoundary& condition) {
  const auto* const symmetry = std::get_if<Symmetry>(&condition);
  return symmetry && symmetry->law ? &*symmetry->law : nullptr;
}

namespace {

template <class T>
Coefficient<T> multiplied(const Coefficient<T>& given, real factor) {
  return {[given, factor](std::span<const Vec3> points, real time, std::span<T> values) {
            given.evaluate(points, time, values);
            for (T& value : values) value *= factor;
          },
          given.depends(), given.text()};
}

}  // namespace

FlowBoundaries FlowBoundaries::with_scaled_inlets(real factor, const std::vector<char>& enters) const {
  FlowBoundaries scaled = *this;
  scaled.inlet_factor_ = factor;
  if (of_patch_.size() == 1) scaled.of_patch_.resize(enters.size(), of_patch_[0]);
  for (std::size_t p = 0; p < enters.size(); ++p) {
    if (!enters[p]) continue;
    Inlet& inlet = std::get<Inlet>(scaled.of_patch_[p]);
    inlet.velocity = multiplied(inlet.velocity, factor);
    if (inlet.rate) inlet.rate->rate = multiplied(inlet.rate->rate, factor);
  }
  return scaled;
}

const Coefficient<Vec3>* FlowBoundaries::velocity(int patch) const { return given_velocity(on(patch)); }

const InletRate* FlowBoundaries::rate(int patch) const { return given_rate(on(patch)); }

std::vector<real> FlowBoundaries::rates_at(real time, std::size_t patches) const {
  std::vector<real> rates;
  for (std::size_t p = 0; p < patches; ++p) {
    const InletRate* const given = rate(static_cast<int>(p));
    rates.push_back(given ? given->rate.at(Vec3{}, time) : 0);
  }
  return rates;
}

const Coefficient<Vec3>* FlowBoundaries::no_slip_velocity(int patch) const {
  return is_without_vorticity(patch) ? nullptr : velocity(patch);
}

bool FlowBoundaries::velocity_depends_on_time() const {
  return std::any_of(of_pair_.begin(), of_pair_.end(),
                     [](const PairDrive& drive) { return drive.flux && drive.flux->depends_on_time(); }) ||
         std::any_of(of_patch_.begin(), of_patch_.end(), [](const FlowBoundary& condition) {
           const Coefficient<Vec3>* const velocity = given_velocity(condition);
           return (velocity && velocity->depends_on_time()) || entering_turbulence(condition) ||
                  recycled_inflow(condition);
         });
}

bool FlowBoundaries::depends_on_time() const {
  return velocity_depends_on_time() ||
         std::any_of(of_pair_.begin(), of_pair_.end(),
                     [](const PairDrive& drive) { return drive.drop && drive.drop->depends_on_time(); }) ||
         std::any_of(of_patch_.begin(), of_patch_.end(), [](const FlowBoundary& condition) {
           const auto* const outlet = std::get_if<Outlet>(&condition);
           const OutletRate* const given = given_outlet_rate(condition);
           return (outlet && outlet->pressure.depends_on_time()) || (given && given->rate.depends_on_time());
         });
}

}  // namespace solenoid
