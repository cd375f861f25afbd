"""Curves: profiles along lines, and the history of a run."""

from dataclasses import replace

import numpy as np
from matplotlib.ticker import LogFormatterSciNotation

from plotting.result import raised

COMPONENTS = ("u", "v", "w")
BINS = 150  # a history of more than twice as many steps is drawn as median and range in this many spans


def abscissa(table):
    """The coordinate along the line: x, y or z if only that one varies, else the distance s."""
    varying = [name for name in ("x", "y", "z") if name in table and np.ptp(table[name].values) > 0]
    return table[varying[0]] if len(varying) == 1 else table["s"]


def profile_panels(profiles):
    """One drawing function for the velocity of each line, one for each of its other quantities; the lines' first
    quantities before their second ones."""
    ranked = []
    for name, table in profiles.items():
        others = [column for column in table if column not in ("s", "x", "y", "z", *COMPONENTS)]
        components = [c for c in COMPONENTS if c in table and (c != "w" or np.any(table[c].values))]
        groups = ([components] if components else []) + [[other] for other in others]
        draw = [lambda axes, n=name, t=table, g=group: draw_profile(axes, n, t, g) for group in groups]
        ranked += enumerate(draw)
    return [panel for _, panel in sorted(ranked, key=lambda entry: entry[0])]


def draw_profile(axes, name, table, columns):
    along = abscissa(table)
    for column in columns:
        axes.plot(along.values, table[column].values, label=column)
    axes.set_xlabel(along.label)
    kind = "velocity" if columns[0] in COMPONENTS else columns[0].replace("_", " ")
    axes.set_ylabel(f"{kind} [{raised(table[columns[0]].unit)}]")
    words = name.replace("_", " ").replace("$", r"\$")
    axes.set_title(f"{kind.capitalize()}, line {words}")
    if len(columns) > 1:
        axes.legend(frameon=False)
    finish(axes)


def finish(axes):
    axes.grid(True, linewidth=0.4, color="0.85")
    axes.set_axisbelow(True)
    axes.margins(x=0.02)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def history_panels(history):
    """Drawing functions by name: energy, divergence, iterations, residuals, ...: those that the columns allow."""
    solvers = [name.removeprefix("iterations_") for name in history if name.startswith("iterations_")]
    single = [
        ("kinetic energy", "kinetic_energy", "Kinetic energy", False),
        ("divergence", "max_divergence", "Largest divergence", True),
        ("cfl", "cfl", "Courant number", False),
        ("step size", "dt", "Step size", False),
    ]
    panels = {
        key: lambda axes, c=column, t=title, log=log: draw_history(axes, history, {"": c}, t, log)
        for key, column, title, log in single
        if column in history
    }
    if solvers:
        iterations = {solver: f"iterations_{solver}" for solver in solvers}
        residuals = {solver: f"residual_{solver}" for solver in solvers if f"residual_{solver}" in history}
        panels["iterations"] = lambda axes: draw_history(axes, history, iterations, "Solver iterations", True)
        if residuals:
            panels["residuals"] = lambda axes: draw_history(axes, history, residuals, "Solver residuals", True)
    return panels


def draw_history(axes, history, columns, title, logarithmic):
    time = history["time"].values
    for label, column in columns.items():
        values = history[column].values
        if logarithmic:
            values = np.where(values > 0, values, np.nan)  # a zero has no place on this axis
        draw_series(axes, time, values, label)
    if logarithmic and any(np.any(history[column].values > 0) for column in columns.values()):
        set_logarithmic(axes)
    first = history[next(iter(columns.values()))]
    axes.set_ylabel((first if len(columns) == 1 else replace(first, name=first.name.split("_")[0])).label)
    axes.set_xlabel("time [s]")
    axes.set_title(title)
    if len(columns) > 1:
        axes.legend(frameon=False)
    finish(axes)


def draw_series(axes, time, values, label):
    """A line; where there are far more steps than pixels, the median of each span of time within its range."""
    if len(time) <= 2 * BINS:
        axes.plot(time, values, label=label, linewidth=1.0, marker="." if len(time) == 1 else None)
        return
    spans = [span for span in np.array_split(np.arange(len(time)), BINS) if np.any(np.isfinite(values[span]))]
    middle = [time[span].mean() for span in spans]
    low, median, high = (np.array([of(values[span]) for span in spans]) for of in (np.nanmin, np.nanmedian, np.nanmax))
    (line,) = axes.plot(middle, median, label=label, linewidth=1.2)
    axes.fill_between(middle, low, high, color=line.get_color(), alpha=0.25, linewidth=0)


def set_logarithmic(axes):
    """A logarithmic ordinate with numbers between the powers of ten where it spans few of them."""
    axes.set_yscale("log")
    axes.yaxis.set_minor_formatter(LogFormatterSciNotation(labelOnlyBase=False, minor_thresholds=(1.6, 0.5)))
    axes.tick_params(axis="y", which="minor", labelsize=8)
