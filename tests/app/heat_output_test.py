"""What a run of heat conduction leaves behind, on one and several ranks: a steady body of two materials, a plate in time."""

import argparse
import json
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import output_test
from broken_meshes import cube, square
from output_test import outer_faces, read_series, run, table
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

LINE = """
[[line]]
name = "across"
from = [0.0, 0.4, {z}]
to = [1.0, 0.4, {z}]
points = 11
"""
# Half of the body conducts five times as well as the other: 30 K drive 30 / (0.5/10 + 0.5/2) = 100 W through it, of
# which the better half takes 5 K. Linear elements are exact here.
BODY = """title = "A body"
[mesh]
file = "body.msh"
[heat]
conductivity = { west = 10, east = 2 }
[boundary.left]
type = "temperature"
value = 330
[boundary."right, rear"]
type = "temperature"
value = 300
[boundary.side]
type = "insulated"
[solver.heat]
tolerance = 1e-13
preconditioner = "multigrid"
[[probe]]
name = "inside"
points = [[0.25, 0.5, 0.5], [0.5, 0.5, 0.5], [0.75, 0.5, 0.5]]
fields = ["temperature", "heat_flux"]
[[integral]]
name = "ends"
patches = ["left", "right, rear"]
[[integral]]
name = "hot"
patches = ["left"]
fields = ["temperature"]
""" + LINE.format(z=0.3)
PLATE_STEADY = """title = "A plate"
[mesh]
file = "plate.msh"
[heat]
conductivity = "1+y"
source = "10*x"
[boundary.lid]
type = "convection"
coefficient = 5
ambient = 300
[boundary.wall]
type = "insulated"
[boundary.floor]
type = "flux"
value = "20*x"
[solver.heat]
tolerance = 1e-13
""" + LINE.format(z=0.0)
PLATE = PLATE_STEADY.replace("source", "heat_capacity = 2\nsource") + """
[time]
end = 0.2
step = 0.02
[initial]
temperature = "300+10*x"
[output]
every = 0.05
times = [0.03]
[[probe]]
name = "all"
points = [[0.5, 0.5, 0.0], [1.0, 1.0, 0.0]]
fields = ["heat_flux", "temperature"]
[[probe]]
name = "third"
points = [[0.2, 0.9, 0.0]]
every_steps = 3
[[integral]]
name = "lid"
patches = ["lid"]
every_steps = 2
"""
PLACE = ["x [m]", "y [m]", "z [m]"]
FLUX = ["heat_flux_x [W/m^2]", "heat_flux_y [W/m^2]", "heat_flux_z [W/m^2]"]
RANKS = (1, 3)
GHOSTS = {"ranks1": [], "ranks3": ["vtkGhostType"] * 2}


def body():
    """A cube whose sides x = 0 and x = 1 have names of their own, and whose halves are two volume groups."""
    made = cube(4)
    made.names = [(2, 1, "left"), (2, 2, "right, rear"), (2, 3, "side"), (3, 4, "west"), (3, 5, "east")]
    for e in made.elements:
        x = [made.node(n)[1] for n in e.nodes]
        if len(x) == 4:
            e.group = e.entity = 4 if max(x) <= 0.5 else 5
        else:
            e.group = e.entity = 1 if max(x) == 0 else 2 if min(x) == 1 else 3
    return made.text("2.2")


def plate():
    """A square whose lower side has a name of its own."""
    made = square(8)
    made.names = [(1, 1, "lid"), (1, 2, "wall"), (1, 4, "floor"), (2, 3, "plate")]
    for e in made.elements[:8]:
        e.group = e.entity = 4
    return made.text("2.2")


def write_case(folder, name, text):
    """The case NAME/case.toml, with both meshes beside it."""
    case = Path(folder) / name / "case.toml"
    case.parent.mkdir(exist_ok=True)
    case.write_text(text)
    case.with_name("body.msh").write_bytes(body())
    case.with_name("plate.msh").write_bytes(plate())
    return case


def summary_of(output):
    return json.loads((output / "summary.json").read_text())


