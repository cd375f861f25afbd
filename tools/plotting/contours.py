"""Contour lines on triangles, such as those of a stream function: the flow has the higher values to its left."""

from dataclasses import dataclass

import numpy as np

LEAST = 3e-6  # of the range: weaker vortices are noise
PART = 0.1  # of the height of a vortex: inner ones that rise by less are merged
FEWEST_NODES = 8  # in a vortex: the mesh does not resolve smaller ones
SMOOTHED = 200_000  # triangles: finer meshes give smooth lines without it
LINES_IN_VORTEX = 3  # a vortex with fewer of the evenly spaced lines has its own
OWN_LEVELS = (0.03, 0.25, 0.5, 0.75)  # of the way from the rim of the vortex to its maximum


def edge_numbers(cells):
    """The edge numbers of each triangle, from corner k to k + 1; both triangles of an edge have the same number."""
    edges = np.sort(np.stack([cells, np.roll(cells, -1, axis=1)], axis=2).reshape(-1, 2), axis=1)
    return np.unique(edges, axis=0, return_inverse=True)[1].reshape(-1, 3)


def quarters(points, cells):
    """(points, followed by the edge midpoints; the numbers of the midpoints between corners k and k + 1 of each
    triangle; the four parts of all triangles, first the middle ones, then those at each corner)."""
    middle = len(points) + edge_numbers(cells)
    places = np.concatenate([points, np.empty((middle.max() + 1 - len(points), points.shape[1]))])
    places[middle] = 0.5 * (points[cells] + points[np.roll(cells, -1, axis=1)])
    at_corners = [np.stack([cells[:, k], middle[:, k], middle[:, k - 1]], axis=1) for k in range(3)]
    return places, middle, np.concatenate([middle, *at_corners])


def gradients(points, cells):
    """Gradients [1/m] of the linear basis functions, by triangle and corner; areas [m²]."""
    corners = points[cells, :2]
    sides = np.roll(corners, 1, axis=1) - np.roll(corners, -1, axis=1)  # opposite to each corner
    (ax, ay), (bx, by) = (corners[:, k].T - corners[:, 0].T for k in (1, 2))
    areas = 0.5 * (ax * by - ay * bx)
    return np.stack([-sides[:, :, 1], sides[:, :, 0]], axis=2) / (2 * areas[:, None, None]), areas


class Triangles:
    """Triangles, corners counter-clockwise, with a value per corner of each: equal in all triangles around a node, or
    equal up to whole periods, like an angle."""

    def __init__(self, points, cells, values, period=None):
        """points: rows of x and y; values: an array like `cells`; period: in the unit of the values."""
        self.points, self.cells, self.values, self.period = points[:, :2], cells, values, period
        self._edges = edge_numbers(cells)

    def lines(self, level, among=None):
        """Arrays of points; a closed line ends where it starts. A mask `among` of triangles selects the lines that lie
        mostly in these."""
        cells, edges, values = self.cells, self._edges, self.values - level
        if self.period:
            values = values - self.period * np.ceil(values.min(axis=1, keepdims=True) / self.period)
        above = values > 0  # values on the level count as below
        count = above.sum(axis=1)
        met = np.flatnonzero((count == 1) | (count == 2))
        alone = np.argmax(above[met] == (count[met] == 1)[:, None], axis=1)  # the corner on a side of its own
        ends = np.stack([alone, (alone + 2) % 3], axis=1)  # edges: from that corner, and the one before
        ends[count[met] == 2] = ends[count[met] == 2, ::-1]
        places = []
        for side in ends.T:
            first, second = cells[met, side], cells[met, (side + 1) % 3]
            a, b = values[met, side], values[met, (side + 1) % 3]
            part = (a / (a - b))[:, None]
            places.append((1 - part) * self.points[first] + part * self.points[second])
        start, end = (edges[met, side].tolist() for side in ends.T)
        lines = []
        for members in chained(start, end):
            if among is None or 2 * among[met[members]].sum() > len(members):
                lines.append(np.concatenate([places[0][members[:1]], places[1][members]]))
        return lines


def chained(start, end):
    """Segments, each from its edge `start` to its edge `end`, joined to lines in order."""
    leaving = {edge: k for k, edge in enumerate(start)}
    arrived = set(end)
    heads = [k for k, edge in enumerate(start) if edge not in arrived]
    waiting = np.ones(len(start), bool)
    lines = []
    for first in (*heads, *range(len(start))):
        if not waiting[first]:
            continue
        members, k = [], first
        while k is not None and waiting[k]:
            waiting[k] = False
            members.append(k)
            k = leaving.get(end[k])
        lines.append(members)
    return lines


def neighbours(cells, count):
    """(first, others): the neighbours of node i are others[first[i]:first[i + 1]]."""
    pairs = np.concatenate([cells[:, [k, (k + 1) % 3]] for k in range(3)])
    pairs = np.unique(np.concatenate([pairs, pairs[:, ::-1]]), axis=0)
    return np.searchsorted(pairs[:, 0], np.arange(count + 1)), pairs[:, 1]


