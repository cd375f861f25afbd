"""The command line of tools/plot, and the layout of its pictures."""

import argparse
import math
import sys
from pathlib import Path

from plotting import convergence, curves, drawing
from plotting.drawing import plt
from plotting.fields import Fields
from plotting.result import Result, Unusable

WIDTH = 11.0  # inches
CURVES_IN_A_ROW = 3
OVERVIEW_FIELDS = ("speed", "vorticity", "pressure", "temperature")

DESCRIPTION = """\
Draws results as a PNG picture: fields with streamlines, profiles along lines, the history of the run.
Without a choice: an overview of all three. Several result folders of one case on different meshes: convergence."""

EXAMPLES = """\
examples:
  tools/plot results/cavity                                overview: results/cavity/cavity.png
  tools/plot results/cavity --fields vorticity --time 20   one field at the output nearest to t = 20 s
  tools/plot results/cavity --history --output run.png     Courant number, divergence, energy, iterations, residuals
  tools/plot results/coarse results/medium results/fine    differences of the profiles from those on the finest mesh
  tools/plot results/a results/b --errors cases/cavity/compare.py      errors as the case itself measures them

exit code: 0 drawn; 1 a package is missing; 2 the folder or an option is wrong"""


def parse(arguments):
    parser = argparse.ArgumentParser(
        prog="tools/plot",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("results", metavar="RESULT", type=Path, nargs="+", help="result folder of a run")
    what = parser.add_argument_group("what to draw")
    fields_help = "speed (with streamlines), u, v, vorticity, pressure, divergence, rank, ..."
    what.add_argument("--fields", metavar="NAME,...", help=fields_help)
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
    options = parser.parse_args(arguments)
    drawing.check_output_options(parser, options)
    if len(options.results) > 1:
        for name in ("fields", "profiles", "history", "step", "time"):
            if getattr(options, name) not in (None, False):
                parser.error(f"--{name} is for one RESULT; several are drawn as convergence")
    elif options.errors:
        parser.error("--errors is for convergence, which takes several RESULT folders")
    elif options.history and not (options.fields or options.profiles) and (options.step or options.time) is not None:
        parser.error("--step and --time choose fields and profiles; a history has all steps")
    return options


def columns_of_fields(count, aspect):
    """Wide domains below each other, others side by side."""
    most = 3 if aspect < 1.5 else 2 if aspect < 2.5 else 1
    return min(count, most)


def lay_out(title, fields, names, panels):
    """A figure with the fields on top and the curves below, as high as its contents need."""
    field_height = curve_height = 0.0
    if names:
        x_min, x_max, y_min, y_max = fields.extent
        aspect = (x_max - x_min) / (y_max - y_min)
        columns = columns_of_fields(len(names), aspect)
        rows = math.ceil(len(names) / columns)
        width = min(WIDTH / columns - 1.6, 7.0 if columns == 1 and aspect < 1.5 else WIDTH)  # without the labels
        field_height = rows * min(width / aspect + 0.9, 9.0)
    curve_columns = min(len(panels), CURVES_IN_A_ROW)
    if panels:
        curve_height = 2.7 * math.ceil(len(panels) / curve_columns)
    figure = plt.figure(figsize=(WIDTH, field_height + curve_height + 0.6), layout="constrained")
    figure.suptitle(title)
    both = names and panels
    parts = figure.subfigures(2, 1, height_ratios=[field_height, curve_height]) if both else [figure, figure]
    if names:
        for k, name in enumerate(names):
            axes = parts[0].add_subplot(rows, columns, k + 1)
            drawing.draw_field(axes, fields, name, streamlines=name == "speed")
    for k, draw in enumerate(panels):
        draw(parts[-1].add_subplot(math.ceil(len(panels) / curve_columns), curve_columns, k + 1))
    return figure


def chosen_curves(result, options, step, overview):
    """Drawing functions of the profiles and of the history."""
    panels = []
    if options.profiles or overview:
        profiles = result.profiles(step)
        if options.profiles and not profiles:
            raise Unusable(
                f"{result.folder / 'lines'}: no profile of step {step.number}; the case file needs a [[line]]"
            )
        panels += curves.profile_panels(profiles)[: 2 if overview else None]
    if options.history or overview and (result.folder / "history.csv").is_file():
        history = curves.history_panels(result.history())
        wanted = history
        if overview:  # with three fields and two profiles it makes three full rows; without profiles two
            wanted = ("kinetic energy", "divergence", "iterations") + (("residuals",) if panels else ())
        panels += [history[name] for name in wanted if name in history]
    return panels


def draw_result(options):
    result = Result(options.results[0])
    overview = not (options.fields or options.profiles or options.history)
    needs_step = not options.history or bool(options.fields or options.profiles)
    step = result.pick(options.step, options.time) if needs_step else None
    fields, names = None, []
    if options.fields or overview:
        fields = Fields(step)
        asked = [name.strip() for name in options.fields.split(",")] if options.fields else OVERVIEW_FIELDS
        names = [name for name in asked if options.fields or name in fields.names()]
    choices = [choice for choice in ("fields", "profiles", "history") if getattr(options, choice)]
    panels = chosen_curves(result, options, step, overview)
    if not names and not panels:
        raise Unusable(f"{result.folder}: nothing of an overview is there; choose by --fields among {fields.names()}")
    cells = len(fields.triangles) if fields else None
    figure = lay_out(drawing.heading(result, step, cells), fields, names, panels)
    default = result.folder / ("-".join([result.name, *choices]) + ".png")
    drawing.save(figure, options, default)


def draw_convergence(options):
    results = [Result(folder) for folder in options.results]
    sizes = [Fields(result.pick()).cell_size for result in results]
    measured = convergence.measure(results, sizes, options.errors)
    convergence.print_table(*measured[:3])
    figure, axes = plt.subplots(figsize=(9, 4.6), layout="constrained")
    figure.suptitle(drawing.plain(f"{results[0].title}: convergence on {len(results)} meshes"))
    convergence.draw_convergence(axes, *measured)
    drawing.save(figure, options, results[0].folder / "convergence.png")


def main(arguments):
    options = parse(arguments)
    try:
        draw_convergence(options) if len(options.results) > 1 else draw_result(options)
    except Unusable as reason:
        print(f"tools/plot: {reason}", file=sys.stderr)
        return 2
    return 0
