/// The tables of what a flow carries along: what they take, and what each fault's message says.
#include "physics/scalar/scalar_flow.hpp"
#include "support/case_files.hpp"
#include "support/meshes.hpp"

namespace solenoid {
namespace {

constexpr const char* with_temperature =
    "[mesh]\n"  // 1
    "file = \"a.msh\"\n"
    "[flow]\n"  // 3
    "viscosity = 1\n"
    "[time]\n"  // 5
    "end = 2\n"
    "cfl = 0.5\n"  // 7
    "[temperature]\n"
    "diffusivity = 3\n"  // 9
    "[initial]\n"
    "temperature = 280\n"  // 11
    "[boundary.in]\n"
    "type = \"inlet\"\n"  // 13
    "velocity = [1, 0, 0]\n"
    "temperature = 290\n"  // 15
    "[boundary.out]\n"
    "type = \"outlet\"\n"  // 17
    "[boundary.wall]\n"
    "type = \"wall\"\n"  // 19
    "temperature_flux = \"x\"\n";

using CaseFileScalar = test::CaseFileTest;

TEST_F(CaseFileScalar, ReadsATemperature) {
  const Case c = read(with_temperature);
  const auto& flow = test::setup<ScalarFlowSetup>(c);
  ASSERT_EQ(flow.scalars.size(), 1U);
  const ScalarSetup& temperature = flow.scalars[0];
  EXPECT_EQ(temperature.diffusivity, 3);
  EXPECT_EQ(temperature.settings.convection, ScalarConvection::central);
  EXPECT_EQ(temperature.initial.constant(), 280);
  EXPECT_FALSE(temperature.buoyancy);
  EXPECT_EQ(temperature.boundary.at("in").f().constant(), 290);
  EXPECT_EQ(temperature.boundary.at("wall").f().at(Vec3{4, 0, 0}, 0), 4);
  EXPECT_FALSE(temperature.boundary.contains("out"));
  EXPECT_EQ(flow.condition_on("in"), "inlet, velocity (1, 0, 0) m/s; temperature 290 K comes in");
  EXPECT_EQ(flow.time->end, 2);
}

/// The initial temperature is 280 K, the entering one 290 K.
TEST_F(CaseFileScalar, TellsOfAReferenceOutsideAllGivenTemperatures) {
  const auto with_reference = [](const std::string& reference) {
    return with(with_temperature, 9, "diffusivity = 3\nexpansion = 0.1\nreference = " + reference);
  };
  for (const char* inside : {"280", "285", "290"}) EXPECT_TRUE(read(with_reference(inside)).setup->warnings().empty());
  for (const char* outside : {"12", "290.1"}) {
    EXPECT_EQ(
        read(with_reference(outside)).setup->warnings(),
        std::vector{message("`reference` in [temperature], {} K, is outside all given temperatures, 280 to 290 K: "
                            "the mean temperature then drives the flow wherever it can leave; are Celsius and "
                            "kelvins mixed?",
                            outside)});
  }
  EXPECT_TRUE(read(with(with_reference("12"), 13, "temperature = \"280 + x\"")).setup->warnings().empty());
}

TEST_F(CaseFileScalar, ReadsBuoyancyAndScalars) {
  const Case c =
      read(with(with(with_temperature, 15, "temperature = 290\ndye = \"y\""), 9,
                "diffusivity = 3\nexpansion = 0.1\nreference = 285\nnusselt_length = 2\n"
                "nusselt_difference = 5\n[[scalar]]\nname = \"dye\"\ndiffusivity = 0\n") +
           "dye_transfer = 2\ndye_ambient = 1\n[solver.scalar]\ntolerance = 1e-3\n[solver.heat]\ntolerance = 1e-4\n");
  const auto& flow = test::setup<ScalarFlowSetup>(c);
  ASSERT_EQ(flow.scalars.size(), 2U);
  EXPECT_EQ(flow.scalars[0].buoyancy->gravity.y, real{-9.81});
  EXPECT_EQ(flow.scalars[0].nusselt->length, 2);
  EXPECT_EQ(flow.scalars[0].settings.solver.tolerance, real{1e-4});
  const ScalarSetup& dye = flow.scalars[1];
  EXPECT_EQ(dye.settings.convection, ScalarConvection::limited);
  EXPECT_EQ(dye.settings.solver.name, "dye");
  EXPECT_EQ(dye.settings.solver.tolerance, real{1e-3});
  EXPECT_EQ(dye.boundary.at("wall").g().constant(), 1);
  EXPECT_EQ(dye.initial.constant(), 0);
}

TEST_F(CaseFileScalar, ReadsSolids) {
  const Case c = read(with(with_temperature, 9,
                           "diffusivity = 3\nheat_capacity = 4\n[region.block]\nsolid = true\nconductivity = 6\n"
                           "heat_capacity = 2\nsource = \"8*x\"\n[region.fluid]\n"));
  const auto& flow = test::setup<ScalarFlowSetup>(c);
  EXPECT_EQ(flow.solids(), std::vector<std::string>{"block"});
  EXPECT_EQ(flow.wetted_patches(), (std::vector<std::string>{"in", "out", "wall", "block"}));
  const SolidRegion& block = flow.scalars[0].solids.at(0);
  EXPECT_EQ(block.conductivity, 1.5);
  EXPECT_EQ(block.heat_capacity, 0.5);
  EXPECT_EQ(block.source.at(Vec3{3, 0, 0}, 0), 6);
  const auto mesh = test::make_mesh(Comm(), test::with_solid(
                                                unit_square(4), [](const Vec3& x) { return x.x < 0.5; }, "block"));
  const ScalarProblem problem = flow.scalars[0].problem(*mesh, Wall{}, {});
  EXPECT_EQ(problem.diffusion.conductivity.in(0).constant(), 1.5);
  EXPECT_EQ(problem.diffusion.conductivity.in(1).constant(), 3);
  EXPECT_EQ(problem.diffusion.conductivity.in(-1).constant(), 3);
  EXPECT_EQ(problem.diffusion.heat_capacity->in(1).constant(), 1);
}

TEST_F(CaseFileScalar, NamesWhatIsWrong) {
  EXPECT_EQ(faults(with(with_temperature, 15, "")),
            "missing key `temperature` in [boundary.in] (case.toml:12): expected a number or an expression in quotes");
  EXPECT_EQ(faults(with(with_temperature, 9, "diffusivity = 0")),
            "`diffusivity` in [temperature] (case.toml:9): found 0, expected a number greater than 0");
  EXPECT_EQ(faults(with(with_temperature, 9, "diffusivity = 1\nreference = 3")),
            "`reference` in [temperature] (case.toml:10) is for buoyancy: give `expansion` too");
  EXPECT_EQ(faults(with(with_temperature, 20, "temperature_flux = 1\ntemperature = 2")),
            "`temperature` and `temperature_flux` in [boundary.wall] (case.toml:21): found both, expected at most one");
  EXPECT_EQ(faults(with(with_temperature, 17, "type = \"outlet\"\ntemperature_flux = 1")),
            "`temperature_flux` in [boundary.out] (case.toml:18) is for walls");
  EXPECT_EQ(faults(std::string(with_temperature) + "[[scalar]]\nname = \"velocity\"\ndiffusivity = 1\n"),
            "`name` in [[scalar]] (case.toml:22): found \"velocity\", expected a name that nothing else in the flow "
            "has, nor begins "
            "with before a _");
  EXPECT_EQ(faults(std::string(with_temperature) + "[solver.scalar]\n"),
            "`[solver.scalar]` (case.toml:21) belongs to a [[scalar]], of which there is none");
}

}  // namespace
}  // namespace solenoid
