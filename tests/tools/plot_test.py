"""tools/plot and the cavity's picture on small synthetic results: sizes, chosen data, numbers in titles, messages."""

import json
import math
import shutil
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib
from pathlib import Path

import compare_test

ROOT = Path(__file__).resolve().parents[2]
CAVITY_PLOT = ROOT / "cases" / "cavity" / "plot.py"
sys.path.insert(0, str(ROOT / "tools"))
from plotting import interpreter  # noqa: E402

PYTHON = interpreter.SYSTEM_PYTHON if interpreter.missing_packages() else sys.executable

# Calls tools/plot once for each list of arguments; prints [exit code, output] of each.
MANY = """
import contextlib, io, json, sys
from plotting import command
found = []
for arguments in json.loads(sys.argv[1]):
    text = io.StringIO()
    with contextlib.redirect_stdout(text), contextlib.redirect_stderr(text):
        try:
            code = command.main(arguments)
        except SystemExit as end:
            code = end.code
    found.append([code, text.getvalue()])
print(json.dumps(found))
"""


def run_python(*arguments):
    done = subprocess.run([PYTHON, "-B", *arguments], capture_output=True, text=True, cwd=ROOT / "tools")
    return done.returncode, done.stdout, done.stderr


def ask(code, *arguments):
    """What a piece of Python that uses the package prints, as JSON."""
    exit_code, output, problems = run_python("-c", code, *map(str, arguments))
    if exit_code != 0:
        raise AssertionError(problems)
    return json.loads(output)


def plot(*calls):
    return ask(MANY, json.dumps([[str(argument) for argument in call] for call in calls]))


def read_png(path):
    """Width, height and texts of a PNG."""
    data = path.read_bytes()
    size, texts, at = struct.unpack(">II", data[16:24]), {}, 8
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at : at + 8])
        body = data[at + 8 : at + 8 + length]
        if kind == b"tEXt":
            key, _, value = body.partition(b"\0")
            texts[key.decode()] = value.decode("latin-1")
        elif kind == b"iTXt":
            key, _, rest = body.partition(b"\0")
            packed, (_, _, value) = rest[0], rest[2:].split(b"\0", 2)
            texts[key.decode()] = (zlib.decompress(value) if packed else value).decode()
        at += length + 12
    return *size, texts


def data_array(name, values, kind="Float64", components=1):
    text = " ".join(map(repr, values))
    return f'<DataArray type="{kind}" Name="{name}" NumberOfComponents="{components}" format="ascii">{text}</DataArray>'


