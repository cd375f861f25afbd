"""`format = "vtkhdf"`: one file a run, with what the .pvtu files have, on any number of ranks, killed at any moment, and
going on; as h5py finds it by the published layout, and as VTK reads it."""

import argparse
import random
import re
import shutil
import subprocess
import time
import unittest

import numpy as np

import case_runs
from case_runs import ROOT
from plotting import vtkhdf

try:
    import h5py
except ImportError:
    h5py = None
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkIOHDF import vtkHDFReader
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

CASE = """title = "A lid that comes and goes"
[mesh]
file = "{mesh}"
size = {size}
[flow]
viscosity = 0.01
[time]
end = {end}
cfl = 0.8
[boundary.lid]
type = "wall"
velocity = ["sin(3*t)", "0", "0"]
[boundary.wall]
type = "wall"
[output]
every_steps = {every}
format = "vtkhdf"
[checkpoint]
every_steps = 3
keep = 99
"""
INTEGERS = ("NumberOfPoints", "NumberOfCells", "NumberOfConnectivityIds", "Connectivity", "Offsets", "PointData/global_id",
            "CellData/global_id", "Steps/PartOffsets", "Steps/NumberOfParts", "Steps/PointOffsets", "Steps/CellOffsets",
            "Steps/ConnectivityIdOffsets", "Steps/PointDataOffsets/velocity", "Steps/CellDataOffsets/pressure")


def case_text(dimension=2, end=1.0, every=2, size=0.1):
    mesh = ROOT / "meshes" / ("cavity-delaunay.geo" if dimension == 2 else "cube.geo")
    return CASE.format(mesh=mesh, end=end, every=every, size=size if dimension == 2 else 3 * size)


def arrays_of(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def pvtu_outputs(folder):
    """(time, points, arrays at points, in cells) of each output."""
    for time_, name in re.findall(r'timestep="([^"]*)".*file="([^"]*)"', (folder / "fields.pvd").read_text()):
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(folder / name))
        reader.Update()
        grid = reader.GetOutput()
        yield float(time_), vtk_to_numpy(grid.GetPoints().GetData()), arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())


def by_global_id(folder):
    """By the number of the step: time, velocity at points, pressure in cells, in the order of global ids."""
    found = {}
    for place, (number, when) in enumerate(vtkhdf.steps(folder / "fields.vtkhdf")):
        grid = vtkhdf.grid(folder / "fields.vtkhdf", place)
        points, cells = arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData())
        velocity = dict(zip(points["global_id"], points["velocity"]))
        pressure = dict(zip(cells["global_id"], cells["pressure"]))
        found[number] = (when, np.array([velocity[k] for k in sorted(velocity)]), np.array([pressure[k] for k in sorted(pressure)]))
    return found


