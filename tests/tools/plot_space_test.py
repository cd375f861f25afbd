"""tools/plot on flows on tetrahedra: slices and the velocity in them, layouts, pictures, what options say."""

import tempfile
import unittest
from pathlib import Path

import heat_results
from plot_test import ask, read_png, write_result
from space_results import OPENING, cube, linear, plot, write_flow


class PlotSpace(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "flow"

    def test_slices_of_a_linear_field(self):
        """Its own values to round-off, on planes along faces of cells, between nodes and at both ends; all of the area
        and its outline once."""
        mesh = heat_results.bar((4, 3, 2), without={(1, 1, 1)})  # 0.4 by 0.1 by 0.1, a notch from x = 0.1 to 0.2
        write_flow(self.result, mesh, q_criterion=linear)
        found = ask(
            OPENING
            + """
found = []
for axis, place in ((0, 0.0), (0, 0.13), (0, 0.1), (0, 0.4), (1, 0.05), (2, 0.05), (2, 0.071), (2, 0.1)):
    one = slices.Slice(fields, axis, place)
    p = one.cut.points
    values, at_corners = one.values("q_criterion")
    a, b, c = (one.points[corner] for corner in one.cells.T)
    turn = (b - a)[:, 0] * (c - a)[:, 1] - (b - a)[:, 1] * (c - a)[:, 0]
    ends = one.points[one.boundary()[0]]
    found.append([float(np.abs(values - (3 + 2 * p[:, 0] - 5 * p[:, 1] + 7 * p[:, 2])).max()), at_corners,
                  float(np.abs(p[:, axis] - place).max()), float(one.sizes.sum()), float(turn.min()),
                  float(np.hypot(*(ends[:, 0] - ends[:, 1]).T).sum())])
print(json.dumps(found))
""",
            self.result,
        )
        whole, side = 0.01, 0.4
        notch = 0.1 / 3 * 0.05
        long = 0.1 * side
        areas = [whole, whole - notch, None, whole, long - 0.1 * 0.05, None, long - 0.1 * 0.1 / 3, long - 0.1 * 0.1 / 3]
        outlines = [0.4, 0.5, None, 0.4, 1.1, None, 1 + 2 * (0.1 + 0.1 / 3), 1 + 2 * (0.1 + 0.1 / 3)]
        for (wrong, at_corners, off_plane, area, turn, outline), expected, length in zip(found, areas, outlines):
            self.assertTrue(at_corners)
            self.assertLess(wrong, 1e-13)
            self.assertLess(off_plane, 1e-15)
            self.assertGreater(turn, 0)
            if expected is None:  # along a wall of the notch: of either side
                continue
            self.assertAlmostEqual(area, expected, delta=1e-14)
            self.assertAlmostEqual(outline, length, delta=1e-13)

    def test_the_velocity_in_a_plane(self):
        """Along the axes of the picture, also of one that lies across; its lines are circles where the flow turns."""
        write_flow(self.result, cube(8))
        tall = self.folder / "tall"
        write_flow(tall, heat_results.bar((2, 2, 4), (0.5, 0.5, 2.0)))
        grids, radii, least, most = ask(
            OPENING
            + """
found = []
for path, axis, place in ((1, 2, 0.4), (1, 0, 0.3), (1, 1, 0.77), (2, 0, 0.2), (2, 1, 0.1)):
    one = slices.Slice(Fields(Result(Path(sys.argv[path])).pick()), axis, place)
    grid = one.on_grid(one.in_plane("velocity"), 0.05)
    rows, columns = np.nonzero(grid.inside)
    p = np.zeros((len(rows), 3))
    p[:, axis] = place
    p[:, one.across], p[:, one.up] = grid.place(rows, columns)
    exact = np.stack([0.5 - p[:, 1], p[:, 0] - 0.5, 0.25 + p[:, 0]], axis=1)[:, [one.across, one.up]]
    u, v = (np.array(part)[rows, columns] for part in (grid._u, grid._v))
    found.append(["".join(one.axes), float(np.abs(np.stack([u, v], axis=1) - exact).max()), bool(grid.inside.all()),
                  float(one.aspect), one.name])
lines = slices.Slice(fields, 2, 0.4).lines_along("velocity", 0.06)
print(json.dumps([found, [float(np.ptp(np.hypot(*(line - 0.5).T))) for line in lines],
                  float(min(line.min() for line in lines)), float(max(line.max() for line in lines))]))
""",
            self.result,
            tall,
        )
        self.assertEqual([axes for axes, *_ in grids], ["xy", "yz", "xz", "zy", "zx"])
        names = ["z = 0.4 m", "x = 0.3 m", "y = 0.77 m", "x = 0.2 m", "y = 0.1 m"]
        self.assertEqual([name for *_, name in grids], names)
        for _, wrong, whole, aspect, _ in grids:
            self.assertLess(wrong, 1e-13)
            self.assertTrue(whole)
            self.assertGreater(aspect, 0.99)
        self.assertAlmostEqual(grids[3][3], 4)
        self.assertGreater(len(radii), 5)
        self.assertLess(max(radii), 0.01)
        self.assertGreater(least, 0)
        self.assertLess(most, 1)

    def test_lines_that_wind_in(self):
        """In a plane they may: they end where their turns would lie too close, and keep apart from each other."""
        sink = lambda p: (0.5 - p[1] - 0.06 * (p[0] - 0.5), p[0] - 0.5 - 0.06 * (p[1] - 0.5), 0.0)
        write_flow(self.result, cube(8), sink)
        lines, turns, nearest = ask(
            OPENING
            + """
lines = slices.Slice(fields, 2, 0.4).lines_along("velocity", 0.06)
angles = [np.unwrap(np.arctan2(line[:, 1] - 0.5, line[:, 0] - 0.5)) for line in lines]
nearest = []
for line in lines:  # to what is more than a distance behind along the line
    apart = np.linalg.norm(line[:, None] - line[None], axis=2)
    step = np.linalg.norm(line[1] - line[0])
    far = np.abs(np.subtract.outer(np.arange(len(line)), np.arange(len(line)))) * step > 0.09
    nearest.append(float(apart[far].min()) if far.any() else 1.0)
print(json.dumps([len(lines), float(max(np.ptp(a) for a in angles)) / (2 * np.pi), min(nearest)]))
""",
            self.result,
        )
        self.assertGreater(lines, 5)
        self.assertLess(turns, 6.5)  # each brings it nearer by a third
        self.assertGreater(nearest, 0.35 * 0.06)

    def test_what_a_slice_shows(self):
        """The field at each pixel and nothing in a notch; pressures of cells continuous; no lines of a plane that the
        flow goes straight through; the same colours on all planes."""
        mesh = heat_results.bar((8, 4, 4), (2.0, 1.0, 1.0), without={(3, 3, 1), (3, 3, 2)})
        write_flow(self.result, mesh, lambda place: (1.0, 1e-4, 0.0), q_criterion=linear)
        wrong, empty, pressure, ranks, flows, colours = ask(
            OPENING
            + """
one = slices.Slice(fields, 2, 0.5)
image, (left, right, bottom, top) = one.image("q_criterion")
rows, columns = image.shape
x = left + (np.arange(columns) + 0.5) * (right - left) / columns
y = bottom + (np.arange(rows) + 0.5) * (top - bottom) / rows
wrong = np.abs(image - (3 + 2 * x[None, :] - 5 * y[:, None] + 7 * 0.5))
hole = (x[None, :] > 0.76) & (x[None, :] < 0.99) & (y[:, None] > 0.76)
near = (x[None, :] > 0.74) & (x[None, :] < 1.01) & (y[:, None] > 0.74)
both = slices.Together([slices.Slice(fields, 0, place) for place in (0.25, 1.5)])
values, at_corners = both.values("q_criterion")
print(json.dumps([float(wrong[~near].max()), bool(np.isnan(image[hole]).all() and not np.isnan(image[~near]).any()),
                  [one.values("pressure")[1], float(np.nanmax(np.diff(one.image("pressure")[0], axis=1)))],
                  sorted(set(one.image("rank")[0][0].tolist())),
                  [one.has_flow(), slices.Slice(fields, 0, 1.5).has_flow()],
                  [float(values.max()), float(both.percentile(values, at_corners, 50)),
                   float(both.percentile(values, at_corners, 100))]]))
""",
            self.result,
        )
        self.assertLess(wrong, 1e-12)
        self.assertTrue(empty)
        self.assertTrue(pressure[0])
        self.assertLess(pressure[1], 0.2)  # of 8 from end to end on 201 pixels; cells differ by half a metre's 1
        self.assertEqual(ranks, [0, 1])
        self.assertEqual(flows, [True, False])
        self.assertAlmostEqual(colours[0], 3 + 2 * 1.5 + 7)
        self.assertAlmostEqual(colours[1], 3 + 2 * 0.875 - 2.5 + 3.5, delta=0.6)
        self.assertLess(colours[2], colours[0])

    def test_layouts(self):
        """Squares side by side, long panels below each other, rows of one field or of one plane; nothing overlaps."""
        rows, overlaps, outside, fonts = ask(
            OPENING
            + """
def rows(aspects, **more):
    return [len(row) for row in layout.rows_of([layout.Panel(a, None, 0.62, colours="speed") for a in aspects])[0]]
grid = [layout.Panel(1, None, 0.62, colours=name, place=place) for place in "xy" for name in "abc"]
found = [rows([1, 1, 1]), rows([1, 1, 1, 1]), rows([1, 7, 7]), rows([1]), rows([20, 20]),
         [len(row) for row in layout.rows_of(grid)[0]],
         [len(row) for row in layout.rows_of([*grid[::3], grid[0], layout.Panel(1, None)])[0]]]
def draw(axes, width, bar):
    axes.set_title("A title that is a little too long for its panel", fontsize=11)
panels = [layout.Panel(a, draw, 0.62, colours=c) for a, c in ((1, 1), (1, 1), (1, 2), (6, 2), (0.8, 3), (3, 3))]
curves = [lambda axes: axes.plot([0, 1])] * 4
figure = layout.lay_out("one\\ntwo", [panels], curves)
figure.canvas.draw()
boxes = [axes.get_tightbbox(figure.canvas.get_renderer()) for axes in figure.axes]
boxes.append(figure._suptitle.get_window_extent())
page = figure.bbox
over = [[i, j] for i in range(len(boxes)) for j in range(i) if boxes[i].overlaps(boxes[j])]
outside = [i for i, b in enumerate(boxes) if b.x0 < 0 or b.y0 < 0 or b.x1 > page.x1 or b.y1 > page.y1]
print(json.dumps([found, over, outside, sorted({axes.title.get_fontsize() for axes in figure.axes[:3]})]))
"""
        )
        self.assertEqual(rows, [[3], [2, 2], [1, 1, 1], [1], [1, 1], [3, 3], [2, 2]])
        self.assertEqual((overlaps, outside), ([], []))
        self.assertEqual(len(fonts), 1)

    def test_pictures(self):
        write_flow(self.result, cube(), q_criterion=lambda p: p[0] - 0.5, vorticity=lambda p: (0.0, p[1], 2.0))
        bare = self.folder / "bare"
        write_flow(bare, cube(2))
        out = [self.folder / f"{k}.png" for k in range(3)]
        three = "--slice x=0.3,z=1 --isosurface q_criterion=0.2 --colour pressure --surface pressure --view 20,30"
        found = plot(
            [self.result],
            [bare],
            [self.result, *three.split(), "--output", out[0], "--step", "7"],
            [self.result, "--fields", "w,vorticity_z,rank", "--output", out[1], "--small", "--time", "0.5"],
            [self.result, "--isosurface", "vorticity", "--history", "--dpi", "120"],
            [self.result, "--surface", "speed", "--profiles", "--output", out[2]],
            [self.result, "--isosurface", "speed=0.7", "--output", out[2]],
        )
        self.assertEqual([code for code, _ in found], [0, 0, 0, 0, 0, 2, 0], found)
        planes = "Speed and streamlines, x = 0.5 m; Speed and streamlines, y = 0.5 m; Speed and streamlines, z = 0.5 m"
        width, height, texts = read_png(self.result / "flow.png")
        self.assertEqual(width, 1980)
        self.assertGreater(height, width)
        self.assertEqual(texts["Title"], "A test of space, 384 tetrahedra, t = 0.5 s, step 7")
        self.assertEqual(
            texts["Description"], f"{planes}; Q criterion = 0.44 1/s², coloured by speed; Kinetic energy"
        )
        self.assertEqual(read_png(bare / "bare.png")[2]["Description"], f"{planes}; Kinetic energy")
        self.assertEqual(
            read_png(out[0])[2]["Description"],
            "Speed and streamlines, x = 0.3 m; Speed and streamlines, z = 1 m; Pressure / density; "
            "Q criterion = 0.2 1/s², coloured by pressure / density",
        )
        width, height, texts = read_png(out[1])
        self.assertEqual(width, 1980)
        names = ("Velocity w", "Vorticity z", "Rank")
        self.assertEqual(
            texts["Description"], "; ".join(f"{name}, {axis} = 0.5 m" for name in names for axis in "xyz")
        )
        width, height, texts = read_png(self.result / "flow-isosurface-history.png")
        self.assertEqual(width, 1320)
        self.assertRegex(texts["Description"], r"^Vorticity = 2.2 1/s, coloured by speed; .*Kinetic energy")
        self.assertIn("no profile of step 7", found[-2][1])
        self.assertEqual(read_png(out[2])[2]["Description"], "Speed = 0.7 m/s, coloured by pressure / density")

    def test_heat_can_be_sliced(self):
        heat_results.write_heat(self.result, heat_results.bar())
        out = self.folder / "a.png"
        found = plot(
            [self.result, "--slice", "y=0.05,x=0.1"],
            [self.result, "--isosurface", "temperature=345", "--output", out],
            [self.result, "--fields", "temperature"],
        )
        self.assertEqual([code for code, _ in found], [0, 0, 0], found)
        self.assertEqual(
            read_png(self.result / "flow-slice.png")[2]["Description"],
            "Temperature, y = 0.05 m, lines every 10 K; Temperature, x = 0.1 m, lines every 10 K",
        )
        self.assertEqual(read_png(out)[2]["Description"], "Temperature = 345 K")
        surface = read_png(self.result / "flow-fields.png")[2]["Description"]
        self.assertEqual(surface, "Temperature, lines every 10 K")  # of a body, as ever

    def test_wrong_options_are_named(self):
        apart = {(2, j, k) for j in (0, 1) for k in (0, 1)}
        write_flow(self.result, heat_results.bar((5, 2, 2), (1.0, 0.5, 0.5), apart), q_criterion=lambda p: -p[0])
        flat = self.folder / "flat"
        write_result(flat)
        there = "there are: speed, u, v, w, q_criterion, pressure, rank"
        expected = [
            (["--slice", "r=0.5"], "`r=0.5`: expected an axis and a place on it"),
            (["--slice", "x=0.5,y"], "`y`: expected an axis"),
            (["--slice", "x=nan"], "`x=nan`: expected an axis"),
            (["--slice", "x=3"], "no slice at x = 3 m; the body reaches from x = 0 m to 1 m"),
            (["--slice", "y=-0.1"], "no slice at y = -0.1 m; the body reaches from y = 0 m to 0.5 m"),
            (["--slice", "x=0.5"], "the plane meets nothing of the body"),
            (["--fields", "vortcity"], "no field `vortcity`", there),
            (["--fields", "vorticity_x", "--slice", "x=0"], "no field `vorticity_x`", there),
            (["--isosurface", "helicity"], "no field `helicity`", there),
            (["--isosurface", "speed", "--colour", "heat"], "no field `heat`", there),
            (["--isosurface", "speed=9"], "no isosurface speed=9; `speed` reaches from", "--isosurface NAME=VALUE"),
            (["--isosurface", "speed=fast"], "`speed=fast`: expected a field, and a number"),
            (["--isosurface", "q_criterion"], "no positive value; `q_criterion` reaches from -1 to 0 1/s²"),
            (["--surface", "wall_shear"], "no field `wall_shear`", there),
            (["--colour", "speed"], "--colour is that of an isosurface"),
            (["--slice", "x=0", "--view", "0,0"], "--view is for --isosurface and --surface"),
        ]
        calls = [([self.result, *arguments], texts) for arguments, *texts in expected]
        for choice in (["--slice", "x=0.5"], ["--isosurface", "speed"], ["--surface", "pressure"]):
            calls.append(([flat, *choice], ("a mesh of triangles", f"{choice[0]} is for tetrahedra, leave it out")))
            calls.append(([flat, self.result, *choice], (f"{choice[0]} is for one RESULT",)))
        for (code, message), (arguments, texts) in zip(plot(*(arguments for arguments, _ in calls)), calls):
            with self.subTest(arguments=arguments):
                self.assertEqual(code, 2, message)
                for text in texts:
                    self.assertIn(text, message)
                self.assertNotIn("Traceback", message)


if __name__ == "__main__":
    unittest.main()
