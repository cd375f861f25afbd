#include "physics/flow/boundary/eddy_field.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "parallel/host_threads.hpp"
#include "solve/multigrid/scatter.hpp"

namespace solenoid {

namespace {

constexpr int power_of_shape = 4;                    // of the eddies' shape
constexpr real length_of_shape = real{2431} / 4480;  // integral length of its field by R
constexpr real largest_size = 2.2;                   // by l: larger ones have .15 % of the energy
constexpr real ratio_of_sizes = 1.6;

/// The share of the energy of sizes from l r0 to l r1, and their mean size by l: in y = r^(2/3) the energy is 3 /
/// Gamma(1/3) exp(-y^3) dy. By Simpson's rule.
std::array<real, 2> energy_of_sizes(real r0, real r1) {
  constexpr int pieces = 64;
  const real begin = std::cbrt(r0 * r0), step = (std::cbrt(r1 * r1) - begin) / pieces;
  real energy = 0, moment = 0;
  for (int i = 0; i <= pieces; ++i) {
    const real y = begin + static_cast<real>(i) * step;
    const real weight = i == 0 || i == pieces ? 1 : i % 2 == 0 ? 2 : 4;
    const real here = weight * std::exp(-y * y * y);
    energy += here;
    moment += here * y * std::sqrt(y);
  }
  return {3 / std::tgamma(real{1} / 3) * step / 3 * energy, moment / energy};
}

/// The integral of |grad (1 - r^2 / R^2)^power|^2 over space, by R.
real energy_of_shape() {
  constexpr real p = power_of_shape;
  return 8 * std::numbers::pi_v<real> * p * p * std::tgamma(real{2.5}) * std::tgamma(2 * p - 1) /
         std::tgamma(2 * p + real{1.5});
}

real uniform(std::uint64_t& state) {
  state = scattered_number(static_cast<std::int64_t>(state));
  return static_cast<real>(std::ldexp(static_cast<double>(state), -62));
}

std::int64_t floored(real x) { return static_cast<std::int64_t>(std::floor(x)); }

}  // namespace

EddyField::EddyField(const EddyAxes& axes, real length, real smallest, std::int64_t seed) : axes_(axes) {
  const real l = length * std::tgamma(real{1} / 3) / (std::sqrt(std::numbers::pi_v<real>) * std::tgamma(real{5} / 6));
  const real least = std::min(smallest / l, largest_size / ratio_of_sizes);
  const int count = static_cast<int>(std::ceil(std::log(largest_size / least) / std::log(ratio_of_sizes) - real{1e-6}));
  const real all = energy_of_sizes(least, largest_size)[0];
  for (int k = 0; k < count; ++k) {
    const auto limit = [&](int i) { return least * std::pow(largest_size / least, static_cast<real>(i) / count); };
    const auto [energy, size] = energy_of_sizes(limit(k), limit(k + 1));
    Kind kind{seed + k, std::sqrt(std::numbers::pi_v<real>) * size * l / length_of_shape, 0, {}, {}};
    const real side = 2 * size * l;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool repeats = i < 2 && axes.period[i] > 0;
      const real boxes = repeats ? std::max(std::floor(axes.period[i] / side), real{1}) : 0;
      kind.box[i] = repeats ? axes.period[i] / boxes : side;
      if (i < 2) kind.repeats[i] = static_cast<std::int64_t>(boxes);
    }
    const real volume = kind.box[0] * kind.box[1] * kind.box[2];  // a component: (2/3) |a|^2 / 3 of the shape's energy
    kind.strength = std::sqrt(real{4.5} * energy / all * volume / (energy_of_shape() * kind.radius));
    kinds_.push_back(kind);
  }
}

