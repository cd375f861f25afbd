"""Tracers of whole runs: their files, that they turn with a turning fluid and leave through outlets, that ranks change
nothing, what a run that goes on does with them, and what the summary says."""

import re
import subprocess

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

import case_runs
from case_runs import ROOT

TURNING = """title = "A fluid that turns in a square, and that nothing changes"
[mesh]
file = "{mesh}"
size = 0.1
[flow]
viscosity = 1e-14
convection = "none"
[time]
end = {end}
step = {step}
[boundary.lid]
type = "inlet"
velocity = ["0.5-y", "x-0.5", 0]
[boundary.wall]
type = "inlet"
velocity = ["0.5-y", "x-0.5", 0]
[initial]
velocity = ["0.5-y", "x-0.5", 0]
[solver.potential]
tolerance = 1e-14
[output]
fields = ["velocity"]
every_steps = 1000
[[tracer]]
name = "a"
points = [[0.7, 0.5, 0], [0.5, 0.6, 0], [0.2, 0.4, 0]]
"""
STREAM = """title = "A stream past a block"
[mesh]
file = "{mesh}"
{size}
[flow]
viscosity = 0.01
[time]
end = {end}
cfl = 0.8
[boundary.lid]
type = "wall"
velocity = ["1+sin(5*t)/2", 0, 0]
[boundary.wall]
type = "wall"
[solver.potential]
tolerance = 1e-12
[solver.vorticity]
tolerance = 1e-13
[output]
fields = ["velocity"]
every = 0.2
[checkpoint]
every_steps = 8
keep = 9
[[tracer]]
name = "streak"
points = [[0.5, 0.95, {z}], [0.9, 0.9, {z}]]
release_from = 0.05
release_every = 0.1
[[tracer]]
name = "cloud"
centre = [0.6, 0.7, {z}]
radius = 0.25
count = 60
every_steps = 7
"""


