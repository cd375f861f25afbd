"""Slices of a mesh of tetrahedra along planes: a field in colour, lines along the in-plane velocity."""

import argparse
import math

import numpy as np

from common.failure import Failure
from plotting import drawing, raster, streamlines
from plotting.cut import Cut
from plotting.fields import KEPT_BY_CELL, percentile

AXES = "xyz"
TALL = 2.0  # times its width: a higher slice is turned
AT_REST = 5e-3  # of the largest speed in the body: a smaller one in a plane is noise, without lines
POINTS = 16  # of the grid for streamlines, between neighbouring lines
PIXELS = 1600  # of the longer side of the picture


def planes(text):
    """Parses x=0.5,y=0.5 as [(0, 0.5), (1, 0.5)]."""
    found = []
    for part in text.split(","):
        axis, _, value = (word.strip() for word in part.partition("="))
        try:
            value = float(value)
        except ValueError:
            value = math.nan
        if axis not in tuple(AXES) or not math.isfinite(value):
            raise argparse.ArgumentTypeError(
                f"`{part}`: expected an axis and a place on it in metres, such as --slice x=0.5 or --slice x=0.5,z=2"
            )
        found.append((AXES.index(axis), value))
    return found


def mid_planes(fields):
    """Planes through the middle of the body, one normal to each axis, except those that meet only a hole."""
    middle = 0.5 * (fields.points.min(axis=0) + fields.points.max(axis=0))
    places = [(axis, float(place)) for axis, place in enumerate(middle)]
    return [plane for plane in places if len(cut_at(fields, *plane).triangles)]


def cut_at(fields, axis, place):
    return Cut(fields.points, fields.cells, fields.points[:, axis] - place)


