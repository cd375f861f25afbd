/// Friction of a rebuilt velocity by the symmetric stress of a viscosity by cell, in the plane and in space: exact for
/// linear velocities, nothing of a rotation, symmetric, never driving, and of a smooth field near what is right.
#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <numbers>
#include <random>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/momentum/rebuilt_momentum.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

using std::numbers::pi;
constexpr auto symmetric = RebuiltMomentum::Stress::symmetric;

struct MeshOfDimension {
  NamedMesh named;
  int dimension;
  FlowProblem problem() const { return {Comm(), named.mesh, partition_cells, dimension == 2 ? 2 : 1}; }
};

std::vector<MeshOfDimension> all_kinds(int in_plane, int in_space) {
  std::vector<MeshOfDimension> all;
  for (NamedMesh& kind : kinds_of_meshes(2, in_plane)) all.push_back({std::move(kind), 2});
  for (NamedMesh& kind : kinds_of_meshes(3, in_space)) all.push_back({std::move(kind), 3});
  return all;
}

FlowBoundaries moving_like(const std::function<Vec3(const Vec3&)>& u) {
  return FlowBoundaries(Inlet{Coefficient<Vec3>::of_place(u)});
}

/// exp(1.5 x) with x of a normal distribution, by the cells' ids.
Field<Cell> scattered_viscosity(const LocalMesh& mesh) {
  std::vector<real> values;
  for (int c = 0; c < mesh.owned<Cell>(); ++c) {
    std::mt19937 random(31 + 7919 * static_cast<unsigned>(mesh.numbering<Cell>().global_id[c]));
    values.push_back(std::exp(1.5 * std::normal_distribution<real>()(random)));
  }
  return {mesh, values};
}

Field<Face> flux_in(int dimension, const LocalMesh& mesh, const std::function<real(const Vec3&)>& potential,
                    const std::function<Vec3(const Vec3&)>& u) {
  return dimension == 2 ? flux_of(mesh, potential) : flux_of_velocity(mesh, u);
}

real largest_within(const LocalMesh& mesh, const Field<Edge>& values) {
  std::vector<real> all = values.to_host();
  for (const BoundaryFace& b : mesh.boundary()) {
    for (const int e : edges_of_face(mesh.part(), b.face)) {
      if (e < mesh.owned<Edge>()) all[e] = 0;
    }
  }
  real largest = 0;
  for (const real value : all) largest = std::max(largest, std::abs(value));
  return mesh.comm().max(largest);
}

TEST(SymmetricStress, TakesNothingOfALinearVelocityNorOfARotationOfAnyViscosity) {
  for (const auto& of : all_kinds(6, 4)) {
    const FlowProblem problem = of.problem();
    const LocalMesh& mesh = *problem.mesh;
    const bool is_planar = of.dimension == 2;
    const auto linear = [&](const Vec3& x) {
      if (is_planar) return Vec3{0.3 + 0.4 * x.x - 0.7 * x.y, -0.1 + x.x - 0.4 * x.y, 0};
      return Vec3{0.3 + 0.4 * x.x - 0.7 * x.y + 0.2 * x.z, -0.1 + x.x + 0.5 * x.y - 0.3 * x.z,
                  0.6 * x.x - x.y - 0.9 * x.z};
    };
    const auto turning = [&](const Vec3& x) {
      return cross(is_planar ? Vec3{0, 0, 0.7} : Vec3{0.3, -0.5, 0.7}, x) + Vec3{0.2, 0.1, 0};
    };
    for (const bool turns : {false, true}) {
      const auto u = [&](const Vec3& x) { return turns ? turning(x) : linear(x); };
      const auto potential = [&](const Vec3& x) {
        if (turns) return -0.35 * (x.x * x.x + x.y * x.y) + 0.2 * x.y - 0.1 * x.x;
        return 0.3 * x.y + 0.4 * x.x * x.y - 0.35 * x.y * x.y + 0.1 * x.x - 0.5 * x.x * x.x;
      };
      const FlowBoundaries walls = moving_like(u);
      RebuiltMomentum momentum(mesh, problem.wide, walls, symmetric);
      momentum.set(sample_velocity(walls, places_on_boundary(mesh), 0));
      if (turns) {
        Field<Cell> nu = scattered_viscosity(mesh);
        momentum.set_viscosity(halo(nu));
      }
      Field<Face> flux = flux_in(of.dimension, mesh, potential, u), along(mesh), rest(mesh);
      momentum.compute(halo(flux), {.viscosity = 1, .at_rest = true}, rest);
      momentum.compute(halo(flux), {.viscosity = 1, .dissipates = true}, along);
      Field<Edge> around(mesh);
      around = mesh.R * halo(along);
      EXPECT_LE(largest_within(mesh, around), 1e-12 * max_magnitude(rest)) << of.named.name;
      if (!turns) continue;
      EXPECT_LE(max_magnitude(along), 1e-12 * max_magnitude(rest)) << of.named.name;
      EXPECT_LE(std::abs(momentum.dissipation()), 1e-12 * dot(rest, flux)) << of.named.name;
      Field<Cell> rates(mesh);
      momentum.compute_squared_shear_rates(halo(flux), rates);
      EXPECT_LE(max_magnitude(rates), 1e-20) << of.named.name;
    }
  }
}