class Grid:
    """An output as VTK reads it: arrays at points and in cells, in the order of the global ids."""

    def __init__(self, output, place=-1):
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(sorted(output.glob("fields_*.pvtu"))[place]))
        reader.Update()
        self.grid = reader.GetOutput()
        self.at_points, self.in_cells = (self.arrays(data) for data in (self.grid.GetPointData(), self.grid.GetCellData()))

    @staticmethod
    def arrays(data):
        arrays = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
        if "vtkGhostType" in arrays:  # every value once
            owned = arrays.pop("vtkGhostType") == 0
            arrays = {name: values[owned] for name, values in arrays.items()}
        order = arrays["global_id"].argsort(kind="stable")
        return {name: values[order] for name, values in arrays.items()}

    def mean_temperature(self):
        """Of cells of one size."""
        corners = vtk_to_numpy(self.grid.GetCells().GetConnectivityArray())
        if ghost := self.grid.GetCellData().GetArray("vtkGhostType"):
            corners = corners.reshape(len(vtk_to_numpy(ghost)), -1)[vtk_to_numpy(ghost) == 0]
        return vtk_to_numpy(self.grid.GetPointData().GetArray("temperature"))[corners].mean()


class HeatCase(unittest.TestCase):
    """One case run on 1 and on 3 ranks."""

    TEXT = None

    @classmethod
    def setUpClass(cls):
        if cls.TEXT is None:
            raise unittest.SkipTest("a base class")
        cls.folder = tempfile.TemporaryDirectory()
        cls.case = write_case(cls.folder.name, "case", cls.TEXT)
        cls.results, cls.screen = {}, {}
        for ranks in RANKS:
            cls.results[ranks] = Path(cls.folder.name) / f"ranks{ranks}"
            done = run(ranks, cls.case, cls.results[ranks])
            assert (done.returncode, done.stderr) == (0, ""), done.stderr
            cls.screen[ranks] = done.stdout

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def check_numbers_on_any_ranks(self):
        """Lines, probes, history and fields of 3 ranks are those of 1 to 1e-10."""
        one, three = self.results[1], self.results[3]
        names = ["history.csv"] + [str(p.relative_to(one)) for p in [*one.glob("lines/*"), *one.glob("probes/*"),
                                                                 *one.glob("integrals/*")]]
        for name in names:
            (header, a), (other_header, b) = table(one / name), table(three / name)
            self.assertEqual((header, len(a)), (other_header, len(b)))
            for k, column in enumerate(header):
                if column.startswith(("iterations", "residual", "wall_seconds", "heat_imbalance")):
                    continue
                scale = max(1.0, max(abs(row[k]) for row in a))
                self.assertLessEqual(max(abs(p[k] - q[k]) for p, q in zip(a, b)), 1e-10 * scale, f"{name} {column}")
        a, b = Grid(one), Grid(three)
        found = dict(zip(b.at_points["global_id"], b.at_points["temperature"]))  # what ranks share is there several times
        expected = dict(zip(a.at_points["global_id"], a.at_points["temperature"]))
        self.assertEqual(found.keys(), expected.keys())
        self.assertLess(max(abs(found[id] - expected[id]) for id in found), 1e-10 * 300)
        self.assertLess(abs(a.in_cells["heat_flux"] - b.in_cells["heat_flux"]).max(), 1e-8)

    def check_heat_is_balanced(self, patches):
        """In every row of history.csv, whose last has the figures of summary.json."""
        for output in self.results.values():
            header, rows = table(output / "history.csv")
            column = {name: k for k, name in enumerate(header)}
            for row in rows:
                value = {name.split(" [")[0]: row[k] for name, k in column.items()}
                through = [value[f"heat_{patch}"] for patch in patches]
                total = sum(through) + value["heat_source"] - value["heat_stored"]
                supplied = sum(max(h, 0) for h in [*through, value["heat_source"], -value["heat_stored"]])
                self.assertAlmostEqual(total, value["heat_imbalance"], delta=1e-13 * supplied)
                self.assertLess(abs(total), 1e-10 * supplied)
            summary = summary_of(output)
            self.assertEqual(list(summary["heat"].values()), through)
            balance = summary["heat_balance"]
            self.assertEqual([balance[key] for key in ("source", "stored", "imbalance")],
                             [value[f"heat_{key}"] for key in ("source", "stored", "imbalance")])
            self.assertAlmostEqual(balance["supplied"], supplied, delta=1e-12 * supplied)
            self.assertAlmostEqual(balance["imbalance_part"], abs(balance["imbalance"]) / supplied, delta=1e-20)


