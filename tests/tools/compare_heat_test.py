"""tools/compare/heat with stand-ins for all programs on a cube of six tetrahedra: turns, table, errors, messages."""

import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest
from itertools import permutations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOL = ROOT / "tools" / "compare" / "heat"
sys.path.insert(0, str(ROOT / "tools"))
from plotting import interpreter  # noqa: E402

NEEDED = ("numpy", "vtkmodules")
PYTHON = interpreter.SYSTEM_PYTHON if interpreter.missing_packages(NEEDED) else sys.executable
CAN_READ = not interpreter.missing_packages(NEEDED) or interpreter.system_python_has_packages(NEEDED)
TOOLS = "bash sh env cat cp mkdir sed nproc lscpu grep sort wc dirname id tr awk".split()

# mpirun -n RANKS PROGRAM ARGUMENTS...; dolfinx's Python is replaced
MPIRUN = """#!/bin/sh
RANKS=$2; export RANKS; shift 2
case "$*" in *heat_dolfinx.py*) shift 3; exec HERE/bin/dolfinx "$@" ;; esac
exec "$@"
"""

# solenoid run case.toml --output FOLDER
SOLENOID = """#!/bin/sh
echo "solenoid $RANKS $(sed -n 's/^tolerance = //p' "$2") $(grep -c insulated "$2")" >>HERE/log
mkdir "$4"; cp HERE/nodes.vtu "$4/piece.vtu"; cp HERE/nodes.pvtu "$4/fields_000000.pvtu"
cat >"$4/summary.json" <<END
{"solvers": {"heat": {"iterations_total": 7, "seconds": $((3 - RANKS)), "setup_seconds": 0.125}},
 "phases": {"read mesh": 9, "set up": 0.25},
 "heat": {"hot": 50, "cold": -49.5, "wall": 0}}
END
"""

# dolfinx MESH FOLDER CONDUCTIVITY TOLERANCE PRECONDITIONER HOT COLD
DOLFINX = """#!/bin/sh
echo "dolfinx $RANKS $4 $3 $5 $6 $7" >>HERE/log
cp HERE/nodes.vtu "$2/piece.vtu"; cp HERE/nodes.pvtu "$2/temperature_p0_000000.pvtu"
echo '{"unknowns": 8, "iterations": 8, "setup_seconds": 1, "preconditioner_seconds": 0.5, "solve_seconds": 2,
       "hot": 50, "cold": -50, "library": "dolfinx 0, PETSc 1.2.3"}' >"$2/result.json"
"""

# FreeFem++-nw -v 1 SCRIPT MESH RESULT CONDUCTIVITY TOLERANCE HOT COLD
FREEFEM = """#!/bin/sh
echo "freefem 1 $7 $6 $8 $9" >>HERE/log
[ ! -e HERE/fail ] || { echo "lots of text"; echo "Assertion fail"; exit 6; }
cp HERE/FREEFEM.vtu "$5"
echo "-- FreeFem++ v4.5 (date)"
echo " GC:  converge in  9 g=1e-15"
echo 'RESULT {"unknowns": 8, "hot": 50, "cold": -50, "setup_seconds": 0.25, "solve_seconds": 0.75}'
"""

GMSH_TO_FOAM = """#!/bin/sh
cp -r HERE/polyMesh constant/
"""

# in cells, with one at 1.25 above 1; as many solves as correctors and one
LAPLACIAN_FOAM = """#!/bin/sh
count=$(sed -n 's/.*nNonOrthogonalCorrectors \\([0-9]*\\).*/\\1/p' system/fvSolution)
echo "openfoam 1 $(sed -n 's/.*tolerance \\([^;]*\\);.*/\\1/p' system/fvSolution) $count" >>HERE/log
grep -q '^    hot { type fixedValue; value uniform 1; }' 0/T || exit 3
for i in $(awk "BEGIN {for (i = 0; i <= $count; ++i) print i}"); do
  echo "DICPCG:  Solving for T, Initial residual = 1, Final residual = 1e-09, No Iterations 10"
done
echo "Build  : OPENFOAM=1234 patch=5"
echo "    areaNormalIntegrate(hot) of gradT = 1.5
    areaNormalIntegrate(cold) of gradT = -1.25"
mkdir -p 1/uniform; cp HERE/cells 1/T
cat >1/uniform/profiling <<END
    trigger7 {
        description     "fvMatrix::solve.T";
        calls           1;
        totalTime       0.5;
END
"""


