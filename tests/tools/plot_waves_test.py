"""tools/plot on water waves: the relief of their surface, and the frames of a film."""

import tempfile
import unittest
from pathlib import Path

from plot_test import ask, plot, read_png, write_result

# The light on the triangles of a square whose surface rises to the west, to the east, and is level.
RELIEF = """
import json, sys
import numpy as np
from types import SimpleNamespace
from plotting import relief
points = np.array([[0, 0, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]], dtype=float)
fields = SimpleNamespace(points=points, cells=np.array([[0, 1, 2], [0, 2, 3]]))
fields.percentile = lambda values, at_nodes, percent: values.max()
print(json.dumps([relief.light_on(fields, 1e-3 * slope * points[:, 0]).tolist() for slope in (-1, 1, 0)]))
"""


class Waves(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.result = Path(folder.name) / "waves"
        write_result(self.result)
        for file in self.result.rglob("*.*vtu"):  # a surface in the place of the vorticity
            file.write_text(file.read_text().replace('"vorticity"', '"elevation"'))

    def test_slopes_towards_the_light_are_brighter(self):
        east, west, level = ask(RELIEF)  # slopes that face there
        self.assertEqual(level, [1, 1])
        for dark, bright in zip(east, west):
            self.assertLess(dark, 0.8)
            self.assertGreater(bright, 1.1)

    def test_the_surface_is_drawn(self):
        picture = self.result / "a.png"
        (code, said), = plot([self.result, "--fields", "elevation", "--output", picture])
        self.assertEqual(code, 0, said)
        self.assertIn("Elevation", read_png(picture)[2]["Description"])

    def test_a_film_has_a_frame_for_each_output(self):
        frames = self.result.parent / "new" / "frames"
        found = plot([self.result, "--fields", "elevation,speed", "--film", frames],
                     [self.result, "--film", frames, "--time", "1"], [self.result, "--film", frames, "--history"],
                     [self.result, "--film", self.result / "fields.pvd"])
        self.assertEqual(found[0][0], 0, found[0][1])
        self.assertEqual(sorted(path.name for path in frames.iterdir()), ["frame_0001.png", "frame_0002.png"])
        first, second = (read_png(frames / f"frame_000{k}.png") for k in (1, 2))
        self.assertEqual(first[:2], second[:2])
        self.assertIn("t = 1 s", first[2]["Title"])
        self.assertIn("t = 2 s", second[2]["Title"])
        for (code, said), words in zip(found[1:], ("leave --step and --time out", "leave --history out",
                                                   "cannot be made")):
            self.assertEqual(code, 2)
            self.assertIn(words, said)

    def test_colours_hold_the_ranges_of_all_outputs(self):
        code = "import json; from plotting.film import widest; print(json.dumps(widest([['a', -1, 2], ['a', -3, 1]])))"
        self.assertEqual(ask(code), ["a", -3, 2])


if __name__ == "__main__":
    unittest.main()
