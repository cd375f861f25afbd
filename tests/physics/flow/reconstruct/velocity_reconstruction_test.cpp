/// The quadratic velocity fit: exact for quadratic flows on any mesh and partition, and between the nodes too.
#include "physics/flow/reconstruct/velocity_reconstruction.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>

#include "field/assign.hpp"
#include "model/point_sampler.hpp"
#include "parallel/memory.hpp"
#include "parallel/threads.hpp"
#include "physics/flow/reconstruct/least_squares_solution.hpp"
#include "physics/flow/reconstruct/linear_reconstruction.hpp"
#include "support/flows.hpp"
#include "support/mesh_kinds.hpp"
#include "support/openings.hpp"

namespace solenoid::test {
namespace {

/// psi = a cubic; its velocity is the general quadratic divergence-free one.
real cubic(const Vec3& p) {
  const real x = p.x, y = p.y;
  return 0.3 * x - 0.7 * y + x * x + 2 * x * y - 0.5 * y * y + 0.4 * x * x * x - x * x * y + 0.6 * x * y * y +
         0.2 * y * y * y;
}
Vec3 cubic_velocity(const Vec3& p) {
  const real x = p.x, y = p.y;
  return {-0.7 + 2 * x - y - x * x + 1.2 * x * y + 0.6 * y * y,
          -(0.3 + 2 * x + 2 * y + 1.2 * x * x - 2 * x * y + 0.6 * y * y), 0};
}
real cubic_vorticity(const Vec3& p) { return -(2 + 2.4 * p.x - 2 * p.y - 1 + 1.2 * p.x + 1.2 * p.y); }

const FlowBoundaries cubic_walls(Wall{Coefficient<Vec3>::of_place(cubic_velocity)});

const std::vector<Vec3> some_points{{0, 0, 0},   {0.5, 0.5, 0},   {0.123, 0.876, 0},
                                    {1, 0.3, 0}, {0.99, 0.01, 0}, {1, 1, 0}};

std::vector<NodeVelocity> at(const std::vector<int>& nodes, const std::vector<NodeVelocity>& all) {
  std::vector<NodeVelocity> some;
  for (int n : nodes) some.push_back(all[n]);
  return some;
}

TEST(VelocityReconstruction, IsExactForQuadraticFlows) {
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), unit_square(7, 0.3), p.partition);
    const LocalMesh& mesh = *problem.mesh;
    Field<Edge> s = sampled_field<Edge>(mesh, cubic);
    Field<Face> flux(mesh);
    flux = mesh.C * halo(s);
    VelocityReconstruction fit(mesh, problem.wide, cubic_walls);
    Field<Node, NodeVelocity> nodes(mesh);
    fit.fit(flux, 0, nodes);
    const std::vector<NodeVelocity> found = nodes.all_to_host();
    for (int n = 0; n < mesh.total<Node>(); ++n) {
      const Vec3& x = mesh.part().points[n];
      EXPECT_LE(norm(found[n].value - cubic_velocity(x)), 1e-11) << p.name << " at " << x.x << " " << x.y;
      EXPECT_NEAR(found[n].curl().z, cubic_vorticity(x), 1e-9) << p.name;
      EXPECT_NEAR(found[n].gradient[0].x + found[n].gradient[1].y, 0, 1e-12);
    }

    const PointSampler sampler(mesh, some_points, "test");
    const std::vector<NodeVelocity> around = at(sampler.nodes(), found);
    const std::vector<Vec3> velocity = sampler.velocity(around), vorticity = sampler.vorticity(around);
    for (std::size_t i = 0; i < some_points.size(); ++i) {
      EXPECT_LE(norm(velocity[i] - cubic_velocity(some_points[i])), 1e-10) << p.name << " " << i;
      EXPECT_NEAR(vorticity[i].z, cubic_vorticity(some_points[i]), 1e-9) << p.name << " " << i;
    }
  }
}

