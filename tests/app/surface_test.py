"""Planes and isosurfaces of a user's flow in a duct: files, values, schedules, ranks, restarts, and wrong input."""

from xml.dom import minidom

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader

import case_runs
from case_runs import ROOT

# u = 1 + t and p = 3 - x everywhere; T = 300 + 10 y but for what diffuses.
CASE = """title = "A stream that speeds up"
[mesh]
file = "{mesh}"
size = 0.5
[run]
reproducible = true
[flow]
viscosity = 0.05
[temperature]
diffusivity = 0.01
[initial]
temperature = "300+10*y"
velocity = [1, 0, 0]
[time]
end = 0.5
step = 0.05
[boundary.inlet]
type = "inlet"
velocity = ["1+t", 0, 0]
temperature = "300+10*y"
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "symmetry"
[output]
every = 0.25
fields = ["velocity", "pressure"]
[checkpoint]
every_steps = 5
keep = 9
"""
SURFACES = """[[plane]]
name = "across"
plane = { point = [1.3, 0.5, 0.5], normal = [1, 0.2, 0] }
fields = ["velocity", "temperature", "pressure"]
[[isosurface]]
name = "warm"
field = "temperature"
values = [302, 305]
fields = ["temperature"]
[[isosurface]]
name = "fast"
field = "velocity"
value = 9
[[plane]]
name = "corner, often"
plane = { point = [0, 0, 0.5], normal = [0, 0, -1] }
within = { min = [0, 0, 0], max = [1, 1, 1] }
every_steps = 4
"""
PLANE = '[[plane]]\nname = "a"\nplane = {{ point = {point}, normal = {normal} }}\n{more}'


