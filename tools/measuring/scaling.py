"""The parts of a scaling study: its meshes, the benchmark names, and the numbers of a row."""

import statistics
from dataclasses import dataclass

from measuring.launch import RunFailed

# Entities of the values that an operator or a system reads from other ranks.
INPUT = {
    "gradient": "cells",
    "integration": "cells",
    "divergence": "faces",
    "rotation": "faces",
    "interpolation": "faces",
    "curl": "edges",
}
UNKNOWNS = {"pressure": "cells", "heat": "nodes", "curl-curl": "edges", "momentum": "faces"}
SUMS = ("dot", "sum", "max")

# For hints only: the program defines the valid names.
KNOWN = (
    ["axpy", *SUMS, *INPUT, "boundary", "allreduce"]
    + [f"halo/{location}" for location in ("cells", "nodes", "edges", "faces")]
    + [f"product/{system}" for system in UNKNOWNS]
    + [f"cg/{system}/{preconditioner}" for system in UNKNOWNS for preconditioner in ("none", "jacobi")]
)


@dataclass
class Mesh:
    label: str
    arguments: list  # of `solenoid bench`


@dataclass
class Series:
    """A curve: meshes by number of ranks, ascending."""

    label: str
    meshes: list  # of (ranks, Mesh)


def generated(kind, n, refine=0):
    return refined(Mesh(f"{kind} {n}", [f"--{kind}", str(n)]), refine)


def refined(mesh, times):
    """The mesh, each of its cells divided so many times by the rank that has it."""
    if times == 0:
        return mesh
    return Mesh(f"{mesh.label} / {2**times}", [*mesh.arguments, "--refine", str(times)])


def weak_size(kind, n, ranks):
    """Spacings along a side for `ranks` times the cells of a mesh with n spacings."""
    return max(1, round(n * ranks ** (1 / 2 if kind == "square" else 1 / 3)))


def weak_refined(kind, n, ranks, times):
    """As weak_size, with divisions by 2 of each spacing in its place as far as they go: (spacings, divisions), so that
    the mesh before them, which one rank makes, is never more than 4 or 8 times that of one rank."""
    children, more = 4 if kind == "square" else 8, 0
    while children ** (more + 1) <= ranks:
        more += 1
    return weak_size(kind, n, ranks / children**more), times + more


def strong_series(ranks, kind, values, refine=()):
    """`values`: spacings along a side for kind square and cube, files for kind mesh. `refine`: one number of divisions
    of each cell, or none."""
    times = refine[0] if refine else 0
    if kind == "mesh":
        short = [path.stem for path in values]
        labels = short if len(set(short)) == len(short) else list(map(str, values))
        meshes = [Mesh(label, ["--mesh", str(path)]) for label, path in zip(labels, values)]
    else:
        meshes = [generated(kind, n) for n in values]
    meshes = [refined(mesh, times) for mesh in meshes]
    return [Series(mesh.label, [(count, mesh) for count in sorted(ranks)]) for mesh in meshes]


def weak_series(ranks, kind, values, refine=()):
    """Like strong_series; for kind mesh, one series with a file, or one for all, and a number of divisions per number
    of ranks."""
    if kind == "mesh":
        files = values * len(ranks) if len(values) == 1 else values
        times = refine * len(ranks) if len(refine) == 1 else refine or [0] * len(ranks)
        meshes = [
            (count, refined(Mesh(path.stem, ["--mesh", str(path)]), divisions))
            for count, path, divisions in zip(ranks, files, times)
        ]
        meshes.sort(key=lambda pair: pair[0])
        return [Series(f"{meshes[0][1].label} to {meshes[-1][1].label}", meshes)]
    if refine:
        return [
            Series(
                f"{kind} {n} / {2 ** refine[0]} per rank",
                [(count, generated(kind, *weak_refined(kind, n, count, refine[0]))) for count in sorted(ranks)],
            )
            for n in values
        ]
    return [
        Series(f"{kind} {n} per rank", [(count, generated(kind, weak_size(kind, n, count))) for count in sorted(ranks)])
        for n in values
    ]


def communication(name):
    """The benchmarks of the communication of `name` alone: an exchange of its input, a sum over ranks. None if
    unknown."""
    first, _, rest = name.partition("/")
    system = rest.split("/")[0]
    if first == "cg" and system in UNKNOWNS:
        return [f"halo/{UNKNOWNS[system]}", "allreduce"]
    if first == "product" and system in UNKNOWNS:
        return [f"halo/{UNKNOWNS[system]}"]
    if name in INPUT:
        return [f"halo/{INPUT[name]}"]
    if name in SUMS:
        return ["allreduce"]
    return None


