/// What passes openings: fluxes and pressures that are read there, holes that give fluid, inlets that are scaled.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <memory>

#include "physics/flow/boundary/patch_flows.hpp"
#include "physics/flow/momentum/diagnostics.hpp"
#include "support/flows.hpp"
#include "support/openings.hpp"
#include "support/values.hpp"

namespace solenoid::test {
namespace {

/// u = (y - 1/2, 0): as much comes in through each side as leaves.
TEST(OpenBoundaries, FlowsAreCounted) {
  for (const NamedPartitioner& p : partitioners()) {
    const auto mesh = make_mesh(Comm(), with_patches(unit_square(8), side_of_square), p.partition);
    const PatchFlows openings(*mesh, conditions(*mesh, {{"left", Inlet{Vec3{1, 0, 0}}}, {"right", Outlet{}}}));
    const Field<Face> flux = flux_of(*mesh, [](const Vec3& x) { return (x.y - real{0.5}) * (x.y - real{0.5}) / 2; });
    const std::vector<PatchFlow> flows = openings.through(flux);
    ASSERT_EQ(flows.size(), 2u);
    for (const PatchFlow& flow : flows) {
      EXPECT_NEAR(flow.leaving, 0.125, 1e-14) << p.name;
      EXPECT_NEAR(flow.entering, 0.125, 1e-14) << p.name;
      EXPECT_NEAR(share_entering(flow, 1), 0.5, 1e-13) << p.name;
    }
    EXPECT_EQ(share_entering({1e-12, 1e-12}, 1), 0);
  }
}

/// A jet whose edge lies within faces enters with the flux that it has, to 1e-3, and a parabola as before.
TEST(OpenBoundaries, AStepWithinAFaceOfAnInletIsTaken) {
  for (const int dimension : {2, 3}) {
    const auto mesh =
        make_mesh(Comm(), with_patches(dimension == 2 ? unit_square(7, 0.2) : unit_cube(5), side_of_square));
    const auto entering = [&](const std::function<real(const Vec3&)>& speed) {
      const Coefficient<Vec3> given = Coefficient<Vec3>::of_place([speed](const Vec3& x) {
        return Vec3{speed(x), 0, 0};
      });
      const FlowBoundaries boundaries = conditions(*mesh, {{"left", Inlet{given}}, {"right", Outlet{}}});
      BoundaryFaces faces(*mesh, boundaries);
      faces.sample(0);
      real sum = 0;
      for (int i = 0; i < mesh->boundary().size(); ++i) {
        const BoundaryFace& b = mesh->boundary()[i];
        if (b.is_owned) sum -= static_cast<real>(b.orientation) * faces.fluxes()[i];
      }
      return mesh->comm().sum(sum);
    };
    const real radius = 0.23, slope = 0.4;
    const auto jet = [&](const Vec3& x) {
      const bool is_inside = dimension == 2 ? std::abs(x.y - 0.41) < radius : x.y < 0.5 + radius + slope * (x.z - 0.5);
      return is_inside ? real{1} : real{0};
    };
    EXPECT_NEAR(entering(jet), dimension == 2 ? 2 * radius : 0.5 + radius, dimension == 2 ? 1e-4 : 1e-3);
    EXPECT_NEAR(entering([](const Vec3& x) { return x.y * (1 - x.y); }), real{1} / 6, 1e-14);
    EXPECT_NEAR(entering([](const Vec3& x) { return std::abs(x.y - 0.41); }), 0.5 * (0.41 * 0.41 + 0.59 * 0.59), 1e-4);
  }
}

/// Around the centre of the square as fast everywhere.
Coefficient<Vec3> blowing(real speed) {
  return Coefficient<Vec3>::of_place_and_time([speed](const Vec3& x, real t) {
    return speed * (1 + t) * Vec3{x.x - real{0.5}, x.y - real{0.5}, 0};
  });
}

std::vector<real> flow_past_source(const Comm& comm, const Partitioner& partition, FlowMethod method, bool is_closed) {
  const FlowProblem problem(comm, with_patches(square_with_hole(12), side_of_branching), partition);
  const LocalMesh& mesh = *problem.mesh;
  const real out = is_closed ? 0 : 0.1;
  const Coefficient<Vec3> suction = Coefficient<Vec3>::of_place_and_time(  // takes what the hole gives, twice its area
      [](const Vec3&, real t) {
        return Vec3{-2 * (1 + t) / 9, 0, 0};
      });
  FlowBoundaries boundaries = conditions(mesh, {{"hole", Inlet{blowing(1)}}, {"left", Inlet{suction}}});
  if (!is_closed) {
    boundaries = conditions(
        mesh,
        {{"hole", Inlet{blowing(1)}}, {"left", Inlet{Vec3{out, 0, 0}}}, {"lower", Outlet{}}, {"upper", Outlet{}}});
  }
  FlowStepSettings settings = open_settings(0.1);
  settings.method = method;
  const auto flow = make_flow_step(mesh, settings, boundaries, 0, &problem.wide);
  flow->start_from_rest();
  for (int k = 0; k < 6; ++k) {
    flow->advance(0.02);
    EXPECT_EQ(max_divergence(flow->state().flux), 0);
    const real source = 2 * (1 + flow->time()) / 9;
    EXPECT_NEAR(outflow(mesh, flow->state().flux, "hole"), -source, 1e-12);
    const real leaving = outflow(mesh, flow->state().flux, is_closed ? "left" : "lower") +
                         (is_closed ? 0 : outflow(mesh, flow->state().flux, "upper"));
    EXPECT_NEAR(leaving, source + out, 1e-12);
  }
  return gather(flow->state().flux);
}

TEST(OpenBoundaries, AHoleMayGiveFluid_Slow) {
  for (const bool is_closed : {false, true}) {
    std::vector<std::vector<real>> of_methods;
    for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
      const std::vector<real> expected = flow_past_source(alone(), partition_cells, method, is_closed);
      for (const NamedPartitioner& p : partitioners()) {
        expect_equal(flow_past_source(Comm(), p.partition, method, is_closed), expected, p.name, 1e-9);
      }
      of_methods.push_back(expected);
    }
    expect_equal(of_methods[1], of_methods[0], "methods", 2e-2);
  }
}

/// Through far fields or other inlets, and in either direction: what enters is scaled.
TEST(OpenBoundaries, InletsAreScaledToWhatLeaves) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(5), side_of_square));
  const auto turning = [](real amplitude) {
    return Coefficient<Vec3>::of_time([amplitude](real t) { return Vec3{t < 0.015 ? amplitude : -amplitude, 0, 0}; });
  };
  const FlowBoundary on_right[] = {Farfield{Vec3{0.75, 0, 0}}, Inlet{Vec3{0.75, 0, 0}}, Inlet{turning(0.75)}};
  for (const FlowBoundary& right : on_right) {
    const bool turns = &right == &on_right[2];
    const FlowBoundaries given =
        conditions(*mesh, {{"left", Inlet{turns ? turning(1) : Coefficient<Vec3>(Vec3{1, 0, 0})}}, {"right", right}});
    FlowStepSettings settings = open_settings(0.1, 1e-12, ConvectionForm::central);
    settings.scales_inlets = true;
    ExactStep flow(*mesh, settings, given, 0);
    flow.start_from_rest();
    flow.advance(0.01);
    EXPECT_NEAR(flow.boundaries().inlet_factor(), 0.75, 1e-14);
    EXPECT_NEAR(flow.boundary_speed(), 0.75, 1e-14);
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "left"), -0.75, 1e-14);
    EXPECT_EQ(max_divergence(flow.state().flux), 0);
    if (!turns) continue;
    flow.advance(0.01);
    EXPECT_NEAR(flow.boundaries().inlet_factor(), 1 / 0.75, 1e-14);
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "left"), 1, 1e-14);
    EXPECT_NEAR(outflow(*mesh, flow.state().flux, "right"), -1, 1e-14);
  }
}

