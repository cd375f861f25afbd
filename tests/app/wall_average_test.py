"""Averages of the wall shear of flows whose oscillatory shear index is known: figures, ranks, restarts, wrong input."""

import math

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

import case_runs
from case_runs import ROOT

# Between plates: u = (a + cos 2 pi t) y, so that the shear on the plates is nu (a + cos 2 pi t).
PLATES = """title = "Plates that come and go"
[mesh]
file = "{mesh}"
size = 0.125
[run]
reproducible = true
[flow]
viscosity = 1
method = "{method}"
body_force = ["-2*pi*sin(2*pi*t)*y", 0, 0]
[time]
end = 2
step = 0.0125
[[periodic]]
patches = ["inlet", "outlet"]
[boundary.wall]
type = "wall"
velocity = ["({a}+cos(2*pi*t))*y", 0, 0]
[initial]
velocity = ["({a}+1)*y", 0, 0]
[output]
every = 1
[checkpoint]
every_steps = 40
keep = 9
[[average]]
name = "m"
fields = []
patches = ["wall"]
from = 1
"""
POISEUILLE = PLATES.replace('"-2*pi*sin(2*pi*t)*y"', "2").replace('"({a}+cos(2*pi*t))*y"', "0").replace(
    '"({a}+1)*y"', '"y*(1-y)"').replace("step = 0.0125", "step = 0.05").replace("end = 2", "end = 6").replace(
    "from = 1", "from = 5")


def surface(path):
    """Arrays on faces by name."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput().GetCellData()
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)).copy() for k in range(data.GetNumberOfArrays())}


class WallAverages(case_runs.CaseRuns):
    def plates(self, a=0.5, method="exact"):
        return PLATES.format(mesh=ROOT / "meshes" / "channel.geo", a=a, method=method)

    def wall(self, result, average="m", group="wall"):
        return surface(self.folder / result / "averages" / average / f"{group}.vtp")

    def assert_same(self, found, expected):
        self.assertEqual(list(found), list(expected))
        for name, values in expected.items():
            if name != "rank":
                self.assertTrue(np.array_equal(found[name], values), name)

    def test_a_shear_that_oscillates_has_the_index_of_its_formula(self):
        a = 0.5
        magnitude = 2 / math.pi * (a * math.asin(a) + math.sqrt(1 - a * a))
        for method in ("exact", "classical"):
            with self.subTest(method=method):
                self.run_case(self.plates(a, method), method)
                found = self.wall(method)
                self.assertEqual({"wall_shear_mean", "wall_shear_magnitude_mean", "wall_shear_oscillatory_index",
                                  "y_plus_mean", "patch"} - set(found), set())
                self.assertTrue(np.allclose(abs(found["wall_shear_mean"][:, 0]), a, rtol=0.02), found["wall_shear_mean"])
                self.assertTrue(np.allclose(found["wall_shear_magnitude_mean"], magnitude, rtol=0.03), found["wall_shear_magnitude_mean"])
                self.assertTrue(np.allclose(found["wall_shear_oscillatory_index"], (1 - a / magnitude) / 2, rtol=0.01),
                                found["wall_shear_oscillatory_index"])
                self.run_case(self.plates(0, method), "pure")
                index = self.wall("pure")["wall_shear_oscillatory_index"]
                self.assertTrue(np.all((index > 0.4998) & (index <= 0.5)), index)

    def test_a_steady_shear_is_its_mean_and_does_not_oscillate(self):
        case = POISEUILLE.format(mesh=ROOT / "meshes" / "channel.geo", method="exact")
        self.run_case(case, "steady")
        found, now = self.wall("steady"), surface(self.folder / "steady" / "patches" / "wall.vtp")
        self.assertTrue(np.allclose(found["wall_shear_mean"], now["wall_shear"], rtol=0, atol=1e-8))
        self.assertTrue(np.allclose(found["wall_shear_magnitude_mean"], np.linalg.norm(now["wall_shear"], axis=1),
                                    rtol=0, atol=1e-8))
        self.assertTrue(np.all(found["wall_shear_oscillatory_index"] < 1e-8), found["wall_shear_oscillatory_index"])

    def test_ranks_and_restarts_change_no_bit(self):
        case = self.plates()
        self.run_case(case, "whole")
        expected = self.wall("whole")
        self.run_case(case, "on_3", ranks=3)
        self.assert_same(self.wall("on_3"), expected)
        for ranks, of in ((1, "whole"), (3, "on_3"), (3, "whole")):
            said = self.run_case(case, "again", "--restart", f"{of}/checkpoint_000120.h5", ranks=ranks)
            self.assertNotIn("average  m", said)
            self.assert_same(self.wall("again"), expected)
        self.run_case(case, "whole", "--restart", "whole/checkpoint_000040.h5", "--set", "time.end=1.1")
        self.assertEqual(self.summary("whole")["averages"]["m"]["from"], 1)

    def test_averages_are_those_of_the_case_that_goes_on(self):
        case = self.plates().replace('fields = []\npatches = ["wall"]\n', 'fields = ["velocity"]\nvariance = true\n').replace("from = 1\n", "")
        self.run_case(case, "whole", "--set", "time.end=1")
        more = case.replace('fields = ["velocity"]\n', 'fields = ["velocity", "pressure"]\npatches = ["wall"]\n')
        said = self.run_case(more, "more", "--restart", "whole/checkpoint_000040.h5", "--set", "time.end=1")
        for name in ("wall_shear", "y_plus", "pressure"):
            self.assertIn(f"  average  m: {name}_on_patches begins at t = 0.5 s\n", said)
        found = self.wall("more")
        self.assertEqual({"pressure_mean", "pressure_variance", "wall_shear_variance", "wall_shear_covariance"} - set(found), set())
        times = self.summary("more")["averages"]["m"]
        self.assertAlmostEqual(times["from_wall_shear_on_patches"], 0.5)
        # The sums of one end of the channel are of no use at the other.
        ends = ('[[periodic]]\npatches = ["inlet", "outlet"]\n', '[boundary.inlet]\ntype = "inlet"\nvelocity = ["0.2+t", 0, 0]\n'
                '[boundary.outlet]\ntype = "outlet"\n')
        case = self.plates().replace(*ends).replace("from = 1\n", "").replace('patches = ["wall"]', 'patches = ["inlet"]')
        self.run_case(case, "inlet", "--set", "time.end=0.6")
        said = self.run_case(case.replace('patches = ["inlet"]', 'patches = ["outlet"]'), "outlet",
                             "--restart", "inlet/checkpoint_000040.h5", "--set", "time.end=0.6")
        self.assertIn("  average  m: wall_shear_on_patches begins at t = 0.5 s: the samples so far are of other patches\n", said)
        self.assertFalse((self.folder / "outlet" / "averages" / "m" / "inlet.vtp").exists())
        self.assertEqual(set(self.wall("outlet", group="outlet")["patch"]), {1})

    def test_wrong_input_is_named(self):
        wrong = self.plates().replace('patches = ["wall"]\nfrom', 'patches = ["wal"]\nfrom')
        self.assertIn('`patches` in [[average]] (case.toml:29): found "wal", expected "wall": did you mean "wall"?', self.run_case(wrong, "no", code=2))
        none = self.plates().replace('patches = ["wall"]\nfrom', "from")
        self.assertIn("`fields` in [[average]] (case.toml:28): found [], expected a list of", self.run_case(none, "no", code=2))


if __name__ == "__main__":
    case_runs.main()