class Steady(HeatCase):
    TEXT = BODY

    def test_there_is_one_output(self):
        for output in self.results.values():
            self.assertLessEqual({"fields.pvd", "history.csv", "summary.json", "run.log", "patches.vtm"},
                                 {path.name for path in output.iterdir()})
            [entry] = read_series(output)
            self.assertEqual((entry[0], entry[2]), ("0", "384"))
            self.assertEqual(sorted(entry[3:]), ["global_id", "global_id", "heat_flux", "rank", "region", "temperature"] + GHOSTS[output.name])
            self.assertEqual(outer_faces(output), 6 * 2 * 4 * 4, "cuts between ranks are no surfaces")
            self.assertEqual([path.name for path in (output / "lines").iterdir()], ["across_000000.csv"])

    def test_fields_are_exact(self):
        for output in self.results.values():
            temperature, in_cells = Grid(output).at_points["temperature"], Grid(output).in_cells
            self.assertAlmostEqual(temperature.min(), 300, delta=1e-9)
            self.assertAlmostEqual(temperature.max(), 330, delta=1e-9)
            self.assertLess(abs(in_cells["heat_flux"] - [100, 0, 0]).max(), 1e-8)
            self.assertEqual([(in_cells["region"] == k).sum() for k in (0, 1)], [192, 192])
            header, rows = table(output / "lines" / "across_000000.csv")
            self.assertEqual(header, ["s [m]", *PLACE, "temperature [K]", *FLUX])
            self.assertEqual(len(rows), 11)
            for s, x, y, z, temperature, *flux in rows:
                for found, expected in zip((s, y, z), (x, 0.4, 0.3)):
                    self.assertAlmostEqual(found, expected)
                self.assertAlmostEqual(temperature, 330 - 10 * x if x < 0.5 else 325 - 50 * (x - 0.5), delta=1e-9)
                for found, expected in zip(flux, (100, 0, 0)):
                    self.assertAlmostEqual(found, expected, delta=1e-8)

    def test_the_heat_goes_from_left_to_right(self):
        self.check_heat_is_balanced(["left", "right_ rear", "side"])
        for output in self.results.values():
            heat = summary_of(output)["heat"]
            self.assertEqual(list(heat), ["left", "right, rear", "side"])
            self.assertAlmostEqual(heat["left"], 100, delta=1e-9)
            self.assertAlmostEqual(heat["right, rear"], -heat["left"], delta=1e-9)
            self.assertEqual(heat["side"], 0)

    def test_history_has_one_row(self):
        header, [row] = table(self.results[3] / "history.csv")
        self.assertEqual(header, ["step [-]", "time [s]", "dt [s]", "temperature_min [K]", "temperature_max [K]", "heat_left [W]",
                                  "heat_right_ rear [W]", "heat_side [W]", "heat_source [W]", "heat_stored [W]",
                                  "heat_imbalance [W]", "iterations_heat [-]", "residual_heat [-]", "wall_seconds [s]"])
        self.assertEqual(row[:3], [0, 0, 0])

    def test_a_probe_has_a_row_for_each_point(self):
        header, rows = table(self.results[3] / "probes" / "inside.csv")
        self.assertEqual(header, ["time [s]", *PLACE, "temperature [K]", *FLUX])
        self.assertEqual([row[:4] for row in rows], [[0, x, 0.5, 0.5] for x in (0.25, 0.5, 0.75)])
        for row, expected in zip(rows, (327.5, 325, 312.5)):
            self.assertAlmostEqual(row[4], expected, delta=1e-9)
            self.assertAlmostEqual(row[5], 100, delta=1e-8)

    def test_integrals_are_over_the_patches_together(self):
        header, [row] = table(self.results[3] / "integrals" / "ends.csv")
        self.assertEqual(header, ["time [s]", "area [m^2]", "temperature [K m^2]", "heat_flux_in [W/m^2 m^2]"])
        for found, expected in zip(row, (0, 2, 630, 0)):
            self.assertAlmostEqual(found, expected, delta=1e-9)
        header, [row] = table(self.results[3] / "integrals" / "hot.csv")
        self.assertEqual(header, ["time [s]", "area [m^2]", "temperature [K m^2]"])
        self.assertAlmostEqual(row[2], 330, delta=1e-10)

    def test_patches_are_named(self):
        for output in self.results.values():
            self.assertEqual({path.name for path in (output / "patches").iterdir()}, {"left.vtp", "right,_rear.vtp", "side.vtp"})
            self.assertIn('name="right, rear" file="patches/right,_rear.vtp"', (output / "patches.vtm").read_text())

    def test_summary_tells_what_scripts_rely_on(self):
        for ranks, output in self.results.items():
            summary = summary_of(output)
            self.assertEqual((summary["run"]["ranks"], summary["run"]["steps"], summary["run"]["stopped_by"]), (ranks, 0, "steady"))
            self.assertEqual(summary["mesh"]["regions"], ["west", "east"])
            self.assertEqual((summary["mesh"]["dimension"], summary["mesh"]["nodes"]), (3, 125))
            self.assertEqual(summary["heat_balance"].keys(), {"supplied", "source", "stored", "imbalance", "imbalance_part"})
            bounds = summary["maximum_principle"]
            self.assertEqual(bounds["allowed"], [300, 330])
            self.assertEqual(bounds["nodes_beyond"], 0)
            self.assertGreater(bounds["couplings"], bounds["positive_couplings"])
            for found, expected in zip(bounds["found"], (300, 330)):
                self.assertAlmostEqual(found, expected, delta=1e-9)
            self.assertEqual(summary["solvers"].keys(), {"heat"})
            solver = summary["solvers"]["heat"]
            self.assertEqual((solver["calls"], solver["preconditioner"], solver["tolerance"]), (1, "multigrid", 1e-13))
            self.assertEqual(solver["multigrid"].keys(), {"levels", "rows", "complexity", "bytes_per_unknown"})
            self.assertEqual(len(solver["multigrid"]["rows"]), solver["multigrid"]["levels"])
            self.assertGreater(solver["setup_seconds"], 0)
            self.assertLessEqual(solver["residual_max"], 1e-13)
            self.assertEqual(summary["case"].keys() & {"flow", "time", "initial", "heat"}, {"heat"})
            self.assertEqual(summary["case"]["heat"]["conductivity"], {"west": 10, "east": 2})
            self.assertNotIn("divergence", summary)

    def test_the_screen_tells_where_the_heat_goes(self):
        for out in self.screen.values():
            self.assertRegex(out, r"\nSteady after \d+ iterations, residual \S+\n  heat     into the body \[W\]: left 100, right, rear -100, side 0\n"
                                  r"           balance open by \S+ W, \S+ of the supplied power\n  range    300 to 330 K\n")

    def test_numbers_are_the_same_on_any_number_of_ranks(self):
        self.check_numbers_on_any_ranks()


