#!/usr/bin/env python3
"""Compares the turbulent flow over a backward-facing step with the measurements of Jovic & Driver.

    python3 compare.py [--report] RESULT_FOLDER

Prints where the mean flow reattaches, and the root mean square over the measured heights of what the mean velocity,
its fluctuations and the shear stress are off at each station, in the speed of the stream. Exit code 0: the bar on the
mean velocity ahead of the step is met, or does not apply, on fewer than 100 000 cells; 1: it is missed (not with
--report, which only prints); 2: the folder is not a complete result.
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
STATIONS = {"ahead": -3.12, "at-4": 4, "at-6": 6, "at-10": 10, "at-15": 15, "at-19": 19}  # m behind the step
REATTACHMENT = 6.0  # m, measured to .15
BAR, BAR_FROM_CELLS = 0.05, 100_000  # of the velocity ahead of the step


def measured_at(x, highest):
    """Rows of (height, U, u'u', v'v', -u'v') at a station, up to a height."""
    table = read_table(REFERENCE)
    columns = [table[name].values for name in ("x_over_h", "y_over_h", "U_over_Uo", "uu_over_Uo2", "vv_over_Uo2",
                                               "minus_uv_over_Uo2")]
    return [row[1:] for row in zip(*columns) if abs(row[0] - x) < 1e-6 and row[1] <= highest]


def profile(result, name):
    """Heights above the floor there, and the columns of measured_at() in the run."""
    table = read_table(result / "profiles" / f"{name}.csv")
    heights = [s - (1 if name == "ahead" else 0) for s in table["s"].values]
    return heights, [table["velocity_mean_x"].values, table["velocity_variance_x"].values,
                     table["velocity_variance_y"].values, [-value for value in table["velocity_covariance_xy"].values]]


def off_by(result, name):
    """Root mean squares over the measured heights: of U, sqrt(u'u'), sqrt(v'v'), and of -u'v'."""
    heights, found = profile(result, name)
    rows = measured_at(STATIONS[name], heights[-1])
    squares = [0.0] * 4
    for row in rows:
        for k in range(4):
            here, there = interpolate(heights, found[k], row[0]), row[1 + k]
            if k in (1, 2):
                here, there = math.sqrt(max(here, 0)), math.sqrt(max(there, 0))
            squares[k] += (here - there) ** 2
    return [math.sqrt(square / len(rows)) for square in squares]


def reattachment(result):
    """Where the mean velocity next to the floor turns from back to ahead for the last time [m]; None: nowhere."""
    table = read_table(result / "profiles" / "floor.csv")
    x, u = table["s"].values, table["velocity_mean_x"].values
    for k in range(len(x) - 1, 0, -1):
        if u[k - 1] < 0 <= u[k]:
            return x[k - 1] + (x[k] - x[k - 1]) * u[k - 1] / (u[k - 1] - u[k])
    return None


def compare(result, summary):
    cells, met = summary["mesh"]["cells"], True
    print(f"Turbulent flow over a step, {cells} cells:")
    place = reattachment(result)
    if place is None:
        print("  the mean flow does not reattach")
    else:
        off = place / REATTACHMENT - 1
        print(f"  reattaches after {place:.2f} m, measured {REATTACHMENT:g} m: {100 * off:+.1f} %")
    for name, x in STATIONS.items():
        of_velocity, of_u, of_v, of_stress = off_by(result, name)
        bar = BAR if x < 0 and cells >= BAR_FROM_CELLS else None
        met = met and (bar is None or of_velocity <= bar)
        print(f"  x = {x:>5g} m: U off by {of_velocity:.3f}, u' {of_u:.3f}, v' {of_v:.3f}, -u'v' {of_stress:.4f} "
              f"{verdict(of_velocity, bar, f'{BAR:g}')}".rstrip())
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
