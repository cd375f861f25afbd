"""Small results of heat conduction for tests: a plate of triangles or a bar of tetrahedra, each on two ranks."""

import itertools
import json

from plot_test import data_array

VTK_TYPES = {3: 5, 4: 10}  # by the number of corners: triangle, tetrahedron
CONDUCTIVITY = 40.0  # W/(m K)


def bar(counts=(8, 2, 2), lengths=(0.4, 0.1, 0.1), without=()):
    """Places and cells of a bar of boxes, six tetrahedra each; the boxes (i, j, k) of `without` are left out."""
    nodes = list(itertools.product(*(range(count + 1) for count in counts)))
    number = {node: k for k, node in enumerate(nodes)}
    places = [tuple(i * length / count for i, length, count in zip(node, lengths, counts)) for node in nodes]
    cells = []
    for box in itertools.product(*map(range, counts)):
        if box in without:
            continue
        for order in itertools.permutations(range(3)):  # of the three steps from a corner to the opposite one
            node, corners = list(box), [number[box]]
            for axis in order:
                node[axis] += 1
                corners.append(number[tuple(node)])
            cells.append(tuple(corners))
    return places, cells


def plate(counts=(12, 6), lengths=(0.4, 0.2)):
    """Places and cells of a rectangle of boxes, two triangles each."""
    nodes = list(itertools.product(range(counts[0] + 1), range(counts[1] + 1)))
    number = {node: k for k, node in enumerate(nodes)}
    places = [(i * lengths[0] / counts[0], j * lengths[1] / counts[1], 0.0) for i, j in nodes]
    cells = []
    for i, j in itertools.product(*map(range, counts)):
        a, b, c, d = (number[i + di, j + dj] for di, dj in ((0, 0), (1, 0), (1, 1), (0, 1)))
        cells += [(a, b, c), (a, c, d)]
    return places, cells


def write_step(result, step, time, mesh, at_nodes, at_cells, ghosts=False):
    """Fields of a step. The rank of a cell is 1 where its middle is beyond that of the mesh in x, else 0.

    at_nodes, at_cells: {name: function of (x, y, z)}, at cells of their middle; a tuple is a vector. With `ghosts` each
    piece has copies of the other's cells that touch its own.
    """
    places, cells = mesh
    used = sorted({node for cell in cells for node in cell})
    middles = [tuple(sum(places[node][k] for node in cell) / len(cell) for k in range(3)) for cell in cells]
    half = 0.5 * max(places[node][0] for node in used)
    name = f"fields_{step:06}"
    (result / name).mkdir(parents=True)
    declared = {}
    for rank in (0, 1):
        own = [k for k, middle in enumerate(middles) if (middle[0] > half) == bool(rank)]
        nodes = sorted({node for k in own for node in cells[k]})
        copies, mine = [], set(nodes)
        if ghosts:
            copies = [k for k in range(len(cells)) if k not in set(own) and mine & set(cells[k])]
            nodes = sorted({node for k in own + copies for node in cells[k]})
        own = own + copies
        local = {node: k for k, node in enumerate(nodes)}
        texts = {}
        for kind, functions, where in (
            ("PointData", at_nodes, [places[node] for node in nodes]),
            ("CellData", at_cells, [middles[k] for k in own]),
        ):
            ids = nodes if kind == "PointData" else own
            texts[kind] = data_array("global_id", ids, "Int64")
            for field, function in functions.items():
                values = [function(place) for place in where]
                parts = len(values[0]) if isinstance(values[0], tuple) else 1
                declared[kind, field] = parts
                flat = [part for value in values for part in value] if parts > 1 else values
                texts[kind] += data_array(field, flat, components=parts)
        texts["CellData"] += data_array("rank", [int(middles[k][0] > half) for k in own], "Int32")
        if ghosts:
            texts["CellData"] += data_array("vtkGhostType", [int(k in copies) for k in own], "UInt8")
            texts["PointData"] += data_array("vtkGhostType", [int(node not in mine) for node in nodes], "UInt8")
        corners = len(cells[0])
        (result / name / f"{name}_{rank}.vtu").write_text(
            '<?xml version="1.0"?>'
            '<VTKFile type="UnstructuredGrid" version="1.0" byte_order="LittleEndian"><UnstructuredGrid>'
            f'<Piece NumberOfPoints="{len(nodes)}" NumberOfCells="{len(own)}">'
            f'<PointData GlobalIds="global_id">{texts["PointData"]}</PointData>'
            f'<CellData GlobalIds="global_id">{texts["CellData"]}</CellData>'
            f"<Points>{data_array('Points', [x for node in nodes for x in places[node]], components=3)}</Points><Cells>"
            + data_array("connectivity", [local[node] for k in own for node in cells[k]], "Int64")
            + data_array("offsets", [corners * (k + 1) for k in range(len(own))], "Int64")
            + data_array("types", [VTK_TYPES[corners]] * len(own), "UInt8")
            + "</Cells></Piece></UnstructuredGrid></VTKFile>"
        )
    arrays = {"PointData": "", "CellData": '<PDataArray type="Int32" Name="rank"/>'}
    for (kind, field), parts in declared.items():
        arrays[kind] += f'<PDataArray type="Float64" Name="{field}" NumberOfComponents="{parts}"/>'
    if ghosts:
        arrays = {kind: text + '<PDataArray type="UInt8" Name="vtkGhostType"/>' for kind, text in arrays.items()}
    ids = '<PDataArray type="Int64" IdType="1" Name="global_id"/>'
    (result / f"{name}.pvtu").write_text(
        '<?xml version="1.0"?><VTKFile type="PUnstructuredGrid" version="1.0" byte_order="LittleEndian">'
        f'<PUnstructuredGrid GhostLevel="{int(ghosts)}">'
        + "".join(f'<P{kind} GlobalIds="global_id">{ids}{arrays[kind]}</P{kind}>' for kind in arrays)
        + '<PPoints><PDataArray type="Float64" Name="Points" NumberOfComponents="3"/></PPoints>'
        + "".join(f'<Piece Source="{name}/{name}_{rank}.vtu"/>' for rank in (0, 1))
        + "</PUnstructuredGrid></VTKFile>"
    )
    (result / "fields.pvd").write_text(
        '<?xml version="1.0"?><VTKFile type="Collection"><Collection>'
        f'<DataSet timestep="{time}" group="" part="0" file="{name}.pvtu"/></Collection></VTKFile>'
    )