def read(file):
    """Places, ids, ages and velocities."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    data = reader.GetOutput()
    count = data.GetNumberOfPoints()
    assert data.GetNumberOfVerts() == count, file
    arrays = {name: vtk_to_numpy(data.GetPointData().GetArray(name)) for name in ("id", "age", "velocity")}
    places = vtk_to_numpy(data.GetPoints().GetData()) if count else np.zeros((0, 3))
    return {"place": places, "time": data.GetFieldData().GetArray("TimeValue").GetValue(0), **arrays}


def series(folder, name):
    """What the .pvd names, by time."""
    text = (folder / "tracers" / f"{name}.pvd").read_text()
    named = re.findall(r'timestep="([^"]*)" .* file="([^"]*)"', text)
    return [(float(time), read(folder / "tracers" / file)) for time, file in named]


class Tracers(case_runs.CaseRuns):
    def run_case(self, ranks, case, result, *more, code=0):
        (self.folder / "case.toml").write_text(case)
        words = case_runs.program(ranks, "run", "case.toml", "--no-report", "--output", result, *more)
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def figures(self, result, name):
        return self.summary(result)["tracers"][name]

    def assert_close(self, one, other, tolerance):
        for name in ("streak", "cloud"):
            a, b = series(self.folder / one, name), series(self.folder / other, name)
            self.assertEqual([time for time, _ in a], [time for time, _ in b])
            self.assertGreater(len(a), 3)
            for (time, here), (_, there) in zip(a, b):
                self.assertEqual(here["id"].tolist(), there["id"].tolist())
                self.assertEqual(here["time"], time)
                for what in ("place", "age", "velocity"):
                    self.assertLessEqual(np.abs(here[what] - there[what]).max(initial=0), tolerance, f"{name} {time} {what}")

    def test_they_turn_with_the_fluid(self):
        mesh = ROOT / "meshes" / "cavity-delaunay.geo"
        errors = []
        for steps in (25, 50):
            turn = 2 * np.pi
            self.run_case(2, TURNING.format(mesh=mesh, end=turn, step=turn / steps * (1 + 1e-12)), f"turn-{steps}")
            (_, begin), (_, end) = series(self.folder / f"turn-{steps}", "a")
            self.assertEqual(end["id"].tolist(), [0, 1, 2])
            np.testing.assert_allclose(end["age"], turn, rtol=1e-12)
            x = end["place"]
            np.testing.assert_allclose(end["velocity"], np.stack([0.5 - x[:, 1], x[:, 0] - 0.5, 0 * x[:, 0]], 1), atol=1e-10)
            errors.append(np.abs(end["place"] - begin["place"]).max())
        self.assertLess(errors[1], 1e-5)
        self.assertGreater(np.log2(errors[0] / errors[1]), 3.9)

    def test_ranks_change_nothing_and_a_run_goes_on(self):
        for dimension, end in ((2, 1.0), (3, 0.6)):
            mesh = ROOT / "meshes" / ("cavity-delaunay.geo" if dimension == 2 else "cube.geo")
            size = "size = 0.1" if dimension == 2 else "size = 0.3"
            case = STREAM.format(mesh=mesh, size=size, end=end, z=0 if dimension == 2 else 0.5)
            for ranks in (1, 2, 3, 4) if dimension == 2 else (1, 2, 4):
                with self.subTest(dimension=dimension, ranks=ranks):
                    result = f"{dimension}d-{ranks}"
                    said = self.run_case(ranks, case, result)
                    self.assertRegex(said, r"tracers  cloud: 60 released, 60 are in the flow\n")
                    self.assert_close(result, f"{dimension}d-1", 1e-10)
                    figures = self.figures(result, "streak")
                    releases = len(np.arange(0.05, end + 1e-9, 0.1))
                    self.assertEqual(figures, {"released": 2 * releases, "alive": 2 * releases, "lost": 0})
            last = series(self.folder / f"{dimension}d-1", "streak")[-1][1]
            np.testing.assert_allclose(last["age"], end - (0.05 + 0.1 * (last["id"] // 2)), atol=1e-12)
            self.assertGreater(np.ptp(last["place"][:, 0]), 0.1)
            said = self.run_case(3, case, "again", "--restart", f"{dimension}d-2/checkpoint_000008.h5")
            self.assertIn("step 9 is the one of the run before but for round-off: it had 2 ranks\n", said)
            self.assertEqual(self.figures("again", "streak"), self.figures(f"{dimension}d-1", "streak"))
            a, b = (series(self.folder / result, "cloud")[-1][1] for result in ("again", f"{dimension}d-1"))
            self.assertLess(np.abs(a["place"] - b["place"]).max(), 1e-10)
            # a set that the checkpoint has not is released where the run goes on
            said = self.run_case(2, case.replace('"cloud"', '"dust"'), "other", "--restart", f"{dimension}d-2/checkpoint_000008.h5")
            self.assertRegex(said, r"warning: .*has no .*tracer_dust_alive")
            self.assertEqual(self.figures("other", "dust"), {"released": 60, "alive": 60, "lost": 0})

    def test_what_comes_to_an_outlet_leaves(self):
        case = (ROOT / "cases" / "channel" / "case.toml").read_text().replace('"../../meshes', f'"{ROOT}/meshes')
        case += '[[tracer]]\nname = "dye"\nfrom = [0.1, 0.2, 0]\nto = [0.1, 0.8, 0]\ncount = 7\nrelease_every = 0.5\nrelease_to = 1.0\n'
        self.run_case(2, case, "channel", "--set", "time.end=12", "--set", "time.steady_tolerance=0")
        figures = self.figures("channel", "dye")
        self.assertEqual({name: figures[name] for name in ("released", "alive", "lost")}, {"released": 21, "alive": 0, "lost": 0})
        self.assertEqual([figures[name] for name in figures if name.startswith("left_")], [21])
        self.assertEqual(len(series(self.folder / "channel", "dye")[-1][1]["id"]), 0)


if __name__ == "__main__":
    case_runs.main()
