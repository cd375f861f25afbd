"""tools/plot on what lies inside flows on tetrahedra: isosurfaces, and boundary groups by themselves."""

import math
import tempfile
import unittest
from pathlib import Path

import heat_results
from plot_test import ask, read_png
from space_results import OPENING, cube, plot, write_flow, write_patches


class PlotIsosurface(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "flow"

    def test_isosurfaces_lie_where_the_field_has_the_value(self):
        """A plane of a linear field to round-off; a sphere about its middle, closed, with its area and normals."""
        write_flow(self.result, cube(8), plane=lambda p: p[0] + 2 * p[1], round=lambda p: math.dist(p, (0.5, 0.5, 0.5)))
        plane, sphere, normals = ask(
            OPENING
            + """
flat = isosurface.Isosurface(fields, "plane", 0.9, surface.view(-90, 0))
p = flat.sheet.points
ball = isosurface.Isosurface(fields, "round", 0.35, surface.view(-90, 0))
q = np.linalg.norm(ball.sheet.points - 0.5, axis=1)
sides = np.sort(np.concatenate([ball.sheet.triangles[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
count = np.unique(sides, axis=0, return_counts=True)[1]
rows, columns = np.nonzero(ball.seen >= 0)
x, z = (at / 400 - 0.5 - 2 / 400 for at in (columns, rows))
outward = np.stack([x, z, np.sqrt(np.maximum(0.35**2 - x**2 - z**2, 0))], axis=1) / 0.35
inner = np.hypot(x, z) < 0.28
print(json.dumps([[float(np.abs(p[:, 0] + 2 * p[:, 1] - 0.9).max()), float(flat.sheet.areas().sum())],
                  [float(q.min()), float(q.max()), float(ball.sheet.areas().sum()), sorted(set(count.tolist())),
                   len(rows) / 400**2],
                  float(np.einsum("pk,pk->p", ball._normals, outward)[inner].min())]))
""",
            self.result,
        )
        self.assertLess(plane[0], 1e-14)
        self.assertAlmostEqual(plane[1], math.hypot(0.9, 0.45))
        self.assertGreater(sphere[0], 0.335)
        self.assertLess(sphere[1], 0.351)
        self.assertAlmostEqual(sphere[2], 4 * math.pi * 0.35**2, delta=0.06)
        self.assertEqual(sphere[3], [2])  # each side of a triangle is that of another one
        self.assertAlmostEqual(sphere[4], math.pi * 0.35**2, delta=0.02)
        self.assertGreater(normals, 0.96)

    def test_what_an_isosurface_shows(self):
        """A body within the flow hides what is behind it; colours are those of the other field; a value that fits."""
        n = 4
        hole = {(i, 1, k) for i in (1, 2) for k in (1, 2)}
        mesh = heat_results.bar((n, n, n), (1.0, 1.0, 1.0), without=hole)
        write_flow(self.result, mesh, q_criterion=lambda p: p[1], vorticity=lambda p: (0.0, 3 * p[0], -4 * p[0]))
        hidden, seen, shades, value, title, levels = ask(
            OPENING
            + """
behind = isosurface.Isosurface(fields, "q_criterion", 0.8, surface.view(-90, 0))
front = isosurface.Isosurface(fields, "q_criterion", 0.1, surface.view(-90, 0))
image = np.full(front.seen.shape, np.nan)
image[front.seen >= 0] = front.values("vorticity")
x = (np.arange(image.shape[1]) - 2) / 400
chosen = isosurface.Isosurface(fields, "vorticity")
levels = drawing.colour_range(fields, "vorticity", *fields.values("vorticity"))
print(json.dumps([int((behind.seen[110:294, 110:294] >= 0).sum()), bool((behind.seen[10:90, 10:390] >= 0).all()),
                  float(np.nanmax(np.abs(image - 5 * x))), [chosen.value, float((fields.values("vorticity")[0]).max())],
                  [front.title("vorticity"), front.title("q_criterion")], levels]))
""",
            self.result,
        )
        self.assertEqual(hidden, 0)
        self.assertTrue(seen)
        self.assertLess(shades, 0.03)
        self.assertEqual(value, [4.4, 5])
        self.assertEqual(title, ["Q criterion = 0.1 1/s², coloured by vorticity", "Q criterion = 0.1 1/s²"])
        self.assertEqual(levels, ["magma", 0, 5])  # a magnitude has no sign

    def test_patches_alone(self):
        """Faces of the groups that are named, seen from both sides, in colours of their own."""
        write_flow(self.result, cube(), q_criterion=lambda p: p[0] + 10 * p[2])
        write_patches(self.result, 4)
        areas, normals, seen, values, title = ask(
            OPENING
            + """
from plotting import patches
result = Result(Path(sys.argv[1]))
areas = [float(patches.Patches(result, fields, names).surface.areas.sum()) for names in (["low"], ["low", "side"])]
found = []
for azimuth in (-90, 90):
    body = patches.Patches(result, fields, ["side"], surface.view(azimuth, 0))
    image = np.full(body.seen.shape, np.nan)
    image[body.seen >= 0] = body.values("q_criterion")
    x = (np.arange(405) - 2) / 400
    x = x if azimuth < 0 else 1 - x
    exact = x[None, :] + 10 * (np.arange(405)[:, None] - 2) / 400
    found.append([float(body._normals[:, 2].min()), int((body.seen >= 0).sum()),
                  float(np.nanmax(np.abs(image - exact)))])
low = patches.Patches(result, fields, ["low"])
values, colours = low.range("q_criterion")
print(json.dumps([areas, [n for n, *_ in found], [s for _, s, _ in found],
                  [max(w for *_, w in found), float(values.max()), float(colours[2])],
                  [low.title("q_criterion"), len(low.range("rank")[0])]]))
""",
            self.result,
        )
        self.assertAlmostEqual(areas[0], 1)
        self.assertAlmostEqual(areas[1], 2)
        self.assertAlmostEqual(min(normals), 1)
        self.assertEqual(seen, [401 * 401] * 2)
        self.assertLess(values[0], 0.03)
        self.assertEqual(values[1:], [1, 1])
        self.assertEqual(title, ["Q criterion, low", 32])
        name = self.folder / "low.png"
        arguments = [self.result, "--surface", "pressure,rank", "--patches", "low,side", "--output", name]
        wrong = [self.result, "--surface", "pressure", "--patches", "lid"]
        drawn, unknown, alone = plot(arguments, wrong, [self.result, "--patches", "low"])
        self.assertEqual(drawn[0], 0, drawn)
        self.assertEqual(read_png(name)[2]["Description"], "Pressure / density, low, side; Rank, low, side")
        self.assertEqual((unknown[0], alone[0]), (2, 2))
        self.assertIn("no patch `lid`; there are: low, side", unknown[1])
        self.assertIn("--patches are parts of the surface", alone[1])


if __name__ == "__main__":
    unittest.main()
