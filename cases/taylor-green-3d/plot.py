#!/usr/bin/env python3
"""Draws energy and dissipation of the Taylor-Green vortices at Re = 1600, of several runs and a spectral solution.

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
from common.tables import read_table  # noqa: E402
from compare import VOLUME  # noqa: E402
from plotting import curves, drawing  # noqa: E402

REFERENCE = Path(__file__).with_name("reference") / "spectral_re1600.csv"
WIDTH, HEIGHT = 9.0, 3.9  # inches
PANELS = {"kinetic_energy": "Kinetic energy, mean over the cube [m²/s²]", "dissipation": "Dissipation [m²/s³]"}


def label_of(cells, folder):
    model = read_summary(folder)["case"].get("turbulence", {}).get("model", "none")
    return f"{cells:,} tetrahedra".replace(",", " ") + ("" if model == "none" else f", {model}")


def draw(folders, options):
    runs = sorted((read_summary(folder)["mesh"]["cells"], folder) for folder in folders)
    reference = read_table(REFERENCE)
    figure, panels = drawing.plt.subplots(1, 2, figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.suptitle("Taylor-Green vortices, Re = 1600")
    for axes, (name, title) in zip(panels, PANELS.items()):
        axes.plot(reference["t"].values, reference[name].values, color="black", label="spectral, 512 modes an axis")
        for (cells, folder), colour in zip(runs, drawing.COLOURS):
            history = read_table(folder / "history.csv")
            means = [value / VOLUME for value in history[name].values]
            if name == "dissipation" and "model_dissipation" in history:
                means = [mean + value / VOLUME for mean, value in zip(means, history["model_dissipation"].values)]
            axes.plot(history["time"].values, means, color=colour, label=label_of(cells, folder))
        axes.set_title(title)
        axes.set_xlabel("t [s]")
        curves.finish(axes)
    panels[0].legend(frameon=False, loc="lower left")
    drawing.save(figure, options, folders[0] / "energy.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run of turbulent.toml", "energy.png", WIDTH, draw))