def cube():
    """Corners, six tetrahedra along the paths from (0, 0, 0) to (1, 1, 1), and T = 1 - x."""
    points = [(i >> 2, i >> 1 & 1, i & 1) for i in range(8)]
    cells = [(0, a, a + b, 7) for a, b, _ in permutations((4, 2, 1))]
    return points, cells, [1 - x for x, *_ in points]


def vtu(points, cells, values):
    def array(kind, name, numbers, components=1):
        text = " ".join(map(str, numbers))
        return (f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">{text}'
                "</DataArray>")

    flat = [x for point in points for x in point]
    return ('<VTKFile type="UnstructuredGrid" version="0.1" byte_order="LittleEndian"><UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(points)}" NumberOfCells="{len(cells)}"><PointData>'
            f'{array("Float64", "temperature", values)}</PointData>'
            f'<Points>{array("Float64", "Points", flat, 3)}</Points>'
            f'<Cells>{array("Int64", "connectivity", [node for cell in cells for node in cell])}'
            f'{array("Int64", "offsets", range(4, 4 * len(cells) + 1, 4))}{array("UInt8", "types", [10] * len(cells))}'
            "</Cells></Piece></UnstructuredGrid></VTKFile>")


PVTU = ('<VTKFile type="PUnstructuredGrid" version="0.1" byte_order="LittleEndian"><PUnstructuredGrid GhostLevel="0">'
        '<PPointData><PDataArray type="Float64" Name="temperature"/></PPointData><PPoints>'
        '<PDataArray type="Float64" NumberOfComponents="3"/></PPoints><Piece Source="piece.vtu"/>'
        "</PUnstructuredGrid></VTKFile>")


def foam(kind, name, body):
    return f"FoamFile {{ version 2.0; format ascii; class {kind}; object {name}; }}\n{body}\n"


def foam_list(items):
    return f"{len(items)}\n(\n" + "\n".join(items) + "\n)"


def poly_mesh(points, cells):
    """OpenFOAM's files of the mesh; the whole boundary is one patch."""
    owners = {}
    for number, cell in enumerate(cells):
        for left_out in range(4):
            face = tuple(sorted(cell[:left_out] + cell[left_out + 1 :]))
            owners.setdefault(face, []).append(number)
    inner = [face for face in owners if len(owners[face]) == 2]
    outer = [face for face in owners if len(owners[face]) == 1]
    faces = inner + outer
    patch = f"1\n(\nhot {{ type patch; nFaces {len(outer)}; startFace {len(inner)}; }}\n)"
    return {"points": foam("vectorField", "points", foam_list([f"({x} {y} {z})" for x, y, z in points])),
            "faces": foam("faceList", "faces", foam_list([f"3({a} {b} {c})" for a, b, c in faces])),
            "owner": foam("labelList", "owner", foam_list([str(owners[face][0]) for face in faces])),
            "neighbour": foam("labelList", "neighbour", foam_list([str(owners[face][1]) for face in inner])),
            "boundary": foam("polyBoundaryMesh", "boundary", patch)}


