/// Flow on tetrahedra where the boundary or the mesh is awkward: fluid that comes back through an outlet, bodies
/// inside, far fields, a square duct, slivers, cells that are listed either way round, five to a cube.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "field/assign.hpp"
#include "field/inner_product.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

class OpenFlow3d : public testing::TestWithParam<FlowMethod> {
 public:
  static inline FlowMethod method;

 protected:
  void SetUp() override { method = GetParam(); }
};

FlowStepSettings open_3d(real viscosity, real tolerance = 1e-11) {
  FlowStepSettings settings = open_settings(viscosity, tolerance);
  settings.method = OpenFlow3d::method;
  return settings;
}

/// The cube with bodies of cells in it.
MeshSource cube_with(int n, real distortion, const std::function<bool(const Vec3&)>& is_body) {
  return with_patches(without_cells(unit_cube(n, distortion), is_body, "body"), side_of_cube);
}

/// The owned faces of a patch, with U_f / A_f out of the domain.
std::vector<std::pair<BoundaryFace, real>> speeds_through(const LocalMesh& mesh, const Field<Face>& flux,
                                                          const std::string& patch) {
  const std::vector<real> U = flux.to_host();
  std::vector<std::pair<BoundaryFace, real>> found;
  for (const BoundaryFace& b : mesh.boundary()) {
    if (!b.is_owned || mesh.part().patches[b.patch] != patch) continue;
    found.emplace_back(b, real(b.orientation) * U[b.face] / mesh.geometry().face_area[b.face]);
  }
  return found;
}

bool is_in_the_middle(const Vec3& x) {
  const auto inside = [](real s) { return s > 0.4 && s < 0.6; };
  return inside(x.x) && inside(x.y) && inside(x.z);
}

/// A vortex of twice the stream's speed leaves: in its lower half fluid enters through the outlet.
TEST_P(OpenFlow3d, AStrongVortexLeaves_Steps) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_cube(8, 0.15), side_of_cube));
  const FlowBoundaries boundaries =
      conditions(*mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}, {"side", Symmetry{}}});
  const auto made = make_flow_step(*mesh, open_3d(1e-4, 1e-3), boundaries, 0, nullptr);
  FlowStep& flow = *made;
  Field<Face> start = flux_of_velocity(*mesh, [](const Vec3& x) {
    constexpr real radius = 0.14;
    const Vec3 r = (1 / radius) * (x - Vec3{0.6, 0.5, 0});
    const real speed = 3.5 * std::exp(-(r.x * r.x + r.y * r.y) / 2);
    return Vec3{1 - speed * r.y, speed * r.x, 0};
  });
  flow.project(start);
  const real before = kinetic_energy(flow.state().velocity);
  real least = 0;  // through any face of the outlet
  for (int k = 0; flow.time() < 1.1; ++k) {
    flow.advance(real{0.6} / courant_rate(flow.state().flux));
    for (const auto& [b, speed] : speeds_through(*mesh, flow.state().flux, "right")) least = std::min(least, speed);
    ASSERT_LE(kinetic_energy(flow.state().velocity), 1.02 * before) << "step " << k;
    ASSERT_EQ(max_divergence(flow.state().flux), 0) << "step " << k;
  }
  EXPECT_LT(mesh->comm().min(least), -0.3);
}

/// A far field all around that turns and grows is followed to second order in time, on any partition.
TEST_P(OpenFlow3d, AFarFieldThatTurnsIsFollowed_Slow) {
  const auto stream = [](real t) { return Vec3{(1 + t) * std::cos(t), (1 + t) * std::sin(t), t}; };
  const auto error = [&](const Comm& comm, const Partitioner& partition, int steps) {
    const auto mesh = make_mesh(comm, unit_cube(4, 0.2), partition);
    const auto made = make_flow_step(*mesh, open_3d(0.01), Farfield{Coefficient<Vec3>::of_time(stream)}, 0, nullptr);
    FlowStep& flow = *made;
    flow.start_from_rest();
    for (int k = 0; k < steps; ++k) flow.advance(real{0.5} / static_cast<real>(steps));
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
    return distance(gather(flow.state().flux), gather(constant_flux(*mesh, stream(flow.time()))));
  };
  const real coarse = error(alone(), partition_cells, 10), fine = error(alone(), partition_cells, 20);
  if (method == FlowMethod::exact) {
    EXPECT_LE(coarse, 1e-11);  // what accelerates all fluid alike takes no error at all
  } else {
    EXPECT_GE(rate(coarse, fine, 2), 1.9) << coarse << " " << fine;
  }
  for (const NamedPartitioner& p : partitioners()) EXPECT_NEAR(error(Comm(), p.partition, 10), coarse, 1e-9) << p.name;
}

