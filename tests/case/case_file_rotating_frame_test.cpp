/// A frame that turns in the case file.
#include "physics/flow/flow_setup.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

class CaseFileRotatingFrame : public test::CaseFileTest {
 protected:
  static std::string of(const std::string& flow, const std::string& rest) {
    return "[mesh]\nfile = \"../meshes/square.geo\"\n[flow]\nviscosity = 1\n" + flow + "[time]\nend = 2\nstep = 0.1\n" +
           rest;
  }
  FlowSetup setup(const std::string& flow, const std::string& rest) const {
    return test::setup<FlowSetup>(read(of(flow, rest)));
  }
};

constexpr const char* some_wall = "[boundary.lid]\ntype = \"wall\"\n";

TEST_F(CaseFileRotatingFrame, HasARateAnAxisAndAPoint) {
  EXPECT_FALSE(setup("", some_wall).settings.frame);
  const auto least = setup("frame = { rate = 3 }\n", some_wall).settings.frame;
  ASSERT_TRUE(least);
  EXPECT_EQ(least->rate.z, 3);
  EXPECT_EQ(norm(least->point), 0);
  const auto all = setup("frame = { rate = -2, axis = [0, 4, 0], point = [1, 2, 3] }\n", some_wall).settings.frame;
  EXPECT_EQ(all->rate.y, -2);
  EXPECT_EQ(all->rate.z, 0);
  EXPECT_EQ(all->point.z, 3);
}

TEST_F(CaseFileRotatingFrame, SeesWhatIsToldFromRest) {
  const FlowSetup flow = setup("frame = { rate = 2, point = [1, 0, 0] }\n",
                               "[boundary.stator]\ntype = \"wall\"\nseen_from = \"rest\"\n"
                               "[boundary.rotor]\ntype = \"wall\"\n"
                               "[boundary.in]\ntype = \"inlet\"\nvelocity = [1, \"x\", 0]\nseen_from = \"rest\"\n"
                               "[boundary.out]\ntype = \"outlet\"\npressure = 10\n"
                               "[boundary.hood]\ntype = \"opening\"\ntotal_pressure = 10\nseen_from = \"rest\"\n"
                               "[initial]\nvelocity = [0, 0, \"z\"]\nseen_from = \"rest\"\n");
  const Vec3 x{3, 5, 7};  // Omega x r = (-10, 4, 0)
  const auto velocity = [&](const char* patch) { return given_velocity(flow.boundary.at(patch))->at(x, 0); };
  EXPECT_EQ(velocity("stator").x, 10);
  EXPECT_EQ(velocity("stator").y, -4);
  EXPECT_EQ(norm(velocity("rotor")), 0);
  EXPECT_EQ(velocity("in").x, 11);
  EXPECT_EQ(velocity("in").y, -1);
  EXPECT_EQ(std::get<Outlet>(flow.boundary.at("out")).pressure.at(x, 0), 10 - 58);
  const Outlet& hood = std::get<Outlet>(flow.boundary.at("hood"));
  EXPECT_EQ(hood.pressure.at(x, 0), 10 - 58);
  EXPECT_EQ(hood.drift->at(x, 0).x, 10);
  EXPECT_EQ(flow.initial_velocity.at(x, 0).x, 10);
  EXPECT_EQ(flow.initial_velocity.at(x, 0).z, 7);
  EXPECT_EQ(flow.condition_on("rotor"), "wall at rest in the frame");
  EXPECT_NE(flow.condition_on("in").find("seen from rest"), std::string::npos);
}

TEST_F(CaseFileRotatingFrame, TurnsAndIsMirroredWithTheAxes) {
  const FlowSetup flow = setup("frame = { rate = 2, axis = [1, 0, 0], point = [1, 2, 3] }\n", some_wall);
  const auto seen = [&](const Frame& frame) {
    return dynamic_cast<const FlowSetup&>(*flow.transformed(frame, 3)).settings.frame.value();
  };
  const RotatingFrame turned = seen(Frame::of_axes({2, 0, 1}, {1, 1, 1}));  // x becomes y
  EXPECT_EQ(turned.rate.y, 2);
  EXPECT_EQ(turned.point.y, 1);
  const RotatingFrame mirrored = seen(Frame::of_axes({0, 1, 2}, {-1, 1, 1}));
  EXPECT_EQ(mirrored.rate.x, 2);  // along the normal of the mirror
  EXPECT_EQ(mirrored.point.x, -1);
  EXPECT_EQ(seen(Frame::of_axes({0, 1, 2}, {1, -1, 1})).rate.x, -2);
  const RotatingFrame scaled = seen(Frame::of_units(3, -1));
  EXPECT_EQ(scaled.rate.x, 4);
  EXPECT_EQ(scaled.point.y, 16);
}

TEST_F(CaseFileRotatingFrame, IsRefusedWhereItCannotBe) {
  const std::string turning = "frame = { rate = 2 }\n";
  const auto found = [&](const std::string& flow, const std::string& rest, const char* text) {
    const std::string all = faults(of(flow, rest));
    EXPECT_NE(all.find(text), std::string::npos) << all;
  };
  found("frame = { rate = 1, axis = [0, 0, 0] }\n", some_wall, "expected a direction of any length but 0");
  found("frame = { axis = [0, 0, 1] }\n", some_wall, "`rate`");
  found("frame = 3\n", some_wall, "expected a table");
  found(turning, "[boundary.a]\ntype = \"outlet\"\nseen_from = \"rest\"\n",
        "is for walls, for the velocity of inlets, and for openings");
  found(turning, "[boundary.a]\ntype = \"opening\"\ntotal_pressure = 1\ndirection = [1, 0, 0]\nseen_from = \"rest\"\n",
        "expected \"frame\" beside `direction`");
  found(turning, "[boundary.a]\ntype = \"inlet\"\nflow_rate = 1\nseen_from = \"rest\"\n", "belongs to `velocity`");
  found(turning, "[boundary.a]\ntype = \"wall\"\nwall = \"log-law\"\nseen_from = \"rest\"\n", "turns with the frame");
  found(turning,
        std::string(some_wall) +
            "[temperature]\ndiffusivity = 1\nexpansion = 1\nreference = 1\n[initial]\ntemperature = 1\n",
        "expected an axis along `gravity` in [temperature]");
}

}  // namespace
}  // namespace solenoid
