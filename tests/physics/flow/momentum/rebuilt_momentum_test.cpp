/// Friction and convection of a rebuilt velocity on tetrahedra of all kinds: exact for linear velocities, symmetric,
/// never driving, of a smooth field near what is right; and keeping energy.
#include "physics/flow/momentum/rebuilt_momentum.hpp"

#include <gtest/gtest.h>

#include <random>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "operators/p1.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

std::vector<char> is_on_boundary(const LocalMesh& mesh) {
  std::vector<char> marks(mesh.total<Edge>(), 0);
  for (const BoundaryFace& b : mesh.boundary()) {
    for (const int e : edges_of_face(mesh.part(), b.face)) marks[e] = 1;
  }
  return marks;
}

real largest_inside(const LocalMesh& mesh, const Field<Edge>& values) {
  const std::vector<char> boundary = is_on_boundary(mesh);
  const std::vector<real> all = values.to_host();
  real largest = 0;
  for (std::size_t e = 0; e < all.size(); ++e) {
    if (!boundary[e]) largest = std::max(largest, std::abs(all[e]));
  }
  return mesh.comm().max(largest);
}

std::vector<NamedMesh> kinds(int n) {
  std::vector<NamedMesh> all = kinds_of_meshes(3, n);
  all.push_back({"Kuhn, displaced", unit_cube(n, 0.2)});
  return all;
}

TEST(RebuiltMomentum, TakesNothingOfALinearVelocity) {
  const auto u = [](const Vec3& x) {
    return Vec3{0.3 + 0.4 * x.x - 0.7 * x.y + 0.2 * x.z, -0.1 + x.x + 0.5 * x.y - 0.3 * x.z,
                0.6 * x.x - x.y - 0.9 * x.z};
  };
  for (const auto& [name, source, depth] : kinds(4)) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries walls(Inlet{Coefficient<Vec3>::of_place(u)});
    RebuiltMomentum momentum(mesh, problem.wide, walls);
    momentum.set(sample_velocity(walls, places_on_boundary(mesh), 0));
    Field<Face> flux = flux_of_velocity(mesh, u), along(mesh);
    momentum.compute(halo(flux), {.viscosity = 1}, along);
    Field<Edge> around(mesh);
    around = mesh.R * halo(along);
    Field<Face> rest(mesh);
    momentum.compute(halo(flux), {.viscosity = 1, .at_rest = true}, rest);
    EXPECT_LE(largest_inside(mesh, around), 1e-12 * max_magnitude(rest)) << name << " " << max_magnitude(rest);
  }
}

Field<Face> random_flux(const LocalMesh& mesh, unsigned seed) {
  std::vector<real> values;
  for (int e = 0; e < mesh.owned<Edge>(); ++e) {
    std::mt19937 random(seed + 7919 * static_cast<unsigned>(mesh.numbering<Edge>().global_id[e]));
    values.push_back(std::uniform_real_distribution<real>(-1, 1)(random));
  }
  Field<Edge> potential(mesh, values);
  Field<Face> flux(mesh);
  flux = mesh.C * halo(potential);
  return flux;
}

TEST(RebuiltMomentum, IsSymmetricAndTakesEnergy) {
  for (const auto& [name, source, depth] : kinds(3)) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(Wall{Vec3{}}));
    std::vector<real> viscosity;
    for (int c = 0; c < mesh.owned<Cell>(); ++c) {
      std::mt19937 random(31 + 7919 * static_cast<unsigned>(mesh.numbering<Cell>().global_id[c]));
      viscosity.push_back(std::exp(1.5 * std::normal_distribution<real>()(random)));
    }
    Field<Cell> nu(mesh, viscosity);
    for (const bool varies : {false, true}) {
      if (varies) momentum.set_viscosity(halo(nu));
      Field<Face> a(mesh), b(mesh);
      for (unsigned k = 0; k < 20; ++k) {
        Field<Face> u = random_flux(mesh, 2 * k), w = random_flux(mesh, 2 * k + 1);
        momentum.compute(halo(u), {.viscosity = 1, .at_rest = true}, a);
        momentum.compute(halo(w), {.viscosity = 1, .at_rest = true}, b);
        const real uw = dot(b, u), wu = dot(a, w), uu = dot(a, u);
        EXPECT_GT(uu, 0) << name;
        EXPECT_NEAR(uw, wu, 1e-12 * uu) << name;
      }
    }
  }
}