def write_heat(result, mesh, steps=1, **more_at_nodes):
    """A result with temperature 300 K + 250 K/m x, in one step (steady) or more; `more_at_nodes` as in write_step."""
    dimension = len(mesh[1][0]) - 1
    heat_flux = (-250.0 * CONDUCTIVITY, 0.0, 0.0)
    at_nodes = {"temperature": lambda place: 300 + 250 * place[0], **more_at_nodes}
    at_cells = {"heat_flux": lambda place: heat_flux, "region": lambda place: int(place[1] > 0.05)}
    write_step(result, steps, 0.0 if steps == 1 else 0.1 * steps, mesh, at_nodes, at_cells)
    (result / "lines").mkdir()
    rows = [f"{x / 100},{x / 100},0.05,0.0,{300 + 2.5 * x}" for x in range(0, 41, 4)]
    (result / "lines" / f"axis_{steps:06}.csv").write_text(
        "\n".join(["s [m],x [m],y [m],z [m],temperature [K]", *rows]) + "\n"
    )
    header = (
        "step [-],time [s],dt [s],temperature_min [K],temperature_max [K],heat_stored [W],heat_source [W],"
        "heat_imbalance [W],iterations_heat [-],residual_heat [-],wall_seconds [s],heat_cold end [W],heat_hot_end [W]"
    )
    rows = []
    for k in range(1, steps + 1):
        time = 0 if steps == 1 else 0.1 * k
        rows.append(f"{k},{time},0.1,300,{400 - 20 / k},{10 / k},0,{-1e-9 / k},{20 + k},1e-9,{k},-100,{100 + 10 / k}")
    (result / "history.csv").write_text("\n".join([header, *rows]) + "\n")
    summary = {
        "mesh": {"dimension": dimension, "cells": len(mesh[1])},
        "run": {"steps": steps, "stopped_by": "steady" if steps == 1 else "end"},
        "case": {"title": "A test of heat", "heat": {"conductivity": CONDUCTIVITY}},
        "heat": {"cold end": -100.0, "hot_end": 100.0},
    }
    (result / "summary.json").write_text(json.dumps(summary))
