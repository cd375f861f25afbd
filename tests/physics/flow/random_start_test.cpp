/// A random flow in a periodic box: its spectrum, its divergence, and the same one on any number of ranks.
#include "physics/flow/random_start.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <complex>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/interpolation.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

MeshSource periodic_box(int n) {
  const auto side = [](const Vec3& x) -> std::string {
    constexpr real near = 1e-9;
    if (x.x < near || x.x > 1 - near) return x.x < near ? "left" : "right";
    if (x.y < near || x.y > 1 - near) return x.y < near ? "bottom" : "top";
    return x.z < near ? "back" : "front";
  };
  MeshSource source = with_patches(unit_cube(n), side);
  source.pairs = {{"left", "right"}, {"bottom", "top"}, {"back", "front"}};
  return source;
}

/// Energy up to three waves in a side, falling.
RandomStart few_waves(int seed) {
  return {Coefficient<real>::of_place([](const Vec3& k) {
            const real waves = k.x / (2 * pi);
            return waves < 3.4 ? 1 / waves : real{0};
          }),
          seed};
}

TEST(RandomStart, HasTheSpectrumAndNoDivergence) {
  const auto mesh = make_mesh(Comm(), periodic_box(12));
  Field<Face> flux = random_flux(few_waves(1), *mesh);
  Field<Cell> divergence(*mesh);
  divergence = mesh->D * halo(flux);
  EXPECT_LE(max_magnitude(divergence), 1e-14 * max_magnitude(flux));
  Field<Cell, Vec3> velocity(*mesh);
  interpolate(halo(flux), velocity);
  const std::vector<Vec3> u = velocity.to_host();
  std::vector<real> energy(6, 0);
  for (int l = -5; l <= 5; ++l) {
    for (int m = -5; m <= 5; ++m) {
      for (int n = -5; n <= 5; ++n) {
        const Vec3 k{2 * pi * l, 2 * pi * m, 2 * pi * n};
        const auto shell = static_cast<std::size_t>(std::sqrt(real(l * l + m * m + n * n)) + 0.5);
        if (shell == 0 || shell > 5) continue;
        std::vector<real> sums(6, 0);
        for (std::size_t c = 0; c < u.size(); ++c) {
          const real V = mesh->geometry().cell_volume[c], phase = dot(k, mesh->geometry().cell_centre[c]);
          for (std::size_t i = 0; i < 3; ++i) {
            const real component = i == 0 ? u[c].x : i == 1 ? u[c].y : u[c].z;
            sums[2 * i] += V * component * std::cos(phase), sums[2 * i + 1] += V * component * std::sin(phase);
          }
        }
        mesh->comm().sum(std::span<real>(sums));
        for (const real sum : sums) energy[shell] += sum * sum / 2;
      }
    }
  }
  for (std::size_t shell = 1; shell <= 3; ++shell) {
    const real expected = 2 * pi / static_cast<real>(shell);
    const real of_cells = 0.02 * static_cast<real>(1 + shell * shell);  // whose velocities are of first order
    EXPECT_NEAR(energy[shell], expected, of_cells * expected) << shell;
  }
  EXPECT_LE(energy[4] + energy[5], 0.05);
}

TEST(RandomStart, FollowsFromTheSeedOnAnyNumberOfRanks) {
  const auto shared = make_mesh(Comm(), periodic_box(6)), own = make_mesh(alone(), periodic_box(6));
  const std::vector<real> here = gather(random_flux(few_waves(1), *shared)),
                          on_one = gather(random_flux(few_waves(1), *own)),
                          other = gather(random_flux(few_waves(2), *own));
  expect_equal(here, on_one, "fluxes", 1e-13);
  EXPECT_GT(distance(other, on_one), 0.5);
}

}  // namespace
}  // namespace solenoid::test