TEST(LeastSquares, LeavesCoefficientsOfSmallPivotsAtZero) {
  using Solver = LeastSquaresSolver<3, 3>;
  const Solver::OfCoefficients all{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};
  const std::array<double, 3> coefficients{0.3, -2, 5};
  for (const double third : {0.0, 1.0}) {  // of the last column in a direction of its own
    Solver solver;
    std::vector<double> data;
    for (int i = 0; i < 7; ++i) {
      const double x = i - 2.5;
      const Solver::Row row{{1, x, 2 - 3 * x + third * x * x}};
      solver.add(row, 1 + i % 2);
      data.push_back(0);
      for (std::size_t j = 0; j < 3; ++j) data.back() += coefficients[j] * row.of[j];
    }
    EXPECT_EQ(solver.solve(all, 3, 1e-4), third != 0);
    std::array<double, 3> found{};
    for (std::size_t i = 0; i < data.size(); ++i) {
      for (std::size_t j = 0; j < 3; ++j) found[j] += solver.shares()[i].of[j] * data[i];
    }
    if (third != 0) {
      for (std::size_t j = 0; j < 3; ++j) EXPECT_NEAR(found[j], coefficients[j], 1e-12);
    } else {
      EXPECT_EQ(std::count(found.begin(), found.end(), 0.0), 1);
      EXPECT_NEAR(found[0] + 2 * found[2], coefficients[0] + 2 * coefficients[2], 1e-12);
      EXPECT_NEAR(found[1] - 3 * found[2], coefficients[1] - 3 * coefficients[2], 1e-12);
    }
  }
}

/// Fits are set up in pieces by all threads.
TEST(VelocityReconstruction, HasTheSameBitsOnAnyNumberOfThreads) {
  const int before = thread_count();
  FlowProblem problem(Comm(), unit_cube(7, 0.2));
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries walls(Wall{Coefficient<Vec3>(Vec3{0.3, 0, 0.2})});
  Field<Face> flux = sampled_field<Face>(mesh, [](const Vec3& x) { return std::sin(5 * x.x + 7 * x.y * x.z); });
  std::vector<std::vector<NodeVelocity>> quadratic;
  std::vector<std::vector<Vec3>> linear;
  for (const int threads : {1, 3}) {
    set_thread_count(threads);
    VelocityReconstruction fit(mesh, problem.wide, walls);
    Field<Node, NodeVelocity> nodes(mesh);
    fit.fit(flux, 0, nodes);
    quadratic.push_back(nodes.all_to_host());
    LinearReconstruction simple(mesh, problem.wide, walls);
    Field<Node, Vec3> velocity(mesh);
    simple.compute(halo(flux), velocity);
    linear.push_back(velocity.to_host());
  }
  set_thread_count(before);
  EXPECT_EQ(std::memcmp(quadratic[0].data(), quadratic[1].data(), quadratic[0].size() * sizeof(NodeVelocity)), 0);
  EXPECT_EQ(std::memcmp(linear[0].data(), linear[1].data(), linear[0].size() * sizeof(Vec3)), 0);
}

/// Where memory is short, all systems or some are solved anew for each fit.
TEST(VelocityReconstruction, HasTheSameBitsWithoutItsWeights) {
  for (const MeshSource& source : {unit_square(9, 0.3), unit_cube(5, 0.2)}) {
    FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries walls(Wall{Coefficient<Vec3>(Vec3{0.3, 0.1, 0})});
    const Field<Face> flux = sampled_field<Face>(mesh, [](const Vec3& x) { return std::sin(5 * x.x + 7 * x.y); });
    std::vector<std::vector<NodeVelocity>> found;
    for (const double share : {0.3, 0.0}) {
      VelocityReconstruction fit(mesh, problem.wide, walls);
      fit.prepare(share);
      for (const ArraysOf& arrays : device_arrays()) EXPECT_TRUE(share > 0 || arrays.owner != "fit at nodes");
      Field<Node, NodeVelocity> nodes(mesh);
      fit.fit(flux, 0, nodes);
      found.push_back(nodes.to_host());
    }
    EXPECT_EQ(std::memcmp(found[0].data(), found[1].data(), found[0].size() * sizeof(NodeVelocity)), 0);
  }
}

/// A quadratic velocity in space without divergence, and its vorticity.
Vec3 quadratic_velocity(const Vec3& p) {
  const real x = p.x, y = p.y, z = p.z;
  return {0.3 + 0.5 * x + y + 2 * z + y * y - x * x + y * z, -0.7 + x - 0.5 * y - z + 2 * x * y + x * z - y * y,
          0.2 + y + 3 * x * y + 2 * y * z - x * x};
}
Vec3 quadratic_vorticity(const Vec3& p) {
  const real x = p.x, y = p.y, z = p.z;
  return {1 + 3 * x + 2 * z - (-1 + x), 2 + y - (3 * y - 2 * x), 1 + 2 * y + z - (1 + 2 * y + z)};
}

