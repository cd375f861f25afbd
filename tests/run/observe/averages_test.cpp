/// Averages of a run: from `from` to the moment of an output whatever their samples, and what another case makes of a
/// state.
#include "run/observe/averages.hpp"

#include <gtest/gtest.h>

#include "support/kept_state.hpp"
#include "support/meshes.hpp"

namespace solenoid::test {
namespace {

/// A model of two fields that are known: u = (t^2, 0, 0) at nodes and p = 2 t in cells.
struct KnownFields {
  std::unique_ptr<LocalMesh> mesh = make_mesh(Comm(), unit_square(3));
  Field<Node, Vec3> velocity{*mesh};
  Field<Cell> pressure{*mesh};
  real time = 0;
  std::vector<Quantity> quantities() {
    const auto u = [this]() -> Evaluated {
      velocity.from_host(std::vector<Vec3>(velocity.owned(), Vec3{time * time, 0, 0}));
      return &velocity;
    };
    const auto p = [this]() -> Evaluated {
      pressure.from_host(std::vector<real>(pressure.owned(), 2 * time));
      return &pressure;
    };
    return {{{"velocity", "velocity", "m/s", ValuesAt::nodes, 3}, false, u},
            {{"pressure", "pressure", "m^2/s^2", ValuesAt::cells, 1}, false, p}};
  }
};

/// One average of them, in steps of 0.05 s.
struct AverageOfRun {
  KnownFields fields;
  Average average;
  int step = 0;
  std::string said;

