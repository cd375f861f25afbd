#!/usr/bin/env python3
"""Compares a turbulent channel with the direct simulation of Moser, Kim & Mansour.

    python3 compare.py [--report] RESULT_FOLDER

Prints the friction velocity over that of the simulation, and by height the mean velocity, its fluctuations and the
shear stress, all in wall units, the means of both halves. Exit code 0: the bars on the friction velocity and on the mean
velocity beyond the viscous sublayer are met, or do not apply, on fewer than 70 000 cells or over less than 5 s; 1: they
are missed (not with --report, which only prints); 2: the folder is not a complete result.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import interpolate  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).with_name("reference") / "profiles.csv"
COLUMNS = ("U_plus", "u_rms_plus", "v_rms_plus", "w_rms_plus", "minus_uv_plus")
WALLS = 2 * math.pi * math.pi / 2  # m^2
SUBLAYER = 5  # wall units
BAR_OF_FRICTION, BAR_OF_MEAN = 0.06, 0.12
BARS_FROM_CELLS, BARS_FROM_TIME = 70_000, 5.0  # s of means


def start_of_means(summary):
    return next(profile["from"] for profile in summary["case"]["profile"] if profile["name"] == "across")


def friction_velocity(result, summary):
    """Of the mean force on the walls while the profile is sampled [m/s]."""
    table = read_table(result / "forces" / "walls.csv")
    forces = [f for t, f in zip(table["time"].values, table["fx"].values) if t >= start_of_means(summary)]
    return math.sqrt(sum(forces) / len(forces) / WALLS)


def simulated():
    """Heights above the wall in wall units, and COLUMNS there."""
    table = read_table(REFERENCE)
    return table["y_plus"].values, [table[name].values for name in COLUMNS]


def profile(result, summary):
    """Heights above the wall up to the middle, in wall units, and COLUMNS there, means of both halves."""
    table = read_table(result / "profiles" / "across.csv")
    unit = friction_velocity(result, summary)
    half = len(table["s"].values) // 2 + 1

    def mean(name, sign=1):
        values = table[f"velocity_{name}"].values
        return [(a + sign * b) / 2 for a, b in zip(values[:half], reversed(values[-half:]))]

    fluctuations = [[math.sqrt(max(value, 0)) / unit for value in mean(f"variance_{axis}")] for axis in "xyz"]
    heights = [s * unit / summary["case"]["flow"]["viscosity"] for s in table["s"].values[:half]]
    return heights, [[value / unit for value in mean("mean_x")], *fluctuations,
                     [-value / unit**2 for value in mean("covariance_xy", -1)]]


def compare(result, summary):
    cells = summary["mesh"]["cells"]
    means = summary["case"]["time"]["end"] - start_of_means(summary)
    has_bars = cells >= BARS_FROM_CELLS and means >= BARS_FROM_TIME
    unit = friction_velocity(result, summary)
    bar = BAR_OF_FRICTION if has_bars else None
    met = bar is None or abs(unit - 1) <= bar
    print(f"Turbulent channel, {cells} cells, means over {means:g} s:")
    print(f"  friction velocity {unit:.3f} m/s {verdict(abs(unit - 1), bar, f'1 within {BAR_OF_FRICTION:g}')}".rstrip())
    heights, found = profile(result, summary)
    there = simulated()
    print("  y+     U+            u'+          v'+          w'+          -u'v'+    run, simulation")
    largest = 0
    for k, y in enumerate(heights):
        pairs = [(column[k], interpolate(there[0], values, y)) for column, values in zip(found, there[1])]
        if y > SUBLAYER:
            largest = max(largest, abs(pairs[0][0] / pairs[0][1] - 1))
        print(f"  {y:<5.1f}" + "".join(f"  {a:5.2f} {b:5.2f}" for a, b in pairs))
    bar = BAR_OF_MEAN if has_bars else None
    met = met and (bar is None or largest <= bar)
    print(f"  U+ beyond y+ = {SUBLAYER} off by up to {100 * largest:.1f} % "
          f"{verdict(largest, bar, f'{100 * BAR_OF_MEAN:g} %')}".rstrip())
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
