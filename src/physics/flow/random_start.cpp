#include "physics/flow/random_start.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>

#include "base/error.hpp"
#include "base/random_numbers.hpp"
#include "field/assign.hpp"
#include "operators/nedelec.hpp"
#include "parallel/host_threads.hpp"

namespace solenoid {

namespace {

constexpr real pi = std::numbers::pi_v<real>;

/// b sin(k x + phase) of the vector potential.
struct Wave {
  Vec3 k, b;
  real phase;
};

/// A unit vector across the direction k, by an angle from two of the axes.
Vec3 across(const Vec3& k, const std::array<Vec3, 3>& axes, real angle) {
  constexpr real steps = 1e6;  // equal ones are, in spite of round-off in the sides of the box
  const auto along = [&](int axis) { return std::round(steps * std::abs(dot(axes[axis], k))); };
  std::array<int, 3> order{0, 1, 2};
  std::stable_sort(order.begin(), order.end(), [&](int i, int j) { return along(i) < along(j); });
  Vec3 first = axes[order[0]], second = axes[order[1]];
  first -= dot(first, k) * k;
  first = first / norm(first);
  second -= dot(second, k) * k + dot(second, first) * first;
  return std::cos(angle) * first + std::sin(angle) / norm(second) * second;
}

std::vector<Wave> waves_in_box(const RandomStart& start, const std::array<Vec3, 3>& periods, real spacing) {
  constexpr std::size_t most = 96;  // of a shell
  constexpr real round_off = 1e-3;
  real longest = 0;
  std::array<Vec3, 3> axes, least;
  std::array<int, 3> counts{};
  const real largest = pi / spacing;
  for (std::size_t i = 0; i < 3; ++i) {
    const real length = norm(periods[i]);
    longest = std::max(longest, length);
    axes[i] = periods[i] / length;
    least[i] = 2 * pi / length * axes[i];
    counts[i] = static_cast<int>(largest / norm(least[i]) + round_off);
  }
  const real width = 2 * pi / longest;
  std::vector<std::vector<Vec3>> shells(static_cast<std::size_t>(largest / width + 1 + round_off));
  for (int l = 0; l <= counts[0]; ++l) {
    for (int m = l > 0 ? -counts[1] : 0; m <= counts[1]; ++m) {
      for (int n = l > 0 || m > 0 ? -counts[2] : 1; n <= counts[2]; ++n) {
        const Vec3 k =
            static_cast<real>(l) * least[0] + static_cast<real>(m) * least[1] + static_cast<real>(n) * least[2];
        const auto shell = static_cast<std::size_t>(norm(k) / width + real{0.5});
        if (shell > 0 && shell < shells.size()) shells[shell].push_back(k);
      }
    }
  }
  std::vector<Wave> waves;
  RandomNumbers random(start.seed);
  for (std::size_t shell = 1; shell < shells.size(); ++shell) {
    std::vector<Vec3>& all = shells[shell];
    const std::size_t count = std::min(all.size(), most);
    const real k_of_shell = static_cast<real>(shell) * width;
    const real energy = start.spectrum.at(Vec3{k_of_shell, 0, 0}, 0);
    require_input(energy >= 0, [&] {
      return message(
          "`spectrum` in [initial] of the case file: \"{}\" is {:.6g} m^3/s^2 at k = {:.6g} 1/m; expected a "
          "value of at least 0",
          start.spectrum.text(), energy, k_of_shell);
    });
    for (std::size_t i = 0; i < count; ++i) {
      std::swap(all[i], all[i + random.below(all.size() - i)]);
      const Vec3& k = all[i];
      const real size = norm(k), angle = 2 * pi * random.next(), phase = 2 * pi * random.next();
      const real speed = 2 * std::sqrt(energy * width / static_cast<real>(count));
      waves.push_back({k, speed / size * cross(k / size, across(k / size, axes, angle)), phase});
    }
  }
  return waves;
}

/// The integral from a to b.
real along_edge(const std::vector<Wave>& waves, const Vec3& a, const Vec3& b) {
  const Vec3 middle = (a + b) / 2, way = b - a;
  real sum = 0;
  for (const Wave& wave : waves) {
    const real half = dot(wave.k, way) / 2;
    const real mean = std::abs(half) > real{1e-8} ? std::sin(half) / half : 1;
    sum += dot(wave.b, way) * mean * std::sin(dot(wave.k, middle) + wave.phase);
  }
  return sum;
}

/// Of the nodes of a uniform mesh.
real spacing_of(real volume, std::int64_t cells) { return std::cbrt(6 * volume / static_cast<real>(cells)); }

}  // namespace

real RandomStart::speed(const GlobalMesh& box) const {
  real volume = 1, longest = 0;
  for (const PeriodicPair& pair : box.pairs) {
    volume *= norm(pair.translation);
    longest = std::max(longest, norm(pair.translation));
  }
  const real width = 2 * pi / longest, largest = pi / spacing_of(volume, box.cells());
  real energy = 0;
  for (real k = width; k < largest; k += width) energy += width * std::max(spectrum.at(Vec3{k, 0, 0}, 0), real{0});
  return std::sqrt(2 * energy);
}

RandomStart RandomStart::seen(const Frame& frame) const {
  const real length = frame.factor("m"), unit = frame.factor("m^3/s^2");
  return {{[of = spectrum, length, unit](std::span<const Vec3> points, real, std::span<real> values) {
             std::vector<Vec3> before;
             for (const Vec3& k : points) before.push_back(length * k);
             of.evaluate(before, 0, values);
             for (real& value : values) value *= unit;
           },
           spectrum.depends(), spectrum.text()},
          seed};
}

bool is_periodic_box(const GlobalMesh& mesh) {
  constexpr real round_off = 1e-6;
  if (mesh.dimension != 3 || mesh.pairs.size() != 3) return false;
  for (std::size_t i = 0; i < 3; ++i) {
    const Vec3 &a = mesh.pairs[i].translation, &b = mesh.pairs[(i + 1) % 3].translation;
    if (std::abs(dot(a, b)) > round_off * norm(a) * norm(b)) return false;
  }
  for (int f = 0; f < mesh.faces(); ++f) {
    if (mesh.face_cells[2 * f + 1] < 0) return false;
  }
  return true;
}

Field<Face> random_flux(const RandomStart& start, const LocalMesh& mesh) {
  const MeshPart& part = mesh.part();
  std::vector<Wave> waves;
  real volume = 1;
  for (const PeriodicPair& pair : part.pairs) volume *= norm(pair.translation);
  mesh.comm().guard([&] {
    waves = waves_in_box(start, {part.pairs[0].translation, part.pairs[1].translation, part.pairs[2].translation},
                         spacing_of(volume, mesh.global_count<Cell>()));
  });
  // An edge lies where the cell of least global number sees it: on either side of a pair that is one wave.
  const std::vector<int> edges = edges_of_cells(part);
  const std::vector<std::int64_t>& numbers = mesh.numbering<Cell>().global_id;
  std::vector<int> place(mesh.owned<Edge>(), -1);
  for (int i = 0; i < static_cast<int>(edges.size()); ++i) {
    if (edges[i] >= mesh.owned<Edge>()) continue;
    int& found = place[edges[i]];
    if (found < 0 || numbers[i / 6] < numbers[found / 6]) found = i;
  }
  std::vector<real> integrals(place.size());
  over_host_threads(mesh.owned<Edge>(), 64, [&](int begin, int end) {
    for (int e = begin; e < end; ++e) {
      const int cell = place[e] / 6, *const ends = edge_ends[place[e] % 6];
      const std::span<const int> nodes = part.cell_nodes_of(cell), points = part.cell_points_of(cell);
      const bool is_along = part.edge_nodes_of(e)[0] == nodes[ends[0]];
      const Vec3 &a = part.points[points[ends[is_along ? 0 : 1]]], &b = part.points[points[ends[is_along ? 1 : 0]]];
      integrals[e] = along_edge(waves, a, b);
    }
  });
  Field<Edge> potential(mesh, integrals);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  return flux;
}

}  // namespace solenoid
