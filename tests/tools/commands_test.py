"""Every command of tools/ answers --help, and an option that it does not know."""

import os
import subprocess
import sys
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = sorted(path for folder in ("tools", "tools/compare", "tools/packaging") for path in (ROOT / folder).iterdir()
                  if path.is_file() and os.access(path, os.X_OK))


def run(*words):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL)


class Commands(unittest.TestCase):
    def test_help_is_a_text(self):
        self.assertGreater(len(COMMANDS), 6)
        for command in COMMANDS:
            for word in ("--help", "-h"):
                with self.subTest(command=command.name, word=word):
                    done = run(command, word)
                    self.assertEqual((done.returncode, done.stderr), (0, ""))
                    self.assertRegex(done.stdout, rf"^[Uu]sage: tools/(compare/|packaging/)?{command.name} ")
                    self.assertGreater(done.stdout.count("\n"), 5)

    def test_an_unknown_option_is_refused_with_the_way_out(self):
        for command in COMMANDS:
            with self.subTest(command=command.name):
                done = run(command, "--no-such-option")
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn("usage" if command.name != "gpu-node" else "--help", done.stderr)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
