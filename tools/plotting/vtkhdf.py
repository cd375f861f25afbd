"""Fields of a run with `format` "vtkhdf": each output of its one file as a mesh with values. VTK before 9.3 reads the
first one only."""

from importlib.util import find_spec

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkUnstructuredGrid

from common.failure import Failure


def opened(path):
    if find_spec("h5py") is None:
        raise Failure(f"{path}: to be drawn it takes h5py; on Debian and Ubuntu: apt-get install python3-h5py")
    import h5py

    try:
        return h5py.File(path, "r")
    except OSError as error:
        raise Failure(f"{path}: cannot be read ({error}); run the case again") from None


def steps(path):
    """(number of the step, time [s]) of each output."""
    with opened(path) as file:
        return list(zip(file["Solenoid/now/StepNumbers"][()].tolist(), file["VTKHDF/Steps/Values"][()].tolist()))


def grid(path, place):
    """The output of this index, the parts of all ranks one after the other, including halo cells."""
    with opened(path) as file:
        root, offsets = file["VTKHDF"], file["VTKHDF/Steps"]

        def first(name):
            return int(offsets[name][place])

        parts = slice(first("PartOffsets"), first("PartOffsets") + first("NumberOfParts"))
        points, cells = (root[name][parts] for name in ("NumberOfPoints", "NumberOfCells"))
        corners = root["NumberOfConnectivityIds"][parts]

        def rows(name, begin, count):
            return root[name][begin : begin + int(count.sum())]

        shift = np.repeat(np.cumsum(points) - points, corners)  # index of each part's first point in the whole
        connectivity = rows("Connectivity", first("ConnectivityIdOffsets"), corners) + shift
        kinds = rows("Types", first("CellOffsets"), cells)
        each = int(corners.sum() // max(cells.sum(), 1))
        result, faces, positions = vtkUnstructuredGrid(), vtkCellArray(), vtkPoints()
        positions.SetData(numpy_to_vtk(rows("Points", first("PointOffsets"), points), deep=1))
        faces.SetData(numpy_to_vtkIdTypeArray(np.arange(0, len(connectivity) + 1, each), deep=1),
                      numpy_to_vtkIdTypeArray(connectivity, deep=1))
        result.SetPoints(positions)
        result.SetCells(int(kinds[0]) if len(kinds) else 5, faces)
        for kind, count, data in (("Point", points, result.GetPointData()), ("Cell", cells, result.GetCellData())):
            of_outputs = offsets[f"{kind}DataOffsets"]
            for name in root[f"{kind}Data"]:
                begin = int(of_outputs[name][place]) if name in of_outputs else first(f"{kind}Offsets")
                array = numpy_to_vtk(rows(f"{kind}Data/{name}", begin, count), deep=1)
                array.SetName(name)
                data.AddArray(array)
        return result