Field<Face> quadratic_flux(const LocalMesh& mesh) {
  std::vector<real> fluxes;
  for (int f = 0; f < mesh.owned<Face>(); ++f) {
    const std::span<const int> corners = mesh.part().face_points_of(f);
    Vec3 mean;
    for (int k = 0; k < 3; ++k) {
      mean += quadratic_velocity((mesh.part().points[corners[k]] + mesh.part().points[corners[(k + 1) % 3]]) / 2) / 3;
    }
    fluxes.push_back(mesh.geometry().face_area[f] * dot(mean, mesh.geometry().face_normal[f]));
  }
  return {mesh, fluxes};
}

TEST(VelocityReconstruction, IsExactForQuadraticFlowsInSpace) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const bool sticks : {true, false}) {
      FlowProblem problem(Comm(), unit_cube(3, 0.2), p.partition);
      const LocalMesh& mesh = *problem.mesh;
      const Field<Face> flux = quadratic_flux(mesh);
      const auto given = Coefficient<Vec3>::of_place(quadratic_velocity);
      const FlowBoundaries boundaries = sticks ? FlowBoundaries(Inlet{given}) : FlowBoundaries(Outlet{real{0}});
      VelocityReconstruction fit(mesh, problem.wide, boundaries);
      Field<Node, NodeVelocity> nodes(mesh);
      fit.fit(flux, 0, nodes);
      const std::vector<NodeVelocity> found = nodes.all_to_host();
      for (int n = 0; n < mesh.total<Node>(); ++n) {
        const Vec3& x = mesh.part().points[n];
        EXPECT_LE(norm(found[n].value - quadratic_velocity(x)), 1e-10) << p.name << " " << sticks;
        EXPECT_LE(norm(found[n].curl() - quadratic_vorticity(x)), 1e-8) << p.name << " " << sticks;
      }
      const PointSampler sampler(mesh, {{0.3, 0.4, 0.2}, {0.9, 0.1, 0.5}}, "test");
      const std::vector<Vec3> velocity = sampler.velocity(at(sampler.nodes(), found));
      const std::vector<Vec3> of_few = sampler.velocity(NodeFit(fit, sampler.nodes()).fit(flux, 0));
      for (std::size_t i = 0; i < velocity.size(); ++i) {
        EXPECT_LE(norm(velocity[i] - quadratic_velocity(sampler.points()[i])), 1e-10) << p.name;
        EXPECT_LE(norm(velocity[i] - of_few[i]), 1e-12) << p.name;
      }
    }
  }
}

/// As those of a mesh swept along a pipe: at its ends hundreds of faces are nearer than the second layer.
TEST(VelocityReconstruction, IsExactBetweenLongCells) {
  const MeshSource source = moved(five_in_a_cube(6), [](const Vec3& x) { return Vec3{9 * x.x, x.y, x.z}; });
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), source, p.partition);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries boundaries(Outlet{real{0}});
    VelocityReconstruction fit(mesh, problem.wide, boundaries);
    Field<Node, NodeVelocity> nodes(mesh);
    fit.fit(quadratic_flux(mesh), 0, nodes);
    const std::vector<NodeVelocity> found = nodes.to_host();
    for (int n = 0; n < mesh.owned<Node>(); ++n) {
      const Vec3& x = mesh.part().points[n];
      EXPECT_LE(norm(found[n].value - quadratic_velocity(x)), 1e-8) << p.name;
      EXPECT_LE(norm(found[n].curl() - quadratic_vorticity(x)), 1e-6) << p.name;
    }
  }
}

/// The unit cube, or square, as flat cells that lie askew.
MeshSource flat_cells(int dimension) {
  return moved(dimension == 2 ? unit_square(8, 0.2) : unit_cube(6, 0.2), [&](const Vec3& x) {
    const real c = std::cos(real{0.6}), s = std::sin(real{0.6}), y = x.y / 12;
    return Vec3{c * x.x - s * y, s * x.x + c * y, dimension == 2 ? 0 : x.z + real{0.3} * y};
  });
}

