#!/usr/bin/env python3
"""Prints the power number of the impeller, and holds that of the disk turbine to the measured one.

    python3 compare.py [--report] RESULT_FOLDER

In space N_P = P / (rho N^3 D^5), in the plane P / (rho N^3 D^4) a metre of depth; N = 1 turn a second, D = 1/3 m. Exit
code 0: the bar is met, or none applies; 1: it is missed; 2: the folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402

DIAMETER = 1 / 3  # m
MEASURED = 71  # N_P Re of a disk turbine with six blades in creeping flow (Rushton, Costich & Everett 1950)
BAR = 10  # per cent; the mesh leaves 7 with mesh.size = 0.1


def compare(result, summary):
    power = summary["rotors"]["impeller"]["power"]
    is_planar = summary["mesh"]["dimension"] == 2
    number = power / DIAMETER ** (4 if is_planar else 5)
    reynolds = DIAMETER**2 / summary["case"]["flow"]["viscosity"]
    budget = summary["energy_budget"]
    supplied = budget["pressure"] + budget["boundary_friction"]
    print(f"Re = {reynolds:.4g}, N_P = {number:.5g}, N_P Re = {number * reynolds:.5g}; "
          f"the budget has {100 * supplied / power:.2f} % of that power")
    if is_planar or reynolds > 2:
        return True
    off = 100 * abs(number * reynolds / MEASURED - 1)
    print(f"off the measured N_P Re = {MEASURED} by {off:.2g} %", verdict(off, BAR, f"{BAR} %"))
    return off <= BAR


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