class Transient(HeatCase):
    TEXT = PLATE

    def test_fields_start_at_zero_and_land_on_the_chosen_times(self):
        for output in self.results.values():
            series = read_series(output)
            self.assertEqual([round(float(entry[0]), 12) for entry in series], [0, 0.03, 0.05, 0.1, 0.15, 0.2])
            for entry in series:
                self.assertEqual(sorted(entry[3:]), ["global_id", "global_id", "heat_flux", "rank", "temperature"] + GHOSTS[output.name])
            steps = sorted(path.stem[-6:] for path in output.glob("fields_*.pvtu"))
            self.assertEqual(sorted(path.name for path in (output / "lines").iterdir()), [f"across_{step}.csv" for step in steps])

    def test_history_has_a_row_a_step(self):
        header, rows = table(self.results[3] / "history.csv")
        self.assertEqual(header[5:11], ["heat_lid [W/m]", "heat_wall [W/m]", "heat_floor [W/m]", "heat_source [W/m]", "heat_stored [W/m]", "heat_imbalance [W/m]"])
        self.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
        self.assertLessEqual(max(row[2] for row in rows), 0.02 * (1 + 1e-12))
        self.assertAlmostEqual(sum(row[2] for row in rows), 0.2)
        self.assertAlmostEqual(rows[-1][1], 0.2)
        for row in rows:
            self.assertEqual(row[6], 0)
            self.assertAlmostEqual(row[7], 10)
            self.assertAlmostEqual(row[8], 5)

    def test_the_heat_is_balanced(self):
        self.check_heat_is_balanced(["lid", "wall", "floor"])

    def test_probes_have_a_row_for_each_time_and_point(self):
        header, rows = table(self.results[3] / "probes" / "all.csv")
        self.assertEqual(sorted(header), sorted(["time [s]", *PLACE, "temperature [K]", *FLUX]))
        times = [0.0] + [row[1] for row in table(self.results[3] / "history.csv")[1]]
        self.assertEqual([row[:4] for row in rows], [[t, *x] for t in times for x in ([0.5, 0.5, 0.0], [1.0, 1.0, 0.0])])
        temperature = header.index("temperature [K]")
        self.assertEqual([row[temperature] for row in rows[:2]], [305, 310])  # as it starts
        header, rows = table(self.results[3] / "probes" / "third.csv")
        self.assertEqual(header, ["time [s]", *PLACE, "temperature [K]"])
        self.assertEqual([row[0] for row in rows], times[::3])

    def test_the_screen_tells_what_is_written(self):
        for out in self.screen.values():
            lines = re.findall(  # after a second they tell how much time is left, too
                r"^step \d+  t ([\d.]+)/0.2 s  (?:[^T\n]+ left  )?T 30[\d.]+ to 3[\d.]+ K  \d+ it  written$", out, re.M)
            self.assertEqual(lines, ["0.03", "0.05", "0.1", "0.15", "0.2"])

    def test_summary_tells_of_the_steps(self):
        summary = summary_of(self.results[3])
        self.assertEqual((summary["run"]["stopped_by"], summary["run"]["steps"]), ("end", len(table(self.results[3] / "history.csv")[1])))
        self.assertEqual(summary["solvers"]["heat"]["calls"], summary["run"]["steps"])
        self.assertEqual(summary["maximum_principle"]["allowed"], [300, None])  # sources supply heat
        self.assertEqual(summary["case"]["time"]["scheme"], "second-order")
        self.assertEqual(summary["case"]["heat"]["heat_capacity"], 2)
        self.assertRegex(self.screen[3], r"Done at t = 0.2 s after \d+ steps\n  heat     into the body \[W/m\]: lid \S+, wall 0, floor 10, sources 5, stored ")

    def test_numbers_are_the_same_on_any_number_of_ranks(self):
        self.check_numbers_on_any_ranks()


