"""cmake --install: the installed program and cases run, and another project builds on the installed libraries."""

import argparse
import json
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

options = None


def run(*command, cwd=None):
    """Runs a command that must succeed; returns its standard output."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=cwd)
    assert done.returncode == 0, f"{command}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


class Package(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        cls.prefix = cls.folder / "prefix"
        run(options.cmake, "--install", options.build, "--prefix", cls.folder / "first")
        (cls.folder / "first").rename(cls.prefix)  # an installation may be moved

    def test_the_program_runs_a_case_of_the_installation(self):
        if options.no_files:
            self.skipTest("a build with SOLENOID_FILES=OFF runs no cases")
        program, cases = self.prefix / "bin" / "solenoid", self.prefix / "share" / "solenoid" / "cases"
        self.assertIn("solenoid ", run(program, "--version"))
        for case, size in ("cavity", 0.05), ("taylor-green", 0.1), ("annulus", 0.1):
            result = self.folder / case
            run(options.mpiexec, "-n", 2, program, "run", cases / case / "case.toml", "--output", result, "--quiet",
                "--set", f"mesh.size={size}", "--set", "time.end=0.2")
            summary = json.loads((result / "summary.json").read_text())
            self.assertEqual(summary["run"]["stopped_by"], "end")
        self.draw(self.folder / "annulus", self.prefix / "bin" / "solenoid-plot")
        self.draw(self.folder / "cavity", sys.executable, "-B", cases / "cavity" / "plot.py")

    def draw(self, result, *command):
        run(*command, result, cwd=self.folder)
        self.assertEqual([path.name for path in result.glob("*.png")], [f"{result.name}.png"])

    def test_the_installed_plot_knows_its_name(self):
        out = run(self.prefix / "bin" / "solenoid-plot", "--help", cwd=self.folder)
        self.assertTrue(out.startswith("usage: solenoid-plot "), out)
        self.assertNotIn("tools/plot", out)
        self.assertEqual([*self.prefix.rglob("__pycache__")], [])

    def test_another_project_builds_on_it(self):
        build = self.folder / "build"
        source = Path(__file__).parent
        run(options.cmake, "-S", source, "-B", build, "-G", "Ninja", f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run(options.cmake, "--build", build)
        for ranks, words in (1, "1 ranks"), (2, "2 ranks"):
            out = run(options.mpiexec, "-n", ranks, build / "divergence_of_a_curl")
            self.assertEqual(out, f"512 cells, {words}: largest flux 12, largest divergence 0\n")

    def test_the_version_is_checked(self):
        (self.folder / "newer").mkdir()
        text = (Path(__file__).parent / "CMakeLists.txt").read_text().replace("Solenoid 0.1", "Solenoid 0.99")
        (self.folder / "newer" / "CMakeLists.txt").write_text(text)
        done = subprocess.run([options.cmake, "-B", "build", f"-DCMAKE_PREFIX_PATH={self.prefix}"],
                              cwd=self.folder / "newer", capture_output=True, text=True)
        self.assertNotEqual(done.returncode, 0)
        self.assertIn('compatible with requested version "0.99"', done.stderr)

    def test_what_is_for_this_projects_tests_alone_stays_behind(self):
        self.assertTrue((self.prefix / "share" / "solenoid" / "meshes" / "cavity.geo").is_file())
        self.assertFalse((self.prefix / "share" / "solenoid" / "meshes" / "tests").exists())

    def test_nothing_points_back_to_the_source(self):
        source = str(Path(__file__).resolve().parents[2])
        for path in (self.prefix / "lib").rglob("*.cmake"):
            self.assertNotIn(source, path.read_text(), path)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--cmake", required=True)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--build", required=True)
    parser.add_argument("--no-files", action="store_true", help="a build with SOLENOID_FILES=OFF")
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