/// Along walls and openings.
TEST(VelocityReconstruction, IsExactBetweenFlatCells) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const int dimension : {2, 3}) {
      const auto velocity = dimension == 2 ? cubic_velocity : quadratic_velocity;
      for (const bool sticks : {true, false}) {
        FlowProblem problem(Comm(), flat_cells(dimension), p.partition);
        const LocalMesh& mesh = *problem.mesh;
        const auto given = Coefficient<Vec3>::of_place(velocity);
        const FlowBoundaries boundaries = sticks ? FlowBoundaries(Inlet{given}) : FlowBoundaries(Outlet{real{0}});
        VelocityReconstruction fit(mesh, problem.wide, boundaries);
        Field<Node, NodeVelocity> nodes(mesh);
        fit.fit(dimension == 2 ? flux_of(mesh, cubic) : quadratic_flux(mesh), 0, nodes);
        const std::vector<NodeVelocity> found = nodes.to_host();
        for (int n = 0; n < mesh.owned<Node>(); ++n) {
          const Vec3& x = mesh.part().points[n];
          const Vec3 curl = dimension == 2 ? Vec3{0, 0, cubic_vorticity(x)} : quadratic_vorticity(x);
          EXPECT_LE(norm(found[n].value - velocity(x)), 1e-10) << p.name << dimension << sticks;
          EXPECT_LE(norm(found[n].curl() - curl), 1e-8) << p.name << dimension << sticks;
        }
      }
    }
  }
}

/// Error of the slope at a wall y = 0 of a layer three cells thick, between cells that are as high as `height` of their
/// length.
real error_of_slope(const MeshSource& cells, real height) {
  const real layer = 3 * height / 8;
  const auto name = [](const Vec3& x) { return x.y < 1e-9 ? "wall" : "open"; };
  FlowProblem problem(Comm(), moved(with_patches(cells, name), [&](const Vec3& x) {
                        return Vec3{x.x, height * x.y, x.z};
                      }));
  const LocalMesh& mesh = *problem.mesh;
  const FlowBoundaries boundaries = conditions(mesh, {{"wall", Wall{}}, {"open", Outlet{}}});
  VelocityReconstruction fit(mesh, problem.wide, boundaries);
  Field<Node, NodeVelocity> nodes(mesh);
  const Field<Face> flux = mesh.dimension() == 2
                               ? flux_of(mesh, [&](const Vec3& x) { return x.y + layer * std::exp(-x.y / layer); })
                               : flux_of_velocity(mesh, [&](const Vec3& x) {
                                   return Vec3{1 - std::exp(-x.y / layer), 0, 0};
                                 });
  fit.fit(flux, 0, nodes);
  const std::vector<NodeVelocity> found = nodes.to_host();
  real worst = 0;
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    if (mesh.part().points[n].y > 1e-9) continue;
    worst = std::max(worst, std::abs(layer * found[n].gradient[1].x - 1));
  }
  return mesh.comm().max(worst);
}

TEST(VelocityReconstruction, SeesALayerAsWellBetweenFlatCells) {
  for (const MeshSource& source : {unit_square(8, 0.2), unit_cube(8, 0.2)}) {
    for (const real height : {1 / real{4}, 1 / real{16}, 1 / real{256}}) {
      EXPECT_LE(error_of_slope(source, height), 1.1 * error_of_slope(source, 1)) << source.dimension << " " << height;
    }
  }
}

/// Without divergence, and through neither x = 0 nor y = 0.
Vec3 symmetric_velocity(const Vec3& p) {
  return {std::sin(2 * p.x) * std::cos(2 * p.y) * std::cos(p.z), -std::cos(2 * p.x) * std::sin(2 * p.y) * std::cos(p.z),
          std::cos(2 * p.x) * std::cos(3 * p.y)};
}
Field<Face> symmetric_flux(const LocalMesh& mesh) {
  if (mesh.dimension() == 3) return flux_of_velocity(mesh, symmetric_velocity);
  return flux_of(mesh, [](const Vec3& p) { return std::sin(2 * p.x) * std::sin(2 * p.y) / 2; });
}