class Choices(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, name, text, *sets, ranks=1):
        output = self.folder / f"output of {name}"
        done = run(ranks, write_case(self.folder, name, text), output, *sets)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return output

    def last_line(self, output):
        return [row[4] for row in table(sorted((output / "lines").iterdir())[-1])[1]]

    def test_a_run_in_time_ends_in_the_steady_state(self):
        steady = self.run_case("steady", PLATE_STEADY)
        transient = self.run_case("transient", PLATE, "time.steady_tolerance=1e-8", "time.step=0.5", "time.end=1000",
                                  "output.times=[1000]", "output.every=1000", ranks=3)
        expected, found = summary_of(steady), summary_of(transient)
        self.assertEqual(expected["solvers"]["heat"]["preconditioner"], "jacobi")  # of its own choice, for one small solve
        self.assertEqual(found["run"]["stopped_by"], "steady")
        self.assertLess(found["run"]["time"], 100)
        self.assertRegex((transient / "run.log").read_text(), r"\nSteady at t = \S+ s after \d+ steps\n")
        for patch, heat in expected["heat"].items():
            self.assertAlmostEqual(found["heat"][patch], heat, delta=1e-5)
        self.assertAlmostEqual(found["heat_balance"]["stored"], 0, delta=1e-5)
        self.assertLess(max(abs(a - b) for a, b in zip(self.last_line(steady), self.last_line(transient))), 1e-5)
        self.assertEqual([float(entry[0]) for entry in read_series(transient)], [0, found["run"]["time"]])

    def test_what_has_not_begun_to_change_is_not_steady(self):
        text = PLATE.split("[heat]")[0] + """
[heat]
conductivity = 1
heat_capacity = 2
[time]
end = 1
step = 0.02
steady_tolerance = 1e9
[initial]
temperature = 300
[boundary.lid]
type = "convection"
coefficient = 5
ambient = "300 + 100*(t > 0.1)"
[boundary.wall]
type = "insulated"
[boundary.floor]
type = "insulated"
"""
        found = summary_of(self.run_case("moving", text))["run"]
        self.assertEqual(found["stopped_by"], "steady")
        self.assertGreater(found["time"], 0.1)

    def test_the_second_order_is_nearer_than_the_first(self):
        lines = {}
        for name, scheme, step in (("fine", "second-order", 0.001), ("second", "second-order", 0.02), ("first", "euler", 0.02)):
            lines[name] = self.last_line(self.run_case(name, PLATE, f"time.scheme={scheme}", f"time.step={step}"))
        error = {name: max(abs(a - b) for a, b in zip(line, lines["fine"])) for name, line in lines.items()}
        self.assertGreater(error["first"], 4 * error["second"])
        self.assertGreater(error["second"], 0)

    def test_what_is_stored_is_what_the_plate_gains(self):
        output = self.run_case("euler", PLATE, "time.scheme=euler", ranks=3)
        mean = [Grid(output, place).mean_temperature() for place in (0, -1)]
        _, rows = table(output / "history.csv")
        self.assertGreater(abs(mean[1] - mean[0]), 0.1)
        self.assertAlmostEqual(sum(row[2] * row[9] for row in rows), 2 * (mean[1] - mean[0]))

    def test_fields_can_be_left_out(self):
        output = self.run_case("few", PLATE, 'output.fields=["temperature"]', ranks=3)
        self.assertTrue(all("heat_flux" not in entry for entry in read_series(output)))
        header, _ = table(sorted((output / "lines").iterdir())[0])
        self.assertEqual(header, ["s [m]", *PLACE, "temperature [K]"])

    def test_a_body_whose_every_node_is_given_has_nothing_to_solve(self):
        text = BODY[:BODY.index("[boundary.left]")].replace("{ west = 10, east = 2 }", "2").replace("body.msh", "small.msh")
        text += '[boundary.lid]\ntype = "temperature"\nvalue = 2\n[boundary.wall]\ntype = "temperature"\nvalue = "2*z"\n'
        output = self.folder / "output"
        case = write_case(self.folder, "small", text)
        case.with_name("small.msh").write_bytes(cube(1).text("2.2"))
        for ranks in RANKS:
            done = run(ranks, case, output)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertLess(abs(Grid(output).in_cells["heat_flux"] - [0, 0, -4]).max(), 1e-12)
            heat = summary_of(output)["heat"]
            self.assertAlmostEqual(heat["lid"], 4)
            self.assertAlmostEqual(heat["wall"], -4)

    def test_each_patch_has_a_column_of_its_own(self):
        made = square(2)
        made.names = [(1, 1, "source"), (1, 2, "a,b"), (1, 4, "a_b"), (2, 3, "plate")]
        for e in made.elements[:2]:
            e.group = e.entity = 4
        text = BODY[:BODY.index("[boundary.left]")].replace("{ west = 10, east = 2 }", "2").replace("body.msh", "small.msh")
        case = write_case(self.folder, "names", text + "".join(
            f'[boundary."{name}"]\ntype = "temperature"\nvalue = {value}\n' for name, value in (("source", 1), ("a,b", 2), ("a_b", 3))))
        case.with_name("small.msh").write_bytes(made.text("2.2"))
        output = self.folder / "output"
        done = run(1, case, output)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        header, [row] = table(output / "history.csv")
        self.assertEqual(header[5:11], ["heat_source_ [W/m]", "heat_a_b [W/m]", "heat_a_b_ [W/m]", "heat_source [W/m]", "heat_stored [W/m]", "heat_imbalance [W/m]"])
        self.assertEqual(row[5:8], list(summary_of(output)["heat"].values()))

    def test_a_dry_run_tells_what_it_would_do(self):
        for name, text, plan in (("body", BODY, "solve    one linear system for the temperatures of 125 nodes"),
                                 ("plate", PLATE, "steps    12 of at most 0.02 s to t = 0.2 s")):
            for ranks in RANKS:
                case, output = write_case(self.folder, name, text), self.folder / "dry"
                done = subprocess.run([*output_test.command(ranks, case, output), "--dry-run"], capture_output=True, text=True,
                                      stdin=subprocess.DEVNULL)
                self.assertEqual((done.returncode, done.stderr), (0, ""))
                self.assertIn("Dry run: everything is set up", done.stdout)
                self.assertIn(plan, done.stdout)
                self.assertFalse(output.exists())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--read-series", required=True)
    options, rest = parser.parse_known_args()
    output_test.options = options
    unittest.main(argv=[sys.argv[0], *rest])
