"""What a run leaves behind, on one and several ranks: fields in time, probes, lines, patches, also after a crash."""

import argparse
import collections
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import numpy
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkFiltersGeometry import vtkGeometryFilter
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPUnstructuredGridReader

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

CAVITY = ROOT / "cases" / "cavity" / "case.toml"
PROBES = """
[[probe]]
name = "all"
points = [[0.5, 0.5, 0.0], [1.0, 1.0, 0.0], [0.2, 0.9, 0.0]]
fields = ["velocity", "pressure", "vorticity"]
[[probe]]
name = "third"
points = [[0.25, 0.75, 0.0]]
every_steps = 3
[[integral]]
name = "lid"
patches = ["lid"]
[[integral]]
name = "walls"
fields = ["wall_shear"]
every_steps = 2
"""
options = None


def write_case(folder, extra=PROBES):
    """The coarse cavity with further tables, in a folder of its own; returns the case file."""
    text = CAVITY.read_text().replace("../../meshes", str(ROOT / "meshes"))
    text = text.replace('"reference/', f'"{CAVITY.parent}/reference/')
    case = Path(folder) / "cavity" / "case.toml"
    case.parent.mkdir(exist_ok=True)
    case.write_text(text.replace("size = 0.012 ", "size = 0.08 ") + extra)
    return case


def command(ranks, case, output, *sets):
    """The words that run a case on so many ranks."""
    return [options.mpiexec, "--quiet", "-n", str(ranks), options.solenoid, "run", str(case), "--output", str(output),
            *(word for value in sets for word in ("--set", value))]


def run(*words):
    return subprocess.run(command(*words), capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)


def table(path):
    """Header and rows of a CSV whose every line must be whole."""
    assert Path(path).read_text().endswith("\n"), f"{path}: the last line is cut"
    columns = read_table(path).values()
    return [column.heading for column in columns], [list(row) for row in zip(*(column.values for column in columns))]


def read_series(folder):
    """[time, points, cells, array names...] of each entry of fields.pvd, as VTK reads it."""
    done = subprocess.run([options.read_series, str(Path(folder) / "fields.pvd")], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return [line.split() for line in done.stdout.splitlines()]


def last_fields(folder):
    """The newest output of a result folder as one grid, every rank's piece after the other, ghosts among them."""
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(max(Path(folder).glob("fields_*.pvtu"))))
    reader.Update()
    return reader.GetOutput()


