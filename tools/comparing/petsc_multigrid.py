"""Multigrid compared with PETSc's: measurements and their output."""

from statistics import median

from common.failure import Failure

SYSTEMS = {"pressure": (), "heat": ("-definite",)}  # PETSc's options per system
PRECONDITIONERS = ("gamg", "boomeramg")


def benches(system):
    return f"setup/{system}/multigrid", f"solve/{system}/multigrid"


def series(turns):
    """Medians over turns of `iterations`, `set_up_seconds` and `solve_seconds`; the solves of all turns."""
    return {"iterations": turns[0]["iterations"],
            "set_up_seconds": median(turn["set_up_seconds"] for turn in turns),
            "solve_seconds": median(turn["solve_seconds"] for turn in turns),
            "turns": [turn["solve_seconds"] for turn in turns]}


def summary_of(ours, theirs, rows):
    """Summary. `ours`: turns of Solenoid, each the results of benches(); `theirs`: turns of PETSc by preconditioner;
    `rows`: of the matrix, including those of prescribed values."""
    unknowns = ours[0][0]["unknowns"]
    for turns in theirs.values():
        if any(turn["unknowns"] != rows for turn in turns):
            raise Failure(f"Solenoid has {rows} rows, PETSc {turns[0]['unknowns']}: not the same system")
    solenoid = series([{"iterations": solve["iterations"], "set_up_seconds": setup["seconds"],
                        "solve_seconds": solve["seconds"]} for setup, solve in ours])
    solenoid["triad_bytes_per_second"] = median(solve["triad_bytes_per_second"] for _, solve in ours)
    solenoid["stored_bytes_per_unknown"] = ours[0][0]["bytes_per_unknown"]
    petsc = {name: series(turns) for name, turns in theirs.items()}
    fastest = min(one["solve_seconds"] for one in petsc.values())
    return {"unknowns": unknowns, "solenoid": solenoid, "petsc": petsc,
            "set_up_ratio": solenoid["set_up_seconds"] / petsc["gamg"]["set_up_seconds"],
            "solve_ratio": solenoid["solve_seconds"] / fastest}


def table_head(width):
    groups = "".join(f"  {name:^23}" for name in ("Solenoid", "GAMG", "BoomerAMG"))
    columns = 3 * f"  {'its':>5} {'set-up':>8} {'solve':>8}"
    return (f"{'':{width}} {'':>10} {'':>5}{groups}  Solenoid /\n"
            f"{'mesh':{width}} {'unknowns':>10} {'ranks':>5}{columns}  set-up  solve   (ms)")


def table_row(width, row):
    programs = (row["solenoid"], *(row["petsc"][name] for name in PRECONDITIONERS))
    times = "".join(f"  {one['iterations']:5d} {1e3 * one['set_up_seconds']:8.1f} {1e3 * one['solve_seconds']:8.1f}"
                    for one in programs)
    return (f"{row['mesh']:{width}} {row['unknowns']:10d} {row['ranks']:5d}{times}"
            f"  {row['set_up_ratio']:6.2f} {row['solve_ratio']:6.2f}")
