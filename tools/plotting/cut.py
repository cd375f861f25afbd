"""The zero set of a function on tetrahedra, linear in each: triangles, for planes and isosurfaces."""

import numpy as np

ON_NODE = 1e-9  # of the largest value: nodes with smaller values lie on the cut itself
# By the corners above (bit k: corner k): the corners below and above at the ends of the cut edges, in polygon order: a
# triangle for a single corner on one side, else four corners.
AROUND = {}
for above in range(1, 15):
    up = [k for k in range(4) if above >> k & 1]
    down = [k for k in range(4) if not above >> k & 1]
    if len(up) == 2:
        AROUND[above] = [(down[0], up[0]), (down[0], up[1]), (down[1], up[1]), (down[1], up[0])]
    else:
        AROUND[above] = [(low, high) for low in down for high in up]


class Cut:
    """The triangles of the zero set: corners `triangles`, their places `points`, the cut `cells`."""

    def __init__(self, points, cells, values):
        """points, values: at nodes; cells: four nodes each."""
        values = np.where(np.abs(values) < ON_NODE * np.abs(values).max(), 0.0, values)
        if not (values > 0).any():
            values = -values  # 0 counts as below: at the upper side of the body no node would be above
        above = (values > 0)[cells] @ (1 << np.arange(4))
        low, high, behind = [], [], []
        for kind, corners in AROUND.items():
            of = np.flatnonzero(above == kind)
            ends = cells[of][:, corners]  # cell, corner of the polygon, end
            for part in ([0, 1, 2], [0, 2, 3])[: len(corners) - 2]:
                low.append(ends[:, part, 0])
                high.append(ends[:, part, 1])
                behind.append(of)
        low, high = (np.concatenate(ends).reshape(-1) for ends in (low, high))
        high = np.where(values[low] == 0, low, high)  # the node itself, shared by the triangles around it
        pairs, corner = np.unique(low * np.int64(len(points)) + high, return_inverse=True)
        self._low, self._high = pairs // len(points), pairs % len(points)
        fall = values[self._high] - values[self._low]
        self._share = np.where(fall > 0, -values[self._low] / np.where(fall > 0, fall, 1), 0.0)
        triangles = corner.reshape(-1, 3)
        a, b, c = triangles.T
        whole = (a != b) & (b != c) & (c != a)
        self.triangles, self.cells = triangles[whole], np.concatenate(behind)[whole]
        self.points = self.at(points)

    def at(self, values):
        """Interpolates node values, or rows of them, to the points of the cut."""
        share = self._share.reshape(-1, *[1] * (values.ndim - 1))
        return (1 - share) * values[self._low] + share * values[self._high]

    def areas(self):
        a, b, c = (self.points[corner] for corner in self.triangles.T)
        return 0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1)
