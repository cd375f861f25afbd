#!/usr/bin/env python3
"""Draws the mean velocity, its fluctuations and the shear stress of turbulent channels, beside direct simulation.

    python3 plot.py RESULT_FOLDER... [--output FILE.png] [--dpi N] [--small]

Exit code 0: drawn; 1: a package is missing; 2: a folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tools")]
from plotting import interpreter  # noqa: E402

interpreter.require_packages()
from common.comparison import read_summary  # noqa: E402
from compare import profile, simulated  # noqa: E402
from plotting import drawing  # noqa: E402

WIDTH = 9.5  # inches
LABELS = (("u'+", (45, 2.2)), ("v'+", (163, 0.68)), ("w'+", (45, 1.12)), ("-u'v'+", (90, 0.2)))


def draw(folders, options):
    figure, (mean, rest) = drawing.plt.subplots(1, 2, figsize=(WIDTH, 4.2), layout="constrained")
    figure.suptitle("Turbulent channel, Re_tau = 178")
    heights, columns = simulated()
    mean.plot(heights[1:], columns[0][1:], "o", color="black", markersize=3, label="direct simulation")
    for values, (name, place) in zip(columns[1:], LABELS):
        rest.plot(heights, values, "o", color="black", markersize=3)
        rest.text(*place, name)
    for folder, colour in zip(folders, drawing.COLOURS):
        summary = read_summary(folder)
        heights, columns = profile(folder, summary)
        cells = f"{summary['mesh']['cells']:,}".replace(",", " ")
        mean.plot(heights[1:], columns[0][1:], color=colour, label=f"{cells} tetrahedra")
        for values in columns[1:]:
            rest.plot(heights, values, color=colour)
    mean.set(xscale="log", xlim=(0.8, 200), xlabel="y+", ylabel="U+")
    mean.legend(frameon=False)
    rest.set(xlabel="y+", xlim=(0, 180), ylim=(0, None))
    drawing.save(figure, options, folders[0] / "profiles.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run", "profiles.png", WIDTH, draw))
