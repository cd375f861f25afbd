"""History of heat conduction: temperatures, heat through the patches and its balance; bars for a steady run."""

from dataclasses import replace

import numpy as np

from plotting import curves
from plotting.drawing import plain
from plotting.result import Column, raised

OF_THE_BODY = ("heat_stored", "heat_source", "heat_imbalance")  # the other heat_<...> belong to the patches
MOST = 6  # patches with their own curve or bar


def through_patches(history):
    """Columns by patch, those with the most heat; the others, if several, are summed."""
    patches = {n.removeprefix("heat_"): c for n, c in history.items() if n.startswith("heat_") and n not in OF_THE_BODY}
    if len(patches) <= MOST:
        return patches
    most_heat = sorted(patches, key=lambda name: -np.abs(patches[name].values).max())[: MOST - 1]
    rest = [column for name, column in patches.items() if name not in most_heat]
    chosen = {name: column for name, column in patches.items() if name in most_heat}
    chosen[f"{len(rest)} others"] = replace(rest[0], name="heat_others", values=sum(column.values for column in rest))
    return chosen


def history_panels(history):
    """The panels of curves.history_panels, and those of heat conduction; for a steady run, a single row, only the
    heat."""
    patches = through_patches(history)
    if patches and len(history["time"].values) == 1:
        return {"heat": lambda axes: draw_bars(axes, history, patches)}
    panels = curves.history_panels(history)
    if "temperature_min" in history and "temperature_max" in history:
        both = {"highest": "temperature_max", "lowest": "temperature_min"}
        words = "Lowest and highest temperature"
        panels["temperature"] = lambda axes: curves.draw_history(axes, history, both, words, False)
    if patches:
        panels["heat"] = lambda axes: draw_heat(axes, history, patches)
    if "heat_imbalance" in history:
        column = history["heat_imbalance"]
        table = {**history, "imbalance": Column("heat imbalance", column.unit, np.abs(column.values))}
        title = "Heat not accounted for"
        panels["heat balance"] = lambda axes: curves.draw_history(axes, table, {"": "imbalance"}, title, True)
    return panels


def draw_heat(axes, history, patches):
    """A curve per patch, and grey ones for stored heat and sources, if any."""
    time = history["time"].values
    drawn = {plain(name.replace("_", " ")): column.values for name, column in patches.items()}
    for label, values in curves.together(drawn):
        curves.draw_series(axes, time, values, label)
    for name, style in (("heat_stored", "--"), ("heat_source", ":")):
        if name in history and np.any(history[name].values):
            label = name.removeprefix("heat_")
            axes.plot(time, history[name].values, style, color="0.45", linewidth=1.2, label=label)
    axes.set_xlabel("time [s]")
    axes.set_ylabel(f"heat [{raised(next(iter(patches.values())).unit)}]")
    axes.set_title("Heat through the patches")
    axes.legend(framealpha=0.8, edgecolor="none")
    curves.finish(axes)


def draw_bars(axes, history, patches):
    """A bar with its number for each patch and for the source."""
    bars = {plain(name.replace("_", " ")): column.values[-1] for name, column in patches.items()}
    if "heat_source" in history and history["heat_source"].values[-1]:
        bars["source"] = history["heat_source"].values[-1]
    drawn = axes.barh(list(bars), list(bars.values()), height=0.6)
    words = [f"{value:.4g}".replace("-", "\N{MINUS SIGN}") for value in bars.values()]
    axes.bar_label(drawn, words, padding=3, fontsize=9)
    axes.axvline(0, color="black", linewidth=0.7)
    space = 0.5 + max(0, 4 - len(bars)) / 2  # keeps few bars thin
    axes.set_ylim(len(bars) - 1 + space, -space)
    axes.set_xlabel(f"heat [{raised(next(iter(patches.values())).unit)}]")
    axes.set_title("Heat through the patches")
    curves.finish(axes)
    axes.grid(False, axis="y")
    axes.margins(x=0.35)
