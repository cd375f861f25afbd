#!/usr/bin/env python3
"""Wave heights at the gauges of the harbour: before it, in its mouth, in the lee of the long mole, and opposite to it;
and the largest forces on the ship on its way in, to 180 s.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: they are within the bars, wide bands around those of finer meshes; 1: they are not (not with --report,
which only prints); 2: the folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.tables import read_table  # noqa: E402

HEIGHTS = {"before the harbour": 1.12, "in its mouth": 0.74, "in the lee": 0.20, "opposite": 0.33}  # m
BAR = 0.06  # m
FORCES = {"surge": 0.50, "sway": 0.36}  # MN
SHARE = 0.1  # bar, of a force


def compare(folder, _summary):
    heights = read_table(folder / "probes" / "gauges.csv")["wave_height"].values[-len(HEIGHTS):]
    for (name, wanted), found in zip(HEIGHTS.items(), heights):
        print(f"{name:20} {found:.3f} m, expected {wanted:.2f} m {verdict(abs(found - wanted), BAR, f'{BAR:g} m')}")
    held = [abs(found - wanted) <= BAR for found, wanted in zip(heights, HEIGHTS.values())]
    history = read_table(folder / "history.csv")
    for name, wanted in FORCES.items():
        rows = zip(history["time"].values, history[f"{name}_coaster"].values)
        found = max(abs(force) for time, force in rows if time <= 180) / 1e6
        miss = abs(found / wanted - 1)
        print(f"{name:20} {found:.3f} MN, expected {wanted:.2f} MN {verdict(miss, SHARE, f'{SHARE:.0%}')}")
        held.append(miss <= SHARE)
    return all(held)


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