class Slice:
    """A plane through `fields`, with the interface that drawing.draw_field() needs."""

    def __init__(self, fields, axis, place):
        self.fields, self.step, self.regions = fields, fields.step, fields.regions
        self.name = f"{AXES[axis]} = {drawing.number(place)} m"
        low, high = fields.points[:, axis].min(), fields.points[:, axis].max()
        slack = 1e-9 * (high - low)
        if not low - slack <= place <= high + slack:
            raise Failure(
                f"{fields.step.path}: no slice at {AXES[axis]} = {place:g} m; the body reaches from "
                f"{AXES[axis]} = {low:g} m to {high:g} m"
            )
        self.cut = cut_at(fields, axis, min(max(place, low), high))
        if not len(self.cut.triangles):
            raise Failure(
                f"{fields.step.path}: no slice at {AXES[axis]} = {place:g} m: the plane meets nothing of the "
                f"body, which reaches from {AXES[axis]} = {low:g} m to {high:g} m"
            )
        self.across, self.up = [k for k in range(3) if k != axis]
        if np.ptp(self.cut.points[:, self.up]) > TALL * np.ptp(self.cut.points[:, self.across]):
            self.across, self.up = self.up, self.across
        self.axes = AXES[self.across], AXES[self.up]
        self.x, self.y = self.cut.points[:, self.across], self.cut.points[:, self.up]
        self.points = np.stack([self.x, self.y], axis=1)
        self.cells = self.cut.triangles
        a, b, c = (self.points[corner] for corner in self.cells.T)
        clockwise = (b - a)[:, 0] * (c - a)[:, 1] < (b - a)[:, 1] * (c - a)[:, 0]
        self.cells = np.where(clockwise[:, None], self.cells[:, ::-1], self.cells)
        self.sizes = self.cut.areas()

    is_cut = False  # see Fields

    @property
    def extent(self):
        return self.x.min(), self.x.max(), self.y.min(), self.y.max()

    @property
    def aspect(self):
        return np.ptp(self.x) / np.ptp(self.y)

    def values(self, name):
        """(values, whether they are at the corners of the triangles)."""
        if name in KEPT_BY_CELL:
            return self.fields.values(name)[0][self.cut.cells], False
        return self.cut.at(self.fields.continuous(name)), True

    def boundary(self):
        """The boundary sides, as a tuple whose first entry holds their ends."""
        sides = np.sort(np.concatenate([self.cells[:, [k, (k + 1) % 3]] for k in range(3)]), axis=1)
        sides, count = np.unique(sides, axis=0, return_counts=True)
        return (sides[count == 1],)

    def interfaces(self):
        """See Fields; slices do not draw them."""
        return np.empty((0, 2), int)

    def in_plane(self, name):
        """The in-plane components of a vector, at the corners of the triangles."""
        return self.cut.at(self.fields.vector(name)[:, [self.across, self.up]])

    def has_flow(self):
        """Whether there is a significant in-plane velocity."""
        if "speed" not in self.fields.names():
            return False
        most = self.fields.values("speed")[0].max()
        along = self.in_plane("velocity")
        return bool(np.isfinite(along).all() and np.hypot(*along.T).max() > AT_REST * most)

    def lines_along(self, name, distance):
        """Lines along the in-plane part of a vector, about `distance` [m] apart, as arrays of points."""
        sides = self.points[self.boundary()[0]]
        parts = np.linspace(0, 1, 1 + math.ceil(20 * np.hypot(*(sides[:, 1] - sides[:, 0]).T).max() / distance))
        boundary = np.concatenate([(1 - part) * sides[:, 0] + part * sides[:, 1] for part in parts])
        return streamlines.evenly_spaced(self.on_grid(self.in_plane(name), distance / POINTS), distance, boundary)

    def grid(self, columns, rows):
        """(origin, spacing; the triangle at each point of a regular grid over the extent, -1 for none; the barycentric
        coordinates at points with a triangle)."""
        x_min, x_max, y_min, y_max = self.extent
        origin = np.array([x_min, y_min])
        spacing = np.array([(x_max - x_min) / (columns - 1), (y_max - y_min) / (rows - 1)])
        places = np.concatenate([(self.points - origin) / spacing, np.zeros((len(self.points), 1))], axis=1)
        triangle, _ = raster.nearest(places[self.cells], columns, rows)
        return origin, spacing, triangle, raster.shares(places[self.cells], triangle)

    def on_grid(self, along, spacing):
        """A vector field on a regular grid, from two components at the corners of the triangles."""
        columns, rows = (max(2, round(np.ptp(places) / spacing) + 1) for places in (self.x, self.y))
        origin, steps, triangle, shares = self.grid(columns, rows)
        inside = triangle >= 0
        u, v = np.zeros((2, rows, columns))
        u[inside], v[inside] = np.einsum("pk,pkd->dp", shares, along[self.cells[triangle[inside]]])
        return streamlines.Grid(origin, steps, u, v, inside)

    def image(self, name):
        """(a field at the pixels, NaN outside the body; left, right, bottom and top of the image)."""
        longer = max(np.ptp(self.x), np.ptp(self.y))
        columns, rows = (max(2, round((PIXELS - 1) * np.ptp(places) / longer) + 1) for places in (self.x, self.y))
        origin, steps, triangle, shares = self.grid(columns, rows)
        values, at_corners = self.values(name)
        inside, image = triangle >= 0, np.full((rows, columns), np.nan)
        triangle = triangle[inside]
        image[inside] = np.einsum("pk,pk->p", shares, values[self.cells[triangle]]) if at_corners else values[triangle]
        (x_min, y_min), (x_max, y_max) = origin - 0.5 * steps, origin + (np.array([columns, rows]) - 0.5) * steps
        return image, (x_min, x_max, y_min, y_max)


class Together:
    """Several slices as one, for common colours."""

    def __init__(self, slices):
        self.slices, self.step = slices, slices[0].step
        self.regions, self.is_length = slices[0].regions, slices[0].fields.is_length
        self.sizes = np.concatenate([one.sizes for one in slices])

    def values(self, name):
        found = [one.values(name) for one in self.slices]
        return np.concatenate([values for values, _ in found]), found[0][1]

    def percentile(self, values, at_nodes, percent):
        """The percentile of values by area."""
        if at_nodes:
            first = np.cumsum([0, *(len(one.x) for one in self.slices)])
            values = values[np.concatenate([one.cells + k for one, k in zip(self.slices, first)])].mean(axis=1)
        return percentile(values, self.sizes, percent)
