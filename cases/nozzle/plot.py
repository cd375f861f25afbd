#!/usr/bin/env python3
"""Draws the axial velocity on the axis of the FDA's nozzle, of several runs and as five laboratories measured it.

    python3 plot.py RESULT_FOLDER... [--output FILE.png] [--dpi N] [--small]

Exit code 0: drawn; 1: a package is missing; 2: a folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from plotting import interpreter  # noqa: E402

interpreter.require_packages()
from common.comparison import read_summary  # noqa: E402
from common.profiles import newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402
from plotting import curves, drawing  # noqa: E402

MEASURED = Path(__file__).with_name("measured.csv")
WIDTH, HEIGHT = 9.0, 4.2  # inches


def draw(folders, options):
    figure, axes = drawing.plt.subplots(figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.suptitle("The nozzle of the FDA, Re = 500 in the throat")
    measured = read_table(MEASURED)
    places = [1000 * z for z in measured.pop("z").values]
    for k, laboratory in enumerate(measured.values()):
        axes.plot(places, laboratory.values, "o", color="black", markersize=3, fillstyle="none",
                  label="five laboratories" if k == 0 else None)
    runs = sorted((read_summary(folder)["mesh"]["cells"], folder) for folder in folders)
    for (cells, folder), colour in zip(runs, drawing.COLOURS):
        line = read_table(newest_line(folder, "axis"))
        axes.plot([1000 * z for z in line["z"].values], line["w"].values, color=colour,
                  label=f"{cells:,} tetrahedra".replace(",", " "))
    for z, part in ((-79, "pipe"), (-51, "cone"), (-20, "throat"), (60, "jet in a wide pipe")):
        axes.text(z, 0.82, part, ha="center")
    for z in (-62.685, -40, 0):
        axes.axvline(z, color="lightgrey", linewidth=0.8)
    axes.set(xlabel="z [mm]", ylabel="velocity along the axis [m/s]", ylim=(0, 0.88))
    curves.finish(axes)
    axes.legend(frameon=False, loc="lower right")
    drawing.save(figure, options, folders[0] / "axis.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run", "axis.png", WIDTH, draw))
