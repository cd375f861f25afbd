"""The frames of a film: a picture of each output, all in the same colours."""

from pathlib import Path

from common.failure import Failure
from plotting import drawing, spatial
from plotting.fields import Fields


def add_option(group):
    film_help = "2D: a picture of the fields at each output, DIR/frame_0001.png and so on, in the same colours"
    group.add_argument("--film", metavar="DIR", type=Path, help=film_help)


def check_option(parser, options):
    """Refuses what a film does not have."""
    if not options.film:
        return
    for name in ("slice", "isosurface", "surface", "profiles", "history", "tracers", "view", "output"):
        if getattr(options, name):
            parser.error(f"--film has the fields of every output seen from above; leave --{name} out")
    if (options.step or options.time) is not None:
        parser.error("--film has every output; leave --step and --time out")


def widest(ranges):
    """The range of colours that holds those of all outputs."""
    return ranges[0][0], min(low for _, low, _ in ranges), max(high for _, _, high in ranges)


def draw(result, options, default_names, lay_out):
    """Draws all frames; default_names: the fields without --fields; lay_out(step, fields, names) makes a figure."""
    colours, names = {}, spatial.names_in(options.fields)
    for step in result.steps():
        fields = Fields(step, result, options.window)
        if fields.dimension == 3:
            raise Failure(f"{step.path}: a mesh of tetrahedra; --film is for one of triangles")
        names = names or [name for name in default_names if name in fields.names()]
        if not names:
            raise Failure(f"{result.folder}: nothing of an overview is there; choose by --fields among {fields.names()}")
        for name in names:
            colours.setdefault(name, []).append(drawing.colour_range(fields, name, *fields.values(name)))
    try:
        options.film.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise Failure(f"{options.film}: cannot be made: {error.strerror}; name another folder by --film") from None
    for k, step in enumerate(result.steps()):
        fields = Fields(step, result, options.window)
        fields.colours = {name: widest(ranges) for name, ranges in colours.items()}
        drawing.save(lay_out(step, fields, names), options, options.film / f"frame_{k + 1:04}.png")
