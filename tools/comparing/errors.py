"""Deviation of a program's temperatures from the reference: P1 on the same mesh, solved to a small tolerance."""

from dataclasses import dataclass

import numpy as np

from comparing import fields


@dataclass
class Errors:
    largest: float  # |T - reference| over the nodes, or the cells
    rms: float
    beyond: float  # excess of T beyond [0, 1], which the exact solution never leaves
    lowest: float
    highest: float


def errors_of(found, mesh, reference):
    """Errors against `reference`, at the nodes of the mesh. Cell values are compared with its cell means."""
    if found.in_cells:
        values = fields.in_order_of(mesh.cell_centres(), found)
        expected = reference[mesh.cells].mean(axis=1)
    else:
        values, expected = fields.in_order_of(mesh.points, found), reference
    difference = values - expected
    lowest, highest = float(values.min()), float(values.max())
    return Errors(float(np.abs(difference).max()), float(np.sqrt((difference**2).mean())),
                  max(0.0, -lowest, highest - 1), lowest, highest)
