"""Fields of one step, read by VTK from the pieces of all ranks and joined to one mesh."""

import math

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, vtk_to_numpy
from vtkmodules.vtkCommonCore import vtkObject
from vtkmodules.vtkCommonDataModel import vtkDataObject, vtkImageData, vtkUnstructuredGrid
from vtkmodules.vtkFiltersCore import vtkProbeFilter, vtkThreshold
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPUnstructuredGridReader

from common.failure import Failure
from plotting import contours, heat_flow, streamlines, vtkhdf

DIMENSIONS = {5: 2, 10: 3}  # by VTK's types of triangles and tetrahedra
CELLS = {2: "triangles", 3: "tetrahedra"}
# Corners of a cell's faces, seen from outside if the cell's area or volume is positive.
FACES = {2: [[0, 1], [1, 2], [2, 0]], 3: [[1, 2, 3], [0, 3, 2], [0, 1, 3], [0, 2, 1]]}

# Name: label and unit. Unlisted quantities are drawn under their own names.
QUANTITIES = {
    "speed": ("Speed", "m/s"),
    "u": ("Velocity u", "m/s"),
    "v": ("Velocity v", "m/s"),
    "w": ("Velocity w", "m/s"),
    "vorticity": ("Vorticity", "1/s"),
    "vorticity_x": ("Vorticity x", "1/s"),
    "vorticity_y": ("Vorticity y", "1/s"),
    "vorticity_z": ("Vorticity z", "1/s"),
    "q_criterion": ("Q criterion", "1/s²"),
    "pressure": ("Pressure / density", "m²/s²"),
    "divergence": ("Divergence", "1/s"),
    "stream_function": ("Stream function", "m²/s"),
    "temperature": ("Temperature", "K"),
    "heat_flux": ("Heat flux", "W/m²"),
    "displacement": ("Displacement", "m"),
    "rate": ("Rate of displacement", "m/s"),
    "elevation": ("Elevation", "m"),
    "wave_height": ("Wave height", "m"),
    "depth": ("Depth", "m"),
    "current": ("Current", "m/s"),
    "region": ("Region", ""),
    "rank": ("Rank", ""),
}
OF_VELOCITY = {"speed": lambda u: np.linalg.norm(u, axis=1), "u": lambda u: u[:, 0], "v": lambda u: u[:, 1]}
OF_VELOCITY["w"] = lambda u: u[:, 2]  # for tetrahedra
MAGNITUDES = ("heat_flux", "vorticity", "current")  # vectors drawn by their magnitude
COMPONENTS = {f"vorticity_{axis}": ("vorticity", k) for k, axis in enumerate("xyz")}  # (array, component)
OF_A_FLOW = ("speed", "pressure", "vorticity", "q_criterion")
NUMBERS = ("region", "rank")  # one colour per number
SMALLEST_VORTEX = 1.0  # of the distance between streamlines: smaller vortices would be invisible
STRAIGHT = 0.15  # of the two sides at a wall node: bends up to 42 degrees are no corners
KEPT_BY_CELL = ("divergence", *NUMBERS)  # other cell fields are drawn continuous in 2D and on slices
CONTINUOUS = ("pressure",)  # drawn continuous on the surface of a body, too


def percentile(values, sizes, percent):
    """The percentile of values weighted by sizes."""
    order = np.argsort(values)
    share = np.cumsum(sizes[order])
    return values[order[min(np.searchsorted(share, percent / 100 * share[-1]), len(order) - 1)]]


def read_pieces(path):
    """The grid of a .pvtu."""
    for file in (path, *sorted(path.with_suffix("").glob("*.vtu"))):
        if not file.is_file():
            raise Failure(f"{file}: no such file, but fields.pvd lists it; run the case again")
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    if reader.GetErrorCode():
        raise Failure(f"{path}: VTK cannot read it, or a piece of it; run the case again")
    return reader.GetOutput()


def read_points(path):
    """The points of a .vtp, such as tracers, in rows [m]."""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    if reader.GetErrorCode():
        raise Failure(f"{path}: VTK cannot read it; run the case again")
    points = reader.GetOutput().GetPoints()
    return vtk_to_numpy(points.GetData()) if points and points.GetNumberOfPoints() else np.empty((0, 3))


