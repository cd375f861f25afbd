"""Pictures of a body of tetrahedra: its lit surface in colour, with thin lines along its edges."""

import math

import numpy as np
from matplotlib.cm import ScalarMappable
from matplotlib.colors import ListedColormap, Normalize

from plotting import drawing, raster
from plotting.fields import NUMBERS
from plotting.surface import Surface, good_view

PIXELS = 3600  # of the longer side of a body's picture, two or more per pixel of the PNG
LAMP = np.array([-0.24, 0.62, 0.75]) / np.linalg.norm([-0.24, 0.62, 0.75])  # right, up, to the viewer
DARKEST = 0.7  # brightness factor facing away from the lamp; 1 towards it; the bar shows both
PALER = 0.12  # keeps shadows visible on dark colours
CREASE = math.cos(math.radians(25))  # pixels with a larger angle between normals have an edge between them
STEP = 0.008  # of the body's size: a larger deviation of the depth from a plane is an edge
EDGE, ISOLINE = 0.45, 0.8  # darkness of the lines; isolines are twice as wide as edges, and have numbers
LABEL = 110  # pixels: about the length of an isoline's number; numbers are at least two of it apart
SHORTEST = 0.5  # of LABEL: shorter visible isolines have no number
STRIP = 0.62  # inches below the body, for the axes and the scale
ARROW = 0.36  # inches


def light(normals):
    """Brightness factor of colours for normals [right, up, to the viewer]."""
    return DARKEST + (1 - DARKEST) * 0.5 * (1 + normals @ LAMP)


def edge_pixels(seen, depth, normals=None):
    """Pixels of outlines (jumps of the depth) and creases (jumps of the normal); normals: at covered pixels."""
    covered = seen >= 0
    normal = np.zeros((*seen.shape, 3), np.float32)
    normal[covered] = [0, 0, 1] if normals is None else normals
    step = STEP * max(seen.shape)
    edges = np.zeros(seen.shape, bool)
    with np.errstate(invalid="ignore"):
        for axis in (0, 1):
            d, n, c, e = (np.moveaxis(array, axis, 0) for array in (depth, normal, covered, edges))
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


