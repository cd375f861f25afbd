"""What all pictures share: fonts, colours, panels of fields, and the PNG file with its size and text."""

import math
import textwrap
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402
import numpy as np  # noqa: E402
from matplotlib.collections import LineCollection  # noqa: E402
from matplotlib.colors import ListedColormap  # noqa: E402
from matplotlib.ticker import MaxNLocator  # noqa: E402
from PIL import Image  # noqa: E402
from PIL.PngImagePlugin import PngInfo  # noqa: E402

from plotting.fields import CELLS, NUMBERS, QUANTITIES  # noqa: E402
from plotting.result import Unusable  # noqa: E402

LEAST_WIDTH = 1200  # pixels
DPI = 180
# In two colours that meet at 0; and the per cent of the area that is within their range.
SIGNED = {"vorticity": 95, "divergence": 100, "u": 99.5, "v": 99.5}
# At most this many isolines; and the colours reach from the lowest to the highest value.
ISOLINES = {"temperature": 14}
# Quantities with lines along a vector: which, and how these are called.
LINES = {"speed": ("velocity", "streamlines"), "heat_flux": ("heat_flux", "heat-flow lines")}
COLOURS = ["#1f5aa6", "#c8401e", "#2e8b57", "#8a5fb0", "#b8860b", "#444444"]

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
    """Text of which matplotlib takes nothing for a formula."""
    return text.replace("$", r"\$")


def heading(result, step=None, fields=None):
    """Two lines: the case's title; cells, time and step."""
    cells, dimension = result.entry("mesh", "cells"), result.entry("mesh", "dimension") or 2
    if fields is not None:
        cells, dimension = len(fields.cells), fields.dimension
    parts = [f"{thousands(cells)} {CELLS.get(dimension, 'cells')}"] if isinstance(cells, int) else []
    if step is not None:
        steady = result.entry("run", "stopped_by") == "steady" and step.number == result.steps()[-1].number
        if steady and step.time == 0:
            parts += ["steady"]  # it has no time and no steps
        else:
            parts += [f"t = {step.time:.4g} s" + (" (steady)" if steady else ""), f"step {thousands(step.number)}"]
    title = textwrap.fill(result.title, 90)
    return plain(title + ("\n" + ", ".join(parts) if parts else ""))


def nice(value):
    """The value rounded up to 1, 1.5, 2, 3, 4, 5, 6 or 8 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(value))
    return power * next(front for front in (1, 1.5, 2, 3, 4, 5, 6, 8, 10) if front * power > 0.999 * value)


def colour_range(fields, name, values, at_nodes):
    """Colour map, lowest and highest colour. A few extreme cells, as at a singular corner, do not wash out the rest."""
    if not np.isfinite(values).all():
        raise Unusable(
            f"{fields.step.path}: field `{name}` has values that are not finite; choose an earlier step by --step"
        )
    if name in SIGNED:
        limit = fields.percentile(np.abs(values), at_nodes, SIGNED[name]) or np.abs(values).max()
        limit = nice(limit) if limit > 0 else 1.0
        return "RdBu_r", -limit, limit
    if name in NUMBERS:
        count = int(values.max()) + 1
        colours = plt.get_cmap("tab10" if count <= 10 else "tab20").colors
        return ListedColormap([colours[number % len(colours)] for number in range(count)]), -0.5, count - 0.5
    if name in LINES:
        return "viridis", 0.0, fields.percentile(values, at_nodes, 99) or values.max() or 1.0
    if name in ISOLINES:
        low, high = values.min(), values.max()
        return ("coolwarm", low - 0.5, low + 0.5) if level(values) else ("coolwarm", low, high)
    low, high = (fields.percentile(values, at_nodes, percent) for percent in (1, 99))
    even = high - low <= 1e-12 * np.abs(values).max()
    return ("cividis", low - 0.5, low + 0.5) if even else ("cividis", low, high)


def level(values):
    """Whether they are the same but for what a solver's tolerance leaves."""
    return np.ptp(values) <= 1e-7 * np.abs(values).max()


def isolines(name, values):
    """(round levels between the lowest and the highest value, words for the title); none for most fields.

    The levels lie a thousandth of their distance higher than they say: where a field is constant but for round-off, as
    beside a wall of given temperature, that may be on a level, and the noise would draw scribbles.
    """
    if name not in ISOLINES or level(values):
        return [], ""
    low, high = values.min(), values.max()
    levels = MaxNLocator(ISOLINES[name], steps=[1, 2, 5, 10]).tick_values(low, high)
    distance = levels[1] - levels[0]
    levels = levels[(levels > low) & (levels < high)] + 1e-3 * distance
    return levels, f", lines every {distance:.6g} {QUANTITIES[name][1]}"


