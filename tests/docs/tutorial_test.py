"""The README's own case and the tutorial, followed to the letter: their files, their commands, in a folder of its own.
Only the end of the time is nearer."""

import argparse
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TUTORIAL = (ROOT / "docs" / "tutorial.md").read_text()
README = (ROOT / "README.md").read_text().split("## A case in forty lines")[1].split("\n## ")[0]
SOON = "--set time.end=0.2 --set output.every=0.1"
options = None


def files(page):
    """The geometry and the case of a page."""
    blocks = re.findall(r"^```\w*\n(.*?)^```", page, re.M | re.S)
    return {"duct/duct.geo": next(block for block in blocks if "Plane Surface" in block),
            "duct/case.toml": next(block for block in blocks if "[flow]" in block)}


def commands(page):
    """The indented lines of a page, from its case on: what it tells to type."""
    typed = re.findall(r"^\n((?:    .*\n)+)", page, re.M)
    return "".join(line[4:] + "\n" for block in typed for line in block.splitlines())


class Pages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        stand_ins = {
            "build/cpu/bin/solenoid": f'more=\n[ "$1" = run ] && more="{SOON}"\nexec "{options.solenoid}" "$@" $more\n',
            "build/cpu/build.ninja": "",
            "bin/ninja": 'echo "ninja: no work to do."\n',
            "tools/setup": "",
        }
        for name, text in stand_ins.items():
            self.write(name, "#!/bin/bash\n" + text)
        for name in ("run", "plot", "lib.sh"):
            self.write(f"tools/{name}", (ROOT / "tools" / name).read_text())
        for name in ("common", "plotting"):
            (self.folder / "tools" / name).symlink_to(ROOT / "tools" / name)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        path.chmod(0o755)

    def follow(self, page):
        """Does what a page says; returns what was on the screen."""
        for name, text in files(page).items():
            self.write(name, text)
        own = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SOLENOID_PRESET": "cpu"}
        user = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "OMP_"))}
        done = subprocess.run(["bash", "-e", "-c", commands(page)], cwd=self.folder, env={**user, **own},
                              capture_output=True, text=True, stdin=subprocess.DEVNULL)
        self.assertEqual((done.returncode, done.stderr), (0, ""), done.stdout)
        for pattern in re.findall(r"`(results/[^`]+)`", page):
            self.assertTrue([*self.folder.glob(pattern)], f"{pattern} is named and not there")
        return done.stdout

    def test_the_readme(self):
        out = self.follow(README)
        for expected in ("problems    none", "Done at t = 0.2 s", "picture: results/duct/duct.png"):
            self.assertIn(expected, out)
        self.assertNotIn("Building", out)

    def test_the_tutorial(self):
        out = self.follow(TUTORIAL)
        for expected in ("problems    none", "Done at t = 0.2 s", "s [m],x [m],y [m],z [m],u [m/s]", "v, line wake"):
            self.assertIn(expected, out)

    def test_no_page_names_the_file_of_a_step(self):
        """Which steps have output changes with the program."""
        for page in (README, TUTORIAL):
            self.assertEqual(re.findall(r"\w+_\d{6}\.\w+", page), [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--solenoid", required=True, type=os.path.abspath)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
