"""The command line of tools/plot, and the layout of its pictures."""

import argparse
import math
import sys
from pathlib import Path

from common.failure import Failure
from plotting import convergence, curves, drawing, film, heat, layout, spatial, surface
from plotting.drawing import plt
from plotting.fields import Fields, read_points
from plotting.layout import CURVES_IN_A_ROW, WIDTH
from plotting.result import Result
from plotting.solid import Solid

PROGRAM = "solenoid-plot" if Path(sys.argv[0]).name == "solenoid-plot" else "tools/plot"  # installed, or not
# For tetrahedra, only the first existing one.
OVERVIEW_FIELDS = ("speed", "vorticity", "pressure", "temperature", "heat_flux", "displacement", "rate")
OVERVIEW_FIELDS += ("elevation", "wave_height", "depth")
CHOICES = ("fields", *spatial.CHOICES, "profiles", "history")
OVERVIEW_HISTORY = ("kinetic energy", "energy", "temperature", "heat", "divergence", "heat balance")
OVERVIEW_HISTORY += ("iterations", "residuals")

DESCRIPTION = """\
Draws results as a PNG picture: fields with streamlines or isotherms, profiles along lines, the history of the run.
Of a flow on tetrahedra slices are drawn, isosurfaces, and fields on its surface; of other bodies the surface, with
the long axis of the body across the picture.
Without a choice: an overview of all three. Several result folders of one case on different meshes: convergence."""

EXAMPLES = """\
examples:
  tools/plot results/cavity                                overview: results/cavity/cavity.png
  tools/plot results/cavity --fields vorticity --time 20   one field at the output nearest to t = 20 s
  tools/plot results/cylinder --fields speed --window 0.1,0.6,0,0.41   what is near the cylinder
  tools/plot results/mixing --fields dye --tracers front   the points of [[tracer]] `front` on a field
  tools/plot results/harbour --fields elevation --film frames   a picture of each output, for a film
  tools/plot results/crankshaft --fields temperature --view 120,20     a body from another side
  tools/plot results/cube --fields speed,pressure --slice z=0.5,x=0.2  a flow on two planes, with streamlines
  tools/plot results/cube --isosurface q_criterion=0.5     vortices, in the colours of the speed
  tools/plot results/cylinder-3d --surface pressure --patches cylinder   a body in a flow
  tools/plot results/cavity --history --output run.png     Courant number, divergence, energy, iterations, residuals
  tools/plot results/coarse results/medium results/fine    differences of the profiles from those on the finest mesh
  tools/plot results/a results/b --errors cases/cavity/compare.py      errors as the case itself measures them

exit code: 0 drawn; 1 a package is missing; 2 the folder or an option is wrong"""


def angles(text):
    """AZIMUTH,ELEVATION as two numbers."""
    try:
        azimuth, elevation = map(float, text.split(","))
    except ValueError:
        azimuth = elevation = math.nan
    if not (abs(azimuth) <= 360 and abs(elevation) <= 90):
        raise argparse.ArgumentTypeError(
            f"`{text}`: expected two angles in degrees, -360 to 360 and -90 to 90, such as --view 120,20"
        )
    return azimuth, elevation


