"""compare.py of the cavity on synthetic profiles: published values pass, perturbed ones are missed."""

import csv
import json
import math
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CAVITY = ROOT / "cases" / "cavity"
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402


def ghia(name, reynolds):
    """(place, value) rows of one of Ghia's tables, without the misprint."""
    table = read_table(CAVITY / "reference" / f"ghia1982_{name}.csv")
    coordinate = "y" if name.startswith("u") else "x"
    points = zip(table[coordinate].values, table[f"Re{reynolds}"].values)
    return [point for point in points if not (reynolds == 400 and coordinate == "x" and point[0] == 0.9063)]


def with_extremum(points, place, value):
    """The points, with a small parabola around a given extremum among them."""
    sign = math.copysign(1, value)
    top = [(place + k * 1e-3, value - sign * (k * 1e-3) ** 2) for k in range(-3, 4)]
    return sorted([p for p in points if abs(p[0] - place) > 3e-3] + top)


def write_line(path, points, component):
    header = ["s [m]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]"]
    with open(path, "w", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(header)
        for place, value in points:
            if component == "u":
                rows.writerow([place, 0.5, place, 0, value, 0, 0])
            else:
                rows.writerow([place, place, 0.5, 0, 0, value, 0])


class Compare(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.result = Path(folder.name)
        (self.result / "lines").mkdir()

    def write_result(self, reynolds, cells=18664, u_error=0.0, v_error=0.0, extremum_scale=1.0):
        """A result folder with the published values, plus an error at one place of the table."""
        summary = {"mesh": {"cells": cells}, "case": {"flow": {"viscosity": 1 / reynolds}}}
        (self.result / "summary.json").write_text(json.dumps(summary))
        table = reynolds if reynolds in (100, 400, 1000, 3200, 5000) else 1000
        u = [(y, value + (u_error if y == 0.5 else 0)) for y, value in ghia("u_on_x_0.5", table)]
        v = [(x, value + (v_error if x == 0.5 else 0)) for x, value in ghia("v_on_y_0.5", table)]
        if table == 1000:
            u = with_extremum(u, 0.1717, -0.3885698 * extremum_scale)
            v = with_extremum(with_extremum(v, 0.1578, 0.3769447 * extremum_scale), 0.9092, -0.5270771 * extremum_scale)
        write_line(self.result / "lines" / "u_on_x=0.5_000200.csv", u, "u")
        write_line(self.result / "lines" / "v_on_y=0.5_000200.csv", v, "v")

    def compare(self, *options):
        command = [sys.executable, str(CAVITY / "compare.py"), *options, str(self.result)]
        done = subprocess.run(command, capture_output=True, text=True)
        return done.returncode, done.stdout + done.stderr

    def expect(self, code, *texts, options=(), absent=()):
        found, output = self.compare(*options)
        self.assertEqual(found, code, output)
        for text in texts:
            self.assertIn(text, output)
        for text in absent:
            self.assertNotIn(text, output)

    def test_published_values_meet_the_bars(self):
        for reynolds in (100, 400, 1000):
            with self.subTest(reynolds=reynolds):
                self.write_result(reynolds)
                self.expect(0, "ok", absent=["MISSED"])

    def test_a_perturbed_profile_is_missed(self):
        for reynolds in (100, 400, 1000):
            for error in ({"u_error": 0.02}, {"v_error": -0.02}):
                with self.subTest(reynolds=reynolds, error=error):
                    self.write_result(reynolds, **error)
                    self.expect(1, "MISSED", "0.0200")

    def test_a_perturbed_extremum_is_missed(self):
        self.write_result(1000, extremum_scale=0.99)
        self.expect(1, "MISSED", "1.00 %", "0.8 %")

    def test_the_bar_of_the_extrema_is_sharper_on_fine_meshes(self):
        self.write_result(1000, cells=18664, extremum_scale=1.006)
        self.expect(0, "0.60 %", "0.8 %", absent=["MISSED"])
        self.write_result(1000, cells=73786, extremum_scale=1.006)
        self.expect(1, "0.60 %", "0.4 %", "MISSED")

    def test_report_only_prints(self):
        self.write_result(1000, u_error=0.1)
        self.expect(0, "MISSED", options=["--report"])

    def test_the_misprint_is_left_out_and_said_so(self):
        self.write_result(400)
        self.expect(0, "misprint", "0.9063")

    def test_coarse_meshes_get_no_verdict(self):
        self.write_result(1000, cells=4646, u_error=0.1)
        self.expect(0, "0.1000", "no verdict", absent=["MISSED", "ok"])

    def test_a_table_without_a_bar_is_printed(self):
        self.write_result(3200, u_error=0.1)
        self.expect(0, "0.1000", absent=["MISSED", "ok"])

    def test_a_reynolds_number_without_a_table(self):
        self.write_result(750)
        self.expect(0, "no published table", absent=["MISSED"])

    def test_the_newest_profile_counts(self):
        self.write_result(1000)
        stale = [(0.0, 9.0), (0.5, 9.0), (1.0, 9.0)]
        write_line(self.result / "lines" / "u_on_x=0.5_000099.csv", stale, "u")
        self.expect(0, absent=["MISSED"])
        write_line(self.result / "lines" / "u_on_x=0.5_1000000.csv", stale, "u")
        self.expect(1, "MISSED")

    def test_an_unusable_folder_is_named(self):
        self.expect(2, "summary.json")
        self.write_result(1000)
        (self.result / "lines" / "v_on_y=0.5_000200.csv").unlink()
        self.expect(2, "v_on_y=0.5")


if __name__ == "__main__":
    unittest.main()