@unittest.skipIf(h5py is None, "needs python3-h5py")
class OneFile(case_runs.CaseRuns):
    def words(self, ranks, case, result, *more):
        (self.folder / "case.toml").write_text(case)
        return case_runs.program(ranks, "run", "case.toml", "--no-report", "--output", result, *more)

    def run_case(self, ranks, case, result, *more, code=0):
        done = subprocess.run(self.words(ranks, case, result, *more), capture_output=True, text=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def test_has_the_values_of_the_other_format(self):
        for ranks, dimension in ((1, 2), (2, 2), (3, 3)):
            with self.subTest(ranks=ranks, dimension=dimension):
                case, one, other = case_text(dimension), f"one-{ranks}", f"other-{ranks}"
                said = self.run_case(ranks, case, one)
                self.assertIn("fields.vtkhdf opens in ParaView", said)
                self.run_case(ranks, case.replace('"vtkhdf"', '"pvtu"'), other)
                listed = (self.folder / one / ".solenoid-result").read_text().splitlines()
                self.assertIn("fields.vtkhdf", listed)
                self.assertFalse([line for line in listed if line.startswith("fields") and line != "fields.vtkhdf"])
                self.assertTrue((self.folder / one / "patches.vtm").exists())
                file = self.folder / one / "fields.vtkhdf"
                outputs = list(pvtu_outputs(self.folder / other))
                self.assertEqual([when for _, when in vtkhdf.steps(file)], [output[0] for output in outputs])
                for place, (_, points, at_points, in_cells) in enumerate(outputs):
                    grid = vtkhdf.grid(file, place)
                    np.testing.assert_array_equal(vtk_to_numpy(grid.GetPoints().GetData()), points)
                    for found, expected in ((grid.GetPointData(), at_points), (grid.GetCellData(), in_cells)):
                        found = arrays_of(found)
                        self.assertEqual(found.keys() - {"vtkGhostType"}, expected.keys() - {"vtkGhostType"})
                        for name, values in expected.items():
                            np.testing.assert_array_equal(found[name], values, name)
                            self.assertEqual(found[name].dtype, values.dtype, name)

    def test_keeps_the_published_layout(self):
        self.run_case(2, case_text(), "result")
        with h5py.File(self.folder / "result" / "fields.vtkhdf", "r") as file:
            root, steps = file["VTKHDF"], file["VTKHDF/Steps"]
            self.assertEqual((list(root.attrs["Version"]), root.attrs["Type"]), ([2, 0], b"UnstructuredGrid"))
            for name in INTEGERS:
                self.assertEqual(root[name].dtype, np.int64, name)
            for name in ("Types", "PointData/vtkGhostType", "CellData/vtkGhostType"):
                self.assertEqual(root[name].dtype, np.uint8, name)
            outputs, parts = int(steps.attrs["NSteps"]), len(root["NumberOfPoints"])
            points, cells = root["NumberOfPoints"][()].sum(), root["NumberOfCells"][()].sum()
            self.assertEqual(parts, 2)
            for name in ("Values", "PartOffsets", "NumberOfParts", "PointOffsets", "CellOffsets", "ConnectivityIdOffsets"):
                self.assertEqual(steps[name].shape, (outputs,), name)
            self.assertEqual(root["Points"].shape, (points, 3))  # once
            self.assertEqual(root["Connectivity"].shape, (3 * cells,))
            self.assertEqual(root["Offsets"].shape, (cells + parts,))
            self.assertEqual(root["Types"].shape, (cells,))
            self.assertEqual(root["PointData/velocity"].shape, (outputs * points, 3))
            self.assertEqual(list(steps["CellDataOffsets/pressure"]), list(range(0, outputs * cells, cells)))
            self.assertEqual(root["PointData/global_id"].attrs["Attribute"], b"GlobalIds")

    def test_vtk_reads_it(self):
        """VTK 9.1 knows version 1.0, without steps: it says so, and reads the first output."""
        self.run_case(2, case_text(), "result")
        vtkObject.GlobalWarningDisplayOff()
        reader = vtkHDFReader()
        reader.SetFileName(str(self.folder / "result" / "fields.vtkhdf"))
        reader.Update()
        found, expected = reader.GetOutputAsDataSet(), vtkhdf.grid(self.folder / "result" / "fields.vtkhdf", 0)
        self.assertGreater(found.GetNumberOfCells(), 100)
        for one, other in ((found.GetPointData(), expected.GetPointData()), (found.GetCellData(), expected.GetCellData())):
            one, other = arrays_of(one), arrays_of(other)
            self.assertEqual(one.keys(), other.keys())
            for name, values in other.items():
                np.testing.assert_array_equal(one[name], values, name)

    def test_goes_on_with_any_ranks(self):
        case = case_text(end=1.5) + "[solver.potential]\ntolerance = 1e-12\n[solver.pressure]\ntolerance = 1e-12\n"
        self.run_case(2, case, "whole")
        whole = by_global_id(self.folder / "whole")
        for ranks, bound in ((2, 0.0), (3, 1e-9), (1, 1e-9)):
            with self.subTest(ranks=ranks):
                again = self.folder / f"again-{ranks}"
                shutil.copytree(self.folder / "whole", again)
                for file in again.glob("checkpoint_*.h5"):
                    if int(file.stem[11:]) > 6:
                        file.unlink()
                self.run_case(ranks, case, again.name, "--restart")
                found = by_global_id(again)
                self.assertEqual(list(found), list(whole))
                for step, (when, velocity, pressure) in whole.items():
                    self.assertEqual(found[step][0], when)
                    np.testing.assert_allclose(found[step][1], velocity, rtol=0, atol=bound)
                    np.testing.assert_allclose(found[step][2], pressure, rtol=0, atol=100 * bound)
                with h5py.File(again / "fields.vtkhdf", "r") as file:
                    parts = list(file["VTKHDF/Steps/NumberOfParts"])
                    self.assertEqual((parts[0], parts[-1]), (2, ranks))
                    self.assertEqual(len(file["VTKHDF/NumberOfPoints"]), 2 if ranks == 2 else 2 + ranks)

    def test_killed_at_any_moment(self):
        moments = random.Random(1)
        case = case_text(end=2.0, every=1)
        begun = time.monotonic()
        self.run_case(2, case, "whole")
        seconds = time.monotonic() - begun
        whole, looks = by_global_id(self.folder / "whole"), 0
        file = self.folder / "part" / "fields.vtkhdf"
        for _ in range(case_runs.options.kills):
            process = subprocess.Popen(self.words(2, case, "part", "--restart"), stdout=subprocess.DEVNULL,
                                       stderr=subprocess.DEVNULL, cwd=self.folder, stdin=subprocess.DEVNULL,
                                       start_new_session=True)
            while process.poll() is None and not file.exists():
                time.sleep(0.005)
            try:
                process.wait(moments.uniform(0, 0.7) * seconds)
            except subprocess.TimeoutExpired:
                subprocess.run(["pkill", "-KILL", "-s", str(process.pid)], check=False)
                process.wait()
            found = by_global_id(self.folder / "part")
            looks += 1
            self.assertEqual(list(found), list(range(len(found))))
            for step, (when, velocity, pressure) in found.items():
                self.assertEqual(when, whole[step][0])
                np.testing.assert_array_equal(velocity, whole[step][1])
                np.testing.assert_array_equal(pressure, whole[step][2])
            if process.returncode == 0:
                shutil.rmtree(self.folder / "part")
        self.assertEqual(looks, case_runs.options.kills)

    def test_a_full_disk_leaves_what_was_whole(self):
        case = case_text(end=2.0, every=1, size=0.05)
        self.run_case(1, case, "whole")
        size = (self.folder / "whole" / "fields.vtkhdf").stat().st_size
        words = self.words(1, case.replace("every_steps = 3\n", "every_steps = 9999\n"), "part")
        limit = ["bash", "-c", f"trap '' XFSZ; ulimit -f {size // 2048}; exec \"$@\"", "-"]  # of each file, in KB
        done = subprocess.run(words[:3] + limit + words[3:], capture_output=True, text=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"fields.vtkhdf: cannot be written: ")
        whole, found = by_global_id(self.folder / "whole"), by_global_id(self.folder / "part")
        self.assertGreater(len(found), 3)
        for step, (_, velocity, _) in found.items():
            np.testing.assert_array_equal(velocity, whole[step][1])

    def test_is_a_start_for_another_run(self):
        case = case_text()
        self.run_case(1, case, "first")
        said = self.run_case(2, case + '[initial]\nresult = "first"\n', "second")
        self.assertIn("  start    velocity of first, t = 1 s\n", said)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=4)
    case_runs.main(parser)
