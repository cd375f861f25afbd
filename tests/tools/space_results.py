"""Small results of flows on tetrahedra for tests, and the calls that draw them with few pixels."""

import json

import heat_results
from plot_test import MANY, ask, data_array

OPENING = """
import json, sys
from pathlib import Path
import numpy as np
from plotting import drawing, isosurface, layout, slices, solid, spatial, surface
from plotting.fields import Fields
from plotting.result import Result
slices.PIXELS = 201
isosurface.PIXELS = solid.PIXELS = 405
fields = Fields(Result(Path(sys.argv[1])).pick()) if len(sys.argv) > 1 else None
"""


def plot(*calls):
    """[exit code, output] of tools/plot for each list of arguments, with few pixels."""
    words = json.dumps([[str(argument) for argument in call] for call in calls])
    return ask(OPENING.replace("len(sys.argv) > 1", "False") + MANY, words)


def linear(place):
    return 3 + 2 * place[0] - 5 * place[1] + 7 * place[2]


def turning(place):
    """About the axis through the middle of the unit cube, along z, and upwards."""
    return (0.5 - place[1], place[0] - 0.5, 0.25 + place[0])


def write_flow(result, mesh, velocity=turning, **at_nodes):
    """A flow with a pressure of 4 times the x of a cell's middle, and further fields."""
    written = {"velocity": velocity, **at_nodes}
    heat_results.write_step(result, 7, 0.5, mesh, written, {"pressure": lambda place: 4 * place[0]})
    case = {"title": "A test of space"}
    (result / "summary.json").write_text(json.dumps({"mesh": {"dimension": 3, "cells": len(mesh[1])}, "case": case}))
    rows = [f"{k},{k / 10},0.1,{1 - 1 / k}" for k in range(1, 8)]
    header = "step [-],time [s],dt [s],kinetic_energy [m^5/s^2]"
    (result / "history.csv").write_text("\n".join([header, *rows]) + "\n")


def write_patches(result, n):
    """The sides z = 0 and y = 1 of a cube of n boxes along each edge, as triangles by the nodes' global ids."""
    number = lambda i, j, k: (i * (n + 1) + j) * (n + 1) + k
    sides = {"low": lambda a, b: (a, b, 0), "side": lambda a, b: (a, n, b)}
    (result / "patches").mkdir()
    for name, place in sides.items():
        nodes = sorted(number(*place(a, b)) for a in range(n + 1) for b in range(n + 1))
        triangles = []
        for a in range(n):
            for b in range(n):
                p, q, r, s = (number(*place(a + i, b + j)) for i, j in ((0, 0), (1, 0), (1, 1), (0, 1)))
                triangles += [p, q, r, p, r, s]  # the steps from a corner of a box to the opposite one
        (result / "patches" / f"{name}.vtp").write_text(
            '<?xml version="1.0"?><VTKFile type="PolyData" version="1.0" byte_order="LittleEndian"><PolyData>'
            f'<Piece NumberOfPoints="{len(nodes)}" NumberOfPolys="{len(triangles) // 3}">'
            f"<PointData>{data_array('global_id', nodes, 'Int64')}</PointData>"
            f"<Points>{data_array('Points', [0.0] * 3 * len(nodes), components=3)}</Points><Polys>"
            + data_array("connectivity", [nodes.index(node) for node in triangles], "Int64")
            + data_array("offsets", [3 * (k + 1) for k in range(len(triangles) // 3)], "Int64")
            + "</Polys></Piece></PolyData></VTKFile>"
        )
    blocks = "".join(f'<DataSet index="{k}" name="{name}" file="patches/{name}.vtp"/>' for k, name in enumerate(sides))
    (result / "patches.vtm").write_text(
        '<?xml version="1.0"?><VTKFile type="vtkMultiBlockDataSet" version="1.0">'
        f"<vtkMultiBlockDataSet>{blocks}</vtkMultiBlockDataSet></VTKFile>"
    )


def cube(n=4):
    return heat_results.bar((n, n, n), (1.0, 1.0, 1.0))
