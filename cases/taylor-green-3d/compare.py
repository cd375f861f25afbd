#!/usr/bin/env python3
"""Compares the decay of the Taylor-Green vortices with a spectral solution (Re = 100), or prints the peak of their
dissipation (Re = 1600).

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a
complete result. The bars apply at Re = 100 to meshes of 10 000 tetrahedra and finer.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.failure import Failure  # noqa: E402
from common.profiles import interpolate  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).with_name("reference") / "spectral_re100.csv"
VOLUME = (2 * math.pi) ** 3
PEAK, PEAK_TIME = 1.28575e-2, 8.97  # m^2/s^3, s at Re = 1600: spectral, 512^3 modes (van Rees et al. 2011)
FINE, COARSE = 40_000, 10_000
BARS = {"kinetic_energy": (0.055, 0.022), "dissipation": (0.09, 0.055)}  # on COARSE and FINE meshes
START = 1.0  # s; before, the initial flow on the mesh is rough


def report_decay(history, cells):
    """Prints the comparison with the spectral solution; returns whether every bar is met."""
    reference = read_table(REFERENCE)
    times = reference["t"].values
    print(f"Taylor-Green vortices, Re = 100, {cells} cells, beside a spectral solution; a mean over the cube:")
    met = True
    for name, bars in BARS.items():
        values = [value / VOLUME for value in history[name].values]
        expected, largest = reference[name].values, max(reference[name].values)
        last = min(times[-1], history["time"].values[-1])
        deviations = [(abs(interpolate(history["time"].values, values, t) - e) / largest, t)
                      for t, e in zip(times, expected) if START <= t <= last]
        deviation, at = max(deviations)
        bar = bars[0] if COARSE <= cells < FINE else bars[1] if cells >= FINE else None
        said = verdict(deviation, bar, bar and f"{100 * bar:.1f} %")
        met = met and "MISSED" not in said
        found = f"largest deviation {100 * deviation:.2f} % of the largest value, at t = {at:.1f} s"
        print(f"  {name:15} {found} {said}".rstrip())
    return met


def report_peak(history, cells):
    dissipation = history["dissipation"].values
    if "model_dissipation" in history:
        dissipation = [sum(both) for both in zip(dissipation, history["model_dissipation"].values)]
    peak, at = max(zip(dissipation, history["time"].values))
    print(f"Taylor-Green vortices, Re = 1600, {cells} cells, as a mean over the cube:")
    print(f"  largest dissipation that the mesh has: {peak / VOLUME:.5f} m^2/s^3 at t = {at:.2f} s")
    print(f"  of a spectral solution:                {PEAK:.5f} m^2/s^3 at t = {PEAK_TIME} s")


def compare(result, summary):
    history, cells = read_table(result / "history.csv"), summary["mesh"]["cells"]
    reynolds = 1 / summary["case"]["flow"]["viscosity"]
    if round(reynolds) == 100:
        return report_decay(history, cells)
    if round(reynolds) != 1600:
        raise Failure(f"{result}: Re = {reynolds:g}; there are references for 100 and 1600")
    report_peak(history, cells)
    return True


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