def write_fields(result, step, time, n=8, amplitude=1.0, velocity=True, cell_type=5):
    """A unit square of 2 n^2 triangles on two ranks; the velocity is amplitude times (0.5 - y, x - 0.5)."""
    name = f"fields_{step:06}"
    (result / name).mkdir()
    for rank in (0, 1):
        rows = range(n // 2 * rank, n // 2 * (rank + 1) + 1)
        nodes = [(i, j) for j in rows for i in range(n + 1)]
        number = {node: k for k, node in enumerate(nodes)}
        cells = []
        for j in rows[:-1]:
            for i in range(n):
                a, b, c, d = (number[i + di, j + dj] for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)))
                cells += [(a, b, c), (a, c, d)]
        places = [(i / n, j / n) for i, j in nodes]
        speeds = [value for x, y in places for value in (amplitude * (0.5 - y), amplitude * (x - 0.5), 0.0)]
        at_nodes = data_array("global_id", [j * (n + 1) + i for i, j in nodes], "Int64")
        if velocity:
            at_nodes += data_array("velocity", speeds, components=3)
            at_nodes += data_array("vorticity", [2 * amplitude] * len(nodes))
        at_cells = data_array("rank", [rank] * len(cells), "Int32")
        at_cells += data_array("pressure", [3.0] * len(cells))
        (result / name / f"{name}_{rank}.vtu").write_text(
            '<?xml version="1.0"?>'
            '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian"><UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(nodes)}" NumberOfCells="{len(cells)}">'
            f'<PointData GlobalIds="global_id">{at_nodes}</PointData><CellData>{at_cells}</CellData>'
            f"<Points>{data_array('Points', [c for x, y in places for c in (x, y, 0.0)], components=3)}</Points><Cells>"
            + data_array("connectivity", [node for cell in cells for node in cell], "Int64")
            + data_array("offsets", [3 * (k + 1) for k in range(len(cells))], "Int64")
            + data_array("types", [cell_type] * len(cells), "UInt8")
            + "</Cells></Piece></UnstructuredGrid></VTKFile>"
        )
    arrays = '<PDataArray type="Int64" IdType="1" Name="global_id"/>'
    if velocity:
        arrays += '<PDataArray type="Float64" Name="velocity" NumberOfComponents="3"/>'
        arrays += '<PDataArray type="Float64" Name="vorticity"/>'
    (result / f"{name}.pvtu").write_text(
        '<?xml version="1.0"?><VTKFile type="PUnstructuredGrid" version="1.0" byte_order="LittleEndian">'
        f'<PUnstructuredGrid GhostLevel="0"><PPointData GlobalIds="global_id">{arrays}</PPointData>'
        '<PCellData><PDataArray type="Int32" Name="rank"/><PDataArray type="Float64" Name="pressure"/></PCellData>'
        '<PPoints><PDataArray type="Float64" Name="Points" NumberOfComponents="3"/></PPoints>'
        + "".join(f'<Piece Source="{name}/{name}_{rank}.vtu"/>' for rank in (0, 1))
        + "</PUnstructuredGrid></VTKFile>"
    )
    steps = result / "fields.pvd"
    listed = steps.read_text().split("<Collection>")[1].split("</Collection>")[0] if steps.exists() else ""
    listed += f'<DataSet timestep="{time}" group="" part="0" file="{name}.pvtu"/>'
    steps.write_text(f'<?xml version="1.0"?><VTKFile type="Collection"><Collection>{listed}</Collection></VTKFile>')


def write_line(result, name, step, value):
    """A profile of 11 points on x = 0.5 with u = value(y)."""
    rows = [f"{y / 10},0.5,{y / 10},0,{value(y / 10)!r},0,0" for y in range(11)]
    path = result / "lines" / f"{name}_{step:06}.csv"
    path.write_text("\n".join(["s [m],x [m],y [m],z [m],u [m/s],v [m/s],w [m/s]", *rows]) + "\n")


def write_summary(result, cells=128, viscosity=1e-3, **run):
    case = {"title": "A test of $ pictures", "flow": {"viscosity": viscosity}, "boundary": {"wall": {"type": "wall"}}}
    (result / "summary.json").write_text(json.dumps({"mesh": {"cells": cells}, "run": run, "case": case}))


def write_result(result, n=8, profile=lambda y: y):
    """Steps 10 and 20 at t = 1 s and t = 2 s; the flow of the second is twice as fast."""
    (result / "lines").mkdir(parents=True)
    for step, time in ((10, 1.0), (20, 2.0)):
        write_fields(result, step, time, n, amplitude=time)
        write_line(result, "u_on_x=0.5", step, profile)
    write_summary(result, 2 * n * n, steps=20, stopped_by="steady")
    header = "step [-],time [s],dt [s],cfl [-],max_divergence [-],kinetic_energy [m^4/s^2]"
    header += ",iterations_potential [-],residual_potential [-],wall_seconds [s]"
    rows = [f"{k},{k / 10},0.1,0.9,{0 if k == 1 else 1e-17},{1 - 1 / k},{30 - k},{1e-8 / k},{k}" for k in range(1, 21)]
    (result / "history.csv").write_text("\n".join([header, *rows]) + "\n")


