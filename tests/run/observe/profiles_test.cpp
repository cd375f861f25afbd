/// Profiles of a run: means and variances over time, what is kept for a restart, and what another case makes of it.
#include "run/observe/profiles.hpp"

#include <gtest/gtest.h>

#include "physics/heat/heat_setup.hpp"
#include "support/kept_state.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// A profile of u = (t, y + sign(x), -t sign(x)) at nodes and p = 2 t y in cells of a cube, in steps of 0.05 s.
struct ProfileOfRun {
  std::unique_ptr<LocalMesh> mesh;
  Field<Node, Vec3> velocity;
  Field<Cell> pressure;
  HeatSetup setup;
  real time = 0;
  int step = 0;
  Profile profile;
  std::string said;

  explicit ProfileOfRun(const ProfileSettings& settings)
      : mesh(make_mesh(Comm(), unit_cube(5))),
        velocity(*mesh),
        pressure(*mesh),
        profile(*mesh, setup, settings, quantities()) {}

  std::vector<Quantity> quantities() {
    const auto u = [this]() -> Evaluated {
      std::vector<Vec3> values;
      for (int n = 0; n < velocity.owned(); ++n) {
        const Vec3& x = mesh->part().points[n];
        const real side = x.x > real{0.5} ? 1 : -1;
        values.push_back({time, x.y + side, -time * side});
      }
      velocity.from_host(values);
      halo(velocity);
      return &velocity;
    };
    const auto p = [this]() -> Evaluated {
      std::vector<real> values;
      for (int c = 0; c < pressure.owned(); ++c) values.push_back(2 * time * mesh->geometry().cell_centre[c].y);
      pressure.from_host(values);
      halo(pressure);
      return &pressure;
    };
    return {{{"velocity", "velocity", "m/s", ValuesAt::nodes, 3}, false, u},
            {{"pressure", "pressure", "m^2/s^2", ValuesAt::cells, 1}, false, p}};
  }
  void begin() { profile.sample(0, 0); }
  void steps(int count) {
    for (int k = 0; k < count; ++k) {
      time = real{0.05} * static_cast<real>(++step);
      profile.sample(step, time);
    }
  }
  void go_on_from(ProfileOfRun& other) {
    KeptState kept(Comm{});
    other.profile.visit_state(kept);
    kept.restores = true;
    profile.visit_state(kept);
    step = other.step;
    time = other.time;
    profile.go_on(time, [this](const std::string& line) { said += line + "\n"; });
  }
  std::vector<std::vector<CsvValue>> look() {
    std::vector<std::vector<CsvValue>> rows;
    profile.look(time, [&] { rows = profile.rows(); });
    return rows;
  }
  double at(const std::vector<CsvValue>& row, const std::string& name) const {
    const std::vector<std::string> columns = profile.columns();
    for (std::size_t k = 0; k < columns.size(); ++k) {
      if (columns[k].starts_with(name + " [")) return std::get<double>(row.at(k));
    }
    ADD_FAILURE() << "no column " << name;
    return 0;
  }
};

ProfileSettings profile_of(std::vector<std::string> fields, bool variance, double from = 0, int every = 1) {
  ProfileSettings settings;
  settings.name = "m";
  settings.fields = std::move(fields);
  settings.from = from;
  settings.variance = variance;
  settings.every_steps = every;
  return settings;
}

constexpr double tight = sizeof(real) == 8 ? 1e-13 : 2e-5;