TEST(OpenBoundaries, WhatEntersHasToLeave) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_square(5), side_of_square));
  const auto start = [&](const Vec3& u, const Vec3& on_right) {
    ExactStep(*mesh, open_settings(0.1, 1e-12, ConvectionForm::central),
              conditions(*mesh, {{"left", Inlet{u}}, {"right", Farfield{on_right}}}), 0);
  };
  EXPECT_NO_THROW(start({1, 0, 0}, {1, 0, 0}));
  try {
    start({1, 0, 0}, {0.75, 0, 0});
    FAIL();
  } catch (const Error& error) {
    EXPECT_EQ(error.code(), ExitCode::bad_input);
    EXPECT_NE(std::string(error.what()).find("0.25 m^2/s more enter the domain there than leave"), std::string::npos)
        << error.what();
  }
}

/// The same rule in space, by both methods: profiles that balance do so on any mesh.
TEST(OpenBoundaries, WhatEntersHasToLeaveInSpace) {
  const auto mesh = make_mesh(Comm(), with_patches(unit_cube(3, 0.3), side_of_cube));
  const auto profile = [](real speed) {
    return Coefficient<Vec3>::of_place([speed](const Vec3& x) {
      return Vec3{36 * speed * x.y * (1 - x.y) * x.z * (1 - x.z), 0, 0};
    });
  };
  for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
    const auto through_right = [&](real speed) {
      FlowStepSettings settings = open_settings(0.1, 1e-8);
      settings.method = method;
      const auto flow = make_flow_step(
          *mesh, settings, conditions(*mesh, {{"left", Inlet{profile(1)}}, {"right", Inlet{profile(speed)}}}), 0,
          nullptr);
      flow->start_from_rest();
      EXPECT_EQ(max_divergence(flow->state().flux), 0);
      return outflow(*mesh, flow->state().flux, "right");
    };
    EXPECT_NEAR(through_right(1), 1, 1e-13);
    EXPECT_NEAR(through_right(1 + 1e-7), 1, 1e-7);
    for (const real speed : {1 + 1e-5, 1.02, 0.98}) {
      try {
        through_right(speed);
        ADD_FAILURE() << speed;
      } catch (const Error& error) {
        EXPECT_EQ(error.code(), ExitCode::bad_input);
        EXPECT_NE(std::string(error.what()).find("do not balance"), std::string::npos) << error.what();
      }
    }
  }
}

