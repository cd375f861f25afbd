#!/usr/bin/env python3
"""Compares pulsating flow through a round pipe with Womersley's solution, in amplitude and phase.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The last period is compared; the bars depend on the number of tetrahedra.
"""

import cmath
import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.tables import read_table  # noqa: E402

RADIUS, PERIOD, DISTANCE, AMPLITUDE = 0.5, 1.0, 1.0, 0.1  # m, s, between the sections m, of the mean speed m/s
FREQUENCY = 2 * math.pi / PERIOD
BARS = {30_000: 0.01, 13_000: 0.015, 6_000: 0.035}  # by the least number of tetrahedra


def bessel(order, argument):
    """Bessel's function of the first kind, by its power series."""
    term = (argument / 2) ** order / math.factorial(order)
    total = term
    for k in range(1, 200):
        term *= -((argument / 2) ** 2) / (k * (k + order))
        total += term
    return total


def exact(viscosity):
    """(amplitude of the pressure gradient, amplitude of the velocity at a radius), complex, for a mean speed
    AMPLITUDE cos(2 pi t / PERIOD) (Womersley 1955, J. Physiol. 127:553, equations 8 and 15)."""
    root = cmath.exp(0.75j * math.pi) * RADIUS * math.sqrt(FREQUENCY / viscosity)
    end = bessel(0, root)
    gradient = 1j * FREQUENCY * AMPLITUDE / (1 - 2 * bessel(1, root) / (root * end))
    return gradient, lambda r: gradient / (1j * FREQUENCY) * (1 - bessel(0, root * r / RADIUS) / end)


def amplitude(times, values):
    """Complex amplitude of the first harmonic over the last period, by the trapezoidal rule in equal steps."""
    rows = [(t, value) for t, value in zip(times, values) if t > times[-1] - PERIOD * (1 - 1e-9)]
    return 2 / len(rows) * sum(value * cmath.exp(-1j * FREQUENCY * t) for t, value in rows)


def probes(result):
    """(radius, amplitude of the axial velocity) at each point of the probe."""
    table = read_table(result / "probes" / "radius.csv")
    rows = {}
    for t, y, z, u in zip(*(table[name].values for name in ("time", "y", "z", "u"))):
        rows.setdefault(math.hypot(y, z), []).append((t, u))
    return [(radius, amplitude(*zip(*series))) for radius, series in rows.items()]


def pressure_gradient(result):
    front, rear = (read_table(result / "sections" / f"{name}.csv") for name in ("front", "rear"))
    drop = [p - q for p, q in zip(front["pressure"].values, rear["pressure"].values)]
    return amplitude(front["time"].values, drop) / DISTANCE


def compare(result, summary):
    gradient, velocity = exact(summary["case"]["flow"]["viscosity"])
    womersley = RADIUS * math.sqrt(FREQUENCY / summary["case"]["flow"]["viscosity"])
    cells = summary["mesh"]["cells"]
    print(f"Pulsating flow, Womersley number {womersley:.3g}, {cells} cells, beside the exact solution:")
    found = [(f"velocity at r = {r:.3f} m", value, velocity(r), abs(velocity(0))) for r, value in probes(result)]
    found.append(("pressure gradient", pressure_gradient(result), gradient, abs(gradient)))
    bar = next((bar for least, bar in BARS.items() if cells >= least), None)
    met = True
    for name, value, true, scale in found:
        deviation = abs(value - true) / scale
        said = verdict(deviation, bar, f"{100 * (bar or 0):g} %")
        phases = [math.degrees(cmath.phase(number)) for number in (value, true)]
        print(f"  {name:23} amplitude {abs(value):8.5f}, exact {abs(true):8.5f}; phase {phases[0]:7.2f}, exact "
              f"{phases[1]:7.2f} degrees; off by {100 * deviation:.2f} % {said}".rstrip())
        met = met and "MISSED" not in said
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
