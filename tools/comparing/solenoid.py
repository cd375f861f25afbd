"""Solenoid's steady heat conduction: P1, its own conjugate gradients with Jacobi's preconditioner."""

import json

from comparing import fields
from comparing.running import Contender, Turn, entry, the_file

HELD = '[boundary."{name}"]\ntype = "temperature"\nvalue = {value}\n'
INSULATED = '[boundary."{name}"]\ntype = "insulated"\n'


def case_file(problem):
    parts = [HELD.format(name=problem.hot, value="1.0"), HELD.format(name=problem.cold, value="0.0")]
    parts += [INSULATED.format(name=name) for name in problem.mesh.patches if name not in (problem.hot, problem.cold)]
    return (f'title = "Comparison"\n[mesh]\nfile = {json.dumps(str(problem.file))}\n'
            f"[heat]\nconductivity = {problem.conductivity!r}\n{''.join(parts)}"
            f'[solver.heat]\npreconditioner = "jacobi"\ntolerance = {problem.tolerance!r}\n'
            '[output]\nfields = ["temperature"]\n')


class Solenoid(Contender):
    def __init__(self, program, ranks):
        super().__init__("Solenoid, CG, Jacobi", ranks)
        self.path = program

    def run(self, problem, folder):
        (folder / "case.toml").write_text(case_file(problem))
        done = problem.launch(folder, self.path, "run", "case.toml", "--output", folder / "results", ranks=self.ranks)
        summary = json.loads((folder / "results" / "summary.json").read_text())
        solver, phases = entry(summary, "solvers", "heat"), entry(summary, "phases")
        setup = entry(phases, "set up") + entry(solver, "setup_seconds")  # metrics and matrix; the solver's set-up
        return Turn(done.seconds, done.bytes, len(problem.mesh.points), entry(solver, "iterations_total"), setup,
                    entry(solver, "seconds"), entry(summary, "heat", problem.hot),
                    entry(summary, "heat", problem.cold), None, {"phases": phases, "solver": solver})

    def temperatures(self, folder):
        return fields.read_nodes(the_file(folder, "results/fields_*.pvtu"), "temperature")


def contenders(program, ranks):
    return [Solenoid(program, n) for n in ranks]