  explicit AverageOfRun(const AverageSettings& settings) : average(*fields.mesh, settings, fields.quantities()) {}
  void begin() { average.sample(0, 0); }
  void step_to(real time) {
    fields.time = time;
    average.sample(++step, time);
  }
  void steps(int count) {
    for (int k = 0; k < count; ++k) step_to(real{0.05} * static_cast<real>(step + 1));
  }
  void go_on_from(AverageOfRun& other) {
    KeptState kept(Comm{});
    other.average.visit_state(kept);
    kept.restores = true;
    average.visit_state(kept);
    step = other.step;
    fields.time = other.fields.time;
    average.go_on(fields.time, [this](const std::string& line) { said += line + "\n"; });
  }
  /// The first component of each array at the first of its places, up to now.
  std::map<std::string, real> look() {
    std::map<std::string, real> found;
    average.look(fields.time, [&] {
      for (const Quantity& quantity : average.quantities()) {
        const std::vector<real> values = to_host(quantity.evaluate());
        if (!values.empty()) found[quantity.info.name] = values.front();
      }
    });
    return found;
  }
  std::map<std::string, double> times() const {
    ModelOutcome outcome;
    average.conclude(outcome);
    const auto& times = std::get<std::vector<std::pair<std::string, double>>>(outcome.figures.at(0).value);
    return {times.begin(), times.end()};
  }
};

AverageSettings settings_of(std::vector<std::string> fields, double from = 0, bool variance = false, int every = 1) {
  AverageSettings settings;
  settings.name = "m";
  settings.fields = std::move(fields);
  settings.from = from;
  settings.variance = variance;
  settings.every_steps = every;
  return settings;
}

constexpr real round_off = sizeof(real) == 8 ? 1e-13 : 1e-5;

void expect_mean_of(AverageOfRun& run, const char* name, real expected) {
  const auto found = run.look();
  if (found.empty()) return;
  EXPECT_NEAR(found.at(name), expected, round_off) << name;
}

TEST(Averages, ReachFromTheirBeginningToTheOutputWhateverTheirSamples) {
  for (const int every : {1, 2, 9, 30}) {
    SCOPED_TRACE(every);
    AverageOfRun run(settings_of({"pressure"}, 0.33, false, every));
    run.begin();
    run.steps(6);
    EXPECT_FALSE(run.average.has_begun());
    run.step_to(real{0.33});
    EXPECT_TRUE(run.average.has_begun());
    expect_mean_of(run, "pressure_mean", real{0.66});
    run.step = 6;  // one more would land on a step of the others
    run.steps(7);
    expect_mean_of(run, "pressure_mean", real{0.33} + real{0.65});  // in the middle of .33 and .65
    run.steps(7);
    expect_mean_of(run, "pressure_mean", real{1.33});
    EXPECT_NEAR(run.times().at("from"), 0.33, 1e-6);
    EXPECT_NEAR(run.times().at("to"), 1, 1e-6);
  }
}

TEST(Averages, AreTheSameWhoeverLooksMeanwhile) {
  AverageOfRun seen(settings_of({"velocity"}, 0, true, 4)), unseen(settings_of({"velocity"}, 0, true, 4));
  for (AverageOfRun* run : {&seen, &unseen}) {
    run->begin();
    for (int k = 0; k < 11; ++k) {
      run->steps(1);
      if (run == &seen) run->look();
    }
  }
  EXPECT_EQ(seen.look(), unseen.look());
  EXPECT_EQ(seen.times(), unseen.times());
}

/// The trapezoidal rule's mean of t^2 over [a, b] in steps of h: that of t^2, and h^2 / 6.
real mean_of_square(real a, real b) { return (a * a + a * b + b * b) / 3 + real{0.05} * real{0.05} / 6; }

TEST(Averages, GoOnWhereTheCaseAddsAField) {
  AverageOfRun run(settings_of({"velocity", "pressure"}));
  {
    AverageOfRun first(settings_of({"velocity"}));
    first.begin();
    first.steps(10);
    run.go_on_from(first);
  }
  EXPECT_EQ(run.said, "  average  m: pressure begins at t = 0.5 s\n");
  run.steps(10);
  expect_mean_of(run, "velocity_mean", mean_of_square(0, 1));
  expect_mean_of(run, "pressure_mean", real{1.5});
  EXPECT_EQ(run.times().at("from"), 0);
  EXPECT_NEAR(run.times().at("from_pressure"), 0.5, 1e-6);
}

TEST(Averages, BeginAnewWhereTheirVarianceIsNew) {
  AverageOfRun run(settings_of({"pressure"}, 0, true));
  AverageOfRun first(settings_of({"pressure"}));
  first.begin();
  first.steps(10);
  run.go_on_from(first);
  EXPECT_EQ(run.said, "  average  m: pressure begins at t = 0.5 s: the samples so far have no variance\n");
  run.steps(10);
  expect_mean_of(run, "pressure_mean", real{1.5});
  // of 2 t over half a second: 4 / 12 (1/2)^2, and by the rule for squares 4 h^2 / 6 more
  expect_mean_of(run, "pressure_variance", real{1} / 12 + 4 * real{0.0025} / 6);
  AverageOfRun plain(settings_of({"pressure"}));  // the other way round nothing is lost
  plain.go_on_from(run);
  EXPECT_EQ(plain.said, "  average  m: pressure has nothing from before t = 0.5 s\n");
  expect_mean_of(plain, "pressure_mean", real{1.5});
}

TEST(Averages, TakeAnotherBeginning) {
  for (const auto& [from, begin] : {std::pair(0.75, 0.75), std::pair(0.25, 0.5), std::pair(0.5, 0.5)}) {
    SCOPED_TRACE(from);
    AverageOfRun first(settings_of({"pressure"})), run(settings_of({"pressure"}, from));
    first.begin();
    first.steps(10);
    run.go_on_from(first);
    EXPECT_EQ(
        run.said,
        message("  average  m: pressure begins at t = {:.6g} s: the samples so far began before `from`\n", begin));
    EXPECT_EQ(run.average.has_begun(), begin <= 0.5);
    run.steps(10);
    expect_mean_of(run, "pressure_mean", static_cast<real>(begin) + 1);
    EXPECT_NEAR(run.times().at("from"), begin, 1e-6);
  }
}

TEST(Averages, SayWhatTheyLackOfAnEarlierBeginning) {
  AverageOfRun first(settings_of({"pressure"}, 0.3)), run(settings_of({"pressure"}, 0.1));
  first.begin();
  first.steps(10);
  run.go_on_from(first);
  EXPECT_EQ(run.said, "  average  m: pressure has nothing from before t = 0.3 s\n");
  run.steps(10);
  expect_mean_of(run, "pressure_mean", real{1.3});
}

TEST(Averages, OfTheSameCaseGoOnInSilence) {
  for (const double from : {0.0, 0.3, 0.8}) {
    AverageOfRun whole(settings_of({"velocity", "pressure"}, from, true, 3)),
        first(settings_of({"velocity", "pressure"}, from, true, 3)),
        again(settings_of({"velocity", "pressure"}, from, true, 3));
    whole.begin(), first.begin();
    whole.steps(20), first.steps(10);
    again.go_on_from(first);
    again.steps(10);
    EXPECT_EQ(again.said, "");
    EXPECT_EQ(again.look(), whole.look());
    EXPECT_EQ(again.times(), whole.times());
  }
}

}  // namespace
}  // namespace solenoid::test
