/// The case file: defaults, what each fault's message says, `--set`, and that all faults are shown at once.
#include "physics/flow/flow_setup.hpp"
#include "solve/boomeramg.hpp"
#include "support/case_files.hpp"

namespace solenoid {
namespace {

namespace fs = std::filesystem;

/// The least that a case file must say.
constexpr const char* minimal =
    "[mesh]\n"  // 1
    "file = \"../meshes/square.geo\"\n"
    "[flow]\n"  // 3
    "viscosity = 0.01\n"
    "[time]\n"  // 5
    "end = 2\n"
    "step = 0.1\n"  // 7
    "[boundary.lid]\n"
    "type = \"wall\"\n";  // 9

class CaseFile : public test::CaseFileTest {
 protected:
  /// The text of `minimal` with `line` of it replaced.
  static std::string with(int line, const std::string& replacement) {
    return CaseFileTest::with(minimal, line, replacement);
  }
};

const Coefficient<Vec3>& wall(const FlowSetup& flow, const std::string& patch) {
  return std::get<Wall>(flow.boundary.at(patch)).velocity;
}

TEST_F(CaseFile, FillsInDefaults) {
  const Case c = read(minimal);
  EXPECT_EQ(c.file, file());
  EXPECT_EQ(c.name, "cavity");
  EXPECT_EQ(c.title, "cavity");
  EXPECT_EQ(c.mesh.file, folder_ / "../meshes/square.geo");
  EXPECT_EQ(c.mesh.size, std::nullopt);
  EXPECT_EQ(c.mesh.scale.text(), "1");
  const auto& flow = test::setup<FlowSetup>(c);
  EXPECT_EQ(flow.file, file().string());
  EXPECT_EQ(flow.settings.viscosity, 0.01);
  EXPECT_EQ(flow.settings.convection, ConvectionForm::automatic);
  EXPECT_EQ(flow.time->end, 2.0);  // an integer in the file
  EXPECT_EQ(flow.time->step.step, 0.1);
  EXPECT_EQ(flow.time->step.cfl, 0);
  EXPECT_EQ(flow.time->step.step_max, 0);
  EXPECT_EQ(flow.time->scheme, TimeScheme::second_order);
  EXPECT_EQ(flow.settings.scheme, TimeScheme::second_order);
  EXPECT_EQ(flow.time->steady_tolerance, 0.0);
  ASSERT_EQ(flow.boundary.size(), 1u);
  EXPECT_EQ(norm(*wall(flow, "lid").constant()), 0);
  EXPECT_EQ(norm(*flow.initial_velocity.constant()), 0);
  for (const SolveControl& solver : {flow.settings.potential, flow.settings.vorticity, flow.settings.pressure}) {
    EXPECT_EQ(solver.preconditioner, PreconditionerKind::automatic) << solver.name;
    EXPECT_EQ(solver.tolerance, solver.name == "vorticity" ? 1e-10 : 1e-8) << solver.name;
    EXPECT_EQ(solver.max_iterations, 10000) << solver.name;
  }
  EXPECT_EQ(c.output.fields, (std::vector<std::string>{"velocity", "pressure", "vorticity", "divergence",
                                                       "stream_function", "q_criterion"}));
  EXPECT_EQ(c.output.every, 0.2);  // a tenth of the end
  EXPECT_EQ(c.output.every_steps, std::nullopt);
  EXPECT_TRUE(c.lines.empty());
}

TEST_F(CaseFile, RecordsTheEffectiveValuesInTheShapeOfTheFile) {
  const auto expected = nlohmann::ordered_json::parse(R"({
    "table": [],
    "title": "cavity",
    "mesh": {"file": "../meshes/square.geo", "size": null, "scale": 1.0, "trust": false, "distributed": false,
             "refine": 0,
             "size_min": null, "per_circle": 24.0, "angle": 40.0, "group": [], "sizes": []},
    "flow": {"method": "exact", "viscosity": 0.01, "convection": "auto", "diffusion": "auto", "upwind": 0.0, "passes": 1,
             "body_force": [0.0, 0.0, 0.0], "balance": "none"},
    "time": {"end": 2.0, "step": 0.1, "cfl": null, "step_max": null, "scheme": "second-order", "steady_tolerance": 0.0},
    "scalar": [], "periodic": [],
    "boundary": {"lid": {"type": "wall", "wall": "no-slip", "velocity": [1.0, "4*y", 0.0], "seen_from": "frame"},
                 "0": {"type": "wall", "wall": "no-slip", "velocity": [0.0, 0.0, 0.0], "seen_from": "frame"}},
    "turbulence": {"model": "none", "constant": null},
    "initial": {"velocity": [0.0, 0.0, 0.0], "spectrum": null, "seed": 1, "result": null, "time": "zero", "seen_from": "frame"},
    "solver": {"potential": {"preconditioner": "auto", "tolerance": 1e-8, "max_iterations": 10000},
               "pressure": {"preconditioner": "auto", "tolerance": 1e-8, "max_iterations": 10000},
               "vorticity": {"preconditioner": "auto", "tolerance": 1e-10, "max_iterations": 10000}},
    "output": {"fields": ["velocity", "pressure", "vorticity", "divergence", "stream_function", "q_criterion"], "format": "pvtu", "every_cells": null, "every_steps": null, "times": null,
               "every": 0.2},
    "probe": [],
    "line": [{"name": "a", "from": [0.0, 0.0, 0.0], "to": [0.0, 1.0, 0.0], "points": 101, "reference": []},
             {"name": "b", "from": [0.0, 0.5, 0.0], "to": [1.0, 0.5, 0.0], "points": 2, "reference": []}],
    "integral": [], "plane": [], "isosurface": [], "average": [], "profile": [], "force": [], "section": [], "tracer": [], "run": {"reproducible": false}})");
  const Case c = read(std::string(minimal) +
                      "velocity = [1, \"4*y\", 0.0]\n"
                      "[boundary.0]\ntype = \"wall\"\n"
                      "[[line]]\nname = \"a\"\nfrom = [0, 0, 0]\nto = [0, 1, 0]\n"
                      "[[line]]\nname = \"b\"\nfrom = [0, 0.5, 0]\nto = [1, 0.5, 0]\npoints = 2\n");
  EXPECT_EQ(c.effective.dump(1), expected.dump(1));
}

TEST_F(CaseFile, ReadsEveryKey) {
  const Case c = read(R"(
title = "Lid-driven cavity, Re = 1000"
[mesh]
file = "/meshes/cavity.msh"
size = 0.02
scale = 1e-3
trust = true
refine = 3
[flow]
method = "exact"
viscosity = 1e-3
convection = "none"
diffusion = "rotational"
[time]
end = 50.0
cfl = 0.6
step_max = 0.5
scheme = "euler"
steady_tolerance = 1e-6
[boundary.lid]
type = "wall"
velocity = [1.0, "4*y*(1-y)*t", 0]
[initial]
velocity = ["x", 2, "z"]
[solver.pressure]
preconditioner = "none"
tolerance = 1e-12
max_iterations = 7
[output]
fields = ["pressure", "velocity"]
every_steps = 100
[[line]]
name = "u_on_x=0.5"
from = [0.5, 0.0, 0.0]
to = [0.5, 1.0, 0.25]
points = 11
)");
  EXPECT_EQ(c.title, "Lid-driven cavity, Re = 1000");
  EXPECT_EQ(c.mesh.file, "/meshes/cavity.msh");
  EXPECT_EQ(c.mesh.size, 0.02);
  EXPECT_EQ(c.mesh.scale.text(), "0.001");
  EXPECT_EQ(read(minimal, {"mesh.scale=[1, 2.5, 1e-3]"}).mesh.scale.text(), "[1, 2.5, 0.001]");
  EXPECT_TRUE(c.mesh.trust);
  EXPECT_EQ(c.mesh.refine, 3);
  const auto& flow = test::setup<FlowSetup>(c);
  EXPECT_EQ(flow.settings.convection, ConvectionForm::none);
  EXPECT_EQ(flow.time->end, 50.0);
  EXPECT_EQ(flow.time->step.step, 0);
  EXPECT_EQ(flow.time->step.cfl, 0.6);
  EXPECT_EQ(flow.time->step.step_max, 0.5);
  EXPECT_EQ(flow.time->scheme, TimeScheme::euler);
  EXPECT_EQ(flow.time->steady_tolerance, 1e-6);
  const Coefficient<Vec3>& lid = wall(flow, "lid");
  EXPECT_EQ(lid.at(Vec3{0, 0, 0}, 0).x, 1.0);
  EXPECT_EQ(lid.at(Vec3{0, 0.5, 0}, 3).y, 3.0);
  EXPECT_TRUE(lid.depends_on_time());
  EXPECT_EQ(flow.initial_velocity.at(Vec3{1, 2, 3}, 0).z, 3.0);
  EXPECT_EQ(flow.settings.pressure.preconditioner, PreconditionerKind::none);
  EXPECT_EQ(flow.settings.pressure.tolerance, 1e-12);
  EXPECT_EQ(flow.settings.pressure.max_iterations, 7);
  EXPECT_EQ(flow.settings.potential.tolerance, 1e-8);
  EXPECT_EQ(c.output.fields, (std::vector<std::string>{"pressure", "velocity"}));
  EXPECT_EQ(c.output.every_steps, 100);
  EXPECT_EQ(c.output.every, std::nullopt);
  ASSERT_EQ(c.lines.size(), 1u);
  EXPECT_EQ(c.lines[0].name, "u_on_x=0.5");
  EXPECT_EQ(c.lines[0].to.z, 0.25);
  EXPECT_EQ(c.lines[0].points, 11);
}

TEST_F(CaseFile, TakesBoomeramgWhereThereIsHypre) {
  const std::string text = std::string(minimal) + "[solver.pressure]\npreconditioner = \"boomeramg\"\n";
  if (hypre_version().empty()) {
    EXPECT_EQ(
        faults(text),
        "`preconditioner` in [solver.pressure] (case.toml:11): \"boomeramg\" needs hypre: install libhypre-dev and "
        "build again, or use \"multigrid\"");
  } else {
    EXPECT_EQ(test::setup<FlowSetup>(read(text)).settings.pressure.preconditioner, PreconditionerKind::boomeramg);
    EXPECT_EQ(faults(text + "[run]\nreproducible = true\n"),
              "`reproducible` in [run] (case.toml:13): found true, expected false beside preconditioner = "
              "\"boomeramg\" in [solver.pressure]: hypre's sums depend on the ranks");
  }
  EXPECT_FALSE(read(minimal).reproducible);
  EXPECT_TRUE(read(std::string(minimal) + "[run]\nreproducible = true\n").reproducible);
}

TEST_F(CaseFile, ReadsPeriodicPairs) {
  const Case c = read(R"([mesh]
file = "a.geo"
[flow]
viscosity = 1
[time]
end = 1
step = 0.1
[[periodic]]
patches = ["left", "right"]
mass_flux = "2*t"
[[periodic]]
patches = ["bottom", "top"]
)");
  const auto& flow = test::setup<FlowSetup>(c);
  ASSERT_EQ(flow.periodic.size(), 2u);
  EXPECT_EQ(flow.pairs()[1], (std::pair<std::string, std::string>("bottom", "top")));
  EXPECT_EQ(flow.periodic[0].drive.flux->at(Vec3{}, 3), 6);
  EXPECT_FALSE(flow.periodic[0].drive.drop || flow.periodic[1].drive.flux || flow.periodic[1].drive.drop);
  EXPECT_EQ(flow.settings.convection, ConvectionForm::automatic);
  EXPECT_TRUE(flow.boundary.empty());
}

TEST_F(CaseFile, NamesUnknownKeysAndTheNearestKnownOne) {
  EXPECT_EQ(faults(with(4, "viscosity = 1\nviscocity = 0.01")),
            "unknown key `viscocity` in [flow] (case.toml:5): did you mean `viscosity`?");
  EXPECT_EQ(
      faults(with(4, "viscosity = 1\nrho = 1.2")),
      "unknown key `rho` in [flow] (case.toml:5): known are `frame`, `method`, `viscosity`, `convection`, `diffusion`, "
      "`upwind`, `passes`, `body_force` and `balance`");
  EXPECT_EQ(faults(with(1, "titel = \"a\"\n[mesh]")), "unknown key `titel` (case.toml:1): did you mean `title`?");
  EXPECT_EQ(faults(std::string(minimal) + "[solver.presure]\n"),
            "unknown table `[solver.presure]` (case.toml:10): did you mean `pressure`?");
  EXPECT_EQ(faults(std::string(minimal) + "[[lines]]\n"),
            "unknown table `[[lines]]` (case.toml:10): did you mean `line`?");
  EXPECT_EQ(faults(std::string(minimal) + "value = 3\n"),
            "unknown key `value` in [boundary.lid] (case.toml:10): known are `type`, `wall`, `roughness`, `velocity` "
            "and `seen_from`");
}

TEST_F(CaseFile, NamesWhatIsMissing) {
  EXPECT_EQ(faults(with(4, "")),
            "missing key `viscosity` in [flow] (case.toml:3): expected a number greater than 0, or a table { law = "
            "\"carreau\", ... }");
  EXPECT_EQ(faults(with(2, "")), "missing key `file` in [mesh] (case.toml:1): expected text in quotes");
  EXPECT_EQ(
      faults(with(9, "")),
      "missing key `type` in [boundary.lid] (case.toml:8): expected \"wall\", \"inlet\", \"outlet\", \"opening\", "
      "\"symmetry\" or \"farfield\"");
  EXPECT_EQ(faults(with(7, "")), "missing key `step` or `cfl` in [time] (case.toml:5): expected exactly one");
  EXPECT_EQ(
      faults("[mesh]\nfile = \"a.msh\"\n[boundary]\n"),
      "nothing in [boundary] (case.toml:3): expected a table [boundary.NAME] for each boundary group of the mesh\n"
      "missing table [flow] (case.toml): expected `viscosity`; or, for heat conduction, [heat] with `conductivity`; "
      "or, for waves, [wave] with `speed`; or, for water waves, [waves] with `depth` and `period`\n"
      "missing table [time] (case.toml): expected `end`, and `step` or `cfl`");
}

TEST_F(CaseFile, NamesWrongTypes) {
  EXPECT_EQ(faults(with(4, "viscosity = \"high\"")),
            "`viscosity` in [flow] (case.toml:4): found \"high\", expected a number greater than 0, or a table { law = "
            "\"carreau\", ... }");
  EXPECT_EQ(faults(with(2, "file = 3.0")), "`file` in [mesh] (case.toml:2): found 3.0, expected text in quotes");
  EXPECT_EQ(faults(std::string("title = 1979-05-27\n") + minimal),
            "`title` (case.toml:1): found 1979-05-27, expected text in quotes");
  EXPECT_EQ(faults(std::string(minimal) + "velocity = [1, 2]\n"),
            "`velocity` in [boundary.lid] (case.toml:10): found [1, 2], expected 3 entries, each a number or an "
            "expression of x, y, z, t in quotes");
  EXPECT_EQ(faults(std::string(minimal) + "velocity = [1,\n  true, 0]\n"),
            "`velocity` in [boundary.lid] (case.toml:11): found true, expected a number or an expression in quotes");
  EXPECT_EQ(faults(std::string(minimal) + "[solver]\npressure = 1e-8\n"),
            "`pressure` in [solver] (case.toml:11): found 1e-08, expected a table [solver.pressure]");
  EXPECT_EQ(faults(std::string(minimal) + "[solver.pressure]\nmax_iterations = 100.0\n"),
            "`max_iterations` in [solver.pressure] (case.toml:11): found 100.0, expected an integer of at least 1");
  EXPECT_EQ(faults(std::string(minimal) + "[solver.pressure]\nmax_iterations = 3000000000\n"),
            "`max_iterations` in [solver.pressure] (case.toml:11): found 3000000000, expected an integer of at most "
            "2147483647");
  EXPECT_EQ(faults(std::string(minimal) + "[line]\nname = \"a\"\n"),
            "`[line]` (case.toml:10): found a table, expected tables [[line]]");
  EXPECT_EQ(faults(std::string(minimal) + "[output]\nfields = \"pressure\"\n"),
            "`fields` in [output] (case.toml:11): found \"pressure\", expected a list of \"velocity\", \"pressure\", "
            "\"vorticity\", \"divergence\", \"stream_function\", \"q_criterion\"");
}

TEST_F(CaseFile, NamesValuesOutOfRange) {
  const auto fault_of = [&](int line, const std::string& replacement) { return faults(with(line, replacement)); };
  EXPECT_EQ(fault_of(4, "viscosity = 0"),
            "`viscosity` in [flow] (case.toml:4): found 0, expected a number greater than 0, or a table { law = "
            "\"carreau\", ... }");
  EXPECT_EQ(fault_of(6, "end = nan"), "`end` in [time] (case.toml:6): found nan, expected a number greater than 0");
  EXPECT_EQ(fault_of(7, "step = -0.1"), "`step` in [time] (case.toml:7): found -0.1, expected a number greater than 0");
  EXPECT_EQ(fault_of(7, "cfl = 0.0"), "`cfl` in [time] (case.toml:7): found 0.0, expected a number of at least 1e-06");
  EXPECT_EQ(fault_of(7, "cfl = 1e-300\nstep_max = 1e-300"),
            "`cfl` in [time] (case.toml:7): found 1e-300, expected a number of at least 1e-06\n"
            "`step_max` in [time] (case.toml:8): found 1e-300, expected at least 1e-09 s, so that not more than 2e+09 "
            "steps lead to `end`");
  EXPECT_EQ(fault_of(7, "step = 1e-300"),
            "`step` in [time] (case.toml:7): found 1e-300, expected at least 1e-09 s, so that not more than 2e+09 "
            "steps lead to `end`");
  EXPECT_EQ(faults(minimal, {"time.step=1e-9"}), "no fault");
  EXPECT_EQ(fault_of(2, "file = \"a\\u0000.msh\""),
            "`file` in [mesh] (case.toml:2): found \"a\\u0000.msh\", expected a path without control characters");
  EXPECT_EQ(fault_of(7, "cfl = 1\nsteady_tolerance = -1"),
            "`steady_tolerance` in [time] (case.toml:8): found -1, expected a number of at least 0");
  EXPECT_EQ(fault_of(2, "file = \"a\"\nsize = 0\nscale = -1"),
            "`size` in [mesh] (case.toml:3): found 0, expected a number greater than 0\n"
            "`scale` in [mesh] (case.toml:4): found -1, expected a number greater than 0, or 3 of them");
  EXPECT_EQ(fault_of(2, "file = \"a\"\nscale = [1, 0, 2]"),
            "`scale` in [mesh] (case.toml:3): found 0, expected a number greater than 0");
  EXPECT_EQ(fault_of(2, "file = \"a\"\nscale = [1, 2]"),
            "`scale` in [mesh] (case.toml:3): found [1, 2], expected a number greater than 0, or 3 of them");
  EXPECT_EQ(faults(std::string(minimal) + "[solver.potential]\ntolerance = 1\nmax_iterations = 0\n"),
            "`tolerance` in [solver.potential] (case.toml:11): found 1, expected a number of at least 1e-15, "
            "which double precision can reach, and less than 1\n"
            "`max_iterations` in [solver.potential] (case.toml:12): found 0, expected an integer of at least 1");
}

TEST_F(CaseFile, ShowsTheFirstOfManyFaults) {
  std::string text = minimal, expected;
  for (int k = 0; k < 2000; ++k) {
    text += message("k{} = 1\n", k);
    if (k < 20) {
      expected += message(
          "unknown key `k{}` in [boundary.lid] (case.toml:{}): known are `type`, `wall`, `roughness`, `velocity` and "
          "`seen_from`\n",
          k, 10 + k);
    }
  }
  EXPECT_EQ(faults(text), expected + "and 1980 more");
}

TEST_F(CaseFile, IsNamedByItsFolderAndItsFile) {
  for (const auto& [name, expected] :
       {std::pair("case.toml", "cavity"), {"re400.toml", "cavity-re400"}, {"case.txt", "cavity-case.txt"}}) {
    std::ofstream(folder_ / name) << minimal;
    const Case c = read_case(folder_ / name, {});
    EXPECT_EQ(c.name, expected);
    EXPECT_EQ(c.title, expected);
  }
}

TEST_F(CaseFile, NamesKeysThatExcludeEachOther) {
  EXPECT_EQ(faults(with(7, "step = 0.1\ncfl = 0.5")),
            "`step` and `cfl` in [time] (case.toml:8): found both, expected exactly one");
  EXPECT_EQ(faults(with(7, "step_max = 0.1\nstep = 0.1")),
            "`step` and `step_max` in [time] (case.toml:8): found both, expected at most one");
  EXPECT_EQ(faults(std::string(minimal) + "[output]\nevery = 1\nevery_steps = 5\n"),
            "`every` and `every_steps` in [output] (case.toml:12): found both, expected at most one");
}

TEST_F(CaseFile, NamesWordsThatAreUnknown) {
  EXPECT_EQ(faults(with(7, "step = 1\nscheme = \"secnd-order\"")),
            "`scheme` in [time] (case.toml:8): found \"secnd-order\", expected \"second-order\" or \"euler\": did you "
            "mean \"second-order\"?");
  EXPECT_EQ(faults(std::string(minimal) + "[output]\nfields = [\"pressure\", \"presure\", \"pressure\"]\n"),
            "`fields` in [output] (case.toml:11): found \"presure\", expected \"velocity\", \"pressure\", "
            "\"vorticity\", \"divergence\", \"stream_function\" or \"q_criterion\": did you mean \"pressure\"?\n"
            "`fields` in [output] (case.toml:11): found \"pressure\", expected each word once");
}

TEST_F(CaseFile, OpeningsHaveTheirKeys) {
  const auto condition = [&](const std::string& lines) {
    const Case c = read(with(9, lines));
    return test::setup<FlowSetup>(c).boundary.at("lid");
  };
  EXPECT_EQ(
      std::get<Inlet>(condition("type = \"inlet\"\nvelocity = [\"4*y*(1-y)\", 0, 0]")).velocity.at({0, 0.5, 0}, 0).x,
      1);
  const auto rate = [&](const std::string& lines) {
    return std::get<Inlet>(condition("type = \"inlet\"\nflow_rate = \"2*t\"\n" + lines)).rate.value();
  };
  EXPECT_EQ(rate("").rate.at(Vec3{}, 3), 6);
  EXPECT_EQ(rate("").shape, ProfileShape::uniform);
  EXPECT_EQ(rate("profile = \"developed\"").shape, ProfileShape::developed);
  EXPECT_EQ(rate("profile = \"y^2\"").shape, ProfileShape::formula);
  EXPECT_EQ(rate("profile = \"y^2\"").formula.at({0, 3, 0}, 0), 9);
  EXPECT_EQ(rate("recycle = 3").recycled_from, 3);
  const std::string both =
      faults(with(9, "type = \"inlet\"\nflow_rate = 1\nrecycle = 1\nturbulence = { intensity = 0.1, length = 1 }"));
  EXPECT_NE(both.find("is not for inlets with `recycle`"), std::string::npos) << both;
  const TurbulentInflow eddies =
      std::get<Inlet>(condition("type = \"inlet\"\nflow_rate = 1\nturbulence = { intensity = "
                                "\"y\", length = 2, speed = 3, seed = 4 }"))
          .turbulence.value();
  EXPECT_EQ(eddies.intensity.at({0, 3, 0}, 0), 3);
  EXPECT_EQ(eddies.length, 2);
  EXPECT_EQ(eddies.speed, 3);
  EXPECT_EQ(eddies.seed, 4);
  const std::string wrong =
      faults(with(9, "type = \"inlet\"\nflow_rate = \"t\"\nturbulence = { intensity = \"t\", length = 0 }"));
  for (const char* const words :
       {"`length` in [boundary.lid.turbulence] (case.toml:11): found 0", "expression of x, y, z, without t",
        "missing key `speed` in [boundary.lid.turbulence]"}) {
    EXPECT_NE(wrong.find(words), std::string::npos) << words << " in " << wrong;
  }
  EXPECT_EQ(std::get<Outlet>(condition("type = \"outlet\"")).pressure.at(Vec3{}, 0), 0);
  EXPECT_EQ(std::get<Outlet>(condition("type = \"outlet\"\npressure = \"2*t\"")).pressure.at(Vec3{}, 3), 6);
  const auto behind = [&](const std::string& line) {
    return std::get<Outlet>(condition("type = \"outlet\"\n" + line)).behind;
  };
  EXPECT_EQ(std::get<OutletRate>(behind("flow_rate = \"2*t\"")).rate.at(Vec3{}, 3), 6);
  EXPECT_EQ(std::get<OutletShare>(behind("share = 0.25")).share, 0.25);
  EXPECT_EQ(std::get<Windkessel>(behind("resistance = 3")).proximal, 3);
  EXPECT_EQ(std::get<Windkessel>(behind("resistance = 3")).capacitance, 0);
  const auto vessels =
      std::get<Windkessel>(behind("windkessel = { proximal = 1, capacitance = 2, distal = 3, initial = -4 }"));
  EXPECT_EQ(vessels.proximal, 1);
  EXPECT_EQ(vessels.capacitance, 2);
  EXPECT_EQ(vessels.distal, 3);
  EXPECT_EQ(vessels.initial, -4);
  EXPECT_EQ(faults(with(9, "type = \"outlet\"\nresistance = 1\nshare = 0.5")),
            "`share` and `resistance` in [boundary.lid] (case.toml:11): found both, expected at most one");
  EXPECT_EQ(faults(with(9, "type = \"outlet\"\nshare = 1.5")),
            "`share` in [boundary.lid] (case.toml:10): found 1.5, expected a number from 0 to 1");
  const auto opening = std::get<Outlet>(condition("type = \"opening\"\ntotal_pressure = \"2*t\""));
  EXPECT_EQ(opening.inflow, OutletInflow::directed);
  EXPECT_EQ(opening.pressure.at(Vec3{}, 3), 6);
  EXPECT_FALSE(opening.direction);
  const auto slanted = std::get<Outlet>(condition("type = \"opening\"\ntotal_pressure = 1\ndirection = [2, \"x\", 0]"));
  EXPECT_EQ(slanted.direction->at({3, 0, 0}, 0).y, 3);
  const auto resisting = std::get<Outlet>(condition("type = \"outlet\"\nresistance = 3\ndirection = [0, -1, 0]"));
  EXPECT_EQ(resisting.inflow, OutletInflow::directed);
  EXPECT_EQ(resisting.direction->at(Vec3{}, 0).y, -1);
  EXPECT_EQ(
      faults(with(9, "type = \"opening\"\ntotal_pressure = 1\ndirection = [1, \"t\", 0]")),
      "`direction` in [boundary.lid] (case.toml:11): found [1, \"t\", 0], expected three numbers or expressions of x, "
      "y, z, without t");
  EXPECT_EQ(faults(with(9, "type = \"symmetry\"\ndirection = [1, 0, 0]")),
            "`direction` in [boundary.lid] (case.toml:10) is for outlets and openings");
  EXPECT_EQ(
      faults(with(9, "type = \"outlet\"\npressure = \"hydrostatic\"")),
      "`pressure` in [boundary.lid] (case.toml:10): found \"hydrostatic\", expected \"hydrostatic\" of a flow with "
      "`expansion` in [temperature] alone, else a number");
  EXPECT_TRUE(std::holds_alternative<Symmetry>(condition("type = \"symmetry\"")));
  EXPECT_EQ(std::get<Farfield>(condition("type = \"farfield\"\nvelocity = [2, 0, 0]")).velocity.at(Vec3{}, 0).x, 2);
  EXPECT_EQ(
      faults(with(9, "type = \"inlet\"")).find("missing key `velocity` or `flow_rate` in [boundary.lid] (case.toml:8)"),
      0u);
  EXPECT_EQ(test::setup<FlowSetup>(read(with(9, "type = \"outlet\""))).settings.convection, ConvectionForm::automatic);
}

TEST_F(CaseFile, ReadsTheMethod) {
  const std::string classical =
      with(4, "viscosity = 1\nmethod = \"classical\"\npasses = 2\ndiffusion = \"face-average\"");
  const Case c = read(classical + "[solver.momentum]\ntolerance = 1e-3\n");
  EXPECT_EQ(test::setup<FlowSetup>(c).settings.method, FlowMethod::classical);
  EXPECT_EQ(test::setup<FlowSetup>(c).settings.passes, 2);
  EXPECT_EQ(test::setup<FlowSetup>(c).settings.diffusion, DiffusionForm::face_average);
  EXPECT_EQ(test::setup<FlowSetup>(c).settings.momentum.tolerance, real(1e-3));
  EXPECT_EQ(
      faults(with(4, "viscosity = 1\npasses = 2")),
      "`passes` in [flow] (case.toml:5): found 2, expected 1: the exact method has no pressure to correct; more are "
      "for method = \"classical\"");
  EXPECT_EQ(faults(std::string(minimal) + "[solver.momentum]\n"),
            "`[solver.momentum]` (case.toml:10) belongs to method = \"classical\"");
}

TEST_F(CaseFile, RefusesByNameWhatIsNotBuiltYet) {
  const auto refusal = [](const std::string& what) { return what + " is not available in this version"; };
  EXPECT_EQ(faults(with(9, "type = \"outlet\"\nform = \"convective\"")),
            refusal("`form` in [boundary.lid] (case.toml:10): \"convective\""));
  for (const char* type : {"temperature", "flux", "insulated", "convection"}) {
    EXPECT_EQ(faults(with(9, std::string("type = \"") + type + "\"\nvalue = 393.15")),
              std::string("`type` in [boundary.lid] (case.toml:9): \"") + type + "\" belongs to [heat]");
  }
}

TEST_F(CaseFile, TellsWhatIsAveraged) {
  EXPECT_TRUE(read(minimal).averages.empty());
  const auto averages = read(std::string(minimal) + "[[average]]\nname = \"usual\"\n[[average]]\nname = \"chosen\"\n" +
                             "fields = [\"divergence\"]\nfrom = 0.5\nvariance = true\nevery_steps = 3\n")
                            .averages;
  ASSERT_EQ(averages.size(), 2u);
  EXPECT_EQ(averages[0].fields, (std::vector<std::string>{"velocity", "pressure"}));
  EXPECT_EQ(averages[0].from, 0);
  EXPECT_FALSE(averages[0].variance);
  EXPECT_EQ(averages[0].every_steps, 1);
  EXPECT_EQ(averages[1].fields, std::vector<std::string>{"divergence"});
  EXPECT_EQ(averages[1].from, 0.5);
  EXPECT_TRUE(averages[1].variance);
  EXPECT_EQ(averages[1].every_steps, 3);
  EXPECT_EQ(
      faults(std::string(minimal) + "[[average]]\nname = \"late\"\nfrom = 1000\n"),
      "`from` in [[average]] (case.toml:12): found 1000, expected a time before the `end` of the run in [time], 2 s");
  EXPECT_EQ(faults(std::string(minimal) + "[[average]]\nname = \"a\"\nfields = [\"wall_shear\"]\n"),
            "`fields` in [[average]] (case.toml:12): found \"wall_shear\", expected \"velocity\", \"pressure\", "
            "\"vorticity\", \"divergence\", \"stream_function\" or \"q_criterion\"");
  const auto of_walls =
      read(std::string(minimal) + "[[average]]\nname = \"w\"\nfields = []\npatches = [\"lid\"]\n").averages;
  EXPECT_TRUE(of_walls.at(0).fields.empty());
  EXPECT_EQ(of_walls.at(0).patches, std::vector<std::string>{"lid"});
  EXPECT_TRUE(averages[0].patches.empty());
}

TEST_F(CaseFile, TellsWhenACheckpointIsDue) {
  EXPECT_FALSE(read(minimal).checkpoint);
  const auto usual = read(std::string(minimal) + "[checkpoint]\n").checkpoint;
  ASSERT_TRUE(usual);
  EXPECT_EQ(usual->wall_minutes, 30);
  EXPECT_EQ(usual->keep, 2);
  const auto chosen =
      read(minimal, {"checkpoint.every_steps=5", "checkpoint.every=0.1", "checkpoint.keep=7"}).checkpoint;
  ASSERT_TRUE(chosen);
  EXPECT_EQ(chosen->every_steps, 5);
  EXPECT_EQ(chosen->every, 0.1);
  EXPECT_FALSE(chosen->wall_minutes);
  EXPECT_EQ(chosen->keep, 7);
  EXPECT_EQ(faults(std::string(minimal) + "[checkpoint]\nwall_minutes = 0\n"),
            "`wall_minutes` in [checkpoint] (case.toml:11): found 0, expected a number greater than 0");
}

TEST_F(CaseFile, ChecksLines) {
  const std::string first = std::string(minimal) + "[[line]]\nname = \"a\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n";
  EXPECT_EQ(faults(first + "points = 1\n"),
            "`points` in [[line]] (case.toml:14): found 1, expected an integer of at least 2");
  EXPECT_EQ(faults(first + "points = 2000000000\n"),
            "`points` in [[line]] (case.toml:14): found 2000000000, expected an integer of at most 1000000");
  const std::string text =
      faults(first + "[[line]]\nname = \"" + std::string(201, 'a') + "\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\n");
  EXPECT_NE(text.find("aa...\", expected a name of at most 200 bytes"), std::string::npos) << text;
  EXPECT_EQ(faults(first + "[[line]]\nname = \"a\"\nfrom = [1, 1, 1]\nto = [1.0, 1, 1]\n"),
            "`name` in [[line]] (case.toml:15): found \"a\", expected a name that no other line has\n"
            "`to` in [[line]] (case.toml:17): found [1.0, 1, 1], expected a point other than `from`");
  EXPECT_EQ(faults(first + "[[line]]\nname = \"x/y\"\nfrom = [1, \"a\", 1]\n"),
            "missing key `to` in [[line]] (case.toml:14): expected 3 numbers\n`name` in [[line]] (case.toml:15): found "
            "\"x/y\", expected a name without / that can be part of a file's "
            "name\n"
            "`from` in [[line]] (case.toml:16): found \"a\", expected a number");
}

TEST_F(CaseFile, ShowsWhereAnExpressionIsWrong) {
  const std::string text = faults(std::string(minimal) + "velocity = [\"4*y*(1-q)\", 0, 0]\n");
  const std::string expected =
      "`velocity` in [boundary.lid] (case.toml:10): expression \"4*y*(1-q)\": unknown name or character \"q\"\n"
      "  4*y*(1-q)\n"
      "         ^\n"
      "  known: x, y, z [m], t [s], pi,";
  EXPECT_EQ(text.substr(0, expected.size()), expected);
}

TEST_F(CaseFile, ShowsAllFaultsInFileOrder) {
  EXPECT_EQ(
      faults("[flow]\n"
             "viscosity = -1\n"
             "convecton = \"none\"\n"
             "[checkpoint]\n"
             "keep = 0\n"
             "[boundary.lid]\n"
             "type = \"wal\"\n"
             "[time]\n"
             "end = 1\n"
             "step = 1\n",
             {"time.stop=3"}),
      "`viscosity` in [flow] (case.toml:2): found -1, expected a number greater than 0, or a table { law = "
      "\"carreau\", ... }\n"
      "unknown key `convecton` in [flow] (case.toml:3): did you mean `convection`?\n"
      "`keep` in [checkpoint] (case.toml:5): found 0, expected an integer of at least 1\n"
      "`type` in [boundary.lid] (case.toml:7): found \"wal\", expected \"wall\", \"inlet\", \"outlet\", \"opening\", "
      "\"symmetry\" or \"farfield\": did you mean \"wall\"?\n"
      "missing table [mesh] (case.toml): expected `file`\n"
      "unknown key `stop` in [time] (--set time.stop=3): did you mean `step`?");
}

TEST_F(CaseFile, LaysSetsOverTheFile) {
  const Case c = read(minimal, {"flow.method=exact", "flow.viscosity=0.5", "flow.viscosity=0.25", "title=Re = 4, it's",
                                "boundary.lid.velocity=[2,0,\"t\"]", "boundary.floor.type=wall",
                                "solver.pressure.max_iterations=5", "mesh.file=../other mesh.msh"});
  const auto& flow = test::setup<FlowSetup>(c);
  EXPECT_EQ(flow.settings.viscosity, 0.25);
  EXPECT_EQ(c.title, "Re = 4, it's");
  EXPECT_EQ(wall(flow, "lid").at(Vec3{}, 3).x, 2.0);
  EXPECT_EQ(wall(flow, "lid").at(Vec3{}, 3).z, 3.0);
  EXPECT_EQ(flow.boundary.count("floor"), 1u);
  EXPECT_EQ(flow.settings.pressure.max_iterations, 5);
  EXPECT_EQ(c.mesh.file, folder_ / "../other mesh.msh");
  EXPECT_EQ(c.effective["boundary"]["lid"]["velocity"].dump(), "[2.0,0.0,\"t\"]");
}

TEST_F(CaseFile, RefusesKeysThatGoTooDeep) {
  std::string key = "a";
  for (int i = 0; i < 100'000; ++i) key += ".a";
  const std::string expected = "found a key of more than 16 parts, expected three at most, as in boundary.lid.velocity";
  EXPECT_EQ(faults(minimal + key + " = 1\n"), "case.toml:10: " + expected);
  EXPECT_EQ(faults("\n[" + key + "]\n"), "case.toml:2: " + expected);
  EXPECT_EQ(faults(minimal, {key + "=1"}), "--set " + key.substr(0, 60) + "...: " + expected);
  EXPECT_EQ(read(minimal, {"mesh.file=../../../../../../../../../../../../a.msh"}).mesh.file.filename(), "a.msh");
}

TEST_F(CaseFile, RefusesLettersThatNoKeyHas) {
  EXPECT_EQ(faults("\u00e9 = 1\n"),
            "case.toml:1:1: Error while parsing root table: expected keys, tables, whitespace or comments, saw "
            "'\u00e9'");
}

TEST_F(CaseFile, IsReadAtOnceHoweverMuchIsWrong) {
  std::string fields = "\"\"";
  for (int i = 0; i < 100'000; ++i) fields += ",\"\"";
  const std::string text = faults(minimal + std::string("[output]\nfields = [") + fields + "]\n");
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 20);
  EXPECT_TRUE(text.ends_with("\nand 99981 more")) << text;
}

TEST_F(CaseFile, TakesAKeyAwayThatASetLeavesEmpty) {
  const Case c = read(minimal, {"time.step=", "time.cfl=0.5"});
  EXPECT_EQ(c.setup->time->step.step, 0);
  EXPECT_EQ(c.setup->time->step.cfl, 0.5);
  EXPECT_EQ(faults(minimal, {"time.step="}),
            "missing key `step` or `cfl` in [time] (case.toml:5): expected exactly one");
  EXPECT_EQ(faults(minimal, {"time.stpe="}),
            "--set time.stpe=: removes a key, but the case has no `stpe`: did you mean `step`?");
  EXPECT_EQ(faults(minimal, {"title.short="}), "--set title.short=: removes a key, but the case has no `title`");
}

TEST_F(CaseFile, NamesTheSetThatIsWrong) {
  EXPECT_EQ(faults(minimal, {"flow.viscocity=0.01"}),
            "unknown key `viscocity` in [flow] (--set flow.viscocity=0.01): did you mean `viscosity`?");
  EXPECT_EQ(faults(minimal, {"flow.viscosity=1.2.3"}),
            "`viscosity` in [flow] (--set flow.viscosity=1.2.3): found \"1.2.3\", expected a number greater than 0, or "
            "a table { law = \"carreau\", ... }");
  EXPECT_EQ(faults(minimal, {"flwo.viscosity=1"}),
            "unknown table `[flwo]` (--set flwo.viscosity=1): did you mean `flow`?");
  EXPECT_EQ(faults(minimal, {"flow=exact"}), "`flow` (--set flow=exact): found \"exact\", expected a table [flow]");
  EXPECT_EQ(faults(minimal, {"flow.viscosity"}),
            "--set flow.viscosity: expected key.path=value, such as flow.viscosity=0.01");
  EXPECT_EQ(faults(minimal, {"#=5"}), "--set #=5: expected key.path=value, such as flow.viscosity=0.01");
  EXPECT_EQ(faults(minimal, {"#="}), "--set #=: expected key.path=value, such as flow.viscosity=0.01");
  EXPECT_EQ(faults(minimal, {"boundary.lid.velocity=[1,0"}),
            "--set boundary.lid.velocity=[1,0: Error while parsing array: encountered end-of-file");
  EXPECT_EQ(faults(minimal, {"flow..viscosity=1"}),
            "--set flow..viscosity=1: Error while parsing key: expected bare key starting character or string "
            "delimiter, saw '.'");
}

TEST_F(CaseFile, ShowsWhereItIsNotToml) {
  EXPECT_EQ(faults(with(4, "viscosity = high")),
            "case.toml:4:13: Error while parsing value: could not determine value type; text needs quotes");
  EXPECT_EQ(faults(with(7, "step = 1\nstep = 2")).substr(0, 14), "case.toml:8:8:");
}

TEST_F(CaseFile, NamesFilesThatAreNotThere) {
  read(minimal);
  EXPECT_EQ(faults_of(folder_ / "cas.toml"), "cas.toml: no such file: did you mean case.toml?");
  EXPECT_EQ(faults_of(folder_ / "other"), "other: no such file");
  EXPECT_EQ(faults_of(folder_), folder_.string() + " is a folder; expected a case file, such as case.toml");
}

}  // namespace
}  // namespace solenoid
