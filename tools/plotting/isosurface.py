"""Isosurfaces of a flow, coloured by another field, within the walls of the body."""

import argparse
import math

import numpy as np

from common.failure import Failure
from plotting import drawing
from plotting.cut import Cut
from plotting.fields import QUANTITIES, percentile
from plotting.solid import EDGE, Solid, edge_pixels, light

PIXELS = 2200  # of the longer side of the picture
HIGH = 90  # percentile, by volume, of the positive values, for the default isosurface
INSIDE = 0.93  # grey of the walls behind
OUTLINE = 0.55  # darkness of the edges of the body
RIM = 0.3  # darkness of the edges of the isosurface


def wanted(text):
    """Parses q_criterion=0.5 as ("q_criterion", 0.5); None without a value."""
    name, given, value = (word.strip() for word in text.partition("="))
    if not given:
        return name, None
    try:
        number = float(value)
    except ValueError:
        number = math.nan
    if not name or not math.isfinite(number):
        raise argparse.ArgumentTypeError(
            f"`{text}`: expected a field, and a number if it is to be chosen, such as --isosurface q_criterion=0.5"
        )
    return name, number


def gradients(points, cells, values):
    """The gradient at nodes of a function linear in tetrahedra: volume-weighted means of the cells around."""
    arms = points[cells[:, 1:]] - points[cells[:, :1]]
    size = np.abs(np.linalg.det(arms)) / 6
    whole = size > 0
    slope = np.zeros((len(cells), 3))
    rise = values[cells[whole, 1:]] - values[cells[whole, :1]]
    slope[whole] = np.linalg.solve(arms[whole], rise[:, :, None])[:, :, 0]
    nodes, weight = cells.ravel(), np.repeat(size, 4)
    total = [np.bincount(nodes, weight * np.repeat(part, 4), len(points)) for part in slope.T]
    around = np.bincount(nodes, weight, len(points))
    return np.stack(total, axis=1) / np.where(around > 0, around, 1)[:, None]


def good_value(fields, values):
    """A high positive value with few digits; None if there is none."""
    by_cell = values[fields.cells].mean(axis=1)
    positive = by_cell > 0
    if not positive.any():
        return None
    found = percentile(by_cell[positive], fields.sizes[positive], HIGH)
    ways = (drawing.nice(found), float(f"{found:.2g}"), float(found))
    return next((value for value in ways if value < values.max()), None)


class Isosurface(Solid):
    """The visible part of the isosurface of the field `name` of `fields`, and of the walls behind it."""

    def __init__(self, fields, name, value=None, directions=None):
        values = fields.continuous(name)
        if not np.isfinite(values).all():
            raise Failure(
                f"{fields.step.path}: field `{name}` has values that are not finite; choose an earlier step by --step"
            )
        low, high = values.min(), values.max()
        self.value = good_value(fields, values) if value is None else value
        if self.value is None or not low < self.value < high:
            unit = QUANTITIES.get(name, (name, ""))[1]
            what = "no positive value" if self.value is None else f"no isosurface {name}={self.value:g}"
            raise Failure(
                f"{fields.step.path}: {what}; `{name}` reaches from {low + 0:.4g} to {high + 0:.4g} {unit}".rstrip()
                + "; choose a value between, by --isosurface NAME=VALUE"
            )
        self.name, self.pixels = name, PIXELS
        self.sheet = Cut(fields.points, fields.cells, values - self.value)
        self._slope = self.sheet.at(gradients(fields.points, fields.cells, values))
        super().__init__(fields, directions)

    def _render(self):
        """Renders the isosurface like the surface of a body, then the visible walls behind it and the body's edges."""
        toward = self.directions[2]
        inner = self.surface.normals @ toward < 0
        corner_normals = self.surface.corner_normals()
        walls, self._wall_depth, _, normals = self._look(
            self.surface.points[self.surface.triangles[inner]], -corner_normals[inner]
        )
        self._walls, self._wall_light = walls >= 0, light(normals)
        self._wall_edges = edge_pixels(walls, self._wall_depth, normals)
        outer = self._look(self.surface.points[self.surface.triangles[~inner]], corner_normals[~inner])
        self._near_edges, self._near_depth = edge_pixels(outer[0], outer[1], outer[3]), outer[1]
        self.triangles = self.sheet.triangles
        slope = self._slope[self.triangles]
        corners = self.sheet.points[self.triangles]
        flat = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]) @ toward
        along = slope @ toward
        slope = slope * np.where(along.sum(axis=1) < 0, -1, 1)[:, None, None]  # turned to the viewer
        slope[flat == 0] = 0
        length = np.linalg.norm(slope, axis=2, keepdims=True)
        slope = slope / np.where(length > 0, length, 1)
        self.seen, depth, self._shares, self._normals = self._look(corners, slope)
        hidden = self.seen >= 0
        hidden &= depth < self._wall_depth - 0.5  # pixels; behind a body in the flow
        kept = ~hidden[self.seen >= 0]
        self._shares, self._normals = self._shares[kept], self._normals[kept]
        self.seen[hidden] = -1
        self._edges = edge_pixels(self.seen, np.where(hidden, -np.inf, depth))

    def at_corners(self, name):
        return self.sheet.at(self.fields.continuous(name))

    def values(self, name):
        return self._between_corners(self.at_corners(name)[self.triangles[self.seen[self.seen >= 0]]])

    def range(self, name):
        values = self.at_corners(name)
        return values, drawing.colour_range(self, name, values, True)

    @property
    def step(self):
        return self.fields.step

    def is_length(self, name):
        return self.fields.is_length(name)

    def percentile(self, values, at_nodes, percent):
        """The percentile of values by area of the isosurface."""
        by_triangle = values[self.triangles].mean(axis=1)
        return percentile(by_triangle, self.sheet.areas(), percent)

    def title(self, name):
        label, unit = QUANTITIES.get(self.name, (self.name, ""))
        where = f"{label} = {drawing.number(self.value)} {unit}".rstrip()
        colour = drawing.within(drawing.label_and_unit(name)[0])
        return where if name == self.name else f"{where}, coloured by {colour}"

    def image(self, name, colours, levels=()):
        image = np.ones((*self.seen.shape, 3), np.float32)
        image[self._walls] = INSIDE * (1 - 0.25 * (1 - self._wall_light[:, None]))
        image[self._wall_edges] *= 1 - EDGE
        covered = self.seen >= 0
        image[covered] = colours.to_rgba(self.values(name))[:, :3] * light(self._normals)[:, None]
        image[self._edges & covered] *= 1 - RIM
        image[self._near_edges] *= 1 - OUTLINE
        return image
