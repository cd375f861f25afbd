"""Pictures of a body of tetrahedra: its surface in colour, lit, with thin lines along its edges."""

import math

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize

from plotting import drawing, raster
from plotting.fields import NUMBERS
from plotting.surface import Surface, good_view

PIXELS = 3600  # of the longer side of the picture of a body, two or more to one of the PNG
LAMP = np.array([-0.24, 0.62, 0.75]) / np.linalg.norm([-0.24, 0.62, 0.75])  # where it is: right, up, to the viewer
DARKEST, BRIGHTEST = 0.42, 1.04  # factors of a colour, where the surface faces away from the lamp and towards it
GLOSS, SHARPNESS = 0.16, 24
PALER = 0.12  # so that shadows show on dark colours too
CREASE = math.cos(math.radians(25))  # pixels whose normals differ by more have an edge between them
STEP = 0.008  # of the body's size: neighbours whose depths leave a plane by more have an edge between them
EDGE, ISOLINE = 0.72, 0.42  # how dark the lines are
STRIP = 0.62  # inches below the body, for the axes and the scale
ARROW = 0.36  # inches


class Solid:
    """What is seen of `fields` from a direction."""

    extra, highest = STRIP + 0.4, 7.0  # inches of a panel's height beside the body, and of all of it

    def __init__(self, fields, directions=None):
        self.fields, self.surface = fields, Surface(fields)
        self.directions = good_view(self.surface) if directions is None else directions
        seen = self.surface.points @ self.directions.T
        seen = seen[np.unique(self.surface.triangles)]
        (left, bottom, _), (right, top, _) = seen.min(axis=0), seen.max(axis=0)
        self.extent = left, right, bottom, top
        self.aspect = (right - left) / (top - bottom)
        self._pixel = max(right - left, top - bottom) / (PIXELS - 5)
        self._render()

    def _render(self):
        """Which triangle is seen at each pixel, where on it, and where lines are to be drawn."""
        left, right, bottom, top = self.extent
        front = self.surface.normals @ self.directions[2] > 0
        self.triangles, self.behind = self.surface.triangles[front], self.surface.cells[front]
        corners = (self.surface.points @ self.directions.T)[self.triangles]
        corners = (corners - [left, bottom, 0]) / self._pixel + [2, 2, 0]  # pixels, with a margin for the outline
        width, height = (math.ceil(length / self._pixel) + 5 for length in (right - left, top - bottom))
        self.seen, depth = raster.nearest(corners, width, height)
        self._shares = raster.shares(corners, self.seen)
        normals = self.surface.corner_normals()[front] @ self.directions.T
        self._normals = self._between_corners(normals[self.seen[self.seen >= 0]])
        self._normals /= np.linalg.norm(self._normals, axis=1, keepdims=True)
        self._edges = self._edge_pixels(depth)

    def _between_corners(self, at_corners):
        return np.einsum("pk,pk...->p...", self._shares, at_corners)

    def _edge_pixels(self, depth):
        """Outlines, where the depth jumps, and creases, where the normal does."""
        covered = self.seen >= 0
        normals = np.zeros((*self.seen.shape, 3), np.float32)
        normals[covered] = self._normals
        step = STEP * PIXELS
        edges = np.zeros(self.seen.shape, bool)
        with np.errstate(invalid="ignore"):
            for axis in (0, 1):
                d, n, c, e = (np.moveaxis(array, axis, 0) for array in (depth, normals, covered, edges))
                both = c[1:] & c[:-1]
                crease = both & (np.einsum("ijk,ijk->ij", n[1:], n[:-1]) < CREASE)
                change = np.diff(d, axis=0)
                bend = np.abs(np.diff(change, axis=0)) > step
                jump = np.zeros_like(both)
                jump[1:] |= bend & (np.abs(change[1:]) > np.abs(change[:-1]))
                jump[:-1] |= bend & (np.abs(change[:-1]) >= np.abs(change[1:]))
                between = crease | (both & jump) | (c[1:] != c[:-1])
                e[1:] |= between
                e[:-1] |= between
        return edges

    def values(self, name):
        """The field at the pixels where the body is seen; values at nodes vary over a triangle, others do not."""
        values, at_nodes = self.fields.values(name)
        visible = self.seen[self.seen >= 0]
        return self._between_corners(values[self.triangles[visible]]) if at_nodes else values[self.behind[visible]]

    def image(self, name, colours, levels=()):
        """Red, green and blue at each pixel."""
        covered = self.seen >= 0
        values = self.values(name)
        halfway = LAMP + [0, 0, 1]
        halfway /= np.linalg.norm(halfway)
        lit = DARKEST + (BRIGHTEST - DARKEST) * 0.5 * (1 + self._normals @ LAMP)
        gloss = GLOSS * np.clip(self._normals @ halfway, 0, 1) ** SHARPNESS
        image = np.ones((*covered.shape, 3), np.float32)
        image[covered] = np.clip(colours.to_rgba(values)[:, :3] * lit[:, None] + gloss[:, None], 0, 1)
        if len(levels):
            image[self._level_pixels(values, levels)] *= 1 - ISOLINE
        image[self._edges] *= 1 - EDGE
        return image

    def _level_pixels(self, values, levels):
        covered = self.seen >= 0
        level = np.full(covered.shape, -1)
        level[covered] = np.searchsorted(levels, values)
        lines = np.zeros(covered.shape, bool)
        for number, c, line in ((level, covered, lines), (level.T, covered.T, lines.T)):
            between = c[1:] & c[:-1] & (number[1:] != number[:-1])
            line[1:] |= between
            line[:-1] |= between
        return lines & ~self._edges

    def draw(self, axes, name, width):
        """The body `width` inches wide, colour bar to the right, coordinate axes and a scale below."""
        values, at_nodes = self.fields.values(name)
        colour_map, low, high = drawing.colour_range(self.fields, name, values, at_nodes)
        if name not in NUMBERS:
            colour_map = ListedColormap(1 - (1 - PALER) * (1 - drawing.plt.get_cmap(colour_map)(range(256))[:, :3]))
        colours = ScalarMappable(Normalize(low, high), colour_map)
        colours.set_array(values)
        levels, words = drawing.isolines(name, values)
        left, right, bottom, top = self.extent
        margin = 2.5 * self._pixel
        rows, columns = self.seen.shape
        place = [left - margin, left - margin + columns * self._pixel]
        place += [bottom - margin, bottom - margin + rows * self._pixel]
        axes.imshow(self.image(name, colours, levels), extent=place, origin="lower", interpolation="antialiased")
        inch = (right - left) / width
        strip = STRIP * inch
        axes.set_xlim(place[0], place[1])
        axes.set_ylim(place[2] - strip, place[3])
        axes.set_axis_off()
        axes.set_title(drawing.label_and_unit(name)[0] + words)
        self._draw_axes(axes, inch)
        self._draw_scale(axes, inch)
        foot = strip / (place[3] - place[2] + strip)
        bar = 0.14 / width
        drawing.colour_bar(axes, colours, name, values, [1 + 1.2 * bar, foot, bar, 1 - foot])

    def _draw_axes(self, axes, inch):
        """Arrows along x, y and z at the lower left."""
        left, _, bottom, _ = self.extent
        arrows = ARROW * inch * self.directions[:2].T
        start = np.array([left, bottom - STRIP * inch]) + 0.12 * inch - np.minimum(arrows.min(axis=0), 0)
        for arrow, word in zip(arrows, "xyz"):
            if np.hypot(*arrow) < 0.1 * ARROW * inch:
                continue  # it points to the viewer
            style = {"arrowstyle": "-|>", "linewidth": 0.9, "color": "black", "shrinkA": 0, "shrinkB": 0}
            style["mutation_scale"] = 7
            axes.annotate("", xy=start + arrow, xytext=start, arrowprops=style)
            beyond = start + arrow + 0.09 * inch * arrow / np.hypot(*arrow)
            axes.text(*beyond, word, ha="center", va="center", fontsize=9)

    def _draw_scale(self, axes, inch):
        """A bar of a round length at the lower right."""
        left, right, bottom, _ = self.extent
        length = 0.25 * (right - left)
        power = 10.0 ** math.floor(math.log10(length))
        length = power * max(front for front in (1, 2, 5) if front * power <= length)
        y = bottom - 0.66 * STRIP * inch
        axes.plot([right - length, right], [y, y], color="black", linewidth=2, solid_capstyle="butt")
        axes.text(right - length / 2, y + 0.06 * inch, f"{length:g} m", ha="center", va="bottom", fontsize=9)

