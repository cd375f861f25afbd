"""The visible triangle at each pixel: scanlines and a depth buffer, in numpy."""

import numpy as np

SLACK = 1e-6  # pixels: enlargement of triangles, so that no pixel falls between two
AT_ONCE = 4_000_000  # pixels of triangles held in memory


def spread(first, count):
    """first[i], first[i] + 1, ..., count[i] numbers each, and the i of each number."""
    which = np.repeat(np.arange(len(count)), count)
    return first[which] + np.arange(len(which)) - (np.cumsum(count) - count)[which], which


def rows_of(corners):
    """(triangle, row, first and last x) of every pixel row that a triangle meets."""
    y = corners[:, :, 1]
    low = np.ceil(y.min(axis=1) - SLACK).astype(int)
    count = np.maximum(np.floor(y.max(axis=1) + SLACK).astype(int) - low + 1, 0)
    row, triangle = spread(low, count)
    first, last = np.full(len(row), np.inf), np.full(len(row), -np.inf)
    for side in ((0, 1), (1, 2), (2, 0)):
        (x_a, y_a), (x_b, y_b) = (corners[triangle, corner, :2].T for corner in side)
        height = y_b - y_a
        part = np.divide(row - y_a, height, out=np.full(len(row), np.inf), where=height != 0)
        met = (part >= -SLACK) & (part <= 1 + SLACK)  # a side along the row needs none: the other sides meet its ends
        x = x_a[met] + part[met] * (x_b - x_a)[met]
        first[met] = np.minimum(first[met], x)
        last[met] = np.maximum(last[met], x)
    return triangle, row, first, last


def slopes(corners):
    """Change of the depth per pixel in x and y; 0 for triangles seen edge-on."""
    (ax, ay, az), (bx, by, bz) = (corners[:, k].T - corners[:, 0].T for k in (1, 2))
    twice_area = ax * by - ay * bx
    flat = np.abs(twice_area) < 1e-12
    scale = 1 / np.where(flat, np.inf, twice_area)
    return (az * by - bz * ay) * scale, (bz * ax - az * bx) * scale


def nearest(corners, width, height):
    """(triangle, depth) at each pixel, arrays of rows from below; -1 and minus infinity where there is none.

    corners: x, y [pixels] and depth of the three corners of each triangle; pixel centres have whole coordinates. The
    largest depth is the nearest one.
    """
    triangle, row, first, last = rows_of(corners)
    first = np.maximum(np.ceil(first - SLACK), 0)
    last = np.minimum(np.floor(last + SLACK), width - 1)
    met = (first <= last) & (row >= 0) & (row < height)
    triangle, row, first = triangle[met], row[met], first[met].astype(int)
    count = last[met].astype(int) - first + 1
    slope_x, slope_y = slopes(corners)
    low, high = corners[:, :, 2].min(axis=1), corners[:, :, 2].max(axis=1)
    seen, depths = np.full(width * height, -1), np.full(width * height, -np.inf)
    batch = np.cumsum(count) // AT_ONCE
    for part in np.split(np.arange(len(count)), np.flatnonzero(np.diff(batch)) + 1):
        x, which = spread(first[part], count[part])
        y, of = row[part][which], triangle[part][which]
        x_0, y_0, depth_0 = corners[of, 0].T
        depth = np.clip(depth_0 + slope_x[of] * (x - x_0) + slope_y[of] * (y - y_0), low[of], high[of])
        pixel = y * width + x
        closer = depth > depths[pixel]
        pixel, depth, of = pixel[closer], depth[closer], of[closer]
        order = np.argsort(depth, kind="stable")  # the last value of a pixel wins
        depths[pixel[order]] = depth[order]
        seen[pixel[order]] = of[order]
    return seen.reshape(height, width), depths.reshape(height, width)


def shares(corners, seen):
    """Barycentric coordinates at the pixels with a visible triangle."""
    y, x = np.nonzero(seen >= 0)
    (x_a, y_a), (x_b, y_b), (x_c, y_c) = (corners[seen[y, x], corner, :2].T for corner in range(3))
    twice_area = (x_b - x_a) * (y_c - y_a) - (y_b - y_a) * (x_c - x_a)
    twice_area = np.where(np.abs(twice_area) < 1e-12, np.inf, twice_area)
    b = np.clip(((x - x_a) * (y_c - y_a) - (y - y_a) * (x_c - x_a)) / twice_area, 0, 1)
    c = np.clip(((x_b - x_a) * (y - y_a) - (y_b - y_a) * (x - x_a)) / twice_area, 0, 1 - b)
    return np.stack([1 - b - c, b, c], axis=1)
