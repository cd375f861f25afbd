"""Runs of the program in a folder of their own, and their results, for the tests beside this file."""

import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

try:
    import numpy as np
except ImportError:  # only columns() needs it
    np = None

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

# A lid-driven flow with heat in the unit square or cube; `keys`: of [mesh]; ten steps.
HEATED_CAVITY = """[mesh]
file = "{mesh}"
{keys}
[flow]
viscosity = 0.02
[temperature]
diffusivity = 0.02
expansion = 0.2
reference = 0
[time]
end = 0.5
step = 0.05
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
temperature = 1
[boundary.wall]
type = "wall"
temperature = 0
[initial]
{initial}
[output]
every = 0.5
[checkpoint]
every_steps = 5
keep = 9
[run]
reproducible = true
"""

options = argparse.Namespace()  # mpiexec and solenoid, once main() has read them


def program(ranks, *words):
    """The command line of the program on this many ranks."""
    return [options.mpiexec, "-n", str(ranks), options.solenoid, *map(str, words)]


class CaseRuns(unittest.TestCase):
    """Tests with a scratch folder, in which case.toml and the results lie."""

    reports = False  # whether runs write report.html

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_case(self, case, result, *more, ranks=1, code=0, command="run"):
        """Runs a case, given as text, and expects the exit code; returns all that the program said."""
        (self.folder / "case.toml").write_text(case)
        quick = ["--no-report"] if command == "run" and not self.reports else []
        words = program(ranks, command, "case.toml", "--output", result, *quick, *more)
        done = subprocess.run(words, capture_output=True, text=True, cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def summary(self, result):
        return json.loads((self.folder / result / "summary.json").read_text())

    def columns(self, result, table):
        """The columns of a table of the result by their names."""
        return {name: np.array(column.values) for name, column in read_table(self.folder / result / table).items()}

    def column(self, result, table, name):
        return self.columns(result, table)[name]


def main(parser=None):
    """Reads --mpiexec, --solenoid and what else `parser` knows, and runs the tests of the script that calls."""
    parser = parser or argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    rest = parser.parse_known_args(namespace=options)[1]
    unittest.main(module="__main__", argv=[sys.argv[0], *rest])
