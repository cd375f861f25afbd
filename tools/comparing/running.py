"""What the programs of a comparison have in common: the problem, how they are run, and what comes out of a turn."""

import json
import re
import shlex
import sys
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
    """A program is not there; the text says how it is installed."""


@dataclass
class Problem:
    """Steady conduction: T = 1 on one part of the boundary, 0 on another, no heat through the rest."""

    file: Path  # of format 2.2, ASCII
    mesh: Mesh
    hot: str
    cold: str
    conductivity: float  # W/(m K)
    tolerance: float
    launcher: Launcher
    timeout: float  # s
    environments: dict = field(default_factory=dict)  # by number of ranks

    def environment(self, ranks):
        if ranks not in self.environments:
            self.environments[ranks] = {**self.launcher.environment(ranks), **ONE_THREAD}
        return self.environments[ranks]

    def launch(self, folder, *command, ranks=None, environment=None):
        """Runs a program in a folder, on ranks or, without, by itself. Failure with the end of what it said."""
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
        return Launch(found["seconds"], found["bytes"], log.read_text(errors="replace"))


@dataclass
class Launch:
    seconds: float  # from launch to end
    bytes: int  # of the largest process
    output: str


@dataclass
class Turn:
    """One run of a program. What a program does not tell is None."""

    seconds: float  # from launch to the files written
    bytes: int  # of the largest process
    unknowns: int
    iterations: int
    setup_seconds: float | None  # matrix and preconditioner
    solve_seconds: float | None
    heat_hot: float  # into the body [W]
    heat_cold: float  # into the body [W]
    version: str | None = None  # what the program says it is
    more: dict = field(default_factory=dict)


@dataclass
class Temperatures:
    points: np.ndarray  # nodes, or centres of cells
    values: np.ndarray
    in_cells: bool = False


class Contender:
    """A program in one setting. `run` makes a turn in an empty folder, `temperatures` reads what that turn left."""

    def __init__(self, program, ranks=1):
        self.program, self.ranks = program, ranks

    def run(self, problem, folder):
        raise NotImplementedError

    def temperatures(self, folder):
        raise NotImplementedError


def first_match(pattern, text):
    found = re.search(pattern, text)
    return found[1].strip() if found else None


def value_after(key, text, program):
    """The JSON object on the line of a program's output that begins with a word."""
    lines = [line for line in text.splitlines() if line.startswith(key + " ")]
    if not lines:
        raise Failure(f"{program} printed no line that begins with '{key}'; the end of what it printed:\n"
                      + "\n".join(text.strip().splitlines()[-END_OF_LOG:]))
    return json.loads(lines[-1][len(key) :])


def the_file(folder, pattern):
    """The only file of that pattern."""
    found = sorted(folder.glob(pattern))
    if len(found) != 1:
        raise Failure(f"expected one file {pattern} among the results, found {len(found)}")
    return found[0]
