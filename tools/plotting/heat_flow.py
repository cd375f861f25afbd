"""Heat-flow lines of a steady temperature without inner sources: contours of a function whose differences are the heat
flow between two places. It is constant on insulated walls, so that no line ends there."""

import numpy as np

from plotting.contours import Triangles, gradients, quarters

UNBALANCED = 1e-3  # of the heat flow: more comes from sources or is stored
BALANCED = 1e-6  # of the heat flow: less at a boundary node counts as none
FIRST_LEVEL = 0.487  # of the distance between levels: 0.5 is the value of many nodes on regular meshes
MOST = 2  # times the requested lines, if the heat from holes restricts their number


class NoFunction(Exception):
    """No such function: sources, stored heat, or heat from holes without a common measure."""


def require_balance(points, cells, flux, on_boundary):
    """Raises NoFunction if the heat balance of linear elements at inner nodes is not 0."""
    gradient, areas = gradients(points, cells)
    at_corners = np.einsum("ckd,cd->ck", gradient, flux) * areas[:, None]
    heat = np.abs(np.bincount(cells.ravel(), at_corners.ravel(), len(points)))
    if heat[~on_boundary].sum() > UNBALANCED * 0.5 * heat[on_boundary].sum():
        raise NoFunction


def by_cell(middles, edges, flux, centres):
    """(values at the midpoints of each cell's edges; their jumps across edges, non-zero for a hole that gives off heat;
    the boundary edges, as 3 * cell + k).

    The function is linear in a cell; its gradient is the flux turned by 90 degrees. Cells agree at the midpoints of
    their edges: there linear elements conserve heat (the P1 and the Crouzeix-Raviart element are conjugate).
    """
    turned = np.stack([-flux[:, 1], flux[:, 0]], axis=1)  # higher values on the left
    change = np.einsum("ckd,cd->ck", middles - centres[:, None], turned)  # from a cell's centre to its edges
    order = np.argsort(edges.ravel(), kind="stable")
    number = edges.ravel()[order]
    pair = np.flatnonzero(number[1:] == number[:-1])
    sides = np.stack([order[pair], order[pair + 1]], axis=1)  # of an edge: cell * 3 + k from both sides
    other = np.full(edges.size, -1)
    other[sides] = sides[:, ::-1]
    values, known, flat = np.zeros(len(edges)), np.zeros(len(edges), bool), change.ravel()
    known[0], front = True, np.array([0])
    while len(front):  # all neighbours of the cells of the last round
        own = (3 * front[:, None] + np.arange(3)).ravel()
        own = own[other[own] >= 0]
        cell, chosen = np.unique(other[own] // 3, return_index=True)
        own, new = own[chosen], ~known[cell]
        cell, own = cell[new], own[new]
        values[cell] = values[own // 3] + flat[own] - flat[other[own]]
        known[cell] = True
        front = cell
    if not known.all():
        raise NoFunction  # several bodies
    values = values[:, None] + change
    jumps = np.diff(values.ravel()[sides], axis=1)[:, 0]
    return values, jumps, np.flatnonzero(other < 0)


def common_measure(jumps, extent):
    """The common divisor of all jumps; None if there are none."""
    jumps = np.abs(jumps)
    jumps = jumps[jumps > 0.01 * extent]
    if not len(jumps):
        return None
    measure = jumps.min()
    times = jumps / measure
    if np.abs(times - np.rint(times)).max() > 0.02:
        raise NoFunction
    return float(np.mean(jumps / np.rint(times)))


def at_nodes(cells, values, sides, period, count):
    """Values at the corners of each cell: means over the cells around; on the boundary, means of the midpoints of the
    edges on both sides. At the end of an insulated wall, the value of that wall: any heat at this node belongs to the
    other wall."""
    corners = values + np.roll(values, 1, axis=1) - np.roll(values, -1, axis=1)
    nodes, following = cells.ravel(), np.roll(cells, -1, axis=1).ravel()
    inside = np.ones(count, bool)
    inside[nodes[sides]] = inside[following[sides]] = False

    def nearest(value, reference):  # modulo whole periods
        return value - period * np.rint((value - reference) / period) if period else value

    ends, side_values = np.stack([nodes[sides], following[sides]]), values.ravel()[sides]
    heat = np.zeros(count)
    heat[ends[0]] += side_values
    heat[ends[1]] -= side_values
    insulated = np.abs(nearest(heat, 0)) < BALANCED * np.ptp(values)
    weight = np.where(insulated[ends].any(axis=0), 1.0, 1e-9)
    used = inside[nodes]
    node = np.concatenate([nodes[used], *ends])
    value = np.concatenate([corners.ravel()[used], side_values, side_values])
    weight = np.concatenate([np.ones(used.sum()), weight, weight])
    reference = np.zeros(count)
    reference[node] = value
    total = np.bincount(node, weight * nearest(value, reference[node]), count)
    around = np.bincount(node, weight, count)
    return nearest((total / np.where(around > 0, around, 1))[cells], corners)


def heat_flow_lines(points, cells, flux, on_boundary, count):
    """About `count` lines along the `flux` [W/m²] of each cell, with the same heat flow between neighbours."""
    points, flux = points[:, :2], flux[:, :2]
    require_balance(points, cells, flux, on_boundary)
    places, middle, parts = quarters(points, cells)
    values, jumps, sides = by_cell(places[middle], middle, flux, points[cells].mean(axis=1))
    extent = np.ptp(values)
    if not extent > 0:
        return []
    period = common_measure(jumps, extent)
    if period and extent / period > MOST * count:
        raise NoFunction
    corners = at_nodes(cells, values, sides, period, len(points))
    at_corners = [np.stack([corners[:, k], values[:, k], values[:, k - 1]], axis=1) for k in range(3)]
    triangles = Triangles(places, parts, np.concatenate([values, *at_corners]), period)
    low, reach = (values.flat[0], period) if period else (values.min(), extent)
    count = max(round(count * reach / extent), 1)
    levels = low + (np.arange(count) + FIRST_LEVEL) * reach / count
    return [line for level in levels for line in triangles.lines(level)]
