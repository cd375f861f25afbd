"""Shared by the programs of a comparison: the problem, the launch, and the result of a turn."""

import json
import re
import shlex
import sys
import tempfile
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from common.failure import Failure
from comparing.meshes import Mesh
from comparing.programs import ONE_THREAD
from measuring.launch import Launcher, RunFailed, run

TIMED = Path(__file__).resolve().with_name("timed.py")
INPUTS = Path(__file__).resolve().with_name("inputs")
END_OF_LOG = 15  # lines


class Missing(Exception):
    """A program is missing; the text explains its installation."""


@dataclass
class Problem:
    """The common problem: its mesh, and the launch of programs on it."""

    file: Path  # format 2.2, ASCII
    mesh: Mesh
    launcher: Launcher
    timeout: float  # s
    environments: dict = field(default_factory=dict, init=False)  # by number of ranks

    def environment(self, ranks):
        if ranks not in self.environments:
            self.environments[ranks] = {**self.launcher.environment(ranks), **ONE_THREAD}
        return self.environments[ranks]

    def launch(self, folder, *command, ranks=None, environment=None):
        """Runs a program in a folder, on `ranks` or, with None, directly. Raises Failure with the end of its output."""
        words = [str(word) for word in command]
        words = words if ranks is None else self.launcher.command(ranks, *words)
        log, report = folder / "log", folder / "timed.json"
        try:
            run([sys.executable, "-B", "-S", str(TIMED), str(report), str(folder), str(log), *words],
                {**self.environment(ranks or 1), **(environment or {})}, self.timeout)
        except RunFailed as failure:
            said = log.read_text(errors="replace").strip().splitlines() if log.is_file() else []
            late = f"\n{failure}" if "no end after" in str(failure) else ""
            raise Failure(f"exit code {failure.code} of\n  {shlex.join(words)}\n" + "\n".join(said[-END_OF_LOG:])
                          + late) from None
        found = json.loads(report.read_text())
        return Launch(**found, output=log.read_text(errors="replace"))


@dataclass
class Conduction(Problem):
    """Steady conduction: T = 1 on one part of the boundary, 0 on another, no heat through the rest."""

    hot: str
    cold: str
    conductivity: float  # W/(m K)
    tolerance: float


@dataclass
class Launch:
    seconds: float  # from launch to end
    processor_seconds: float  # of all processes
    bytes: int  # of the largest process
    arrivals: list  # seconds from launch to each line of the output
    output: str


@dataclass
class Turn:
    """One run of a program; None for values that it does not report."""

    seconds: float  # from launch to the files written
    bytes: int  # of the largest process
    unknowns: int
    iterations: int
    setup_seconds: float | None  # matrix and preconditioner
    solve_seconds: float | None
    heat_hot: float  # into the body [W]
    heat_cold: float  # into the body [W]
    version: str | None = None  # as reported by the program
    more: dict = field(default_factory=dict)


@dataclass
class Temperatures:
    points: np.ndarray  # nodes, or centres of cells
    values: np.ndarray
    in_cells: bool = False


class Contender:
    """A program in one setting. `run` performs a turn in an empty folder and returns its result."""

    def __init__(self, program, ranks=1):
        self.program, self.ranks = program, ranks

    def run(self, problem, folder):
        raise NotImplementedError

    def temperatures(self, folder):
        """The temperatures of a turn of heat conduction."""
        raise NotImplementedError


@contextmanager
def turn_of(contender, problem):
    """A temporary folder for a turn; failures get the program's name."""
    who = f"{contender.program}, {contender.ranks} rank{'s'[: contender.ranks - 1]}"
    try:
        with tempfile.TemporaryDirectory(prefix="turn-", dir=problem.file.parent) as name:
            yield Path(name)
    except Failure as failure:
        raise Failure(f"{who}: {failure}") from None
    except (OSError, ValueError, KeyError) as error:
        raise Failure(f"{who}: its results cannot be read: {type(error).__name__}: {error}") from None


def entry(summary, *keys):
    """An entry of the summary.json of a run of Solenoid."""
    found = summary
    for key in keys:
        if not isinstance(found, dict) or key not in found:
            raise Failure(f"summary.json of Solenoid has no entry {'.'.join(keys)}; is the program of this version?")
        found = found[key]
    return found


def first_match(pattern, text):
    found = re.search(pattern, text)
    return found[1].strip() if found else None


def value_after(key, text, program):
    """The JSON object on the last line of a program's output that begins with `key`."""
    lines = [line for line in text.splitlines() if line.startswith(key + " ")]
    if not lines:
        raise Failure(f"{program} printed no line that begins with '{key}'; the end of what it printed:\n"
                      + "\n".join(text.strip().splitlines()[-END_OF_LOG:]))
    return json.loads(lines[-1][len(key) :])


def the_file(folder, pattern):
    """The only file that matches the pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"expected one file {pattern} among the results, found {len(found)}")
    return found[0]
