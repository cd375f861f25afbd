"""Layout of the panels of a picture: rows of equal height, as wide as the page, and the curves below."""

import math
from dataclasses import dataclass
from typing import Callable

from matplotlib.layout_engine import ConstrainedLayoutEngine

from plotting.drawing import plt

WIDTH = 11.0  # inches
CURVES_IN_A_ROW = 3
CURVE = 2.7  # inches of height
EDGE, GAP = 0.12, 0.2  # inches beside the panels, and between two of them
ABOVE, BELOW = 0.36, 0.62  # inches of a row's height for titles, and for names of axes or a scale
BAR = 0.95  # inches to the right of a panel with a colour bar
BESIDE_BAR = 0.22  # inches that a title may exceed a panel whose bar may have a number above it
SMALLEST = 8  # points of a title
WANTED, HIGHEST, ALONE = 3.0, 3.9, 6.2  # inches of a panel's height: good, of several at most, of a single one
ROW = 0.2  # cost of a row in a layout, besides those of small panels and of left-over room
MIXED = 0.8  # cost of a row with several fields on several planes


@dataclass
class Panel:
    """A drawing of aspect ratio `aspect`, width over height."""

    aspect: float
    draw: Callable  # (axes, width [inches], whether with its colour bar)
    left: float = 0.1  # inches beside it for numbers on an axis
    strip: float = 0.0  # inches below it that belong to its axes
    colours: object = None  # adjacent panels with equal ones share a bar
    place: object = None  # subject; a row has one place or equal colours, if possible


def bars(row):
    """For each panel of a row, whether it has its own colour bar: the last of adjacent ones with equal colours does."""
    alike = [one.colours is not None and one.colours == after.colours for one, after in zip(row, row[1:])]
    return [*(not same for same in alike), True]


def height(row):
    """Height of the panels of a row that fills the width."""
    beside = 2 * EDGE + GAP * (len(row) - 1) + sum(panel.left for panel in row) + BAR * sum(bars(row))
    return (WIDTH - beside) / sum(panel.aspect for panel in row)


def cost(row):
    full = height(row)
    if full <= 0.3 and len(row) > 1:
        return math.inf
    placed = [panel for panel in row if panel.place is not None]
    mixed = len({panel.colours for panel in placed}) > 1 < len({panel.place for panel in placed})
    small = 2 * math.log(WANTED / full) ** 2 if full < WANTED else 0.0
    return ROW + MIXED * mixed + small + max(0.0, 1 - HIGHEST / full) ** 2


def rows_of(panels):
    """(the panels in rows, the cost): the cheapest rows in this order."""
    best = [(0.0, [])]
    for end in range(1, len(panels) + 1):
        ways = [(best[start][0] + cost(panels[start:end]), start) for start in range(max(0, end - 6), end)]
        least, start = min(ways)
        best.append((least, [*best[start][1], panels[start:end]]))
    return best[-1][1], best[-1][0]


def lay_out(title, orders, curves):
    """A figure of panels, in the cheapest of several orders, above the curves."""
    rows, _ = min((rows_of(panels) for panels in orders), key=lambda found: found[1])
    most = ALONE if sum(map(len, rows)) == 1 else HIGHEST
    heights = [min(height(row), most) for row in rows]
    top = 0.22 + 0.21 * (title.count("\n") + 1)
    curve_rows = math.ceil(len(curves) / CURVES_IN_A_ROW)
    bottom = CURVE * curve_rows
    total = (0.2 if curves else 0) + top + sum(heights) + len(rows) * (ABOVE + BELOW) + bottom
    engine = ConstrainedLayoutEngine(rect=(0, 0, 1, bottom / total)) if curves else None
    figure = plt.figure(figsize=(WIDTH, total), layout=engine)
    figure.suptitle(title, y=1 - 0.12 / total, va="top").set_in_layout(False)
    y = total - top
    for row, high in zip(rows, heights):
        y -= ABOVE + high
        fit_titles(figure, draw_row(figure, row, high, y, total))
        y -= BELOW
    columns = min(len(curves), CURVES_IN_A_ROW)
    for k, draw in enumerate(curves):
        draw(figure.add_subplot(curve_rows, columns, k + 1))
    return figure


def draw_row(figure, row, high, y, total):
    """Draws panels of a height [inches] above y, centred on the page: (axes, room for the title [inches]) of each."""
    shown = bars(row)
    used = sum(panel.aspect * high + panel.left for panel in row) + GAP * (len(row) - 1) + BAR * sum(shown)
    x = 0.5 * (WIDTH - used)
    drawn = []
    for panel, bar in zip(row, shown):
        x += panel.left
        width = panel.aspect * high
        place = (x / WIDTH, (y - panel.strip) / total, width / WIDTH, (high + panel.strip) / total)
        drawn.append((figure.add_axes(place), width + BESIDE_BAR if bar else width + panel.left))
        panel.draw(drawn[-1][0], width, bar)
        x += width + GAP + (BAR if bar else 0)
    return drawn


def fit_titles(figure, drawn):
    """Shrinks all titles of a row equally if one is wider than its room."""
    renderer = figure.canvas.get_renderer()
    wide = [axes.title.get_window_extent(renderer).width / figure.dpi for axes, _ in drawn]
    part = min(1, *(room / max(width, 1e-9) for width, (_, room) in zip(wide, drawn)))
    for axes, _ in drawn:
        axes.title.set_fontsize(max(SMALLEST, axes.title.get_fontsize() * part))
