"""tools/plot on results of heat conduction: surfaces of bodies, what hides what, isotherms, heat through patches."""

import itertools
import json
import tempfile
import unittest
from pathlib import Path

import heat_results
from plot_test import MANY, ask, read_png

BODY = """
import json, sys
from pathlib import Path
import numpy as np
from plotting import solid, surface
from plotting.fields import Fields
from plotting.result import Result
solid.PIXELS = 405
fields = Fields(Result(Path(sys.argv[1])).pick())
def seen(name, *view):  # an image with NaN beside the body
    body = solid.Solid(fields, surface.view(*view))
    image = np.full(body.seen.shape, np.nan)
    image[body.seen >= 0] = body.values(name)
    return body, image
"""


def plot(*calls):
    """[exit code, output] of tools/plot for each list of arguments, with bodies in few pixels."""
    words = json.dumps([[str(argument) for argument in call] for call in calls])
    return ask("from plotting import solid\nsolid.PIXELS = 400\n" + MANY, words)


class PlotHeat(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "bar"

    def test_the_surface_of_a_body(self):
        """Each boundary face once, with its normal outwards and its own cell behind; ranks leave no faces inside."""
        heat_results.write_heat(self.result, heat_results.bar((4, 3, 2), without={(1, 1, 1), (2, 0, 0)}))
        faces, area, volume, outward, corners_of_cell, cell_size, normals = ask(
            BODY
            + """
s = surface.Surface(fields)
behind = fields.points[fields.cells[s.cells]].mean(axis=1)
outward = np.einsum("ij,ij->i", s.normals, s.centres - behind)
inside = [set(face) <= set(cell) for face, cell in zip(s.triangles.tolist(), fields.cells[s.cells].tolist())]
lit = np.einsum("ijk,ik->ij", s.corner_normals(), s.normals)
print(json.dumps([len(s.triangles), s.areas.sum(), fields.size, outward.min(), all(inside), fields.cell_size,
                  float(lit.min())]))
""",
            self.result,
        )
        dx, dy, dz = 0.1, 0.1 / 3, 0.05
        # A notch at the upper side hides one face and opens five; one at an edge hides two and opens four.
        self.assertEqual(faces, 2 * (2 * (4 * 3 + 3 * 2 + 4 * 2) + 4 + 2))
        notches = 2 * dx * dz + 2 * dy * dz + 2 * dy * dz
        self.assertAlmostEqual(area, 2 * (0.4 * 0.1 + 0.4 * 0.1 + 0.1 * 0.1) + notches)
        self.assertAlmostEqual(volume, 0.4 * 0.1 * 0.1 * 22 / 24)
        self.assertGreater(outward, 0)
        self.assertTrue(corners_of_cell)
        self.assertAlmostEqual(cell_size, (dx * dy * dz / 6) ** (1 / 3))
        self.assertAlmostEqual(normals, 1)  # at right angles faces are lit as flat, not as one round surface

    def test_near_faces_hide_far_ones(self):
        """From the side: temperature where it belongs, no hole in the picture; the bottom of a notch where one is."""
        mesh = heat_results.bar((8, 2, 2), without={(3, 0, 1), (4, 0, 1)})
        heat_results.write_heat(self.result, mesh, depth=lambda place: place[1])
        wrong, holes, shapes, depths, ranks, from_behind, edges = ask(
            BODY
            + """
body, image = seen("temperature", -90, 0)
rows, columns = image.shape
x = (np.arange(columns) - 2) * 0.4 / 400
inner = image[2:-3, 2:-3]
wrong = float(np.abs(inner - (300 + 250 * x[2:-3])).max())
_, depth = seen("depth", -90, 0)
_, rank = seen("rank", -90, 0)
_, behind = seen("temperature", 90, 0)
e = body._edges
print(json.dumps([wrong, int(np.isnan(inner).sum()), [rows, columns],
                  [depth[80, 200], depth[30, 200], depth[80, 100], depth[80, 300]],
                  [float(rank[50, k]) for k in (10, 195, 210, 395)], [behind[50, 10], behind[50, 390]],
                  [bool(e[75, 150:155].any()), bool(e[30, 145:160].any()), bool(e[50:55, 200].any())]]))
""",
            self.result,
        )
        self.assertLess(wrong, 0.1)
        self.assertEqual((holes, shapes), (0, [105, 405]))
        for found, expected in zip(depths, (0.05, 0, 0, 0)):
            self.assertAlmostEqual(found, expected)
        self.assertEqual(ranks, [0, 0, 1, 1])
        self.assertGreater(from_behind[0], 397)  # x runs to the left
        self.assertLess(from_behind[1], 304)
        self.assertEqual(edges, [True, False, True])  # around the notch, and nowhere on the flat side

    def test_pixels_of_triangles(self):
        """A square of triangles with sides along rows and columns leaves out no pixel and reaches none beside it."""
        counts, triangle, depth, line, same = ask(
            """
import json
import numpy as np
from plotting import raster
from plotting.raster import nearest
square = np.array([[[5, 5, 0], [45, 5, 0], [45, 25, 0]], [[5, 5, 0], [45, 25, 0], [5, 25, 0]]], float)
shifted = square + [0.25, 0.5, 0]
crossing = np.array([[[0, 0, 10], [60, 0, -50], [0, 60, 10]]], float)  # above the square where x < 10
all_three = np.concatenate([square, crossing])
seen, depth = nearest(all_three, 60, 40)
counts = [int((nearest(corners, 60, 40)[0] >= 0).sum()) for corners in (square, shifted, square + [30, 0, 0])]
line = nearest(square[:1, [0, 1, 1]], 60, 40)[0]
raster.AT_ONCE = 50
again = nearest(all_three[::-1], 60, 40)
same = bool(np.allclose(again[1], depth)) and bool(np.all(np.where(again[0] < 0, -1, 2 - again[0]) == seen))
print(json.dumps([counts, [int(seen[y, x]) for x, y in ((7, 8), (20, 10), (50, 2), (58, 30))],
                  [depth[8, 7], depth[10, 20], depth[2, 50]], int((line >= 0).sum()), same]))
"""
        )
        self.assertEqual(counts, [41 * 21, 40 * 20, 25 * 21])
        self.assertEqual(triangle, [2, 0, 2, -1])
        for found, expected in zip(depth, (3, 0, -40)):
            self.assertAlmostEqual(found, expected)
        self.assertEqual(line, 0)  # a triangle without area
        self.assertTrue(same)  # in many batches, and in the opposite order

    def test_the_long_axis_lies_across(self):
        for axis in range(3):
            lengths = [0.1, 0.1, 0.1]
            lengths[axis] = 0.5
            result = self.folder / "xyz"[axis]
            heat_results.write_heat(result, heat_results.bar((2, 2, 2), lengths))
        heat_results.write_heat(self.folder / "cube", heat_results.bar((2, 2, 2), (1.0, 1.0, 1.0)))
        views = ask(
            "import json, sys\nfrom pathlib import Path\nfrom plotting.fields import Fields\n"
            "from plotting.result import Result\nfrom plotting.surface import Surface, good_view\n"
            "print(json.dumps([good_view(Surface(Fields(Result(Path(p)).pick()))).tolist() for p in sys.argv[1:]]))",
            *(self.folder / name for name in ("x", "y", "z", "cube")),
        )
        for axis, (right, up, toward) in enumerate(views[:3]):
            self.assertGreater(right[axis], 0.85)
            self.assertGreater(up[1 if axis == 2 else 2], 0.85)
            self.assertGreater(toward[axis], 0.3)  # its end is seen
        for right, up, toward in views:
            cross = [right[i - 2] * up[i - 1] - right[i - 1] * up[i - 2] for i in range(3)]
            for found, expected in zip(cross, toward):
                self.assertAlmostEqual(found, expected)  # not a mirror image

    def test_pictures_of_a_body(self):
        heat_results.write_heat(self.result, heat_results.bar())
        views = self.folder / "views.png"
        fields = "--fields heat_flux,region,rank --view -120,-20 --output".split()
        found = plot([self.result], [self.result, *fields, views])
        self.assertEqual([code for code, _ in found], [0, 0], found)
        width, height, texts = read_png(self.result / "bar.png")
        self.assertEqual(texts["Title"], "A test of heat, 192 tetrahedra, steady")
        self.assertEqual(
            texts["Description"], "Temperature, lines every 10 K; Temperature, line axis; Heat through the patches"
        )
        self.assertGreater(height, 0.6 * width)
        self.assertEqual(read_png(views)[2]["Description"], "Heat flux; Region; Rank")

    def test_pictures_of_a_plate(self):
        """Isotherms, heat-flow lines and the history of a transient run; of the history of a steady one the heat."""
        transient, steady = self.folder / "transient", self.folder / "steady"
        heat_results.write_heat(transient, heat_results.plate(), steps=30)
        heat_results.write_heat(steady, heat_results.plate())
        found = plot([transient], [steady, "--history"], [transient, "--history", "--output", self.folder / "h.png"])
        self.assertEqual([code for code, _ in found], [0, 0, 0], found)
        texts = read_png(transient / "transient.png")[2]
        self.assertEqual(texts["Title"], "A test of heat, 144 triangles, t = 3 s, step 30")
        self.assertEqual(
            texts["Description"],
            "Temperature, lines every 10 K; Heat flux and heat-flow lines; Temperature, line axis; "
            "Lowest and highest temperature; Heat through the patches; Heat not accounted for; "
            "Solver iterations; Solver residuals",
        )
        texts = read_png(steady / "steady-history.png")[2]
        self.assertEqual(texts["Title"], "A test of heat, 144 triangles")
        self.assertEqual(texts["Description"], "Heat through the patches")
        self.assertIn("Step size", read_png(self.folder / "h.png")[2]["Description"])

    def test_heat_flow_lines_and_isotherms(self):
        heat_results.write_heat(self.result, heat_results.plate())
        lines, off_line, flux, levels, numbers, words, noise, none = ask(
            """
import json, sys
from pathlib import Path
import numpy as np
from plotting import drawing
from plotting.fields import Fields
from plotting.result import Result
fields = Fields(Result(Path(sys.argv[1])).pick())
lines = fields.streamlines("heat_flux", 0.02)
levels, numbers, words = drawing.isolines("temperature", fields.values("temperature")[0])
noise = drawing.isolines("temperature", 300 + 1e-7 * np.random.default_rng(1).random(50))
print(json.dumps([len(lines), max(float(np.ptp(line[:, 1])) for line in lines), fields.values("heat_flux")[0].tolist(),
                  np.asarray(levels).tolist(), numbers, words, noise, drawing.isolines("rank", np.arange(5.0))]))
""",
            self.result,
        )
        self.assertGreater(lines, 4)
        self.assertLess(off_line, 1e-12)
        for value in flux:
            self.assertAlmostEqual(value, 10000)
        self.assertEqual(words, ", lines every 10 K")
        self.assertEqual(len(levels), 9)
        for level, expected in zip(levels, itertools.count(310, 10)):
            self.assertAlmostEqual(level, expected, delta=0.02)
        self.assertEqual(numbers, [str(level) for level in range(310, 391, 10)])
        self.assertEqual((noise, none), ([[], [], ""], [[], [], ""]))

    def test_heat_of_many_patches(self):
        """The five with the most heat, in their order, and the sum of the others; the body's own columns are none."""
        patches = ask(
            """
import json
import numpy as np
from plotting.heat import OF_THE_BODY, through_patches
from plotting.result import Column
heat = {"a b": [1, 1], "c": [0, -9], "d": [2, 2], "e": [3, 3], "f": [4, 4], "g": [5, 5], "h": [0.5, 0.25]}
history = {f"heat_{name}": Column(f"heat_{name}", "W", np.array(values, float)) for name, values in heat.items()}
history |= {name: Column(name, "W", np.zeros(2)) for name in OF_THE_BODY}
print(json.dumps([[name, column.values.tolist()] for name, column in through_patches(history).items()]))
"""
        )
        largest = [["c", [0, -9]], ["d", [2, 2]], ["e", [3, 3]], ["f", [4, 4]], ["g", [5, 5]]]
        self.assertEqual(patches, [*largest, ["2 others", [1.5, 1.25]]])

    def test_wrong_input_is_named(self):
        heat_results.write_heat(self.result, heat_results.bar((2, 1, 1)))
        plate = self.folder / "plate"
        heat_results.write_heat(plate, heat_results.plate((2, 1)))
        expected = [
            ([self.result, "--fields", "speed"], "no field `speed`; there are: temperature, heat_flux, region, rank"),
            ([self.result, "--view", "30"], "`30`: expected two angles in degrees", "--view 120,20"),
            ([self.result, "--view", "-60,91"], "`-60,91`: expected two angles"),
            ([self.result, "--view", "0,0", "--history"], "--view is for fields"),
            ([self.result, plate, "--view", "0,0"], "--view is for one RESULT"),
            ([plate, "--view", "-60,30"], "a mesh of triangles", "leave --view out"),
        ]
        for (code, message), (arguments, *texts) in zip(plot(*(arguments for arguments, *_ in expected)), expected):
            with self.subTest(arguments=arguments):
                self.assertEqual(code, 2, message)
                for text in texts:
                    self.assertIn(text, message)
                self.assertNotIn("Traceback", message)

    def test_convergence(self):
        """Temperatures on bars of three meshes, whose error here is the square of the cells' size."""
        folders = [self.folder / f"n{n}" for n in (1, 2, 4)]
        for folder, n in zip(folders, (1, 2, 4)):
            heat_results.write_heat(folder, heat_results.bar((2 * n, n, n)))
            path = folder / "lines" / "axis_000001.csv"
            rows = path.read_text().splitlines()
            path.write_text(
                "\n".join([rows[0], *(f"{row.rpartition(',')[0]},{300 + 0.5 / n**2}" for row in rows[1:])]) + "\n"
            )
        ((code, text),) = plot(folders)
        self.assertEqual(code, 0, text)
        self.assertRegex(text, r"temperature, line axis +4\.688e-01 +9\.375e-02 +2\.00\n")


if __name__ == "__main__":
    unittest.main()