def names_to_ask(names):
    """The chosen names, plus the references of their bandwidth and communication."""
    needed = [part for name in names for part in communication(name) or []]
    return list(dict.fromkeys([*names, *needed, "triad", "allreduce"]))


def ratio(a, b):
    return None if a is None or not b else a / b


def setup_seconds(run):
    """Seconds before the first measurement; None if the program does not report them. Parts by name are summed."""
    for key in ("setup_seconds", "setup"):
        found = run.get(key)
        if isinstance(found, dict):
            found = sum(part for part in found.values() if isinstance(part, (int, float))) if found else None
        if isinstance(found, (int, float)):
            return found
    return None


def median_of(values):
    values = [value for value in values if value is not None]
    return statistics.median(values) if values else None


def make_row(mesh, ranks, names, runs):
    """A row from the output of `solenoid bench` in each repeat; relate() adds speed-up and efficiency."""
    try:
        return _make_row(mesh, ranks, names, runs)
    except (KeyError, TypeError, AttributeError) as error:
        raise RunFailed(
            f"{mesh.label} on {ranks} ranks: what `solenoid bench` wrote has no usable entry {error}; "
            "the program is older or newer than tools/scaling: build it again"
        ) from None


def _make_row(mesh, ranks, names, runs):
    first = runs[0]
    if first["ranks"] != ranks:
        raise RunFailed(
            f"started on {ranks} ranks, but the program counted {first['ranks']}: the launcher belongs to another MPI "
            "library than the program; name the right one by --launcher",
            2,
        )
    cells, part = first["mesh"]["cells"], first["partition"]
    tables = [{entry["name"]: entry for entry in run["results"]} for run in runs]
    triad = median_of(run.get("triad_bytes_per_second") for run in runs)

    def seconds_of(name):
        return median_of(table.get(name, {}).get("seconds") for table in tables)

    row = {
        "mesh": mesh.label,
        "ranks": ranks,
        "backend": first.get("backend"),
        "device": first.get("device"),
        "dimension": first["mesh"]["dimension"],
        "refinements": first.get("refinements", 0),
        "cells": cells,
        "cells_min": part["cells_min"],
        "cells_max": part["cells_max"],
        "balance": part["cells_max"] * ranks / cells - 1,
        "cut_faces": part["cut_faces"],
        "halo_cells": part["halo_cells"],
        "halo_share": part["halo_cells"] / cells,
        "setup_seconds": median_of(map(setup_seconds, runs)),
        "setup_phases": {
            name: median_of(run.get("setup_phases", {}).get(name) for run in runs)
            for name in first.get("setup_phases", {})
        },
        "setup_bytes_max_rank": median_of(run.get("setup_bytes_max_rank") for run in runs),
        "setup_bytes_per_cell": ratio(median_of(run.get("setup_bytes") for run in runs), cells),
        "triad_bytes_per_second": triad,
        "communication_seconds": {
            name: seconds_of(name) for name in names_to_ask(names) if name.startswith("halo/") or name == "allreduce"
        },
        "results": [],
    }
    for name in names:
        missing = [name for table in tables if name not in table]
        if missing:
            raise RunFailed(f"`solenoid bench` wrote no result `{name}`; there are {', '.join(tables[0]) or 'none'}")
        entries = [table[name] for table in tables]
        repeats, unknowns = [entry["seconds"] for entry in entries], entries[0]["unknowns"]
        seconds = statistics.median(repeats)
        bytes_moved = entries[0].get("bytes_per_unknown")
        rate = ratio(bytes_moved * unknowns, seconds) if bytes_moved else None
        parts = [row["communication_seconds"].get(part) for part in communication(name) or [None]]
        sent = None if None in parts else sum(parts)
        row["results"].append(
            {
                "name": name,
                "unknowns": unknowns,
                "seconds": seconds,
                "seconds_of_repeats": repeats,
                "seconds_per_unknown": ratio(seconds, unknowns),
                "bytes_per_unknown": bytes_moved,
                "bytes_per_second": rate,
                "bandwidth_fraction": ratio(rate, triad),
                "communication_share": ratio(sent, seconds),
            }
        )
    return row


def relate(rows):
    """Adds speed-up and parallel efficiency to the rows of a series, relative to its first, in cells per second.

    In weak scaling the cells per rank are equal up to rounding; hence the actual numbers count.
    """
    reference = rows[0]
    for row in rows:
        work, more = row["cells"] / reference["cells"], row["ranks"] / reference["ranks"]
        for result, before in zip(row["results"], reference["results"]):
            faster = ratio(before["seconds"] or None, result["seconds"])  # on one rank an exchange may take no time
            result["speed_up"] = None if faster is None else work * faster
            result["efficiency"] = ratio(result["speed_up"], more)
