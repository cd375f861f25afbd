"""Scaling: speed-up or parallel efficiency, and time per unknown, against the number of ranks."""

import json
import math
import sys
import textwrap
from argparse import Namespace

from matplotlib.ticker import FixedLocator, NullLocator

from common.failure import Failure
from plotting import drawing
from plotting.curves import finish
from plotting.drawing import COLOURS, plain, plt

MARKERS = "os^Dv<>ph*"
STYLES = ("-", "--", ":", "-.")


def read_study(folder):
    path = folder / "scaling.json"
    try:
        study = json.loads(path.read_text())
        if study["series"] and study["names"]:
            return study
        raise ValueError("it has no rows")
    except (OSError, ValueError, KeyError, TypeError) as error:
        reason = getattr(error, "strerror", None) or error
        raise Failure(f"{path}: cannot be drawn ({reason}); expected the --output of tools/scaling") from None


def curves(study, key, factor=1.0):
    """(label, colour, style, marker, ranks, values) of each name on each series; colours by name, styles by series."""
    for s, series in enumerate(study["series"]):
        for n, name in enumerate(study["names"]):
            found = [(row["ranks"], r[key]) for row in series["rows"] for r in row["results"] if r["name"] == name]
            found = [(ranks, factor * value) for ranks, value in found if value]  # 0 has no logarithm
            label = name if len(study["series"]) == 1 else f"{name}, {series['label']}"
            style = STYLES[s % len(STYLES)], MARKERS[s % len(MARKERS)]
            yield (label, COLOURS[n % len(COLOURS)], *style, *map(list, zip(*found) if found else ([], [])))


def draw_curves(axes, study, key, factor=1.0):
    for label, colour, style, marker, ranks, values in curves(study, key, factor):
        axes.plot(ranks, values, style, color=colour, marker=marker, markersize=4.5, label=label)
    ticks = sorted({row["ranks"] for series in study["series"] for row in series["rows"]})
    axes.set_xscale("log", base=2)
    axes.xaxis.set_major_locator(FixedLocator(ticks))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(lambda place, _: f"{place:g}")
    axes.set_xlabel("ranks")
    finish(axes)
    return ticks


def draw_model(axes, study, factor):
    """The efficiency of the model, named as one."""
    for s, series in enumerate(study["series"]):
        for n, name in enumerate(study["names"]):
            rows = [row for row in study["model"]["rows"] if (row["series"], row["name"]) == (series["label"], name)]
            rows.sort(key=lambda row: row["ranks"])
            label = "model, not measured" if (s, n) == (0, 0) else None
            style = {"color": COLOURS[n % len(COLOURS)], "marker": MARKERS[s % len(MARKERS)], "markerfacecolor": "none"}
            values = [factor(row) for row in rows]
            axes.plot([row["ranks"] for row in rows], values, ":", markersize=4.5, label=label, **style)
    ticks = {row["ranks"] for row in study["model"]["rows"]} | set(axes.xaxis.get_major_locator()())
    axes.xaxis.set_major_locator(FixedLocator(sorted(ticks)))


def powers_of_two(axes):
    """A logarithmic ordinate between powers of two, with plain numbers."""
    values = [value for line in axes.lines for value in line.get_ydata()]
    if not values:
        return
    low, high = math.floor(math.log2(min(values)) - 0.05), math.ceil(math.log2(max(values)) + 0.05)
    axes.set_yscale("log", base=2)
    axes.set_ylim(2.0**low, 2.0**high)
    axes.yaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_major_formatter(lambda value, _: f"{value:g}")


def draw_study(study):
    """Two panels and their legend."""
    lines = len(study["series"]) * len(study["names"]) + bool(study.get("model"))
    columns = min(lines + 1, 3)
    panels_height, legend_height = 4.0, 0.15 + 0.22 * math.ceil((lines + 1) / columns)  # inches
    figure = plt.figure(figsize=(10, panels_height + legend_height), layout="constrained")
    panels, legend = figure.subfigures(2, 1, height_ratios=[panels_height, legend_height])
    left, right = panels.subplots(1, 2)
    first = study["series"][0]["rows"][0]
    where = ", ".join(text for text in (first["backend"], first["device"]) if text)
    meshes = ", ".join(series["label"] for series in study["series"])
    title = textwrap.fill(f"{study['scaling'].capitalize()} scaling, {meshes}", 100)
    figure.suptitle(plain(title + (f"\n{where}" if where else "")))
    if study["scaling"] == "strong":
        ticks = draw_curves(left, study, "speed_up")
        if study.get("model"):
            first_ranks = study["series"][0]["rows"][0]["ranks"]
            draw_model(left, study, lambda row: row["efficiency"] * row["ranks"] / first_ranks)
        least = min(series["rows"][0]["ranks"] for series in study["series"])
        left.plot(ticks, [ranks / least for ranks in ticks], color="0.6", linewidth=1, zorder=1, label="ideal")
        powers_of_two(left)
        left.set_title("Speed-up")
        left.set_ylabel(f"speed-up over {least} rank{'s' * (least > 1)}")
    else:
        draw_curves(left, study, "efficiency", 100.0)
        if study.get("model"):
            draw_model(left, study, lambda row: 100 * row["efficiency"])
        left.axhline(100, color="0.6", linewidth=1, zorder=1, label="ideal")
        left.set_ylim(0, max(105, 1.05 * left.get_ylim()[1]))
        left.set_title("Parallel efficiency")
        left.set_ylabel("efficiency [%]")
    draw_curves(right, study, "seconds_per_unknown", 1e9)
    powers_of_two(right)
    right.set_title("Time per unknown")
    right.set_ylabel("median time over all unknowns [ns]")
    legend.legend(*left.get_legend_handles_labels(), loc="center", ncols=columns, frameon=False)
    return figure


def main(folder):
    """Draws FOLDER/scaling.json into FOLDER/scaling.png and .svg; returns the exit code."""
    try:
        figure = draw_study(read_study(folder))
        drawing.save_vectors(figure, folder / "scaling.svg")
        drawing.save(figure, Namespace(output=None, dpi=None, small=False), folder / "scaling.png")
    except Failure as reason:
        print(f"tools/scaling: {reason}", file=sys.stderr)
        return 2
    return 0
