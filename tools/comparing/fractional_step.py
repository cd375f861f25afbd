"""Solenoid's fractional steps."""

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
method = "{method}"
viscosity = {problem.flow.viscosity!r}
[time]
end = {problem.end!r}
step = {problem.step!r}
{boundary}{solvers}[output]
fields = []
every_steps = {count}
"""
SYSTEMS = {"exact": ("potential",), "classical": ("momentum", "pressure")}  # systems with the tolerance


class FractionalStep(Contender):
    def __init__(self, program, method, tolerance, ranks):
        super().__init__(f"Solenoid, {method}, {tolerance:g}", ranks)
        self.path, self.method, self.tolerance = program, method, tolerance

    def run(self, problem, folder):
        count, results = problem.warm_up + problem.steps, folder / "results"
        solvers = "".join(f"[solver.{name}]\ntolerance = {self.tolerance!r}\n"
                          for name in (*SYSTEMS[self.method], *(["heat"] if problem.flow.hot else [])))
        (folder / "case.toml").write_text(CASE.format(
            file=json.dumps(str(problem.file)), problem=problem, method=self.method, solvers=solvers, count=count,
            boundary=problem.flow.boundary(count)))
        done = problem.launch(folder, self.path, "run", "case.toml", "--output", results, ranks=self.ranks)
        history = {name: column.values for name, column in read_table(results / "history.csv").items()}
        summary = json.loads((results / "summary.json").read_text())
        if len(history["step"]) != count:
            raise Failure(f"it took {len(history['step'])} steps instead of {count}")
        systems = [name.removeprefix("iterations_") for name in history if name.startswith("iterations_")]
        parts = {}
        if not problem.flow.body:  # otherwise they would include the start of an open flow before the first step
            parts = {name: entry(summary, "solvers", name, "seconds") / count for name in systems}
            parts["rest"] = entry(summary, "run", "wall_seconds_per_step") - sum(parts.values())
        return Steps(differences([0, *history["wall_seconds"]])[problem.warm_up :], done.seconds,
                     done.processor_seconds / self.ranks / done.seconds, done.bytes, history["cfl"][-1],
                     {name: mean_of(history[f"iterations_{name}"], problem) for name in systems},
                     history["max_divergence"][-1], parts=parts,
                     drag=entry(summary, "forces", problem.flow.body, "cd") if problem.flow.body else None,
                     nusselt=entry(summary, "nusselt", problem.flow.hot) if problem.flow.hot else None)


def contenders(program, methods, tolerances, ranks):
    return [FractionalStep(program, method, tolerance, n)
            for n in ranks for method in methods for tolerance in tolerances]
