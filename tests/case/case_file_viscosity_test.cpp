/// The viscosity of a flow in the case file: a number, laws of the shear rate, expressions of the temperature.
#include "physics/scalar/scalar_flow.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileViscosity : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& viscosity, const std::string& others = "", const std::string& flow = "") {
    return "[mesh]\nfile = \"../meshes/square.geo\"\n[flow]\nviscosity = " + viscosity + "\n" + flow +
           "[time]\nend = 2\nstep = 0.1\n[boundary.lid]\ntype = \"wall\"\n" + others;
  }
  FlowStepSettings settings(const std::string& viscosity) const {
    return test::setup<FlowSetup>(read(of(viscosity))).settings;
  }
};

constexpr const char* beside_temperature = "[temperature]\ndiffusivity = 1\n[initial]\ntemperature = 300\n";

TEST_F(CaseFileViscosity, IsALaw) {
  const auto power = settings("{ law = \"power-law\", consistency = 0.02, exponent = 0.5, min = 1e-4, max = 4.0 }").law;
  ASSERT_TRUE(power.has_value());
  EXPECT_NEAR((*power)(16), 0.02 / 2, 1e-15);
  EXPECT_EQ((*power)(0), 4);
  EXPECT_EQ((*power)(1e16), 1e-4);
  const auto carreau = settings("{ law = \"carreau\", zero = 5, infinite = 1, time = 2.0, exponent = 0 }").law;
  EXPECT_EQ((*carreau)(0), 5);
  EXPECT_NEAR((*carreau)(2), 1 + real{4} / 3, 1e-14);
  const auto cross = settings("{ law = \"cross\", zero = 5, infinite = 1, time = 2.0, exponent = 1 }").law;
  EXPECT_NEAR((*cross)(4), 1 + real{4} / 5, 1e-14);
  const auto bingham = settings("{ law = \"bingham\", plastic = 1, yield_stress = 3, regularisation = 2 }").law;
  EXPECT_EQ((*bingham)(0), 1 + 3 * 2);
  EXPECT_NEAR((*bingham)(4), 1 + 3 * (1 - std::exp(real{-4})) / 2, 1e-14);
}

TEST_F(CaseFileViscosity, ThatDoesNotVaryIsANumber) {
  for (const char* const law :
       {"{ law = \"power-law\", consistency = 0.25, exponent = 1, min = 1e-3, max = 4.0 }",
        "{ law = \"carreau\", zero = 0.25, infinite = 0.1, time = 2.0, exponent = 1 }",
        "{ law = \"cross\", zero = 0.25, infinite = 0.25, time = 2.0, exponent = 0.5 }",
        "{ law = \"cross\", zero = 0.375, infinite = 0.125, time = 2.0, exponent = 0 }",
        "{ law = \"bingham\", plastic = 0.25, yield_stress = 0, regularisation = 2 }", "0.25"}) {
    const FlowStepSettings found = settings(law);
    EXPECT_FALSE(found.viscosity_varies()) << law;
    EXPECT_EQ(found.viscosity, 0.25) << law;
  }
  const Case c = read(of("\"0.5/2\"", beside_temperature));
  EXPECT_FALSE(test::setup<ScalarFlowSetup>(c).flow.settings.viscosity_varies());
  EXPECT_EQ(test::setup<ScalarFlowSetup>(c).flow.settings.viscosity, 0.25);
}

TEST_F(CaseFileViscosity, FollowsTheTemperature) {
  const Case c = read(of("\"1e-3*exp(-0.02*(T - 300))\"", beside_temperature));
  const FlowStepSettings& found = test::setup<ScalarFlowSetup>(c).flow.settings;
  ASSERT_TRUE(found.of_temperature.has_value());
  EXPECT_NEAR(found.of_temperature->at(Vec3{350, 0, 0}, 0), 1e-3 * std::exp(real{-1}), 1e-18);
}

