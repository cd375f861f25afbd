"""Lines in the pictures of tools/plot: those of a stream function, heat-flow lines, those of a fluid at rest."""

import json
import math
import random
import tempfile
import unittest
from pathlib import Path

import heat_results
from plot_test import ask, data_array, plot, read_png

OPENING = """
import json, sys
from pathlib import Path
import numpy as np
from plotting.fields import Fields
from plotting.result import Result
result = Result(Path(sys.argv[1]))
fields = Fields(result.pick(), result)
"""


def psi(place):
    """A strong vortex in the unit square and a weak one, of 1/400 of its flow, in the corner at (0, 0)."""
    x, y, _ = place
    return (x * (1 - x) * y * (1 - y)) ** 2 * (x + y - 0.3)


def velocity(place, step=1e-6):
    """(d psi/dy, -d psi/dx)."""
    x, y, _ = place
    along_x = (psi((x + step, y, 0)) - psi((x - step, y, 0))) / (2 * step)
    along_y = (psi((x, y + step, 0)) - psi((x, y - step, 0))) / (2 * step)
    return along_y, -along_x, 0.0


class PlotLines(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "result"

    def write(self, mesh, at_nodes, at_cells=None, ghosts=False, **case):
        heat_results.write_step(self.result, 7, 0.5, mesh, at_nodes, at_cells or {}, ghosts)
        (self.result / "summary.json").write_text(json.dumps({"case": {"title": "Lines", **case}}))

    def test_streamlines_of_a_stream_function(self):
        """Closed lines of one value each, the higher values to their left, in the weak corner vortex too."""
        mesh = heat_results.plate((40, 40), (1.0, 1.0))
        self.write(mesh, {"velocity": velocity, "stream_function": psi})
        lines = "print(json.dumps([line.tolist() for line in fields.lines_along('velocity', 0.05)]))"
        lines = ask(OPENING + lines, self.result)
        highest = max(psi((x / 50, y / 50, 0)) for x in range(51) for y in range(51))
        weak, values = 0, []
        for line in lines:
            self.assertLess(math.dist(line[0], line[-1]), 1e-12)
            along = [psi((x, y, 0)) for x, y in line]
            strong = along[0] > 0
            self.assertLess(max(along) - min(along), (0.02 if strong else 0.002) * highest)
            for (x, y), (x_next, y_next) in zip(line, line[1:]):
                u, v, _ = velocity(((x + x_next) / 2, (y + y_next) / 2, 0))
                if math.hypot(u, v) > 0.1 * highest:
                    self.assertGreater(u * (x_next - x) + v * (y_next - y), 0)
            weak += all(x + y < 0.32 for x, y in line)
            values.append(sum(along) / len(along))
        self.assertEqual(weak, 4)
        strong = sorted(value for value in values if value > 0.01 * highest)
        self.assertGreater(len(strong), 10)
        steps = [b - a for a, b in zip(strong, strong[1:])]
        self.assertLess(max(steps), 1.1 * min(steps))  # the same flow between each two

    def test_streamlines_of_older_results(self):
        """Without a stream function lines are integrated: they keep their distance."""
        mesh = heat_results.plate((40, 40), (1.0, 1.0))
        self.write(mesh, {"velocity": velocity})
        same = OPENING + (
            "a, b = fields.lines_along('velocity', 0.05), fields.streamlines('velocity', 0.05)\n"
            "print(json.dumps([len(a), all(np.array_equal(*pair) for pair in zip(a, b))]))"
        )
        count, same = ask(same, self.result)
        self.assertGreater(count, 5)
        self.assertTrue(same)

    def test_a_fluid_at_rest(self):
        """Step 0: a lid that moves, and round-off below it. A stream function that is 0 has no lines."""
        noise = random.Random(3)

        def at_rest(place):
            if place[1] == 1:
                return 1.0, 0.0, 0.0
            return noise.uniform(-1e-8, 1e-8), noise.uniform(-1e-8, 1e-8), 0.0

        mesh = heat_results.plate((30, 30), (1.0, 1.0))
        self.write(mesh, {"velocity": at_rest})
        ((code, text),) = plot([self.result])
        self.assertEqual(code, 0, text)
        finite = "print(json.dumps([bool(np.isfinite(l).all()) for l in fields.lines_along('velocity', 0.05)]))"
        self.assertTrue(all(ask(OPENING + finite, self.result)))
        self.result = self.folder / "still"
        self.write(mesh, {"velocity": at_rest, "stream_function": lambda place: 0.0})
        ((code, text),) = plot([self.result])
        self.assertEqual(code, 0, text)
        self.assertEqual(ask(OPENING + "print(len(fields.lines_along('velocity', 0.05)))", self.result), 0)

    def test_points_that_coincide(self):
        """A line that goes to and fro between two points has neither a direction nor a line beside it there."""
        lines = ask(
            """
import json
import numpy as np
from plotting import streamlines
x, y = np.meshgrid(np.linspace(0, 1, 101), np.linspace(0, 1, 101))
grid = streamlines.Grid((0, 0), (0.01, 0.01), np.where(x < 0.5, 1.0, -1.0), 0 * x, np.ones(x.shape, bool))
traced = streamlines.trace(grid, streamlines.Taken(grid, 0.02), (0.3, 0.5), 0.006, 0.05, 500)[0]
streamlines.line_through = lambda *rest: np.array([[0.2, 0.5], [0.4, 0.5]] * 20)
lines = streamlines.evenly_spaced(grid, 0.05, np.array([[0.0, 0.0]]))
print(json.dumps([len(traced), len(lines)]))
"""
        )
        self.assertLess(lines[0], 40)  # it ends where the flow turns back
        self.assertGreaterEqual(lines[1], 1)

    def test_heat_flow_lines_along_insulated_walls(self):
        """A plate of uneven triangles and conductivity: lines lead from end to end all the same."""
        nodes, cells = heat_results.plate((24, 12))
        uneven = random.Random(1)
        shift = {k: (uneven.uniform(-4e-3, 4e-3), uneven.uniform(-4e-3, 4e-3)) for k in range(len(nodes))}
        inner = [0.01 < x < 0.39 and 0.01 < y < 0.19 for x, y, _ in nodes]
        nodes = [(x + a * i, y + b * i, 0.0) for (x, y, _), (a, b), i in zip(nodes, shift.values(), inner)]
        self.result.mkdir()
        (self.folder / "mesh.json").write_text(json.dumps([nodes, cells]))
        lines, refused, heat, count = ask(
            """
import json, sys
import numpy as np
from plotting import contours, heat_flow
points, cells = (np.array(part) for part in json.load(open(sys.argv[1])))
conductivity = np.exp(np.random.default_rng(5).normal(0, 1, len(cells)))
gradient, areas = contours.gradients(points, cells)
local = np.einsum("cid,cjd->cij", gradient, gradient) * (areas * conductivity)[:, None, None]
matrix = np.zeros((len(points), len(points)))
for nodes, block in zip(cells, local):
    matrix[np.ix_(nodes, nodes)] += block
given = (points[:, 0] < 1e-9) | (points[:, 0] > 0.4 - 1e-9)
temperature = np.where(points[:, 0] < 0.2, 400.0, 300.0)
free = np.flatnonzero(~given)
right = -matrix[np.ix_(free, np.flatnonzero(given))] @ temperature[given]
temperature[free] = np.linalg.solve(matrix[np.ix_(free, free)], right)
flux = -np.einsum("ckd,ck->cd", gradient, temperature[cells]) * conductivity[:, None]
boundary = given | (points[:, 1] < 1e-9) | (points[:, 1] > 0.2 - 1e-9)
lines = heat_flow.heat_flow_lines(points, cells, flux, boundary, 12)
first = np.array([line[[0, -1]] for line in lines])
through = sum(matrix[points[:, 0] < 1e-9] @ temperature)
unbalanced = flux + np.stack([points[cells].mean(axis=1)[:, 0] * 1e3 * abs(flux).max(), 0 * areas], axis=1)
try:
    heat_flow.heat_flow_lines(points, cells, unbalanced, boundary, 12)
    refused = False
except heat_flow.NoFunction:
    refused = True
places, middle, _ = contours.quarters(points[:, :2], cells)
values, jumps, _ = heat_flow.by_cell(places[middle], middle, flux, points[cells].mean(axis=1)[:, :2])
print(json.dumps([first.tolist(), refused, [float(np.ptp(values)), float(through), float(np.abs(jumps).max())],
                  len(lines)]))
""",
            self.folder / "mesh.json",
        )
        self.assertEqual(count, 12)
        self.assertTrue(refused)  # with sources there is no such function
        for (x_first, _), (x_last, _) in lines:
            self.assertAlmostEqual(x_first, 0)
            self.assertAlmostEqual(x_last, 0.4)
        self.assertAlmostEqual(heat[0], heat[1], delta=1e-6 * heat[1])  # all the heat between the two walls
        self.assertLess(heat[2], 1e-6 * heat[1])

    def test_heat_flow_lines_around_a_hole(self):
        """A hot hole: the heat function has a jump, across which lines go on; each is a ray."""
        rings, spokes = 12, 60
        polar = [(1 + r / rings, 2 * math.pi * s / spokes) for r in range(rings + 1) for s in range(spokes)]
        nodes = [(r * math.cos(angle), r * math.sin(angle), 0.0) for r, angle in polar]
        cells = []
        for r in range(rings):
            for s in range(spokes):
                a, b = r * spokes + s, r * spokes + (s + 1) % spokes
                cells += [(a, a + spokes, b + spokes), (a, b + spokes, b)]
        (self.folder / "mesh.json").write_text(json.dumps([nodes, cells]))
        ends = ask(
            """
import json, sys
import numpy as np
from plotting import contours, heat_flow
points, cells = (np.array(part) for part in json.load(open(sys.argv[1])))
gradient, areas = contours.gradients(points, cells)
radius = np.hypot(points[:, 0], points[:, 1])
local = np.einsum("cid,cjd->cij", gradient, gradient) * areas[:, None, None]
matrix = np.zeros((len(points), len(points)))
for nodes, block in zip(cells, local):
    matrix[np.ix_(nodes, nodes)] += block
given = (radius < 1.0001) | (radius > 1.9999)
temperature = np.where(radius < 1.5, 400.0, 300.0)
free = np.flatnonzero(~given)
right = -matrix[np.ix_(free, np.flatnonzero(given))] @ temperature[given]
temperature[free] = np.linalg.solve(matrix[np.ix_(free, free)], right)
flux = -np.einsum("ckd,ck->cd", gradient, temperature[cells])
lines = heat_flow.heat_flow_lines(points, cells, flux, given, 20)
print(json.dumps([line[[0, -1]].tolist() for line in lines]))
""",
            self.folder / "mesh.json",
        )
        self.assertGreater(len(ends), 12)
        angles = []
        for start, end in ends:
            self.assertAlmostEqual(math.hypot(*start), 1, delta=0.01)
            self.assertAlmostEqual(math.hypot(*end), 2, delta=0.01)
            angles.append(math.atan2(start[1], start[0]))
            turned = abs(math.atan2(end[1], end[0]) - angles[-1]) % (2 * math.pi)
            self.assertLess(min(turned, 2 * math.pi - turned), 0.06)
        angles.sort()
        gaps = [b - a for a, b in zip(angles, [*angles[1:], angles[0] + 2 * math.pi])]
        self.assertLess(max(gaps), 1.2 * min(gaps))

    def test_lines_of_heat_from_inside_keep_to_insulated_walls(self):
        """Means of cells beside a wall cross it a little: where heat is made inside no line ends there all the same."""

        def flux(place):
            across = 80.0 if place[1] > 0.17 else -80.0 if place[1] < 0.03 else 0.0
            return 1000.0 * (0.2 + place[0]), across, 0.0

        mesh = heat_results.plate((24, 12))
        boundary = {"side": {"type": "insulated"}, "end": {"type": "temperature", "value": 300.0}}
        self.write(mesh, {"temperature": lambda place: 300.0}, {"heat_flux": flux}, boundary=boundary)
        at_the_wall = (
            "ends = np.array([line[-1] for line in fields.lines_along('heat_flux', 0.01)])\n"
            "print(json.dumps([len(ends), int(((np.abs(ends[:, 1] - 0.1) > 0.0993) & (ends[:, 0] < 0.39)).sum())]))"
        )
        count, crossing = ask(OPENING + at_the_wall, self.result)
        self.assertGreater(crossing, 0)
        (self.result / "patches").mkdir()
        nodes = [13 * i for i in range(25)] + [13 * i + 12 for i in range(25)]
        sides = [(i, i + 1) for i in range(24)] + [(25 + i, 26 + i) for i in range(24)]
        write_patch(self.result, "side", [mesh[0][node] for node in nodes], nodes, sides)
        count, crossing = ask(OPENING + at_the_wall, self.result)
        self.assertGreater(count, 8)
        self.assertEqual(crossing, 0)

    def test_copies_of_cells_are_left_out(self):
        """Pieces with ghost cells: one mesh without seams, as without them."""
        mesh = heat_results.plate((12, 6))
        found = []
        for name, ghosts in (("without", False), ("with", True)):
            self.result = self.folder / name
            self.write(mesh, {"temperature": lambda p: 300 + p[0]}, {"heat_flux": lambda p: (-1.0, 0.0, 0.0)}, ghosts)
            found.append(
                ask(
                    OPENING + "print(json.dumps([len(fields.x), len(fields.cells), len(fields.boundary()[0]), "
                    "float(fields.size), fields.values('temperature')[0].tolist(), "
                    "np.bincount(fields.values('rank')[0]).tolist(), sorted(fields.names())]))",
                    self.result,
                )
            )
            nodes = "from comparing.fields import read_nodes\nfound = read_nodes(fields.step.path, 'temperature')\n"
            found[-1].append(ask(OPENING + nodes + "print(len(found.values))", self.result))
        self.assertEqual(found[0][:3], [91, 144, 36])
        self.assertEqual(found[0][5], [72, 72])
        self.assertAlmostEqual(found[1].pop(3), found[0].pop(3))
        self.assertEqual(found[1], found[0])
        bar = self.folder / "bar"
        heat_results.write_step(bar, 1, 0.0, heat_results.bar((8, 2, 2)), {"temperature": lambda p: p[0]}, {}, True)
        ((code, text),) = plot([bar, "--fields", "temperature,rank"])
        self.assertEqual(code, 0, text)
        self.assertIn("192 tetrahedra", read_png(bar / "bar-fields.png")[2]["Title"])


def write_patch(result, name, places, ids, sides):
    """patches.vtm and the lines of a boundary group, as a run writes them."""
    points = data_array("Points", [x for place in places for x in place], components=3)
    (result / "patches" / f"{name}.vtp").write_text(
        '<?xml version="1.0"?><VTKFile type="PolyData" version="1.0" byte_order="LittleEndian"><PolyData>'
        f'<Piece NumberOfPoints="{len(places)}" NumberOfLines="{len(sides)}"><PointData>'
        + data_array("global_id", ids, "Int64")
        + f"</PointData><Points>{points}</Points><Lines>"
        + data_array("connectivity", [node for side in sides for node in side], "Int64")
        + data_array("offsets", [2 * (k + 1) for k in range(len(sides))], "Int64")
        + "</Lines></Piece></PolyData></VTKFile>"
    )
    (result / "patches.vtm").write_text(
        '<?xml version="1.0"?><VTKFile type="vtkMultiBlockDataSet" version="1.0"><vtkMultiBlockDataSet>'
        f'<DataSet index="0" name="{name}" file="patches/{name}.vtp"/></vtkMultiBlockDataSet></VTKFile>'
    )


if __name__ == "__main__":
    unittest.main()
