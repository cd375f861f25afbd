"""Shared by all pictures: fonts, colours, panels of fields, and the PNG file with its size and text."""

import argparse
import math
import sys
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.cm import ScalarMappable  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.colors import ListedColormap, Normalize  # noqa: E402
from matplotlib.patheffects import withStroke  # noqa: E402
from matplotlib.ticker import FuncFormatter, MaxNLocator  # noqa: E402
from PIL import Image  # noqa: E402
from PIL.PngImagePlugin import PngInfo  # noqa: E402

from common.failure import Failure  # noqa: E402
from plotting import relief  # noqa: E402
from plotting.fields import CELLS, NUMBERS, QUANTITIES  # noqa: E402
from plotting.result import raised  # noqa: E402

LEAST_WIDTH = 1200  # pixels
DPI = 180
LINE, LONGEST_OVERRIDE, LONGEST_NAME = 90, 48, 24  # letters
POINT = 0.03  # of a bar: size of the points at its ends
MOST_NAMES = 20  # names beside a bar
CLIPPED = 2.0  # times the range of the rest: extremes beyond it do not set the colours
# Fields in two colours that meet at 0; per cent of the area within their range.
SIGNED = {"vorticity": 95, "divergence": 100, "u": 99.5, "v": 99.5, "displacement": 99.5, "rate": 99.5}
SIGNED |= {"elevation": 99.5}
SIGNED |= {"w": 99.5, "vorticity_x": 95, "vorticity_y": 95, "vorticity_z": 95, "q_criterion": 95}
# Fields with at most this many isolines; their colours span all values.
ISOLINES = {"temperature": 14, "stream_function": 14}
# Quantities with lines along a vector: the vector, and the name of the lines.
LINES = {"speed": ("velocity", "streamlines"), "heat_flux": ("heat_flux", "heat-flow lines")}
MARGIN = 0.006  # of the longer side of a field
RELIEFS = ("elevation",)  # fields at nodes that are drawn as a lit surface
LINES_ACROSS = 20  # lines across the domain, along a vector
COLOURS = ["#1f5aa6", "#c8401e", "#2e8b57", "#8a5fb0", "#b8860b", "#444444"]

HALO = [withStroke(linewidth=2, foreground="white", alpha=0.75)]

plt.rcParams.update(
    {
        "font.size": 10,
        "axes.titlesize": 11,
        "axes.labelsize": 10,
        "xtick.labelsize": 9,
        "ytick.labelsize": 9,
        "legend.fontsize": 9,
        "figure.titlesize": 12,
        "axes.linewidth": 0.7,
        "xtick.major.width": 0.7,
        "ytick.major.width": 0.7,
        "axes.prop_cycle": matplotlib.cycler(color=COLOURS),
        "axes.formatter.limits": (-3, 4),
        "axes.formatter.use_mathtext": True,
        "lines.linewidth": 1.4,
        "mathtext.fontset": "dejavusans",
    }
)


def thousands(count):
    """18664 as 18 664, with thin spaces."""
    return f"{count:,}".replace(",", "\N{THIN SPACE}")


def plain(text):
    """Text escaped so that matplotlib finds no formula in it."""
    return text.replace("$", r"\$")


def shortened(text, most):
    text = " ".join(text.split())
    return text if len(text) <= most else text[: most - 1] + "…"


def words_of(overrides, before="with "):
    """`with a.b=1, c.d=2`: the overrides by --set, and the number of those beyond a line; empty without any."""
    words = [shortened(one, LONGEST_OVERRIDE) for one in overrides]
    shown = 0
    while shown < len(words) and len(before + ", ".join(words[: shown + 1])) <= LINE:
        shown += 1
    rest = f" and {len(words) - shown} more" if shown < len(words) else ""
    return plain(before + ", ".join(words[:shown]) + rest) if words else ""


def heading(result, step=None, fields=None):
    """Lines: the case's title; its overrides; cells, time and step."""
    cells, dimension = result.entry("mesh", "cells"), result.entry("mesh", "dimension") or 2
    if fields is not None:
        cells, dimension = fields.cell_count, fields.dimension
    parts = [f"{thousands(cells)} {CELLS.get(dimension, 'cells')}"] if isinstance(cells, int) else []
    if step is not None:
        steady = result.entry("run", "stopped_by") == "steady" and step.number == result.steps()[-1].number
        if steady and step.time == 0:
            parts += ["steady"]  # without time and steps
        else:
            parts += [f"t = {step.time:.4g} s" + (" (steady)" if steady else ""), f"step {thousands(step.number)}"]
    lines = [plain(textwrap.fill(result.title, LINE)), words_of(result.overrides), ", ".join(parts)]
    return "\n".join(line for line in lines if line)


