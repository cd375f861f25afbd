"""Curves: profiles along lines, and the history of a run."""

from dataclasses import replace

import numpy as np
from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

from plotting.drawing import plain
from plotting.result import raised

COMPONENTS = ("u", "v", "w")
VECTORS = (COMPONENTS, ("heat_flux_x", "heat_flux_y", "heat_flux_z"))  # columns that share a panel
NEGLIGIBLE = 0.01  # of the largest component: smaller ones are errors of the method, and left out
EVEN = 1e-4  # of its values: a smaller range is noise, which the axis must not magnify
SAME = 4e-3  # of the range of all curves: closer ones are drawn as one
STEEP = 20  # maximum over median of the iterations that makes the axis logarithmic
BINS = 150  # longer histories (twice as many steps) are drawn as median and range in this many spans


def abscissa(table):
    """The coordinate along the line: x, y or z if only that one varies, else the distance s."""
    varying = [name for name in ("x", "y", "z") if name in table and np.ptp(table[name].values) > 0]
    return table[varying[0]] if len(varying) == 1 else table["s"]


def components(table, vector):
    """The components of a vector in a profile, without those negligible against the largest."""
    largest = {name: np.nanmax(np.abs(table[name].values), initial=0) for name in vector if name in table}
    there = [name for name, size in largest.items() if size > NEGLIGIBLE * max(largest.values())]
    return there or list(largest)[:2]


def profile_panels(profiles):
    """One drawing function for the vector of each line, one for each other quantity; first quantities of all lines
    before second ones."""
    ranked = []
    for name, table in profiles.items():
        groups = []
        for column in table:
            vector = next((vector for vector in VECTORS if column in vector), (column,))
            if column not in ("s", "x", "y", "z") and column == next(one for one in vector if one in table):
                groups.append(components(table, vector))
        draw = [lambda axes, n=name, t=table, g=group: draw_profile(axes, n, t, g) for group in groups]
        ranked += enumerate(draw)
    return [panel for _, panel in sorted(ranked, key=lambda entry: entry[0])]


def draw_profile(axes, name, table, columns):
    along = abscissa(table)
    kind = columns[0].replace("_", " ")
    if columns[0] in COMPONENTS:
        kind = "velocity" if len(columns) > 1 else f"velocity {columns[0]}"
    elif len(columns) > 1:
        kind = kind[:-2]  # without x, y or z
    for label, values in together({column: table[column].values for column in columns}):
        axes.plot(along.values, values, label=label.replace("_", " "))
    axes.set_xlabel(along.label)
    axes.set_ylabel(f"{kind} [{raised(table[columns[0]].unit)}]")
    axes.set_title(f"{kind.capitalize()}, line {plain(name.replace('_', ' '))}")
    if len(columns) > 1:
        axes.legend(frameon=False)
    not_magnified(axes)
    finish(axes)


def together(curves, scale=lambda values: values):
    """(label, values) for each curve of {label: values}; indistinguishable curves are merged with all their labels.
    `scale`: of the axis."""
    groups = []
    places = {label: scale(values) for label, values in curves.items()}
    finite = np.concatenate([place[np.isfinite(place)] for place in places.values()])
    near = SAME * np.ptp(finite) if len(finite) else 0
    for label, place in places.items():
        for labels, drawn in groups:
            if np.allclose(place, places[labels[0]], rtol=0, atol=near, equal_nan=True):
                labels.append(label)
                break
        else:
            groups.append(([label], curves[label]))
    return [(", ".join(labels) + (" (coincide)" if len(labels) > 1 else ""), values) for labels, values in groups]


def not_magnified(axes):
    """Widens the ordinate of a curve that is constant up to noise."""
    low, high = axes.dataLim.intervaly
    size = max(abs(low), abs(high))
    if high - low < EVEN * size:
        axes.set_ylim(0.5 * (low + high) - 0.5 * size, 0.5 * (low + high) + 0.5 * size)


