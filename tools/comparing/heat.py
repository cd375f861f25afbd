"""The command line of tools/compare/heat, and its output."""

import argparse
import json
import os
import tempfile
from pathlib import Path

from comparing import turns
from comparing.programs import (
    ROOT, build_solenoid, end_of, mesh_file, positive, positive_number, warn_of_too_many_ranks)
from comparing.tables import number, print_table, processor, scatter
from measuring.command import seconds

TOOL = "tools/compare/heat"
CRANKSHAFT = ROOT / "meshes" / "crankshaft.geo"

DESCRIPTION = """\
Compares Solenoid's steady heat conduction with that of other programs on the same mesh: the temperature is 1 on one
part of the boundary and 0 on another, the rest is insulated. dolfinx with PETSc, FreeFEM and OpenFOAM take part where
they are installed; those that are not are named, with what installs them.
Builds the preset cpu where it is out of date. Needs NumPy and VTK for Python to read the temperatures.
"""

EPILOGUE = """\
All take turns, so that a machine that slows down slows all of them; one thread a rank; medians over the repeats. A
turn before those is not timed: in it dolfinx compiles, files get into memory, and the temperatures are checked.

Columns: unknowns; iterations of CG; seconds to set up (matrix and preconditioner) and to solve, as each program tells
them (FreeFEM: of processor time); seconds from launch to the files written, which is reading the mesh and everything
else as well; memory of the largest process. Then the largest difference and the root mean square of all differences
from the reference, which is P1 by Solenoid solved to 1e-12; how far the temperature leaves [0, 1], which no solution
does; and the heat that goes in and comes out, in W. OpenFOAM has its unknowns in cells: it is compared with the means
of the reference over the cells.

Solenoid and dolfinx solve the same system, of temperatures from the middle, 0.5, without the nodes that are held, and
stop when |b - A x| <= tolerance |b|. FreeFEM has it too and weights that norm by its preconditioner, OpenFOAM sums
absolute values; both are given the same number. OpenFOAM's seconds from launch contain gmshToFoam and renumberMesh,
without which it is slower. Its correctors are further solves for faces whose normal is not along the line between the
cells.

exit code: 0 compared, also where programs are missing; 1 one failed; 2 an option is wrong

Examples: tools/compare/heat --ranks 1 2 --json heat.json
          tools/compare/heat --cube 20                  T = 1 - x, which P1 has exactly
          tools/compare/heat --mesh part.msh --hot inlet --cold outlet --without openfoam
"""


def parse(arguments):
    parser = argparse.ArgumentParser(prog=TOOL, description=DESCRIPTION, epilog=EPILOGUE, allow_abbrev=False,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    mesh = parser.add_mutually_exclusive_group()
    mesh.add_argument("--mesh", metavar="FILE", type=mesh_file, help=".msh or .geo of tetrahedra (the crankshaft's)")
    mesh.add_argument("--cube", metavar="N", type=positive, help="instead: the unit cube of 6 N^3 tetrahedra")
    parser.add_argument("--size", metavar="LC", type=positive_number, help="the constant lc of a .geo [m]")
    parser.add_argument("--hot", metavar="NAME", default="hot", help="part of the boundary at T = 1 (hot)")
    parser.add_argument("--cold", metavar="NAME", default="cold", help="part of the boundary at T = 0 (cold)")
    parser.add_argument("--conductivity", metavar="K", type=positive_number, default=50.0, help="in W/(m K) (50)")
    parser.add_argument("--tolerance", metavar="T", type=positive_number, default=1e-8, help="of the solvers (1e-8)")
    parser.add_argument("--ranks", metavar="N", type=positive, nargs="+", default=[1, 2],
                        help="numbers of ranks of Solenoid and dolfinx (1 2)")
    parser.add_argument("--repeats", metavar="N", type=positive, default=3, help="turns that each program takes (3)")
    parser.add_argument("--without", metavar="PEER", nargs="+", default=[], choices=turns.PEERS,
                        help=f"leave out some of {', '.join(turns.PEERS)}")
    parser.add_argument("--timeout", metavar="S", type=seconds, default=1800.0, help="of one run [s] (1800)")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write everything that was measured")
    parser.add_argument("--solenoid", metavar="PROGRAM", type=Path, help="measure this one; builds nothing")
    options = parser.parse_args(arguments)
    if options.mesh is None and options.cube is None:
        if not CRANKSHAFT.is_file():
            parser.error("which mesh? --mesh FILE or --cube N")
        options.mesh = str(CRANKSHAFT)
    if options.size is not None and (options.mesh is None or not options.mesh.endswith(".geo")):
        parser.error("--size: only a .geo has the constant lc")
    return options


# Output


COLUMNS = (  # head, width, text of a row
    ("program", -24, lambda row: row["program"]),
    ("ranks", 5, lambda row: str(row["ranks"])),
    ("unknowns", 9, lambda row: str(row["unknowns"])),
    ("iterations", 10, lambda row: str(row["iterations"])),
    ("set up s", 8, lambda row: number(row["setup_seconds"], ".3f")),
    ("solve s", 8, lambda row: number(row["solve_seconds"], ".3f")),
    ("launch to end s", 15, lambda row: number(row["seconds"], ".2f")),
    ("MB", 6, lambda row: number(1e-6 * row["bytes"], ".0f")),
    ("largest error", 13, lambda row: number(row["errors"]["largest"], ".1e")),
    ("rms", 8, lambda row: number(row["errors"]["rms"], ".1e")),
    ("beyond 0, 1", 11, lambda row: number(row["errors"]["beyond"], ".1e")),
    ("W in", 11, lambda row: number(row["heat_hot"], ".6g")),
    ("W out", 11, lambda row: number(-row["heat_cold"], ".6g")),
)


def run(options):
    program = (options.solenoid or build_solenoid()).resolve()
    warn_of_too_many_ranks(TOOL, options.ranks)
    with tempfile.TemporaryDirectory(prefix="solenoid-heat-") as name:
        folder = Path(name)
        problem = turns.make_problem(options, folder)
        contenders, missing = turns.find_contenders(program, options, folder)
        for text in missing:
            print(f"not compared: {text}", flush=True)
        mesh = f"cube {options.cube}" if options.cube else Path(options.mesh).name
        print(f"{mesh}: {len(problem.mesh.points)} nodes, {len(problem.mesh.cells)} tetrahedra", flush=True)
        reference = turns.reference_of(program, problem)
        rows = turns.compare(contenders, problem, reference, options.repeats)
        about = {"mesh": mesh, "nodes": len(problem.mesh.points), "tetrahedra": len(problem.mesh.cells)}
    print_table(COLUMNS, rows)
    apart = scatter([turn["seconds"] for turn in row["turns"]] for row in rows)
    versions = dict.fromkeys(row["version"] for row in rows if row["version"])
    print("\n" + "; ".join(versions))
    print(f"{processor()}, {os.cpu_count()} cores. The turns of one program differ by up to "
          f"{100 * apart:.0f} % of their median.")
    if options.json:
        found = {**about, "processor": processor(), "cores": os.cpu_count(), "conductivity": options.conductivity,
                 "tolerance": options.tolerance, "repeats": options.repeats, "missing": missing,
                 "scatter": apart, "comparisons": rows}
        options.json.write_text(json.dumps(found, indent=2) + "\n")


def main(arguments):
    options = parse(arguments)
    return end_of(TOOL, lambda: run(options))
