#!/usr/bin/env python3
"""Compares the decay of turbulence behind a grid with the measured spectra of Comte-Bellot & Corrsin.

    python3 compare.py [--report] RESULT_FOLDER

All the energy of a run at t U/M = 98 and 171 is beside that of the measured spectra up to half a wave in the spacing of
the nodes; a sixth of the energy on 42k tetrahedra is in shorter waves. plot.py has the spectra. Exit code 0: all bars
are met; 1: one is missed (not with --report, which only prints); 2: the folder is not a complete result. The bars apply
to case.toml on 10 000 tetrahedra and more.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import interpolate  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).with_name("reference") / "spectra.csv"
SIDE = 2 * math.pi * 0.0889  # m
TIMES = {"E_98": 0.2845, "E_171": 0.6553}  # s after t U/M = 42
BAR, COARSEST = 0.3, 10_000


def shells_of(cells):
    """Waves of the box in half of the number of nodes along a side."""
    return int((cells / 6) ** (1 / 3) / 2)


def energy_up_to(spectra, column, shells):
    """Of the shells of the box, to the middle of the last one [m^2/s^2]."""
    width = 2 * math.pi / SIDE
    k, values = spectra["k"].values, spectra[column].values
    return sum(width * interpolate(k, values, min(max(shell * width, k[0]), k[-1])) for shell in range(1, shells + 1))


def compare(result, summary):
    history, cells = read_table(result / "history.csv"), summary["mesh"]["cells"]
    spectra = read_table(REFERENCE)
    shells = shells_of(cells)
    begin = energy_up_to(spectra, "E_42", shells)
    model = summary["case"].get("turbulence", {}).get("model", "none")
    print(f"Turbulence behind a grid, {cells} cells, model {model}, {shells} waves in a side; energy at t U/M = 42: "
          f"{begin:.4f} m^2/s^2")
    met = True
    for column, time in TIMES.items():
        found = interpolate(history["time"].values, history["kinetic_energy"].values, time) / SIDE**3
        expected = energy_up_to(spectra, column, shells)
        off = found / expected - 1
        print(f"  {column[2:]:>4}: {found:.5f}, measured {expected:.5f} m^2/s^2: {100 * off:+.1f} % "
              f"{verdict(abs(off), BAR if cells >= COARSEST else None, f'{100 * BAR:g} %')}")
        met = met and (cells < COARSEST or abs(off) <= BAR)
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
