"""`solenoid check`: what it says of good and bad meshes agrees with what a run then finds."""

import json
import re
import subprocess

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader

import case_runs
from broken_meshes import cube, two_squares
from case_runs import ROOT
from heat_output_test import BODY, PLATE, PLATE_STEADY, write_case

CAVITY = ROOT / "cases" / "cavity" / "case.toml"
POND = ROOT / "cases" / "pond" / "case.toml"
HARBOUR = ROOT / "cases" / "harbour" / "case.toml"


def cavity():
    """The cavity's case for a folder of its own: with its files where they are."""
    return (CAVITY.read_text().replace("../../meshes", str(ROOT / "meshes"))
            .replace('"reference/', f'"{CAVITY.parent}/reference/'))


def mpirun(ranks, *words, cwd=ROOT):
    done = subprocess.run([case_runs.options.mpiexec, "--quiet", "-n", str(ranks), case_runs.options.solenoid, *map(str, words)],
                          capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=cwd)
    return done.returncode, done.stdout, done.stderr


RING = """// A square with a square hole, and a needle of a triangle at its corner.
Point(1) = {0, 0, 0, 1}; Point(2) = {3, 0, 0, 1}; Point(3) = {3, 3, 0, 1}; Point(4) = {0, 3, 0, 1};
Point(5) = {1, 1, 0, 1}; Point(6) = {2, 1, 0, 1}; Point(7) = {2, 2, 0, 1}; Point(8) = {1, 2, 0, 1};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Line(5) = {5, 6}; Line(6) = {6, 7}; Line(7) = {7, 8}; Line(8) = {8, 5};
Curve Loop(1) = {1:4}; Curve Loop(2) = {5:8};
Plane Surface(1) = {1, 2};
Physical Curve("outer") = {1:4}; Physical Curve("inner") = {5:8}; Physical Surface("fluid") = {1};
"""

# Two triangles of which one is a needle.
NEEDLE = """$MeshFormat
2.2 0 8
$EndMeshFormat
$PhysicalNames
2
1 1 "wall"
2 2 "fluid"
$EndPhysicalNames
$Nodes
4
1 0 0 0
2 1 0 0
3 0.5 1 0
4 0.5 -0.05 0
$EndNodes
$Elements
6
11 1 2 1 1 2 3
12 1 2 1 1 3 1
13 1 2 1 1 1 4
14 1 2 1 1 4 2
21 2 2 2 1 1 2 3
22 2 2 2 1 1 4 2
$EndElements
"""


class CheckTest(case_runs.CaseRuns):
    def check(self, *words, ranks=1):
        output = self.folder / "check"
        code, out, err = mpirun(ranks, "check", *words, "--output", output)
        self.assertEqual((code, err), (0, ""), out + err)
        return out, json.loads((output / "check.json").read_text())

    def file(self, name, text):
        (self.folder / name).write_text(text)
        return self.folder / name

    def test_given_fluxes_through_outlets_are_refused_as_by_a_run(self):
        for keys, expected in (("flow_rate = 1", "each outlet (`lid`) has a `flow_rate` or `share`: leave one outlet without"),
                               ("share = 2", "expected a number from 0 to 1"),
                               ("share = 0.5", "each outlet (`lid`) has a `flow_rate` or `share`")):
            case = self.file("case.toml", cavity().replace('[boundary.lid]\ntype = "wall"', f'[boundary.lid]\ntype = "outlet"\n{keys}')
                             .replace("velocity = [1.0, 0.0, 0.0]", "#").replace('convection = "rotational"', ""))
            told = [mpirun(2, command, case, "--output", self.folder / "out") for command in ("run", "check")]
            self.assertEqual([code for code, _, _ in told], [2, 2], told)
            words = [re.search(r"case\.toml: (each outlet.*|`share`.*)|(`share` in .*)", out + err) for _, out, err in told]
            self.assertTrue(all(words), told)
            self.assertEqual(words[0][0], words[1][0])
            self.assertIn(expected, words[0][0])

    def compare_memory(self, case, sizes, *sets):
        """The memory foretold of runs on two meshes with what they took: the difference, so that what the libraries of this
        machine take does not count."""
        for ranks in (1, 3):
            foretold, found = [], []
            for size in sizes:
                words = [word for value in (f"mesh.size={size}", *sets) for word in ("--set", value)]
                _, checked = self.check(case, *words, "--ranks", ranks)
                foretold.append(checked["partition"][0]["bytes_max_rank"])
                run = self.folder / "run"
                code, _, err = mpirun(ranks, "run", case, *words, "--output", run)
                self.assertEqual(code, 0, err)
                found.append(json.loads((run / "summary.json").read_text())["memory"]["host_bytes_max_rank"])
            with self.subTest(ranks=ranks):
                self.assertAlmostEqual((foretold[1] - foretold[0]) / (found[1] - found[0]), 1, delta=0.15)


