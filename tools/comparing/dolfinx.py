"""dolfinx with PETSc's conjugate gradients."""

import json
import os
import subprocess
import sys

from comparing import fields
from comparing.running import INPUTS, Contender, Missing, Turn, the_file

SYSTEM_PYTHON = "/usr/bin/python3"  # the target of apt's packages
PRECONDITIONERS = {"jacobi": "Jacobi", "gamg": "GAMG"}


def find_python():
    for python in dict.fromkeys((sys.executable, SYSTEM_PYTHON)):
        if os.access(python, os.X_OK):
            probe = "from importlib.util import find_spec; exit(not (find_spec('dolfinx') and find_spec('petsc4py')))"
            if subprocess.run([python, "-c", probe], capture_output=True).returncode == 0:
                return python
    raise Missing("dolfinx was not found (Debian, Ubuntu: apt-get install python3-dolfinx)")


class Dolfinx(Contender):
    def __init__(self, python, preconditioner, ranks, cache):
        super().__init__(f"dolfinx, CG, {PRECONDITIONERS[preconditioner]}", ranks)
        self.python, self.preconditioner, self.cache = python, preconditioner, cache

    def run(self, problem, folder):
        numbers = problem.mesh.numbers
        done = problem.launch(folder, self.python, "-B", INPUTS / "heat_dolfinx.py", problem.file, folder,
                              problem.conductivity, problem.tolerance, self.preconditioner, numbers[problem.hot],
                              numbers[problem.cold], ranks=self.ranks, environment={"XDG_CACHE_HOME": str(self.cache)})
        found = json.loads((folder / "result.json").read_text())
        return Turn(done.seconds, done.bytes, found["unknowns"], found["iterations"],
                    found["setup_seconds"] + found["preconditioner_seconds"], found["solve_seconds"], found["hot"],
                    found["cold"], found["library"], found)

    def temperatures(self, folder):
        return fields.read_nodes(the_file(folder, "temperature*.pvtu"), "temperature")


def contenders(ranks, cache):
    """`cache`: a folder for the code compiled by dolfinx, which is the same in every turn."""
    python = find_python()
    return [Dolfinx(python, preconditioner, n, cache) for preconditioner in PRECONDITIONERS for n in ranks]
