"""The command line of tools/compare/flow, and its output."""

import argparse
import csv
import json
import os
import tempfile
from pathlib import Path

from comparing import foam_flows, fractional_step, meshes, steps
from comparing.flows import FLOWS
from comparing.programs import build_solenoid, end_of, positive, positive_number, warn_of_too_many_ranks
from comparing.running import Missing
from comparing.tables import number, print_table, processor, scatter
from measuring.command import seconds
from measuring.launch import find_launcher

TOOL = "tools/compare/flow"

DESCRIPTION = """\
Compares the time step of Solenoid's fractional-step methods with that of OpenFOAM's icoFoam, in the lid-driven cavity,
around a cylinder in a channel (Schaefer & Turek 1996; --reynolds 20 is 2D-1, 100 is 2D-2), or in the lid-driven cube,
and with buoyantBoussinesqPimpleFoam in a cavity that is heated from a side: the same triangles, which OpenFOAM has as
one layer of prisms, or tetrahedra, and steps of the same length, of second order. Builds the preset cpu where it is out
of date. Needs NumPy; without OpenFOAM Solenoid is measured alone.
"""

EPILOGUE = """\
The programs take turns, so that a machine that slows down slows all of them; one thread a rank. A run is --warm-up
steps from rest and then --steps that count: start-up, reading the mesh and writing results are not in them. The length
of the steps is that with which Solenoid has the Courant number --cfl at the end; it is found by a run before.

Columns: milliseconds a step, the median of the steps and then of the turns; the fastest step of all; how many times
faster than the fastest of OpenFOAM on as many ranks; iterations a step, by system; Courant number and divergence at the
end; memory of the largest process; processor time over the time that the ranks had, which is below 1 where other work
disturbed them, or where they waited; of a flow around a body the drag coefficient at the end, of the heated cavity the
Nusselt number.
Solenoid's name is followed by the method and the tolerance of its potential, or of its momentum and pressure, relative
to what a step changes; its vorticity has 1e-10.
p, U and T of OpenFOAM go to 1e-6, the pressure's first corrector to 0.05 of where it began.
Divergence: of Solenoid the largest sum of fluxes of a cell over the largest flux; of OpenFOAM its 'sum local', the mean
of |div u| over the volume times the step.

exit code: 0 compared, also where OpenFOAM is missing; 1 one failed; 2 an option is wrong

Examples: tools/compare/flow --json flow.json --csv flow.csv
          tools/compare/flow --cells 40000 --ranks 1 --pressure gamg-pcg gamg dic-pcg
          tools/compare/flow --flow cylinder --methods exact classical --cells 160000
          tools/compare/flow --flow heated-cavity --ranks 1 --steps 10000 --repeats 1
          tools/compare/flow --flow cube --methods classical --cells 99000 --tolerances 1e-2 1e-4
"""


def parse(arguments):
    parser = argparse.ArgumentParser(prog=TOOL, description=DESCRIPTION, epilog=EPILOGUE, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flow", metavar="FLOW", default="cavity", choices=FLOWS,
                        help=f"{', '.join(FLOWS)} (cavity)")
    parser.add_argument("--methods", metavar="METHOD", nargs="+", default=["exact"],
                        choices=fractional_step.SYSTEMS, help="Solenoid's: exact, classical (exact)")
    parser.add_argument("--cells", metavar="N", type=positive, nargs="+",
                        help="about as many on each mesh (40000 160000 640000; of the cube 99000 497000, heated 3000)")
    parser.add_argument("--reynolds", metavar="RE", type=positive_number, default=100.0, help="Reynolds number (100)")
    parser.add_argument("--rayleigh", metavar="RA", type=positive_number, default=1e5,
                        help="Rayleigh number of the heated cavity (1e5)")
    parser.add_argument("--cfl", metavar="C", type=positive_number, default=0.5, help="Courant number (0.5)")
    parser.add_argument("--tolerances", metavar="T", type=positive_number, nargs="+", default=[1e-8, 1e-4],
                        help="of Solenoid's systems (1e-8, which a case has by default, and 1e-4)")
    parser.add_argument("--pressure", metavar="SOLVER", nargs="+", choices=foam_flows.PRESSURE_SOLVERS,
                        help=f"OpenFOAM's: {', '.join(foam_flows.PRESSURE_SOLVERS)} (the first two; of the heated "
                             "cavity the first)")
    parser.add_argument("--correctors", metavar="N", type=int, choices=range(10), default=0,
                        help="OpenFOAM's for faces whose normal is not along the line between the cells (0)")
    parser.add_argument("--ranks", metavar="N", type=positive, nargs="+", default=[1, 2], help="numbers of ranks (1 2)")
    parser.add_argument("--warm-up", metavar="N", type=positive, default=5, help="steps that do not count (5)")
    parser.add_argument("--steps", metavar="N", type=positive, default=20, help="steps that count (20)")
    parser.add_argument("--repeats", metavar="N", type=positive, default=3, help="turns that each program takes (3)")
    parser.add_argument("--timeout", metavar="S", type=seconds, default=3600.0, help="of one run [s] (3600)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything that was measured")
    parser.add_argument("--csv", metavar="FILE", type=Path, help="write the table")
    parser.add_argument("--solenoid", metavar="PROGRAM", type=Path, help="measure this one; builds nothing")
    return parser.parse_args(arguments)


