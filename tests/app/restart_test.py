"""A restart that changes something: what the case gives counts from the first step on, every change is told and done, and
what cannot go on is refused before anything is touched."""

import csv
import json
import shutil
import zlib

from broken_meshes import TETRAHEDRON, TRIANGLE, cube, square
import case_runs

FLOW = """[mesh]
file = "duct.msh"
[flow]
viscosity = 0.05
[time]
end = 0.5
step = 0.05
[boundary.left]
type = "inlet"
velocity = [1, 0, 0]
[boundary.right]
type = "outlet"
[boundary.vent]
type = "outlet"
[boundary.side]
type = "{side}"
[output]
every = 0.25
[checkpoint]
every_steps = 5
keep = 99
"""
FLOW_RATE = FLOW.format(side="wall").replace("velocity = [1, 0, 0]", 'flow_rate = "2+t"\nprofile = "developed"')
HEAT = """[mesh]
file = "duct.msh"
[heat]
conductivity = 1
heat_capacity = 1
[initial]
temperature = 0
[time]
end = 0.4
step = 0.02
[boundary.left]
type = "temperature"
value = 1
[boundary.right]
type = "temperature"
value = 0
[boundary.vent]
type = "insulated"
[boundary.side]
type = "insulated"
[checkpoint]
every_steps = 10
keep = 99
"""


def duct(dimension):
    """The unit square or cube: "left" and "right", "vent" in the side y = 1 beyond x = 1/2, "side" all the rest."""
    mesh = square(6) if dimension == 2 else cube(4)
    inside = TRIANGLE if dimension == 2 else TETRAHEDRON
    group = {"left": 1, "right": 2, "vent": 3, "side": 4}
    mesh.names = [(dimension - 1, number, name) for name, number in group.items()] + [(dimension, 5, "fluid")]
    for element in mesh.elements:
        if element.type == inside:
            element.group = 5
            continue
        x, y, z = ([mesh.node(id)[k] for id in element.nodes] for k in (1, 2, 3))
        side = ("left" if max(x) == 0 else "right" if min(x) == 1 else
                "vent" if min(y) == 1 and min(x) >= 0.5 else "side")
        element.group = element.entity = group[side]
    return mesh.text("2.2")