/// What a body that floats in a stream gives off leaves through the outlet, in bits what is given, on any partition.
TEST_P(OpenFlow3d, ABodyInsideBlows_Slow) {
  const Coefficient<Vec3> blown(
      [](std::span<const Vec3> x, real t, std::span<Vec3> u) {
        for (std::size_t i = 0; i < x.size(); ++i) u[i] = 5 * std::sin(2 * t) * (x[i] - Vec3{0.5, 0.5, 0.5});
      },
      Dependence{.on_place = true, .on_time = true});
  const auto run = [&](const Comm& comm, const Partitioner& partition) {
    const auto mesh = make_mesh(comm, cube_with(5, 0, is_in_the_middle), partition);
    const FlowBoundaries boundaries = conditions(
        *mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}, {"side", Symmetry{}}, {"body", Inlet{blown}}});
    const auto made = make_flow_step(*mesh, open_3d(0.05), boundaries, 0, nullptr);
    FlowStep& flow = *made;
    flow.start_from_rest();
    for (int k = 0; k < 6; ++k) {
      flow.advance(0.05);
      EXPECT_EQ(max_divergence(flow.state().flux), 0);
    }
    const real given = 15 * 0.008 * std::sin(2 * flow.time());  // its divergence times the body's volume
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "body"), -given, 1e-12);
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "right"), 1 + given, 1e-12);
    return gather(flow.state().flux);
  };
  const std::vector<real> serial = run(alone(), partition_cells);
  for (const NamedPartitioner& p : partitioners())
    EXPECT_LE(distance(run(Comm(), p.partition), serial), 1e-9) << p.name;
}

/// Around a free body, a bar across the duct (one loop) and two of them (two loops).
TEST_P(OpenFlow3d, BodiesInsideLeaveNoDivergence_Slow) {
  const auto bar = [](real from, real to) {
    return [=](const Vec3& x) { return x.x > 0.4 && x.x < 0.6 && x.y > from && x.y < to; };
  };
  const std::array<std::function<bool(const Vec3&)>, 3> bodies{
      is_in_the_middle, bar(0.4, 0.6), [=](const Vec3& x) { return bar(0.2, 0.4)(x) || bar(0.6, 0.8)(x); }};
  for (const auto& body : bodies) {
    const auto mesh = make_mesh(Comm(), cube_with(5, 0, body));
    const FlowBoundaries boundaries = conditions(*mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}});
    const auto made = make_flow_step(*mesh, open_3d(0.02, 1e-2), boundaries, 0, nullptr);
    FlowStep& flow = *made;
    flow.start_from_rest();
    for (int k = 0; k < 10; ++k) {
      flow.advance(0.02);
      ASSERT_EQ(max_divergence(flow.state().flux), 0);
    }
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "right"), 1, 1e-12);
    EXPECT_LT(kinetic_energy(flow.state().velocity), 5);
  }
}

TEST_P(OpenFlow3d, ADuctsOutletConverges_Long) {
  const real coarse = errors_in_duct(unit_cube(6, 0), method).at_outlet,
             fine = errors_in_duct(unit_cube(12, 0), method).at_outlet;
  EXPECT_GE(rate(coarse, fine, 2), 1.7) << coarse << " " << fine;
  const real rotational = errors_in_duct(unit_cube(12, 0), method, DiffusionForm::rotational).at_outlet;
  EXPECT_LE(rotational, 0.016);
  EXPECT_LE(fine, 0.6 * rotational);
}

