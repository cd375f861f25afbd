"""tools/compare/petsc with stand-ins for mpirun, Solenoid and PETSc: arguments, turns, medians, ratios, messages."""

import contextlib
import importlib.util
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from importlib.machinery import SourceFileLoader
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "compare" / "petsc"

sys.dont_write_bytecode = True
LOADER = SourceFileLoader("compare_petsc", str(TOOL))
tool = importlib.util.module_from_spec(importlib.util.spec_from_loader("compare_petsc", LOADER))
LOADER.exec_module(tool)

# mpirun --quiet -n RANKS PROGRAM ARGUMENTS...
MPIRUN = """#!/bin/sh
RANKS=$3; export RANKS; shift 3; exec "$@"
"""

# solenoid bench cg/pressure/jacobi triad --square N [--matrices FOLDER] --json FILE, at 2 ns; 1 ns on 2 ranks
SOLENOID = """#!/bin/sh
echo "solenoid $RANKS $OMP_NUM_THREADS $*" >>LOG
if [ "$6" = --matrices ]; then
  case $RANKS in 1) rows=8 ;; 2) rows=5,3 ;; esac
  echo "{\\"rows\\":8,\\"nonzeros\\":24,\\"rows_of_ranks\\":[$rows]}" >"$7/pressure.petsc.json"
  shift 2
fi
cat >"$7" <<END
{"triad_bytes_per_second": 1e10, "ranks": $RANKS, "backend": "cpu", "results": [
  {"name": "triad"},
  {"name": "cg/pressure/jacobi", "unknowns": 8, "seconds": 1.6e-8, "seconds_per_unknown": $((2 / RANKS))e-9,
   "bytes_per_unknown": 10, "bytes_per_second": 5e9, "bandwidth_fraction": 0.5}]}
END
"""

# petsc_cg -matrix FILE -rows ROWS -iterations N -repeats N -norm NORM, at 4 ns, or 3.2 ns with the natural norm
PETSC = """#!/bin/sh
echo "petsc $RANKS $OMP_NUM_THREADS $*" >>LOG
[ "$6" != 13 ] || { echo "[0]PETSC ERROR: --- Error Message ---
[0]PETSC ERROR: thirteen iterations
[0]PETSC ERROR: See https://petsc.org
[0]PETSC ERROR: Configure options" >&2; exit 91; }
case ${10} in natural) ns=3.2 ;; *) ns=4 ;; esac
echo "{\\"library\\":\\"PETSc 3.0.0\\",\\"debug\\":false,\\"blas\\":\\"/lib/libblas.so\\",\\"unknowns\\":UNKNOWNS,"
echo "\\"set_up_seconds\\":1,\\"seconds_per_iteration\\":[1],\\"seconds_per_unknown\\":${ns}e-9}"
"""


# solenoid bench setup/... solve/... triad --square N [--matrices FOLDER] --json FILE; of heat 5 of the 8 rows are unknown
SOLENOID_MULTIGRID = """#!/bin/sh
if [ "$7" = --matrices ]; then
  for system in pressure heat; do
    echo '{"rows":8,"nonzeros":24,"rows_of_ranks":[8]}' >"$8/$system.petsc.json"
  done
  shift 2
fi
cat >"$8" <<END
{"triad_bytes_per_second": 1e10, "results": [
  {"name": "setup/pressure/multigrid", "unknowns": 8, "seconds": 0.002, "bytes_per_unknown": 100},
  {"name": "solve/pressure/multigrid", "unknowns": 8, "seconds": 0.001, "iterations": 13},
  {"name": "setup/heat/multigrid", "unknowns": 5, "seconds": 0.003, "bytes_per_unknown": 90},
  {"name": "solve/heat/multigrid", "unknowns": 5, "seconds": 0.001, "iterations": 10}]}
END
"""

# petsc_multigrid -matrix FILE -rows ROWS -preconditioner NAME -repeats N
PETSC_MULTIGRID = """#!/bin/sh
echo "petsc $*" >>LOG
case $6 in gamg) times='"iterations":15,"set_up_seconds":0.004,"solve_seconds":0.005' ;;
  *) times='"iterations":8,"set_up_seconds":0.003,"solve_seconds":0.004' ;; esac
echo "{\\"library\\":\\"PETSc 3.0.0\\",\\"debug\\":false,\\"blas\\":\\"\\",\\"unknowns\\":UNKNOWNS,$times}"
"""