def cells_in(grid, window, path):
    """The grid without cells outside a window enlarged by a tenth of its size on each side; `path`: for messages."""
    x_min, x_max, y_min, y_max = window
    aside = 0.1 * (x_max - x_min), 0.1 * (y_max - y_min)
    points = vtk_to_numpy(grid.GetPoints().GetData())
    corners = points[vtk_to_numpy(grid.GetCells().GetConnectivityArray())].reshape(grid.GetNumberOfCells(), -1, 3)
    low, high = corners.min(axis=1), corners.max(axis=1)

    def within(x, y):
        return ((high[:, 0] > x_min - x) & (low[:, 0] < x_max + x) & (high[:, 1] > y_min - y) & (low[:, 1] < y_max + y))

    is_in = within(*aside)
    if not within(0, 0).any():
        raise Failure(f"{path}: nothing of the mesh is in the --window; it reaches from ({points[:, 0].min():g}, "
                      f"{points[:, 1].min():g}) to ({points[:, 0].max():g}, {points[:, 1].max():g}) m")
    mark = numpy_to_vtk(is_in.astype(float), deep=True)
    mark.SetName("in the window")
    grid.GetCellData().AddArray(mark)
    threshold = vtkThreshold()
    threshold.SetInputData(grid)
    threshold.SetInputArrayToProcess(0, 0, 0, vtkDataObject.FIELD_ASSOCIATION_CELLS, mark.GetName())
    threshold.SetLowerThreshold(0.5)
    threshold.SetUpperThreshold(1.5)
    threshold.Update()
    found = threshold.GetOutput()
    found.GetCellData().RemoveArray(mark.GetName())
    return found


