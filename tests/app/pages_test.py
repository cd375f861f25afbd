"""The manual page and the completions against the program's help, which come from the same definitions; and that man and
the shells take them."""

import argparse
import functools
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

COMMANDS = ("", "run", "check", "bench")
options = None


def answer(*words, **more):
    return subprocess.run([*map(str, words)], capture_output=True, text=True, stdin=subprocess.DEVNULL, **more)


@functools.cache
def options_of(command):
    """The long options that the help of a command names."""
    done = answer(options.solenoid, *command.split(), "--help")
    assert done.returncode == 0, done.stderr
    return set(re.findall(r"^  (?:-\w,)?(--[\w-]+)", done.stdout, re.M))


def page(*parts):
    return Path(options.pages, *parts).resolve()


class Manual(unittest.TestCase):
    def setUp(self):
        text = page("man", "solenoid.1").read_text().replace("\\-", "-")
        self.sections = re.split(r"^\.S[HS] ", text, flags=re.M)

    def section(self, title):
        return next(text for text in self.sections if text.startswith(title + "\n"))

    def test_every_option_is_under_its_command(self):
        for command in COMMANDS:
            expected = options_of(command)
            self.assertGreater(len(expected), 1)
            found = self.section(f"solenoid {command}" if command else "OPTIONS")
            self.assertEqual(set(re.findall(r"^\\fB(--[\w-]+)\\fR", found, re.M)), expected)

    def test_it_has_what_people_look_for(self):
        for title in ("NAME", "SYNOPSIS", "EXIT STATUS", "ENVIRONMENT", "FILES", "EXAMPLES"):
            self.section(title)
        codes = re.findall(r"^\.B (\d)$", self.section("EXIT STATUS"), re.M)
        self.assertEqual(codes, ["0", "1", "2", "3"])

    def test_man_renders_it_without_warnings(self):
        ran = []
        for words in (["man", "--warnings", "-E", "UTF-8", "-l"], ["mandoc", "-Tlint", "-W", "warning"]):
            if shutil.which(words[0]):
                done = answer(*words, page("man", "solenoid.1"), env={"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"})
                self.assertEqual((done.returncode, done.stderr), (0, ""), words)
                ran.append(words[0])
        if not ran:
            self.skipTest("neither man nor mandoc is here")


class Completion(unittest.TestCase):
    def offered(self, *words):
        """What bash offers for the last of these words, in a folder with some files."""
        with tempfile.TemporaryDirectory() as folder:
            for name in ("a.toml", "b.msh", "c.geo", "d.txt", "checkpoint_000500.h5"):
                Path(folder, name).touch()
            Path(folder, "results").mkdir()
            line = " ".join(f"'{word}'" for word in ("solenoid", *words))
            done = answer("bash", "-c", f"source '{page('bash', 'solenoid')}'; COMP_WORDS=({line}); COMP_CWORD={len(words)}; "
                          '_solenoid; printf "%s\\n" "${COMPREPLY[@]}"', cwd=folder)
            self.assertEqual(done.stderr, "")
            return set(done.stdout.split())

    def test_bash_offers_every_option_of_a_command(self):
        for command in COMMANDS:
            self.assertEqual(self.offered(*command.split(), "-"), options_of(command))

    def test_bash_offers_what_an_option_takes(self):
        self.assertEqual(self.offered(""), {"run", "check", "bench", "verify", "--help", "--version"})
        self.assertEqual(self.offered("run", ""), {"a.toml", "results"})
        self.assertEqual(self.offered("check", ""), {"a.toml", "b.msh", "c.geo", "results"})
        self.assertEqual(self.offered("run", "a.toml", "--output", ""), {"results"})
        self.assertEqual(self.offered("run", "a.toml", "--restart", "a"), {"auto", "a.toml"})
        self.assertIn("checkpoint_000500.h5", self.offered("run", "a.toml", "--restart", "c"))
        self.assertEqual(self.offered("bench", "--mesh", ""), {"b.msh", "c.geo", "results"})
        self.assertIn("cg/pressure/jacobi", self.offered("bench", "cg"))

    def test_every_shell_has_every_option(self):
        for shell, file in ("bash", "solenoid"), ("zsh", "_solenoid"), ("fish", "solenoid.fish"):
            text = page(shell, file).read_text()
            for command in COMMANDS:
                for option in options_of(command):
                    name = f"-l {option[2:]} " if shell == "fish" else option
                    self.assertIn(name, text, shell)
            if shutil.which(shell):
                done = answer(shell, "-n", page(shell, file))
                self.assertEqual((done.returncode, done.stderr), (0, ""), shell)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--pages", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
