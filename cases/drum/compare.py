#!/usr/bin/env python3
"""Compares the frequency of the drum with that of a circular membrane.

    python3 compare.py RESULT_FOLDER

The frequency is that of the least-squares fit of a sinusoid to the record of the probe at the centre. Exit code 0: it
is within the bar; 1: it is not; 2: the folder is not a complete result.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.failure import Failure  # noqa: E402
from common.tables import read_table  # noqa: E402

ZERO = 2.404825557695773  # first zero of the Bessel function J0: the frequency [rad/s] for radius 1 m and speed 1 m/s
BAR = 2e-4  # relative


def residual(times, values, frequency):
    """Sum of squares of the values minus the best fit by a cosine and a sine of this frequency."""
    cosines = [math.cos(frequency * t) for t in times]
    sines = [math.sin(frequency * t) for t in times]
    dot = lambda a, b: sum(p * q for p, q in zip(a, b))  # noqa: E731
    cc, cs, ss, vc, vs = (dot(*pair) for pair in ((cosines, cosines), (cosines, sines), (sines, sines),
                                                  (values, cosines), (values, sines)))
    determinant = cc * ss - cs * cs
    a, b = (vc * ss - vs * cs) / determinant, (vs * cc - vc * cs) / determinant
    return sum((v - a * c - b * s) ** 2 for v, c, s in zip(values, cosines, sines))


def best_frequency(times, values, low, high):
    """Minimum of the residual by golden section; there is one minimum between low and high."""
    golden = (math.sqrt(5) - 1) / 2
    while high - low > 1e-9:
        left, right = high - golden * (high - low), low + golden * (high - low)
        if residual(times, values, left) < residual(times, values, right):
            high = right
        else:
            low = left
    return (low + high) / 2


def main():
    if len(sys.argv) != 2:
        print(__doc__)
        return 2
    try:
        table = read_table(Path(sys.argv[1]) / "probes" / "centre.csv")
        times, values = table["time"].values, table["displacement"].values
    except (Failure, KeyError) as reason:
        print(f"compare.py: {reason}", file=sys.stderr)
        return 2
    found = best_frequency(times, values, 0.98 * ZERO, 1.02 * ZERO)
    error = abs(found / ZERO - 1)
    print(f"frequency {found:.7g} rad/s, of the circle {ZERO:.7g}: off by {100 * error:.4f} %, bar {100 * BAR:g} %")
    return 0 if error <= BAR else 1


if __name__ == "__main__":
    sys.exit(main())
