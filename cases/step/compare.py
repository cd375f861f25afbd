#!/usr/bin/env python3
"""Computes where the flow over a backward-facing step reattaches, and compares that with published values.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: the bar is met, or none applies; 1: it is missed or the flow does not reattach (not with --report, which
only prints); 2: the folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of  # noqa: E402
from common.failure import Failure  # noqa: E402
from common.tables import read_table  # noqa: E402

# E. Erturk, Computers & Fluids 37 (2008) 633-655. Re: length of the eddy behind the step over the step height.
REATTACHMENT = {100: 2.922, 200: 4.982, 300: 6.761, 400: 8.237, 500: 9.420, 600: 10.349, 700: 11.129, 800: 11.834}
BARS = {100: 0.01, 400: 0.01}  # relative, from BARS_FROM_CELLS cells on
BARS_FROM_CELLS = 9_000


def newest(result, name):
    files = sorted((result / "lines").glob(f"{name}_*.csv"))
    if not files:
        raise Failure(f"{result / 'lines'}: no file {name}_<number>.csv")
    return read_table(files[-1])


def crossings(table):
    """Places on a wall where the vorticity changes sign [m], away from the ends."""
    x, omega = table["x"].values, table["vorticity"].values
    found = []
    for k in range(1, len(x)):
        if omega[k - 1] * omega[k] < 0 and 0.5 < x[k] < 29:
            found.append(x[k - 1] + (x[k] - x[k - 1]) * omega[k - 1] / (omega[k - 1] - omega[k]))
    return found


def compare(result, summary):
    cells, reynolds = summary["mesh"]["cells"], round(2 / summary["case"]["flow"]["viscosity"])
    floor, ceiling = (crossings(newest(result, name)) for name in ("floor", "ceiling"))
    print(f"Backward-facing step, Re = {reynolds}, {cells} cells:")
    if not floor:
        print("  the flow does not reattach on the floor")
        return False
    if len(ceiling) >= 2:
        print(f"  eddy at the ceiling from {ceiling[0]:.3f} to {ceiling[-1]:.3f} steps")
    expected = REATTACHMENT.get(reynolds)
    if expected is None:
        print(f"  reattaches after {floor[-1]:.3f} steps")
        return True
    deviation = floor[-1] / expected - 1
    applies = cells >= BARS_FROM_CELLS and reynolds in BARS
    verdict = ("ok" if abs(deviation) <= BARS[reynolds] else "MISSED") if applies else ""
    print(f"  reattaches after {floor[-1]:.3f} steps, Erturk (2008) {expected}: {100 * deviation:+.2f} %  {verdict}")
    return verdict != "MISSED"


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