def read_surface(file):
    """Points, polygons as lists of points, point and cell arrays, and the time of a .vtp."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(file))
    reader.Update()
    data = reader.GetOutput()
    points = vtk_to_numpy(data.GetPoints().GetData()) if data.GetNumberOfPoints() else np.zeros((0, 3))
    cells = [[data.GetCell(c).GetPointId(k) for k in range(data.GetCell(c).GetNumberOfPoints())]
             for c in range(data.GetNumberOfCells())]
    arrays = [{of.GetArrayName(k): vtk_to_numpy(of.GetArray(k)) for k in range(of.GetNumberOfArrays())}
              for of in (data.GetPointData(), data.GetCellData())]
    return points, cells, *arrays, data.GetFieldData().GetArray("TimeValue").GetValue(0)


def areas(points, cells):
    """The area vector of each polygon."""
    fans = [np.cross(points[cell[1:-1]] - points[cell[0]], points[cell[2:]] - points[cell[0]]).sum(axis=0) / 2
            for cell in map(np.array, cells)]
    return np.reshape(fans, (-1, 3))


class Surfaces(case_runs.CaseRuns):
    reports = True

    def case(self, more=SURFACES):
        return CASE.format(mesh=ROOT / "meshes" / "duct.geo") + more

    def files(self, result):
        return {f"{kind}/{path.name}": path.read_bytes() for kind in ("planes", "isosurfaces")
                for path in (self.folder / result / kind).iterdir()}

    def series(self, name, result="whole"):
        """Time and file of each output."""
        sets = minidom.parse(str(self.folder / result / f"{name}.pvd")).getElementsByTagName("DataSet")
        return [(float(entry.getAttribute("timestep")), (self.folder / result / name).parent / entry.getAttribute("file"))
                for entry in sets]

    def test_values_are_those_of_the_stream(self):
        self.run_case(self.case(), "whole", ranks=2)
        outputs = self.series("planes/across")
        self.assertEqual([(time, file.name) for time, file in outputs],
                         [(0, "across_000000.vtp"), (0.25, "across_000005.vtp"), (0.5, "across_000010.vtp")])
        for time, file in outputs:
            points, cells, at_points, in_cells, told = read_surface(file)
            self.assertEqual(told, time)
            self.assertEqual((set(at_points), set(in_cells)), ({"velocity", "temperature"}, {"velocity_cell", "pressure", "cell_id"}))
            normal = np.array([1, 0.2, 0]) / np.hypot(1, 0.2)
            self.assertAlmostEqual(areas(points, cells).sum(axis=0) @ normal, np.hypot(1, 0.2), delta=1e-13)
            self.assertTrue(np.all(areas(points, cells) @ normal > 0))
            self.assertLess(np.abs((points - [1.3, 0.5, 0.5]) @ normal).max(), 1e-13)
            self.assertEqual(len(np.unique(points, axis=0)), len(points))
            self.assertTrue(np.all(np.diff(in_cells["cell_id"]) > 0))
            self.assertLess(np.abs(at_points["velocity"] - [1 + time, 0, 0]).max(), 1e-6)
            if time == 0:
                self.assertLess(np.abs(at_points["temperature"] - 300 - 10 * points[:, 1]).max(), 1e-10)
            else:
                middles = np.array([points[cell].mean(axis=0) for cell in cells])
                self.assertLess(np.abs(in_cells["pressure"] - 3 + middles[:, 0]).max(), 0.5)
        points, cells, at_points, in_cells, _ = read_surface(self.series("isosurfaces/warm")[0][1])
        for level in (302, 305):
            of_level = [cell for cell, value in zip(cells, in_cells["level"]) if value == level]
            self.assertTrue(np.allclose(points[np.concatenate(of_level), 1], (level - 300) / 10, rtol=0, atol=1e-11))
            self.assertTrue(np.allclose(areas(points, of_level).sum(axis=0), [0, 3, 0], rtol=0, atol=1e-11))
            self.assertTrue(np.allclose(at_points["temperature"][np.concatenate(of_level)], level, rtol=0, atol=1e-10))
        for _, file in self.series("isosurfaces/fast"):
            points, cells, at_points, in_cells, _ = read_surface(file)
            self.assertEqual((len(points), len(cells), set(at_points)), (0, 0, {"velocity"}))
        often = self.series("planes/corner, often")
        self.assertTrue(np.allclose([time for time, _ in often], [0, 0.2, 0.4, 0.5]))
        points, cells, _, _, _ = read_surface(often[-1][1])
        self.assertTrue(np.all(areas(points, cells)[:, 2] < 0))
        self.assertLess(abs(areas(points, cells).sum(axis=0)[2] + 1), 0.3)
        report = (self.folder / "whole" / "report.html").read_text()
        section = report[report.index('<section id="planes">'):].split("</section>")[0]
        for name, pictures in (("across", 3), ("corner, often", 2)):
            part = section.split(f"<h3>plane {name}</h3>")[1].split("<h3>")[0]
            self.assertEqual(part.count("<img"), pictures, name)

    def test_any_number_of_ranks_has_the_same_bits(self):
        self.run_case(self.case(), "one", "--no-report")
        self.run_case(self.case(), "three", "--no-report", ranks=3)
        one, three = self.files("one"), self.files("three")
        self.assertEqual(sorted(one), sorted(three))
        self.assertEqual([name for name in one if one[name] != three[name]], [])

    def test_series_continue_over_a_restart(self):
        self.run_case(self.case(), "whole", "--no-report", ranks=3)
        expected = self.files("whole")
        restart = ("--no-report", "--restart", "whole/checkpoint_000005.h5")
        said = self.run_case(self.case(), "whole", *restart, ranks=3)
        self.assertIn("removed  outputs beyond step 5", said)
        self.assertEqual(self.files("whole"), expected)
        longer = self.case().replace("step = 0.05", "step = 0.125")
        self.run_case(longer, "whole", *restart, ranks=1)
        self.assertEqual([(time, file.name) for time, file in self.series("planes/across")],
                         [(0, "across_000000.vtp"), (0.25, "across_000005.vtp"), (0.5, "across_000007.vtp")])
        self.assertEqual({path.name for path in (self.folder / "whole" / "isosurfaces").glob("warm_*")},
                         {"warm_000000.vtp", "warm_000005.vtp", "warm_000007.vtp"})
        fewer = self.case(SURFACES.split("[[isosurface]]")[0])
        self.run_case(fewer, "whole", *restart)
        self.assertEqual(len(self.series("planes/across")), 3)
        for name in ("isosurfaces/warm", "isosurfaces/fast"):  # of no table now: up to the restart
            self.assertEqual([time for time, _ in self.series(name)], [0, 0.25])
        self.assertFalse((self.folder / "whole" / "isosurfaces" / "warm_000007.vtp").exists())

    def test_on_triangles_they_are_lines(self):
        case = self.case('[[plane]]\nname = "a"\nplane = { point = [1, 0, 0], normal = [1, 0, 0] }\n'
                         '[[isosurface]]\nname = "b"\nfield = "temperature"\nvalue = 304\n')
        self.run_case(case.replace("duct.geo", "channel.geo"), "whole")
        for name, length in (("planes/a", 1), ("isosurfaces/b", 4)):
            points, cells, at_points, _, _ = read_surface(self.series(name)[0][1])
            self.assertTrue(all(len(cell) == 2 for cell in cells))
            self.assertEqual(len(points), len(cells) + 1)
            ways = np.array([points[b] - points[a] for a, b in cells])
            self.assertAlmostEqual(np.linalg.norm(ways, axis=1).sum(), length, delta=1e-12)
        self.assertNotIn('id="planes"', (self.folder / "whole" / "report.html").read_text())

    def test_heat_conduction_has_them_too(self):
        case = f'[mesh]\nfile = "{ROOT / "meshes" / "duct.geo"}"\nsize = 0.5\n[heat]\nconductivity = 2\n[boundary.wall]\n' \
               'type = "insulated"\n[boundary.inlet]\ntype = "temperature"\nvalue = 3\n[boundary.outlet]\ntype = "temperature"\n' \
               'value = 0\n[[plane]]\nname = "along"\nplane = { point = [0, 0.4, 0], normal = [0, 1, 0] }\n' \
               '[[isosurface]]\nname = "one"\nfield = "temperature"\nvalue = 1\n'
        self.run_case(case, "whole", ranks=2)
        points, cells, at_points, in_cells, _ = read_surface(self.folder / "whole" / "planes" / "along_000000.vtp")
        self.assertLess(np.abs(at_points["temperature"] - 3 + points[:, 0]).max(), 1e-6)
        self.assertLess(np.abs(in_cells["heat_flux"] - [2, 0, 0]).max(), 1e-5)
        points, cells, _, _, _ = read_surface(self.folder / "whole" / "isosurfaces" / "one_000000.vtp")
        self.assertLess(np.abs(points[:, 0] - 2).max(), 1e-6)
        self.assertTrue(np.allclose(areas(points, cells).sum(axis=0), [-1, 0, 0], rtol=0, atol=1e-6))

    def test_a_plane_without_fluid_is_an_error_before_anything_is_touched(self):
        self.run_case(self.case(), "whole", "--no-report")
        before = self.files("whole")
        for point, normal, more, expected in (
                ([5, 0, 0], [1, 0, 0], "", "case.toml: [[plane]] `a`: `plane`: the plane through (5, 0, 0) with the normal (1, 0, 0) "
                                           "cuts no cell of the mesh, which reaches from (0, 0, 0) to (3, 1, 1) m"),
                ([1, 0, 0], [1, 0, 0], "within = { centre = [2, 0.5, 0.5], radius = 0.1 }\n",
                 "case.toml: [[plane]] `a`: `within`: no cell's cut by the plane lies there; the middles of the cuts reach from (1, "),
                ([1, 0, 0], [1, 0, 0], '[[isosurface]]\nname = "b"\nfield = "stream_function"\nvalue = 1\n',
                 "case.toml: [[isosurface]] `b`: `field`: there is no `stream_function` on meshes of this dimension; name another")):
            case = self.case(PLANE.format(point=point, normal=normal, more=more))
            for command, ranks in (("run", 1), ("run", 3), ("check", 1)):
                said = self.run_case(case, "whole" if command == "run" else "checked", ranks=ranks, code=2, command=command)
                self.assertEqual(said.count(expected), 1, said)
            self.assertEqual(self.files("whole"), before)


if __name__ == "__main__":
    case_runs.main()