/// Beside a part with an outlet there is one without, in which a shear flow enters and leaves.
TEST(OpenBoundaries, PressureHasMeanZeroInClosedParts) {
  const auto in_middle = [](const Vec3& x) { return std::abs(x.x - 0.5) < 0.2; };
  const Coefficient<Vec3> shear = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{x.y - real{0.5}, 0, 0};
  });
  for (const int dimension : {2, 3}) {
    const MeshSource source = dimension == 2
                                  ? with_patches(without_cells(unit_square(10), in_middle, "hole"), side_of_square)
                                  : with_patches(without_cells(unit_cube(5), in_middle, "body"), side_of_cube);
    for (const NamedPartitioner& p : partitioners()) {
      const FlowProblem problem(Comm(), source, p.partition);
      const LocalMesh& mesh = *problem.mesh;
      const FlowBoundaries boundaries = conditions(mesh, {{"left", Inlet{shear}}, {"right", Outlet{real{3}}}});
      VelocityReconstruction fit(mesh, problem.wide, boundaries);
      Field<Node, NodeVelocity> nodes(mesh);
      for (const FlowMethod method : {FlowMethod::exact, FlowMethod::classical}) {
        FlowStepSettings settings = open_settings(0.1, 1e-8, ConvectionForm::central);
        settings.method = method;
        const auto flow = make_flow_step(mesh, settings, boundaries, 0, &problem.wide);
        flow->start_from_rest();
        for (int k = 0; k < 3; ++k) flow->advance(0.02);
        const std::vector<real> pressure =
            flow->balance().pressure(fit.fit(flow->state().flux, flow->time(), nodes)).to_host();
        real sums[2] = {0, 0};  // of p and |p| where no outlet is
        for (int c = 0; c < mesh.owned<Cell>(); ++c) {
          if (mesh.geometry().cell_centre[c].x > 0.5) continue;
          sums[0] += mesh.geometry().cell_volume[c] * pressure[c];
          sums[1] += mesh.geometry().cell_volume[c] * std::abs(pressure[c]);
        }
        mesh.comm().sum(std::span<real>(sums));
        EXPECT_NEAR(sums[0], 0, 1e-13) << p.name << " " << dimension;
        EXPECT_GT(sums[1], 1e-4) << p.name << " " << dimension;
      }
    }
  }
}

/// Over the faces of an opening, of what the cells' pressures and the momentum on the way there make.
std::vector<real> pressures_by_cells(FlowStep& flow, const FlowProblem& problem) {
  const LocalMesh& mesh = *problem.mesh;
  Tractions& tractions = flow.balance().tractions();
  std::vector<real> means;
  for (const Opening& opening : flow.balance().openings()) {
    const PatchIntegral there(mesh, {opening.patch});
    BoundaryField<real> pressure(mesh);
    std::vector<real> values;
    const std::vector<Vec3> forces = tractions.pressure.to_host();
    for (std::size_t i = 0; i < forces.size(); ++i) values.push_back(dot(forces[i], mesh.boundary()[i].outward_normal));
    pressure.from_host(values);
    means.push_back(there.of(&pressure)[0] / there.area());
  }
  return means;
}

struct OpenDomain {
  MeshSource source;
  std::map<std::string, FlowBoundary> conditions;
  std::vector<PairDrive> drives;
};

