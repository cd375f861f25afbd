#!/usr/bin/env python3
"""Compares the wave heights behind the shoal with those measured by Berkhoff, Booij & Radder 1982.

    python3 compare.py [--report] RESULT_FOLDER

Prints for each section the mean and the root mean square of the differences, computed less measured, and the largest
heights of both, over the height of the incident wave. Linear waves are higher than measured ones behind the shoal.
Exit code 0: the differences are within the bars; 1: they are not (not with --report, which only prints); 2: the folder
is not a complete result.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import interpolate, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).with_name("reference")
SECTIONS = {**{k: "y" for k in range(1, 6)}, **{k: "x" for k in range(6, 9)}}  # and the axis along them
BAR = 0.25  # root mean square over all sections


def root_mean_square(values):
    return math.sqrt(sum(value * value for value in values) / len(values))


def compare(folder, _summary):
    differences = []
    print("section   mean    rms   highest: computed  measured")
    for section, axis in SECTIONS.items():
        found = read_table(newest_line(folder, f"section{section}"))
        measured = read_table(REFERENCE / f"section{section}.csv")
        places, heights = found[axis].values, found["wave_height"].values
        wanted = measured["wave_height"].values
        here = [interpolate(places, heights, at) - height for at, height in zip(measured[axis].values, wanted)]
        print(f"{section:7d} {sum(here) / len(here):6.3f} {root_mean_square(here):6.3f} {max(heights):18.3f} "
              f"{max(wanted):9.3f}")
        differences += here
    rms = root_mean_square(differences)
    print(f"root mean square over all {rms:.3f} {verdict(rms, BAR, f'{BAR:g}')}")
    return rms <= BAR


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
