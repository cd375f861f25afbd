"""What cmake/ and tests/cases/tests.cmake promise of a built tree: nothing is left to do, the commit is the right one,
and ctest finds a new case without a build."""

import os
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(commit LANGUAGES NONE)
include([[{ROOT}/cmake/SolenoidCommit.cmake]])
solenoid_commit(${{CMAKE_CURRENT_BINARY_DIR}}/git_commit.cpp)
add_custom_target(everything ALL DEPENDS git_commit.cpp)
"""


class Folder(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="with a space ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def run_here(self, *command):
        """Runs a command that must succeed in the folder; returns its standard output."""
        alone = {"GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_SYSTEM": os.devnull}
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, env={**os.environ, **alone})
        self.assertEqual(done.returncode, 0, f"{command}\n{done.stdout}\n{done.stderr}")
        return done.stdout.strip()

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text)


class Commit(Folder):
    def setUp(self):
        super().setUp()
        for name, text in {"CMakeLists.txt": PROJECT, "src/main.cpp": "1", "cmake/more.cmake": "", "README.md": "1",
                           ".gitignore": "build\n"}.items():
            self.write(name, text)
        self.run_here("git", "init", "--quiet")
        self.commit()

    def commit(self):
        """Commits everything; returns the commit."""
        self.run_here("git", "add", "--all")
        self.run_here("git", "-c", "user.name=A", "-c", "user.email=a@b.c", "commit", "--quiet", "--message", "x")
        return self.run_here("git", "rev-parse", "--short=12", "HEAD")

    def built(self):
        """Builds; returns the commit that the program knows."""
        if not (self.folder / "build").exists():
            self.run_here("cmake", "-G", "Ninja", "-B", "build")
        self.run_here("ninja", "-C", "build")
        return (self.folder / "build" / "git_commit.cpp").read_text().split('return "')[1].split('"')[0]

    def assert_nothing_to_do(self):
        self.assertIn("ninja: no work to do.", self.run_here("ninja", "-C", "build", "-n"))

    def test_a_built_tree_has_nothing_to_do_until_the_commit_changes(self):
        first = self.run_here("git", "rev-parse", "--short=12", "HEAD")
        self.assertEqual(self.built(), first)
        self.assert_nothing_to_do()
        self.write("README.md", "2")
        self.assert_nothing_to_do()  # no part of the program
        second = self.commit()
        self.assertNotEqual(first, second)
        self.assertEqual(self.built(), second)
        self.assert_nothing_to_do()
        self.run_here("git", "checkout", "--quiet", first)
        self.assertEqual(self.built(), first)

    def test_changed_sources_are_not_those_of_the_commit(self):
        commit = self.built()
        for change in ("src/main.cpp", "CMakeLists.txt", "cmake/more.cmake"):
            with self.subTest(change=change):
                before = (self.folder / change).read_text()
                self.write(change, before + "\n# changed\n")
                self.assertEqual(self.built(), commit + "-dirty")
                self.assert_nothing_to_do()
                self.write(change, before)
                self.assertEqual(self.built(), commit)
                self.assert_nothing_to_do()
        (self.folder / "src" / "main.cpp").unlink()
        self.assertEqual(self.built(), commit + "-dirty")
        self.assert_nothing_to_do()

    def test_the_commit_is_found_where_git_keeps_no_log(self):
        self.run_here("git", "config", "core.logAllRefUpdates", "false")
        (self.folder / ".git" / "logs" / "HEAD").unlink()
        self.built()
        self.write("README.md", "2")
        commit = self.commit()
        self.assertEqual(self.built(), commit)
        self.assert_nothing_to_do()

    def test_without_git_it_is_unknown(self):
        (self.folder / ".git").rename(self.folder / "no-git")
        self.assertEqual(self.built(), "unknown")
        self.assert_nothing_to_do()


class Cases(Folder):
    def listed(self):
        return self.run_here("ctest", "-N").split("\n")

    def test_a_new_case_is_found_without_a_build(self):
        self.write("CTestTestfile.cmake", f"""set(cases_folder [[{self.folder}/cases]])
set(cases_test false)
set(cases_environment [[A=1;B=2]])
include([[{ROOT}/tests/cases/tests.cmake]])
""")
        for name in ("cavity/case.toml", "cavity/expected.toml"):
            self.write(f"cases/{name}", "")
        names = ["cavity"]
        for new, name in (None, None), ("cavity/re400.toml", "cavity_re400"), ("a-new-one/case.toml", "a-new-one"):
            if new:
                self.write(f"cases/{new}", "")
                names.append(name)
            found = [line.split(": case_")[1] for line in self.listed() if ": case_" in line]
            self.assertEqual(sorted(found), sorted(names))
        shown = self.run_here("ctest", "--show-only=json-v1")
        for expected in ('"A=1"', '"B=2"', '"PROCESSORS"'):
            self.assertIn(expected, shown)


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
