"""Some of the boundary groups of a body alone, such as an obstacle in a flow, from both sides."""

import numpy as np

from common.failure import Failure
from plotting import drawing
from plotting.solid import Solid
from plotting.surface import Surface


def triangles_of(result, fields, names):
    """The nodes of the triangles of these patches."""
    files, found = result.patches(), []
    for name in names:
        nodes = fields.of_patch(files[name]) if name in files else None
        if nodes is None:
            there = f"there are: {', '.join(files)}" if files else "there is no patches.vtm"
            raise Failure(f"{result.folder}: no patch `{name}`; {there}")
        found.append(nodes)
    return np.concatenate(found)


class Patches(Solid):
    """What is seen of some patches; their values alone decide the colours."""

    def __init__(self, result, fields, names, directions=None):
        self.names, self.step, self.is_length = names, fields.step, fields.is_length
        self.regions = fields.regions
        super().__init__(fields, directions, Surface(fields, triangles_of(result, fields, names)))

    def range(self, name):
        values, at_nodes = self.fields.values(name)
        values = values[self.surface.triangles].ravel() if at_nodes else values[self.surface.cells]
        return values, drawing.colour_range(self, name, values, at_nodes)

    def percentile(self, values, at_nodes, percent):
        """The value that `percent` of the patches' area lies below."""
        values = values.reshape(-1, 3).mean(axis=1) if at_nodes else values
        order = np.argsort(values)
        share = np.cumsum(self.surface.areas[order])
        return values[order[min(np.searchsorted(share, percent / 100 * share[-1]), len(order) - 1)]]

    def title(self, name):
        return f"{super().title(name)}, {drawing.plain(', '.join(self.names))}"
