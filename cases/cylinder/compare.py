#!/usr/bin/env python3
"""Compares the flow around a cylinder with the reference values: the steady one (2D-1), or a vortex street (2D-2).

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder does not hold what
is needed. The bars hold for the steady flow on meshes of 10 000 triangles and finer.
"""

import argparse
import json
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.failure import Failure  # noqa: E402
from common.tables import read_table  # noqa: E402

# FEATFLOW's digits of the values of Schaefer & Turek (1996): name, value, largest deviation from 10 000 and from 35 000
# triangles on, relative or not.
REFERENCE = [
    ("drag coefficient", 5.57953523384, (0.008, 0.004), True),
    ("lift coefficient", 0.010618948146, (0.003, 0.003), False),
    ("pressure difference [m^2/s^2]", 0.11752016697, (0.013, 0.008), True),
]
FINE, COARSE = 34_000, 10_000

# The street's, of the periods at the end of a run: name, value.
STREET = [("largest drag coefficient", 3.227393), ("lift, peak to peak", 2.007871), ("Strouhal number", 0.301841)]


def report_street(force, cells):
    print(f"Vortex street behind a cylinder, Re = 100, {cells} cells, compared with the reference values:")
    if "strouhal" not in force:
        print("  the lift has not settled into periods")
        return
    found = [force["cd_max"], force["cl_max"] - force["cl_min"], force["strouhal"]]
    for (name, value), here in zip(STREET, found):
        print(f"  {name:31} {here:10.4f} {value:10.4f} {100 * (here / value - 1):+8.2f} %")


def report_steady(force, cells, result):
    """Prints the comparison; True where a bar is missed."""
    front, back = read_table(result / "probes" / "poles.csv")["pressure"].values[-2:]
    found = [force["cd"], force["cl"], front - back]
    print(f"Cylinder in a channel, Re = 20, {cells} cells, compared with the reference values:")
    print(f"  {'':31} {'found':>10} {'reference':>10} {'deviation':>10} {'bar':>7}")
    missed = False
    for (name, value, bars, is_relative), here in zip(REFERENCE, found):
        deviation = (here - value) / (value if is_relative else 1)
        bar = bars[0] if COARSE <= cells < FINE else bars[1] if cells >= FINE else None
        verdict = "" if bar is None else "ok" if abs(deviation) <= bar else "MISSED"
        missed |= verdict == "MISSED"
        shown = f"{100 * deviation:+.2f} %" if is_relative else f"{deviation:+.4f}"
        limit = "-" if bar is None else f"{100 * bar:.1f} %" if is_relative else f"{bar}"
        print(f"  {name:31} {here:10.6f} {value:10.6f} {shown:>10} {limit:>7}  {verdict}")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="print only, whatever is missed")
    parser.add_argument("result", type=Path, metavar="RESULT_FOLDER")
    options = parser.parse_args()
    try:
        summary = json.loads((options.result / "summary.json").read_text())
        force, cells = summary["forces"]["cylinder"], summary["mesh"]["cells"]
        if summary["case"]["time"]["steady_tolerance"] == 0:
            report_street(force, cells)
            return 0
        missed = report_steady(force, cells, options.result)
    except (OSError, KeyError, ValueError, Failure) as reason:
        print(f"{options.result}: not a result of this case: {reason}", file=sys.stderr)
        return 2
    return 1 if missed and not options.report else 0


if __name__ == "__main__":
    sys.exit(main())
