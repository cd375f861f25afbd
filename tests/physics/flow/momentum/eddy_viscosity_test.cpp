/// Models of unresolved eddies: zero where their papers say so, and their stress, which never drives.
#include "physics/flow/momentum/eddy_viscosity.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <vector>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using Kind = EddyViscosity::Kind;
constexpr Kind models_of_eddies[] = {Kind::smagorinsky, Kind::wale, Kind::vreman, Kind::sigma};

struct VelocityGradient {
  Vec3 columns[3];
};

real rate_by(Kind kind, const VelocityGradient& g) { return EddyViscosity{kind, 1}.rate(g.columns); }

/// Table I of Nicoud et al. (2011), and shear.
TEST(EddyViscosity, IsZeroWhereThePapersSaySo) {
  const VelocityGradient shear{{{0, 0, 0}, {1, 0, 0}, {0, 0, 0}}}, rotation{{{0, 1, 0}, {-1, 0, 0}, {0, 0, 0}}},
      in_plane{{{0.3, 0.8, 0}, {-0.5, -0.3, 0}, {0, 0, 0}}}, stretching{{{2, 0, 0}, {0, -1, 0}, {0, 0, -1}}}, nothing{};
  struct Row {
    Kind kind;
    real shear, rotation, stretching;
  };
  for (const Row& row : {Row{Kind::smagorinsky, 1, 0, std::sqrt(real{12})}, Row{Kind::wale, 0, 0.9036, 0.1506},
                         Row{Kind::vreman, 0, std::sqrt(real{0.5}), std::sqrt(real{1.5})}, Row{Kind::sigma, 0, 0, 0}}) {
    const int kind = static_cast<int>(row.kind);
    EXPECT_NEAR(rate_by(row.kind, shear), row.shear, 1e-12) << kind;
    EXPECT_NEAR(rate_by(row.kind, rotation), row.rotation, 1e-4) << kind;
    EXPECT_NEAR(rate_by(row.kind, stretching), row.stretching, 1e-4) << kind;
    EXPECT_EQ(rate_by(row.kind, nothing), 0) << kind;
  }
  EXPECT_EQ(rate_by(Kind::sigma, in_plane), 0);
  EXPECT_GT(rate_by(Kind::vreman, in_plane), 0.1);
}

/// By a rotation of the axes and in other units, however small or large; sigma is that of the singular values.
TEST(EddyViscosity, IsTheSameInAnyFrame) {
  const VelocityGradient g{{{0.7, -0.2, 1.1}, {0.4, -1.3, 0.5}, {-0.9, 0.3, 0.6}}};
  const Vec3 axes[] = {{0.6, 0.64, 0.48}, {0.8, -0.48, -0.36}, {0, 0.6, -0.8}};
  VelocityGradient turned;
  for (int k = 0; k < 3; ++k) {
    const Vec3 along = times(g.columns, axes[k]);  // change along the axis, in the old components
    turned.columns[k] = {dot(along, axes[0]), dot(along, axes[1]), dot(along, axes[2])};
  }
  for (const Kind kind : models_of_eddies) {
    const real rate = rate_by(kind, g);
    EXPECT_GT(rate, 0);
    EXPECT_NEAR(rate_by(kind, turned), rate, 1e-12 * rate) << static_cast<int>(kind);
    for (const real unit : {1e-90, 1e90}) {
      VelocityGradient other = g;
      for (Vec3& column : other.columns) column = unit * column;
      EXPECT_NEAR(rate_by(kind, other), unit * rate, 1e-12 * unit * rate) << static_cast<int>(kind);
    }
  }
  const VelocityGradient diagonal{{{0, 3, 0}, {0, 0, 0.5}, {2, 0, 0}}};  // a permutation of 3, 2, 1/2
  EXPECT_NEAR(rate_by(Kind::sigma, diagonal), 0.5 * 1 * 1.5 / 9, 1e-14);
}

