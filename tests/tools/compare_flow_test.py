"""tools/compare/flow with stand-ins for Solenoid and OpenFOAM on coarse meshes: turns, times, files, messages."""

import csv
import ctypes.util
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "compare" / "flow"
sys.path.insert(0, str(ROOT / "tools"))
from plotting import interpreter  # noqa: E402

NEEDED = ("numpy",)
PYTHON = interpreter.SYSTEM_PYTHON if interpreter.missing_packages(NEEDED) else sys.executable
CAN_MESH = ctypes.util.find_library("gmsh") and (
    not interpreter.missing_packages(NEEDED) or interpreter.system_python_has_packages(NEEDED))
TOOLS = "bash sh env cat cp mkdir sed nproc lscpu grep sort wc dirname id tr awk sleep ls".split()

# mpirun -n RANKS PROGRAM ARGUMENTS...
MPIRUN = """#!/bin/sh
RANKS=$2; export RANKS; shift 2
exec "$@"
"""

# solenoid run case.toml --output FOLDER, whose first step takes 9 s and each other one 4 s over the ranks; the Courant
# number is a thousand times the step
SOLENOID = """#!/bin/sh
value() { sed -n "s/^$1 = //p" case.toml; }
echo "solenoid $RANKS $(value tolerance | sort -u) $(value viscosity) $(value step) $(value end)" >>HERE/log
mkdir "$4"
every_steps=$(value every_steps | sort -u)
case $(value method) in *exact*) systems="potential vorticity" ;; *) systems="momentum pressure" ;; esac
set -- "$4" $systems
{ echo "step,cfl,max_divergence,iterations_$2,iterations_$3,wall_seconds [s]"
  for i in $(awk "BEGIN { for (i = 1; i <= $every_steps; ++i) print i }"); do
    awk "BEGIN { print $i \\",\\" 1000 * $(value step) \\",1e-16,\\" 10 + $i \\",20,\\" 9 + ($i - 1) * 4 / $RANKS }"
  done; } >"$1/history.csv"
cat >"$1/summary.json" <<END
{"solvers": {"$2": {"seconds": $((2 * every_steps))}, "$3": {"seconds": $every_steps}},
 "run": {"wall_seconds_per_step": 5}, "forces": {"cylinder": {"cd": 5.5}}, "nusselt": {"hot": 4.5}}
END
"""

# as a mesh: a patch for front and back
GMSH_TO_FOAM = """#!/bin/sh
grep -c '^[0-9]* 6 2 3 3 ' "$1" >HERE/prisms
mkdir constant/polyMesh
printf 'lid\\n{\\n    type patch;\\n}\\n' >constant/polyMesh/boundary
printf 'defaultFaces\\n{\\n    type            patch;\\n}\\n' >>constant/polyMesh/boundary
"""

DECOMPOSE = """#!/bin/sh
mkdir processor0 processor1
"""

# 0.2 s a step on a rank, 0.1 s on two, and as many iterations of p as the number of the step, twice
ICO_FOAM = """#!/bin/sh
[ "$(grep -A 2 defaultFaces constant/polyMesh/boundary | grep -c empty)" = 1 ] || exit 3
[ ! -e HERE/fail ] || { echo "lots of text"; echo "Floating point exception"; exit 6; }
value() { sed -n "s/^$1 *\\([^;]*\\);/\\1/p" system/controlDict; }
cycles=$(grep -c 'solver GAMG' system/fvSolution); parts=$(ls -d processor* 2>/dev/null | wc -l)
echo "icofoam ${1-alone} $cycles $parts $(value deltaT)" >>HERE/log
echo "Build  : OPENFOAM=1234 patch=5"
for i in $(awk "BEGIN { for (i = 1; i <= $(value endTime) / $(value deltaT) + 0.5 - MISSED; ++i) print i }"); do
  case $1 in -parallel) sleep 0.1 ;; *) sleep 0.2 ;; esac
  echo "Courant Number mean: 0.1 max: 0.4$i"
  echo "smoothSolver:  Solving for Ux, Initial residual = 1, Final residual = 1e-07, No Iterations 2"
  echo "smoothSolver:  Solving for Uy, Initial residual = 1, Final residual = 1e-07, No Iterations 3"
  echo "GAMGPCG:  Solving for p, Initial residual = 1, Final residual = 1e-02, No Iterations $i"
  echo "time step continuity errors : sum local = 1e-05, global = 0, cumulative = 0"
  echo "GAMGPCG:  Solving for p, Initial residual = 1, Final residual = 1e-07, No Iterations $i"
  echo "time step continuity errors : sum local = 2e-09, global = 0, cumulative = 0"
  echo "ExecutionTime = 0 s  ClockTime = 0 s"
done
[ ! -e system/functions ] || { mkdir -p postProcessing/drag/0
printf '# Force coefficients\\n# Time\\tCm\\tCd\\tCl\\n1\\t0.1\\t5.25\\t0.2\\n' >postProcessing/drag/0/coefficient.dat; }
"""

