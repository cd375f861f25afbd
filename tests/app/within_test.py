"""`within` and `every_cells` in [output]: the cells that they name, with the bits of the whole output, in both formats,
on any number of ranks, in series that go on; faults before anything is solved."""

import json
import re
import shutil
import unittest

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

import case_runs
from case_runs import ROOT
from plotting import vtkhdf
from vtkhdf_test import arrays_of, h5py

CASE = """[mesh]
file = "{mesh}"
size = {size}
[flow]
viscosity = 0.01
method = "{method}"
[time]
end = 0.2
step = 0.05
[boundary.lid]
type = "wall"
velocity = ["1 + t", "0", "0"]
[boundary.wall]
type = "wall"
[[average]]
name = "mean"
[output]
every_steps = 2
"""
BOX = "within = {{ min = [0.1, 0.55, 0], max = [0.6, 1, {}] }}\n"
CHECKPOINT = "[checkpoint]\nevery_steps = 2\nkeep = 9\n"
CORNER = "within = { min = [0, 0, 0], max = [0.2, 0.2, 0] }\n"


def case_text(dimension, method, shown=""):
    mesh = ROOT / "meshes" / ("cavity-delaunay.geo" if dimension == 2 else "cube.geo")
    return CASE.format(mesh=mesh, size=0.12 if dimension == 2 else 0.3, method=method) + shown


def outputs_of(folder):
    """Of each output, in either format: its time, and by global id of the owned entities the position of a point, the
    corners of a cell as global ids, and all values of both."""
    file = folder / "fields.vtkhdf"
    if file.exists():
        read = []
        for place, (_, when) in enumerate(vtkhdf.steps(file)):
            grid = vtkhdf.grid(file, place)
            read.append((when, grid, arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())))
    else:
        read = list(pvtu_grids(folder))
    found = []
    for when, grid, at_points, in_cells in read:
        positions, ids = vtk_to_numpy(grid.GetPoints().GetData()), at_points["global_id"]
        corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(grid.GetNumberOfCells(), -1)
        assert set(corners.flat) == set(range(len(ids))), "a point of no cell"
        own = in_cells["vtkGhostType"] == 0 if "vtkGhostType" in in_cells else np.full(len(corners), True)
        values = {name: array for name, array in at_points.items() if name not in ("global_id", "vtkGhostType")}
        points = {ids[k]: (positions[k].tobytes(), *(values[name][k].tobytes() for name in sorted(values)))
                  for k in set(corners[own].flat)}
        values = {name: array for name, array in in_cells.items() if name not in ("global_id", "vtkGhostType", "rank")}
        cells = {id_: (ids[corners[k]].tobytes(), *(values[name][k].tobytes() for name in sorted(values)))
                 for k, id_ in enumerate(in_cells["global_id"]) if own[k]}
        assert len(cells) == own.sum(), "a cell twice"
        middles = {id_: positions[corners[k]].mean(axis=0) for k, id_ in enumerate(in_cells["global_id"]) if own[k]}
        found.append((when, points, cells, middles))
    return found


def pvtu_grids(folder):
    for when, name in re.findall(r'timestep="([^"]*)".*file="([^"]*)"', (folder / "fields.pvd").read_text()):
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(folder / name))
        reader.Update()
        grid = reader.GetOutput()
        yield float(when), grid, arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())


