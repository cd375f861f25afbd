/// Walls of a flow that are not resolved, in the case file.
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileLogLaw : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& boundary, const std::string& flow = "viscosity = 1\n") {
    return "[mesh]\nfile = \"../meshes/square.geo\"\n[flow]\n" + flow +
           "[time]\nend = 2\nstep = 0.1\n[boundary.lid]\ntype = \"wall\"\n" + boundary;
  }
  FlowSetup flow(const std::string& boundary) const { return test::setup<FlowSetup>(read(of(boundary))); }
};

TEST_F(CaseFileLogLaw, IsOfASmoothOrARoughWall) {
  const FlowSetup smooth = flow("wall = \"log-law\"\n"), rough = flow("wall = \"log-law\"\nroughness = 0.125\n");
  EXPECT_EQ(given_wall_law(smooth.boundary.at("lid"))->roughness, 0);
  EXPECT_EQ(given_wall_law(rough.boundary.at("lid"))->roughness, 0.125);
  EXPECT_EQ(smooth.condition_on("lid"), "wall, log law, smooth");
  EXPECT_EQ(rough.condition_on("lid"), "wall, log law, roughness 0.125 m");
  EXPECT_EQ(flow("wall = \"no-slip\"\n").condition_on("lid"), "wall at rest");
}

TEST_F(CaseFileLogLaw, IsAnErrorWhereItCannotBe) {
  EXPECT_EQ(faults(of("wall = \"loglaw\"\n")),
            "`wall` in [boundary.lid] (case.toml:10): found \"loglaw\", expected \"no-slip\" or \"log-law\": did you "
            "mean \"log-law\"?");
  EXPECT_EQ(faults(of("wall = \"log-law\"\nroughness = -1\n")),
            "`roughness` in [boundary.lid] (case.toml:11): found -1, expected a number of at least 0");
  EXPECT_EQ(faults(of("roughness = 1\n")),
            "`roughness` in [boundary.lid] (case.toml:10) belongs to wall = \"log-law\"");
  EXPECT_EQ(faults(of("wall = \"log-law\"\nvelocity = [1, 0, 0]\n")),
            "`velocity` in [boundary.lid] (case.toml:11) is not for wall = \"log-law\": such a wall is at rest");
  EXPECT_EQ(faults(of("wall = \"log-law\"\n", "viscosity = 0\n")).find("`viscosity` in [flow] (case.toml:4): found 0"),
            0u);
  EXPECT_NE(faults(of("wall = \"log-law\"\n", "viscosity = 1\nconvection = \"rotational\"\n")).find("`convection`"),
            std::string::npos);
}

}  // namespace
}  // namespace solenoid
