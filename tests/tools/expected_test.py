"""The checks of expected.toml on synthetic results: what is right passes, what is a little wrong is missed."""

import json
import math
import sys
import tempfile
import tomllib
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tests" / "cases"))
import expected  # noqa: E402

EXPECTED = """
[case]
scripts = ["verdict.py"]
[[case.summary]]
value = "run.stopped_by"
equals = "end"
[[case.summary]]
value = "divergence.max"
at_most = 1e-14
[[case.summary]]
value = "mesh.cells"
at_least = 100
[[case.history]]
column = "kinetic_energy"
exact = "0.25*exp(-t)"
at_most = 1e-3
[[case.line]]
name = "diagonal"
exact.u = "x^2*t"
at_most = 1e-3
"""


class Expected(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.case = self.folder / "case.toml"
        self.write_expected(EXPECTED)
        (self.folder / "verdict.py").write_text("import sys; sys.exit((sys.argv[1] + '/verdict').count('bad'))")
        self.result = self.write_result("good")

    def write_expected(self, text):
        (self.folder / "expected.toml").write_text(text)

    def write_result(self, name, stopped_by="end", divergence=1e-16, cells=100, energy=0.0, speed=0.0):
        """A result of 2 s as the exact one, but for a relative error of the energy and one of the speed [m/s]."""
        result = self.folder / name
        (result / "lines").mkdir(parents=True)
        summary = {"run": {"stopped_by": stopped_by, "time": 2.0}, "divergence": {"max": divergence},
                   "mesh": {"cells": cells}}
        (result / "summary.json").write_text(json.dumps(summary))
        rows = [(1.0, 0.25 * math.exp(-1) * (1 + energy)), (2.0, 0.25 * math.exp(-2))]
        header = "time [s],kinetic_energy [m^4/s^2]\n"
        (result / "history.csv").write_text(header + "".join(f"{t},{e}\n" for t, e in rows))
        header = "s [m],x [m],y [m],z [m],u [m/s]\n"
        (result / "lines" / "diagonal_99.csv").write_text(header + "0,0,0,0,9\n")
        rows = [(x, 2 * x * x + (speed if x == 0.5 else 0)) for x in (0.0, 0.5, 1.0)]
        (result / "lines" / "diagonal_100.csv").write_text(header + "".join(f"{x},{x},0,0,{u!r}\n" for x, u in rows))
        return result

    def missed(self, result):
        return [c.name for c in expected.check(self.case, result) if not c.ok]

    def test_a_right_result_meets_every_bound(self):
        checks = expected.check(self.case, self.result)
        self.assertEqual(len(checks), 6)
        self.assertEqual(self.missed(self.result), [])

    def test_each_fault_is_missed_by_its_name(self):
        for fault, name in [({"stopped_by": "steady"}, "run.stopped_by"), ({"divergence": 2e-14}, "divergence.max"),
                            ({"divergence": math.nan}, "divergence.max"), ({"cells": 99}, "mesh.cells"),
                            ({"energy": -2e-3}, "history: kinetic_energy, relative"),
                            ({"speed": 2e-3}, "line diagonal: u"), ({"speed": math.nan}, "line diagonal: u")]:
            with self.subTest(fault=fault):
                self.assertEqual(self.missed(self.write_result(f"{fault}", **fault)), [name])
        self.assertEqual(self.missed(self.write_result("bad")), ["verdict.py"])

    def test_a_faulty_expected_toml_is_named(self):
        for wrong, right, text in [
            ("[case", "[other", r"no table \[case\]"),
            ("scripts", "script", "unknown key `script`"),
            ("at_most = 1e-3", "at_most = 'all'", "of the wrong type"),
            ("at_most = 1e-14", "", "exactly one of"),
            ('column = "kinetic_energy"', "", "`column` is missing"),
            ('"kinetic_energy"', '"energy"', "no column `energy`"),
            ("exp(-t)", "exp(-tt)", "unknown name `tt`"),
            ("exp(-t)", "exp(-t", "expression"),
            ('"diagonal"', '"diagonals"', "no file diagonals_<number>.csv"),
            ('"mesh.cells"', '"mesh.sells"', "no value `mesh.sells`"),
        ]:
            with self.subTest(right=right):
                self.assertIn(wrong, EXPECTED)
                self.write_expected(EXPECTED.replace(wrong, right))
                with self.assertRaisesRegex(expected.Failure, text):
                    expected.check(self.case, self.result)


# What a case of each kind has a bound on: that what must not change does not, or goes where it should.
CONSERVED = {
    "flow": {"divergence.max"},
    "heat": {"heat_balance.imbalance_part"},
    "wave": {"energy.drift", "energy.share"},
    "waves": {"energy.drift", "volume.drift"},
}


class Cases(unittest.TestCase):
    def test_every_case_has_its_bounds_and_its_page(self):
        folders = sorted(p for p in (ROOT / "cases").iterdir() if p.is_dir())
        self.assertGreaterEqual(len(folders), 3)
        for folder in folders:
            with self.subTest(case=folder.name):
                names = {p.stem for p in folder.glob("*.toml")} - {"expected"}
                self.assertIn("case", names)
                self.assertEqual(names, set(tomllib.loads((folder / "expected.toml").read_text())))
                page = (folder / "README.md").read_text()
                for title in ("Equations and boundary conditions", "Running", "What to expect", "Varying it"):
                    self.assertIn(f"\n## {title}\n", page)
                for name in names:
                    bounds = expected.read_expected(folder / f"{name}.toml")
                    summary = [entry["value"] for entry in bounds["summary"]]
                    self.assertIn("run.stopped_by", summary)
                    [conserved] = CONSERVED.keys() & tomllib.loads((folder / f"{name}.toml").read_text()).keys()
                    self.assertTrue(CONSERVED[conserved] & set(summary), summary)


if __name__ == "__main__":
    unittest.main()
