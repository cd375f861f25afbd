#!/usr/bin/env python3
"""Compares the axial velocity on the axis of the FDA's nozzle with those that five laboratories measured.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: the bar is met; 1: it is missed (not with --report, which only prints); 2: the folder is not a complete
result. The bar depends on the number of tetrahedra.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import interpolate, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

SPEED = 5.20624e-6 / (math.pi * 0.002**2)  # m/s, the mean in the throat
BARS = {24_000: 0.05, 12_000: 0.08}  # by the least number of tetrahedra


def compare(result, summary):
    line = read_table(newest_line(result, "axis"))
    places, velocity = line["z"].values, line["w"].values
    measured = read_table(Path(__file__).with_name("measured.csv"))
    laboratories = [column.values for name, column in measured.items() if name != "z"]
    cells = summary["mesh"]["cells"]
    print(f"Axial velocity on the axis, {cells} cells, beside the least and the largest that were measured, m/s:")
    largest = inside = 0
    for k, z in enumerate(measured["z"].values):
        values = [column[k] for column in laboratories if not math.isnan(column[k])]
        found = interpolate(places, velocity, z)
        beyond = max(found - max(values), min(values) - found, 0)
        inside += beyond == 0
        largest = max(largest, beyond / SPEED)
        print(f"  z = {1000 * z:4.0f} mm: {found:.4f}, {min(values):.4f} to {max(values):.4f}"
              + (f", beyond by {beyond:.4f}" if beyond else ""))
    bar = next((bar for least, bar in BARS.items() if cells >= least), None)
    said = verdict(largest, bar, f"{100 * (bar or 0):g} %")
    print(f"  {inside} of {len(measured['z'].values)} within; at most {100 * largest:.1f} % of the mean speed in the "
          f"throat beyond {said}".rstrip())
    return "MISSED" not in said


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