@unittest.skipUnless(shutil.which("bash"), "there is no bash")
class WholeRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.write_programs(unknowns=8)

    def write_programs(self, unknowns):
        programs = (("mpirun", MPIRUN), ("solenoid", SOLENOID), ("petsc_cg", PETSC),
                    ("solenoid_multigrid", SOLENOID_MULTIGRID), ("petsc_multigrid", PETSC_MULTIGRID))
        for name, text in programs:
            path = self.folder / name
            path.write_text(text.replace("LOG", str(self.folder / "log")).replace("UNKNOWNS", str(unknowns)))
            path.chmod(0o755)

    def compare(self, *options, programs=("--solenoid", "solenoid", "--petsc-program", "petsc_cg"), **environment):
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        path = f"{self.folder}:{os.environ['PATH']}"
        environment = {**os.environ, "PATH": path, "TMPDIR": str(scratch), **environment}
        done = subprocess.run([sys.executable, str(TOOL), *options, *programs], env=environment, cwd=self.folder,
                              capture_output=True, text=True)
        self.assertEqual(list(scratch.iterdir()), [], "temporary matrices were left")
        return done

    def test_programs_take_turns_and_the_table_has_the_ratio(self):
        done = self.compare("--square", "2", "--ranks", "1", "2", "--repeats", "2", "--iterations", "7",
                            "--json", "out.json")
        self.assertEqual(done.returncode, 0, done.stderr)
        log = [line.split() for line in (self.folder / "log").read_text().splitlines()]
        self.assertEqual([line[0] for line in log], ["solenoid", "petsc", "petsc"] * 4)
        self.assertEqual([line[1] for line in log], ["1"] * 6 + ["2"] * 6)
        self.assertEqual({line[2] for line in log}, {"1"}, "threads")
        self.assertEqual(["--matrices" in line for line in log[::3]], [True, False] * 2)
        self.assertEqual(log[0][3:8], ["bench", "cg/pressure/jacobi", "triad", "--square", "2"])
        self.assertEqual(log[1][5:], ["-rows", "8", "-iterations", "7", "-repeats", "3", "-norm", "preconditioned"])
        self.assertEqual(log[8][5:], ["-rows", "5,3", "-iterations", "7", "-repeats", "3", "-norm", "natural"])

        rows = [line.split() for line in done.stdout.splitlines() if line.startswith("square 2")]
        self.assertEqual(rows[0], ["square", "2", "8", "1", "2.00", "4.00", "3.20", "0.50", "5.0", "0.50"])
        self.assertEqual(rows[1], ["square", "2", "8", "2", "1.00", "4.00", "3.20", "0.25", "5.0", "0.50"])
        self.assertIn("PETSc 3.0.0; its BLAS: /lib/libblas.so", done.stdout)
        found = json.loads((self.folder / "out.json").read_text())
        self.assertEqual([row["ratio"] for row in found["comparisons"]], [0.5, 0.25])
        self.assertEqual(found["comparisons"][1]["nonzeros"], 24)

    def test_multigrid_is_set_beside_both_of_petscs(self):
        programs = ("--solenoid", "solenoid_multigrid", "--petsc-program", "petsc_multigrid")
        done = self.compare("--multigrid", "--square", "2", "--repeats", "2", "--json", "out.json", programs=programs)
        self.assertEqual(done.returncode, 0, done.stderr)
        log = [line.split() for line in (self.folder / "log").read_text().splitlines()]
        self.assertEqual([line[6] for line in log], ["gamg", "boomeramg"] * 2)
        row = next(line.split() for line in done.stdout.splitlines() if line.startswith("square 2"))
        self.assertEqual(row, ["square", "2", "8", "1", "13", "2.0", "1.0", "15", "4.0", "5.0", "8", "3.0", "4.0", "0.50", "0.25"])
        found = json.loads((self.folder / "out.json").read_text())["comparisons"][0]
        self.assertEqual((found["set_up_ratio"], found["solve_ratio"]), (0.5, 0.25))
        self.assertEqual(found["solenoid"]["stored_bytes_per_unknown"], 100)
        self.write_programs(unknowns=9)
        done = self.compare("--multigrid", "--square", "2", programs=programs)
        self.assertEqual(done.returncode, 1)
        self.assertIn("Solenoid has 8 rows, PETSc 9", done.stderr)

    def test_heat_is_compared_with_prescribed_values_in_the_matrix(self):
        programs = ("--solenoid", "solenoid_multigrid", "--petsc-program", "petsc_multigrid")
        done = self.compare("--multigrid", "--system", "heat", "--square", "2", "--repeats", "1", programs=programs)
        self.assertEqual(done.returncode, 0, done.stderr)
        log = (self.folder / "log").read_text().splitlines()
        self.assertEqual([line.endswith(" -definite") and "heat.petsc" in line for line in log], [True, True])
        row = next(line.split() for line in done.stdout.splitlines() if line.startswith("square 2"))
        self.assertEqual(row[2:7], ["5", "1", "10", "3.0", "1.0"])
        self.assertIn("add --multigrid", self.compare("--system", "heat", "--square", "2", programs=programs).stderr)

    def test_a_failing_program_is_named_with_its_reason(self):
        done = self.compare("--square", "2", "--iterations", "13")
        self.assertEqual(done.returncode, 1)
        self.assertIn("exit code 91 of\n  mpirun --quiet -n 1", done.stderr)
        self.assertTrue(done.stderr.endswith("\nthirteen iterations\n"), done.stderr)

    def test_other_unknowns_are_no_comparison(self):
        self.write_programs(unknowns=9)
        done = self.compare("--square", "2")
        self.assertEqual(done.returncode, 1)
        self.assertIn("Solenoid has 8 unknowns, PETSc 9", done.stderr)

    @unittest.skipUnless(shutil.which("pkg-config") and shutil.which("mpicc"), "there is no pkg-config or no mpicc")
    def test_where_petsc_is_missing_it_says_what_to_install(self):
        nowhere = {"PKG_CONFIG_LIBDIR": str(self.folder), "PKG_CONFIG_PATH": "", "PETSC_DIR": str(self.folder)}
        done = self.compare("--square", "2", programs=(), **nowhere)
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install petsc-dev", done.stderr)


