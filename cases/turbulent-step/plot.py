#!/usr/bin/env python3
"""Draws profiles of the mean velocity and of the shear stress behind a step, of several runs and as measured.

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
from compare import STATIONS, measured_at, profile, reattachment  # noqa: E402
from plotting import drawing  # noqa: E402

WIDTH, HEIGHT = 9.5, 5.6  # inches
ROWS = ((0, 1, "U [m/s]"), (3, 100, "-u'v' [0.01 m²/s²]"))  # of the profiles, their scale and name


def draw(folders, options):
    figure, panels = drawing.plt.subplots(2, len(STATIONS), figsize=(WIDTH, HEIGHT), layout="constrained", sharey=True,
                                          sharex="row")
    figure.suptitle("Turbulent flow over a step, Re = 5000")
    for axes, (name, x) in zip(panels.T, STATIONS.items()):
        axes[0].set_title(f"x = {x:g} m")
        measured = measured_at(x, 3)
        for panel, (column, scale, label) in zip(axes, ROWS):
            panel.plot([scale * row[1 + column] for row in measured], [row[0] for row in measured], "o", color="black",
                       markersize=3, label="measured")
            for folder, colour in zip(folders, drawing.COLOURS):
                summary = read_summary(folder)
                cells = f"{summary['mesh']['cells']:,}".replace(",", " ")
                model = summary["case"].get("turbulence", {}).get("model", "none")
                heights, found = profile(folder, name)
                panel.plot([scale * value for value in found[column]], heights, color=colour,
                           label=f"{cells} cells,\n{'no model' if model == 'none' else model}")
            panel.set(xlabel=label, ylim=(0, 3))
            panel.axvline(0, color="lightgrey", linewidth=0.8, zorder=0)
    for row in panels:
        row[0].set_ylabel("height above the floor [m]")
    panels[1][0].legend(frameon=False, loc="upper right", fontsize="small")
    for folder in folders:
        place = reattachment(folder)
        print(f"{folder.name}: " + ("does not reattach" if place is None else f"reattaches after {place:.2f} m"))
    drawing.save(figure, options, folders[0] / "profiles.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run", "profiles.png", WIDTH, draw))