/// The half wave of Taylor and Green's vortex, between planes of symmetry.
TEST(RebuiltMomentum, TakesTheEnergyOfASmoothVelocity_Long) {
  const auto u = [](const Vec3& x) {
    return Vec3{std::sin(pi * x.x) * std::cos(pi * x.y) * std::cos(pi * x.z),
                -std::cos(pi * x.x) * std::sin(pi * x.y) * std::cos(pi * x.z), 0};
  };
  constexpr real exact = 2 * 3 * pi * pi / 8;
  const auto error = [&](const MeshSource& source) {
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(Symmetry{}));
    Field<Face> flux = flux_of_velocity(mesh, u), along(mesh);
    momentum.compute(halo(flux), {.viscosity = 1, .at_rest = true}, along);
    return dot(along, flux) / exact - 1;
  };
  const std::vector<NamedMesh> coarse = kinds(4), fine = kinds(8);
  for (std::size_t k = 0; k < coarse.size(); ++k) {
    if (coarse[k].depth < 1) continue;  // fluid would cross its far side
    const real at_first = error(coarse[k].mesh), then = error(fine[k].mesh);
    const bool has_small_cells = coarse[k].name == "divided";
    EXPECT_LE(then, has_small_cells ? 0.18 : 0.05) << coarse[k].name;
    EXPECT_GT(then, 0) << coarse[k].name;
    EXPECT_LE(then, std::max(real{0.02}, real{0.85} * at_first)) << coarse[k].name;
  }
}

/// What is convected between walls keeps its energy, and a free stream its momentum, to round-off; everywhere.
TEST(RebuiltMomentum, ConvectionKeepsTheEnergyAndAFreeStream_Steps) {
  for (const auto& [name, source, depth] : kinds(3)) {
    const FlowProblem problem(
        Comm(), with_patches(source, [](const Vec3& x) -> std::string { return x.x > 1 - 1e-6 ? "outlet" : "wall"; }));
    const LocalMesh& mesh = *problem.mesh;
    Field<Face> along(mesh);
    {
      RebuiltMomentum momentum(mesh, problem.wide, FlowBoundaries(Wall{Vec3{}}));
      Field<Face> flux(mesh);
      Field<Edge> potential = scattered_field<Edge>(mesh);
      std::vector<real> inside = potential.to_host();
      const std::vector<char> boundary = is_on_boundary(mesh);
      for (std::size_t e = 0; e < inside.size(); ++e) inside[e] = boundary[e] ? 0 : inside[e];
      potential.from_host(inside);
      flux = mesh.C * halo(potential);
      momentum.compute(halo(flux), {.convection = 1}, along);
      EXPECT_LE(std::abs(dot(along, flux)), 1e-12 * norm(along) * norm(flux)) << name;
      momentum.compute(halo(flux), {.convection = 1, .upwind = 1}, along);
      EXPECT_GT(dot(along, flux), 0) << name;
    }
    const Vec3 stream{0.3, -0.5, 0.7};
    const FlowBoundary outlet = Outlet{real{0}}, inlet = Inlet{Coefficient<Vec3>(stream)};
    std::vector<FlowBoundary> of_patch;
    for (const std::string& patch : mesh.part().patches) of_patch.push_back(patch == "outlet" ? outlet : inlet);
    const FlowBoundaries open(of_patch);
    RebuiltMomentum momentum(mesh, problem.wide, open);
    momentum.set(sample_velocity(open, places_on_boundary(mesh), 0));
    Field<Face> flux = constant_flux(mesh, stream);
    momentum.compute(halo(flux), {.viscosity = 1, .convection = 1}, along);
    std::vector<real> left = along.to_host();
    for (const BoundaryFace& b : mesh.boundary()) {
      if (b.is_owned && mesh.part().patches[b.patch] == "wall") left[b.face] = 0;  // what is given there
    }
    real largest = 0;
    for (const real value : left) largest = std::max(largest, std::abs(value));
    const real size = norm(stream) * norm(stream);
    EXPECT_LE(mesh.comm().max(largest), (depth < 1 ? 1e-8 : 1e-11) * size) << name;
  }
}

}  // namespace
}  // namespace solenoid::test
