"""Solenoid's exact fractional step in the driven cavity."""

import json

from common.failure import Failure
from common.tables import read_table
from comparing.running import Contender, entry
from comparing.steps import Steps, differences, mean_of

CASE = """\
title = "Comparison"
[mesh]
file = {file}
[flow]
viscosity = {problem.viscosity!r}
[time]
end = {problem.end!r}
step = {problem.step!r}
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
[solver.potential]
tolerance = {tolerance!r}
[output]
fields = []
every_steps = {count}
"""


class ExactStep(Contender):
    def __init__(self, program, tolerance, ranks):
        super().__init__(f"Solenoid, {tolerance:g}", ranks)
        self.path, self.tolerance = program, tolerance

    def run(self, problem, folder):
        count, results = problem.warm_up + problem.steps, folder / "results"
        (folder / "case.toml").write_text(CASE.format(
            file=json.dumps(str(problem.file)), problem=problem, tolerance=self.tolerance, count=count))
        done = problem.launch(folder, self.path, "run", "case.toml", "--output", results, ranks=self.ranks)
        history = {name: column.values for name, column in read_table(results / "history.csv").items()}
        summary = json.loads((results / "summary.json").read_text())
        if len(history["step"]) != count:
            raise Failure(f"it took {len(history['step'])} steps instead of {count}")
        systems = ("potential", "vorticity")
        parts = {name: entry(summary, "solvers", name, "seconds") / count for name in systems}
        parts["rest"] = entry(summary, "run", "wall_seconds_per_step") - sum(parts.values())
        return Steps(differences([0, *history["wall_seconds"]])[problem.warm_up :], done.seconds,
                     done.processor_seconds / self.ranks / done.seconds, done.bytes, history["cfl"][-1],
                     {name: mean_of(history[f"iterations_{name}"], problem) for name in systems},
                     history["max_divergence"][-1], parts=parts)


def contenders(program, tolerances, ranks):
    return [ExactStep(program, tolerance, n) for n in ranks for tolerance in tolerances]