/// An inlet and two outlets, one of which presses, without and with a pair that drives across; a pair with a given flux
/// and no outlet; neither; a part without outlets beside one that has some.
std::vector<OpenDomain> open_domains() {
  const Coefficient<Vec3> shear = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{x.y - real{0.5}, 0, 0};
  });
  const Coefficient<Vec3> waves = Coefficient<Vec3>::of_place([](const Vec3& x) {
    return Vec3{0, std::sin(2 * pi * x.x), 0};
  });
  const std::map<std::string, FlowBoundary> branching{
      {"left", Inlet{Vec3{1, 0, 0}}}, {"lower", Outlet{}}, {"upper", Outlet{real{2}}}};
  const MeshSource whole = with_patches(square_with_hole(8), side_of_branching);
  const MeshSource in_two =
      with_patches(without_cells(
                       unit_square(10), [](const Vec3& x) { return std::abs(x.x - 0.5) < 0.2; }, "hole"),
                   [](const Vec3& x) { return x.x < 0.3 && x.y < 1e-9 ? "below" : side_of_square(x); });
  MeshSource paired = whole, along = with_patches(square_with_hole(8), side_of_square);
  paired.pairs = {{"bottom", "top"}};
  along.pairs = {{"left", "right"}};
  return {{whole, branching, {}},
          {paired, branching, {{{}, real{1}}}},
          {along, {{"top", Inlet{waves}}}, {{real{0.1}, {}}}},
          {whole, {{"left", Inlet{shear}}, {"lower", Farfield{Vec3{0, 1, 0}}}}, {}},
          {in_two, {{"left", Inlet{shear}}, {"below", Inlet{Vec3{}}}, {"right", Outlet{real{3}}}}, {}}};
}

/// A flow through an open domain; its pressures at the openings, and what the cells say of them.
class FlowThrough {
 public:
  FlowThrough(const OpenDomain& domain, const Partitioner& partition, FlowMethod method, DiffusionForm diffusion)
      : domain_(domain), problem_(Comm(), domain.source, partition) {
    FlowStepSettings settings = open_settings(0.1, method == FlowMethod::exact ? 1e-4 : 1e-11, ConvectionForm::central);
    settings.method = method;
    settings.diffusion = diffusion;
    settings.pressure.tolerance = 1e-11;
    flow_ = make_flow_step(*problem_.mesh, settings, conditions(*problem_.mesh, domain.conditions, domain.drives), 0,
                           &problem_.wide);
    flow_->start_from_rest();
  }
  void advance(int steps) {
    for (int k = 0; k < steps; ++k) flow_->advance(0.02);
  }
  std::vector<real> pressures() const { return comparable(flow_->balance().pressures_at_openings()); }
  std::vector<real> pressures_of_cells() const { return comparable(pressures_by_cells(*flow_, problem_)); }

 private:
  std::vector<real> comparable(std::vector<real> pressures) const {
    const auto of = [&](const char* patch) -> real& {
      std::size_t k = 0;
      while (problem_.mesh->part().patches[flow_->balance().openings()[k].patch] != patch) ++k;
      return pressures[k];
    };
    if (domain_.conditions.contains("below")) {  // only differences mean something in that part
      of("below") -= of("left");
      of("left") = 0;
    }
    return pressures;
  }

  const OpenDomain& domain_;
  FlowProblem problem_;
  std::unique_ptr<FlowStep> flow_;
};

/// Whatever the tolerance is, since one is the adjoint of the other.
TEST(OpenBoundaries, PressuresOfTheExactStepAreThoseOfTheCells) {
  for (const OpenDomain& domain : open_domains()) {
    for (const NamedPartitioner& p : partitioners()) {
      FlowThrough flow(domain, p.partition, FlowMethod::exact, DiffusionForm::rotational);
      flow.advance(4);
      expect_equal(flow.pressures(), flow.pressures_of_cells(), p.name, 1e-7);
    }
  }
}

constexpr std::array frictions{DiffusionForm::rotational, DiffusionForm::face_average};

/// The classical step's own pressure is split off: they are the same once the flow is steady.
TEST(OpenBoundaries, PressuresOfTheClassicalStepBecomeThoseOfTheCells_Long) {
  for (const OpenDomain& domain : open_domains()) {
    for (const DiffusionForm diffusion : frictions) {
      FlowThrough flow(domain, partition_cells, FlowMethod::classical, diffusion);
      flow.advance(250);
      expect_equal(flow.pressures(), flow.pressures_of_cells(), "of the cells", 1e-7);
    }
  }
}

TEST(OpenBoundaries, PressuresOfTheClassicalStepAreTheSameOnAnyPartition_Slow) {
  for (const OpenDomain& domain : open_domains()) {
    for (const DiffusionForm diffusion : frictions) {
      const auto pressures = [&](const Partitioner& partition) {
        FlowThrough flow(domain, partition, FlowMethod::classical, diffusion);
        flow.advance(4);
        return flow.pressures();
      };
      const std::vector<real> expected = pressures(partition_cells);
      for (const NamedPartitioner& p : partitioners()) expect_equal(pressures(p.partition), expected, p.name, 1e-7);
    }
  }
}

}  // namespace
}  // namespace solenoid::test
