"""Water waves on the current of a flow that was computed before: its last velocity and its mean, from pieces and one
file, over a restart, and what is said of a result that does not fit."""

import re

import case_runs
from case_runs import ROOT

FLOW = """[mesh]
file = "{mesh}"
size = {size}
[flow]
viscosity = 0.05
[boundary.lid]
type = "wall"
velocity = [{speed}, 0, 0]
[boundary.wall]
type = "wall"
[time]
end = 0.6
step = 0.05
[output]
format = "{format}"
[[average]]
name = "mean"
"""
WAVES = """[mesh]
file = "cavity.geo"
size = 0.1
[waves]
depth = 0.3
period = 1.1
velocity = {velocity}
[boundary.lid]
type = "quay"
[boundary.wall]
type = "quay"
[initial]
elevation = "0.01*cos(pi*x)"
[time]
end = {end}
cfl = 0.7
[output]
every = 0.2
[checkpoint]
every_steps = 10
[[probe]]
name = "at"
points = [[0.5, 0.95, 0.0]]
fields = ["elevation", "current"]
"""


class WavesOnFlow(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        (self.folder / "cavity.geo").write_text((ROOT / "meshes" / "cavity.geo").read_text())

    def flow(self, name, format="pvtu", mesh="cavity.geo", size=0.1, speed=0.5):
        self.run_case(FLOW.format(mesh=mesh, size=size, format=format, speed=speed), name)

    def waves(self, velocity, name, *more, end=0.6, **how):
        return self.run_case(WAVES.format(velocity=velocity, end=end), name, *more, **how)

    def last(self, result, name):
        return self.column(result, "probes/at.csv", name)[-1]

    def test_the_last_velocity_and_the_mean(self):
        for format in ("pvtu", "vtkhdf"):
            self.flow(format, format)
            self.waves(f'{{ result = "{format}" }}', "last", ranks=2)
            self.waves(f'{{ result = "{format}", average = "mean" }}', "mean")
            last, mean = self.last("last", "current_x"), self.last("mean", "current_x")
            self.assertTrue(0.1 < mean < last < 0.4, (mean, last))  # below the lid the flow grows
        said = self.waves('{ result = "pvtu" }', "checked", command="check")
        found = re.search(r"current up to (\S+) m/s, Froude number up to (\S+), kh (\S+) to (\S+) with and against it",
                          said)
        self.assertTrue(found, said)
        speed, froude, low, high = map(float, found.groups())
        self.assertTrue(0.3 < speed < 0.5 and abs(froude - speed / (9.81 * 0.3) ** 0.5) < 0.01 and low < high, said)
        self.assertNotIn("outside that of the `result`", said)

    def test_a_restart_has_the_same_rows(self):
        self.flow("flow")
        self.waves('{ result = "flow" }', "whole", end=0.8)
        self.waves('{ result = "flow" }', "parts", end=0.4)
        self.waves('{ result = "flow" }', "parts", "--restart", end=0.8)
        self.assertEqual(self.last("whole", "elevation"), self.last("parts", "elevation"))
        self.flow("flow", speed=0.4)
        said = self.waves('{ result = "flow" }', "parts", "--restart", end=1.2, code=2)
        self.assertIn("the current of `velocity` in [waves] is not that of the checkpoint", said)

    def test_results_that_do_not_fit(self):
        self.flow("flow")
        said = self.waves('{ result = "flow", average = "none" }', "waves", ranks=2, code=2)
        self.assertIn('`velocity` in [waves]: flow: has no mean velocity in an average "none"', said)
        self.flow("space", mesh=str(ROOT / "meshes" / "cube.geo"), size=0.3)
        said = self.waves('{ result = "space" }', "waves", ranks=2, code=2)
        self.assertIn("`velocity` in [waves]: space: is a flow on tetrahedra, expected one on triangles", said)
        self.assertFalse((self.folder / "waves").exists())


if __name__ == "__main__":
    case_runs.main()