@unittest.skipIf(h5py is None, "needs python3-h5py")
class ShownCells(case_runs.CaseRuns):
    def expect_part(self, part, whole, is_shown):
        """The part has exactly those cells of the whole, with its bits."""
        self.assertEqual([output[0] for output in part], [output[0] for output in whole])
        for (_, points, cells, _), (_, all_points, all_cells, middles) in zip(part, whole):
            self.assertEqual(set(cells), {id_ for id_, x in middles.items() if is_shown(id_, x)})
            for id_, found in cells.items():
                self.assertEqual(found, all_cells[id_], id_)
            for id_, found in points.items():
                self.assertEqual(found, all_points[id_], id_)
            self.assertLess(len(points), len(all_points))

    def test_are_those_of_the_whole_output(self):
        for dimension, method, ranks, format_ in ((2, "exact", 2, "pvtu"), (3, "classical", 3, "vtkhdf"),
                                                  (2, "classical", 1, "vtkhdf"), (3, "exact", 2, "pvtu")):
            with self.subTest(dimension=dimension, method=method, ranks=ranks, format=format_):
                self.run_case(case_text(dimension, method), "whole", ranks=ranks)
                whole = outputs_of(self.folder / "whole")
                self.assertEqual(len(whole), 3)
                box = BOX.format(1 if dimension == 3 else 0)
                case = case_text(dimension, method, box + f'every_cells = 2\nformat = "{format_}"\n')
                said = self.run_case(case, "part", ranks=ranks)
                part = outputs_of(self.folder / "part")
                self.expect_part(part, whole, lambda id_, x: id_ % 2 == 0 and 0.1 <= x[0] <= 0.6 and x[1] >= 0.55)
                count, every = len(part[0][2]), len(whole[0][2])
                self.assertGreater(count, 5)
                self.assertIn(f"outputs show {count} of {every} cells", said)
                said = self.run_case(case, "check", command="check")
                self.assertRegex(said, rf"of {count} of the {every} cells, by `within` and `every_cells`")
                checked = json.loads((self.folder / "check" / "check.json").read_text())
                self.assertEqual(checked["outputs"]["cells"], count)

    def test_are_the_same_on_any_ranks(self):
        ball = "within = { centre = [0.9, 0.9, 0], radius = 0.15 }\n"  # on one rank of three alone
        found = []
        for ranks in (1, 2, 3):
            case = case_text(2, "exact", ball + 'format = "vtkhdf"\n[run]\nreproducible = true\n')
            self.run_case(case, f"on-{ranks}", ranks=ranks)
            found.append([output[:3] for output in outputs_of(self.folder / f"on-{ranks}")])
            vtkObject.GlobalWarningDisplayOff()
            reader = vtkHDFReader()  # VTK 9.1 reads the first output, ghosts included
            reader.SetFileName(str(self.folder / f"on-{ranks}" / "fields.vtkhdf"))
            reader.Update()
            in_cells = arrays_of(reader.GetOutputAsDataSet().GetCellData())
            self.assertEqual(set(in_cells["global_id"]), set(found[0][0][2]))
        self.assertEqual(found[0], found[1])
        self.assertEqual(found[0], found[2])

    def test_series_go_on(self):
        for format_ in ("pvtu", "vtkhdf"):
            with self.subTest(format=format_):
                case = case_text(2, "exact", BOX.format(0) + f'format = "{format_}"\n' + CHECKPOINT)
                self.run_case(case, "whole", ranks=2)
                whole = outputs_of(self.folder / "whole")
                again = self.folder / "again"
                for ranks, text in ((2, case), (2, case.replace("[0.1, 0.55, 0]", "[0.3, 0.55, 0]"))):
                    shutil.copytree(self.folder / "whole", again)
                    for file in again.glob("checkpoint_*.h5"):
                        if int(file.stem[11:]) > 2:
                            file.unlink()
                    said = self.run_case(text, "again", "--restart", ranks=ranks)
                    found = outputs_of(again)
                    if text == case:
                        self.assertEqual([output[:3] for output in found], [output[:3] for output in whole])
                    else:  # the outputs before keep their cells
                        self.assertIn("within", said)
                        self.assertEqual([output[:3] for output in found[:2]], [output[:3] for output in whole[:2]])
                        self.expect_part(found[2:], whole[2:], lambda _, x: x[0] >= 0.3)
                    shutil.rmtree(again)

    def test_averages_show_the_same_cells(self):
        self.run_case(case_text(2, "exact", BOX.format(0) + 'format = "vtkhdf"\n'), "part", ranks=2)
        fields = vtkhdf.grid(self.folder / "part" / "fields.vtkhdf", 2)
        means = vtkhdf.grid(self.folder / "part" / "averages" / "mean.vtkhdf", 0)
        one, other = (arrays_of(grid.GetCellData())["global_id"] for grid in (means, fields))
        np.testing.assert_array_equal(one, other)
        self.assertIn("velocity_mean", arrays_of(means.GetPointData()))

    def test_no_cell_is_a_fault(self):
        beside = "within = { min = [2, 0, 0], max = [3, 1, 0] }\n"
        few = BOX.format(1) + "every_cells = 1000000\n"
        for ranks, shown, expected in (
            (1, beside, r"`within`: the middle of no cell lies there; those of the mesh reach from \(.*\) to \(.*\) m"),
            (3, beside, r"\[output\]: `within`: the middle of no cell lies there"),
            (2, few, r"\[output\]: `every_cells`: of the \d+ cells that lie `within` none has a multiple of 1000000 as its number"),
            (2, "every_cells = 0\n", r"`every_cells` in \[output\]"),
            (1, "within = { min = [1, 0, 0], max = [0, 1, 0] }\n", r"`max` in \[output.within\]"),
        ):
            case = case_text(2, "exact", shown)
            for command, on in (("run", ranks), ("check", 1))[: 2 if ranks > 1 else 1]:
                self.assertRegex(self.run_case(case, "bad", ranks=on, code=2, command=command), expected)

    def test_a_part_is_no_start_for_another_run(self):
        for format_ in ("pvtu", "vtkhdf"):
            start = case_text(2, "exact") + '[initial]\nresult = "first"\n'
            with self.subTest(format=format_):
                case = case_text(2, "exact", CORNER + f'format = "{format_}"\n' + CHECKPOINT)
                self.run_case(case, "first")
                said = self.run_case(start, "second", ranks=2)
                self.assertIn("passed over the fields of ", said)
                self.assertRegex(said, r"start +velocity of first")
                for file in (self.folder / "first").glob("checkpoint_*.h5"):
                    file.unlink()
                said = self.run_case(start, "second", ranks=2, code=2)
                self.assertRegex(said, "its last output shows a part of its mesh, by `within` or `every_cells` in ")


if __name__ == "__main__":
    case_runs.main()
