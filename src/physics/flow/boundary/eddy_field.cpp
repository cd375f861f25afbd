#include "physics/flow/boundary/eddy_field.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "parallel/host_threads.hpp"
#include "solve/multigrid/scatter.hpp"

namespace solenoid {

namespace {

constexpr int power_of_shape = 4;                    // of the eddies' shape
constexpr real length_of_shape = real{2431} / 4480;  // integral length of its field by R
constexpr real largest_size = 2.2;                   // by l: larger ones have .15 % of the energy
constexpr real ratio_of_sizes = 1.6;
constexpr real fading_by_size = 1.5;

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

const real length_by_size = std::sqrt(std::numbers::pi_v<real>);  // integral length of eddies of one size

/// The largest size that the periods carry: correlated with its image by exp(-4).
real largest_of(const EddyAxes& axes) {
  real largest = std::numeric_limits<real>::infinity();
  for (const real period : axes.period) {
    if (period > 0) largest = std::min(largest, period / 4);
  }
  return largest;
}

/// The limits of the sizes [m] of a field with von Karman's l.
std::array<real, 2> limits_of(real l, real smallest, real largest) {
  return {smallest, std::max(std::min(largest_size * l, largest), smallest)};
}

/// The integral length of a field with von Karman's l.
real length_of_field(real l, real smallest, real largest) {
  const auto [least, most] = limits_of(l, smallest, largest);
  if (least == most) return length_by_size * least;
  return length_by_size * l * energy_of_sizes(least / l, most / l)[1];
}

constexpr real beyond = 1e3;  // by the largest size or the length: an l without influence

/// The l with this integral length; it grows with l.
real l_of_field(real length, real smallest, real largest) {
  real low = smallest / largest_size, high = beyond * length;
  for (int k = 0; k < 60; ++k) {
    const real middle = std::sqrt(low * high);
    (length_of_field(middle, smallest, largest) < length ? low : high) = middle;
  }
  return high;
}

}  // namespace

real EddyField::longest(const EddyAxes& axes, real smallest) {
  const real largest = largest_of(axes);
  return std::isinf(largest) ? largest : length_of_field(beyond * largest, smallest, largest);
}

EddyField::EddyField(const EddyAxes& axes, real length, real smallest, std::int64_t seed) : axes_(axes) {
  const real size = length / length_by_size;
  std::vector<std::array<real, 2>> sizes{{1, size}};  // energies and sizes
  if (size > smallest) {
    const real l = l_of_field(length, smallest, largest_of(axes));
    const std::array<real, 2> limits = limits_of(l, smallest, largest_of(axes));
    const real least = limits[0], most = limits[1];
    const real range = std::log(most / least), all = energy_of_sizes(least / l, most / l)[0];
    const int count = std::max(1, static_cast<int>(std::ceil(range / std::log(ratio_of_sizes) - real{1e-6})));
    sizes.clear();
    for (int k = 0; k < count; ++k) {
      const auto limit = [&](int i) { return least / l * std::exp(range * static_cast<real>(i) / count); };
      const auto [energy, mean] = energy_of_sizes(limit(k), limit(k + 1));
      sizes.push_back({energy / all, mean * l});
    }
  }
  std::uint64_t state = scattered_number(seed);
  for (const auto& [energy, of_kind] : sizes) {
    state = scattered_number(static_cast<std::int64_t>(state));
    Kind kind{static_cast<std::int64_t>(state),
              length_by_size * of_kind / length_of_shape,
              0,
              fading_by_size * of_kind,
              {},
              {}};
    const real side = 2 * of_kind;
    for (std::size_t i = 0; i < 3; ++i) {
      const bool repeats = i < 2 && axes.period[i] > 0;
      const real boxes = repeats ? std::max(std::floor(axes.period[i] / side), real{1}) : 0;
      kind.box[i] = repeats ? axes.period[i] / boxes : side;
      if (i < 2) kind.repeats[i] = static_cast<std::int64_t>(boxes);
    }
    const real volume = kind.box[0] * kind.box[1] * kind.box[2];  // a component: (2/3) |a|^2 / 3 of the shape's energy
    kind.strength = std::sqrt(real{4.5} * energy * volume / (energy_of_shape() * kind.radius));
    kinds_.push_back(kind);
  }
}

EddyField::Eddy EddyField::eddy(const Kind& kind, const std::array<std::int64_t, 3>& box) const {
  auto state = static_cast<std::uint64_t>(kind.key);
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

  /// `x`, `away`: in the axes.
  void add_to(Value& value, const Vec3& x, real from_rim, const Vec3& away) const {
    if (from_rim <= 0) return;
    const real square = kind_.radius * kind_.radius;
    const auto begin = [&](real at, std::size_t i) { return floored((at - kind_.radius) / kind_.box[i]) - first_[i]; };
    const auto end = [&](real at, std::size_t i) {
      return floored((at + kind_.radius) / kind_.box[i]) + 1 - first_[i];
    };
    Value sum;
    for (std::int64_t i = begin(x.x, 0); i < end(x.x, 0); ++i) {
      const auto row = static_cast<std::size_t>(i * count_[1]);
      const std::size_t from = offset_[row + static_cast<std::size_t>(begin(x.y, 1))],
                        to = offset_[row + static_cast<std::size_t>(end(x.y, 1))];
      for (std::size_t e = from; e < to; ++e) {
        const Vec3 arm = x - eddies_[e].at;
        const real left = 1 - dot(arm, arm) / square;
        if (left <= 0) continue;
        const real cube = left * left * left;
        sum.potential += cube * left * eddies_[e].a;
        sum.velocity -= 2 * power_of_shape * cube / square * cross(arm, eddies_[e].a);
      }
    }
    const real share = std::min(from_rim / kind_.fading, real{1}), faded = share * share * (3 - 2 * share),
               slope = 6 * share * (1 - share) / kind_.fading;
    value.potential += faded * sum.potential;
    value.velocity += faded * sum.velocity + slope * cross(away, sum.potential);
  }

 private:
  const Kind& kind_;
  std::array<std::int64_t, 2> first_, count_;
  std::vector<std::size_t> offset_;
  std::vector<Eddy> eddies_;
};

std::vector<EddyField::Value> EddyField::at(std::span<const Place> places, real drift) const {
  std::vector<Value> values(places.size());
  if (places.empty()) return values;
  const auto in_axes = [&axis = axes_.axis](const Vec3& v) {
    return Vec3{dot(v, axis[0]), dot(v, axis[1]), dot(v, axis[2])};
  };
  std::vector<Vec3> there;
  Box around;
  for (const Place& place : places) {
    there.push_back(in_axes(place.at) - Vec3{0, 0, drift});
    around.include(there.back());
  }
  std::vector<Passing> passing;
  for (const Kind& kind : kinds_) passing.emplace_back(*this, kind, around);
  over_host_threads(static_cast<int>(places.size()), 64, [&](int begin, int end) {
    for (int i = begin; i < end; ++i) {
      Value sum;
      const Vec3 away = in_axes(places[i].away);
      for (const Passing& of_kind : passing) of_kind.add_to(sum, there[i], places[i].from_rim, away);
      values[i] = {from_axes(sum.potential), from_axes(sum.velocity)};
    }
  });
  return values;
}

}  // namespace solenoid
