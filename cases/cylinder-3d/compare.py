#!/usr/bin/env python3
"""Compares the flow around a cylinder in a square channel with the reference values (3D-1Z).

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The bar of the drag applies to meshes of 15 000 tetrahedra and finer, that of the lift from 60 000 on.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402

# Name, key, value, bar, least number of cells: John's digits (2002) of the values of Schaefer & Turek (1996).
REFERENCE = [("drag coefficient", "cd", 6.18533, 0.1, 15_000), ("lift coefficient", "cl", 0.009401, 0.005, 60_000)]


def compare(_, summary):
    force, cells, met = summary["forces"]["cylinder"], summary["mesh"]["cells"], True
    print(f"Cylinder in a square channel, Re = 20, {cells} cells, compared with the reference values:")
    for name, key, value, bar, least in REFERENCE:
        off = force[key] - value
        said = verdict(abs(off), bar if cells >= least else None, bar)
        print(f"  {name:17} {force[key]:9.5f}, reference {value:9.6f}, {off:+.5f} {said}".rstrip())
        met = met and "MISSED" not in said
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
