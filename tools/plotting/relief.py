"""The surface of water as a relief: colours by its elevation, lit from the north-west."""

import numpy as np
from matplotlib.collections import PolyCollection

LIGHT = np.array([-1.0, 1.0, 1.5]) / np.linalg.norm([-1.0, 1.0, 1.5])
STEEP, SLOPE = 95, 0.35  # per cent of the area with a lower slope than the one drawn as this


def light_on(fields, heights):
    """By triangle: the light on it over that on still water, the heights at nodes enlarged."""
    corners, z = fields.points[fields.cells], heights[fields.cells]
    a, b = corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0]
    of_a, of_b = z[:, 1] - z[:, 0], z[:, 2] - z[:, 0]
    twice = a[:, 0] * b[:, 1] - a[:, 1] * b[:, 0]
    slopes = np.column_stack([of_a * b[:, 1] - of_b * a[:, 1], of_b * a[:, 0] - of_a * b[:, 0]]) / twice[:, None]
    steep = fields.percentile(np.linalg.norm(slopes, axis=1), False, STEEP)
    slopes = SLOPE / steep * slopes if steep > 0 else slopes
    upright = LIGHT[2] - slopes @ LIGHT[:2]
    return upright / np.sqrt(1 + (slopes**2).sum(axis=1)) / LIGHT[2]


def draw(axes, fields, heights, colours):
    """Adds the triangles to the axes; `colours`: a ScalarMappable of the elevation, which the colour bar shows."""
    rgb = colours.to_rgba(heights[fields.cells].mean(axis=1))
    rgb[:, :3] = np.clip(rgb[:, :3] * light_on(fields, heights)[:, None], 0, 1)
    places = fields.points[fields.cells][:, :, :2]
    axes.add_collection(PolyCollection(places, facecolors=rgb, edgecolors=rgb, linewidths=0.2, rasterized=True))
