#!/usr/bin/env python3
"""Compares the flow through a square duct with the exact one far from the inlet.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The bars apply to meshes of 4 000 tetrahedra and finer.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import interpolate, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

ODD = range(1, 60, 2)
COARSE = 4_000
BARS = {"velocity": 0.03, "pressure gradient": 0.02}


def exact_gradient():
    """Pressure gradient over viscosity and mean speed, in a duct of side 1 (White 2006, equation 3-48)."""
    return 12 / (1 - 192 / math.pi**5 * sum(math.tanh(i * math.pi / 2) / i**5 for i in ODD))


def exact_speed(y, z):
    """Speed over the mean speed, in a duct of side 1 with its middle at (0.5, 0.5)."""
    return 4 * exact_gradient() / math.pi**3 * sum(
        (-1) ** (i // 2) * (1 - math.cosh(i * math.pi * (z - 0.5)) / math.cosh(i * math.pi / 2))
        * math.cos(i * math.pi * (y - 0.5)) / i**3 for i in ODD)


def deviations(result, summary):
    across, along = (read_table(newest_line(result, name)) for name in ("across", "along"))
    viscosity = summary["case"]["flow"]["viscosity"]
    middle = exact_speed(0.5, 0.5)
    speed = max(abs(u - exact_speed(y, z)) / middle
                for y, z, u in zip(*(across[name].values for name in ("y", "z", "u"))))
    at = [interpolate(along["x"].values, along["pressure"].values, x) for x in (1.5, 2.5)]
    return {"velocity": speed, "pressure gradient": abs((at[0] - at[1]) / (exact_gradient() * viscosity) - 1)}


def compare(result, summary):
    cells, met = summary["mesh"]["cells"], True
    print(f"Square duct, {cells} cells, beside the exact solution:")
    for name, deviation in deviations(result, summary).items():
        bar = BARS[name] if cells >= COARSE else None
        said = verdict(deviation, bar, f"{100 * BARS[name]:.0f} %")
        print(f"  {name:18} largest deviation {100 * deviation:.2f} % {said}".rstrip())
        met = met and "MISSED" not in said
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
