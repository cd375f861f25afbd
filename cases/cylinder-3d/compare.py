#!/usr/bin/env python3
"""Compares the flow around a cylinder in a square channel with the reference values (3D-1Z).

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder does not hold what
is needed. The drag's bar holds on meshes of 15 000 tetrahedra and finer, the lift's from 60 000 on.
"""

import argparse
import json
import sys
from pathlib import Path

# Name, value, bar, from so many cells on: John's digits (2002) of the values of Schaefer & Turek (1996).
REFERENCE = [("drag coefficient", "cd", 6.18533, 0.1, 15_000), ("lift coefficient", "cl", 0.009401, 0.005, 60_000)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--report", action="store_true", help="print only, whatever is missed")
    parser.add_argument("result", type=Path, metavar="RESULT_FOLDER")
    options = parser.parse_args()
    try:
        summary = json.loads((options.result / "summary.json").read_text())
        force, cells = summary["forces"]["cylinder"], summary["mesh"]["cells"]
        rows = [(name, force[key], value, bar, cells >= least) for name, key, value, bar, least in REFERENCE]
    except (OSError, KeyError, ValueError) as reason:
        print(f"{options.result}: not a result of this case: {reason}", file=sys.stderr)
        return 2
    print(f"Cylinder in a square channel, Re = 20, {cells} cells, compared with the reference values:")
    missed = False
    for name, here, value, bar, has_bar in rows:
        is_missed = has_bar and abs(here - value) > bar
        missed |= is_missed
        verdict = "" if not has_bar else f"(bar {bar}: {'MISSED' if is_missed else 'ok'})"
        print(f"  {name:17} {here:9.5f}, reference {value:9.6f}, {here - value:+.5f} {verdict}")
    return 1 if missed and not options.report else 0


if __name__ == "__main__":
    sys.exit(main())