def nice(value):
    """The value rounded up to 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return power * next(front for front in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if front * power > 0.999 * value)


def reach(fields, values, at_nodes, percent):
    """Upper end of the colours: the maximum or, if few cells are far beyond the others, the maximum of the others."""
    most = fields.percentile(values, at_nodes, percent)
    return values.max() if values.max() <= CLIPPED * most or most <= 0 else most


def colour_range(fields, name, values, at_nodes):
    """Colour map, lowest and highest value. A few extreme cells, as at a singular corner, do not wash out the rest."""
    if not np.isfinite(values).all():
        raise Failure(
            f"{fields.step.path}: field `{name}` has values that are not finite; choose an earlier step by --step"
        )
    if fields.is_length(name) and name in SIGNED:  # a magnitude: no sign
        return "magma", 0.0, reach(fields, values, at_nodes, SIGNED[name]) or 1.0
    if name in SIGNED:
        limit = reach(fields, np.abs(values), at_nodes, SIGNED[name])
        limit = nice(limit) if limit > 0 else 1.0
        return "RdBu_r", -limit, limit
    if name in NUMBERS:
        count = int(values.max()) + 1
        colours = plt.get_cmap("tab10" if count <= 10 else "tab20").colors
        return ListedColormap([colours[number % len(colours)] for number in range(count)]), -0.5, count - 0.5
    if name in LINES:
        return "viridis", 0.0, reach(fields, values, at_nodes, 99) or 1.0
    if name in ISOLINES:
        low, high = values.min(), values.max()
        return ("coolwarm", low - 0.5, low + 0.5) if level(values) else ("coolwarm", low, high)
    low, middle, high = (fields.percentile(values, at_nodes, percent) for percent in (1, 50, 99))
    if high - low <= 1e-12 * np.abs(values).max():
        return "cividis", low - 0.5, low + 0.5
    below, above = reach(fields, middle - values, at_nodes, 99), reach(fields, values - middle, at_nodes, 99)
    return "cividis", middle - below, middle + above


def level(values):
    """Whether the values are equal up to a solver's tolerance."""
    return np.ptp(values) <= 1e-7 * np.abs(values).max()


def isolines(name, values):
    """(round levels between the lowest and the highest value, their numbers as text, words for the title); empty for
    most fields.

    The levels lie a thousandth of their distance above the stated values: a field that is constant up to round-off, as
    near a wall of prescribed temperature, may be on a level, and the noise would draw scribbles.
    """
    if name not in ISOLINES or level(values):
        return [], [], ""
    low, high = values.min(), values.max()
    levels = MaxNLocator(ISOLINES[name], steps=[1, 2, 5, 10]).tick_values(low, high)
    distance = levels[1] - levels[0]
    levels = levels[(levels > low) & (levels < high)]
    words = [number(round(one / distance) * distance) for one in levels]
    return levels + 1e-3 * distance, words, f", lines every {distance:.6g} {QUANTITIES[name][1]}"


def within(label):
    """The label of a quantity within a sentence; single letters, as in Q criterion, keep their case."""
    return " ".join(word if len(word) == 1 else word.lower() for word in label.split(" "))


def label_and_unit(name):
    label, unit = QUANTITIES.get(name, (name, ""))
    return label, f"{within(label)} [{unit}]" if unit else within(label)


