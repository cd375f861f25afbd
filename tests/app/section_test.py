"""Sections of a user's flow with temperature and a scalar: figures, schedules, ranks, restarts, and wrong input."""

import numpy as np

import case_runs
from case_runs import ROOT

# u = 1 + t, p = 4 - x and dye = 0.5 everywhere; T = 300 + 10 y but for what diffuses.
CASE = """title = "A stream that speeds up"
[mesh]
file = "{mesh}"
size = 0.25
[run]
reproducible = true
[flow]
viscosity = 0.05
[temperature]
diffusivity = 0.01
[[scalar]]
name = "dye"
diffusivity = 0.01
[initial]
temperature = "300+10*y"
dye = 0.5
velocity = [1, 0, 0]
[time]
end = 0.5
step = 0.05
[boundary.inlet]
type = "inlet"
velocity = ["1+t", 0, 0]
temperature = "300+10*y"
dye = 0.5
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "symmetry"
[output]
every = 0.5
[checkpoint]
every_steps = 5
keep = 9
"""
SECTIONS = """[[section]]
name = "across"
plane = { point = [1, 0.5, 0], normal = [3, 0, 0] }
[[section]]
name = "inclined, against the stream"
plane = { point = [2, 0.5, 0], normal = [-1, 0.5, 0] }
fields = ["dye", "pressure"]
[[section]]
name = "lower half"
plane = { point = [2, 0, 0], normal = [1, 0, 0] }
within = { min = [0, 0, 0], max = [4, 0.5, 0] }
fields = []
every_steps = 4
[[section]]
name = "out"
patches = ["outlet"]
[[section]]
name = "around"
patches = ["inlet", "outlet", "wall"]
fields = ["temperature"]
"""
PLANE = '[[section]]\nname = "a"\nplane = {{ point = {point}, normal = {normal} }}\n{more}'