class Numbers(unittest.TestCase):
    def test_medians_of_the_turns(self):
        def turn(seconds, **others):
            return {"unknowns": 10, "seconds_per_unknown": seconds, "set_up_seconds": 0, **others}

        speeds = {"bytes_per_unknown": 1, "bytes_per_second": 1, "bandwidth_fraction": 1, "triad_bytes_per_second": 1}
        ours = [turn(seconds, **speeds) for seconds in (3, 90, 2)]
        theirs = {"preconditioned": [turn(s) for s in (6, 4, 500)], "natural": [turn(s) for s in (1, 2, 4, 4)]}
        found = tool.summary_of(ours, theirs)
        self.assertEqual(found["solenoid"]["seconds_per_unknown"], 3)
        self.assertEqual(found["petsc"]["natural"]["seconds_per_unknown"], 3)
        self.assertEqual(tool.scatter([found]), 496 / 6)
        self.assertEqual((found["ratio"], found["petsc"]["natural"]["ratio"]), (0.5, 1))

    def test_meshes_keep_their_order(self):
        options = tool.parse(["--cube", "3", "--square", "5", "--mesh", str(TOOL), "--cube", "4"])
        self.assertEqual([tool.name_of(mesh) for mesh in options.meshes], ["cube 3", "square 5", "petsc", "cube 4"])
        self.assertEqual(options.meshes[0], ["--cube", "3"])

    def test_wrong_options_are_named(self):
        for options, text in (([], "which mesh?"), (["--square", "0"], "above 0"), (["--mesh", "no.msh"], "'no.msh'")):
            with contextlib.redirect_stderr(io.StringIO()) as output, self.assertRaises(SystemExit) as end:
                tool.parse(options)
            self.assertEqual(end.exception.code, 2)
            self.assertIn(text, output.getvalue())


if __name__ == "__main__":
    unittest.main()