TEST(Profiles, HaveMeansAndVariancesOverPlanesAndTime) {
  ProfileOfRun run(profile_of({"velocity", "pressure"}, true));
  run.begin();
  run.steps(20);
  EXPECT_EQ(run.profile.columns(),
            (std::vector<std::string>{
                "s [m]", "volume [m^3]", "velocity_mean_x [m/s]", "velocity_mean_y [m/s]", "velocity_mean_z [m/s]",
                "velocity_variance_x [(m/s)^2]", "velocity_variance_y [(m/s)^2]", "velocity_variance_z [(m/s)^2]",
                "velocity_covariance_xy [(m/s)^2]", "velocity_covariance_yz [(m/s)^2]",
                "velocity_covariance_zx [(m/s)^2]", "pressure_mean [m^2/s^2]", "pressure_variance [(m^2/s^2)^2]"}));
  const auto rows = run.look();
  ASSERT_EQ(rows.size(), 6u);
  // the trapezoidal rule's mean of t^2 over a second in steps of h is 1/3 + h^2/6; of squares about the mean of the
  // two ends of each step it is the same
  const double square = 1.0 / 3 + 0.0025 / 6, of_time = square - 0.25;
  for (std::size_t k = 1; k + 1 < rows.size();
       ++k) {  // in the first and last layer are the volumes at the edges uneven
    SCOPED_TRACE(k);
    const double y = 0.2 * static_cast<double>(k);
    EXPECT_NEAR(run.at(rows[k], "s"), y, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_mean_x"), 0.5, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_variance_x"), of_time, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_mean_y"), y, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_variance_y"), 1, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_mean_z"), 0, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_variance_z"), square, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_covariance_xy"), 0, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_covariance_yz"), -0.5, tight);
    EXPECT_NEAR(run.at(rows[k], "velocity_covariance_zx"), 0, tight);
    EXPECT_NEAR(run.at(rows[k], "pressure_mean"), y, tight);
    EXPECT_NEAR(run.at(rows[k], "pressure_variance"), 4 * y * y * of_time, tight);
  }
}

TEST(Profiles, ReachFromTheirBeginningToTheOutputWhateverTheirSamples) {
  for (const int every : {1, 2, 9}) {
    ProfileOfRun run(profile_of({"velocity"}, false, 0.3, every));
    run.begin();
    run.steps(5);
    EXPECT_FALSE(run.profile.has_begun());
    run.steps(15);
    const auto rows = run.look();
    EXPECT_NEAR(run.at(rows[2], "velocity_mean_x"), 0.65, tight);
    EXPECT_EQ(run.look(), rows);
  }
}

TEST(Profiles, GoOnBitForBit) {
  for (const bool variance : {false, true}) {
    const ProfileSettings settings = profile_of({"velocity", "pressure"}, variance, 0.1, 3);
    ProfileOfRun whole(settings), first(settings), again(settings);
    whole.begin(), first.begin();
    whole.steps(20), first.steps(10);
    again.go_on_from(first);
    again.steps(10);
    EXPECT_EQ(again.said, "");
    EXPECT_EQ(again.look(), whole.look());
  }
}

TEST(Profiles, BeginAnewWhereTheirPlanesOrVarianceAreNew) {
  ProfileSettings fewer = profile_of({"pressure"}, false);
  fewer.planes.points = 3;
  ProfileSettings lower = profile_of({"pressure"}, false);
  lower.planes.within = BoxOfPoints{{0, 0, 0}, {0.5, 1, 1}};
  for (const auto& [settings, why] :
       {std::pair(fewer, "the samples so far are of other planes"),
        std::pair(lower, "the samples so far are of another direction or part of the mesh"),
        std::pair(profile_of({"pressure"}, true), "the samples so far have no variance"),
        std::pair(profile_of({"pressure"}, false, 0.25), "the samples so far began before `from`")}) {
    ProfileOfRun first(profile_of({"pressure"}, false)), run(settings);
    first.begin();
    first.steps(10);
    run.go_on_from(first);
    EXPECT_EQ(run.said, message("  profile  m: pressure begins at t = 0.5 s: {}\n", why));
    run.steps(10);
    const auto rows = run.look();
    EXPECT_NEAR(run.at(rows.back(), "pressure_mean"), 1.5, tight);
  }
}

}  // namespace
}  // namespace solenoid::test
