"""Pictures of tetrahedra: slices, isosurfaces and surfaces, by the options or as an overview of a flow."""

import math

import numpy as np

from common.failure import Failure
from plotting import drawing, isosurface, patches, slices, surface
from plotting.fields import NUMBERS
from plotting.layout import Panel
from plotting.solid import STRIP, Solid

CHOICES = ("slice", "isosurface", "surface")
OVERVIEW_ISOSURFACES = ("q_criterion", "vorticity")  # the first existing one
PALE = ("RdBu_r", "coolwarm")  # colour maps that hide white lines
LEFT = 0.62  # inches for a slice's axis numbers and name


def add_options(group):
    """The options for tetrahedra in the group `what to draw`."""
    slice_help = "3D: --fields on planes, with lines along the velocity in them, at these places [m]; "
    slice_help += "otherwise of a flow the three through the middle"
    group.add_argument("--slice", metavar="AXIS=PLACE,...", type=slices.planes, help=slice_help)
    isosurface_help = "3D: where a field, such as q_criterion or vorticity, has a value, otherwise one that fits"
    group.add_argument("--isosurface", metavar="NAME[=VALUE]", type=isosurface.wanted, help=isosurface_help)
    group.add_argument("--colour", metavar="NAME", help="of the isosurface (default: speed, else pressure)")
    group.add_argument("--surface", metavar="NAME,...", help="3D: fields on the surface of the body, such as pressure")
    patches_help = "boundary groups of which alone the surface is to consist, such as an obstacle"
    group.add_argument("--patches", metavar="NAME,...", help=patches_help)


def names_in(text):
    return [name.strip() for name in text.split(",")] if text else []


def chosen(result, fields, options, overview):
    """Alternative orders of panels; None for pictures drawn as in 2D or as a body alone."""
    asked = [choice for choice in CHOICES if getattr(options, choice)]
    if fields.dimension == 2:
        if asked:
            raise Failure(f"{fields.step.path}: a mesh of triangles; --{asked[0]} is for tetrahedra, leave it out")
        return None
    if not asked and not (fields.is_flow and (overview or options.fields)):
        return None
    view = surface.view(*options.view) if options.view else None
    bodies = surface_panels(result, fields, names_in(options.surface), names_in(options.patches), view)
    wanted = options.isosurface
    if overview and not asked:
        wanted = next(((name, None) for name in OVERVIEW_ISOSURFACES if name in fields.names()), None)
    bodies += isosurface_panels(fields, wanted, options.colour, view, overview and not asked)
    if options.view and not bodies:
        raise Failure(f"{fields.step.path}: only slices are drawn; --view is for --isosurface and --surface")
    names = names_in(options.fields)
    if not names and (options.slice or not asked):
        names = [name for name in ("speed", "temperature", *fields.names()) if name in fields.names()][:1]
    orders = slice_orders(fields, names, options.slice)
    return [[*order, *bodies] for order in orders]


def slice_orders(fields, names, planes):
    """The panels of slices, by fields and by planes."""
    if not names:
        return [[]]
    for name in names:
        fields.require(name)
    drawn = [slices.Slice(fields, *plane) for plane in planes or slices.mid_planes(fields)]
    if not drawn:
        raise Failure(f"{fields.step.path}: the planes through the middle meet nothing of the body: choose by --slice")
    together = slices.Together(drawn)
    grid = [[slice_panel(one, together, name) for one in drawn] for name in names]
    return [[panel for row in grid for panel in row], [panel for column in zip(*grid) for panel in column]]


def slice_panel(one, together, name):
    values, at_nodes = together.values(name)
    colours = drawing.colour_range(together, name, values, at_nodes)

    def draw(axes, width, bar):
        image, extent = one.image(name)
        colour_map, low, high = colours
        drawn = axes.imshow(image, cmap=colour_map, vmin=low, vmax=high, extent=extent, origin="lower", zorder=0.5)
        levels, words = drawing.draw_outlines(axes, one, name, one.values(name)[0], values)
        title = drawing.label_and_unit(name)[0]
        if name not in NUMBERS and one.has_flow():
            distance = math.sqrt(one.sizes.sum()) / drawing.LINES_ACROSS
            lines = one.lines_along("velocity", distance)
            drawing.draw_streamlines(axes, lines, distance, dark=colour_map in PALE)
            title += " and streamlines" if name in drawing.LINES else ""
        margin = drawing.frame(axes, one.extent, one.axes)
        axes.set_title(f"{title}, {one.name}{words}")
        if bar:
            foot = margin / (np.ptp(one.y) + 2 * margin)
            place = [1 + 0.12 / width, foot, 0.14 / width, 1 - 2 * foot]
            drawing.colour_bar(axes, drawn, name, values, place, one, levels)

    return Panel(one.aspect, draw, LEFT, colours=name, place=one.name)


def surface_panels(result, fields, names, groups, view):
    for name in names:
        fields.require(name)
    if not names:
        return []
    body = patches.Patches(result, fields, groups, view) if groups else Solid(fields, view)
    return [body_panel(body, name) for name in names]


def isosurface_panels(fields, wanted, colour, view, optional):
    """optional: whether the list may be empty."""
    if not wanted:
        return []
    name, value = wanted
    for one in filter(None, (name, colour)):
        fields.require(one)
    try:
        body = isosurface.Isosurface(fields, name, value, view)
    except Failure:
        if optional:
            return []
        raise
    others = [one for one in ("speed", "pressure", "temperature") if one in fields.names() and one != name]
    colour = colour or next(iter(others), name)
    return [body_panel(body, colour)]


def body_panel(body, name):
    return Panel(body.aspect, lambda axes, width, bar: body.draw(axes, name, width), strip=STRIP)
