#!/usr/bin/env python3
"""Draws the wave heights on the measured sections behind the shoal, of several runs and the experiment.

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
from common.profiles import newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402
from compare import REFERENCE, SECTIONS  # noqa: E402
from plotting import curves, drawing  # noqa: E402

WIDTH, HEIGHT = 12.0, 5.6  # inches


def draw(folders, options):
    runs = sorted((read_summary(folder)["mesh"]["cells"], folder) for folder in folders)
    figure, panels = drawing.plt.subplots(2, 4, figsize=(WIDTH, HEIGHT), sharey=True, layout="constrained")
    figure.suptitle("Wave height behind an elliptic shoal, over that of the incident wave")
    for (section, axis), axes in zip(SECTIONS.items(), panels.flat):
        measured = read_table(REFERENCE / f"section{section}.csv")
        axes.plot(measured[axis].values, measured["wave_height"].values, "o", color="black", markersize=3,
                  label="measured")
        for (cells, folder), colour in zip(runs, drawing.COLOURS):
            line = read_table(newest_line(folder, f"section{section}"))
            label = f"{cells:,} triangles".replace(",", " ")
            axes.plot(line[axis].values, line["wave_height"].values, color=colour, label=label)
        across = "xy"[axis == "x"]
        axes.set_title(f"Section {section}, {across} = {line[across].values[0]:g} m")
        axes.set_xlabel(f"{axis} [m]")
        curves.finish(axes)
    panels[0, 0].legend(frameon=False, loc="upper left")
    drawing.save(figure, options, folders[0] / "sections.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run of this case", "sections.png", WIDTH, draw))
