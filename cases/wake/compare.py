#!/usr/bin/env python3
"""Compares the waves on the track of the ship with those that keep up with it, and its resistance with their energy.

    python3 compare.py [--report] RESULT_FOLDER

The mean length of the two waves behind the ship, between points where the surface rises through 0, against linear
theory, V^2 k = g tanh(k h); and the power of the resistance against the growth of the energy before waves reach the
sides. Exit code 0: both are within the bars; 1: one is not (not with --report, which only prints); 2: the folder is not
a complete result.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

SPEED, START, LENGTH, DENSITY = 7.0, 60.0, 24.0, 1025.0  # m/s, m, m, kg/m^3
LENGTH_BAR, POWER_BAR = 0.03, 0.05  # relative
BEGIN, END = 14.0, 22.0  # s: the ship is at its full draught, and waves are not yet at the sides
WAVES = 2


def length_of_theory(depth, gravity):
    number = gravity / SPEED**2
    for _ in range(100):
        number = gravity / SPEED**2 * math.tanh(number * depth)
    return 2 * math.pi / number


def rising_zeros(places, values):
    pairs = list(zip(places, values))
    return [a + (b - a) * u / (u - v) for (a, u), (b, v) in zip(pairs, pairs[1:]) if u <= 0 < v]


def compare(folder, summary):
    waves, time = summary["case"]["waves"], summary["run"]["time"]
    line = read_table(newest_line(folder, "track"))
    stern = START + SPEED * time - LENGTH / 2
    zeros = [x for x in rising_zeros(line["x"].values, line["elevation"].values) if x < stern][-WAVES - 1:]
    found, wanted = (zeros[-1] - zeros[0]) / WAVES, length_of_theory(waves["depth"], waves["gravity"])
    off = abs(found / wanted - 1)
    print(f"length of the waves on the track {found:.2f} m, of theory {wanted:.2f} m: {100 * off:.1f} % off "
          f"{verdict(off, LENGTH_BAR, f'{100 * LENGTH_BAR:g} %')}")
    history = read_table(folder / "history.csv")
    rows = [i for i, t in enumerate(history["time"].values) if BEGIN <= t <= END]
    times, energy, surge = (history[name].values for name in ("time", "energy", "surge_ferry"))
    growth = (energy[rows[-1]] - energy[rows[0]]) / (times[rows[-1]] - times[rows[0]])
    power = -SPEED / DENSITY * sum(surge[i] for i in rows) / len(rows)
    apart = abs(power / growth - 1)
    print(f"power of the resistance {power:.1f} m^5/s^3, growth of the energy {growth:.1f} m^5/s^3: "
          f"{100 * apart:.1f} % apart {verdict(apart, POWER_BAR, f'{100 * POWER_BAR:g} %')}")
    return off <= LENGTH_BAR and apart <= POWER_BAR


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
