#!/usr/bin/env python3
"""Compares the flow around a cylinder with the reference values: the steady one (2D-1), or a vortex street (2D-2).

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The bars apply to the steady flow on meshes of 10 000 triangles and finer.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of  # noqa: E402
from common.tables import read_table  # noqa: E402

# FEATFLOW's digits of the values of Schaefer & Turek (1996): name, value, largest deviation from COARSE and from FINE
# triangles on, whether relative.
REFERENCE = [
    ("drag coefficient", 5.57953523384, (0.008, 0.004), True),
    ("lift coefficient", 0.010618948146, (0.003, 0.003), False),
    ("pressure difference [m^2/s^2]", 0.11752016697, (0.013, 0.008), True),
]
FINE, COARSE = 34_000, 10_000

# The street's reference values for the periods at the end of a run: name, value.
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
    """Prints the comparison; returns whether every bar is met."""
    front, back = read_table(result / "probes" / "poles.csv")["pressure"].values[-2:]
    found = [force["cd"], force["cl"], front - back]
    print(f"Cylinder in a channel, Re = 20, {cells} cells, compared with the reference values:")
    print(f"  {'':31} {'found':>10} {'reference':>10} {'deviation':>10} {'bar':>7}")
    met = True
    for (name, value, bars, is_relative), here in zip(REFERENCE, found):
        deviation = (here - value) / (value if is_relative else 1)
        bar = bars[0] if COARSE <= cells < FINE else bars[1] if cells >= FINE else None
        verdict = "" if bar is None else "ok" if abs(deviation) <= bar else "MISSED"
        met = met and verdict != "MISSED"
        shown = f"{100 * deviation:+.2f} %" if is_relative else f"{deviation:+.4f}"
        limit = "-" if bar is None else f"{100 * bar:.1f} %" if is_relative else f"{bar}"
        print(f"  {name:31} {here:10.6f} {value:10.6f} {shown:>10} {limit:>7}  {verdict}")
    return met


def compare(result, summary):
    force, cells = summary["forces"]["cylinder"], summary["mesh"]["cells"]
    if summary["case"]["time"]["steady_tolerance"] == 0:
        report_street(force, cells)
        return True
    return report_steady(force, cells, result)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
