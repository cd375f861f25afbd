#!/usr/bin/env python3
"""Compares the wave heights around the pile with the solution of MacCamy & Fuchs 1954.

    python3 compare.py [--report] RESULT_FOLDER

Prints the height at each point of the probe over that of the incident wave. Exit code 0: the largest error is within
the bar; 1: it is not (not with --report, which only prints); 2: the folder is not a complete result.
"""

import cmath
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.tables import read_table  # noqa: E402

INCIDENT = 2.0  # m
BAR = 0.01  # of the incident wave's height
TERMS = 25


def relative_radius(waves):
    """k a of linear waves, for a pile of a radius of 1 m."""
    depth, target = waves["depth"], (2 * math.pi / waves["period"]) ** 2 / waves["gravity"]
    number = target
    for _ in range(200):
        number = (number + target / math.tanh(number * depth)) / 2
    return number


def integral(function, end, parts=4000):
    """From 0 to end, by Simpson's rule."""
    width = end / parts
    inside = sum((4 if i % 2 else 2) * function(i * width) for i in range(1, parts))
    return (function(0) + inside + function(end)) * width / 3


def hankel(order, x):
    """H_n(x) of the first kind, by Schlaefli's integrals."""
    first = integral(lambda t: cmath.exp(1j * (x * math.sin(t) - order * t)), math.pi)
    far = math.asinh((60 + 3 * order) / x)  # from where on the integrand is nothing
    waning = lambda t, rate: math.exp(rate * t - x * math.sinh(t))  # noqa: E731
    second = integral(lambda t: waning(t, order) + (-1) ** order * waning(t, -order), far)
    return (first - 1j * second) / math.pi


def amplitudes(angles, number):
    """|elevation| at the pile over that of the incident wave: sum of e_n i^(n+1) 2 / (pi ka H_n'(ka)) cos(n angle)."""
    functions = [hankel(n, number) for n in range(TERMS + 2)]
    sums = [0j] * len(angles)
    for n in range(TERMS + 1):
        before = -functions[1] if n == 0 else functions[n - 1]
        slope = (before - functions[n + 1]) / 2
        factor = (1 if n == 0 else 2) * 1j ** (n + 1) * 2 / (math.pi * number * slope)
        sums = [s + factor * math.cos(n * angle) for s, angle in zip(sums, angles)]
    return [abs(s) for s in sums]


def compare(folder, summary):
    number = relative_radius(summary["case"]["waves"])
    table = read_table(folder / "probes" / "round.csv")
    time, x, y, height = (table[name].values for name in ("time", "x", "y", "wave_height"))
    last = [i for i, t in enumerate(time) if t == time[-1]]
    angles = [math.atan2(y[i], x[i]) for i in last]
    exact = amplitudes(angles, number)
    worst = 0
    print("angle [deg]   height   exact    error")
    for i, angle, wanted in zip(last, angles, exact):
        found = height[i] / INCIDENT
        worst = max(worst, abs(found - wanted))
        print(f"{math.degrees(angle):8.0f} {found:11.4f} {wanted:8.4f} {found - wanted:8.4f}")
    print(f"largest error {worst:.4f} of the incident wave {verdict(worst, BAR, f'{BAR:g}')}; "
          f"exact maximum {max(exact):.4f}")
    return worst <= BAR


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