class Sections(case_runs.CaseRuns):
    reports = True

    def case(self, more=SECTIONS):
        return CASE.format(mesh=ROOT / "meshes" / "channel.geo") + more

    def tables(self, result):
        return {path.name: path.read_bytes() for path in (self.folder / result / "sections").iterdir()}

    def table(self, name, result="whole"):
        """Its columns by name, as arrays."""
        return self.columns(result, f"sections/{name}.csv")

    def assert_close(self, column, expected, tolerance):
        self.assertTrue(np.allclose(column, expected, rtol=0, atol=tolerance), (column, expected))

    def test_figures_are_those_of_the_stream(self):
        self.run_case(self.case(), "whole")
        across = self.table("across")
        self.assertEqual(list(across), ["time", "length", "flux", "speed", "backflow", "pressure", "pressure_by_flux",
                                        "temperature", "temperature_by_flux", "dye", "dye_by_flux"])
        header = (self.folder / "whole" / "sections" / "across.csv").read_text().splitlines()[0]
        self.assertTrue(header.startswith("time [s],length [m],flux [m^2/s],speed [m/s],backflow [-],pressure [m^2/s^2]"))
        time = across["time"]
        self.assertTrue(np.allclose(time, 0.05 * np.arange(11)), time)
        inlet = -self.column("whole", "history.csv", "flow_rate_inlet")
        for name, sign in (("across", 1), ("inclined, against the stream", -1), ("out", 1)):
            section = self.table(name)
            self.assert_close(section["flux"], sign * (1 + time), 1e-13)
            self.assertLess(np.abs(section["flux"][1:] - sign * inlet).max(), 1e-13)
            self.assert_close(section["speed"], 1 + time, 1e-6)
            self.assert_close(section["backflow"], 0 if sign > 0 else 1, 1e-13)
            for end in ("", "_by_flux"):
                self.assert_close(section["dye" + end], 0.5, 1e-9)
        for end in ("", "_by_flux"):
            self.assert_close(across["pressure" + end][1:], 3, 1e-4)
            self.assert_close(across["temperature" + end], 305, 0.1)
            self.assert_close(self.table("inclined, against the stream")["pressure" + end][1:], 2, 1e-4)
            self.assert_close(self.table("out")["pressure" + end][1:], 0, 1e-4)
        self.assert_close(across["length"], 1, 1e-13)
        self.assert_close(self.table("inclined, against the stream")["length"], np.hypot(1, 0.5), 1e-13)
        around = self.table("around")
        self.assert_close(around["length"], 10, 1e-12)
        self.assert_close(around["flux"], 0, 1e-13)
        self.assert_close(around["backflow"], 0.5, 1e-13)
        self.assertTrue(np.array_equal(around["temperature_by_flux"], around["temperature"]))
        half = self.table("lower half")
        self.assertEqual(list(half), ["time", "length", "flux", "speed", "backflow"])
        self.assertTrue(np.allclose(half["time"], [0, 0.2, 0.4]))
        self.assertTrue(np.all(np.abs(half["length"] - 0.5) < 0.2), half["length"])
        self.assert_close(half["flux"], half["length"] * (1 + half["time"]), 1e-6)
        self.assertIn("section across", (self.folder / "whole" / "report.html").read_text())

    def test_any_number_of_ranks_has_the_same_bits(self):
        self.run_case(self.case(), "one", "--no-report")
        self.run_case(self.case(), "three", "--no-report", ranks=3)
        self.assertEqual(self.tables("one"), self.tables("three"))

    def test_tables_continue_over_a_restart(self):
        for ranks in (1, 2):
            self.run_case(self.case(), "whole", "--no-report", ranks=ranks)
            expected = self.tables("whole")
            self.assertEqual(expected["across.csv"].count(b"\n"), 12)
            said = self.run_case(self.case(), "whole", "--no-report", "--restart", "whole/checkpoint_000005.h5", ranks=ranks)
            self.assertEqual(self.tables("whole"), expected, said)
        fewer = self.case(SECTIONS.split("[[section]]\nname = \"out\"")[0])
        self.run_case(fewer, "whole", "--no-report", "--restart", "whole/checkpoint_000005.h5")
        self.assertEqual(self.tables("whole")["out.csv"], b"".join(expected["out.csv"].splitlines(True)[:7]))
        self.assertEqual(self.tables("whole")["across.csv"], expected["across.csv"])
        other = self.case(SECTIONS.replace('["dye", "pressure"]', '["dye"]'))
        said = self.run_case(other, "whole", "--restart", "whole/checkpoint_000005.h5", code=2)
        self.assertIn("sections/inclined, against the stream.csv: has other columns than", said)

    def test_a_plane_without_fluid_is_an_error_before_anything_is_touched(self):
        self.run_case(self.case(), "whole", "--no-report")
        before = self.tables("whole")
        for point, normal, more, expected in (
                ([5, 0, 0], [1, 0, 0], "", "case.toml: [[section]] `a`: `plane`: the plane through (5, 0) with the normal (1, 0) "
                                           "cuts no cell of the fluid, which reaches from (0, 0) to (4, 1) m"),
                ([1, 0, 0], [1, 0, 1], "", "`plane`: the normal points out of the plane of a 2D mesh, expected z = 0"),
                ([1, 0, 0], [1, 0, 0], "within = { centre = [3, 0.5, 0], radius = 0.1 }\n",
                 "`within`: no cell's cut by the plane lies there; the middles of the cuts reach from (1, ")):
            case = self.case(PLANE.format(point=point, normal=normal, more=more))
            for command, ranks in (("run", 1), ("run", 3), ("check", 1)):
                said = self.run_case(case, "whole" if command == "run" else "checked", ranks=ranks, code=2, command=command)
                self.assertEqual(said.count(expected), 1, said)
            self.assertEqual(self.tables("whole"), before)

    def test_only_flows_have_sections(self):
        heat = f'[mesh]\nfile = "{ROOT / "meshes" / "channel.geo"}"\n[heat]\nconductivity = 1\n[boundary.wall]\ntype = "insulated"\n' \
               '[boundary.inlet]\ntype = "temperature"\nvalue = 1\n[boundary.outlet]\ntype = "insulated"\n'
        self.assertIn("`[[section]]` (case.toml:12) belongs to [flow]", self.run_case(heat + SECTIONS, "out", code=2))


if __name__ == "__main__":
    case_runs.main()
