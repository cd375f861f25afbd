"""`reproducible = true`: a run leaves the same numbers behind on any number of ranks, to the last bit of every file."""

import re
import subprocess
import tempfile
import unittest
from pathlib import Path

import case_runs
from case_runs import ROOT

try:
    from vtkmodules.util.numpy_support import vtk_to_numpy
    from vtkmodules.vtkIOXML import vtkXMLUnstructuredGridReader
except ImportError:
    vtk_to_numpy = None

# Case, and what makes it short; on so many ranks.
RUNS = {
    "exact": ("cavity/case.toml", (1, 2, 8), "mesh.size=0.1", "time.end=1", "output.every=1"),
    "classical": ("cavity/case.toml", (1, 3, 4), "flow.method=classical", "mesh.size=0.1", "time.end=1", "output.every=1"),
    "exact, tetrahedra": ("cube/exact.toml", (1, 3), "mesh.size=0.15", "time.end=0.2"),
    "classical, tetrahedra": ("cube/case.toml", (1, 3), "mesh.size=0.15", "time.end=0.2"),
    "loops, forces, an outlet": ("cylinder/street.toml", (1, 3), "mesh.size=0.04", "time.end=0.05"),
    "heat beside a solid that lifts a fluid": ("thick-wall/case.toml", (1, 3), "mesh.size=0.1", "time.end=0.005",
                                               "output.every=0.005"),
    "heat": ("cooling-plate/case.toml", (1, 4), "mesh.size=0.05", "time.end=2", "output.every=1"),
    "steady heat": ("heat-square/case.toml", (1, 3), "mesh.size=0.1"),
    "refined tetrahedra": ("cube/exact.toml", (1, 2, 3), "mesh.size=0.3", "mesh.refine=1", "time.end=0.2"),
    "refined heat beside a solid that lifts a fluid": ("thick-wall/case.toml", (1, 3, 4), "mesh.size=0.4", "mesh.refine=2",
                                                       "time.end=0.005", "output.every=0.005"),
    "refined and periodic": ("taylor-green-3d/case.toml", (1, 2, 4), "mesh.size=1.2", "mesh.refine=1", "time.end=0.2"),
    "waves": ("drum/case.toml", (1, 2), "mesh.size=0.1", "time.end=0.02", "output.every=0.02"),
    "water waves": ("harbour/case.toml", (1, 3), "mesh.size=30", "time.end=9", "waves.height_from=3"),
}


def rows_of(path):
    """Of a table, without the seconds of the clock on the wall."""
    rows = [line.split(",") for line in path.read_text().splitlines()]
    kept = [k for k, name in enumerate(rows[0]) if not name.startswith("wall_seconds")]
    return [[row[k] for k in kept] for row in rows]


def fields_of(folder):
    """By output, place and name the values of all ranks' pieces, in the order of global ids."""
    found = {}
    for piece in sorted(folder.rglob("*.vtu")):
        reader = vtkXMLUnstructuredGridReader()
        reader.SetFileName(str(piece))
        reader.Update()
        grid = reader.GetOutput()
        for kind, data in (("points", grid.GetPointData()), ("cells", grid.GetCellData())):
            ids = vtk_to_numpy(data.GetArray("global_id"))
            for k in range(data.GetNumberOfArrays()):
                name = data.GetArrayName(k)
                if name not in ("global_id", "rank", "vtkGhostType"):
                    of_output = re.sub(r"_\d+$", "", piece.stem)
                    found.setdefault((of_output, kind, name), {}).update(
                        (i, value.tobytes()) for i, value in zip(ids.tolist(), vtk_to_numpy(data.GetArray(k))))
    return found


class Reproducible(unittest.TestCase):
    def run_case(self, folder, ranks, case, *sets, command="run", code=0):
        words = [word for key in ("run.reproducible=true", *sets) for word in ("--set", key)]
        done = subprocess.run([*case_runs.program(ranks, command), ROOT / "cases" / case,
                               "--output", folder, *words], capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    @unittest.skipIf(vtk_to_numpy is None, "needs VTK for Python")
    def test_any_number_of_ranks_leaves_the_same_bits(self):
        for name, (case, counts, *sets) in RUNS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                tables, fields = {}, {}
                for ranks in counts:
                    result = Path(folder) / str(ranks)
                    self.run_case(result, ranks, case, *sets)
                    tables[ranks] = {str(path.relative_to(result)): rows_of(path) for path in result.rglob("*.csv")}
                    fields[ranks] = fields_of(result)
                first = counts[0]
                self.assertGreaterEqual(len(fields[first]), 2)
                for ranks in counts[1:]:
                    for one, other in ((tables[first], tables[ranks]), (fields[first], fields[ranks])):
                        self.assertEqual(sorted(one), sorted(other))
                        self.assertEqual([key for key in one if one[key] != other[key]], [], f"{ranks} ranks")

    def test_restarts_and_verifies_in_bits(self):
        cavity = ("cavity/case.toml", "mesh.size=0.1", "time.end=2", "checkpoint.every_steps=10", "checkpoint.keep=9")
        with tempfile.TemporaryDirectory() as folder:
            whole, again = Path(folder) / "whole", Path(folder) / "again"
            self.run_case(whole, 1, *cavity)
            checkpoint = whole / "checkpoint_000010.h5"
            words = [word for key in ("run.reproducible=true", *cavity[1:]) for word in ("--set", key)]
            done = subprocess.run([*case_runs.program(3, "run"), ROOT / "cases" / cavity[0],
                                   "--output", again, *words, "--restart", checkpoint], capture_output=True, text=True)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            self.assertIn("step 11 is the one of the run before, in every bit\n", done.stdout)
            self.assertEqual(rows_of(again / "history.csv")[1:], rows_of(whole / "history.csv")[11:])
            said = self.run_case(Path(folder) / "verify", 2, *cavity, command="verify")
            self.assertRegex(said, r"ranks +all ranks against one +0 +0 +held: reproducible, in bits\n")
            self.assertIn("All held that applies", said)


if __name__ == "__main__":
    case_runs.main()