@unittest.skipUnless(shutil.which("bash") and CAN_READ, "there is no bash, or no Python with NumPy and VTK")
class WholeRuns(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "bin").mkdir()
        for name in TOOLS:
            if shutil.which(name):
                (self.folder / "bin" / name).symlink_to(shutil.which(name))
        self.programs = {"mpirun": MPIRUN, "solenoid": SOLENOID, "dolfinx": DOLFINX, "FreeFem++-nw": FREEFEM,
                         "gmshToFoam": GMSH_TO_FOAM, "renumberMesh": "#!/bin/sh\n", "laplacianFoam": LAPLACIAN_FOAM}
        self.write_results()

    def write_results(self):
        points, cells, values = cube()
        (self.folder / "nodes.vtu").write_text(vtu(points, cells, values))
        (self.folder / "nodes.pvtu").write_text(PVTU)
        off = [value + (0.25 if i == 3 else 0) for i, value in enumerate(values)]  # at (0, 1, 1)
        (self.folder / "off.vtu").write_text(vtu(points[::-1], [], off[::-1]))
        (self.folder / "elsewhere.vtu").write_text(vtu([(x + 0.5, y, z) for x, y, z in points], [], values))
        (self.folder / "polyMesh").mkdir()
        for name, text in poly_mesh(points, cells).items():
            (self.folder / "polyMesh" / name).write_text(text)
        means = [sum(values[n] for n in cell) / 4 for cell in cells]
        means[0] = 1.25  # instead of 0.25
        body = "internalField nonuniform List<scalar>\n" + foam_list([repr(mean) for mean in means]) + ";"
        (self.folder / "cells").write_text(foam("volScalarField", "T", "dimensions [0 0 0 1 0 0 0];\n" + body
                                                + "\nboundaryField { hot { type zeroGradient; } }"))

    def compare(self, *options, without=(), freefem="off", dolfinx=True, mesh=("--cube", "1")):
        for name, text in self.programs.items():
            path = self.folder / "bin" / name
            if name not in without:
                path.write_text(text.replace("FREEFEM", freefem).replace("HERE", str(self.folder)))
                path.chmod(0o755)
        modules, scratch = self.folder / "modules", self.folder / "scratch"
        modules.mkdir(exist_ok=True)
        scratch.mkdir(exist_ok=True)
        for name in ("dolfinx", "petsc4py"):
            (modules / f"{name}.py").write_text("")
        if not dolfinx:
            (modules / "sitecustomize.py").write_text("import sys\nsys.modules['dolfinx'] = None\n")
        environment = {**os.environ, "PATH": str(self.folder / "bin"), "TMPDIR": str(scratch),
                       "PYTHONPATH": str(modules)}
        environment.pop("SLURM_JOB_ID", None)
        done = subprocess.run([PYTHON, "-B", str(TOOL), *mesh, "--solenoid", str(self.folder / "bin" / "solenoid"),
                               *options], env=environment, cwd=self.folder, capture_output=True, text=True)
        self.assertEqual(list(scratch.iterdir()), [], "temporary files were left")
        return done

    def log(self):
        return [line.split() for line in (self.folder / "log").read_text().splitlines()]

    def test_programs_take_turns_and_the_table_has_times_and_errors(self):
        done = self.compare("--repeats", "2", "--conductivity", "20", "--tolerance", "1e-6", "--json", "out.json")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("cube 1: 8 nodes, 6 tetrahedra", done.stdout)
        turn = [["solenoid", "1", "1e-06", "1"], ["solenoid", "2", "1e-06", "1"],
                ["dolfinx", "1", "1e-06", "20.0", "jacobi", "1", "2"],
                ["dolfinx", "2", "1e-06", "20.0", "jacobi", "1", "2"],
                ["dolfinx", "1", "1e-06", "20.0", "gamg", "1", "2"],
                ["dolfinx", "2", "1e-06", "20.0", "gamg", "1", "2"],
                ["freefem", "1", "1e-06", "20.0", "1", "2"], ["openfoam", "1", "1e-06", "0"],
                ["openfoam", "1", "1e-06", "5"]]
        self.assertEqual(self.log(), [["solenoid", "1", "1e-12", "1"]] + 3 * turn)

        rows = [line.split() for line in done.stdout.splitlines()]
        start = next(i for i, row in enumerate(rows) if row[:1] == ["program"]) + 1
        rows = [row[:-7] + row[-5:] for row in rows[start : start + 9]]  # without seconds from launch and memory
        self.assertEqual(rows[0], "Solenoid, CG, Jacobi 1 8 7 0.375 2.000 0.0e+00 0.0e+00 0.0e+00 50 49.5".split())
        self.assertEqual(rows[1][3:7], ["2", "8", "7", "0.375"])
        self.assertEqual(rows[1][7], "1.000")
        self.assertEqual(rows[4], "dolfinx, CG, GAMG 1 8 8 1.500 2.000 0.0e+00 0.0e+00 0.0e+00 50 50".split())
        self.assertEqual(rows[6], "FreeFEM, CG, Jacobi 1 8 9 0.250 0.750 2.5e-01 8.8e-02 2.5e-01 50 50".split())
        self.assertEqual(rows[7][:7], "OpenFOAM, 0 correctors 1 6 10 -".split())
        self.assertEqual(rows[7][7:9], ["0.500", "1.0e+00"])
        self.assertEqual(rows[7][10:], ["2.5e-01", "30", "25"])
        self.assertEqual(rows[8][3:6], ["1", "6", "60"])

        self.assertIn("\ndolfinx 0, PETSc 1.2.3; FreeFem++ v4.5; OPENFOAM=1234 patch=5\n", done.stdout)
        found = json.loads((self.folder / "out.json").read_text())
        self.assertEqual((found["nodes"], found["tetrahedra"], found["missing"]), (8, 6, []))
        last = found["comparisons"][8]
        self.assertEqual((last["program"], last["iterations"], last["heat_cold"]), ("OpenFOAM, 5 correctors", 60, -25))
        self.assertEqual((len(last["turns"]), last["turns"][0]["more"]["solves"]), (2, 6))
        self.assertAlmostEqual(last["errors"]["largest"], 1, places=6)
        self.assertAlmostEqual(last["errors"]["rms"], 6**-0.5, places=6)
        self.assertGreater(last["bytes"], 0)

    def test_missing_programs_are_named_and_the_rest_is_compared(self):
        done = self.compare("--ranks", "1", "--repeats", "1", without=("FreeFem++-nw", "renumberMesh"), dolfinx=False)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("dolfinx was not found (Debian, Ubuntu: apt-get install python3-dolfinx)",
                     "apt-get install freefem++ libfreefem++", "'renumberMesh' was not found"):
            self.assertIn(text, done.stdout)
        self.assertEqual([line[0] for line in self.log()], ["solenoid"] * 3)
        self.assertIn("Solenoid, CG, Jacobi         1", done.stdout)

    def test_a_failing_program_is_named_with_the_end_of_what_it_said(self):
        (self.folder / "fail").touch()
        done = self.compare("--ranks", "1", "--without", "dolfinx", "openfoam")
        self.assertEqual(done.returncode, 1)
        self.assertIn("tools/compare/heat: FreeFEM, CG, Jacobi, 1 rank: exit code 6 of\n  ", done.stderr)
        self.assertTrue(done.stderr.endswith("\nlots of text\nAssertion fail\n"), done.stderr)

    def test_temperatures_on_another_mesh_are_no_comparison(self):
        done = self.compare("--ranks", "1", "--without", "dolfinx", "openfoam", freefem="elsewhere")
        self.assertEqual(done.returncode, 1)
        self.assertIn("FreeFEM, CG, Jacobi: its temperatures are elsewhere: 8 places for 8 of the mesh", done.stderr)

    def test_results_without_what_is_needed_are_named(self):
        self.programs["solenoid"] = SOLENOID.replace('"heat": {"hot"', '"flow": {"hot"')
        done = self.compare("--ranks", "1")
        self.assertEqual(done.returncode, 1)
        self.assertIn("summary.json of Solenoid has no entry heat.hot", done.stderr)

    def test_a_run_without_end_is_ended(self):
        self.programs["solenoid"] = "#!/bin/sh\necho begun\nwhile :; do :; done\n"
        done = self.compare("--ranks", "1", "--timeout", "0.3")
        self.assertEqual(done.returncode, 1)
        self.assertIn("\nbegun\nno end after 0.3 s; allow more by --timeout\n", done.stderr)

    def test_wrong_options_and_meshes_are_named(self):
        flat = self.folder / "flat.msh"
        flat.write_text("$MeshFormat\n2.2 0 8\n$EndMeshFormat\n$PhysicalNames\n0\n$EndPhysicalNames\n"
                        "$Nodes\n3\n1 0 0 0\n2 1 0 0\n3 0 1 0\n$EndNodes\n"
                        "$Elements\n1\n1 2 2 1 1 1 2 3\n$EndElements\n")
        for options, mesh, code, text in (
            (["--hot", "warm"], None, 1, "there is no part 'warm' of the boundary; there are hot, cold, wall"),
            ([], ["--mesh", str(flat)], 1, "flat.msh: there are no tetrahedra"),
            ([], ["--mesh", "no.msh"], 2, "there is no file 'no.msh'"),
            (["--size", "0.1"], None, 2, "only a .geo has the constant lc"),
            (["--without", "fenics"], None, 2, "invalid choice: 'fenics'"),
        ):
            with self.subTest(text=text):
                done = self.compare(*options, mesh=mesh or ("--cube", "1"))
                self.assertEqual((done.returncode, done.stdout), (code, ""))
                self.assertIn(text, done.stderr)


if __name__ == "__main__":
    unittest.main()
