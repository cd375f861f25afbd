"""tools/setup with stand-ins for apt-get and dpkg-query: it installs what is missing, and removes nothing."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
NEEDS = re.findall(r"^  '(\S+) +(?:-|\S+) +\S", (ROOT / "tools" / "setup").read_text(), re.M)
# Answers `apt-get -s install PACKAGES...` with what would go for each, and writes down whatever else it is told.
APT = """#!/bin/bash
simulate=false
for word; do [ "$word" = -s ] && simulate=true; done
$simulate || { echo "$*" >>"$FAKE/apt"; exit "${FAKE_CODE:-0}"; }
for word; do [ -f "$FAKE/gone-$word" ] && echo "Remv $(cat "$FAKE/gone-$word") [5.11.0]"; done
true
"""
DPKG = """#!/bin/bash
cat "$FAKE/installed"
"""
PARAVIEW = {"libvtk9-dev": "python3-paraview", "python3-vtk9": "python3-paraview"}  # as on Debian 12


class SetUp(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        for name in ("setup", "lib.sh"):
            (self.folder / "tools").mkdir(exist_ok=True)
            shutil.copy(ROOT / "tools" / name, self.folder / "tools")
        (self.folder / "bin").mkdir()
        for name, text in {"apt-get": APT, "dpkg-query": DPKG, "id": "#!/bin/sh\necho 0\n"}.items():
            (self.folder / "bin" / name).write_text(text)
            (self.folder / "bin" / name).chmod(0o755)

    def set_up(self, missing, removed, *words, code=0):
        """Runs it where these packages are missing, and apt would remove others for some of them; returns exit code,
        screen, errors and what apt was told to do."""
        (self.folder / "installed").write_text("".join(f"{name} installed\n" for name in NEEDS if name not in missing))
        for package, gone in removed.items():
            (self.folder / f"gone-{package}").write_text(gone)
        (self.folder / "apt").write_text("")
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "FAKE": str(self.folder), "FAKE_CODE": str(code)}
        done = subprocess.run([self.folder / "tools" / "setup", *words], env={**os.environ, **environment},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        return done.returncode, done.stdout, done.stderr, (self.folder / "apt").read_text().splitlines()

    def test_nothing_is_said_or_done_where_nothing_is_missing(self):
        self.assertEqual(self.set_up((), {}), (0, "", "", []))

    def test_what_is_missing_is_installed_and_nothing_removed(self):
        code, out, err, told = self.set_up(("libfmt-dev", "python3-vtk9"), {})
        self.assertEqual((code, err), (0, ""))
        self.assertEqual(len(told), 2)
        self.assertIn("update", told[0])
        self.assertRegex(told[1], r" install .*--no-remove .*libfmt-dev python3-vtk9$")
        self.assertIn("Installed.", out)

    def test_a_package_that_pushes_out_another_is_left_out(self):
        code, out, err, told = self.set_up(("libfmt-dev", "python3-matplotlib"), {"python3-matplotlib": "python3-mine"})
        self.assertEqual(code, 0, err)
        self.assertEqual(err, """\
tools/setup: python3-matplotlib (pictures of results) is not installed: apt would remove python3-mine for it
tools/setup: to have it instead of what is there now: apt-get install python3-matplotlib
tools/setup: without it runs leave no picture, and all the rest works
""")
        self.assertRegex(told[1], r" install .*--no-remove libfmt-dev$")

    def test_then_nothing_is_done_if_that_is_all(self):
        code, _, err, told = self.set_up(("python3-matplotlib",), {"python3-matplotlib": "python3-mine"})
        self.assertEqual((code, told), (0, []), err)

    def test_beside_the_python_of_paraview_it_says_what_works(self):
        code, _, err, told = self.set_up(("libfmt-dev", *PARAVIEW), PARAVIEW)
        self.assertEqual((code, told), (1, []))
        for expected in ("libvtk9-dev (writes ParaView files) is not installed: apt would remove python3-paraview for it",
                         "to have them instead of what is there now: apt-get install libvtk9-dev python3-vtk9",
                         "-DVTK_DIR=", "-DSOLENOID_FILES=OFF", "nothing was installed"):
            self.assertIn(expected, err)

    def test_the_tests_need_pictures(self):
        code, _, err, told = self.set_up(("python3-matplotlib",), {"python3-matplotlib": "python3-mine"}, "--tests")
        self.assertEqual((code, told), (1, []), err)

    def test_a_failed_installation_is_told(self):
        code, _, err, _ = self.set_up(("libfmt-dev",), {}, code=100)
        self.assertEqual(code, 1)
        self.assertIn("'apt-get install' failed", err)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
