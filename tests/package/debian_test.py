"""cpack: the Debian package of this build, unpacked into a folder, is whole and runs from there.
tools/packaging/try-deb installs one in an empty system."""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

options = None


def run(*command, cwd=None):
    """Runs a command that must succeed; returns its standard output."""
    done = subprocess.run([*map(str, command)], capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=cwd,
                          env={**os.environ, "LC_ALL": "C.UTF-8"})
    assert done.returncode == 0, f"{command}\nexit code {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@unittest.skipUnless(shutil.which("dpkg-shlibdeps") and shutil.which("dpkg-deb"), "dpkg-dev is not here")
class DebianPackage(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory()
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        run(options.cpack, "--config", Path(options.build, "CPackConfig.cmake"), "-B", cls.folder / "made")
        cls.package = next((cls.folder / "made").glob("solenoid_*.deb"))
        cls.system = cls.folder / "system"
        run("dpkg-deb", "--extract", cls.package, cls.system)

    def test_it_says_what_it_needs(self):
        field = dict(line.split(": ", 1) for line in run("dpkg-deb", "--field", self.package).splitlines() if ": " in line)
        self.assertEqual((field["Package"], field["Section"]), ("solenoid", "science"))
        for needed in ("openmpi-bin", "libgmsh", "libvtk9", "libmetis", "libhdf5-openmpi", "libopenmpi", "libmuparser"):
            self.assertIn(needed, field["Depends"])
        self.assertIn("python3-matplotlib", field["Recommends"])

    def test_it_holds_what_users_need_and_nothing_else(self):
        files = {str(path.relative_to(self.system)) for path in self.system.rglob("*") if not path.is_dir()}
        for name in ("bin/solenoid", "bin/solenoid-plot", "share/man/man1/solenoid.1.gz", "share/zsh/vendor-completions/_solenoid",
                     "share/bash-completion/completions/solenoid", "share/fish/vendor_completions.d/solenoid.fish",
                     "share/doc/solenoid/copyright", "share/doc/solenoid/changelog.gz", "share/solenoid/cases/cavity/case.toml"):
            self.assertIn(f"usr/{name}", files)
        self.assertEqual([name for name in files if re.search(r"\.(a|hpp|cmake|pyc)$", name)], [])
        self.assertLess(self.package.stat().st_size, 20e6)

    def test_it_runs(self):
        program, cases = self.system / "usr/bin/solenoid", self.system / "usr/share/solenoid/cases"
        self.assertTrue(run(program, "--version").startswith("solenoid "))
        result = self.folder / "cavity"
        run(options.mpiexec, "-n", 2, program, "run", cases / "cavity" / "case.toml", "--output", result, "--quiet",
            "--set", "mesh.size=0.1", "--set", "time.end=0.1")
        summary = json.loads((result / "summary.json").read_text())["run"]
        self.assertEqual((summary["stopped_by"], summary["ranks"], summary["nodes"], summary["binding"]), ("end", 2, 1, "none"))
        self.assertTrue(run(self.system / "usr/bin/solenoid-plot", "--help").startswith("usage: solenoid-plot "))


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--cpack", required=True)
    parser.add_argument("--build", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
