#!/usr/bin/env python3
"""Draws spectra of turbulence behind a grid at t U/M = 98 and 171, of several runs and measured ones; prints both.

    python3 plot.py RESULT_FOLDER... [--output FILE.png] [--dpi N] [--small]

Exit code 0: drawn; 1: a package is missing; 2: a folder is not a complete result.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tools")]
from plotting import interpreter  # noqa: E402

interpreter.require_packages()
import numpy as np  # noqa: E402
from common.comparison import read_summary  # noqa: E402
from common.tables import read_table  # noqa: E402
from compare import REFERENCE, SIDE, TIMES, shells_of  # noqa: E402
from plotting import curves, drawing  # noqa: E402
from plotting.fields import read_pieces  # noqa: E402
from vtkmodules.util.numpy_support import vtk_to_numpy  # noqa: E402

WIDTH, HEIGHT = 9.0, 3.9  # inches
LEAST = 2 * np.pi / SIDE  # 1/m, of the box


def points_of(path):
    """Of a .pvtu the corners of all cells with their share of the volume, and the velocity there."""
    grid = read_pieces(path)
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 4)
    ghosts = grid.GetCellData().GetArray("vtkGhostType")
    if ghosts is not None:
        cells = cells[vtk_to_numpy(ghosts) == 0]
    places = vtk_to_numpy(grid.GetPoints().GetData())
    edges = [places[cells[:, k]] - places[cells[:, 0]] for k in (1, 2, 3)]
    volumes = np.abs(np.einsum("ij,ij->i", np.cross(edges[0], edges[1]), edges[2]))
    shares = np.bincount(cells.ravel(), np.repeat(volumes, 4), len(places))
    return places, shares / shares.sum(), vtk_to_numpy(grid.GetPointData().GetArray("velocity"))


def spectrum(path, shells):
    """E(k) [m^3/s^2] of the shells 1, 2, ... of the box."""
    places, shares, velocity = points_of(path)
    waves = np.arange(-shells, shells + 1)
    along = [np.exp(-1j * LEAST * np.outer(waves, places[:, axis])) for axis in range(3)]
    energy = np.zeros(shells + 1)
    for first in range(shells + 1):  # the others are conjugates
        for second in waves:
            weights = shares * along[0][first + shells] * along[1][second + shells]
            means = (velocity * weights[:, None]).T @ along[2].T
            shell = (np.sqrt(first**2 + second**2 + waves**2) + 0.5).astype(int)
            inside = (shell > 0) & (shell <= shells)
            np.add.at(energy, shell[inside], (2 if first else 1) * (np.abs(means[:, inside]) ** 2).sum(axis=0) / 2)
    return energy[1:] / LEAST


def draw(folders, options):
    reference = read_table(REFERENCE)
    figure, panels = drawing.plt.subplots(1, 2, figsize=(WIDTH, HEIGHT), layout="constrained", sharey=True)
    figure.suptitle("Energy spectra of turbulence behind a grid")
    for axes, column, output in zip(panels, TIMES, (-2, -1)):
        k_measured, measured = reference["k"].values, reference[column].values
        axes.loglog(k_measured, measured, "o", color="black", markersize=4, label="measured")
        for folder, colour in zip(folders, drawing.COLOURS):
            summary = read_summary(folder)
            shells = shells_of(summary["mesh"]["cells"])
            k = LEAST * np.arange(1, shells + 1)
            found = spectrum(sorted(folder.glob("fields_*.pvtu"))[output], shells)
            expected = np.interp(k, k_measured, measured)
            model, cells = summary["case"]["turbulence"]["model"], f"{summary['mesh']['cells']:,}".replace(",", " ")
            axes.loglog(k, found, color=colour, label=f"{cells} tetrahedra, {model}")
            scatter = np.sqrt(np.mean(np.log(found / expected) ** 2))
            print(f"{folder.name}, {column[2:]}: energy of {shells} shells {found.sum() / expected.sum():.3f} of the "
                  f"measured one, root mean square of the shells' logarithms {scatter:.3f}")
        axes.set_xlim(10, 300)
        axes.set_ylim(3e-6, 6e-4)
        axes.set_title(f"t U/M = {column[2:]}: E [m³/s²]")
        axes.set_xlabel("k [1/m]")
    panels[0].legend(frameon=False, loc="lower left")
    drawing.save(figure, options, folders[0] / "spectra.png")


if __name__ == "__main__":
    sys.exit(drawing.main_of(__doc__, "of a run of case.toml", "spectra.png", WIDTH, draw))