def systems(row):
    return ", ".join(f"{name} {count:.1f}" for name, count in row["iterations"].items())


COLUMNS = (  # head, width, text of a row
    ("program", -26, lambda row: row["program"]),
    ("cells", 7, lambda row: str(row["cells"])),
    ("ranks", 5, lambda row: str(row["ranks"])),
    ("ms a step", 9, lambda row: number(1e3 * row["step_seconds"], ".1f")),
    ("fastest", 8, lambda row: number(1e3 * row["fastest_step_seconds"], ".1f")),
    ("times faster", 12, lambda row: number(row["times_faster"], ".2f")),
    ("iterations", 30, systems),
    ("CFL", 5, lambda row: number(row["cfl"], ".2f")),
    ("divergence", 10, lambda row: number(row["divergence"], ".1e")),
    ("drag", 7, lambda row: number(row["drag"], ".4f")),
    ("Nusselt", 7, lambda row: number(row["nusselt"], ".4f")),
    ("MB", 5, lambda row: number(1e-6 * row["bytes"], ".0f")),
    ("busy", 5, lambda row: number(row["busy"], ".2f")),
)


def make_problem(cells, options, folder):
    flow, file = FLOWS[options.flow](options), folder / "mesh.msh"
    meshes.write_format_2(flow.file, file, flow.size(cells))
    mesh = meshes.read(file, flow.file.name, flow.dimension)
    return steps.FlowProblem(file, mesh, find_launcher(), options.timeout, flow, options.warm_up, options.steps)


def compare(program, cells, options):
    """The mesh, the rows, and the missing programs."""
    with tempfile.TemporaryDirectory(prefix="solenoid-flow-") as name:
        ours = fractional_step.contenders(program, options.methods, options.tolerances, options.ranks)
        peers, missing = [], []
        problem = steps.with_courant_number(options.cfl, make_problem(cells, options, Path(name)), ours[0])
        try:
            solvers = options.pressure or problem.flow.pressure
            peers = foam_flows.contenders(problem, solvers, options.correctors, options.ranks)
        except Missing as text:
            missing.append(str(text))
        rows = steps.compare(ours, peers, problem, options.repeats)
        count = len(problem.mesh.cells)
        mesh = {"nodes": len(problem.mesh.points), "cells": count, "step": problem.step}
        return mesh, [{"cells": count, **row} for row in rows], missing


def write_csv(path, rows):
    with open(path, "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["program", "cells [-]", "ranks [-]", "step [s]", "fastest_step [s]", "times_faster [-]",
                         "iterations", "cfl [-]", "divergence [-]", "drag [-]", "nusselt [-]", "memory [B]", "busy [-]"])
        writer.writerows([row["program"], row["cells"], row["ranks"], row["step_seconds"],
                          row["fastest_step_seconds"], row["times_faster"], systems(row), row["cfl"],
                          row["divergence"], row["drag"], row["nusselt"], row["bytes"], row["busy"]] for row in rows)


def run(options):
    program = (options.solenoid or build_solenoid()).resolve()
    warn_of_too_many_ranks(TOOL, options.ranks)
    found, rows = [], []
    for cells in options.cells or FLOWS[options.flow].cells:
        mesh, new, missing = compare(program, cells, options)
        print("".join(f"not compared: {text}\n" for text in missing if not found)
              + f"{mesh['cells']} cells, {mesh['nodes']} nodes, steps of {mesh['step']:.3g} s", flush=True)
        print_table(COLUMNS, new)
        found.append(mesh)
        rows += new
    apart = scatter(row["step_seconds_of_turns"] for row in rows)
    for version in dict.fromkeys(row["version"] for row in rows if row["version"]):
        print(f"\n{version}", end="")
    print(f"\n{processor()}, {os.cpu_count()} cores. The turns of one program differ by up to {100 * apart:.0f} % of "
          "their median.")
    if options.json:
        keys = ("flow", "reynolds", "rayleigh", "cfl", "warm_up", "steps", "repeats", "correctors")
        given = {key: getattr(options, key) for key in keys}
        everything = {"processor": processor(), "cores": os.cpu_count(), **given, "meshes": found, "missing": missing,
                      "scatter": apart, "comparisons": rows}
        options.json.write_text(json.dumps(everything, indent=2) + "\n")
    if options.csv:
        write_csv(options.csv, rows)


def main(arguments):
    options = parse(arguments)
    return end_of(TOOL, lambda: run(options))
