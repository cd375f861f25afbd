"""The programs of the comparison of heat conduction, and their turns."""

import dataclasses
from pathlib import Path
from statistics import median

from common.failure import Failure
from comparing import dolfinx, freefem, laplacianfoam, meshes, solenoid
from comparing.errors import errors_of
from comparing.fields import in_order_of
from comparing.running import Conduction, Missing, turn_of
from measuring.launch import find_launcher

PEERS = ("dolfinx", "freefem", "openfoam")
REFERENCE = 1e-12  # tolerance
CORRECTORS = (0, 5)  # of OpenFOAM, for non-orthogonal faces


def make_problem(options, folder):
    """The common mesh and problem of all programs."""
    file = folder / "mesh.msh"
    if options.cube:
        meshes.write_cube(options.cube, file)
    elif meshes.is_format_2(Path(options.mesh)):
        file.write_bytes(Path(options.mesh).read_bytes())
    else:
        meshes.write_format_2(Path(options.mesh).resolve(), file, options.size)
    mesh = meshes.read(file, Path(options.mesh).name if options.mesh else None)
    for name in (options.hot, options.cold):
        if name not in mesh.patches:
            raise Failure(f"there is no part '{name}' of the boundary; there are {', '.join(mesh.patches)} "
                          "(--hot, --cold)")
    return Conduction(file, mesh, find_launcher(), options.timeout, options.hot, options.cold, options.conductivity,
                      options.tolerance)


def find_contenders(program, options, folder):
    """All contenders, and a line about each missing program."""
    cache = folder / "cache"
    cache.mkdir()
    ways = {"dolfinx": lambda: dolfinx.contenders(options.ranks, cache), "freefem": freefem.contenders,
            "openfoam": lambda: laplacianfoam.contenders(CORRECTORS)}
    found, missing = solenoid.contenders(program, options.ranks), []
    for name, way in ways.items():
        try:
            found += way() if name not in options.without else []
        except Missing as text:
            missing.append(str(text))
    return found, missing


def take_turn(contender, problem, read=False):
    """One turn in its own folder, and the temperatures if `read`."""
    with turn_of(contender, problem) as folder:
        turn = contender.run(problem, folder)
        return turn, contender.temperatures(folder) if read else None


def reference_of(program, problem):
    """P1 temperatures at the nodes of the mesh."""
    far = dataclasses.replace(problem, tolerance=REFERENCE)
    _, found = take_turn(solenoid.Solenoid(program, 1), far, read=True)
    return in_order_of(problem.mesh.points, found)


def row_of(contender, turns, errors):
    """The row of a program in the table and the file: medians over its turns."""
    middle = {key: None if any(getattr(turn, key) is None for turn in turns)
              else median(getattr(turn, key) for turn in turns)
              for key in ("seconds", "setup_seconds", "solve_seconds", "bytes")}
    last = turns[-1]
    return {"program": contender.program, "ranks": contender.ranks, "unknowns": last.unknowns,
            "iterations": last.iterations, **middle, "heat_hot": last.heat_hot, "heat_cold": last.heat_cold,
            "version": last.version, "fastest_seconds": min(turn.seconds for turn in turns),
            "errors": dataclasses.asdict(errors), "turns": [dataclasses.asdict(turn) for turn in turns]}


def compare(contenders, problem, reference, repeats):
    """A row per contender, run in turns."""
    errors, turns = [], [[] for _ in contenders]
    for contender in contenders:
        _, found = take_turn(contender, problem, read=True)
        try:
            errors.append(errors_of(found, problem.mesh, reference))
        except Failure as failure:
            raise Failure(f"{contender.program}: {failure}") from None
    for _ in range(repeats):
        for contender, mine in zip(contenders, turns):
            mine.append(take_turn(contender, problem)[0])
    return [row_of(*row) for row in zip(contenders, turns, errors)]