class Restarts(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        self.mesh(2)

    def mesh(self, dimension):
        (self.folder / "duct.msh").write_bytes(duct(dimension))

    def history(self, result):
        with open(self.folder / result / "history.csv", newline="") as file:
            return [{name.split(" [")[0]: float(value) for name, value in row.items()} for row in csv.DictReader(file)]

    def files(self, result):
        """Everything in a folder, with its content."""
        folder = self.folder / result
        return {path.relative_to(folder): path.read_bytes() for path in folder.rglob("*") if path.is_file()}

    def test_what_crosses_the_boundary_is_that_of_the_new_case(self):
        slip, sticks = FLOW.format(side="symmetry"), FLOW.format(side="wall")
        for dimension in (2, 3):
            self.mesh(dimension)
            for method in ("exact", "classical"):
                for ranks in (1, 3):
                    with self.subTest(dimension=dimension, method=method, ranks=ranks):
                        set_method = ["--set", f"flow.method={method}"]
                        self.run_case(sticks, "w", *set_method, ranks=ranks)
                        at = ["--restart", "w/checkpoint_000005.h5"]
                        said = self.run_case(sticks, "b", *set_method, "--set", "boundary.left.velocity=[2,0,0]", *at, ranks=ranks)
                        self.assertIn("  changed  boundary.left.velocity is [2.0,0.0,0.0], was [1.0,0.0,0.0]\n", said)
                        for row in self.history("b"):
                            self.assertAlmostEqual(row["flow_rate_left"], -2, 12)
                            self.assertAlmostEqual(row["flow_rate_right"] + row["flow_rate_vent"], 2, 12)
                        said = self.run_case(FLOW_RATE, "b", *set_method, *at, ranks=ranks)
                        self.assertIn('  changed  boundary.left.flow_rate is "2+t", was null\n', said)
                        for row in self.history("b"):
                            self.assertAlmostEqual(row["flow_rate_left"], -2 - row["time"], 12)
                            self.assertAlmostEqual(row["flow_rate_right"] + row["flow_rate_vent"], 2 + row["time"], 12)
                        said = self.run_case(slip, "b", *set_method, "--set", "boundary.vent.type=wall",
                                             "--set", "boundary.vent.velocity=[0,0,0]", *at, ranks=ranks)
                        self.assertIn('  changed  boundary.vent.type is "wall", was "outlet"\n', said)
                        for row in self.history("b"):
                            self.assertAlmostEqual(row["flow_rate_right"], 1, 12)

    def test_vessels_have_no_use_for_another_start(self):
        case = FLOW.format(side="wall").replace('[boundary.vent]\ntype = "outlet"\n', '[boundary.vent]\ntype = "outlet"\n'
                                                'windkessel = { proximal = 1, capacitance = 2, distal = 3, initial = 0.5 }\n')
        self.run_case(case, "w")
        at = ["--restart", "w/checkpoint_000005.h5"]
        said = self.run_case(case.replace("initial = 0.5", "initial = 7"), "b", *at)
        self.assertNotIn("changed", said)
        self.assertIn("is the one of the run before, in every bit", said)
        self.assertEqual([row["flow_rate_vent"] for row in self.history("b")],
                         [row["flow_rate_vent"] for row in self.history("w")[5:]])
        said = self.run_case(case.replace("distal = 3", "distal = 4"), "b", *at)
        self.assertIn("  changed  boundary.vent.windkessel.distal is 4.0, was 3.0\n", said)

    def test_the_other_method_goes_on(self):
        for one, other in (("exact", "classical"), ("classical", "exact")):
            long = [FLOW.format(side="wall"), "w", "--set", "time.end=3", "--set", f"flow.method={one}"]
            self.run_case(*long, "--set", "checkpoint.every_steps=60")
            before = self.history("w")[-1]
            said = self.run_case(long[0], "b", "--set", "time.end=3.2", "--set", f"flow.method={other}", "--restart",
                                 "w/checkpoint_000060.h5")
            self.assertIn(f'changed  flow.method is "{other}", was "{one}"\n', said)
            for row in self.history("b"):
                for name in ("kinetic_energy", "flow_rate_vent", "pressure_left"):
                    self.assertAlmostEqual(row[name] / before[name], 1, delta=0.02, msg=f"{name} {one}")

    def test_what_is_refused_costs_nothing(self):
        probe = '[[probe]]\nname = "p"\npoints = [[0.5, 0.5, 0]]\n'
        case = FLOW.format(side="wall") + probe
        self.run_case(case, "w")
        before = self.files("w")
        at = ["--restart", "w/checkpoint_000005.h5"]
        for changed, more, reason in ((case + 'fields = ["velocity", "pressure"]\n', at, "probes/p.csv: has other columns than"),
                                      (case, ["--set", "flow.method=classical", *at], "history.csv: has other columns than"),
                                      (case, ["--set", "time.end=0.2", *at], "where the case ends"),
                                      (HEAT, at, r"is of a case with \[flow\], this one is without it"),
                                      (case, ["--set", "mesh.scale=2", *at], "is of another mesh than"),
                                      (case, ["--set", "mesh.refine=1", *at],
                                       r"`refine` in \[mesh\] is 1, and was 0 in w/checkpoint_000005.h5; a run continues")):
            for ranks in (1, 2):
                with self.subTest(reason=reason, ranks=ranks):
                    self.assertRegex(self.run_case(changed, "w", *more, ranks=ranks, code=2), reason)
                    self.assertEqual(self.files("w"), before)
        (self.folder / "duct.msh").unlink()
        for key, value in (("scale", 2), ("size", 0.1)):
            said = self.run_case(case, "w", "--set", f"mesh.{key}={value}", *at, code=2)
            self.assertRegex(said, rf"case.toml: `{key}` in \[mesh\] is {value}(\.0)?, and was .* in w/checkpoint_000005.h5; a run continues")
            self.assertEqual(self.files("w"), before)
        self.run_case(case, "w", "--set", "time.end=0.6", *at)
        self.assertEqual([row["step"] for row in self.history("w")], list(range(1, 13)))

    def test_every_change_is_told(self):
        case = FLOW.format(side="wall")
        force = '[[force]]\nname = "{}"\npatches = {}\n'
        line = '[[line]]\nname = "l"\nfrom = [0.5, 0.1, 0]\nto = [0.5, {}, 0]\npoints = 5\n'
        self.run_case(case + force.format("w", '["side", "vent"]') + line.format(0.9), "w")
        at = ["--restart", "w/checkpoint_000005.h5"]
        new = force.format("first", '["vent"]') + force.format("w", '["side"]') + "density = 1000\n" + line.format(0.8)
        said = self.run_case(case + new, "b", "--set", "output.every=0.03", "--set", "checkpoint.keep=98", *at)
        for change in ("force.first is new", 'force.w.patches is ["side"], was ["side","vent"]',
                       "force.w.density is 1000.0, was 1.0", "line.l.to is [0.5,0.8,0.0], was [0.5,0.9,0.0]",
                       "output.every is 0.03, was 0.25", "checkpoint.keep is 98, was 99"):
            self.assertIn(f"  changed  {change}\n", said)
        self.assertEqual(said.count("  changed  "), 6, said)
        self.assertNotIn("of the run before", said)
        self.assertIn("changed  force.w is gone\n", self.run_case(case, "b", *at))
        said = self.run_case(case + force.format("w", '["side", "vent"]') + line.format(0.9), "b", "--set",
                             "checkpoint.keep=98", "--set", 'title="t"', *at)
        self.assertIn("step 6 is the one of the run before, in every bit\n", said)

    def test_the_beginning_is_not_needed_to_go_on(self):
        case = FLOW.format(side="wall")
        self.run_case(case, "n")
        begun = case + '[initial]\nresult = "n"\n'
        self.run_case(begun, "w")
        shutil.rmtree(self.folder / "n")
        said = self.run_case(begun, "w", "--set", "time.end=0.6", "--restart")
        self.assertIn("goes on from", said)
        self.assertEqual(len(self.history("w")), 12)

    def test_a_changed_table_is_told_and_followed(self):
        table = '[[table]]\nname = "pump"\nfile = "pump.csv"\narguments = ["time"]\nvalue = "flow"\n'
        case = FLOW.format(side="wall").replace("[1, 0, 0]", '["pump(t)", 0, 0]') + table
        pump = self.folder / "pump.csv"
        for ranks in (1, 3):
            pump.write_text("time [s],flow [m/s]\n0,1\n0.25,2\n0.5,2\n")
            said = self.run_case(case, "w", ranks=ranks)
            for row in self.history("w"):
                self.assertAlmostEqual(row["flow_rate_left"], -min(1 + 4 * row["time"], 2), 12)
            of_run = json.loads((self.folder / "w/summary.json").read_text())["tables"]
            self.assertEqual(of_run, [{"name": "pump", "file": "pump.csv", "crc32": f"{zlib.crc32(pump.read_bytes()):08x}"}])
            self.assertNotIn("  changed", self.run_case(case, "b", "--restart", "w/checkpoint_000005.h5", ranks=ranks))
            before = f"{zlib.crc32(pump.read_bytes()):08x}"
            pump.write_text("time [s],flow [m/s]\n0,1\n0.25,2\n0.5,7\n")
            said = self.run_case(case, "b", "--restart", "w/checkpoint_000005.h5", ranks=ranks)
            now = f"{zlib.crc32(pump.read_bytes()):08x}"
            self.assertIn(f'  changed  table.pump.checksum is "{now}", was "{before}"\n', said)
            for row in self.history("b"):
                self.assertAlmostEqual(row["flow_rate_left"], -(2 + 20 * (row["time"] - 0.25)), 11)
        pump.write_text("time,flow\n0,1\n0.4,2\n")
        said = self.run_case(case, "c", code=2, ranks=3)
        self.assertEqual(said.count("expected `time` from 0 to the `end` of the run in [time], 0.5 s, found 0 to 0.4 s"), 1)
        self.assertFalse((self.folder / "c").exists())

    def test_heat_knows_what_the_new_case_allows(self):
        self.run_case(HEAT, "w")
        said = self.run_case(HEAT, "b", "--set", "boundary.left.value=2", "--restart", "w/checkpoint_000010.h5")
        self.assertIn("changed  boundary.left.value is 2.0, was 1.0\n", said)
        self.assertNotIn("warning", said)
        self.assertGreater(self.history("b")[-1]["temperature_max"], 1.9)
        # what the old case allowed may still be there
        self.assertNotIn("warning", self.run_case(HEAT, "b", "--set", "boundary.left.value=0.5", "--restart",
                                                  "w/checkpoint_000010.h5"))

    def test_a_folder_without_its_list(self):
        case = FLOW.format(side="wall") + '[[probe]]\nname = "p"\npoints = [[0.5, 0.5, 0]]\n'
        self.run_case(case, "w")
        (self.folder / "alone").mkdir()
        shutil.copy(self.folder / "w" / "checkpoint_000005.h5", self.folder / "alone")
        self.run_case(case, "alone", "--restart")
        self.assertEqual([row["step"] for row in self.history("alone")], list(range(6, 11)))
        shutil.copytree(self.folder / "w", self.folder / "copy", ignore=shutil.ignore_patterns(".solenoid-result"))
        (self.folder / "copy" / "notes.txt").write_text("mine")
        said = self.run_case(case, "copy", code=2)
        self.assertIn("--output copy: the folder holds results, and no list of them, .solenoid-result", said)
        said = self.run_case(case, "copy", "--restart", "w/checkpoint_000005.h5", code=2)
        self.assertIn("the folder holds results, and no list of them", said)
        said = self.run_case(case, "copy", "--set", "time.end=0.6", "--restart", ranks=2)
        self.assertIn("copy: has no list of results: files with their names count as results\n", said)
        self.assertEqual([row["step"] for row in self.history("copy")], list(range(1, 13)))
        self.assertEqual(list((self.folder / "copy").rglob("*.kept")), [])
        self.run_case(case, "copy")  # what was taken for results is replaced like them, and nothing else
        self.assertEqual((self.folder / "copy" / "notes.txt").read_text(), "mine")
        self.assertEqual(len(self.history("copy")), 10)
        shutil.copytree(self.folder / "w", self.folder / "whole")
        self.run_case(case, "whole", "--set", "time.end=0.6", "--restart")
        self.assertEqual(len(self.history("whole")), 12)


if __name__ == "__main__":
    case_runs.main()