/// The fit at these places, which are nodes, from fluxes that `flux` makes on the mesh.
std::vector<NodeVelocity> fit_at(const std::vector<Vec3>& places, const FlowProblem& problem,
                                 const FlowBoundaries& boundaries, Field<Face> flux) {
  const LocalMesh& mesh = *problem.mesh;
  VelocityReconstruction fit(mesh, problem.wide, boundaries);
  Field<Node, NodeVelocity> nodes(mesh);
  fit.fit(flux, 0, nodes);
  const std::vector<NodeVelocity> own = nodes.to_host();
  std::vector<real> numbers;
  for (const Vec3& place : places) {
    NodeVelocity found{};
    for (int n = 0; n < mesh.owned<Node>(); ++n) {
      if (norm(mesh.part().points[n] - place) < 1e-12) found = own[n];
    }
    for (const Vec3& v : {found.value, found.gradient[0], found.gradient[1], found.gradient[2]}) {
      numbers.insert(numbers.end(), {v.x, v.y, v.z});
    }
  }
  mesh.comm().sum(std::span<real>(numbers));
  std::vector<NodeVelocity> result(places.size());
  for (std::size_t k = 0; k < numbers.size(); ++k) set_component(result[k / 12], static_cast<int>(k % 12), numbers[k]);
  return result;
}

std::string side_of_half(const Vec3& x) {
  if (x.x == 0 || x.y == 0) return "planes";
  return x.y > 0.99 || x.y < -0.99 ? "wall" : "open";
}
FlowBoundaries half_boundaries(const LocalMesh& mesh) {
  return conditions(
      mesh,
      {{"planes", Symmetry{}}, {"open", Outlet{}}, {"wall", Inlet{Coefficient<Vec3>::of_place(symmetric_velocity)}}});
}

/// Kuhn's tetrahedra as they are and displaced, and triangles, between two planes of symmetry; and both flattened.
TEST(VelocityReconstruction, HalfADomainIsHalfOfTheWhole) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const MeshSource& source : {unit_square(6, 0.3), unit_cube(3), unit_cube(3, 0.2),
                                     moved(unit_square(6, 0.3),
                                           [](const Vec3& x) {
                                             return Vec3{x.x / 12, x.y, 0};
                                           }),
                                     moved(unit_cube(3, 0.2), [](const Vec3& x) {
                                       return Vec3{x.x / 12, x.y, x.z};
                                     })}) {
      const FlowProblem half(Comm(), with_patches(source, side_of_half), p.partition),
          whole(Comm(), with_patches(mirrored(source), side_of_half), p.partition);
      const std::vector<NodeVelocity> of_half =
          fit_at(source.points, half, half_boundaries(*half.mesh), symmetric_flux(*half.mesh));
      const std::vector<NodeVelocity> of_whole =
          fit_at(source.points, whole, half_boundaries(*whole.mesh), symmetric_flux(*whole.mesh));
      real apart = 0, steeper = 0;
      for (std::size_t k = 0; k < of_half.size(); ++k) {
        apart = std::max(apart, norm(of_half[k].value - of_whole[k].value));
        for (int j = 0; j < 3; ++j) {
          steeper = std::max(steeper, norm(of_half[k].gradient[j] - of_whole[k].gradient[j]));
        }
      }
      EXPECT_LE(apart, 1e-10) << p.name << " " << source.dimension;
      EXPECT_LE(steeper, 1e-9) << p.name << " " << source.dimension;
    }
  }
}

/// Of a flow that no quadratic has, turned with the mesh: the fit turns with them, also between flat cells.
TEST(VelocityReconstruction, TurnsWithTheMesh) {
  const auto turned = [](const Vec3& x) { return Vec3{x.y, x.z, x.x}; };
  const auto back = [](const Vec3& x) { return Vec3{x.z, x.x, x.y}; };
  const auto rough = [](const Vec3& x) {
    return Vec3{std::sin(9 * x.y - 40 * x.z), std::sin(7 * x.z + 8 * x.x), std::cos(9 * x.x + 60 * x.y)};
  };
  for (const bool sticks : {true, false}) {
    const MeshSource source = flat_cells(3);
    const FlowBoundaries boundaries = sticks ? FlowBoundaries(Wall{}) : FlowBoundaries(Outlet{real{0}});
    const FlowProblem here(Comm(), source), there(Comm(), moved(source, turned));
    std::vector<Vec3> places = source.points;
    const std::vector<NodeVelocity> found = fit_at(places, here, boundaries, flux_of_velocity(*here.mesh, rough));
    for (Vec3& x : places) x = turned(x);
    const auto seen = [&](const Vec3& x) { return turned(rough(back(x))); };
    const std::vector<NodeVelocity> other = fit_at(places, there, boundaries, flux_of_velocity(*there.mesh, seen));
    for (std::size_t n = 0; n < found.size(); ++n) {
      EXPECT_LE(norm(other[n].value - turned(found[n].value)), 1e-11) << sticks;
      EXPECT_LE(norm(other[n].curl() - turned(found[n].curl())), 1e-9) << sticks;
    }
  }
}