def window(text):
    """XMIN,XMAX,YMIN,YMAX as four numbers."""
    try:
        x_min, x_max, y_min, y_max = map(float, text.split(","))
    except ValueError:
        x_min = x_max = y_min = y_max = math.nan
    if not (-math.inf < x_min < x_max < math.inf and -math.inf < y_min < y_max < math.inf):
        raise argparse.ArgumentTypeError(
            f"`{text}`: expected the four sides of a rectangle in m, x from and to, y from and to, such as "
            "--window 0,2,-1,1"
        )
    return x_min, x_max, y_min, y_max


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog=PROGRAM,
        description=DESCRIPTION,
        epilog=EXAMPLES.replace("tools/plot", PROGRAM),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", metavar="RESULT", type=Path, nargs="+", help="result folder of a run")
    what = parser.add_argument_group("what to draw")
    fields_help = "speed, u, v, w, vorticity, vorticity_x, q_criterion, pressure, temperature, heat_flux, "
    what.add_argument("--fields", metavar="NAME,...", help=fields_help + "displacement, rate, region, rank, ...")
    spatial.add_options(what)
    view_help = "3D: from where the body is seen, degrees from the x axis and above the x-y plane"
    what.add_argument("--view", metavar="AZIMUTH,ELEVATION", type=angles, help=view_help)
    tracers_help = "2D: [[tracer]]s, as points on the fields, which have no streamlines then"
    what.add_argument("--tracers", metavar="NAME,...", help=tracers_help)
    window_help = "2D: the part of the plane that fields are drawn in [m]"
    what.add_argument("--window", metavar="XMIN,XMAX,YMIN,YMAX", type=window, help=window_help)
    film.add_option(what)
    what.add_argument("--profiles", action="store_true", help="the profiles in lines/")
    what.add_argument("--history", action="store_true", help="what history.csv holds")
    errors_help = "for convergence: a script with a function errors(FOLDER) -> {name: error}"
    what.add_argument("--errors", metavar="FILE.py", help=errors_help)
    when = parser.add_mutually_exclusive_group()
    when.add_argument("--step", metavar="N", type=int, help="fields and profiles of this step; otherwise the last")
    when.add_argument("--time", metavar="T", type=float, help="... of the output nearest to this time [s]")
    drawing.add_output_options(
        parser, "RESULT/<name of RESULT>[-<choice>].png; convergence.png in the first RESULT", WIDTH
    )
    for k in range(len(arguments) - 1, 0, -1):
        if arguments[k - 1] in ("--view", "--window") and arguments[k].startswith("-"):  # no option
            arguments = [*arguments[: k - 1], f"{arguments[k - 1]}={arguments[k]}", *arguments[k + 1 :]]
    options = parser.parse_args(arguments)
    drawing.check_output_options(parser, options)
    film.check_option(parser, options)
    of_fields = [name for name in ("view", "window", "tracers") if getattr(options, name)]
    if len(options.results) > 1:
        for name in (*CHOICES, "colour", "patches", "view", "window", "tracers", "film", "step", "time"):
            if getattr(options, name) not in (None, False):
                parser.error(f"--{name} is for one RESULT; several are drawn as convergence")
    elif options.errors:
        parser.error("--errors is for convergence, which takes several RESULT folders")
    elif chosen(options) == ["history"] and (options.step or options.time) is not None:
        parser.error("--step and --time choose fields and profiles; a history has all steps")
    elif of_fields and chosen(options) and set(chosen(options)) <= {"profiles", "history"}:
        parser.error(f"--{of_fields[0]} is for fields; profiles and a history are curves")
    elif options.colour and not options.isosurface:
        parser.error("--colour is that of an isosurface; give one by --isosurface")
    elif options.patches and not options.surface:
        parser.error("--patches are parts of the surface; give fields to draw there by --surface")
    return options


def chosen(options):
    """The chosen items of CHOICES; empty for an overview."""
    return [choice for choice in CHOICES if getattr(options, choice)]


def columns_of_fields(count, aspect):
    """Number of columns: wide domains below each other, others side by side."""
    most = 3 if aspect < 1.5 else 2 if aspect < 2.5 else 1
    return min(count, most)


class Plane:
    """A whole mesh of triangles, and its tracers."""

    extra, highest = 0.9, 9.0  # inches: panel height besides the field, and its maximum

    def __init__(self, fields, tracers):
        self.fields, self.tracers = fields, tracers
        x_min, x_max, y_min, y_max = fields.extent
        self.aspect = (x_max - x_min) / (y_max - y_min)

    def draw(self, axes, name, width):
        drawing.draw_field(axes, self.fields, name, tracers=self.tracers)


def scene_of(result, fields, view, names):
    """The scene for fields of this dimension; `names`: of tracers."""
    if names and fields.dimension == 3:
        raise Failure(f"{fields.step.path}: a mesh of tetrahedra; --tracers are drawn on one of triangles, ParaView "
                      "shows tracers/NAME.pvd")
    if fields.dimension == 3:
        return Solid(fields, surface.view(*view) if view else None)
    if view:
        raise Failure(f"{fields.step.path}: a mesh of triangles, which is seen from above; leave --view out")
    return Plane(fields, [read_points(result.tracers(name, fields.step.time)) for name in names])


