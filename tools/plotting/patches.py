"""Some boundary groups of a body alone, such as an obstacle in a flow, from both sides."""

import numpy as np

from common.failure import Failure
from plotting import drawing
from plotting.fields import percentile
from plotting.solid import Solid
from plotting.surface import Surface


def triangles_of(result, fields, names):
    """The nodes of the triangles of these patches."""
    files, found = result.patches(), []
    for name in names:
        if name not in files:
            there = f"there are: {', '.join(files)}" if files else "there is no patches.vtm"
            raise Failure(f"{result.folder}: no patch `{name}`; {there}")
        nodes = fields.of_patch(files[name])
        if nodes is None:
            raise Failure(f"{files[name]}: no triangles with the numbers of their nodes; run the case again")
        found.append(nodes)
    return np.concatenate(found)


class Patches(Solid):
    """The visible part of some patches; their values alone set the colours."""

    def __init__(self, result, fields, names, directions=None):
        self.names, self.step, self.is_length = names, fields.step, fields.is_length
        self.regions = fields.regions
        super().__init__(fields, directions, Surface(fields, triangles_of(result, fields, names)))

    def range(self, name):
        values, at_nodes = self.fields.values(name)
        values = values[self.surface.triangles].ravel() if at_nodes else values[self.surface.cells]
        return values, drawing.colour_range(self, name, values, at_nodes)

    def percentile(self, values, at_nodes, percent):
        """The percentile of values by area of the patches."""
        values = values.reshape(-1, 3).mean(axis=1) if at_nodes else values
        return percentile(values, self.surface.areas, percent)

    def title(self, name):
        return f"{super().title(name)}, {drawing.plain(', '.join(self.names))}"