class Fields:
    """Triangles or tetrahedra, and values at their nodes or cells."""

    def __init__(self, step, result=None, window=None):
        """result: source of the region names and kinds of walls; window: (x_min, x_max, y_min, y_max) [m], outside
        which nothing is drawn."""
        self.step, self._result, self._window = step, result, window
        self.regions = result.regions if result else []
        self.colours = {}  # by field: colour map, lowest and highest value, where they are not its own
        vtkObject.GlobalWarningDisplayOff()
        self.grid = grid = vtkhdf.grid(step.path, step.place) if step.path.suffix == ".vtkhdf" else read_pieces(step.path)
        grid.RemoveGhostCells()  # halo cells
        for data in (grid.GetPointData(), grid.GetCellData()):
            data.RemoveArray("vtkGhostType")
        self.cell_count = grid.GetNumberOfCells()  # of the whole mesh
        if window and self.cell_count:
            self.grid = grid = cells_in(grid, window, step.path)
        if not grid.GetNumberOfCells():
            raise Failure(f"{step.path}: VTK cannot read it, or a piece of it; run the case again")
        types = set(np.unique(vtk_to_numpy(grid.GetCellTypesArray())))
        if len(types) != 1 or not types <= set(DIMENSIONS):
            raise Failure(
                f"{step.path}: a mesh of other cells than triangles or tetrahedra; tools/plot draws one of these, "
                "ParaView draws this"
            )
        self.dimension = DIMENSIONS[types.pop()]

        # Ranks share nodes: keep one node per global id.
        points = vtk_to_numpy(grid.GetPoints().GetData())
        corners = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, self.dimension + 1)
        ids = grid.GetPointData().GetGlobalIds() or grid.GetPointData().GetArray("global_id")
        self._nodes, self._merged = np.arange(len(points)), np.arange(len(points))
        self._ids = None
        if ids is not None:
            self._ids, self._nodes, self._merged = np.unique(vtk_to_numpy(ids), return_index=True, return_inverse=True)
        self.points = points[self._nodes]  # [m]
        self.x, self.y = self.points[:, 0], self.points[:, 1]
        self.cells = self._merged[corners]
        arms = self.points[self.cells[:, 1:]] - self.points[self.cells[:, :1]]
        normals = np.cross(arms[:, 0], arms[:, 1])
        sizes = normals[:, 2] / 2 if self.dimension == 2 else np.einsum("ij,ij->i", normals, arms[:, 2]) / 6
        self.cells[sizes < 0, -2:] = self.cells[sizes < 0, :-3:-1]
        self.sizes = np.abs(sizes)  # [m²] or [m³]
        self.size = self.sizes.sum()
        self.cell_size = (self.size / len(self.cells)) ** (1 / self.dimension)  # [m]

        data = grid.GetPointData()
        self._at_nodes = {data.GetArrayName(i): data.GetArray(i) for i in range(data.GetNumberOfArrays())}
        data = grid.GetCellData()
        self._at_cells = {data.GetArrayName(i): data.GetArray(i) for i in range(data.GetNumberOfArrays())}

    @property
    def is_cut(self):
        """Whether the mesh continues beyond the extent."""
        return self._window is not None

    @property
    def extent(self):
        """x_min, x_max, y_min, y_max [m]."""
        whole = self.x.min(), self.x.max(), self.y.min(), self.y.max()
        if not self._window:
            return whole
        return tuple(limit(*of) for limit, of in zip((max, min, max, min), zip(whole, self._window)))

    def names(self):
        """Names of the drawable fields."""
        names = list(OF_VELOCITY)[: self.dimension + 1] if self._has_velocity() else []
        for arrays in (self._at_nodes, self._at_cells):
            names += [n for n, array in arrays.items() if array.GetNumberOfComponents() == 1 or n in MAGNITUDES]
        names += [name for name, (vector, _) in COMPONENTS.items() if self.is_length(vector)]
        order = list(QUANTITIES)
        return sorted(set(names) - {"global_id"}, key=lambda name: (order.index(name) if name in order else 99, name))

    def _has_velocity(self):
        return "velocity" in self._at_nodes

    @property
    def is_flow(self):
        return any(name in self.names() for name in OF_A_FLOW)

    def is_length(self, name):
        """Whether the field is the magnitude of a vector, without a sign."""
        array = self._at_nodes.get(name, self._at_cells.get(name))
        return name in MAGNITUDES and array is not None and array.GetNumberOfComponents() == 3

    def require(self, name):
        if name not in self.names():
            found = ", ".join(self.names())
            raise Failure(
                f"{self.step.path}: no field `{name}`; there are: {found}. "
                "What a run writes is set by output.fields in its case file"
            )

    def values(self, name):
        """(values of a scalar, whether they are at nodes)."""
        self.require(name)
        if name in OF_VELOCITY:
            return OF_VELOCITY[name](vtk_to_numpy(self._at_nodes["velocity"])[self._nodes]), True
        array, component = COMPONENTS.get(name, (name, None))
        at_nodes = array in self._at_nodes
        values = vtk_to_numpy((self._at_nodes if at_nodes else self._at_cells)[array])
        if component is not None:
            values = values[:, component]
        elif self.is_length(name):
            values = np.linalg.norm(values, axis=1)
        if at_nodes:
            return values[self._nodes], True
        by_cell = name in KEPT_BY_CELL or self.dimension == 3 and name not in CONTINUOUS
        return (values, False) if by_cell else (self._to_nodes(values), True)

    def continuous(self, name):
        """The values of a scalar at the nodes; for a cell field, means of the cells around them."""
        values, at_nodes = self.values(name)
        return values if at_nodes else self._to_nodes(values)

    def _to_nodes(self, by_cell):
        """Mean of the cells around each node, weighted by area."""
        corners, count = self.cells.ravel(), self.cells.shape[1]
        weight = np.bincount(corners, np.repeat(self.sizes, count), len(self.x))
        total = np.bincount(corners, np.repeat(self.sizes * by_cell, count), len(self.x))
        return total / np.where(weight > 0, weight, 1)

    def percentile(self, values, at_nodes, percent):
        """The percentile of values by area or volume."""
        by_cell = values[self.cells].mean(axis=1) if at_nodes else values
        return percentile(by_cell, self.sizes, percent)

    def vector(self, name):
        """A vector at the nodes, as rows of three components."""
        if name in self._at_nodes:
            return vtk_to_numpy(self._at_nodes[name])[self._nodes]
        return np.stack([self._to_nodes(part) for part in vtk_to_numpy(self._at_cells[name]).T], axis=1)

    def boundary(self):
        """(boundary faces, as nodes in their order seen from outside; the cells behind them)."""
        faces, order, same = self._faces_by_nodes()
        alone = np.sort(order[~(np.append(same, False) | np.append(False, same))])
        return faces[alone], alone // (self.dimension + 1)

    def interfaces(self):
        """Faces between cells of different regions, as nodes."""
        if "region" not in self._at_cells:
            return np.empty((0, self.dimension), int)
        region = vtk_to_numpy(self._at_cells["region"])
        faces, order, same = self._faces_by_nodes()
        one, other = order[:-1][same], order[1:][same]
        count = self.dimension + 1
        return faces[one[region[one // count] != region[other // count]]]

    def _faces_by_nodes(self):
        """(all faces of all cells; the order that groups equal ones; whether each equals the next in this order)."""
        faces = self.cells[:, FACES[self.dimension]].reshape(-1, self.dimension)
        nodes = np.sort(faces, axis=1)
        order = np.lexsort(nodes.T)
        return faces, order, np.all(nodes[order[1:]] == nodes[order[:-1]], axis=1)

    def of_patch(self, path):
        """The nodes of the sides or triangles in a .vtp file, as rows; None if it lacks them."""
        reader = vtkXMLPolyDataReader()
        reader.SetFileName(str(path))
        reader.Update()
        patch = reader.GetOutput()
        ids = patch.GetPointData().GetArray("global_id")
        faces = patch.GetLines() if self.dimension == 2 else patch.GetPolys()
        if ids is None or self._ids is None or not faces.GetNumberOfCells():
            return None
        places = np.searchsorted(self._ids, vtk_to_numpy(ids)).clip(max=len(self._ids) - 1)
        return places[vtk_to_numpy(faces.GetConnectivityArray()).reshape(-1, self.dimension)]

    def lines_along(self, name, distance):
        """In 2D: lines along a vector, as arrays of points, about `distance` [m] apart on average: with the same flow
        between neighbours if a stream function exists, else evenly spaced everywhere."""
        x_min, x_max, y_min, y_max = self.extent
        across = 0.7 * math.sqrt((x_max - x_min) * (y_max - y_min)) / distance
        on_boundary = np.zeros(len(self.points), bool)
        on_boundary[self.boundary()[0]] = True
        if name == "velocity" and "stream_function" in self._at_nodes:
            values = vtk_to_numpy(self._at_nodes["stream_function"])[self._nodes]
            smallest = (SMALLEST_VORTEX * distance) ** 2
            return contours.stream_lines(self.points, self.cells, values, on_boundary, round(across), smallest)
        if name == "heat_flux" and name in self._at_cells:
            flux = vtk_to_numpy(self._at_cells[name])
            try:
                return heat_flow.heat_flow_lines(self.points, self.cells, flux, on_boundary, round(across))
            except heat_flow.NoFunction:
                pass
        return self.streamlines(name, distance)

    def streamlines(self, name, distance):
        """In 2D: evenly spaced lines along a vector, about `distance` [m] apart, as arrays of points, within the
        mesh."""
        vector = self.vector(name)
        if name == "heat_flux":
            self._turn_along_insulation(vector)
        if not np.isfinite(vector).all() or not np.any(vector):
            return []
        sides = self.points[self.boundary()[0], :2]
        parts = np.linspace(0, 1, 1 + math.ceil(20 * np.hypot(*(sides[:, 1] - sides[:, 0]).T).max() / distance))
        boundary = np.concatenate([(1 - part) * sides[:, 0] + part * sides[:, 1] for part in parts])
        return streamlines.evenly_spaced(self._on_grid(vector, distance / 16), distance, boundary)

    def _turn_along_insulation(self, vector):
        """Removes the normal component of the vector at insulated walls, an error of the means over adjacent cells."""
        across = np.zeros((len(self.points), 2, 2))
        for path in self._result.insulated() if self._result and self._ids is not None else []:
            sides = self.of_patch(path)
            if sides is None:
                continue
            arm = self.points[sides[:, 1], :2] - self.points[sides[:, 0], :2]
            normal = np.stack([-arm[:, 1], arm[:, 0]], axis=1) / np.hypot(*arm.T)[:, None]
            for side in sides.T:
                np.add.at(across, side, normal[:, :, None] * normal[:, None, :])
        size, normals = np.linalg.eigh(across)
        straight = (size[:, 1] > 0) & (size[:, 0] < STRAIGHT * size[:, 1])
        out = np.einsum("ij,ij->i", normals[:, :, 1], vector[:, :2])
        vector[straight, :2] -= out[straight, None] * normals[straight, :, 1]
        vector[(size[:, 1] > 0) & ~straight] = 0  # a corner between two such walls

    def _on_grid(self, vector, spacing):
        x_min, x_max, y_min, y_max = self.extent
        columns, rows = (max(2, round(length / spacing) + 1) for length in (x_max - x_min, y_max - y_min))
        image = vtkImageData()
        image.SetDimensions(columns, rows, 1)
        image.SetOrigin(x_min, y_min, self.grid.GetPoints().GetPoint(0)[2])
        image.SetSpacing((x_max - x_min) / (columns - 1), (y_max - y_min) / (rows - 1), 1)
        source, values = vtkUnstructuredGrid(), numpy_to_vtk(vector[self._merged], deep=True)
        values.SetName("vector")
        source.CopyStructure(self.grid)
        source.GetPointData().AddArray(values)
        probe = vtkProbeFilter()
        probe.SetInputData(image)
        probe.SetSourceData(source)
        probe.Update()
        data = probe.GetOutput().GetPointData()
        inside = vtk_to_numpy(data.GetArray(probe.GetValidPointMaskArrayName())).reshape(rows, columns) > 0
        u, v, _ = vtk_to_numpy(data.GetArray("vector")).reshape(rows, columns, 3).transpose(2, 0, 1)
        return streamlines.Grid((x_min, y_min), image.GetSpacing()[:2], u, v, inside)
