"""Fields of one step, read by VTK from the pieces of all ranks and joined to one mesh."""

import math

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkCommonDataModel import vtkImageData
from vtkmodules.vtkFiltersCore import vtkProbeFilter
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

from plotting import streamlines
from plotting.result import Unusable

VTK_TRIANGLE = 5

# Name: label and unit. What is not listed is drawn under its own name.
QUANTITIES = {
    "speed": ("Speed", "m/s"),
    "u": ("Velocity u", "m/s"),
    "v": ("Velocity v", "m/s"),
    "vorticity": ("Vorticity", "1/s"),
    "pressure": ("Pressure / density", "m²/s²"),
    "divergence": ("Divergence", "1/s"),
    "temperature": ("Temperature", "K"),
    "rank": ("Rank", ""),
}
OF_VELOCITY = {"speed": lambda u: np.linalg.norm(u, axis=1), "u": lambda u: u[:, 0], "v": lambda u: u[:, 1]}
KEPT_BY_CELL = ("divergence", "rank")  # what else is given by cell is drawn continuous


class Fields:
    """Triangles, and values at their nodes or cells."""

    def __init__(self, step):
        self.step = step
        vtkObject.GlobalWarningDisplayOff()
        for path in (step.path, *sorted(step.path.with_suffix("").glob("*.vtu"))):
            if not path.is_file():
                raise Unusable(f"{path}: no such file, but fields.pvd lists it; run the case again")
        reader = vtkXMLPUnstructuredGridReader()
        reader.SetFileName(str(step.path))
        reader.Update()
        self.grid = grid = reader.GetOutput()
        if reader.GetErrorCode() or not grid.GetNumberOfCells():
            raise Unusable(f"{step.path}: VTK cannot read it, or a piece of it; run the case again")
        if set(np.unique(vtk_to_numpy(grid.GetCellTypesArray()))) != {VTK_TRIANGLE}:
            raise Unusable(
                f"{step.path}: a mesh of other cells than triangles; tools/plot draws 2D only, ParaView draws this"
            )

        # Ranks share nodes: one node for each global id.
        points = vtk_to_numpy(grid.GetPoints().GetData())
        corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
        ids = grid.GetPointData().GetGlobalIds() or grid.GetPointData().GetArray("global_id")
        self._nodes, merged = np.arange(len(points)), np.arange(len(points))
        if ids is not None:
            _, self._nodes, merged = np.unique(vtk_to_numpy(ids), return_index=True, return_inverse=True)
        self.x, self.y = points[self._nodes, 0], points[self._nodes, 1]
        self.triangles = merged[corners]
        a, b, c = (np.stack([self.x[corner], self.y[corner]]) for corner in self.triangles.T)
        (abx, aby), (acx, acy) = b - a, c - a
        self.areas = 0.5 * np.abs(abx * acy - aby * acx)
        self.area = self.areas.sum()
        self.cell_size = np.sqrt(self.area / len(self.triangles))

        data = grid.GetPointData()
        self._at_nodes = {data.GetArrayName(i): data.GetArray(i) for i in range(data.GetNumberOfArrays())}
        data = grid.GetCellData()
        self._at_cells = {data.GetArrayName(i): data.GetArray(i) for i in range(data.GetNumberOfArrays())}

    @property
    def extent(self):
        """x_min, x_max, y_min, y_max [m]."""
        return self.x.min(), self.x.max(), self.y.min(), self.y.max()

    def names(self):
        """What can be drawn."""
        names = list(OF_VELOCITY) if self._has_velocity() else []
        for arrays in (self._at_nodes, self._at_cells):
            names += [name for name, array in arrays.items() if array.GetNumberOfComponents() == 1]
        order = list(QUANTITIES)
        return sorted(set(names) - {"global_id"}, key=lambda name: (order.index(name) if name in order else 99, name))

    def _has_velocity(self):
        return "velocity" in self._at_nodes

    def values(self, name):
        """(values, whether they belong to nodes) of a scalar."""
        if name not in self.names():
            found = ", ".join(self.names())
            raise Unusable(
                f"{self.step.path}: no field `{name}`; there are: {found}. "
                "What a run writes is set by output.fields in its case file"
            )
        if name in OF_VELOCITY:
            return OF_VELOCITY[name](vtk_to_numpy(self._at_nodes["velocity"])[self._nodes]), True
        if name in self._at_nodes:
            return vtk_to_numpy(self._at_nodes[name])[self._nodes], True
        by_cell = vtk_to_numpy(self._at_cells[name])
        return (by_cell, False) if name in KEPT_BY_CELL else (self._to_nodes(by_cell), True)

    def _to_nodes(self, by_cell):
        """Mean of the cells around each node, weighted by area."""
        corner = self.triangles.ravel()
        weight = np.bincount(corner, np.repeat(self.areas, 3), len(self.x))
        return np.bincount(corner, np.repeat(self.areas * by_cell, 3), len(self.x)) / np.where(weight > 0, weight, 1)

    def percentile(self, values, at_nodes, percent):
        """The value that `percent` of the area lies below."""
        by_cell = values[self.triangles].mean(axis=1) if at_nodes else values
        order = np.argsort(by_cell)
        share = np.cumsum(self.areas[order]) / self.area
        return by_cell[order[min(np.searchsorted(share, percent / 100), len(order) - 1)]]

    def boundary(self):
        """The sides that only one triangle has, as (side, end, coordinate)."""
        sides = np.sort(self.triangles[:, [[0, 1], [1, 2], [2, 0]]].reshape(-1, 2), axis=1)
        sides, counts = np.unique(sides, axis=0, return_counts=True)
        return np.stack([self.x, self.y], axis=1)[sides[counts == 1]]

    def streamlines(self, distance):
        """Lines along the velocity, about `distance` [m] apart, as arrays of points. They stay within the mesh."""
        if not self._has_velocity():
            return []
        speed = self.values("speed")[0]
        if not np.isfinite(speed).all() or speed.max() <= 0:
            return []
        sides = self.boundary()
        parts = np.linspace(0, 1, 1 + math.ceil(20 * np.hypot(*(sides[:, 1] - sides[:, 0]).T).max() / distance))
        boundary = np.concatenate([(1 - part) * sides[:, 0] + part * sides[:, 1] for part in parts])
        return streamlines.evenly_spaced(self._velocity_on_grid(distance / 16), distance, boundary)

    def _velocity_on_grid(self, spacing):
        x_min, x_max, y_min, y_max = self.extent
        columns, rows = (max(2, round(length / spacing) + 1) for length in (x_max - x_min, y_max - y_min))
        image = vtkImageData()
        image.SetDimensions(columns, rows, 1)
        image.SetOrigin(x_min, y_min, self.grid.GetPoints().GetPoint(0)[2])
        image.SetSpacing((x_max - x_min) / (columns - 1), (y_max - y_min) / (rows - 1), 1)
        probe = vtkProbeFilter()
        probe.SetInputData(image)
        probe.SetSourceData(self.grid)
        probe.Update()
        data = probe.GetOutput().GetPointData()
        inside = vtk_to_numpy(data.GetArray(probe.GetValidPointMaskArrayName())).reshape(rows, columns) > 0
        u, v, _ = vtk_to_numpy(data.GetArray("velocity")).reshape(rows, columns, 3).transpose(2, 0, 1)
        return streamlines.Grid((x_min, y_min), image.GetSpacing()[:2], u, v, inside)
