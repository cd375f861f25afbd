"""The program of a build without files (SOLENOID_FILES=OFF): it says what it cannot do."""

import argparse
import subprocess
import sys
import unittest

options = None


def solenoid(ranks, *words):
    words = [options.mpiexec, "--quiet", "-n", str(ranks), options.solenoid, *words]
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout, done.stderr


class NoFiles(unittest.TestCase):
    def test_commands_on_files_are_refused_once(self):
        for command, file in ("run", "case.toml"), ("check", "mesh.geo"), ("verify", "case.toml"):
            for ranks in (1, 2):
                with self.subTest(command=command, ranks=ranks):
                    code, out, err = solenoid(ranks, command, file)
                    self.assertEqual((code, out), (2, ""), err)
                    self.assertEqual(err.count("\n"), 1, err)
                    self.assertIn(f"no Gmsh and VTK, and so no command `{command}`", err)
                    self.assertIn("SOLENOID_FILES=ON", err)

    def test_bench_measures_on_made_meshes_alone(self):
        for ranks in (1, 2):
            code, out, err = solenoid(ranks, "bench", "dot", "--cube", "2", "--seconds", "0.001")
            self.assertEqual((code, err), (0, ""))
            self.assertIn("\ndot  ", out)
            code, out, err = solenoid(ranks, "bench", "--mesh", "mesh.msh")
            self.assertEqual((code, out), (2, ""), err)
            self.assertIn("mesh.msh: this build has no Gmsh and reads no meshes: take --square or --cube", err)

    def test_the_rest_is_there(self):
        code, out, err = solenoid(1, "--version")
        self.assertEqual((code, err), (0, ""))
        self.assertTrue(out.startswith("solenoid "), out)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
