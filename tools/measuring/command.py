"""The command line of tools/scaling, and its runs."""

import argparse
import difflib
import json
import signal
import subprocess
import sys
import time
from pathlib import Path

from common.failure import Failure
from measuring import launch, model, report, scaling
from measuring.launch import ROOT, RunFailed, Stopped

DESCRIPTION = """\
Measures how the program's building blocks scale: `solenoid bench` on each number of ranks, several times.
strong: each mesh on every number of ranks. weak: the mesh grows with the ranks, so that each has as many cells."""

EXAMPLES = """\
examples:
  tools/scaling --cube 44                                       strong, on 1, 2 and 4 ranks
  tools/scaling weak --square 300 --ranks 1 2 4 8 16            300, 424, 600, 849, 1200 spacings along a side
  tools/scaling --mesh a.msh b.msh --names cg/pressure/jacobi dot halo/cells --repeats 5
  tools/scaling weak --ranks 1 8 --mesh coarse.msh fine.msh     coarse.msh on 1 rank, fine.msh on 8
  tools/scaling weak --cube 16 --refine 2 --ranks 1 8 64        16 spacings divided into 64, 128, 256, by each rank
  tools/scaling weak --mesh part.msh --refine 0 1 --ranks 1 8   part.msh on 1 rank; each cell in 8 on 8 ranks
  tools/scaling weak --cube 64 --model 8 64 512 --machine h200  beside the measured rows a model of 512 GPUs
  tools/scaling --draw results/scaling                          the picture of an earlier study once more

Tables are printed; OUTPUT gets scaling.json and scaling.csv after each number of ranks, and scaling.png and
scaling.svg.
The program is that of the preset $SOLENOID_PRESET; without it: cuda where nvcc and a GPU are found, else cpu.

exit code: 0 measured, with or without a picture; 2 an option is wrong; else that of the run that failed, 1 if it
took too long"""


def whole_number(text):
    try:
        value = int(text)
    except ValueError:
        value = 0
    if value < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected positive whole numbers with blanks between, e.g. 1 2 4")
    return value


def divisions(text):
    return 0 if text == "0" else whole_number(text)