/// One that has no value at the temperature of a room.
TEST_F(CaseFileViscosity, IsRelatedToATemperatureThatItIsFor) {
  const auto related = [&](const std::string& viscosity, const std::string& others) {
    const Case c = read(of(viscosity, "[temperature]\ndiffusivity = 1\n" + others));
    const FlowStepSettings settings = test::setup<ScalarFlowSetup>(c).flow.settings;
    EXPECT_EQ(settings.viscosity, settings.of_temperature->at(Vec3{settings.temperature, 0, 0}, 0)) << others;
    EXPECT_GT(settings.viscosity, 0) << others;
    return settings.temperature;
  };
  EXPECT_EQ(related("\"1e-9*(T - 400)\"", "[initial]\ntemperature = 650\n"), 650);
  EXPECT_EQ(related("\"1e-9*(T - 400)\"", "[initial]\nresult = \"earlier\"\ntemperature = 650\n"), 650);
  const std::string at_a_place = "[initial]\ntemperature = \"650 + 50*x\"\n";
  EXPECT_GT(related("\"1e-9*(T - 400)\"", at_a_place), 400);
  EXPECT_LT(related("\"1e-9*(2 - T)\"", at_a_place), 2);
  std::ofstream(folder_ / "liquid.csv") << "T,nu\n500,2e-7\n900,1e-7\n";
  const std::string table =
      "[[table]]\nname = \"liquid\"\nfile = \"liquid.csv\"\narguments = [\"T\"]\nvalue = \"nu\"\n";
  const real found = related("\"liquid(T)\"", at_a_place + table);
  EXPECT_GE(found, 500);
  EXPECT_LE(found, 900);
  const std::string both = faults(of("\"liquid(T)\"", beside_temperature + table, "diffusion = \"curl\"\n"));
  EXPECT_EQ(both.substr(0, both.find(", expected")),
            "`viscosity` in [flow] (case.toml:4): expression \"liquid(T)\": liquid: `T` is 300, beyond its table from "
            "500 to 900\n`diffusion` in [flow] (case.toml:5): found \"curl\"");
}

TEST_F(CaseFileViscosity, HasValuesAfterATemperatureBeyondItsTables) {
  std::ofstream(folder_ / "liquid.csv") << "T,nu\n500,2e-7\n900,1e-7\n";
  std::string tables;
  for (const char* const name : {"one", "other"}) {
    tables += message("[[table]]\nname = \"{}\"\nfile = \"liquid.csv\"\narguments = [\"T\"]\nvalue = \"nu\"\n", name);
  }
  const Case c =
      read(of("\"one(T) + other(T)\"", "[temperature]\ndiffusivity = 1\n[initial]\ntemperature = 700\n" + tables));
  const Coefficient<real>& viscosity = *test::setup<ScalarFlowSetup>(c).flow.settings.of_temperature;
  EXPECT_THROW(viscosity.at(Vec3{100, 0, 0}, 0), Error);
  EXPECT_NEAR(viscosity.at(Vec3{700, 0, 0}, 0), 3e-7, 1e-18);
}

/// Until the restart brings back the temperature: none of the earlier run is needed.
TEST_F(CaseFileViscosity, HasAValueWhereARestartForgetsTheBeginning) {
  const Case c = read(of("\"1e-9*exp(1800/T)\"",
                         "temperature = 350\n[temperature]\ndiffusivity = 1\n[initial]\nresult = \"earlier\"\n"));
  ScalarFlowSetup setup = test::setup<ScalarFlowSetup>(c);
  setup.forget_beginning();
  const FlowStepSettings& settings = setup.flow.settings;
  const std::optional<real>& first = setup.scalars.front().first_values().constant();
  ASSERT_TRUE(first.has_value());
  EXPECT_EQ(*first, 350);
  EXPECT_EQ(settings.of_temperature->at(Vec3{*first, 0, 0}, 0), settings.viscosity);
}