# two rounds of a step, and the slope of the temperature at the hot side
BOUSSINESQ_FOAM = ICO_FOAM.replace("icofoam ", "boussinesq $(sed -n 's/^ddtSchemes { default \\(.*\\); }/\\1/p' system/fvSchemes) ").replace(
    "Solving for p,", "Solving for p_rgh,") + """
mkdir -p postProcessing/hot/0
printf '# Region type : patch\\n# Time\\tareaAverage(slope)\\n1\\t(-4.25 0.1 0)\\n' >postProcessing/hot/0/surfaceFieldValue.dat
"""


@unittest.skipUnless(shutil.which("bash") and CAN_MESH, "there is no bash, no Gmsh, or no Python with NumPy")
class WholeRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        for name in TOOLS:
            if shutil.which(name):
                (self.folder / "bin" / name).symlink_to(shutil.which(name))
        self.programs = {"mpirun": MPIRUN, "solenoid": SOLENOID, "gmshToFoam": GMSH_TO_FOAM,
                         "renumberMesh": "#!/bin/sh\n", "decomposePar": DECOMPOSE, "icoFoam": ICO_FOAM,
                         "buoyantBoussinesqPimpleFoam": BOUSSINESQ_FOAM}

    def compare(self, *options, without=(), missed=0):
        for name, text in self.programs.items():
            path = self.folder / "bin" / name
            if name not in without:
                path.write_text(text.replace("MISSED", str(missed)).replace("HERE", str(self.folder)))
                path.chmod(0o755)
        scratch = self.folder / "scratch"
        scratch.mkdir(exist_ok=True)
        environment = {**os.environ, "PATH": str(self.folder / "bin"), "TMPDIR": str(scratch)}
        environment.pop("SLURM_JOB_ID", None)
        done = subprocess.run([PYTHON, "-B", str(TOOL), "--cells", "40", "--warm-up", "1", "--steps", "3",
                               "--solenoid", str(self.folder / "bin" / "solenoid"), *options], env=environment,
                              cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(list(scratch.iterdir()), [], "temporary files were left")
        return done

    def log(self):
        return [line.split() for line in (self.folder / "log").read_text().splitlines()]

    def test_heat_moves_the_fluid(self):
        done = self.compare("--flow", "heated-cavity", "--rayleigh", "1e4", "--ranks", "1", "--repeats", "1",
                            "--json", "out.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        found = json.loads((self.folder / "out.json").read_text())["comparisons"]
        self.assertEqual([(row["program"], row["nusselt"]) for row in found],
                         [("Solenoid, exact, 1e-08", 4.5), ("Solenoid, exact, 0.0001", 4.5),
                          ("buoyantBoussinesqPimpleFoam, Euler, gamg-pcg", 4.25),
                          ("buoyantBoussinesqPimpleFoam, backward, gamg-pcg", 4.25)])
        self.assertEqual(found[2]["iterations"], {"U": 5, "p": 6, "T": 0})
        self.assertEqual([line[1] for line in self.log() if line[0] == "boussinesq"], ["Euler", "backward"])
        self.assertIn("Nusselt", done.stdout)

    def test_programs_take_turns_and_the_table_has_the_steps_that_count(self):
        done = self.compare("--repeats", "2", "--tolerances", "1e-8", "--pressure", "gamg-pcg", "gamg", "--reynolds",
                            "50", "--json", "out.json", "--csv", "out.csv")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        log = self.log()
        step = log[1][4]
        self.assertAlmostEqual(float(step), 0.5e-3, places=8)  # of Courant number 0.5
        self.assertEqual(log[0][:4], ["solenoid", "1", "1e-08", "0.02"])
        turn = [["solenoid", "1", "1e-08", "0.02", step, repr(4 * float(step))],
                ["solenoid", "2", "1e-08", "0.02", step, repr(4 * float(step))],
                ["icofoam", "alone", "0", "0", step], ["icofoam", "alone", "1", "0", step],
                ["icofoam", "-parallel", "0", "2", step], ["icofoam", "-parallel", "1", "2", step]]
        self.assertEqual(log[1:], 2 * turn)

        found = json.loads((self.folder / "out.json").read_text())
        mesh = found["meshes"][0]
        self.assertEqual((self.folder / "prisms").read_text().strip(), str(mesh["cells"]))
        self.assertIn(f"\n{mesh['cells']} cells, ", "\n" + done.stdout)
        ours, ours_on_2, theirs, *_, theirs_on_2 = found["comparisons"]
        self.assertEqual((ours["step_seconds"], ours_on_2["step_seconds"]), (4, 2))
        self.assertEqual(ours["iterations"], {"potential": 13, "vorticity": 20})  # of 12, 13, 14
        self.assertEqual(ours["parts"], {"potential": 2, "vorticity": 1, "rest": 2})
        self.assertEqual(theirs["iterations"], {"U": 5, "p": 6})  # of 2 x 2, 3, 4
        self.assertEqual((theirs["cfl"], theirs["divergence"]), (0.44, 2e-9))
        for row, at_least in ((theirs, 0.2), (theirs_on_2, 0.1)):
            self.assertGreaterEqual(row["fastest_step_seconds"], 0.9 * at_least)
            self.assertEqual([len(turn["step_seconds"]) for turn in row["turns"]], [3, 3])
        fastest = min(row["step_seconds"] for row in found["comparisons"][2:4])
        self.assertEqual(ours["times_faster"], fastest / 4)

        with open(self.folder / "out.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual([row["ranks [-]"] for row in table], ["1", "2", "1", "1", "2", "2"])
        self.assertEqual((table[0]["program"], table[0]["step [s]"]), ("Solenoid, exact, 1e-08", "4.0"))
        row = next(line.split() for line in done.stdout.splitlines() if line.startswith("Solenoid"))
        self.assertEqual(row[3:7], [str(mesh["cells"]), "1", "4000.0", "4000.0"])
        self.assertIn("\nOPENFOAM=1234 patch=5\n", done.stdout)

    def test_around_a_cylinder_both_methods_and_the_drag_are_told(self):
        done = self.compare("--flow", "cylinder", "--methods", "exact", "classical", "--repeats", "1", "--ranks", "1",
                            "--tolerances", "1e-4", "--pressure", "gamg-pcg", "--cells", "900", "--json", "out.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual([line[3] for line in self.log()[:3]], ["0.001"] * 3)
        rows = json.loads((self.folder / "out.json").read_text())["comparisons"]
        self.assertEqual([row["program"] for row in rows],
                         ["Solenoid, exact, 0.0001", "Solenoid, classical, 0.0001", "icoFoam, gamg-pcg"])
        self.assertEqual([row["drag"] for row in rows], [5.5, 5.5, 5.25])
        self.assertEqual(list(rows[1]["iterations"]), ["momentum", "pressure"])

    def test_without_openfoam_solenoid_is_measured_alone(self):
        done = self.compare("--repeats", "1", "--ranks", "1", without=("renumberMesh",))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("not compared: OpenFOAM's 'renumberMesh' was not found", done.stdout)
        self.assertEqual([line[:3] for line in self.log()], [["solenoid", "1", "1e-08"], ["solenoid", "1", "1e-08"],
                                                             ["solenoid", "1", "0.0001"]])

    def test_a_failing_program_is_named_with_the_end_of_what_it_said(self):
        (self.folder / "fail").touch()
        done = self.compare("--ranks", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tools/compare/flow: icoFoam, gamg-pcg, 1 rank: exit code 6 of\n  ", done.stderr)
        self.assertTrue(done.stderr.endswith("\nlots of text\nFloating point exception\n"), done.stderr)

    def test_steps_that_are_missing_are_noticed(self):
        done = self.compare("--ranks", "1", missed=2)
        self.assertEqual(done.returncode, 1)
        self.assertIn("icoFoam printed 2 times 'ExecutionTime' instead of 4", done.stderr)

    def test_wrong_options_are_named(self):
        for options, text in ((["--pressure", "jacobi"], "invalid choice: 'jacobi'"), (["--cfl", "0"], "above 0"),
                              (["--correctors", "-1"], "invalid choice: -1")):
            with self.subTest(text=text):
                done = self.compare(*options)
                self.assertEqual((done.returncode, done.stdout), (2, ""))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
