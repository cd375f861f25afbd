"""Evenly spaced streamlines: each starts next to an existing one (Jobard & Lefer 1997)."""

import math
from collections import deque

import numpy as np

CLOSEST = 0.4  # of the distance between lines: a line ends this close to another
FROM_WALL = 0.4  # of the distance: no line starts closer to the boundary
CLOSED = 0.25  # of the distance: a line that returns this close to its start is closed
STEP = 0.12  # of the distance
BEHIND = round(2.5 * CLOSEST / STEP)  # steps between the head of a line and its own blocked part
NEAR_SEED = round(2 * CLOSEST / STEP)  # steps near its start that stay open for its return
SHORTEST = 2.0  # times the distance: shorter lines are left out
REACH = 6  # squares per radius, for the marks that separate lines
LONGEST = 20.0  # times the size of the domain


class Grid:
    """A vector field on a regular grid, of which only some points lie in the domain."""

    def __init__(self, origin, spacing, u, v, inside):
        """origin, spacing: x and y; u, v, inside: arrays of rows, y by x."""
        self.origin, self.spacing, self.inside = np.array(origin), np.array(spacing), inside
        self.size = self.spacing * (np.array(inside.shape[::-1]) - 1)
        self.rows, self.columns = inside.shape
        speed = np.where(inside, np.hypot(u, v), 0)
        self.slowest = 1e-9 * speed.max()
        self.speed = speed
        whole = inside[:-1, :-1] & inside[:-1, 1:] & inside[1:, :-1] & inside[1:, 1:]
        self._x, self._y, self._dx, self._dy = map(float, (*origin, *spacing))
        self._whole, self._u, self._v = whole.tolist(), u.tolist(), v.tolist()

    def place(self, rows, columns):
        return self.origin[0] + self.spacing[0] * columns, self.origin[1] + self.spacing[1] * rows

    def direction(self, x, y):
        """Unit vector along the field; None outside the domain and without flow."""
        x, y = (x - self._x) / self._dx, (y - self._y) / self._dy
        i, j = math.floor(x), math.floor(y)
        if not (0 <= i < self.columns - 1 and 0 <= j < self.rows - 1) or not self._whole[j][i]:
            return None
        a, b = x - i, y - j
        weights = ((1 - a) * (1 - b), a * (1 - b), (1 - a) * b, a * b)
        low, high = self._u[j], self._u[j + 1]
        u = weights[0] * low[i] + weights[1] * low[i + 1] + weights[2] * high[i] + weights[3] * high[i + 1]
        low, high = self._v[j], self._v[j + 1]
        v = weights[0] * low[i] + weights[1] * low[i + 1] + weights[2] * high[i] + weights[3] * high[i + 1]
        speed = math.hypot(u, v)
        return (u / speed, v / speed) if speed > self.slowest else None


class Taken:
    """The part of the plane within `radius` of a line, as marked squares."""

    def __init__(self, grid, radius):
        self.square, self.origin = radius / REACH, grid.origin
        self.marked = np.zeros([math.ceil(length / self.square) + 1 for length in grid.size[::-1]], bool)
        reach = np.arange(-REACH, REACH + 1)
        dj, di = np.meshgrid(reach, reach, indexing="ij")
        disc = dj**2 + di**2 <= REACH**2
        self.disc = np.stack([dj[disc], di[disc]])

    def add(self, line):
        at = np.rint((line[:, ::-1] - self.origin[::-1]) / self.square).astype(int)
        j, i = (at.T[:, :, None] + self.disc[:, None, :]).reshape(2, -1)
        rows, columns = self.marked.shape
        within = (j >= 0) & (j < rows) & (i >= 0) & (i < columns)
        self.marked[j[within], i[within]] = True

    def has(self, x, y):
        j, i = round((y - self.origin[1]) / self.square), round((x - self.origin[0]) / self.square)
        rows, columns = self.marked.shape
        return not (0 <= j < rows and 0 <= i < columns) or bool(self.marked[j, i])


def trace(grid, taken, seed, step, distance, most, own=None):
    """(points from the seed along the field, or against it for step < 0; whether they returned to the seed).

    own: the area of this line itself, except near its seed; a spiral ends where its turns are too close.
    """
    own = own or Taken(grid, CLOSEST * distance)
    x, y = seed
    start = before = grid.direction(x, y)
    points, ahead = [seed], True
    for _ in range(most):
        first = grid.direction(x, y)
        middle = first and grid.direction(x + 0.5 * step * first[0], y + 0.5 * step * first[1])
        if not middle or middle[0] * before[0] + middle[1] * before[1] < 0:
            break  # no flow, or one that reverses within a step: noise in fluid at rest
        before = middle
        x, y = x + step * middle[0], y + step * middle[1]
        if taken.has(x, y) or grid.direction(x, y) is None:
            break
        points.append((x, y))
        if len(points) > BEHIND + NEAR_SEED:
            own.add(np.array(points[-BEHIND - 1 : -BEHIND]))
        if own.has(x, y):
            break
        was_ahead, ahead = ahead, (start[0] * (x - seed[0]) + start[1] * (y - seed[1])) * step > 0
        if ahead and not was_ahead and math.hypot(x - seed[0], y - seed[1]) < CLOSEST * distance:
            return points, True
    return points, False


def line_through(grid, taken, seed, distance, most):
    """The line in both directions from the seed; one that returns to it is closed."""
    step = STEP * distance
    own = Taken(grid, CLOSEST * distance)
    points, returned = trace(grid, taken, seed, step, distance, most, own)
    if not returned:
        return np.array(trace(grid, taken, seed, -step, distance, most, own)[0][:0:-1] + points)
    line = np.array(points)
    gap = line[0] - line[-1]
    if np.hypot(*gap) < CLOSED * distance:  # else a spiral, drawn for one turn
        line += np.linspace(0, 1, len(line))[:, None] * gap
    return line


def evenly_spaced(grid, distance, boundary):
    """Lines as arrays of points, the first through the fastest flow; none starts near the points of the boundary."""
    most = math.ceil(LONGEST * max(grid.size) / (STEP * distance))
    walls, near, too_near = (Taken(grid, part * distance) for part in (FROM_WALL, 0.98, CLOSEST))
    walls.add(boundary)
    rows, columns = np.nonzero(grid.inside)
    sparse = slice(None, None, max(1, len(rows) // 4000))
    places = sorted(zip(-grid.speed[rows, columns][sparse], *grid.place(rows[sparse], columns[sparse])))
    anywhere = iter([(x, y) for _, x, y in places])  # for the first line, and for places that others did not reach
    beside, lines = deque(), []
    while True:
        seed = beside.popleft() if beside else next(anywhere, None)
        if seed is None:
            return lines
        if walls.has(*seed) or near.has(*seed) or grid.direction(*seed) is None:
            continue
        line = line_through(grid, too_near, seed, distance, most)
        if (len(line) - 1) * STEP < SHORTEST:
            continue
        lines.append(line)
        near.add(line)
        too_near.add(line)
        along = np.gradient(line, axis=0)
        length = np.hypot(*along.T)[:, None]
        normal = np.stack([-along[:, 1], along[:, 0]], axis=1) / np.where(length > 0, length, 1)
        for side in (1, -1):
            beside.extend(map(tuple, (line + side * distance * normal)[:: round(0.5 / STEP)]))
