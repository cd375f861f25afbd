#!/usr/bin/env python3
"""Draws a run of the lid-driven cavity: speed with streamlines, vorticity, and both centreline profiles next to the
published values, with the largest deviations by compare.py.

    python3 plot.py RESULT_FOLDER [--output FILE.png] [--dpi N] [--small]

Exit code 0: drawn; 1: a package is missing; 2: the folder is not a complete result.
"""

import argparse
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path[:0] = [str(Path(__file__).resolve().parent), str(Path(__file__).resolve().parents[2] / "tools")]
from plotting import interpreter  # noqa: E402

interpreter.require_packages()
import compare  # noqa: E402
from common.failure import Failure  # noqa: E402
from plotting import curves, drawing  # noqa: E402
from plotting.fields import Fields  # noqa: E402
from plotting.result import Result  # noqa: E402

WIDTH, HEIGHT = 9.0, 8.9  # inches


def draw_profile(axes, result, component, table):
    """Profile of u against y with y upwards, as in the cavity; of v against x with v upwards."""
    profile = compare.read_profile(result.folder, component)
    line, coordinate = compare.LINES[component]

    def plot(places, values, *style, **more):
        axes.plot(*((values, places) if component == "u" else (places, values)), *style, **more)

    plot(*profile, color=drawing.COLOURS[0], label="Solenoid")
    deviations = []
    if table is not None:
        rows, skipped = compare.ghia_points(component, table)
        label = "Ghia et al. 1982" + (" (but for a misprint)" if skipped else "")
        plot(*zip(*rows), "o", color=drawing.COLOURS[1], mfc="none", markersize=6, mew=1.2, label=label)
        deviations.append(f"Ghia et al. {compare.largest_deviation(profile, *zip(*rows))[0]:.4f}")
    if table == 1000:
        rows = compare.botella_peyret_points(component)
        plot(*zip(*rows), "x", color="black", markersize=5, mew=1.1, label="Botella & Peyret 1998")
        deviations.append(f"Botella & Peyret {compare.largest_deviation(profile, *zip(*rows))[0]:.4f}")

    place = line.replace("_", " ").replace("=", " = ") + " m"
    if deviations:
        axes.set_title(f"{place}, largest deviation [m/s] from\n{', '.join(deviations)}")
    else:
        axes.set_title(f"{place}\n(nothing published for this Reynolds number)")
    labels = [f"{component} [m/s]", f"{coordinate} [m]"]
    axes.set_xlabel(labels[component == "v"])
    axes.set_ylabel(labels[component == "u"])
    axes.legend(frameon=False, loc="lower right" if component == "u" else "lower left")
    curves.finish(axes)


def draw(result, options):
    step = result.pick()
    fields = Fields(step)
    _, reynolds = compare.read_case(result.folder)
    figure, axes = drawing.plt.subplots(2, 2, figsize=(WIDTH, HEIGHT), layout="constrained")
    figure.suptitle(drawing.heading(result, step, fields))
    drawing.draw_field(axes[0, 0], fields, "speed", density=1.2)
    drawing.draw_field(axes[0, 1], fields, "vorticity")
    table = compare.published_table(reynolds)
    draw_profile(axes[1, 0], result, "u", table)
    draw_profile(axes[1, 1], result, "v", table)
    drawing.save(figure, options, result.folder / f"{result.name}.png")


def main():
    parser = argparse.ArgumentParser(description="Draws a run of the lid-driven cavity next to the published values.")
    parser.add_argument("result", type=Path, help="result folder of a run")
    drawing.add_output_options(parser, "RESULT/<name of RESULT>.png", WIDTH)
    options = parser.parse_args()
    drawing.check_output_options(parser, options)
    try:
        draw(Result(options.result), options)
    except Failure as reason:
        print(f"plot.py: {reason}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
