"""How far the temperatures of a program are from the reference: P1 on the same mesh, solved far."""

from dataclasses import dataclass

import numpy as np

from comparing import fields


@dataclass
class Errors:
    largest: float  # of |T - reference| over the nodes, or the cells
    rms: float
    beyond: float  # how far T leaves [0, 1], which no solution of the equation does
    lowest: float
    highest: float


def errors_of(found, mesh, reference):
    """`reference`: at the nodes of the mesh. Values in cells are compared with its means over the cells."""
    if found.in_cells:
        values = fields.in_order_of(mesh.cell_centres(), found)
        expected = reference[mesh.cells].mean(axis=1)
    else:
        values, expected = fields.in_order_of(mesh.points, found), reference
    difference = values - expected
    lowest, highest = float(values.min()), float(values.max())
    return Errors(float(np.abs(difference).max()), float(np.sqrt((difference**2).mean())),
                  max(0.0, -lowest, highest - 1), lowest, highest)