/// Fluxes that err by the speed 1 make a velocity that errs by little, wherever the node is; between flat cells by as
/// many times more as they are long.
TEST(VelocityReconstruction, ErrsNoMoreThanItsData) {
  for (const real height : {real{1}, 1 / real{12}}) {
    for (const MeshSource& cells : {unit_square(5, 0.35), unit_cube(2), unit_cube(3, 0.3)}) {
      const MeshSource source = moved(cells, [&](const Vec3& x) { return Vec3{x.x, height * x.y, x.z}; });
      const FlowProblem problem(Comm(), with_patches(source, side_of_half));
      const LocalMesh& mesh = *problem.mesh;
      for (const FlowBoundaries& boundaries :
           {half_boundaries(mesh), FlowBoundaries(Outlet{}), FlowBoundaries(Symmetry{})}) {
        real worst = 0;
        VelocityReconstruction fit(mesh, problem.wide, boundaries);
        for (int salt = 0; salt < 6; ++salt) {
          std::vector<real> fluxes = scattered_field<Face>(mesh, salt).to_host();
          for (std::size_t f = 0; f < fluxes.size(); ++f) {
            fluxes[f] = std::copysign(mesh.geometry().face_area[f], fluxes[f]);
          }
          Field<Node, NodeVelocity> nodes(mesh);
          const Field<Face> flux(mesh, fluxes);
          fit.fit(flux, 0, nodes);
          for (const NodeVelocity& node : nodes.to_host()) worst = std::max(worst, norm(node.value));
        }
        EXPECT_LE(mesh.comm().max(worst), 12 / height) << source.dimension;
      }
    }
  }
}

TEST(VelocityReconstruction, AFewNodesGetTheSameBits) {
  for (const NamedPartitioner& p : partitioners()) {
    FlowProblem problem(Comm(), square_with_hole(9), p.partition);
    const LocalMesh& mesh = *problem.mesh;
    const FlowBoundaries walls = cavity_walls(mesh);
    VelocityReconstruction fit(mesh, problem.wide, walls);
    std::vector<int> nodes;
    for (int slot = 0; slot < 3 * mesh.owned<Cell>(); slot += 5) nodes.push_back(mesh.part().cell_nodes[slot]);
    NodeFit some(fit, nodes);
    for (int salt : {0, 1}) {  // twice: nothing is left over from the time before
      Field<Edge> s = scattered_field<Edge>(mesh, salt);
      Field<Face> flux(mesh);
      flux = mesh.C * halo(s);
      Field<Node, NodeVelocity> all(mesh);
      fit.fit(flux, 0, all);
      const std::vector<NodeVelocity> expected = at(nodes, all.all_to_host()), found = some.fit(flux, 0);
      ASSERT_EQ(found.size(), nodes.size());
      for (std::size_t i = 0; i < nodes.size(); ++i) {
        EXPECT_EQ(norm(found[i].value - expected[i].value), 0) << p.name;
        for (int k = 0; k < 3; ++k) EXPECT_EQ(norm(found[i].gradient[k] - expected[i].gradient[k]), 0) << p.name;
      }
    }
  }
}

TEST(VelocityReconstruction, WallNodesTakeTheWallsVelocity) {
  FlowProblem problem(Comm(), unit_square(6));
  const LocalMesh& mesh = *problem.mesh;
  Field<Face> still(mesh);
  const FlowBoundaries walls = cavity_walls(mesh);
  VelocityReconstruction fit(mesh, problem.wide, walls);
  Field<Node, NodeVelocity> nodes(mesh);
  fit.fit(still, 0, nodes);
  const std::vector<NodeVelocity> found = nodes.to_host();
  for (int n = 0; n < mesh.owned<Node>(); ++n) {
    const Vec3& x = mesh.part().points[n];
    if (x.y == 1 && x.x > 0 && x.x < 1) {
      EXPECT_EQ(found[n].value.x, 1);
    }
    if (x.y == 1 && (x.x == 0 || x.x == 1)) {
      EXPECT_EQ(found[n].value.x, 0.5);
    }  // the lid's corner: between lid and wall
    if (x.y == 0) {
      EXPECT_EQ(norm(found[n].value), 0);
    }
  }
}