TEST_F(CaseFileViscosity, HasFaultsWithAWayOut) {
  const std::string law = "`law` in [flow.viscosity] (case.toml:4): ";
  EXPECT_EQ(faults(of("{ law = \"casson\" }")),
            law + "found \"casson\", expected \"power-law\", \"carreau\", \"cross\" or \"bingham\"");
  EXPECT_EQ(faults(of("{ law = \"bingham\", plastic = 1, yield_stress = 3 }")),
            "missing key `regularisation` in [flow.viscosity] (case.toml:4): expected a number greater than 0");
  EXPECT_EQ(faults(of("{ law = \"cross\", zero = 1, infinite = 0, time = 1, exponent = 0.5, max = 2 }")),
            "unknown key `max` in [flow.viscosity] (case.toml:4): known are `law`, `zero`, `infinite`, `time` and "
            "`exponent`");
  EXPECT_EQ(faults(of("{ law = \"power-law\", consistency = 1, exponent = 0.5, min = 2, max = 1 }")),
            "`max` in [flow.viscosity] (case.toml:4): found 1, expected a number of at least that of `min`");
  EXPECT_EQ(faults(of("{ law = \"power-law\", consistency = 1, exponent = 1.5, min = 1e-9, max = 1e9 }")),
            "`exponent` in [flow.viscosity] (case.toml:4): found 1.5, expected a stress that grows as the shear rate "
            "to the power of 1.3 at most, here it is 1.5: steps with a fluid that thickens more are not stable");
  EXPECT_EQ(faults(of("{ law = \"cross\", zero = 1, infinite = 1e-4, time = 1, exponent = 1.4 }")),
            "`exponent` in [flow.viscosity] (case.toml:4): found 1.4, expected a law whose stress, viscosity times "
            "shear rate, nowhere falls as the shear rate grows");
  EXPECT_EQ(faults(of("\"1e-3*T\"")),
            "`viscosity` in [flow] (case.toml:4): found \"1e-3*T\", expected a number greater than 0, or a table { law "
            "= \"carreau\", ... }");
  EXPECT_EQ(faults(of("\"1e-3*x\"", beside_temperature)),
            "`viscosity` in [flow] (case.toml:4): expression \"1e-3*x\": unknown name or character \"x\"\n  1e-3*x\n  "
            "     ^\n  known: T [K], pi, and the functions" +
                faults(of("\"1e-3*x\"", beside_temperature))
                    .substr(faults(of("\"1e-3*x\"", beside_temperature)).find("functions") + 9));
  EXPECT_EQ(faults(of("\"293.15 - T\"", beside_temperature)),
            "`viscosity` in [flow] (case.toml:4): found \"293.15 - T\", expected an expression of T that is greater "
            "than 0; at T = 300 K it is -6.85");
  EXPECT_EQ(faults(of("\"-T\"", "[temperature]\ndiffusivity = 1\n[initial]\ntemperature = \"300 + x\"\n")),
            "`viscosity` in [flow] (case.toml:4): found \"-T\", expected an expression of T that is greater than 0 at "
            "the temperatures of the flow; it nowhere is");
  EXPECT_EQ(faults(of("\"1/0\"", beside_temperature)).find("`viscosity` in [flow] (case.toml:4): expression"), 0u);
  EXPECT_EQ(faults(of("{ law = \"cross\", zero = 2, infinite = 1, time = 1, exponent = 0.5 }", "",
                      "diffusion = \"rotational\"\n")),
            "`diffusion` in [flow] (case.toml:5): found \"rotational\", expected \"auto\" or \"stress\": no other "
            "friction has a viscosity that varies");
  EXPECT_EQ(faults(of("{ law = \"cross\", zero = 2, infinite = 1, time = 1, exponent = 0.5 }",
                      "[boundary.in]\ntype = \"inlet\"\nflow_rate = 1\nprofile = \"developed\"\n[boundary.out]\ntype = "
                      "\"outlet\"\n")),
            "`[flow.viscosity]` (case.toml:4): found a table, expected a number, for profile = \"developed\" in "
            "[boundary.in] is that of one viscosity, or there \"uniform\" or an expression");
}

}  // namespace
}  // namespace solenoid
