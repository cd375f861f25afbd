"""The compared time steps, and the results of a run."""

import dataclasses
import math
from dataclasses import dataclass, field
from statistics import fmean, median

from comparing.running import Problem, turn_of


@dataclass
class FlowProblem(Problem):
    """One of flows.FLOWS, from rest."""

    flow: object
    warm_up: int  # steps before the counted ones
    steps: int  # counted
    step: float = math.nan  # s

    @property
    def end(self):
        return self.step * (self.warm_up + self.steps)


@dataclass
class Steps:
    """One run. Means are over the counted steps."""

    step_seconds: list  # of each counted step
    seconds: float  # from launch to end
    busy: float  # processor time per rank over that; the rest went to other work or to waiting
    bytes: int  # of the largest process
    cfl: float  # largest cell value in the last step
    iterations: dict  # mean per step, by system
    divergence: float  # at the end, in the program's own measure
    drag: float | None = None  # coefficient at the end, of a flow around a body
    nusselt: float | None = None  # at the end, of a flow that carries heat from a hot side
    version: str | None = None  # as reported by the program
    parts: dict = field(default_factory=dict)  # seconds per step, by kind of work; the mean includes the warm-up


def differences(times):
    return [late - early for early, late in zip(times, times[1:])]


def mean_of(values, problem):
    """The mean of per-step values over the counted steps."""
    return fmean(values[problem.warm_up :])


def row_of(contender, turns):
    """The row of a program in the table and the files."""
    medians = [median(turn.step_seconds) for turn in turns]
    last = turns[-1]
    return {"program": contender.program, "ranks": contender.ranks, "step_seconds": median(medians),
            "fastest_step_seconds": min(min(turn.step_seconds) for turn in turns),
            "busy": median(turn.busy for turn in turns), "bytes": median(turn.bytes for turn in turns),
            "cfl": last.cfl, "iterations": last.iterations, "divergence": last.divergence, "drag": last.drag,
            "nusselt": last.nusselt,
            "version": last.version,
            "parts": {name: median(turn.parts[name] for turn in turns) for name in last.parts},
            "step_seconds_of_turns": medians, "turns": [dataclasses.asdict(turn) for turn in turns]}


def take_turn(contender, problem):
    with turn_of(contender, problem) as folder:
        return contender.run(problem, folder)


def with_courant_number(cfl, problem, contender):
    """The problem with a step size that ends at about this Courant number, scaled from the Courant number of a run with
    shorter steps. In buoyant flow the speed comes later: its expected final value sets the step size."""
    flow = problem.flow
    guess = cfl / 2 * flow.size(len(problem.mesh.cells)) / flow.refinement / flow.speed
    if flow.hot:
        return dataclasses.replace(problem, step=guess)
    found = take_turn(contender, dataclasses.replace(problem, step=guess)).cfl
    return dataclasses.replace(problem, step=guess * cfl / found)


def compare(ours, peers, problem, repeats):
    """A row per contender, run in turns. `times_faster`: relative to the fastest peer on as many ranks, None without
    one."""
    contenders = ours + peers
    turns = [[] for _ in contenders]
    for _ in range(repeats):
        for contender, mine in zip(contenders, turns):
            mine.append(take_turn(contender, problem))
    rows = [row_of(*pair) for pair in zip(contenders, turns)]
    for row in rows:
        beside = [peer["step_seconds"] for peer in rows[len(ours) :] if peer["ranks"] == row["ranks"]]
        row["times_faster"] = min(beside) / row["step_seconds"] if beside else None
    return rows
