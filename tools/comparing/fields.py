"""Reads the temperatures written by the programs and reorders them to the mesh."""

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkPolyData, vtkStaticPointLocator

from common.failure import Failure
from comparing.running import Temperatures

APART = 1e-5  # of the diagonal: below the distance of nodes, above the error of single precision


def read_nodes(path, name):
    """Node values of a .vtu or .pvtu."""
    from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader, vtkXMLUnstructuredGridReader

    reader = vtkXMLPUnstructuredGridReader() if path.suffix == ".pvtu" else vtkXMLUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    grid.RemoveGhostCells()  # halo cells
    array = grid.GetPointData().GetArray(name)
    if array is None:
        raise Failure(f"{path.name}: there is no array '{name}' at points")
    return Temperatures(vtk_to_numpy(grid.GetPoints().GetData()).copy(), vtk_to_numpy(array).copy())


def read_openfoam_cells(case, time, name):
    """Cell values of an OpenFOAM case."""
    from vtkmodules.vtkFiltersCore import vtkCellCenters
    from vtkmodules.vtkIOGeometry import vtkOpenFOAMReader

    control = case / "system" / "controlDict"
    reader = vtkOpenFOAMReader()
    reader.SetFileName(str(control))
    reader.CreateCellToPointOff()
    reader.UpdateInformation()
    reader.EnableAllCellArrays()
    reader.UpdateTimeStep(time)
    body = reader.GetOutput().GetBlock(0)
    array = body.GetCellData().GetArray(name) if body else None
    if array is None:
        raise Failure(f"OpenFOAM left no field '{name}' at time {time}")
    centres = vtkCellCenters()
    centres.SetInputData(body)
    centres.Update()
    points = vtk_to_numpy(centres.GetOutput().GetPoints().GetData())
    return Temperatures(points.copy(), vtk_to_numpy(array).copy(), in_cells=True)


def in_order_of(points, found):
    """The values of `found` at `points`: the same places in another order; `found` may have duplicates."""
    cloud, places = vtkPolyData(), vtkPoints()
    places.SetData(numpy_to_vtk(np.ascontiguousarray(found.points, dtype=float), deep=True))
    cloud.SetPoints(places)
    locator = vtkStaticPointLocator()
    locator.SetDataSet(cloud)
    locator.BuildLocator()
    nearest = np.array([locator.FindClosestPoint(point) for point in points.tolist()])
    distance = np.linalg.norm(found.points[nearest] - points, axis=1)
    diagonal = np.linalg.norm(points.max(axis=0) - points.min(axis=0))
    if distance.max() > APART * diagonal or len(found.points) < len(points):
        raise Failure(f"its temperatures are elsewhere: {len(found.points)} places for {len(points)} of the mesh, "
                      f"up to {distance.max():.3g} m apart")
    return found.values[nearest].astype(float)
