"""FreeFEM with its own conjugate gradients, on one rank."""

import os
import shutil
from pathlib import Path

from common.failure import Failure
from comparing import fields
from comparing.running import INPUTS, Contender, Missing, Turn, first_match, value_after

PROGRAM = "FreeFem++-nw"
DEBIAN_PLUGINS = Path("/usr/lib/freefem++")  # not on the path of Debian's FreeFem++


def environment():
    ours = "FF_LOADPATH" not in os.environ and DEBIAN_PLUGINS.is_dir()
    return {"FF_LOADPATH": str(DEBIAN_PLUGINS)} if ours else {}


class FreeFem(Contender):
    def __init__(self, program):
        super().__init__("FreeFEM, CG, Jacobi")
        self.path = program

    def run(self, problem, folder):
        numbers = problem.mesh.numbers
        done = problem.launch(folder, self.path, "-v", 1, INPUTS / "heat.edp", problem.file, folder / "heat.vtu",
                              problem.conductivity, problem.tolerance, numbers[problem.hot], numbers[problem.cold],
                              environment=environment())
        found = value_after("RESULT", done.output, "FreeFEM")
        iterations = first_match(r"GC:\s+converge in\s+(\d+)", done.output)
        if not iterations:
            raise Failure("FreeFEM did not say in how many iterations its CG converged")
        return Turn(done.seconds, done.bytes, found["unknowns"], int(iterations), found["setup_seconds"],
                    found["solve_seconds"], found["hot"], found["cold"],
                    first_match(r"(FreeFem\+\+ v\S+)", done.output), found)

    def temperatures(self, folder):
        return fields.read_nodes(folder / "heat.vtu", "temperature")


def contenders():
    program = shutil.which(PROGRAM)
    if not program:
        raise Missing(f"FreeFEM's '{PROGRAM}' was not found (Debian, Ubuntu: apt-get install freefem++ libfreefem++)")
    return [FreeFem(program)]
