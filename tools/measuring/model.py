"""A model of scaling, no measurement: seconds of an application on any number of ranks, from bytes, counts, messages.

An application takes what its bytes take at its measured share of the triad; between ranks also, for each exchange, the
halo's bytes and a message to each neighbour, and for each sum a tree of messages (LogGP, Alexandrov et al. 1995),
either behind a wait of the host for the GPU. Unequal parts, contention and noise are left out: real runs are slower.
"""

import math
from dataclasses import dataclass

from measuring.scaling import INPUT, SUMS, UNKNOWNS


@dataclass
class Machine:
    text: str  # what its figures are
    triad: float  # [B/s] of a rank
    latency: float  # [s] of a message between nodes
    gap: float  # [s] between messages of a rank
    bandwidth: float  # [B/s] of a rank, each way, copies between GPU and host included
    wait: float = 0.0  # [s] until the host knows that the GPU is done
    share: dict = None  # of the triad, by name; others by OTHER


OTHER = 0.7
MACHINES = {
    "h200": Machine(
        "H200: triad 4.36 TB/s, shares of it and 13 us a wait measured on one; 3 us and then .5 us a message and "
        "17 GB/s assumed (InfiniBand of 50 GB/s a GPU, and as much for each of two copies over PCIe)",
        4.36e12, 3e-6, 0.5e-6, 50e9 / 3, 13e-6,
        {"cg/pressure/jacobi": 0.75, "cg/momentum/jacobi": 0.66, "cg/heat/jacobi": 0.26, "gradient": 0.79,
         "divergence": 0.84, "product/pressure": 1.0, "product/momentum": 0.93, "axpy": 0.77, "interpolation": 0.62},
    ),
    "core": Machine(
        "a CPU core: triad 10 GB/s, 1.5 us and 1 GB/s a rank assumed (200 Gb/s a node of 24 and more ranks)",
        10e9, 1.5e-6, 0.5e-6, 1e9,
    ),
}  # fmt: skip
PER_CELL = {"cells": 1.0, "nodes": {2: 0.5, 3: 0.18}, "edges": {2: 0.5, 3: 1.18}, "faces": {2: 1.5, 3: 2.0}}
BYTES = 8  # of a value


def entities(location, dimension):
    """Of a kind, per cell of a large mesh."""
    count = PER_CELL[location]
    return count if isinstance(count, float) else count[dimension]


def exchanged(name):
    """The entities whose halo an application exchanges, or None, and how often it sums over ranks."""
    first, _, rest = name.partition("/")
    system = rest.split("/")[0]
    if first == "cg" and system in UNKNOWNS:
        return UNKNOWNS[system], 1
    if first == "product" and system in UNKNOWNS:
        return UNKNOWNS[system], 0
    if name in INPUT:
        return INPUT[name], 0
    return None, int(name in SUMS)


def halo_cells(cells, dimension):
    """Of a rank inside a mesh, with so many cells: those around the nodes at the sides of a square of squares of two
    triangles, or a cube of cubes of six tetrahedra."""
    each = {2: 2, 3: 6}[dimension]
    spacings = (cells / each) ** (1 / dimension)
    return 2 * dimension * each * spacings ** (dimension - 1)


def seconds(machine, name, cells, unknowns, bytes_per_unknown, ranks, dimension):
    """Parts of an application's time on the ranks of a mesh of so many cells: memory, halo, sums."""
    own = cells / ranks
    share = (machine.share or {}).get(name, OTHER)
    location, sums = exchanged(name)
    parts = {"memory": bytes_per_unknown * unknowns / ranks / (share * machine.triad), "halo": 0.0, "sums": 0.0}
    if ranks == 1:
        return parts
    if location:
        neighbours = min(ranks - 1, {2: 8, 3: 26}[dimension] // 2)
        sent = BYTES * halo_cells(own, dimension) * entities(location, dimension)
        messages = machine.latency + (neighbours - 1) * machine.gap
        parts["halo"] = machine.wait + messages + sent / machine.bandwidth
    if sums:
        parts["sums"] = machine.wait + 2 * math.ceil(math.log2(ranks)) * machine.latency
    return parts


def rows_of(study, machine_name, ranks, cells_of_first=None):
    """The model beside each series of a study, on other ranks: strong the mesh of its first row, weak as many cells a
    rank as that has, or with `cells_of_first` in its place."""
    machine = MACHINES[machine_name]
    found = []
    for series in study["series"]:
        first = series["rows"][0]
        for name in study["names"]:
            result = next(entry for entry in first["results"] if entry["name"] == name)
            if not result["bytes_per_unknown"]:
                continue
            per_cell = result["unknowns"] / first["cells"]
            of_one = None
            for count in sorted({first["ranks"], *ranks}, key=lambda ranks: (ranks != first["ranks"], ranks)):
                cells = cells_of_first or first["cells"]
                of_ranks = 1 if cells_of_first else first["ranks"]
                cells *= count / of_ranks if study["scaling"] == "weak" else 1
                unknowns, moved = per_cell * cells, result["bytes_per_unknown"]
                parts = seconds(machine, name, cells, unknowns, moved, count, first["dimension"])
                total = sum(parts.values())
                at_best = max(parts["memory"], parts["halo"]) + parts["sums"]
                of_one = of_one or cells / total / count
                found.append({"series": series["label"], "name": name, "machine": machine_name, "ranks": count,
                              "cells": round(cells), "seconds": total, "parts": parts,
                              "efficiency": cells / total / count / of_one,
                              "efficiency_overlapped": cells / at_best / count / of_one})  # fmt: skip
    return found
