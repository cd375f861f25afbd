"""The same flows, exact in the plane and classical in space, by a program of any backend and on one and two ranks: their
tables have the figures below but for round-off."""

import argparse
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

CASE = """title = "A lid over a fluid at rest"
[mesh]
file = "{root}/tools/node/{shape}.geo"  # the same mesh by any version of Gmsh
size = {size}
[flow]
method = "{method}"
viscosity = 0.01
[time]
end = 0.1
step = 0.02
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
[output]
every = 1
[[line]]
name = "upwards"
from = [0.5, 0.1, {z}]
to = [0.5, 0.9, {z}]
points = 5
"""
# After five steps: kinetic energy, dissipation; along a line u, v and the pressure.
FLOWS = {
    "exact": ({"shape": "square", "size": "0.05", "z": 0},
              [0.00520946276542, 0.213086619256,
               -0.0114923642641, -0.0158809696627, -0.0265538282705, -0.0445270694198, -0.0392666854326,
               1.3239098454e-05, 6.60810900489e-05, 0.00022431791465, 0.000617813212991, 0.000860286619205,
               0.0011760697386, 0.000862070340761, -0.0001294252753, -0.0022797399312, -0.00742111168568]),
    "classical": ({"shape": "cube", "size": "0.2", "z": 0.5},
                  [0.000863221300607, 0.155489802782,
                   -0.00557716892377, -0.00915310668466, -0.0155851524266, -0.104849038154, 0.0768013611016,
                   0.000147195135548, -9.68348182006e-06, -0.000211792249026, 0.000187635648813, -0.00433013819949,
                   -0.000594306139745, -0.000297776431466, -0.000353447088729, -0.000716555341758, -0.00463246948831]),
}
options = None


class Backends(unittest.TestCase):
    def figures(self, method, values, ranks):
        with tempfile.TemporaryDirectory() as folder:
            (Path(folder) / "case.toml").write_text(CASE.format(root=ROOT, method=method, **values))
            words = [options.mpiexec, "-n", str(ranks), options.solenoid, "run", "case.toml", "--no-report", "--output", "result"]
            done = subprocess.run(words, capture_output=True, text=True, cwd=folder, stdin=subprocess.DEVNULL)
            self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
            history = read_table(Path(folder) / "result" / "history.csv")
            line = read_table(sorted((Path(folder) / "result" / "lines").glob("*.csv"))[-1])
            self.assertEqual(max(history["max_divergence"].values), 0)
            return [history[name].values[-1] for name in ("kinetic_energy", "dissipation")] + [
                value for name in ("u", "v", "pressure") for value in line[name].values]

    def test_tables_are_those_of_the_cpu(self):
        for method, (values, expected) in FLOWS.items():
            for ranks in (1, 2):
                with self.subTest(method=method, ranks=ranks):
                    found = self.figures(method, values, ranks)
                    self.assertEqual(len(found), len(expected), found)
                    for one, other in zip(found, expected):
                        self.assertLess(abs(one - other), 1e-9, f"{found}")


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
