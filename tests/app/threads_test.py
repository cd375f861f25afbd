"""A run gives the same bits on any number of threads: kernels write where no other one does, and sums have one order."""

import json
import os
import subprocess
import tempfile
import unittest
from pathlib import Path

import case_runs
from case_runs import ROOT

# Meshes on which kernels take longer than waking a thread does.
RUNS = {
    "exact": ("cavity", "mesh.size=0.018", "time.end=0.05", "output.every=0.05"),
    "classical": ("cavity", "mesh.size=0.018", "time.end=0.05", "output.every=0.05", "flow.method=classical"),
    "exact, tetrahedra": ("cube", "mesh.size=0.075", "time.end=0.1", "output.every=0.1", "flow.method=exact",
                          "solver.momentum=", "solver.pressure="),
    "classical, tetrahedra": ("cube", "mesh.size=0.075", "time.end=0.1", "output.every=0.1"),
    "exact, sums rounded once": ("cavity", "mesh.size=0.018", "time.end=0.05", "output.every=0.05",
                                 "run.reproducible=true"),
    "heat beside a solid": ("thick-wall", "mesh.size=0.035", "time.end=0.002", "output.every=0.002"),
    "heat": ("cooling-plate", "mesh.size=0.018", "time.end=5", "output.every=5"),
    "waves": ("drum", "mesh.size=0.035", "time.end=0.02", "output.every=0.02", "solver.wave.preconditioner=gauss-seidel"),
    "water waves": ("harbour", "mesh.size=4", "time.end=1.8", "output.every=0.9", "waves.height_from=0.5"),
}


class Threads(unittest.TestCase):
    def results(self, folder, threads, case, *sets):
        """What a run leaves behind, by name, but for what the clock has a part in."""
        output = folder / str(threads)
        words = [word for key in sets for word in ("--set", key)]
        done = subprocess.run([*case_runs.program(1, "run"), ROOT / "cases" / case / "case.toml",
                               "--output", output, "--quiet", *words], capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, "OMP_NUM_THREADS": str(threads)})
        self.assertEqual((done.returncode, done.stdout), (0, ""), done.stderr)
        self.assertEqual(json.loads((output / "summary.json").read_text())["run"]["threads"], threads)
        files = {str(path.relative_to(output)): path.read_bytes() for path in output.rglob("[!.]*") if path.is_file()}
        rows = files["history.csv"].decode().splitlines()
        self.assertTrue(rows[0].split(",")[-1].startswith("wall_seconds"))
        files["history.csv"] = [row.rpartition(",")[0] for row in rows]
        del files["run.log"], files["summary.json"], files["report.html"]
        return files

    def test_any_number_of_threads_gives_the_same_bits(self):
        for name, (case, *sets) in RUNS.items():
            with self.subTest(name), tempfile.TemporaryDirectory() as folder:
                one = self.results(Path(folder), 1, case, *sets)
                three = self.results(Path(folder), 3, case, *sets)
                self.assertGreater(len(one["history.csv"]), 3)
                self.assertEqual(sorted(one), sorted(three))
                self.assertEqual([file for file in one if one[file] != three[file]], [])


if __name__ == "__main__":
    case_runs.main()