TEST(SymmetricStress, IsSymmetricAndTakesEnergyOfAnyViscosity) {
  for (const auto& of : all_kinds(5, 3)) {
    const FlowProblem problem = of.problem();
    const LocalMesh& mesh = *problem.mesh;
    RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(Wall{Vec3{}}), symmetric);
    Field<Cell> nu = scattered_viscosity(mesh);
    momentum.set_viscosity(halo(nu));
    Field<Face> a(mesh), b(mesh), u(mesh), w(mesh);
    for (int k = 0; k < 10; ++k) {
      Field<Edge> s = scattered_field<Edge>(mesh), t(mesh);
      t = s * s;
      if (k % 2 == 1) s = t + real{0.1} * k * s, t = s * t;
      u = mesh.C * halo(s);
      w = mesh.C * halo(t);
      momentum.compute(halo(u), {.viscosity = 1, .at_rest = true, .dissipates = true}, a);
      const real dissipation = momentum.dissipation();
      momentum.compute(halo(w), {.viscosity = 1, .at_rest = true}, b);
      const real uu = dot(a, u);
      EXPECT_GT(uu, 0) << of.named.name;
      EXPECT_NEAR(dot(b, u), dot(a, w), 1e-12 * std::sqrt(uu * dot(b, w))) << of.named.name;
      EXPECT_NEAR(dissipation, uu, 1e-12 * uu) << of.named.name;
    }
  }
}

/// The half wave of Taylor and Green's vortex, between planes of symmetry.
TEST(SymmetricStress, TakesTheEnergyOfASmoothVelocityInThePlane) {
  const auto error = [&](const NamedMesh& named) {
    const FlowProblem problem(Comm(), named.mesh, partition_cells, 2);
    const LocalMesh& mesh = *problem.mesh;
    const std::vector<FlowBoundary> planes(mesh.part().patches.size(), Symmetry{});
    RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(planes), symmetric);
    Field<Face> flux = flux_of(mesh, [](const Vec3&x) { return std::sin(pi * x.x) * std::sin(pi * x.y) / pi; }),
                along(mesh);
    momentum.compute(halo(flux), {.viscosity = 1, .at_rest = true}, along);
    return dot(along, flux) / (pi * pi) - 1;
  };
  const std::vector<NamedMesh> coarse = kinds_of_meshes(2, 8), fine = kinds_of_meshes(2, 16);
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    if (coarse[k].depth < 1) continue;  // fluid would cross its far side
    const real at_first = error(coarse[k]), then = error(fine[k]);
    EXPECT_LE(std::abs(then), 0.02) << coarse[k].name;
    EXPECT_LE(std::abs(then), std::abs(at_first) / 2) << coarse[k].name;
  }
}

}  // namespace
}  // namespace solenoid::test