def seconds(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < 1e9:
        raise argparse.ArgumentTypeError(f"'{text}': expected a positive number of seconds")
    return value


def make_parser():
    parser = argparse.ArgumentParser(
        prog="tools/scaling",
        usage="%(prog)s [strong|weak] (--square N ... | --cube N ... | --mesh FILE ...) [options]",
        description=DESCRIPTION,
        epilog=EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("kind", metavar="strong|weak", nargs="?", default="strong", help="default: strong")
    meshes = parser.add_mutually_exclusive_group(required=True)
    several = {"nargs": "+", "metavar": "N", "type": whole_number}
    meshes.add_argument("--square", **several, help="unit square of 2 N^2 triangles; weak: that of one rank")
    meshes.add_argument("--cube", **several, help="unit cube of 6 N^3 tetrahedra; weak: that of one rank")
    mesh_help = ".msh or .geo; weak: one for each number of ranks"
    meshes.add_argument("--mesh", nargs="+", metavar="FILE", type=Path, help=mesh_help)
    meshes.add_argument("--draw", metavar="FOLDER", type=Path, help="measures nothing: draws FOLDER/scaling.json")
    parser.add_argument("--refine", nargs="+", metavar="N", type=divisions, default=[],
                        help="each rank divides its cells N times; weak --mesh: also one for each of --ranks")  # fmt: skip
    parser.add_argument("--model", **{**several, "metavar": "R"}, default=[],
                        help="a model, no measurement, of these numbers of ranks beside the measured ones")  # fmt: skip
    parser.add_argument("--model-cells", metavar="N", type=whole_number,
                        help="cells of the model, weak: on one rank; default: those of the first row")  # fmt: skip
    parser.add_argument("--machine", choices=sorted(model.MACHINES), default="h200", help="of the model; default: h200")
    parser.add_argument("--ranks", **{**several, "metavar": "R"}, default=[1, 2, 4], help="default: 1 2 4")
    parser.add_argument("--repeats", metavar="N", type=whole_number, default=3, help="runs of each; default: 3")
    names = ["cg/pressure/jacobi", "gradient", "dot", "axpy"]
    names_help = f"what `solenoid bench` measures; default: {' '.join(names)}"
    parser.add_argument("--names", nargs="+", metavar="NAME", default=names, help=names_help)
    parser.add_argument("--output", metavar="OUTPUT", type=Path, default=Path("results/scaling"),
                        help="folder; default: results/scaling")  # fmt: skip
    parser.add_argument("--launcher", metavar="WORDS", help="e.g. 'srun --mpi=pmix'; default: srun in a SLURM "
                        "allocation, else mpirun; it gets -n RANKS")  # fmt: skip
    parser.add_argument("--solenoid", metavar="PROGRAM", type=Path, help="another program than that of the preset")
    parser.add_argument("--no-picture", action="store_true", help="tables and files only")
    parser.add_argument("--timeout", metavar="SECONDS", type=seconds, default=3600.0, help="of one run; default: 3600")
    return parser


def parse(arguments):
    parser = make_parser()
    options = parser.parse_intermixed_args(arguments)
    if options.kind not in ("strong", "weak"):
        parser.error(f"'{options.kind}': expected strong or weak")
    if len(set(options.ranks)) < len(options.ranks):
        parser.error(f"--ranks {' '.join(map(str, options.ranks))}: give each number of ranks once")
    options.names = list(dict.fromkeys(options.names))
    options.shape = next((shape for shape in ("square", "cube", "mesh") if getattr(options, shape)), None)
    if options.shape:
        options.values = list(dict.fromkeys(getattr(options, options.shape)))
    for path in options.mesh or []:
        if not path.is_file():
            parser.error(f"--mesh {path}: no such file")
    if options.mesh and options.kind == "weak":
        options.values = options.mesh  # one file on several numbers of ranks is no weak scaling, but no error
        one_for_all = len(options.mesh) == 1 and options.refine
        if len(options.mesh) != len(options.ranks) and not one_for_all:
            parser.error(
                f"--mesh: {len(options.mesh)} files for --ranks {' '.join(map(str, options.ranks))}; "
                "weak scaling takes one for each number of ranks, in the same order"
            )
    one_for_each = options.mesh and options.kind == "weak" and len(options.refine) == len(options.ranks)
    if len(options.refine) > 1 and not one_for_each:
        parser.error("--refine: give one number; several are for weak --mesh, one for each number of ranks")
    return options


def hint(names):
    """Suggestions for apparently unknown names; empty if there are none."""
    found = []
    for name in names:
        near = [] if name in scaling.KNOWN else difflib.get_close_matches(name, scaling.KNOWN, 3, 0.5)
        if near:
            found.append(f"{name}: did you mean {' or '.join(near)}?")
    return "".join(f"\n{line}" for line in found)


class Study:
    """The runs of one call; finished ones are on disk after each number of ranks."""

    def __init__(self, options):
        self.options = options
        self.program = launch.find_program(options.solenoid)
        self.launcher = launch.find_launcher(options.launcher)
        make = scaling.strong_series if options.kind == "strong" else scaling.weak_series
        self.plan = make(options.ranks, options.shape, options.values, options.refine)
        self.found = {
            "scaling": options.kind,
            "names": options.names,
            "repeats": options.repeats,
            "launcher": self.launcher.words,
            "program": str(self.program),
            "cores": launch.count_cores() if self.launcher.one_machine() else None,
            "series": [],
        }
        try:
            options.output.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise Failure(f"--output {options.output}: {error.strerror}; name another folder") from None

    def measure(self):
        for series in self.plan:
            rows = []
            for ranks, mesh in series.meshes:
                runs = [self.run(ranks, mesh, repeat) for repeat in range(1, self.options.repeats + 1)]
                rows.append(scaling.make_row(mesh, ranks, self.options.names, runs))
                if len(rows) == 1:
                    self.found["series"].append({"label": series.label, "rows": rows})
                scaling.relate(rows)
                if self.options.model:
                    text = model.MACHINES[self.options.machine].text
                    settings = self.options.machine, self.options.model, self.options.model_cells
                    rows_of_model = model.rows_of(self.found, *settings)
                    self.found["model"] = {"text": text, "rows": rows_of_model}
                for picture in ("scaling.png", "scaling.svg"):
                    (self.options.output / picture).unlink(missing_ok=True)  # of an earlier study
                report.write(self.found, self.options.output)

    def run(self, ranks, mesh, repeat):
        """The output of one run of `solenoid bench`. Its file is in the output folder, which all machines see."""
        options = self.options
        what = f"{options.kind}, {mesh.label}, {ranks} rank{'s' * (ranks > 1)}, repeat {repeat}/{options.repeats}"
        print(f"{what} ...", end="", flush=True)
        answer = (options.output / "run.json").resolve()
        answer.unlink(missing_ok=True)
        names = scaling.names_to_ask(options.names)
        command = self.launcher.command(ranks, self.program, "bench", *names, *mesh.arguments, "--json", answer)
        start = time.monotonic()
        try:
            launch.run(command, self.launcher.environment(ranks), options.timeout)
            found = json.loads(answer.read_text())
        except RunFailed as failure:
            print(flush=True)
            text = f"{what} failed:\n{failure}"
            raise RunFailed(text + (hint(options.names) if failure.code == 2 else ""), failure.code) from None
        except (OSError, ValueError) as error:
            print(flush=True)
            reason = getattr(error, "strerror", None) or error
            raise RunFailed(f"{what}: the run ended well, but left no result in {answer}: {reason}") from None
        except BaseException:
            print(flush=True)
            raise
        finally:
            answer.unlink(missing_ok=True)
        print(f" {time.monotonic() - start:.1f} s", flush=True)
        return found


def complain(text):
    print(f"tools/scaling: {text}", file=sys.stderr)


def draw(folder):
    """Draws the picture; returns the exit code."""
    from plotting import interpreter

    interpreter.require_packages()
    from plotting import scaling as picture

    return picture.main(folder)


def on_signal(number, _):
    raise Stopped(number)


def handle_signals(how):
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, how)


def main(arguments):
    options = parse(arguments)
    if options.draw:
        return draw(options.draw)
    handle_signals(on_signal)
    study, failure = None, None
    try:
        study = Study(options)
        study.measure()
    except Failure as reason:
        complain(reason)
        return 2
    except (RunFailed, Stopped) as reason:
        failure = reason
    handle_signals(signal.SIG_DFL)
    if study and study.found["series"]:
        print(f"\n{report.tables(study.found)}\n")
        done = "the rows so far" if failure else "written"
        print(f"{done}: {options.output}/scaling.json, scaling.csv", flush=True)
    if failure:  # last, to be visible
        complain(failure)
        return failure.code
    if not options.no_picture:
        drawn = subprocess.run([sys.executable, "-B", str(ROOT / "tools" / "scaling"), "--draw", str(options.output)])
        if drawn.returncode != 0:
            complain("the numbers are whole, but there is no picture; the reason is above")
    return 0