class Check(CheckTest):
    def test_foretells_the_run(self):
        sets = ["--set", "mesh.size=0.03"]
        _, found = self.check(CAVITY, *sets, "--ranks", 3, "--ranks", 1)
        run = self.folder / "run"
        code, _, err = mpirun(3, "run", CAVITY, *sets, "--set", "time.end=0.2", "--output", run)
        self.assertEqual(code, 0, err)
        summary = json.loads((run / "summary.json").read_text())
        for key in ("dimension", "nodes", "faces", "cells", "patches"):
            self.assertEqual(found["mesh"][key], summary["mesh"][key])
        self.assertEqual([entry["ranks"] for entry in found["partition"]], [1, 3])
        foretold, partition = found["partition"][1], summary["partition"]
        for key in ("cells_min", "cells_max", "cut_faces"):
            self.assertEqual(foretold[key], partition[key])
        first_step = float((run / "history.csv").read_text().splitlines()[1].split(",")[2])
        self.assertAlmostEqual(found["step"]["seconds"] / first_step, 1, delta=0.05)  # landing on the end shortens it

    def test_foretells_the_steps_of_waves(self):
        sets = ["--set", "mesh.size=0.05", "--set", "time.end=0.2", "--set", 'wave.speed="1 + y"']
        out, found = self.check(POND, *sets)
        self.assertRegex(out, r"\nsteps +\S+ s \(CFL 0.5 at 1.9\S* m/s in cell \d+ at ")
        run = self.folder / "run"
        code, _, err = mpirun(2, "run", POND, *sets, "--output", run)
        self.assertEqual(code, 0, err)
        first_step = float((run / "history.csv").read_text().splitlines()[1].split(",")[2])
        self.assertAlmostEqual(found["step"]["seconds"] / first_step, 1, delta=0.1)  # landing on outputs shortens it

    def test_foretells_the_steps_of_water_waves_and_how_well_they_are_resolved(self):
        sets = ["--set", "mesh.size=20", "--set", "time.end=18", "--set", "waves.height_from=0"]
        out, found = self.check(HARBOUR, *sets)
        self.assertRegex(out, r"\nwaves +kh 0.57\d to 1.11, depth \S+ to \S+ cells, 3.\d+ points in the shortest wave; phase speed "
                              r"off by -?0.00 % at the period, 5.2\d % at half of it\n")
        self.assertRegex(out, r"have 3.\d+ points, expected 12 and more: refine the mesh where the water is shallow")
        # 6 m of water at the coast and 18 m in the open sea; 9 s
        self.assertAlmostEqual(found["waves"]["relative_depth_max"], 1.111, delta=0.002)
        self.assertAlmostEqual(found["waves"]["phase_error"], 0, delta=1e-12)
        run = self.folder / "run"
        code, _, err = mpirun(2, "run", HARBOUR, *sets, "--output", run)
        self.assertEqual(code, 0, err)
        first_step = float((run / "history.csv").read_text().splitlines()[1].split(",")[2])
        self.assertAlmostEqual(found["step"]["seconds"] / first_step, 1, delta=0.2)  # landing on outputs shortens it

    def test_foretells_the_outputs(self):
        sets = ["--set", "mesh.size=0.03", "--set", "time.end=0.2", "--set", "output.every=0.05"]
        out, found = self.check(CAVITY, *sets)
        run = self.folder / "run"
        code, _, err = mpirun(1, "run", CAVITY, *sets, "--output", run)
        self.assertEqual(code, 0, err)
        written = [path.stat().st_size for path in run.glob("fields_*/*.vtu")]
        self.assertEqual(found["outputs"]["count"], len(written))
        self.assertAlmostEqual(found["outputs"]["bytes_each"] / max(written), 1, delta=0.2)
        self.assertRegex(out, r"\nflow +Reynolds number 400 with 1 m/s and the longest side of the mesh, \S+ with its longest edge\n")
        self.assertAlmostEqual(found["step"]["reynolds"], 400)
        out, found = self.check(CAVITY, "--set", "mesh.size=0.03", "--set", "time.end=1e5", "--set", "output.every=0.1")
        self.assertEqual(found["outputs"]["count"], 1e6 + 1)
        self.assertRegex(out, r"the run writes 1000001 outputs, \d+ GB of fields: take a larger `every`")

    def test_foretells_how_memory_grows_with_the_mesh(self):
        self.compare_memory(CAVITY, (0.05, 0.006), "time.end=1e-5")

    def test_tells_sizes_conditions_and_topology(self):
        out, found = self.check(self.file("ring.geo", RING))
        self.assertEqual((found["topology"]["holes"], len(found["topology"]["parts"])), (1, 1))
        self.assertAlmostEqual(found["mesh"]["volume"], 8)
        self.assertEqual(found["mesh"]["high"], [3, 3, 0])
        self.assertAlmostEqual(found["boundary"]["outer"]["area"], 12)
        self.assertAlmostEqual(found["boundary"]["inner"]["area"], 4)
        self.assertIn("1 part, 1 hole, 2 pieces of boundary", out)
        self.assertIn("the wall of each hole is one shared unknown", out)
        out, _ = self.check(CAVITY, "--set", "mesh.size=0.1")
        self.assertRegex(out, r"\n +lid +10 +1   wall, velocity \(1, 0, 0\) m/s\n +wall +\d+ +3   wall at rest\n")

    def test_tells_which_walls_turn_with_a_zone(self):
        wheel = self.file("wheel.toml", f"""[mesh]
file = "{ROOT / "meshes" / "annulus.geo"}"
size = 0.2
[flow]
viscosity = 1
[time]
end = 1
step = 0.1
[boundary.inner]
type = "wall"
[boundary.outer]
type = "wall"
[zone.rotor]
ball = {{ centre = [0, 0, 0], radius = 0.75 }}
rotating = {{ rate = 1 }}
[zone.packing]
ball = {{ centre = [0, 0, 0], radius = 0.65 }}
darcy = 100
""")
        out, found = self.check(wheel)
        self.assertRegex(out, r"\n +inner .* wall at rest, or turning with its zone\n")
        self.assertIn("with it turn `inner`", out)
        self.assertRegex(out, r" packing: .* porous, darcy 100 1/m\^2; it turns with \[zone.rotor\]\n")

    def test_names_the_worst_cells(self):
        out, found = self.check(self.file("needle.msh", NEEDLE), "--scale", 10)
        worst = found["quality"]["smallest_angle"]["worst_cells"][0]
        self.assertEqual(worst["cell"], 22)
        self.assertAlmostEqual(worst["value"], 5.7105931375)  # atan(0.05 / 0.5)
        for x, expected in zip(worst["centre"], (5, -1 / 6, 0)):
            self.assertAlmostEqual(x, expected)
        self.assertIn("worst smallest_angle: 5.71 in 22 at (5, -0.16667)", out)
        self.assertIn("1 cell with smallest_angle below 15 deg", out)
        self.assertAlmostEqual(found["quality"]["volume_jump"]["worst"], 20)

    def test_leaves_a_mesh_for_paraview(self):
        _, found = self.check(CAVITY, "--set", "mesh.size=0.05", "--ranks", 4)
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(self.folder / "check" / "mesh.vtu"))
        reader.Update()
        grid = reader.GetOutput()
        self.assertEqual(grid.GetNumberOfCells(), found["mesh"]["cells"])
        values = {name: vtk_to_numpy(grid.GetCellData().GetArray(name)) for name in
                  (grid.GetCellData().GetArrayName(i) for i in range(grid.GetCellData().GetNumberOfArrays()))}
        self.assertEqual(set(values), {"global_id", "smallest_angle", "largest_angle", "aspect_ratio", "non_orthogonality",
                                       "volume_jump", "volume", "part", "region", "rank_of_4"})
        self.assertEqual(values["smallest_angle"].min(), found["quality"]["smallest_angle"]["worst"])
        self.assertEqual(set(values["rank_of_4"]), {0, 1, 2, 3})
        self.assertAlmostEqual(values["volume"].sum(), 1)

    def test_the_result_does_not_depend_on_the_ranks_that_check(self):
        one, three = (self.check(CAVITY, "--set", "mesh.size=0.05", ranks=ranks) for ranks in (1, 3))
        memory = [[entry.pop("bytes_max_rank") for entry in found["partition"]] for _, found in (one, three)]
        for a, b in zip(*memory):  # measured, and a process takes a page more or less
            self.assertAlmostEqual(a / b, 1, delta=0.05)
        self.assertEqual(one[1], three[1])
        texts = [re.sub(r" \d+ MB\n", " MB\n", out) for out, _ in (one, three)]
        self.assertIn(texts[0].partition("\nresults")[0], texts[1])  # the second replaces the first and says so
        self.assertIn("its results are replaced; they were of a check\n", three[0])

    def test_a_case_that_cannot_run_is_examined_and_refused(self):
        for ranks in (1, 3):
            code, out, err = mpirun(ranks, "check", CAVITY, "--set", "mesh.size=0.1", "--set", "boundary.lit.type=wall",
                                    "--output", self.folder / "check")
            self.assertEqual(code, 2)
            self.assertIn("triangles", out)
            self.assertIn("problems    1, named at the end", out)
            self.assertEqual(err.count("error"), 1, err)
            self.assertIn("did you mean `lid`?", err)

    def test_what_a_run_refuses_is_found(self):
        probe = '[[probe]]\nname = "far"\npoints = [[0.5, 2, 0]]\n'
        case = self.file("case.toml", cavity() + probe)
        for words, faults in [([], ["[[probe]] `far`"]),
                              (["--set", "boundary.lid.velocity=[1,1,0]"], ["is not along the wall", "[[probe]] `far`"]),
                              (["--set", "initial.velocity=[0,0,1]"], ["its z-component is 1", "[[probe]] `far`"])]:
            code, out, err = mpirun(2, "check", case, "--set", "mesh.size=0.1", "--output", self.folder / "check", *words)
            self.assertEqual(code, 2)
            self.assertIn(f"problems    {len(faults)}, named at the end", out)
            for fault in faults:
                self.assertIn(fault, err)

    def test_no_two_results_share_a_folder(self):
        """Of a case, its variant, and checks of both and of the mesh, all called mixer."""
        folder = self.folder / "mixer"
        folder.mkdir()
        for name in ("case.toml", "fast.toml"):
            (folder / name).write_text(re.sub(r'file = ".*"', 'file = "mixer.geo"', cavity(), count=1))
        (folder / "mixer.geo").write_text((ROOT / "meshes" / "cavity.geo").read_text())
        for words in (*([command, f"mixer/{name}.toml", "--set", "mesh.size=0.1", "--set", "time.end=0.1"]
                        for command in ("run", "check") for name in ("case", "fast")), ["check", "mixer/mixer.geo", "--size", 0.1]):
            code, out, err = mpirun(1, *words, cwd=self.folder)
            self.assertEqual((code, err), (0, ""))
            self.assertNotIn("replaced", out)
        self.assertEqual({path.name for path in (self.folder / "results").iterdir()},
                         {"mixer", "mixer-fast", "mixer-check", "mixer-fast-check", "mixer.geo-check"})

    def test_cells_that_are_nearly_flat_are_named(self):
        geo = self.file("needle.geo", """
            Point(1) = {0, 0, 0}; Point(2) = {1, 0, 0}; Point(3) = {0.5, 1, 0}; Point(4) = {0.5, -3e-6, 0};
            Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 1}; Line(4) = {1, 4}; Line(5) = {4, 2};
            Curve Loop(1) = {1, 2, 3}; Curve Loop(2) = {4, 5, -1}; Plane Surface(1) = {1}; Plane Surface(2) = {2};
            Transfinite Curve {1, 2, 3, 4, 5} = 2;
            Physical Curve("wall") = {2, 3, 4, 5}; Physical Surface("fluid") = {1, 2};""")
        out, found = self.check(geo)
        self.assertRegex(out, r"look at +1 cell with smallest_angle below 0\.1 deg: results there are meaningless")
        self.assertRegex(out, r"look at +1 cell with aspect_ratio above 1000: ")
        self.assertRegex(out, r"\nproblems +none; \d+ things to look at\n")
        self.assertIn("1 cell with smallest_angle below 15 deg", "\n".join(found["warnings"]))

    def test_too_large_a_step_is_pointed_out(self):
        case = self.file("case.toml", re.sub(r"(?m)^cfl = .*$", "step = 0.1", cavity()))
        out, found = self.check(case, "--set", "mesh.size=0.05")
        self.assertGreater(found["step"]["cfl"], 1.2)
        self.assertRegex(out, r"the step leads to a CFL number of [\d.]+; .*: take a step of 0.0\d+ s")

    def test_a_step_too_long_for_a_frame_that_turns_is_pointed_out(self):
        channel = (ROOT / "cases/channel/case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        case = self.file("case.toml", channel)
        by_cfl = self.check(case, "--set", "flow.frame.rate=1e4")[1]
        self.assertAlmostEqual(by_cfl["step"]["seconds"], 0.3 * 0.9 / 2e4, delta=1e-8)
        self.assertEqual(by_cfl["warnings"], [])
        case = self.file("case.toml", re.sub(r"(?m)^cfl = .*$", "step = 1e-4", channel))
        out, found = self.check(case, "--set", "flow.frame.rate=1e4")
        self.assertRegex(out, r"the step is 6\.67 times as long as the Coriolis force of the frame allows: take one of 1.5e-05 s")

    def test_an_inlet_that_lets_fluid_out_is_pointed_out(self):
        channel = (ROOT / "cases/channel/case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        extractor = re.sub(r'type = "outlet"\npressure = .*', 'type = "inlet"\nvelocity = ["4*y*(1-y)", 0, 0]', channel)
        both_ways = extractor.replace("4*y*(1-y)", "y - 0.5")
        for text, expected in [(channel, []), (extractor, [("outlet", "100")]), (both_ways, [("inlet", "50"), ("outlet", "50")])]:
            out, found = self.check(self.file("case.toml", text), "--set", "mesh.size=0.25")
            told = re.findall(r"fluid leaves through the inlet `(\w+)`, up to ([\d.]+) % of all that passes it", out)
            self.assertEqual(sorted(told), expected)
            self.assertEqual(len(told), sum(text.count("fluid leaves") for text in found["warnings"]))

    def test_a_reference_far_from_all_temperatures_is_pointed_out(self):
        case = (ROOT / "cases/heated-cavity/case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        for reference, expected in [("0.5", 0), ("293.15", 1)]:
            out, found = self.check(self.file("case.toml", re.sub(r"(?m)^reference = [\d.]+", f"reference = {reference}", case)))
            self.assertEqual(out.count("is outside all given temperatures, 0 to 1 K"), expected)
            self.assertEqual(sum("outside all given" in text for text in found["warnings"]), expected)

    def test_wrong_words_are_refused(self):
        for words, fault in [(["no.msh"], "no.msh: the mesh file does not exist"),
                             ([CAVITY, "--size", 1], "use --set mesh.size"),
                             ([ROOT / "meshes/cavity.geo", "--set", "a=1"], "--size and --scale are there for a mesh"),
                             ([CAVITY, "--ranks", 0], "--ranks"),
                             ([CAVITY, "--output", ROOT / "src"], "files that Solenoid did not make")]:
            code, _, err = mpirun(2, "check", *words)
            self.assertEqual(code, 2)
            self.assertIn(fault, err)


class HeatCheck(CheckTest):
    def problems_of(self, case, ranks=1):
        """What the end names of a case that cannot run; each is in check.json, too."""
        code, out, err = mpirun(ranks, "check", case, "--output", self.folder / "check")
        self.assertEqual(code, 2, out + err)
        problems = json.loads((self.folder / "check" / "check.json").read_text())["problems"]
        self.assertIn(f"problems    {len(problems)}, named at the end", out)
        self.assertEqual(err, "error: " + "\n".join(problems) + "\n")
        return problems

    def test_tells_conditions(self):
        out, found = self.check(write_case(self.folder, "body", BODY))
        self.assertRegex(out, r"\n +left +32 +1   temperature 330 K\n +right, rear +32 +1   temperature 300 K\n +side +128 +4   insulated\n")
        self.assertRegex(out, r"\n +exact: not tried\n +heat: runs\n")
        self.assertNotIn("\nsteps", out)
        self.assertEqual((found["mesh"]["regions"], found["problems"], found["mesh"]["dimension"]), (["west", "east"], [], 3))
        self.assertNotIn("step", found)
        out, found = self.check(write_case(self.folder, "plate", PLATE), ranks=3)
        self.assertRegex(out, r"\n +lid +8 +1   convection, 5 W/\(m\^2 K\) to 300 K\n +wall +16 +2   insulated\n"
                              r" +floor +8 +1   heat flux 20\*x W/m\^2 into the body\n")
        self.assertEqual(found["problems"], [])

    def test_takes_a_mesh_of_tetrahedra(self):
        (self.folder / "cube.msh").write_bytes(cube(3).text("4.1"))
        out, found = self.check(self.folder / "cube.msh", ranks=2)
        self.assertIn("mesh        162 tetrahedra, 378 faces, 279 edges, 64 nodes\n", out)
        self.assertIn("\nproblems    none\n", out)
        self.assertAlmostEqual(found["mesh"]["volume"], 1)
        self.assertAlmostEqual(found["boundary"]["wall"]["area"], 5)
        self.assertGreater(found["partition"][0]["bytes_max_rank"], found["partition"][0]["device_bytes_max_rank"])
        self.assertGreater(found["partition"][0]["device_bytes_max_rank"], 162 * 8)

    def test_no_edge_is_as_long_as_a_period(self):
        _, found = self.check(ROOT / "cases" / "taylor-green-3d" / "case.toml", "--set", "mesh.size=1.2")
        lengths = found["mesh"]["edge_length"]
        self.assertLess(lengths["max"], 2.5)
        self.assertLess(lengths["mean"], 1.5)

    def test_parts_exchange_no_heat(self):
        (self.folder / "two.msh").write_bytes(two_squares(touch=False).text("2.2"))
        out, _ = self.check(self.folder / "two.msh")
        self.assertRegex(out, r"\n +heat: runs; no heat goes from one part to the other\n")

    def test_what_a_run_refuses_is_found(self):
        undetermined = "the steady temperature of the body is not determined"
        for text, faults in [
            (BODY.replace("east = 2", "eas = 2"), ["no volume group `eas` (did you mean `east`?); its groups: `west`, `east`",
                                                   "no value for the mesh's volume group `east`"]),
            (BODY.replace('type = "temperature"', 'type = "flux"'), [undetermined]),
            (PLATE_STEADY.replace("coefficient = 5", 'coefficient = "0*x"'), [undetermined]),
            (BODY.replace("east = 2", 'east = "x-0.7"').replace("0.75, 0.5, 0.5]", "1.75, 0.5, 0.5]"),
             ['`conductivity` in [heat]: "x-0.7" is -0.', "`points` of [[probe]] `inside`: the point (1.75, 0.5, 0.5) lies outside"]),
            (PLATE_STEADY.replace("coefficient = 5", 'coefficient = "x-0.5"'), ['`coefficient` in [boundary.lid]: "x-0.5" is -0.']),
            (PLATE.replace('"300+10*x"', '"1/(x-0.5)"'), ['expression "1/(x-0.5)" is infinite']),
            (BODY.replace("[boundary.side]", "[boundary.sides]"), ["[boundary.sides]: the mesh has no boundary group of this name "
                                                                   "(did you mean `side`?)", "group `side` has no table"]),
        ]:
            with self.subTest(faults=faults):
                problems = self.problems_of(write_case(self.folder, "case", text), ranks=2)
                self.assertEqual(len(problems), len(faults), problems)
                for problem, fault in zip(problems, faults):
                    self.assertIn(fault, problem)

    def test_tells_the_loops_of_a_flow_in_tetrahedra(self):
        text = '[mesh]\nfile = "body.msh"\n[flow]\nviscosity = 1\n[time]\nend = 1\nstep = 1\n' + "".join(
            f'[boundary."{name}"]\ntype = "{kind}"\n' for name, kind in (
                ("left", "outlet"), ("right, rear", "outlet"), ("side", "wall")))
        out, _ = self.check(write_case(self.folder, "case", text))
        self.assertRegex(out, r"\n +exact: runs; 1 loop of the flow, fastest along `side`\n")

    def test_foretells_how_memory_grows_with_the_mesh(self):
        sides = '[boundary.lid]\ntype = "temperature"\nvalue = 0\n[boundary.wall]\ntype = "insulated"\n'
        for file, sizes in (("cube.geo", (0.12, 0.03)), ("cavity.geo", (0.05, 0.004))):
            with self.subTest(file=file):
                text = f'[mesh]\nfile = "{ROOT / "meshes" / file}"\n[heat]\nconductivity = 1\n' + sides
                self.compare_memory(self.file("case.toml", text), sizes)
        with self.subTest("distributed"):
            text = (f'[mesh]\nfile = "{ROOT / "meshes" / "cube.geo"}"\ndistributed = true\n[heat]\nconductivity = 1\n'
                    "heat_capacity = 1\n[initial]\ntemperature = 0\n[time]\nend = 0.01\nstep = 0.01\n") + sides
            self.compare_memory(self.file("case.toml", text), (0.12, 0.03))


if __name__ == "__main__":
    case_runs.main()
