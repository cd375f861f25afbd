"""Profiles of a user's flow, and of heat on meshes of Gmsh: values, schedules, ranks, restarts, and wrong input."""

import numpy as np

import case_runs
from case_runs import ROOT

# u = 1 + t and p = 4 - x everywhere; T = 300 + 10 y but for what diffuses.
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
[initial]
temperature = "300+10*y"
velocity = [1, 0, 0]
[time]
end = 0.5
step = 0.05
[boundary.inlet]
type = "inlet"
velocity = ["1+t", 0, 0]
temperature = "300+10*y"
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "symmetry"
[output]
every = 0.25
fields = ["velocity", "pressure"]
[checkpoint]
every_steps = 5
keep = 9
"""
PROFILES = """[[profile]]
name = "across"
fields = ["velocity", "temperature"]
points = 4
variance = true
[[profile]]
name = "along"
direction = [2, 0, 0]
positions = [0.5, 1, 2.5]
from = 0.22
every_steps = 3
"""
HEAT = """[mesh]
file = "{mesh}"
size = {size}
[heat]
conductivity = 1
heat_capacity = 1
[initial]
temperature = "2-3*x"
[time]
end = 0.2
step = 0.05
[boundary.inlet]
type = "temperature"
value = "2-3*x"
[boundary.outlet]
type = "temperature"
value = "2-3*x"
[boundary.wall]
type = "insulated"
[solver.heat]
tolerance = 1e-12
[[profile]]
name = "along"
direction = [1, 0, 0]
points = 4
variance = true
"""


class Profiles(case_runs.CaseRuns):
    def case(self, more=PROFILES):
        return CASE.format(mesh=ROOT / "meshes" / "channel.geo") + more

    def tables(self, result):
        return {path.name: path.read_bytes() for path in (self.folder / result / "profiles").iterdir()}

    def table(self, name, result="whole"):
        """Its columns by name, as arrays."""
        return self.columns(result, f"profiles/{name}.csv")

    def assert_close(self, column, expected, tolerance):
        self.assertTrue(np.allclose(column, expected, rtol=0, atol=tolerance), (column, expected))

    def test_means_are_those_of_the_stream(self):
        self.run_case(self.case(), "whole")
        across, along = self.table("across"), self.table("along")
        header = (self.folder / "whole" / "profiles" / "along.csv").read_text().splitlines()[0]
        self.assertEqual(header, "s [m],volume [m^2],velocity_mean_x [m/s],velocity_mean_y [m/s],velocity_mean_z [m/s],"
                         "velocity_cell_mean_x [m/s],velocity_cell_mean_y [m/s],velocity_cell_mean_z [m/s],"
                         "pressure_mean [m^2/s^2]")
        self.assert_close(across["s"], [0, 1 / 3, 2 / 3, 1], 1e-12)
        self.assert_close(across["volume"].sum(), 4, 1e-12)
        for name in ("velocity", "velocity_cell"):
            self.assert_close(across[name + "_mean_x"], 1.25, 1e-6)
            self.assert_close(across[name + "_variance_x"], 0.25 / 12 + 0.05 ** 2 / 6, 1e-3)
            for end in ("mean_y", "mean_z", "variance_y", "covariance_xy", "covariance_zx"):
                self.assert_close(across[f"{name}_{end}"], 0, 1e-6)
            self.assert_close(along[name + "_mean_x"], 1.36, 1e-6)
        self.assert_close(across["temperature_mean"][1:3], 300 + 10 * across["s"][1:3], 0.2)
        self.assert_close(along["pressure_mean"], 4 - along["s"], 1e-4)
        times = self.summary("whole")["profiles"]
        self.assertAlmostEqual(times["along"]["from"], 0.22)
        self.assertAlmostEqual(times["along"]["to"], 0.5)
        self.assertEqual(times["across"]["samples"], 12)  # a step more, for `from`

    def test_linear_fields_are_exact_on_any_mesh(self):
        for mesh, size in (("channel", 0.2), ("duct", 0.3)):
            for ranks in (1, 3):
                self.run_case(HEAT.format(mesh=ROOT / "meshes" / f"{mesh}.geo", size=size), mesh, ranks=ranks)
                along = self.table("along", mesh)
                self.assert_close(along["temperature_mean"], 2 - 3 * along["s"], 1e-9)
                self.assert_close(along["temperature_variance"], 0, 1e-9)

    def test_any_number_of_ranks_has_the_same_bits(self):
        self.run_case(self.case(), "one")
        self.run_case(self.case(), "three", ranks=3)
        self.assertEqual(self.tables("one"), self.tables("three"))

    def test_they_continue_over_a_restart(self):
        for ranks in (1, 2):
            self.run_case(self.case(), "whole", ranks=ranks)
            expected = self.tables("whole")
            self.assertEqual(set(expected), {"across.csv", "along.csv"})
            said = self.run_case(self.case(), "whole", "--restart", "whole/checkpoint_000005.h5", ranks=ranks)
            self.assertEqual(self.tables("whole"), expected, said)
        other = self.case(PROFILES.replace("points = 4", "points = 3"))
        said = self.run_case(other, "whole", "--restart", "whole/checkpoint_000005.h5")
        self.assertIn("  profile  across: velocity begins at t = 0.22 s: the samples so far are of other planes\n", said)
        self.assertEqual(self.tables("whole")["along.csv"], expected["along.csv"])
        self.assertAlmostEqual(self.summary("whole")["profiles"]["across"]["from"], 0.22)

    def test_check_finds_what_a_run_refuses(self):
        for command in ("check", "run"):
            said = self.run_case(self.case(PROFILES.replace("points = 4", "points = 400")), "other", command=command,
                                 code=2)
            self.assertIn("case.toml: [[profile]] `across`: `points`: the plane at", said)
        self.assertFalse((self.folder / "other" / "profiles").exists())


if __name__ == "__main__":
    case_runs.main()