def lay_out(title, scene, names, panels):
    """A figure with the fields on top and the curves below; its height fits the contents."""
    field_height = curve_height = 0.0
    if names:
        aspect = scene.aspect
        columns = columns_of_fields(len(names), aspect)
        rows = math.ceil(len(names) / columns)
        width = min(WIDTH / columns - 1.6, 7.0 if columns == 1 and aspect < 1.5 else WIDTH)  # without the labels
        width = min(width, (scene.highest - scene.extra) * aspect)
        field_height = rows * (width / aspect + scene.extra)
    curve_columns = min(len(panels), CURVES_IN_A_ROW)
    if panels:
        curve_height = 2.7 * math.ceil(len(panels) / curve_columns)
    figure = plt.figure(figsize=(WIDTH, field_height + curve_height + 0.6), layout="constrained")
    figure.suptitle(title)
    both = names and panels
    parts = figure.subfigures(2, 1, height_ratios=[field_height, curve_height]) if both else [figure, figure]
    for k, name in enumerate(names):
        scene.draw(parts[0].add_subplot(rows, columns, k + 1), name, width)
    for k, draw in enumerate(panels):
        draw(parts[-1].add_subplot(math.ceil(len(panels) / curve_columns), curve_columns, k + 1))
    return figure


def chosen_curves(result, options, step, overview):
    """Drawing functions of the profiles and of the history."""
    panels = []
    if options.profiles or overview:
        profiles = result.profiles(step)
        if options.profiles and not profiles:
            raise Failure(
                f"{result.folder / 'lines'}: no profile of step {step.number}; the case file needs a [[line]]"
            )
        panels += curves.profile_panels(profiles)[: 2 if overview else None]
    if options.history or overview and (result.folder / "history.csv").is_file():
        history = heat.history_panels(result.history())
        wanted = list(history)
        if overview:  # with the profiles, one or two full rows
            wanted = [name for name in OVERVIEW_HISTORY if name in history]
            wanted = wanted[: 2 * CURVES_IN_A_ROW - len(panels) if panels else CURVES_IN_A_ROW]
        panels += [history[name] for name in wanted]
    return panels


def draw_result(options):
    result = Result(options.results[0])
    if options.film:
        def frame(step, fields, names):
            return lay_out(drawing.heading(result, step, fields), Plane(fields, []), names, [])

        return film.draw(result, options, OVERVIEW_FIELDS, frame)
    choices = chosen(options)
    overview, pictures = not choices, [choice for choice in choices if choice not in ("profiles", "history")]
    step = result.pick(options.step, options.time) if choices != ["history"] else None
    fields, names, orders = None, [], None
    if pictures or overview:
        fields = Fields(step, result, options.window)
        if options.window and fields.dimension == 3:
            raise Failure(f"{fields.step.path}: a mesh of tetrahedra; --window is for one of triangles")
        orders = spatial.chosen(result, fields, options, overview)
    if fields and not orders:
        names = spatial.names_in(options.fields) or [name for name in OVERVIEW_FIELDS if name in fields.names()]
        if overview and fields.dimension == 3:
            names = names[:1]
    panels = chosen_curves(result, options, step, overview)
    if not names and not orders and not panels:
        raise Failure(f"{result.folder}: nothing of an overview is there; choose by --fields among {fields.names()}")
    title = drawing.heading(result, step, fields)
    if orders:
        figure = layout.lay_out(title, orders, panels)
    else:
        tracers = spatial.names_in(options.tracers)
        figure = lay_out(title, scene_of(result, fields, options.view, tracers) if names else None, names, panels)
    default = result.folder / ("-".join([result.name, *choices]) + ".png")
    drawing.save(figure, options, default)


def draw_convergence(options):
    results = [Result(folder) for folder in options.results]
    sizes = [Fields(result.pick()).cell_size for result in results]
    measured = convergence.measure(results, sizes, options.errors)
    convergence.print_table(*measured[:3])
    figure, axes = plt.subplots(figsize=(9, 4.6), layout="constrained")
    title = drawing.plain(f"{results[0].title}: convergence on {len(results)} meshes")
    figure.suptitle("\n".join(line for line in (title, *convergence.overrides(results)) if line))
    convergence.draw_convergence(axes, *measured)
    drawing.save(figure, options, results[0].folder / "convergence.png")


def main(arguments):
    options = parse(arguments)
    try:
        draw_convergence(options) if len(options.results) > 1 else draw_result(options)
    except Failure as reason:
        print(f"{PROGRAM}: {reason}", file=sys.stderr)
        return 2
    return 0