@dataclass
class Vortex:
    rim: float
    middle: float  # the highest value
    nodes: list
    within: list  # vortices inside this one


def hills(values, cells, on_boundary, least):
    """The vortices around maxima.

    As the level falls from a maximum, the nodes above it form an island. The rim is the level at which the island meets
    the boundary. If it meets another island first, and both rise by more than `least`, they are two vortices within a
    third.
    """
    first, others = neighbours(cells, len(values))
    first, others, height, wall = first.tolist(), others.tolist(), values.tolist(), on_boundary.tolist()
    island_of = [-1] * len(values)
    parent, islands, found = [], [], []  # an island is None once it met the boundary

    def root(island):
        while parent[island] != island:
            parent[island] = island = parent[parent[island]]
        return island

    def add(island):
        parent.append(len(parent))
        islands.append(island)
        return len(parent) - 1

    for node in np.argsort(-values, kind="stable").tolist():
        now = height[node]
        around = {root(island_of[k]) for k in others[first[node] : first[node + 1]] if island_of[k] >= 0}
        vortices = [islands[k] for k in around if islands[k]]
        rising = [vortex for vortex in vortices if vortex.middle - now > least]
        for vortex in rising:
            vortex.rim = now
            vortex.within = [one for one in vortex.within if one.middle - one.rim > PART * (vortex.middle - now)]
        if wall[node] or len(vortices) < len(around):
            found += rising
            here = add(None)
        elif len(rising) == 1 or len(around) == 1:
            here = next(k for k in around if not rising or islands[k] is rising[0])
        else:
            here = add(Vortex(now, max([now, *(one.middle for one in vortices)]), [], rising))
        island_of[node] = here
        if islands[here]:
            islands[here].nodes += [node, *(k for one in vortices if one is not islands[here] for k in one.nodes)]
        for k in around:
            parent[k] = here
    return found


def smoothed(points, cells, values, on_boundary):
    """(points, triangles, values) of the quarters of each triangle, with cubics along the inner edges: straight pieces
    per triangle make poor streamlines in vortices of a few triangles."""
    gradient, areas = gradients(points, cells)
    by_cell = np.einsum("ckd,ck->cd", gradient, values[cells]) * areas[:, None]
    around = np.bincount(cells.ravel(), np.repeat(areas, 3), len(points))
    slope = [np.bincount(cells.ravel(), np.repeat(part, 3), len(points)) for part in by_cell.T]
    slope = np.stack(slope, axis=1) / np.where(around > 0, around, 1)[:, None]
    places, middle, parts = quarters(points, cells)
    following = np.roll(cells, -1, axis=1)
    bend = np.einsum("ckd,ckd->ck", slope[cells] - slope[following], points[following] - points[cells]) / 8
    bend[on_boundary[cells] & on_boundary[following]] = 0  # a wall has one value
    at_places = np.concatenate([values, np.empty(len(places) - len(points))])
    at_places[middle] = 0.5 * (values[cells] + values[following]) + bend
    return places, parts, at_places


def stream_lines(points, cells, values, on_boundary, count, smallest):
    """Lines of a stream function: `count` with the same flow between neighbours, and additional ones in each vortex
    larger than `smallest` [m²] with hardly any, such as weak ones in corners."""
    points = points[:, :2]
    low, high = values.min(), values.max()
    if not high - low > 1e-12 * max(abs(low), abs(high)):
        return []
    areas, parents = gradients(points, cells)[1], np.arange(len(cells))
    places, parts, at_places = points, cells, values
    if len(cells) <= SMOOTHED:
        places, parts, at_places = smoothed(points, cells, values, on_boundary)
        parents = np.tile(parents, 4)
    triangles = Triangles(places, parts, at_places[parts])
    levels = low + (np.arange(count) + 0.5) * (high - low) / count
    lines = [line for level in levels for line in triangles.lines(level)]

    def add_own(vortex, sign, levels, enough):
        within = np.zeros(len(values), bool)
        within[vortex.nodes] = True
        share = within[cells].sum(axis=1) / 3
        if len(vortex.nodes) < FEWEST_NODES or share @ areas < smallest:
            return
        if ((levels > vortex.rim) & (levels < vortex.middle)).sum() < enough:
            levels = vortex.rim + np.array(OWN_LEVELS) * (vortex.middle - vortex.rim)
            for level in levels:
                lines.extend(triangles.lines(sign * level, share[parents] > 0))
        for one in vortex.within:
            add_own(one, sign, levels, 1)

    for sign in (1, -1):
        for vortex in hills(sign * values, cells, on_boundary, LEAST * (high - low)):
            add_own(vortex, sign, sign * levels, LINES_IN_VORTEX)
    return lines