def power_of_ten(values):
    """The power of ten that the numbers of a bar or an axis leave out; 0 for numbers that are short with all digits."""
    most = np.abs(values).max()
    power = math.floor(math.log10(most)) if most > 0 else 0
    return 0 if -3 <= power <= 3 else 3 * (power // 3)


def number(value, digits=6):
    """310, −57.6, 9000, 3·10⁻⁷."""
    front, _, power = f"{value:.{digits}g}".partition("e")
    if power and abs(int(power)) <= 6:
        front, power = f"{float(f'{value:.{digits}g}'):.10f}".rstrip("0").rstrip("."), ""
    return front.replace("-", "\N{MINUS SIGN}") + (raised(f"·10^{int(power)}") if power else "")


def colour_bar(axes, drawn, name, values, place, fields, levels=()):
    """The bar at `place` in the axes' own units. Values beyond an end are marked there by a point and the extreme
    value. Regions have their names; isolines are drawn on the bar, too.
    """
    low, high = drawn.get_clim()
    tolerance = 1e-9 * (high - low)
    below, above = bool(values.min() < low - tolerance), bool(values.max() > high + tolerance)
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[below, above]
    bar = axes.figure.colorbar(drawn, cax=axes.inset_axes(place), extend=extend, extendfrac=POINT)
    bar.outline.set_linewidth(0.5)
    if name in NUMBERS:
        bar.minorticks_off()
        names = fields.regions if name == "region" else []
        step = math.ceil((high - low) / MOST_NAMES)
        numbers = range(0, round(high + 0.5), step)
        words = [plain(shortened(names[k], LONGEST_NAME)) if k < len(names) else f"{k}" for k in numbers]
        bar.set_ticks(list(numbers), labels=words)
        bar.set_label(label_and_unit(name)[1])
        return bar
    power = power_of_ten(np.array([low, high]))
    bar.locator = MaxNLocator(6, steps=[1, 2, 5, 10])
    bar.formatter = FuncFormatter(lambda value, _: number(value / 10.0**power))
    bar.update_ticks()
    label, unit = QUANTITIES.get(name, (name, ""))
    unit = raised(f"10^{power} {unit}").strip() if power else unit
    bar.set_label(f"{within(label)} [{unit}]" if unit else within(label))
    place = {"xycoords": "axes fraction", "textcoords": "offset points", "annotation_clip": False, "fontsize": 8}
    if below:
        text = f"min {number(values.min() / 10.0**power, 3)}"
        bar.ax.annotate(text, (0, -POINT), (0, -2), va="top", **place)
    if above:
        text = f"max {number(values.max() / 10.0**power, 3)}"
        bar.ax.annotate(text, (0, 1 + POINT), (0, 2), va="bottom", **place)
    if len(levels):
        bar.ax.hlines(levels, 0, 1, colors="black", linewidths=0.6, alpha=0.6)
    return bar


def number_on_line(axes, text, where, angle):
    """Writes the number of an isoline across it, legible on any colour."""
    axes.text(*where, text, rotation=angle, ha="center", va="center", fontsize=8, path_effects=HALO)


def draw_field(axes, fields, name, density=1.0, tracers=()):
    """A scalar in colour on the triangles, its colour bar to the right; with isolines or lines along a vector, if any.

    At a density of 1 there are LINES_ACROSS lines along the vector across the domain. Tracers, rows of points for each
    kind, replace these lines.
    """
    values, at_nodes = fields.values(name)
    colour_map, low, high = fields.colours.get(name) or colour_range(fields, name, values, at_nodes)
    shared = {"cmap": colour_map, "vmin": low, "vmax": high, "rasterized": True}
    mesh = (fields.x, fields.y, fields.cells)
    if name in RELIEFS and at_nodes:
        drawn = ScalarMappable(Normalize(low, high), colour_map)
        relief.draw(axes, fields, values, drawn)
    elif at_nodes:
        drawn = axes.tripcolor(*mesh, values, shading="gouraud", **shared)
    else:
        drawn = axes.tripcolor(*mesh, facecolors=values, edgecolors="face", linewidth=0.2, **shared)
    levels, words = draw_outlines(axes, fields, name, values, values)
    x_min, x_max, y_min, y_max = fields.extent
    title = label_and_unit(name)[0]
    for points in tracers:
        size = min(9.0, 2000 / max(len(points), 1))  # points²
        axes.scatter(points[:, 0], points[:, 1], size, "black", edgecolors="white", linewidths=0.3, zorder=3)
    if tracers:
        title += ", tracers"
    elif name in LINES:
        vector, lines = LINES[name]
        distance = math.sqrt((x_max - x_min) * (y_max - y_min)) / (LINES_ACROSS * density)
        draw_streamlines(axes, fields.lines_along(vector, distance), distance)
        title += f" and {lines}"
    axes.set_title(title + words)
    margin = frame(axes, fields.extent, "xy", 0 if fields.is_cut else MARGIN)
    foot = margin / (y_max - y_min + 2 * margin)  # the bar has the height of the field, without the margin
    width = 0.04 * min(1, 1.5 * (y_max - y_min) / (x_max - x_min))
    colour_bar(axes, drawn, name, values, [1 + 0.75 * width, foot, width, 1 - 2 * foot], fields, levels)


def draw_outlines(axes, fields, name, values, all_values):
    """Draws the boundary, the interfaces of regions, and, for some fields, isolines. Returns (the levels, words on them
    for the title). all_values: determine the levels."""
    boundary = fields.points[fields.boundary()[0], :2]
    axes.add_collection(LineCollection(boundary, colors="black", linewidths=0.8, capstyle="round"))
    inside = fields.points[fields.interfaces(), :2]
    axes.add_collection(LineCollection(inside, colors="black", linewidths=0.6, capstyle="round", alpha=0.7))
    levels, numbers, words = isolines(name, all_values)
    if any(values.min() < level < values.max() for level in levels):
        style = {"colors": "black", "linewidths": 0.5, "alpha": 0.6}
        lines = axes.tricontour(fields.x, fields.y, fields.cells, values, levels=levels, **style)
        for text in axes.clabel(lines, fmt=dict(zip(levels, numbers)), fontsize=7, inline_spacing=3):
            upright = (text.get_rotation() + 89) % 180 - 89
            text.set(rotation=upright, alpha=1, path_effects=HALO, clip_on=fields.is_cut)
    return levels, words


def frame(axes, extent, names, share=MARGIN):
    """Sets equal scales, the names of the two axes, and a margin around the field, which is returned [m]. `share`: of
    the longer side."""
    x_min, x_max, y_min, y_max = extent
    axes.set_aspect("equal")
    margin = share * max(x_max - x_min, y_max - y_min)
    axes.set_xlim(x_min - margin, x_max + margin)
    axes.set_ylim(y_min - margin, y_max + margin)
    for side in axes.spines.values():
        side.set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(lambda place, _: f"{place:g}".replace("-", "\N{MINUS SIGN}"))
    axes.set_xlabel(f"{names[0]} [m]")
    axes.set_ylabel(f"{names[1]} [m]")
    return margin


def draw_streamlines(axes, lines, distance, dark=False):
    """Draws thin lines, the longer ones with an arrow head in the middle; white, or dark on pale colours."""
    colour, halo = ("0.15", "white") if dark else ("white", "black")
    head = {"arrowstyle": "-|>", "mutation_scale": 7, "fc": colour, "ec": "0.4", "linewidth": 0.25}
    head |= {"shrinkA": 0, "shrinkB": 0}
    axes.add_collection(LineCollection(lines, colors=halo, linewidths=1.3, alpha=0.25))  # visible on all colours
    axes.add_collection(LineCollection(lines, colors=colour, linewidths=0.55, alpha=0.85))
    for line in lines:
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        if along[-1] < 6 * distance:
            continue
        middle = min(np.searchsorted(along, along[-1] / 2), len(line) - 2)
        axes.annotate("", xy=line[middle + 1], xytext=line[middle], arrowprops=head)


def add_output_options(parser, default, width):
    """Adds the options of save(): file, size, number of colours."""
    parser.add_argument("--output", metavar="FILE.png", type=Path, help=f"the picture; otherwise {default}")
    parser.add_argument("--dpi", type=int, help=f"pixels per inch, at a width of {width:g} inches (default: {DPI})")
    parser.add_argument("--small", action="store_true", help="256 dithered colours: a third of the bytes")


def check_output_options(parser, options):
    if options.dpi is not None and not 1 <= options.dpi <= 1200:
        parser.error(f"--dpi {options.dpi}: expected 1 to 1200")
    if options.output and options.output.suffix.lower() != ".png":
        parser.error(f"--output {options.output}: expected a name that ends in .png")


def main_of(description, results_help, default, width, draw):
    """Runs `plot.py RESULT_FOLDER... [--output FILE.png] [--dpi N] [--small]` and returns its exit code, 2 for a folder
    that is not a complete result. draw(folders, options) draws and saves; `default`: name of the picture in the first
    folder."""
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("results", type=Path, nargs="+", metavar="RESULT_FOLDER", help=results_help)
    add_output_options(parser, f"{default} in the first RESULT_FOLDER", width)
    options = parser.parse_args()
    check_output_options(parser, options)
    try:
        draw(options.results, options)
    except (Failure, KeyError) as reason:
        print(f"plot.py: {reason}", file=sys.stderr)
        return 2
    return 0


def save_vectors(figure, path):
    """Writes the figure as SVG, too; the same bytes each time."""
    with plt.rc_context({"svg.hashsalt": "solenoid"}):
        figure.savefig(path, format="svg", metadata={"Date": None, "Creator": "Solenoid tools/plot"})


def save(figure, options, default):
    """Writes the PNG, never narrower than LEAST_WIDTH; the titles of its panels go into the file as its description."""
    path, dpi = options.output or default, options.dpi
    width = figure.get_size_inches()[0]
    dpi = max(dpi or DPI, math.ceil(LEAST_WIDTH / width))
    title = figure._suptitle.get_text().replace("\n", ", ")
    panels = "; ".join(axes.get_title() for axes in figure.axes if axes.get_title())
    texts = {"Software": "Solenoid tools/plot", "Title": title.replace(r"\$", "$"), "Description": panels.replace(r"\$", "$")}
    try:
        figure.savefig(path, dpi=dpi, format="png", metadata=texts)
        if options.small:
            reduce_colours(path)
    except OSError as error:
        raise Failure(f"{path}: cannot be written: {error.strerror}; name another file by --output FILE.png") from None
    finally:
        plt.close(figure)
    print(f"picture: {path}")


def reduce_colours(path):
    """Rewrites a PNG with a palette."""
    with Image.open(path) as picture:
        texts, coloured = PngInfo(), picture.convert("RGB")
        for key, text in picture.text.items():
            texts.add_text(key, text)
    palette = coloured.quantize(256, method=Image.Quantize.MAXCOVERAGE, kmeans=2)
    coloured.quantize(palette=palette, dither=Image.Dither.FLOYDSTEINBERG).save(path, optimize=True, pnginfo=texts)