class Plot(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "vortex"

    def expect_picture(self, path, *titles, width=1200):
        found_width, height, texts = read_png(path)
        self.assertGreaterEqual(found_width, width)
        self.assertGreater(height, 300)
        for title in titles:
            self.assertIn(title, texts["Title"] + "; " + texts["Description"])
        return texts

    def test_overview_by_default(self):
        write_result(self.result)
        done = subprocess.run([ROOT / "tools" / "plot", self.result], capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        picture = self.result / "vortex.png"
        self.assertIn(str(picture), done.stdout)
        self.expect_picture(
            picture,
            "A test of $ pictures, 128 triangles, t = 2 s (steady), step 20",
            "Speed and streamlines; Vorticity; Pressure / density; Velocity u, line u on x=0.5; Kinetic energy",
            "Largest divergence; Solver iterations; Solver residuals",
        )

    def test_choices_and_steps(self):
        write_result(self.result)
        outputs = [self.folder / f"{k}.png" for k in range(6)]
        choices = (
            "--fields vorticity --step 10",
            "--profiles --time 1.2",
            "--history --dpi 40",
            "--fields rank,u,v --dpi 200 --small",
            "--fields pressure --time 1.6",
            "--fields speed --window 0.2,0.8,-1,0.25",
        )
        calls = ([self.result, *choice.split(), "--output", output] for choice, output in zip(choices, outputs))
        for code, text in plot(*calls):
            self.assertEqual(code, 0, text)
        texts = self.expect_picture(outputs[0], "t = 1 s, step 10")
        self.assertEqual(texts["Description"], "Vorticity")
        self.assertEqual(self.expect_picture(outputs[1], "t = 1 s")["Description"], "Velocity u, line u on x=0.5")
        self.expect_picture(outputs[2], "Courant number", "Step size")
        self.expect_picture(outputs[3], "Rank; Velocity u; Velocity v", width=2200)
        self.expect_picture(outputs[5], "128 triangles, t = 2 s", "Speed")
        self.expect_picture(outputs[4], "t = 2 s (steady)")

    def test_the_data_of_the_chosen_step(self):
        write_result(self.result)
        found = ask(
            """
import json, sys
import numpy as np
from plotting.fields import Fields
from plotting.result import Result
result, found = Result(sys.argv[1]), []
for step in (result.pick(), result.pick(number=10), result.pick(time=1.4)):
    fields = Fields(step)
    lines = fields.streamlines("velocity", 0.06)
    radii = [np.hypot(*(line - 0.5).T) for line in lines]
    found.append([step.number, len(fields.x), len(fields.cells), len(fields.boundary()[0]),
                  fields.values("pressure")[0].tolist() == [3.0] * 81,
                  float(fields.values("speed")[0].max()), float(fields.values("vorticity")[0].mean()),
                  float(fields.size), len(lines), max(float(np.ptp(radius)) for radius in radii),
                  float(min(line.min() for line in lines))])
print(json.dumps(found))
""",
            self.result,
        )
        for row, (step, amplitude) in zip(found, ((20, 2), (10, 1), (10, 1))):
            speed, vorticity, area, lines, off_circle, least = row[5:]
            self.assertEqual(row[:5], [step, 81, 128, 32, True])
            self.assertAlmostEqual(speed, amplitude * math.sqrt(0.5))
            self.assertAlmostEqual(vorticity, 2 * amplitude)
            self.assertAlmostEqual(area, 1)
            self.assertGreater(lines, 5)
            self.assertLess(off_circle, 0.01)  # the streamlines of a solid body's rotation are circles
            self.assertGreaterEqual(least, 0)  # and end at the wall

    def test_a_run_without_velocity_or_summary(self):
        self.result.mkdir()
        write_fields(self.result, 5, 0.5, velocity=False)
        ((code, text), (wrong, message)) = plot([self.result], [self.result, "--fields", "speed"])
        self.assertEqual(code, 0, text)
        texts = self.expect_picture(self.result / "vortex.png", "vortex, 128 triangles, t = 0.5 s")
        self.assertEqual(texts["Description"], "Pressure / density")
        self.assertEqual(wrong, 2)
        self.assertIn("no field `speed`; there are: pressure, rank", message)

    def test_a_window_has_its_cells_and_those_around(self):
        write_result(self.result)
        whole, cut, extent = ask(
            "import json, sys\nfrom pathlib import Path\nfrom plotting.fields import Fields\nfrom plotting.result import Result\n"
            "step = Result(Path(sys.argv[1])).pick()\nfields = Fields(step, None, (-1, 0.5, 0, 0.25))\n"
            "print(json.dumps([fields.cell_count, len(fields.cells), [float(x) for x in fields.extent]]))", self.result)
        self.assertEqual((whole, extent), (128, [0, 0.5, 0, 0.25]))
        self.assertTrue(16 <= cut <= 40, cut)

    def test_lines_are_drawn_where_regions_meet(self):
        write_result(self.result)
        found = ask(
            "import json, sys\nimport numpy as np\nfrom pathlib import Path\nfrom vtkmodules.util.numpy_support import numpy_to_vtk\n"
            "from plotting.fields import Fields\nfrom plotting.result import Result\n"
            "fields = Fields(Result(Path(sys.argv[1])).pick())\nnone = len(fields.interfaces())\n"
            "x = fields.points[fields.cells, 0].mean(axis=1)\n"
            "fields._at_cells['region'] = numpy_to_vtk((x > 0.5).astype(int), deep=True)\n"
            "sides = fields.points[fields.interfaces()]\n"
            "print(json.dumps([none, float(np.ptp(sides[:, :, 0])), float(np.abs(sides[:, 1, 1] - sides[:, 0, 1]).sum())]))",
            self.result)
        self.assertEqual(found, [0, 0, 1])

    def test_tracers_are_drawn_on_the_fields(self):
        write_result(self.result)
        folder = self.result / "tracers"
        folder.mkdir()
        for number, count in ((10, 3), (20, 0)):
            places = " ".join(f"{0.1 * k} 0.5 0" for k in range(count))
            (folder / f"dye_{number:06}.vtp").write_text(
                f'<VTKFile type="PolyData"><PolyData><Piece NumberOfPoints="{count}" NumberOfVerts="0" NumberOfLines="0" '
                'NumberOfStrips="0" NumberOfPolys="0"><Points><DataArray type="Float64" NumberOfComponents="3" '
                f'format="ascii">{places}</DataArray></Points></Piece></PolyData></VTKFile>')
        (folder / "dye.pvd").write_text(
            '<VTKFile type="Collection"><Collection><DataSet timestep="1" file="dye_000010.vtp"/>'
            '<DataSet timestep="2" file="dye_000020.vtp"/></Collection></VTKFile>')
        pictures = [self.folder / "then.png", self.folder / "now.png"]
        calls = [[self.result, "--fields", "speed", "--tracers", "dye", "--time", time, "--output", picture]
                 for time, picture in zip((1, 2), pictures)]
        for code, text in plot(*calls):
            self.assertEqual(code, 0, text)
        for picture in pictures:
            self.assertEqual(self.expect_picture(picture)["Description"], "Speed, tracers")
        ((code, message),) = plot([self.result, "--tracers", "ink"])
        self.assertEqual(code, 2)
        self.assertIn("tracers/ink.pvd: no such file; the tracers of this result: dye", message)

    def test_wrong_input_is_named(self):
        write_result(self.result)
        for name in ("no_pvtu", "bad_pvd", "bad_summary", "bad_history", "tetrahedra", "lost_piece", "no_lines"):
            shutil.copytree(self.result, self.folder / name)
        empty, text_file = self.folder / "empty", self.folder / "no_pvtu" / "fields_000020.pvtu"
        empty.mkdir()
        text_file.unlink()
        (self.folder / "bad_pvd" / "fields.pvd").write_text("<VTKFile>")
        (self.folder / "bad_summary" / "summary.json").write_text("{")
        (self.folder / "bad_history" / "history.csv").write_text("step [-],time [s]\n1,0.1,7\n2,0.2\n")
        shutil.rmtree(self.folder / "no_lines" / "lines")
        shutil.rmtree(self.folder / "lost_piece" / "fields_000020")
        write_fields(self.folder / "tetrahedra", 30, 3.0, cell_type=7)
        write_result(self.folder / "finer", 10)
        expected = [
            ([self.folder / "none"], "none: no such folder"),
            ([empty], "empty: not a result folder", "tools/run"),
            ([self.folder / "no_pvtu"], "fields_000020.pvtu: no such file", "run the case again"),
            ([self.folder / "bad_pvd"], "fields.pvd: cannot be read"),
            ([self.folder / "bad_summary"], "summary.json: cannot be read"),
            ([self.folder / "bad_history"], "history.csv:2: 3 columns, expected 2"),
            ([self.folder / "tetrahedra"], "other cells than triangles or tetrahedra", "ParaView"),
            ([self.folder / "lost_piece"], "fields_000020", "run the case again"),
            ([self.folder / "no_lines", "--profiles"], "lines: no profile of step 20", "[[line]]"),
            ([self.result, "--step", "11"], "fields.pvd: no fields of step 11; there are those of 10, 20"),
            ([self.result, "--time", "9"], "no fields at t = 9 s", "from t = 1 s to 2 s"),
            ([self.result, "--fields", "vortcity"], "no field `vortcity`; there are: speed, u, v, vorticity, pressure"),
            ([self.result, "--output", "a.pdf"], "ends in .png"),
            ([self.result, "--output", self.folder / "none" / "a.png"], "none/a.png: cannot be written: No such file"),
            ([self.result, "--step", "10", "--time", "1"], "not allowed with"),
            ([self.result, "--history", "--step", "10"], "a history has all steps"),
            ([self.result, "--window", "-1,1,2"], "`-1,1,2`: expected the four sides of a rectangle", "--window 0,2,-1,1"),
            ([self.result, "--window", "1,0,0,1"], "`1,0,0,1`: expected the four sides"),
            ([self.result, "--window", "-3,-2,0,1"], "nothing of the mesh is in the --window; it reaches from (0, 0) to (1, 1)"),
            ([self.result, "--window", "0,1,0,1", "--profiles"], "--window is for fields"),
            ([self.result, "--tracers", "dye", "--history"], "--tracers is for fields"),
            ([self.result, self.result], "cells of the same size"),
            ([self.result, self.folder / "finer"], "two results", "--errors"),
            ([self.result, self.result, "--history"], "--history is for one RESULT"),
        ]
        for (code, message), (arguments, *texts) in zip(plot(*(arguments for arguments, *_ in expected)), expected):
            with self.subTest(arguments=arguments):
                self.assertEqual(code, 2, message)
                for text in texts:
                    self.assertIn(text, message)
                self.assertNotIn("Traceback", message)

    def test_the_cavity_shows_the_deviations_of_compare(self):
        for reynolds, errors in ((1000, {"u_error": 0.0123}), (400, {"v_error": 0.0045}), (750, {})):
            with self.subTest(reynolds=reynolds):
                case = compare_test.Compare()
                case.result = result = self.folder / f"re{reynolds}"
                (result / "lines").mkdir(parents=True)
                case.write_result(reynolds, **errors)
                write_fields(result, 200, 2.0)
                code, output, problems = run_python(CAVITY_PLOT, result)
                self.assertEqual(code, 0, problems)
                texts = self.expect_picture(result / f"re{reynolds}.png", "Speed and streamlines; Vorticity")
                _, report = case.compare("--report")
                for line in ("u on x=0.5", "v on y=0.5"):
                    printed = [text.split() for text in report.splitlines() if text.strip().startswith(line + " ")]
                    title = line.replace("=", " = ") + " m, largest deviation [m/s] from\nGhia et al. "
                    if reynolds == 750:
                        self.assertNotIn("largest deviation", texts["Description"])
                    else:
                        self.assertIn(title + printed[0][3], texts["Description"])
                self.assertEqual("Botella & Peyret" in texts["Description"], reynolds == 1000)
        code, _, problems = run_python(CAVITY_PLOT, self.folder / "none")
        self.assertEqual((code, "none: no such folder" in problems), (2, True))

    def test_streamlines_keep_apart_and_out_of_holes(self):
        """Around a round hole in a square, across the flow: no point in the hole, no two lines closer than allowed."""
        lines = ask(
            """
import json
import numpy as np
from plotting.streamlines import Grid, evenly_spaced
x, y = np.meshgrid(np.linspace(0, 1, 201), np.linspace(0, 1, 201))
outside = np.hypot(x - 0.5, y - 0.5) > 0.2
grid = Grid((0, 0), (0.005, 0.005), np.ones(x.shape), np.zeros(x.shape), outside)
print(json.dumps([line.tolist() for line in evenly_spaced(grid, 0.05, np.array([[0.0, 0.0]]))]))
"""
        )
        self.assertGreater(len(lines), 15)
        self.assertGreater(min(math.hypot(x - 0.5, y - 0.5) for line in lines for x, y in line), 0.199)
        gaps = [
            min(math.dist(a, b) for a in line[::3] for b in other[::3])
            for k, line in enumerate(lines)
            for other in lines[:k]
        ]
        self.assertGreater(min(gaps), 0.3 * 0.05)
        middle = sorted(y for line in lines for x, y in line[:1] if x < 0.1)  # upstream of the hole
        self.assertLess(max(b - a for a, b in zip([0, *middle], [*middle, 1])), 2 * 0.05)

    def test_orders(self):
        """Errors C h^p have order p; differences from a finest mesh too, which is no exact solution."""
        found = ask(
            """
import json
from plotting.convergence import observed_order as order
h = [0.1, 0.07, 0.04]
print(json.dumps([order(h, [3 * x**1.7 for x in h]), order(h, [3 * (x**1.7 - 0.02**1.7) for x in h], 0.02),
                  str(order(h, [1, 2, 3])), str(order(h[:1], [1]))]))
"""
        )
        self.assertAlmostEqual(found[0], 1.7)
        self.assertAlmostEqual(found[1], 1.7, places=3)
        self.assertEqual(found[2:], ["nan", "nan"])

    def test_convergence(self):
        """u = y + h^2 on cells of size h = 1 / (n sqrt 2), one of the folders by the case's own errors."""
        folders = [self.folder / f"n{n}" for n in (8, 4, 16)]
        for folder, n in zip(folders, (8, 4, 16)):
            write_result(folder, n, lambda y, n=n: y + 0.5 / n**2)
        shutil.copytree(folders[0], self.folder / "other")
        write_summary(self.folder / "other", viscosity=2e-3)
        script = self.folder / "errors.py"
        script.write_text("def errors(folder):\n    return {'cubic': 1.0 / int(folder.name[1:])**3}\n")
        one, two, three, four = plot(
            folders,
            [*folders, "--errors", script, "--output", self.folder / "own.png"],
            [self.folder / "other", *folders[1:]],
            [*folders, "--errors", self.folder / "none.py"],
        )
        self.assertEqual(one[0], 0, one[1])
        self.assertRegex(one[1], r"u on x=0.5 +2\.930e-02 +5\.859e-03 +2\.00\n")
        self.expect_picture(folders[0] / "convergence.png", "A test of $ pictures: convergence on 3 meshes")
        self.assertEqual(two[0], 0, two[1])
        self.assertRegex(two[1], r"cell size \[m\] +0\.1768 +0\.08839 +0\.04419 +order\n +cubic .* 3\.00\n")
        self.expect_picture(self.folder / "own.png")
        self.assertEqual(three[0], 2)
        self.assertIn("summary.json: case.flow is", three[1])
        self.assertEqual(four[0], 2)
        self.assertIn("none.py: no such file", four[1])

    def test_missing_packages_are_named(self):
        """A Python without the packages, and no other to go to: one line, exit code 1."""
        code, output, problems = run_python(
            "-c",
            "from plotting import interpreter\n"
            "interpreter.PACKAGES = {'no_such_module': 'python3-none'}\n"
            "interpreter.require_packages()",
        )
        self.assertEqual((code, output), (1, ""))
        self.assertEqual(len(problems.splitlines()), 1, problems)
        self.assertIn("lacks no_such_module; on Debian and Ubuntu: apt-get install python3-none", problems)


if __name__ == "__main__":
    unittest.main()