def finish(axes):
    axes.grid(True, linewidth=0.4, color="0.85")
    axes.set_axisbelow(True)
    axes.margins(x=0.02)
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def history_panels(history):
    """Drawing functions by name: energy, divergence, iterations, residuals, ..., as far as the columns exist."""
    solvers = [name.removeprefix("iterations_") for name in history if name.startswith("iterations_")]
    single = [
        ("kinetic energy", "kinetic_energy", "Kinetic energy", False),
        ("energy", "energy", "Energy of the waves", False),
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
        panels["iterations"] = lambda axes: draw_iterations(axes, history, iterations)
        if residuals:
            panels["residuals"] = lambda axes: draw_history(axes, history, residuals, "Solver residuals", True)
    return panels


def draw_history(axes, history, columns, title, logarithmic):
    time = history["time"].values
    curves = {label: history[column].values for label, column in columns.items()}
    if logarithmic:
        positive = {k: np.where(values > 0, values, np.nan) for k, values in curves.items()}  # 0 has no logarithm
        logarithmic = any(np.isfinite(values).any() for values in positive.values())
        curves = positive if logarithmic else curves
    for label, values in together(curves, np.log10 if logarithmic else np.asarray):
        draw_series(axes, time, values, label)
    set_logarithmic(axes) if logarithmic else not_magnified(axes)
    first = history[next(iter(columns.values()))]
    axes.set_ylabel((first if len(columns) == 1 else replace(first, name=first.name.split("_")[0])).label)
    axes.set_xlabel("time [s]")
    axes.set_title(title)
    if len(columns) > 1:
        axes.legend(frameon=False)
    finish(axes)


def draw_iterations(axes, history, columns):
    """Draws integers from 0 on; on a logarithmic axis if a few steps need far more than most."""
    values = np.concatenate([history[column].values for column in columns.values()])
    steep = values.max() > STEEP * max(np.median(values), 1) and values.min() > 0
    draw_history(axes, history, columns, "Solver iterations", steep)
    if steep:
        return
    axes.set_ylim(0, 1.05 * max(values.max(), 1))
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.0f}"))


def draw_series(axes, time, values, label):
    """Draws a line; for far more steps than pixels, the median and range per span of time."""
    if len(time) <= 2 * BINS:
        axes.plot(time, values, label=label, linewidth=1.0, marker="." if len(time) == 1 else None)
        return
    spans = [span for span in np.array_split(np.arange(len(time)), BINS) if np.any(np.isfinite(values[span]))]
    middle = [time[span].mean() for span in spans]
    low, median, high = (np.array([of(values[span]) for span in spans]) for of in (np.nanmin, np.nanmedian, np.nanmax))
    (line,) = axes.plot(middle, median, label=label, linewidth=1.2)
    axes.fill_between(middle, low, high, color=line.get_color(), alpha=0.25, linewidth=0)


def set_logarithmic(axes):
    """A logarithmic ordinate between round numbers; ticks at 2 and 5 besides powers of ten, if these are few."""
    axes.set_yscale("log")
    low, high = axes.dataLim.minposy, axes.dataLim.intervaly[1]
    decades = np.log10(high / low)
    steps = (1, 2, 5) if decades < 1.7 else (1,)
    round_numbers = np.array([step * 10.0**power for power in range(-320, 300) for step in steps])
    below, above = round_numbers[round_numbers <= 1.001 * low], round_numbers[round_numbers >= 0.999 * high]
    if len(below) and len(above):
        axes.set_ylim(below[-1] / 1.05, above[0] * 1.05)
    axes.yaxis.set_major_locator(LogLocator(subs=steps, numticks=6 if decades >= 1.7 else 12))
    handy = low > 0.999e-3 and high < 1.001e5
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:.6g}" if handy else powers(value)))
    axes.yaxis.set_minor_formatter(NullFormatter())


def powers(value):
    """10⁻⁷ or 2·10⁻⁷, as a formula."""
    power = int(np.floor(np.log10(value) + 1e-9))
    front = round(value / 10.0**power)
    return f"$10^{{{power}}}$" if front == 1 else rf"${front} \cdot 10^{{{power}}}$"
