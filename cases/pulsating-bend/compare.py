#!/usr/bin/env python3
"""Compares the flow ahead of a bend, driven by a measured curve, with Womersley's solution for all its harmonics.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The last period is compared; the bars depend on the number of tetrahedra. The sections ahead of the
bend and at its end must have the same flux at any time.
"""

import cmath
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.tables import read_table  # noqa: E402

RADIUS, PERIOD, SHARE = 0.005, 0.594, 1e-6 / 150  # m, s, the vessel's flow [m^3/s] over the table's
HARMONICS = 120
BARS = {70_000: 0.01, 9_000: 0.06}  # by the least number of tetrahedra
SAME_FLUX = 1e-12  # of the largest


def bessel_of(order, argument):
    """Modified Bessel's function of the first kind times exp(-argument), real part of the argument positive."""
    if abs(argument) > 20:  # Abramowitz & Stegun 1964, 9.7.1
        mu, term, total = 4 * order**2, 1.0, 1.0
        for k in range(1, 12):
            term *= -(mu - (2 * k - 1) ** 2) / (k * 8 * argument)
            total += term
        return total / cmath.sqrt(2 * math.pi * argument)
    term = (argument / 2) ** order / math.factorial(order)
    total = term
    for k in range(1, 100):
        term *= (argument / 2) ** 2 / (k * (k + order))
        total += term
    return total * cmath.exp(-argument)


def harmonics():
    """Complex amplitudes of the mean speed [m/s], of the curve that is linear between the rows of flow.csv."""
    flow = read_table(Path(__file__).with_name("flow.csv"))["flow"].values[:-1]
    area = math.pi * RADIUS**2
    amplitudes = []
    for n in range(HARMONICS):
        sum_of = sum(q * cmath.exp(-2j * math.pi * n * i / len(flow)) for i, q in enumerate(flow)) / len(flow)
        angle = math.pi * n / len(flow)
        between = (math.sin(angle) / angle) ** 2 if n else 0.5
        amplitudes.append(2 * between * sum_of * SHARE / area)
    return amplitudes


def profile(n, radius, viscosity):
    """Amplitude of the axial velocity over that of the mean speed (Womersley 1955, J. Physiol. 127:553)."""
    if n == 0:
        return 2 * (1 - (radius / RADIUS) ** 2)
    q = cmath.sqrt(2j * math.pi * n / PERIOD / viscosity) * RADIUS
    near = q * radius / RADIUS
    wall = bessel_of(0, q)
    return (1 - bessel_of(0, near) / wall * cmath.exp(near - q)) / (1 - 2 * bessel_of(1, q) / (q * wall))


def deviations(result, viscosity):
    """{radius: largest deviation in the last period over the largest velocity on the axis}"""
    table = read_table(result / "probes" / "straight.csv")
    speeds = harmonics()
    rows = {}
    for t, y, z, u in zip(*(table[name].values for name in ("time", "y", "z", "u"))):
        rows.setdefault(math.hypot(y, z), []).append((t, u))

    def exact(radius):
        factors = [speed * profile(n, radius, viscosity) for n, speed in enumerate(speeds)]
        return lambda t: sum(f * cmath.exp(2j * math.pi * n * t / PERIOD) for n, f in enumerate(factors)).real

    largest = max(map(exact(min(rows)), (PERIOD * i / 200 for i in range(200))))
    return {radius: max(abs(u - true(t)) for t, u in series if t > series[-1][0] - PERIOD) / largest
            for radius, series in rows.items() for true in [exact(radius)]}


def difference_of_fluxes(result):
    """Largest difference of the fluxes through both sections over the largest flux."""
    before, after = (read_table(result / "sections" / f"{name}.csv")["flux"].values for name in ("before", "after"))
    return max(abs(p - q) for p, q in zip(before, after)) / max(map(abs, before))


def compare(result, summary):
    cells, met = summary["mesh"]["cells"], True
    bar = next((bar for least, bar in BARS.items() if cells >= least), None)
    print(f"Pulsating flow ahead of a bend, {cells} cells, beside Womersley's solution:")
    for radius, deviation in deviations(result, summary["case"]["flow"]["viscosity"]).items():
        said = verdict(deviation, bar, f"{100 * (bar or 0):g} %")
        print(f"  {1000 * radius:.1f} mm from the axis: largest deviation {100 * deviation:.2f} % {said}".rstrip())
        met = met and "MISSED" not in said
    difference = difference_of_fluxes(result)
    print(f"  fluxes of both sections differ by {difference:.1e} {verdict(difference, SAME_FLUX, SAME_FLUX)}")
    return met and difference <= SAME_FLUX


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