/// Of singular values that nearly agree, or vanish, in any axes the error of sigma's rate is that of round-off.
TEST(EddyViscosity, OfNearlyEqualSingularValuesIsExact) {
  const Vec3 axes[] = {{0.6, 0.64, 0.48}, {0.8, -0.48, -0.36}, {0, 0.6, -0.8}},
             others[] = {{2.0 / 3, 1.0 / 3, 2.0 / 3}, {-2.0 / 3, 2.0 / 3, 1.0 / 3}, {-1.0 / 3, -2.0 / 3, 2.0 / 3}};
  std::vector<std::array<real, 3>> all{{1, 0, 0}, {1, 1, 0}, {1, 0.5, 0}, {1, 1, 1}, {1, 1e-5, 1e-9}};
  for (const real gap : {1e-2, 1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    all.insert(all.end(), {{1, 1 - gap, 0.5}, {1, 0.5, 0.5 - gap / 2}, {1, 1 - gap, 1 - 3 * gap}, {1, gap, gap / 3}});
  }
  for (const auto& s : all) {
    VelocityGradient g{};
    for (int i = 0; i < 3; ++i) {
      g.columns[0] += s[i] * others[i].x * axes[i];
      g.columns[1] += s[i] * others[i].y * axes[i];
      g.columns[2] += s[i] * others[i].z * axes[i];
    }
    const real expected = s[2] * (s[0] - s[1]) * (s[1] - s[2]) / (s[0] * s[0]);
    constexpr real round_off = 10 * std::numeric_limits<real>::epsilon();
    EXPECT_NEAR(rate_by(Kind::sigma, g), expected, round_off + 1e-7 * expected) << s[0] << " " << s[1] << " " << s[2];
  }
}

/// A gradient that is the same everywhere: the viscosity is the model's, and cells of one size force nothing inside.
TEST(EddyViscosity, OfALinearVelocityIsTheModels) {
  const auto u = [](const Vec3& x) {
    return Vec3{0.3 + 0.4 * x.x - 0.7 * x.y + 0.2 * x.z, -0.1 + x.x + 0.5 * x.y - 0.3 * x.z,
                0.6 * x.x - x.y - 0.9 * x.z};
  };
  const VelocityGradient gradient{{{0.4, 1, 0.6}, {-0.7, 0.5, -1}, {0.2, -0.3, -0.9}}};
  std::vector<NamedMesh> kinds = kinds_of_meshes(3, 4);
  kinds.push_back({"of one size", unit_cube(4)});
  for (const NamedMesh& kind : kinds) {
    const FlowProblem problem(Comm(), kind.mesh);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries walls(Inlet{Coefficient<Vec3>::of_place(u)});
    for (const Kind model : models_of_eddies) {
      const EddyViscosity eddies{model, EddyViscosity::usual_constant(model)};
      RebuiltMomentum momentum(mesh, problem.wide, walls);
      momentum.set_eddies(eddies);
      momentum.set(sample_velocity(walls, places_on_boundary(mesh), 0));
      Field<Face> flux = flux_of_velocity(mesh, u), along(mesh);
      momentum.compute(halo(flux), {.eddies = true}, along);
      const std::vector<real> found = momentum.eddy_viscosity().to_host();
      for (int c = 0; c < mesh.owned<Cell>(); ++c) {
        const real expected = eddies.squared_length(mesh.geometry().cell_volume[c]) * eddies.rate(gradient.columns);
        EXPECT_NEAR(found[c], expected, 1e-9 * expected) << kind.name;
      }
      if (kind.name != "of one size") continue;
      Field<Edge> around(mesh);
      around = mesh.R * halo(along);
      std::vector<real> forced = around.to_host();
      for (const BoundaryFace& b : mesh.boundary()) {
        for (const int e : edges_of_face(mesh.part(), b.face)) {
          if (e < mesh.owned<Edge>()) forced[e] = 0;
        }
      }
      real largest = 0;
      for (const real force : forced) largest = std::max(largest, std::abs(force));
      Field<Face> at_rest(mesh);
      momentum.compute(halo(flux), {.eddies = true, .at_rest = true}, at_rest);
      EXPECT_LE(mesh.comm().max(largest), 1e-12 * max_magnitude(at_rest)) << static_cast<int>(model);
    }
  }
}

/// Nothing of a rotation, whatever its viscosity, and energy of everything else.
TEST(EddyViscosity, TakesEnergyOfAnyFlow) {
  for (const NamedMesh& kind : kinds_of_meshes(3, 3)) {
    const FlowProblem problem(Comm(), kind.mesh);
    const LocalMesh& mesh = *problem.mesh;
    const auto turning = [](const Vec3& x) { return cross(Vec3{0.3, -0.5, 0.7}, x) + Vec3{0.2, 0.1, 0}; };
    const FlowBoundaries turns(Inlet{Coefficient<Vec3>::of_place(turning)}), rests(Wall{Vec3{}});
    for (const Kind model : models_of_eddies) {
      RebuiltMomentum momentum(mesh, problem.wide, rests);
      momentum.set_eddies({model, 1});
      Field<Face> flux(mesh), along(mesh);
      for (int k = 0; k < 5; ++k) {
        Field<Edge> potential = scattered_field<Edge>(mesh);
        if (k % 2 == 1) potential = potential * potential + real{0.1} * k * potential;
        flux = mesh.C * halo(potential);
        momentum.compute(halo(flux), {.eddies = true, .at_rest = true, .dissipates = true}, along);
        const real power = dot(along, flux);
        EXPECT_GT(power, 0) << kind.name;
        EXPECT_NEAR(momentum.dissipation_by_eddies(), power, 1e-12 * power) << kind.name;
      }
      const real of_scattered = max_magnitude(along);
      RebuiltMomentum of_body(mesh, problem.wide, turns);
      of_body.set_eddies({model, 1});
      of_body.set(sample_velocity(turns, places_on_boundary(mesh), 0));
      flux = flux_of_velocity(mesh, turning);
      of_body.compute(halo(flux), {.eddies = true}, along);
      EXPECT_LE(max_magnitude(along), 1e-11 * std::max(of_scattered, real{1})) << kind.name;
    }
  }
}

/// The half wave of Taylor and Green's vortex, with another one across it, between planes of symmetry.
Vec3 of_waves(const Vec3& x, real share) {
  const Vec3 p = pi * x;
  return {std::sin(p.x) * std::cos(p.y) * std::cos(p.z), -(1 + share) * std::cos(p.x) * std::sin(p.y) * std::cos(p.z),
          share * std::cos(p.x) * std::cos(p.y) * std::sin(p.z)};
}

VelocityGradient gradient_of_waves(const Vec3& x, real share) {
  const Vec3 p = pi * x;
  const real sx = std::sin(p.x), cx = std::cos(p.x), sy = std::sin(p.y), cy = std::cos(p.y), sz = std::sin(p.z),
             cz = std::cos(p.z), b = 1 + share, c = share;
  return {{pi * Vec3{cx * cy * cz, b * sx * sy * cz, -c * sx * cy * sz},
           pi * Vec3{-sx * sy * cz, -b * cx * cy * cz, -c * cx * sy * sz},
           pi * Vec3{-sx * cy * sz, b * cx * sy * sz, c * cx * cy * cz}}};
}

/// The power of its stress in another velocity, beside the formula's in every cell, by a rule of fifth degree or so.
TEST(EddyViscosity, StressOfASmoothVelocityConverges_Long) {
  const auto error = [&](const EddyViscosity& model, const MeshSource& source) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(Symmetry{}));
    momentum.set_eddies(model);
    const auto u = [](const Vec3& x) { return of_waves(x, 0.5); };
    const auto other = [](const Vec3& x) { return of_waves(x, -0.3); };
    Field<Face> flux = flux_of_velocity(mesh, u), test = flux_of_velocity(mesh, other), along(mesh);
    momentum.compute(halo(flux), {.eddies = true, .at_rest = true}, along);
    PartialSum exact;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      const real V = mesh.geometry().cell_volume[c];
      const std::span<const int> corners = mesh.part().cell_points_of(c);
      const auto stress_power = [&](const Vec3& x) {
        VelocityGradient g = gradient_of_waves(x, 0.5), h = gradient_of_waves(x, -0.3);
        const real viscosity = model.squared_length(V) * model.rate(g.columns);
        add_transposed(g.columns);
        real sum = 0;
        for (int k = 0; k < 3; ++k) sum += dot(g.columns[k], h.columns[k]);
        return viscosity * sum;
      };
      for (int k = 0; k < 4; ++k) {  // four points near the corners: of second degree
        constexpr real near = 0.5854101966249685, far = 0.1381966011250105;
        Vec3 x;
        for (int i = 0; i < 4; ++i) x += (i == k ? near : far) * mesh.part().points[corners[i]];
        exact += V / 4 * stress_power(x);
      }
    }
    const real expected = total(mesh.comm(), exact);
    return std::abs(dot(along, test) / expected - 1);
  };
  struct Bar {
    Kind kind;
    real fine;
  };
  for (const auto& [kind, fine] :
       {Bar{Kind::smagorinsky, 0.06}, Bar{Kind::wale, 0.12}, Bar{Kind::vreman, 0.06}, Bar{Kind::sigma, 0.12}}) {
    const EddyViscosity model{kind, 1};
    for (const real distortion : {0.0, 0.15}) {
      const real at_first = error(model, unit_cube(6, distortion)), then = error(model, unit_cube(12, distortion));
      EXPECT_LE(then, fine) << static_cast<int>(kind) << " " << distortion << " " << at_first;
      EXPECT_GE(rate(at_first, then, 2), 1.5) << static_cast<int>(kind) << " " << distortion << " " << at_first;
    }
  }
}

}  // namespace
}  // namespace solenoid::test
