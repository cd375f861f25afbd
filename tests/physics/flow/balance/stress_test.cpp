/// The stress of a fluid on its boundary: nothing where it turns as a solid body, the known one on parts of turning
/// walls, and what it takes of the energy.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>

#include "model/patch_integral.hpp"
#include "physics/flow/boundary/boundary_velocity.hpp"
#include "physics/flow/flow_fields.hpp"
#include "physics/flow/momentum/surface_gradient.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

constexpr real viscosity = 0.01;

/// Couette's flow between cylinders of radii 1/2 and 1, the inner one turning at 1 rad/s: r -> u_theta = A r + B / r.
constexpr real couette_a = -1.0 / 3, couette_b = 1.0 / 3;
Vec3 couette(const Vec3& x) {
  const real r2 = x.x * x.x + x.y * x.y, over_r = couette_a + couette_b / r2;
  return {-over_r * x.y, over_r * x.x, 0};
}

/// A sixth of the gap, in space one high: the inner cylinder is "lid".
MeshSource sector(int dimension, int n) {
  MeshSource source = dimension == 2 ? unit_square(n) : unit_cube(n);
  for (Vec3& x : source.points) {
    const real angle = pi / 3 * x.x, r = 1 - x.y / 2;
    x = {r * std::cos(angle), r * std::sin(angle), x.z};
  }
  return with_patches(std::move(source), [dimension](const Vec3& x) -> std::string {
    constexpr real nearly = 1e-6;
    if (dimension == 3 && std::abs(x.z - 0.5) > 0.5 - nearly) return "planes";
    if (std::abs(x.y) < nearly || std::abs(x.y - std::tan(pi / 3) * x.x) < nearly) return "cuts";
    return norm(Vec3{x.x, x.y, 0}) < 0.6 ? "inner" : "outer";
  });
}

Field<Face> flux_of_couette(const LocalMesh& mesh) {
  if (mesh.dimension() == 3) return flux_of_velocity(mesh, couette);
  return flux_of(mesh, [](const Vec3& x) {
    const real r2 = x.x * x.x + x.y * x.y;
    return -couette_a * r2 / 2 - couette_b * std::log(r2) / 2;
  });
}

/// Force on a patch by friction, its moment about the axis, and the powers of friction.
struct Friction {
  Vec3 force, with_pressure;
  real moment = 0, dissipation = 0, of_boundary = 0;
  real moment_of_shear = 0;  // of the fit's
};
Friction friction_of(const FlowProblem& problem, FlowStep& flow, const std::string& patch) {
  const LocalMesh& mesh = *problem.mesh;
  VelocityReconstruction fit(mesh, problem.wide, flow.boundaries());
  Field<Node, NodeVelocity> nodes(mesh);
  BoundaryField<Vec3> shear(mesh);
  compute_wall_shear(fit.fit(flow.state().flux, 0, nodes), viscosity, shear);
  const PatchIntegral integral(mesh, places_of_patch(mesh, patch));
  BoundaryField<Vec3>& friction = flow.balance().tractions().friction;
  const std::vector<real> sum = integral.of(&friction), of_pressure = integral.of(&flow.balance().tractions().pressure);
  return {{sum[0], sum[1], sum[2]},
          {sum[0] + of_pressure[0], sum[1] + of_pressure[1], sum[2] + of_pressure[2]},
          integral.moment_of(friction, {}).z,
          flow.dissipation(),
          flow.balance().energy_budget().boundary_friction,
          integral.moment_of(shear, {}).z};
}

Friction couette_friction(int dimension, int n, FlowMethod method, DiffusionForm diffusion, const Comm& comm = Comm(),
                          const Partitioner& partition = partition_cells) {
  const FlowProblem problem(comm, sector(dimension, n), partition);
  const LocalMesh& mesh = *problem.mesh;
  FlowStepSettings settings = tight_settings(viscosity);
  settings.method = method;
  settings.diffusion = diffusion;
  settings.convection = ConvectionForm::none;
  const Coefficient<Vec3> given = Coefficient<Vec3>::of_place(couette);
  std::map<std::string, FlowBoundary> at{{"cuts", Inlet{given}}};
  if (dimension == 3) at["planes"] = Symmetry{};
  at["inner"] = Wall{Coefficient<Vec3>::of_place([](const Vec3& x) { return Vec3{-x.y, x.x, 0}; })};
  const auto flow = make_flow_step(mesh, settings, conditions(mesh, at), 0, &problem.wide);
  Field<Face> flux = flux_of_couette(mesh);
  flow->project(flux);
  return friction_of(problem, *flow, "inner");
}