TEST(PointSampler, IsExactForCellValuesThatAreLinear) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const MeshSource& source : {unit_square(5, 0.3), unit_cube(2, 0.2)}) {
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const real depth = mesh->dimension() == 3 ? 1 : 0;
      const auto linear = [&](const Vec3& x) { return 3 - 2 * x.x + 5 * x.y + depth * x.z; };
      Field<Cell> pressure = sampled_field<Cell>(*mesh, linear);
      halo(pressure);
      const PointSampler sampler(*mesh, some_points, "test");
      const std::vector<real> found = sampler.at_points(pressure.all_to_host());
      for (std::size_t i = 0; i < found.size(); ++i) EXPECT_NEAR(found[i], linear(some_points[i]), 1e-12) << p.name;
    }
  }
}

/// Values at some_points of cell values that vary from cell to cell.
std::vector<real> scattered_values(const Comm& comm, const Partitioner& partition) {
  const auto mesh = make_mesh(comm, unit_square(6, 0.3), partition);
  Field<Cell> values = scattered_field<Cell>(*mesh);
  halo(values);
  return PointSampler(*mesh, some_points, "test").at_points(values.all_to_host());
}

TEST(PointSampler, GivesTheSameBitsOnAnyPartition) {
  const std::vector<real> expected = scattered_values(Comm(MPI_COMM_SELF), partition_cells);
  for (const NamedPartitioner& p : partitioners()) EXPECT_EQ(scattered_values(Comm(), p.partition), expected) << p.name;
}

/// A lone triangle has no neighbours, a pair of them only one: what is left open does not vary.
TEST(PointSampler, TakesTheCellsValueWhereThereAreNoNeighbours) {
  MeshSource lone = unit_square(1);
  lone.cells.resize(3);
  lone.cell_ids.resize(1);
  lone.cell_region.resize(1);
  std::vector<int> corners = lone.cells;
  lone.points = {lone.points[corners[0]], lone.points[corners[1]], lone.points[corners[2]]};
  lone.point_ids.resize(3);
  lone.cells = {0, 1, 2};
  lone.boundary_faces = {0, 1, 1, 2, 0, 2};
  lone.boundary_patch = {0, 0, 0};
  const auto mesh = make_mesh(Comm(), lone, all_on_last_rank);
  const std::vector<real> value(mesh->total<Cell>(), 7);
  EXPECT_EQ(PointSampler(*mesh, {lone.points[0]}, "test").at_points(value), std::vector<real>{7});
}

TEST(PointSampler, NamesAPointOutsideTheMesh) {
  const auto mesh = make_mesh(Comm(), unit_square(4));
  const auto refusal = [&](const std::vector<Vec3>& points) -> std::string {
    try {
      PointSampler(*mesh, points, "[[line]] `profile`");
    } catch (const Error& error) {
      EXPECT_EQ(error.code(), ExitCode::bad_input);
      EXPECT_TRUE(error.collective());
      return error.what();
    }
    return "accepted";
  };
  EXPECT_EQ(refusal({{0.5, 0.5, 0}, {1.5, 0.3, 0}}),
            "[[line]] `profile`: the point (1.5, 0.3, 0) lies outside the mesh, which reaches from (0, 0, 0) to (1, 1, "
            "0) m; its node nearest to the point is (1, 0.25, 0)");
  EXPECT_EQ(refusal({{0.5, 0.5, 1}, {0.5, 0.5, 0}, {1.5, 0.3, 0}}),
            "[[line]] `profile`: the point (0.5, 0.5, 1) and 1 more lie outside the mesh, which reaches from (0, 0, 0) "
            "to (1, 1, 0) m; its node nearest to the point is (0.5, 0.5, 0)");
}

}  // namespace
}  // namespace solenoid::test