def outer_faces(folder):
    """How many faces lie on the outside of the last output: around a body the triangles that VTK's surface filter, as
    ParaView's, finds; around triangles the edges of owned ones that no other triangle of the rank's piece has."""
    grid = last_fields(folder)
    if grid.GetCell(0).GetNumberOfPoints() == 4:
        surface = vtkGeometryFilter()
        surface.SetInputData(grid)
        surface.Update()
        return surface.GetOutput().GetNumberOfPolys()
    ghost = grid.GetCellData().GetArray("vtkGhostType")
    owned = vtk_to_numpy(ghost) == 0 if ghost else [True] * grid.GetNumberOfCells()
    corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
    edges = [tuple(sorted((c[k - 1], c[k]))) for c in corners for k in range(3)]
    cells_of = collections.Counter(edges)
    return sum(cells_of[edge] == 1 and owned[i // 3] for i, edge in enumerate(edges))


def patch(folder, name):
    """The arrays of a boundary group's faces, their centres and lengths."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(folder / "patches" / f"{name}.vtp"))
    reader.Update()
    surface = reader.GetOutput()
    data = surface.GetCellData()
    arrays = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    corners = vtk_to_numpy(surface.GetLines().GetConnectivityArray()).reshape(-1, 2)
    ends = vtk_to_numpy(surface.GetPoints().GetData())[corners]
    arrays["centre"] = ends.mean(axis=1)
    arrays["length"] = numpy.linalg.norm(ends[:, 1] - ends[:, 0], axis=1)
    return arrays


class Results(unittest.TestCase):
    RANKS = (1, 2, 3)

    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        case = write_case(cls.folder.name)
        cls.results = {}
        for ranks in cls.RANKS:
            cls.results[ranks] = Path(cls.folder.name) / f"ranks{ranks}"
            done = run(ranks, case, cls.results[ranks], "time.end=0.5", "output.times=[0.1, 0.3]", "output.every=0.25",
                       "solver.potential.tolerance=1e-12", "solver.vorticity.tolerance=1e-12", "solver.pressure.tolerance=1e-12")
            assert done.returncode == 0, done.stderr

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_fields_start_at_zero_and_land_on_the_chosen_times(self):
        for output in self.results.values():
            series = read_series(output)
            self.assertEqual([entry[0] for entry in series], ["0", "0.1", "0.25", "0.3", "0.5"])
            for entry in series:
                self.assertEqual(entry[1:], series[0][1:])
                arrays = ["global_id", "velocity", "vorticity", "stream_function", "global_id", "velocity_cell", "pressure",
                          "divergence", "rank"] + (["vtkGhostType"] * 2 if output != self.results[1] else [])
                self.assertEqual(sorted(entry[3:]), sorted(arrays))
            lines = sorted(path.name for path in (output / "lines").iterdir())
            steps = sorted(path.stem[-6:] for path in output.glob("fields_*.pvtu"))
            self.assertEqual(lines, sorted(f"{name}_{step}.csv" for step in steps for name in ("u_on_x=0.5", "v_on_y=0.5")))

    def test_cuts_between_ranks_are_no_walls(self):
        for ranks, output in self.results.items():
            mesh = json.loads((output / "summary.json").read_text())["mesh"]
            on_walls = 2 * mesh["faces"] - 3 * mesh["cells"]
            self.assertEqual(outer_faces(output), on_walls, f"{ranks} ranks")
            cells = last_fields(output).GetCellData()
            ids = vtk_to_numpy(cells.GetArray("global_id"))
            ghost = vtk_to_numpy(cells.GetArray("vtkGhostType")) if ranks > 1 else 0 * ids
            self.assertEqual(sorted(ids[ghost == 0]), list(range(mesh["cells"])))
            for name in ("pressure", "divergence", "rank", "velocity_cell"):  # a ghost has what its owner has
                values = vtk_to_numpy(cells.GetArray(name))
                owned = dict(zip(ids[ghost == 0], map(tuple, values[ghost == 0].reshape(mesh["cells"], -1))))
                self.assertTrue(all(owned[i] == tuple(v) for i, v in zip(ids, values.reshape(len(ids), -1))), name)

    def test_stream_function_gives_the_velocity(self):
        grid = last_fields(self.results[2])
        points = vtk_to_numpy(grid.GetPoints().GetData())
        psi = vtk_to_numpy(grid.GetPointData().GetArray("stream_function"))
        velocity = vtk_to_numpy(grid.GetCellData().GetArray("velocity_cell"))
        on_wall = (points[:, :2] == 0).any(axis=1) | (points[:, :2] == 1).any(axis=1)
        self.assertEqual(set(psi[on_wall]), {0.0})
        for c in range(0, grid.GetNumberOfCells(), 7):
            a, b, d = (grid.GetCell(c).GetPointId(k) for k in range(3))
            (x1, y1, _), (x2, y2, _) = points[b] - points[a], points[d] - points[a]
            p1, p2 = psi[b] - psi[a], psi[d] - psi[a]
            psi_x, psi_y = (p1 * y2 - p2 * y1) / (x1 * y2 - x2 * y1), (x1 * p2 - x2 * p1) / (x1 * y2 - x2 * y1)
            self.assertAlmostEqual(velocity[c][0], psi_y, 12)
            self.assertAlmostEqual(velocity[c][1], -psi_x, 12)

    def test_probes_have_a_row_for_each_time_and_point(self):
        header, rows = table(self.results[3] / "probes" / "all.csv")
        self.assertEqual(header, ["time [s]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]", "pressure [m^2/s^2]",
                                  "vorticity [1/s]"])
        times = [0.0] + [row[1] for row in table(self.results[3] / "history.csv")[1]]
        points = [[0.5, 0.5, 0.0], [1.0, 1.0, 0.0], [0.2, 0.9, 0.0]]
        self.assertEqual([row[:4] for row in rows], [[t, *x] for t in times for x in points])
        header, rows = table(self.results[3] / "probes" / "third.csv")
        self.assertEqual(header, ["time [s]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]"])
        self.assertEqual([row[0] for row in rows], times[::3])

    def test_probes_and_lines_agree_where_they_meet(self):
        _, line = table(self.results[2] / "lines" / "u_on_x=0.5_000000.csv")
        _, probe = table(self.results[2] / "probes" / "all.csv")
        self.assertEqual(line[512][1:], probe[0][1:])

    def test_an_integral_is_the_sum_over_the_faces_of_the_surface(self):
        header, rows = table(self.results[3] / "integrals" / "lid.csv")
        self.assertEqual(header, ["time [s]", "length [m]", "pressure [m^2/s^2 m]", *(f"wall_shear_{x} [m^2/s^2 m]" for x in "xyz"),
                                  "y_plus [1 m]", "y_plus_max [1]"])
        times = [0.0] + [row[1] for row in table(self.results[3] / "history.csv")[1]]
        self.assertEqual([row[0] for row in rows], times)
        surface = patch(self.results[3], "lid")
        shear = (surface["length"][:, None] * surface["wall_shear"]).sum(axis=0)
        expected = [1, (surface["length"] * surface["pressure"]).sum(), *shear,
                    (surface["length"] * surface["y_plus"]).sum(), surface["y_plus"].max()]
        for found, wanted in zip(rows[-1][1:], expected):
            self.assertAlmostEqual(found, wanted, delta=1e-12 * max(1, abs(wanted)))
        self.assertGreater(abs(shear[0]), 1e-3)
        header, rows = table(self.results[3] / "integrals" / "walls.csv")
        self.assertEqual(header, ["time [s]", "length [m]", *(f"wall_shear_{x} [m^2/s^2 m]" for x in "xyz")])
        self.assertEqual([row[0] for row in rows], times[::2])
        self.assertAlmostEqual(rows[0][1], 4, delta=1e-12)

    def test_numbers_are_the_same_on_any_number_of_ranks(self):
        names = [f"probes/{name}.csv" for name in ("all", "third")] + ["integrals/lid.csv", "integrals/walls.csv"]
        names += [f"lines/{path.name}" for path in (self.results[1] / "lines").iterdir()]
        for ranks in self.RANKS[1:]:
            for name in names:
                header, one = table(self.results[1] / name)
                _, several = table(self.results[ranks] / name)
                self.assertEqual(len(one), len(several))
                for k, column in enumerate(header):
                    scale = max(1.0, max(abs(row[k]) for row in one))
                    self.assertLessEqual(max(abs(a[k] - b[k]) for a, b in zip(one, several)), 1e-10 * scale, f"{name} {column}")

    def test_a_line_has_the_columns_of_the_output_fields(self):
        header, rows = table(self.results[1] / "lines" / "u_on_x=0.5_000000.csv")
        self.assertEqual(header, ["s [m]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]", "pressure [m^2/s^2]",
                                  "vorticity [1/s]"])
        self.assertEqual(len(rows), 1025)

    def test_patches_are_named(self):
        for output in self.results.values():
            self.assertEqual(sorted(path.name for path in (output / "patches").iterdir()), ["lid.vtp", "wall.vtp"])
            text = (output / "patches.vtm").read_text()
            for name in ("lid", "wall"):
                self.assertIn(f'name="{name}" file="patches/{name}.vtp"', text)

    def test_patches_carry_pressure_and_shear(self):
        for ranks in self.RANKS:
            faces = patch(self.results[ranks], "lid")
            self.assertEqual((faces["wall_shear"][:, 1:] == 0).all(), True)
            middle = abs(faces["centre"][:, 0] - 0.5) < 0.3
            self.assertLess(faces["wall_shear"][middle, 0].max(), 0)  # the fluid holds the lid back
            for name in ("pressure", "wall_shear"):
                one = patch(self.results[1], "lid")[name]
                self.assertLess(abs(faces[name] - one).max(), 1e-9 * abs(one).max())

    def test_the_shear_of_couette_flow(self):
        """Between cylinders of 0.5 and 1 m, the inner one turning at 1 rad/s, it is -2 nu / (3 r^2) on the inner one."""
        errors = {}
        for size in (0.1, 0.05):
            output = Path(self.folder.name) / f"annulus{size}"
            done = run(2, ROOT / "cases" / "annulus" / "case.toml", output, f"mesh.size={size}", "solver.potential.tolerance=1e-3",
                       "time.steady_tolerance=1e-4")
            self.assertEqual(done.returncode, 0, done.stderr)
            for name, r, sense in (("inner", 0.5, -1), ("outer", 1.0, 1)):
                faces = patch(output, name)
                along = (faces["centre"][:, 0] * faces["wall_shear"][:, 1] - faces["centre"][:, 1] * faces["wall_shear"][:, 0]) / r
                errors[name, size] = abs(along.mean() / (sense * 2 * 0.01 / (3 * r**2)) - 1)
        for name in ("inner", "outer"):
            self.assertLess(errors[name, 0.05], 0.08)
            self.assertLess(errors[name, 0.05], errors[name, 0.1] / 2.8)  # of second order


class Choices(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.output = Path(self.folder.name) / "output"

    def tearDown(self):
        self.folder.cleanup()

    def test_times_alone_leave_out_the_default(self):
        done = run(2, write_case(self.folder.name, ""), self.output, "time.end=1.5", "time.step=0.1", "output.times=[0.25]",
                   'output.fields=["velocity"]')
        self.assertNotEqual(done.returncode, 0)  # cfl is in the case file, too
        case = write_case(self.folder.name, "")
        case.write_text(case.read_text().replace("cfl = 0.9", "step = 0.1").replace("every = 20.0", "times = [0.25]"))
        done = run(2, case, self.output, "time.end=1.5", 'output.fields=["velocity"]')
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([entry[0] for entry in read_series(self.output)], ["0", "0.25", "1.5"])
        header, _ = table(sorted((self.output / "lines").iterdir())[0])
        self.assertEqual(header[-1], "w [m/s]")
        self.assertFalse((self.output / "probes").exists())

    def test_a_point_outside_is_refused(self):
        case = write_case(self.folder.name, '[[probe]]\nname = "far"\npoints = [[0.5, 0.5, 0.0], [0.5, 1.5, 0.0]]\n')
        for ranks in (1, 3):
            done = run(ranks, case, self.output)
            self.assertEqual(done.returncode, 2)
            self.assertIn("case.toml: `points` of [[probe]] `far`: the point (0.5, 1.5, 0) lies outside the mesh, which reaches from "
                          "(0, 0, 0) to (1, 1, 0) m; its node nearest to the point is (", done.stderr)
            self.assertEqual(done.stderr.count("error"), 1)
            self.assertFalse(self.output.exists())

    def test_names_of_the_mesh_need_not_be_file_names(self):
        case = write_case(self.folder.name, "")
        case.with_name("two.geo").write_text("""
            Point(1) = {0, 0, 0, 0.2}; Point(2) = {1, 0, 0, 0.2}; Point(3) = {1, 1, 0, 0.2}; Point(4) = {0, 1, 0, 0.2};
            Point(5) = {0.5, 0, 0, 0.2}; Point(6) = {0.5, 1, 0, 0.2};
            Line(1) = {1, 5}; Line(2) = {5, 2}; Line(3) = {2, 3}; Line(4) = {3, 6}; Line(5) = {6, 4}; Line(6) = {4, 1}; Line(7) = {5, 6};
            Curve Loop(1) = {1, 7, 5, 6}; Plane Surface(1) = {1}; Curve Loop(2) = {2, 3, 4, -7}; Plane Surface(2) = {2};
            Physical Curve("wall/left & right") = {3, 6}; Physical Curve("floor <1>") = {1, 2, 4, 5};
            Physical Surface("west") = {1}; Physical Surface("east") = {2};
        """)
        text = case.read_text()
        text = text[:text.index("[boundary.lid]")] + '[boundary."wall/left & right"]\ntype = "wall"\n[boundary."floor <1>"]\ntype = "wall"\n'
        case.write_text("\n".join(line for line in text.splitlines() if not line.startswith(("size", "file")))
                        .replace("[mesh]", '[mesh]\nfile = "two.geo"'))
        done = run(3, case, self.output, "time.end=0.1", "time.step_max=0.1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual({path.name for path in (self.output / "patches").iterdir()}, {"wall_left___right.vtp", "floor__1_.vtp"})
        text = (self.output / "patches.vtm").read_text()
        self.assertIn('name="wall/left &amp; right" file="patches/wall_left___right.vtp"', text)
        self.assertTrue(all("region" in entry for entry in read_series(self.output)))
        self.assertEqual(json.loads((self.output / "summary.json").read_text())["mesh"]["regions"], ["west", "east"])

    def test_a_new_run_says_what_it_replaces(self):
        case = write_case(self.folder.name)
        for ranks in (3, 2):
            done = run(ranks, case, self.output, "time.end=0.1")
            self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r'output: its results are replaced; they were of "Lid-driven cavity, Re = 400", finished 2')
        self.assertIn("its results are replaced", (self.output / "run.log").read_text())
        self.assertEqual({len(list(path.iterdir())) for path in self.output.glob("fields_*/")}, {2})


class OthersFiles(unittest.TestCase):
    """Files of the user in a result folder, under names of results too, and links in their place."""

    def test_they_stay_and_links_are_not_followed(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            case, output, mine = write_case(folder), folder / "output", folder / "mine"
            done = run(2, case, output, "time.end=0.1")
            self.assertEqual(done.returncode, 0, done.stderr)
            linked = ["history.csv", "run.log", "summary.json", "fields.pvd", "patches.vtm", "fields_000000.pvtu",
                      "probes/all.csv", "lines/u_on_x=0.5_000000.csv", "patches/lid.vtp", "fields_000000/fields_000000_1.vtu"]
            for result in linked:
                (mine / result).parent.mkdir(parents=True, exist_ok=True)
                (mine / result).write_text("mine")
                (output / result).unlink()
                if "/" not in result:
                    (output / result).symlink_to(mine / result)
            (output / "fields_000000" / "fields_000000_1.vtu").symlink_to(mine / "fields_000000" / "fields_000000_1.vtu")
            (output / "fields_000000" / "notes.txt").write_text("mine")
            for result in ("probes", "lines", "patches"):
                shutil.rmtree(output / result)
                (output / result).symlink_to(mine / result)

            done = run(2, case, output, "time.end=0.1")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            for path in [mine / result for result in linked] + [output / "fields_000000" / "notes.txt"]:
                self.assertEqual(path.read_text(), "mine", path)
            self.assertEqual(sum(path.is_file() for path in mine.rglob("*")), len(linked))
            for result in linked:
                self.assertFalse((output / result).is_symlink() or (output / result).parent.is_symlink(), result)
                self.assertNotEqual((output / result).read_bytes(), b"mine", result)
            self.assertEqual([entry[0] for entry in read_series(output)], ["0", "0.1"])
            self.assertIn(f"{output / 'lines'} was there and is not a result of a run: it is kept as lines.kept", done.stdout)
            listed = {line for line in (output / ".solenoid-result").read_text().splitlines() if line[0] not in "#+"}
            made = {str(p.relative_to(output)) + "/" * p.is_dir() for p in output.rglob("*") if not p.is_symlink()}
            self.assertEqual(made - listed, {".solenoid-result", "fields_000000/", "fields_000000/notes.txt"})
            self.assertEqual(listed - made, set())

    def test_the_output_folder_may_be_a_link(self):
        with tempfile.TemporaryDirectory() as name:
            folder = Path(name)
            (folder / "scratch").mkdir()
            (folder / "output").symlink_to("scratch")
            for _ in range(2):
                done = run(2, write_case(folder), folder / "output", "time.end=0.1")
                self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertTrue((folder / "output").is_symlink())
            self.assertTrue((folder / "scratch" / "summary.json").exists())


class Crash(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.TemporaryDirectory()
        self.output = Path(self.folder.name) / "output"
        case = write_case(self.folder.name)
        case.write_text(case.read_text().replace("every = 20.0", "every_steps = 1"))
        self.command = command(2, case, self.output, "time.end=1000", "time.steady_tolerance=0")

    def tearDown(self):
        self.folder.cleanup()

    def start(self, outputs):
        """Starts the endless run and waits until fields.pvd names so many outputs."""
        (self.output / "fields.pvd").unlink(missing_ok=True)
        self.run = subprocess.Popen(self.command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
                                    cwd=ROOT)
        series = self.output / "fields.pvd"
        while not series.exists() or series.read_text().count("<DataSet ") < outputs:
            self.assertIsNone(self.run.poll())
            time.sleep(0.005)

    def kill(self):
        """kill -9 for every rank, the children of this test's mpirun."""
        for child in Path(f"/proc/{self.run.pid}/task/{self.run.pid}/children").read_text().split():
            os.kill(int(child), signal.SIGKILL)
        self.run.wait()

    def test_what_was_written_can_be_read(self):
        for outputs in (2, 5, 9):
            self.start(outputs)
            time.sleep(0.003 * outputs)
            self.kill()
            series = read_series(self.output)
            self.assertGreaterEqual(len(series), outputs)
            self.assertEqual({tuple(entry[1:3]) for entry in series}, {tuple(series[0][1:3])})
            times = [row[1] for row in table(self.output / "history.csv")[1]]
            self.assertEqual([float(entry[0]) for entry in series][1:], times[:len(series) - 1])
            for path in [*(self.output / "lines").glob("*.csv"), *(self.output / "probes").iterdir()]:
                _, rows = table(path)
                self.assertTrue(len(rows) == 1025 or path.parent.name == "probes", path)

    def test_two_runs_at_once_do_not_meet(self):
        self.start(2)
        second = subprocess.run(self.command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
        self.assertEqual(second.returncode, 2)
        self.assertIn("another run is writing there", second.stderr)
        self.assertIsNone(self.run.poll())
        self.kill()
        self.start(1)  # the lock of a run that was killed does not stay
        self.kill()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--read-series", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