/// Of the flow u = 4 y over a wall: u_tau^2 = 4 nu, at a third of a triangle's height and a quarter of a tetrahedron's.
TEST(WallUnits, AreThoseOfTheShearAndTheFirstCentre) {
  const int n = 5;
  for (const int dimension : {2, 3}) {
    const auto mesh = make_mesh(Comm(), dimension == 2 ? unit_square(n) : unit_cube(n));
    Field<Node, NodeVelocity> nodes(*mesh);
    NodeVelocity shearing{};
    shearing.gradient[1] = {4, 0, 0};
    nodes.from_host(std::vector<NodeVelocity>(static_cast<std::size_t>(mesh->owned<Node>()), shearing));
    BoundaryField<Vec3> shear(*mesh);
    compute_wall_shear(halo(nodes), viscosity, shear);
    BoundaryField<real> y_plus(*mesh);
    const Wall wall{Vec3{}};
    const FlowBoundaries boundaries = conditions(*mesh, {{"lid", wall}, {"wall", Symmetry{}}});
    compute_y_plus(shear, viscosity, walls_of(*mesh, boundaries), y_plus);
    const real exact = std::sqrt(4 * viscosity) / (n * (dimension + 1) * viscosity);
    const PatchIntegral on_lid(*mesh, places_of_patch(*mesh, "lid")), beside(*mesh, places_of_patch(*mesh, "wall"));
    EXPECT_NEAR(on_lid.of(&y_plus)[0], exact, 1e-13 * exact);
    EXPECT_NEAR(on_lid.largest(y_plus), exact, 1e-13 * exact);
    EXPECT_EQ(beside.largest(y_plus), 0);
  }
}

class Stress : public testing::TestWithParam<FlowMethod> {};

/// Of a sixth of the inner cylinder -2 nu B / r^2 along it, turned round, and over the gap (2 B / r^2)^2 nu.
TEST_P(Stress, OnAPartOfATurningWallConvergesToTheKnownOne_Long) {
  const real shear = 2 * viscosity * couette_b / 0.25, angle = pi / 3;
  const Vec3 exact = (shear * 0.5) * Vec3{1 - std::cos(angle), -std::sin(angle), 0};
  const real moment = -shear * 0.5 * 0.5 * angle,
             dissipation = 2 * viscosity * couette_b * couette_b * angle * (1 / 0.25 - 1);
  for (const int dimension : {2, 3}) {
    const real bar = dimension == 2 ? 0.01 : 0.06;
    for (const DiffusionForm form : {DiffusionForm::rotational, DiffusionForm::stress}) {
      if (form == DiffusionForm::stress && dimension == 2) continue;
      const int n = dimension == 2 ? 12 : form == DiffusionForm::stress ? 8 : 4;
      const Friction found = couette_friction(dimension, n, GetParam(), form);
      // a rebuilt velocity's friction is some of a pressure, too, which the flow's takes off
      const Vec3& force = form == DiffusionForm::stress ? found.with_pressure : found.force;
      EXPECT_NEAR(force.x / exact.x, 1, bar);
      EXPECT_NEAR(force.y / exact.y, 1, bar);
      EXPECT_NEAR(found.moment / moment, 1, bar);
      EXPECT_NEAR(found.moment_of_shear / moment, 1, dimension == 2 ? 0.07 : 0.2);
      EXPECT_NEAR(found.of_boundary / dissipation, 1, bar);
      EXPECT_NEAR(found.dissipation / dissipation, 1, 0.05);
    }
  }
}

TEST_P(Stress, IsTheSameOnAnyPartition) {
  for (const auto& [dimension, form] : {std::pair(2, DiffusionForm::rotational),
                                        std::pair(3, DiffusionForm::rotational), std::pair(3, DiffusionForm::stress)}) {
    const Friction expected = couette_friction(dimension, 3, GetParam(), form, Comm(MPI_COMM_SELF));
    for (const NamedPartitioner& p : partitioners()) {
      const Friction found = couette_friction(dimension, 3, GetParam(), form, Comm(), p.partition);
      EXPECT_LE(norm(found.force - expected.force), 1e-12) << p.name;
      EXPECT_NEAR(found.moment, expected.moment, 1e-12) << p.name;
      EXPECT_NEAR(found.dissipation, expected.dissipation, 1e-12) << p.name;
      EXPECT_NEAR(found.of_boundary, expected.of_boundary, 1e-12) << p.name;
    }
  }
}

