/// The model of turbulence of a flow in the case file.
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileTurbulence : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& turbulence, const std::string& flow = "") {
    return "[mesh]\nfile = \"../meshes/square.geo\"\n[flow]\nviscosity = 1\n" + flow +
           "[time]\nend = 2\nstep = 0.1\n[boundary.lid]\ntype = \"wall\"\n[turbulence]\n" + turbulence;
  }
  std::optional<EddyViscosity> model(const std::string& turbulence) const {
    return test::setup<FlowSetup>(read(of(turbulence))).settings.eddies;
  }
};

TEST_F(CaseFileTurbulence, HasAModelAndItsConstant) {
  EXPECT_FALSE(model("").has_value());
  EXPECT_FALSE(model("model = \"none\"\n").has_value());
  const std::optional<EddyViscosity> sigma = model("model = \"sigma\"\n");
  EXPECT_EQ(sigma->kind, EddyViscosity::Kind::sigma);
  EXPECT_EQ(sigma->constant, 1.35);
  const std::optional<EddyViscosity> vreman = model("model = \"vreman\"\nconstant = 0.025\n");
  EXPECT_EQ(vreman->kind, EddyViscosity::Kind::vreman);
  EXPECT_EQ(vreman->constant, 0.025);
}

TEST_F(CaseFileTurbulence, IsAnErrorWhereItCannotBe) {
  EXPECT_EQ(faults(of("model = \"wail\"\n")),
            "`model` in [turbulence] (case.toml:11): found \"wail\", expected \"none\", \"smagorinsky\", \"wale\", "
            "\"vreman\" or \"sigma\"");
  EXPECT_EQ(faults(of("model = \"wale\"\nconstant = -0.5\n")),
            "`constant` in [turbulence] (case.toml:12): found -0.5, expected a number greater than 0");
  EXPECT_EQ(faults(of("constant = 0.5\n")),
            "`constant` in [turbulence] (case.toml:11): found 0.5, expected no constant without a `model`");
  EXPECT_EQ(
      faults(of("model = \"k-omega\"\n")),
      "`model` in [turbulence] (case.toml:11): \"k-omega\" is a model of averaged equations: this program resolves "
      "the large eddies in time");
  EXPECT_EQ(
      faults(of("model = \"sigma\"\n", "convection = \"rotational\"\n")),
      "`model` in [turbulence] (case.toml:12): found \"sigma\", expected \"none\" beside convection = \"rotational\" "
      "in [flow]: a model takes diffusion = \"stress\", and \"skew\" or another convection");
  EXPECT_EQ(
      faults(of("model = \"sigma\"\n", "diffusion = \"rotational\"\n")),
      "`model` in [turbulence] (case.toml:12): found \"sigma\", expected \"none\" beside this `diffusion` in [flow]: "
      "a model takes \"stress\", or \"auto\"");
}

/// Of a wave number, beside no other start.
TEST_F(CaseFileTurbulence, BeginsWithASpectrum) {
  const auto begins = [](const std::string& initial) { return of("", "").append("[initial]\n" + initial); };
  const FlowSetup setup = test::setup<FlowSetup>(read(begins("spectrum = \"3*k^2\"\nseed = 7\n")));
  EXPECT_EQ(setup.random->spectrum.at(Vec3{2, 0, 0}, 0), 12);
  EXPECT_EQ(setup.random->seed, 7);
  EXPECT_FALSE(test::setup<FlowSetup>(read(begins(""))).random.has_value());
  EXPECT_EQ(faults(begins("seed = 7\n")),
            "`seed` in [initial] (case.toml:12): found 7, expected no seed without a `spectrum`");
  EXPECT_NE(faults(begins("spectrum = \"x\"\n")).find("known: k [1/m]"), std::string::npos);
  EXPECT_NE(faults(begins("spectrum = \"k\"\nvelocity = [1, 0, 0]\n")).find("spectrum"), std::string::npos);
}

}  // namespace
}  // namespace solenoid