EddyField::Eddy EddyField::eddy(const Kind& kind, const std::array<std::int64_t, 3>& box) const {
  std::uint64_t state = scattered_number(kind.key);
  std::array<real, 3> at;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::int64_t period = i < 2 ? kind.repeats[i] : 0;
    const std::int64_t number = period > 0 ? (box[i] % period + period) % period : box[i];
    state = scattered_number(static_cast<std::int64_t>(state) + number);
  }
  for (std::size_t i = 0; i < 3; ++i) at[i] = (static_cast<real>(box[i]) + uniform(state)) * kind.box[i];
  const real up = 2 * uniform(state) - 1, angle = 2 * std::numbers::pi_v<real> * uniform(state),
             across = std::sqrt(1 - up * up);
  return {{at[0], at[1], at[2]}, kind.strength * Vec3{across * std::cos(angle), across * std::sin(angle), up}};
}

/// The eddies of a kind that points may be in, by their boxes along the first two axes.
class EddyField::Passing {
 public:
  /// `around`: the points, in the axes.
  Passing(const EddyField& field, const Kind& kind, const Box& around) : kind_(kind) {
    const Vec3 &low = around.low, &high = around.high;
    const auto begin = [&](real x, std::size_t i) { return floored((x - kind.radius) / kind.box[i]); };
    const auto end = [&](real x, std::size_t i) { return floored((x + kind.radius) / kind.box[i]) + 1; };
    first_ = {begin(low.x, 0), begin(low.y, 1)};
    count_ = {end(high.x, 0) - first_[0], end(high.y, 1) - first_[1]};
    offset_.push_back(0);
    for (std::int64_t i = 0; i < count_[0]; ++i) {
      for (std::int64_t j = 0; j < count_[1]; ++j) {
        for (std::int64_t m = begin(low.z, 2); m < end(high.z, 2); ++m) {
          const Eddy there = field.eddy(kind, {first_[0] + i, first_[1] + j, m});
          if (there.at.z > low.z - kind.radius && there.at.z < high.z + kind.radius) eddies_.push_back(there);
        }
        offset_.push_back(eddies_.size());
      }
    }
  }

  void add_to(Value& value, const Vec3& x) const {
    const real square = kind_.radius * kind_.radius;
    const auto begin = [&](real at, std::size_t i) { return floored((at - kind_.radius) / kind_.box[i]) - first_[i]; };
    const auto end = [&](real at, std::size_t i) {
      return floored((at + kind_.radius) / kind_.box[i]) + 1 - first_[i];
    };
    for (std::int64_t i = begin(x.x, 0); i < end(x.x, 0); ++i) {
      const auto row = static_cast<std::size_t>(i * count_[1]);
      const std::size_t from = offset_[row + static_cast<std::size_t>(begin(x.y, 1))],
                        to = offset_[row + static_cast<std::size_t>(end(x.y, 1))];
      for (std::size_t e = from; e < to; ++e) {
        const Vec3 away = x - eddies_[e].at;
        const real left = 1 - dot(away, away) / square;
        if (left <= 0) continue;
        const real cube = left * left * left;
        value.potential += cube * left * eddies_[e].a;
        value.velocity -= 2 * power_of_shape * cube / square * cross(away, eddies_[e].a);
      }
    }
  }

 private:
  const Kind& kind_;
  std::array<std::int64_t, 2> first_, count_;
  std::vector<std::size_t> offset_;
  std::vector<Eddy> eddies_;
};

std::vector<EddyField::Value> EddyField::at(std::span<const Vec3> points, real drift) const {
  std::vector<Value> values(points.size());
  if (points.empty()) return values;
  const auto& [first, second, third] = axes_.axis;
  std::vector<Vec3> there;
  Box around;
  for (const Vec3& point : points) {
    const Vec3 x = point - axes_.origin;
    there.push_back({dot(x, first), dot(x, second), dot(x, third) - drift});
    around.include(there.back());
  }
  std::vector<Passing> passing;
  for (const Kind& kind : kinds_) passing.emplace_back(*this, kind, around);
  over_host_threads(static_cast<int>(points.size()), 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Value sum;
      for (const Passing& of_kind : passing) of_kind.add_to(sum, there[i]);
      values[i] = {from_axes(sum.potential), from_axes(sum.velocity)};
    }
  });
  return values;
}

}  // namespace solenoid