/// On meshes where fluxes tell the vorticity of a linear velocity exactly.
TEST_P(Stress, OfAFluidThatTurnsAsASolidBodyIsNone) {
  const Vec3 spin{0, 0, 1}, centre{0.4, 0.3, 0.2};
  for (const int dimension : {2, 3}) {
    const MeshSource source = with_patches(dimension == 2 ? equilateral(4, 1) : unit_cube(3),
                                           [](const Vec3& x) -> std::string { return x.y < 0.5 ? "below" : "above"; });
    const FlowProblem problem(Comm(), source);
    const LocalMesh& mesh = *problem.mesh;
    const Vec3 around = dimension == 2 ? spin : Vec3{0.3, -0.8, 1};
    const auto turning = [&](const Vec3& x) { return cross(around, x - centre); };
    FlowStepSettings settings = tight_settings(viscosity, 1e-13);
    settings.pressure.tolerance = 1e-8;
    settings.method = GetParam();
    settings.convection = ConvectionForm::divergence;
    if (dimension == 3) settings.diffusion = DiffusionForm::stress;
    const FlowBoundaries boundaries(Inlet{Coefficient<Vec3>::of_place(turning)});
    const auto flow = make_flow_step(mesh, settings, boundaries, 0, &problem.wide);
    Field<Face> flux = dimension == 3 ? flux_of_velocity(mesh, turning)
                                      : flux_of(mesh, [&](const Vec3& x) { return -dot(x - centre, x - centre) / 2; });
    flow->project(flux);
    const Friction found = friction_of(problem, *flow, "below");
    const real bar = 1e-12;
    EXPECT_LE(norm(found.force), bar);
    EXPECT_NEAR(found.moment, 0, bar);
    EXPECT_NEAR(found.dissipation, 0, bar);
    EXPECT_NEAR(found.of_boundary, 0, bar);
    EXPECT_NEAR(found.moment_of_shear, 0, 10 * bar);
    for (const Vec3& traction : flow->balance().tractions().friction.to_host()) EXPECT_LE(norm(traction), bar);
  }
}

INSTANTIATE_TEST_SUITE_P(Methods, Stress, testing::Values(FlowMethod::exact, FlowMethod::classical),
                         [](const auto& of) { return of.param == FlowMethod::exact ? "exact" : "classical"; });

/// The corner of two planes of symmetry, from which the fluid flows out: u = (x, -y) and in space (x, y, -2 z).
Vec3 stagnation(const Vec3& x, int dimension) { return dimension == 2 ? Vec3{x.x, -x.y, 0} : Vec3{x.x, x.y, -2 * x.z}; }

/// Where the velocity is given (grad u)^T n to round-off; else to what the cells have; nothing in sum.
TEST(SurfaceGradient, IsThatOfTheVelocityAlongTheBoundary) {
  for (const NamedPartitioner& p : partitioners()) {
    for (const int dimension : {2, 3}) {
      const MeshSource source = with_patches(dimension == 2 ? unit_square(8, 0.2) : unit_cube(4, 0.15),
                                             [dimension](const Vec3& x) -> std::string {
                                               if (x.x == 0 || (dimension == 2 ? x.y : x.z) == 0) return "symmetry";
                                               return x.x == 1 ? "outlet" : "inlet";
                                             });
      const auto mesh = make_mesh(Comm(), source, p.partition);
      const auto u = [dimension](const Vec3& x) { return stagnation(x, dimension); };
      const FlowBoundaries boundaries = conditions(
          *mesh, {{"symmetry", Symmetry{}}, {"outlet", Outlet{}}, {"inlet", Inlet{Coefficient<Vec3>::of_place(u)}}});
      SurfaceGradient gradient(*mesh, boundaries);
      gradient.set(sample_velocity(boundaries, places_on_boundary(*mesh), 0));
      Field<Cell, Vec3> velocity(*mesh);
      std::vector<Vec3> in_cells;
      for (int c = 0; c < mesh->owned<Cell>(); ++c) in_cells.push_back(u(mesh->geometry().cell_centre[c]));
      velocity.from_host(in_cells);
      gradient.update(velocity);
      BoundaryField<Vec3> found(*mesh);
      gradient.add_to(3, found);
      const std::vector<Vec3> values = found.to_host();
      Vec3 sum;
      Vec3 of_outlet;
      for (std::size_t i = 0; i < values.size(); ++i) {
        const BoundaryFace& b = mesh->boundary()[i];
        if (!b.is_owned) continue;
        sum += norm(b.outward_area) * values[i];
        const Vec3 exact = 3 * u(b.outward_normal);  // the gradient is symmetric
        if (boundaries.velocity(b.patch)) {
          EXPECT_LE(norm(values[i] - exact), 1e-12) << p.name;
        } else if (boundaries.outlet(b.patch)) {
          of_outlet += norm(b.outward_area) * (values[i] - exact);
        }
        if (std::holds_alternative<Symmetry>(boundaries.on(b.patch))) {
          EXPECT_LE(norm(values[i] - dot(values[i], b.outward_normal) * b.outward_normal), 1e-12) << p.name;
        }
      }
      mesh->comm().sum(std::span<real>(&sum.x, 3));
      mesh->comm().sum(std::span<real>(&of_outlet.x, 3));
      EXPECT_LE(norm(of_outlet), 0.3) << p.name;  // of 3
      EXPECT_LE(norm(sum), 1e-12) << p.name;
    }
  }
}

}  // namespace
}  // namespace solenoid::test