/// A flow that walls at rest bring to rest, from the same fluxes wherever the mesh has the same faces.
real energy_left(const MeshSource& source, real end, real tolerance = 1e-3) {
  const auto mesh = make_mesh(Comm(), source);
  const auto made = make_flow_step(*mesh, open_3d(0.01, tolerance), FlowBoundaries(Wall{Vec3{}}), 0, nullptr);
  FlowStep& flow = *made;
  Field<Face> start = flux_of_velocity(*mesh, [](const Vec3& x) {
    return Vec3{std::sin(pi * x.x) * std::cos(pi * x.y), -std::cos(pi * x.x) * std::sin(pi * x.y), 0};
  });
  flow.project(start);
  const real before = kinetic_energy(flow.state().velocity);
  real last = before;
  while (flow.time() < end) {
    flow.advance(std::min(real{0.4} / courant_rate(flow.state().flux), end - flow.time() + real{1e-12}));
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
    const real now = kinetic_energy(flow.state().velocity);
    EXPECT_LE(now, 1.001 * last) << "t = " << flow.time();
    last = now;
  }
  return last / before;
}

/// Cells that a moved point makes flat to a fiftieth of their neighbours' volumes.
TEST_P(OpenFlow3d, SliversDoNotBlowUp_Slow) {
  MeshSource mesh = unit_cube(4, 0);
  const auto at = [&](const Vec3& place) {
    for (std::size_t p = 0; p < mesh.points.size(); ++p) {
      if (norm(mesh.points[p] - place) < 1e-9) return p;
    }
    throw std::runtime_error("no such point");
  };
  const real good = energy_left(mesh, 0.3);
  mesh.points[at({0.5, 0.5, 0.5})] += Vec3{-0.245, 0, 0};  // nearly onto the side of cells behind it
  EXPECT_NEAR(energy_left(mesh, 0.3), good, 0.1 * good);
}

/// Cells are listed with either orientation. The numbers of edges, and so the estimate of the largest eigenvalue that
/// four iterations for the vorticity take, depend on it.
TEST_P(OpenFlow3d, TheOrderOfACellsPointsIsNoMatter_Slow) {
  MeshSource mesh = unit_cube(4, 0.2), mixed = mesh;
  for (int c = 0; c < mixed.cell_count(); c += 2) std::swap(mixed.cells[4 * c], mixed.cells[4 * c + 1]);
  EXPECT_NEAR(energy_left(mixed, 0.2, 1e-6), energy_left(mesh, 0.2, 1e-6), 2e-6);
}

/// Cubes of five tetrahedra, of which the middle one has a third of the volume, mirrored from one to the next.
MeshSource five_to_a_cube(int n) {
  MeshSource mesh = unit_cube(n);
  mesh.cells.clear(), mesh.cell_ids.clear(), mesh.cell_region.clear();
  mesh.boundary_faces.clear(), mesh.boundary_patch.clear();
  const int row = n + 1, layer = row * row;
  for (int k = 0; k < n; ++k) {
    for (int j = 0; j < n; ++j) {
      for (int i = 0; i < n; ++i) {
        const auto corner = [&](int x, int y, int z) {  // mirrored along x in every other cube
          return (i + ((i + j + k) % 2 == 0 ? x : 1 - x)) + (j + y) * row + (k + z) * layer;
        };
        const int a = corner(0, 0, 0), b = corner(1, 1, 0), c = corner(1, 0, 1), d = corner(0, 1, 1);
        for (const std::array<int, 4>& cell :
             {std::array{a, b, c, d}, std::array{a, b, c, corner(1, 0, 0)}, std::array{a, b, d, corner(0, 1, 0)},
              std::array{a, c, d, corner(0, 0, 1)}, std::array{b, c, d, corner(1, 1, 1)}}) {
          mesh.cells.insert(mesh.cells.end(), cell.begin(), cell.end());
          mesh.cell_ids.push_back(static_cast<std::int64_t>(mesh.cell_ids.size()) + 1);
          mesh.cell_region.push_back(0);
        }
      }
    }
  }
  return without_cells(
      mesh, [](const Vec3&) { return false; }, "wall");
}

TEST_P(OpenFlow3d, FiveTetrahedraToACubeFlowAsSixDo_Slow) {
  EXPECT_NEAR(energy_left(five_to_a_cube(8), 0.5), energy_left(unit_cube(8), 0.5), 0.05);
}

INSTANTIATE_TEST_SUITE_P(Methods, OpenFlow3d, testing::Values(FlowMethod::classical, FlowMethod::exact),
                         [](const auto& test) { return test.param == FlowMethod::exact ? "exact" : "classical"; });

}  // namespace
}  // namespace solenoid::test