class Solid:
    """The visible surface of `fields` from a direction."""

    pixels = None  # of the longer side; None: PIXELS
    extra, highest = STRIP + 0.4, 7.0  # inches: panel height besides the body, and its maximum

    def __init__(self, fields, directions=None, surface=None):
        """surface: the drawn part; by default the whole boundary."""
        self.fields, self.surface = fields, surface or Surface(fields)
        self.directions = good_view(self.surface) if directions is None else directions
        seen = self.surface.points @ self.directions.T
        seen = seen[np.unique(self.surface.triangles)]
        (left, bottom, _), (right, top, _) = seen.min(axis=0), seen.max(axis=0)
        self.extent = left, right, bottom, top
        self.aspect = (right - left) / (top - bottom)
        self._pixel = max(right - left, top - bottom) / ((self.pixels or PIXELS) - 5)
        self._render()

    def _render(self):
        """Computes the visible triangle at each pixel, the position on it, and the edge pixels."""
        facing = self.surface.normals @ self.directions[2]
        front = facing != 0 if self.surface.open else facing > 0
        self.triangles, self.behind = self.surface.triangles[front], self.surface.cells[front]
        normals = self.surface.corner_normals()[front] * np.sign(facing[front])[:, None, None]
        self.seen, depth, self._shares, self._normals = self._look(self.surface.points[self.triangles], normals)
        self._edges = edge_pixels(self.seen, depth, self._normals)

    def _look(self, corners, normals):
        """(triangle and depth at each pixel; barycentric coordinates; normal towards right, up and viewer) from
        triangles and their corner normals; the last two for covered pixels only."""
        left, right, bottom, top = self.extent
        corners = (corners @ self.directions.T - [left, bottom, 0]) / self._pixel
        corners += [2, 2, 0]  # a margin for the outline
        width, height = (math.ceil(length / self._pixel) + 5 for length in (right - left, top - bottom))
        seen, depth = raster.nearest(corners, width, height)
        shares = raster.shares(corners, seen)
        normals = (normals @ self.directions.T)[seen[seen >= 0]]
        normals = np.einsum("pk,pkd->pd", shares, normals)
        length = np.linalg.norm(normals, axis=1, keepdims=True)
        return seen, depth, shares, normals / np.where(length > 0, length, 1)

    def _between_corners(self, at_corners):
        return np.einsum("pk,pk...->p...", self._shares, at_corners)

    def values(self, name):
        """The field at the pixels of the body; node values vary over a triangle, cell values do not."""
        values, at_nodes = self.fields.values(name)
        visible = self.seen[self.seen >= 0]
        return self._between_corners(values[self.triangles[visible]]) if at_nodes else values[self.behind[visible]]

    def range(self, name):
        """(values that set the colours, colour map with its ends)."""
        values, at_nodes = self.fields.values(name)
        return values, drawing.colour_range(self.fields, name, values, at_nodes)

    def title(self, name):
        return drawing.label_and_unit(name)[0]

    def image(self, name, colours, levels=()):
        """Red, green and blue at each pixel."""
        covered = self.seen >= 0
        values = self.values(name)
        lit = light(self._normals)
        image = np.ones((*covered.shape, 3), np.float32)
        image[covered] = colours.to_rgba(values)[:, :3] * lit[:, None]
        image[self._edges] *= 1 - EDGE
        if len(levels):
            image[self._widened(self.level_pixels(values, levels) >= 0)] *= 1 - ISOLINE
        return image

    def level_pixels(self, values, levels):
        """The index of the level line at each pixel, -1 for none."""
        covered = self.seen >= 0
        level = np.full(covered.shape, -1)
        level[covered] = np.searchsorted(levels, values)
        lines = np.full(covered.shape, -1)
        for number, c, line in ((level, covered, lines), (level.T, covered.T, lines.T)):
            between = c[1:] & c[:-1] & (number[1:] != number[:-1])
            lower = np.minimum(number[1:], number[:-1])[between]
            line[1:][between] = lower
            line[:-1][between] = lower
        lines[self._edges] = -1
        return lines

    def _widened(self, lines):
        wide = lines.copy()
        for here, before in ((wide, lines), (wide.T, lines.T)):
            here[1:] |= before[:-1]
            here[:-1] |= before[1:]
        return wide & (self.seen >= 0)

    def label_places(self, lines, count):
        """(index of the level, x and y [pixels], angle [degrees]) for each isoline with room for its number: long,
        straight, away from edges and other numbers."""
        found = []
        for level in range(count):
            y, x = np.nonzero(lines == level)
            best, place = SHORTEST * LABEL, None
            for k in range(0, len(x), max(1, len(x) // 300)):
                if any(math.hypot(x[k] - other[1], y[k] - other[2]) < 2 * LABEL for other in found):
                    continue
                part = tuple(slice(max(middle - LABEL // 2, 0), middle + LABEL // 2 + 1) for middle in (y[k], x[k]))
                rows, columns = np.nonzero(lines[part] == level)
                if len(rows) < LABEL / 4:
                    continue
                variances, axes = np.linalg.eigh(np.cov(np.stack([columns, rows])))
                bent, length = np.sqrt(12 * np.maximum(variances, 0))
                score = length - 3 * bent - 0.05 * self._edges[part].sum() - 0.02 * (self.seen[part] < 0).sum()
                if score > best:
                    angle = math.degrees(math.atan2(axes[1, 1], axes[0, 1]))
                    best, place = score, (x[k], y[k], (angle + 90) % 180 - 90)
            if place:
                found.append((level, *place))
        return found

    def draw(self, axes, name, width):
        """Draws the body `width` inches wide, colour bar to the right, coordinate axes and a scale below."""
        values, (colour_map, low, high) = self.range(name)
        if name not in NUMBERS:
            colour_map = ListedColormap(1 - (1 - PALER) * (1 - drawing.plt.get_cmap(colour_map)(range(256))[:, :3]))
        colours = ScalarMappable(Normalize(low, high), colour_map)
        colours.set_array(values)
        levels, numbers, words = drawing.isolines(name, values)
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
        for level, x, y, angle in self.label_places(self.level_pixels(self.values(name), levels), len(levels)):
            where = place[0] + (x + 0.5) * self._pixel, place[2] + (y + 0.5) * self._pixel
            drawing.number_on_line(axes, numbers[level], where, angle)
        axes.set_axis_off()
        axes.set_title(self.title(name) + words)
        self._draw_axes(axes, inch)
        self._draw_scale(axes, inch)
        foot = strip / (place[3] - place[2] + strip)
        bar = 0.14 / width
        place = [1 + 1.2 * bar, foot, bar, 1 - foot]
        shaded(drawing.colour_bar(axes, colours, name, values, place, self.fields, levels), colours)

    def _draw_axes(self, axes, inch):
        """Draws arrows along x, y and z at the lower left."""
        left, _, bottom, _ = self.extent
        arrows = ARROW * inch * self.directions[:2].T
        start = np.array([left, bottom - STRIP * inch]) + 0.12 * inch - np.minimum(arrows.min(axis=0), 0)
        for arrow, word in zip(arrows, "xyz"):
            if np.hypot(*arrow) < 0.1 * ARROW * inch:
                continue  # points to the viewer
            style = {"arrowstyle": "-|>", "linewidth": 0.9, "color": "black", "shrinkA": 0, "shrinkB": 0}
            style["mutation_scale"] = 7
            axes.annotate("", xy=start + arrow, xytext=start, arrowprops=style)
            beyond = start + arrow + 0.09 * inch * arrow / np.hypot(*arrow)
            axes.text(*beyond, word, ha="center", va="center", fontsize=9)

    def _draw_scale(self, axes, inch):
        """Draws a bar of a round length at the lower right."""
        left, right, bottom, _ = self.extent
        length = 0.25 * (right - left)
        power = 10.0 ** math.floor(math.log10(length))
        length = power * max(front for front in (1, 2, 5) if front * power <= length)
        y = bottom - 0.66 * STRIP * inch
        axes.plot([right - length, right], [y, y], color="black", linewidth=2, solid_capstyle="butt")
        axes.text(right - length / 2, y + 0.06 * inch, f"{length:g} m", ha="center", va="bottom", fontsize=9)


def shaded(bar, colours):
    """Shades each colour of the bar from dark to light, as on the surface."""
    low, high = colours.get_clim()
    colour = colours.to_rgba(np.linspace(low, high, 512))[:, None, :3]
    image = colour * np.linspace(DARKEST, 1, 64)[None, :, None]
    bar.ax.imshow(image, extent=(0, 1, low, high), origin="lower", aspect="auto", zorder=1)