def label_and_unit(name):
    label, unit = QUANTITIES.get(name, (name, ""))
    return label, f"{label.lower()} [{unit}]" if unit else label.lower()


def colour_bar(axes, drawn, name, values, place):
    """The bar at `place` in the axes' own units, with points where values lie beyond its ends."""
    low, high = drawn.get_clim()
    tolerance = 1e-9 * (high - low)
    below, above = bool(values.min() < low - tolerance), bool(values.max() > high + tolerance)
    extend = {(False, False): "neither", (True, False): "min", (False, True): "max", (True, True): "both"}[below, above]
    bar = axes.figure.colorbar(drawn, cax=axes.inset_axes(place), extend=extend, extendfrac=0.03)
    bar.outline.set_linewidth(0.5)
    bar.locator = MaxNLocator(6, steps=[1, 2, 5, 10], integer=name in NUMBERS)
    bar.update_ticks()
    bar.set_label(label_and_unit(name)[1])


def draw_field(axes, fields, name, density=1.0):
    """A scalar in colour on the triangles, its colour bar to the right; with isolines or lines along a vector, if any.

    At a density of 1 there are 20 lines along the vector across the domain.
    """
    values, at_nodes = fields.values(name)
    colours, low, high = colour_range(fields, name, values, at_nodes)
    shared = {"cmap": colours, "vmin": low, "vmax": high, "rasterized": True}
    mesh = (fields.x, fields.y, fields.cells)
    if at_nodes:
        drawn = axes.tripcolor(*mesh, values, shading="gouraud", **shared)
    else:
        drawn = axes.tripcolor(*mesh, facecolors=values, edgecolors="face", linewidth=0.2, **shared)
    x_min, x_max, y_min, y_max = fields.extent
    boundary = fields.points[fields.boundary()[0], :2]
    axes.add_collection(LineCollection(boundary, colors="black", linewidths=0.8, capstyle="round"))
    title = label_and_unit(name)[0]
    if name in LINES:
        vector, words = LINES[name]
        distance = math.sqrt((x_max - x_min) * (y_max - y_min)) / (20 * density)
        draw_streamlines(axes, fields.lines_along(vector, distance), distance)
        title += f" and {words}"
    levels, words = isolines(name, values)
    if len(levels):
        axes.tricontour(*mesh, values, levels=levels, colors="black", linewidths=0.5, alpha=0.6)
        title += words

    axes.set_aspect("equal")
    margin = 0.006 * max(x_max - x_min, y_max - y_min)
    axes.set_xlim(x_min - margin, x_max + margin)
    axes.set_ylim(y_min - margin, y_max + margin)
    for side in axes.spines.values():
        side.set_visible(False)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(5))
        axis.set_major_formatter(lambda place, _: f"{place:g}".replace("-", "\N{MINUS SIGN}"))
    axes.set_xlabel("x [m]")
    axes.set_ylabel("y [m]")
    axes.set_title(title)

    foot = margin / (y_max - y_min + 2 * margin)  # the bar is as high as the field, a little less than its axes
    width = 0.04 * min(1, 1.5 * (y_max - y_min) / (x_max - x_min))
    colour_bar(axes, drawn, name, values, [1 + 0.75 * width, foot, width, 1 - 2 * foot])


def draw_streamlines(axes, lines, distance):
    """Thin lines, and an arrow head in the middle of the longer ones."""
    head = {"arrowstyle": "-|>", "color": "white", "linewidth": 0, "mutation_scale": 7, "shrinkA": 0, "shrinkB": 0}
    axes.add_collection(LineCollection(lines, colors="white", linewidths=0.55, alpha=0.85))
    for line in lines:
        along = np.concatenate([[0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        if along[-1] < 6 * distance:
            continue
        middle = min(np.searchsorted(along, along[-1] / 2), len(line) - 2)
        axes.annotate("", xy=line[middle + 1], xytext=line[middle], arrowprops=head)


def add_output_options(parser, default, width):
    """The options that save() takes: file, size, number of colours."""
    parser.add_argument("--output", metavar="FILE.png", type=Path, help=f"the picture; otherwise {default}")
    parser.add_argument("--dpi", type=int, help=f"pixels per inch, at a width of {width:g} inches (default: {DPI})")
    parser.add_argument("--small", action="store_true", help="256 dithered colours: a third of the bytes")


def check_output_options(parser, options):
    if options.dpi is not None and not 1 <= options.dpi <= 1200:
        parser.error(f"--dpi {options.dpi}: expected 1 to 1200")
    if options.output and options.output.suffix.lower() != ".png":
        parser.error(f"--output {options.output}: expected a name that ends in .png")


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
        raise Unusable(f"{path}: cannot be written: {error.strerror}; name another file by --output FILE.png") from None
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
