"""OpenFOAM's laplacianFoam: cell-centred finite volumes, PCG with DIC, on one rank."""

import re

from common.failure import Failure
from comparing import fields, openfoam
from comparing.running import Contender, Turn

PROGRAMS = ("gmshToFoam", "renumberMesh", "laplacianFoam")
SOLVE = "fvMatrix::solve.T"


def seconds_of(profile, description):
    """The time of all calls of a name in OpenFOAM's profiling."""
    found = re.findall(rf'description\s+"{re.escape(description)}";\s+calls\s+\d+;\s+totalTime\s+([\d.e+-]+);', profile)
    return sum(map(float, found)) if found else None


def flow_through(patch, output):
    """The integral of the outward normal gradient over a patch, from OpenFOAM's last output."""
    found = re.findall(rf"areaNormalIntegrate\({re.escape(patch)}\) of gradT = (\S+)", output)
    if not found:
        raise Failure(f"laplacianFoam printed no integral over the patch '{patch}'")
    return float(found[-1])


class LaplacianFoam(Contender):
    def __init__(self, correctors):
        super().__init__(f"OpenFOAM, {correctors} correctors")
        self.correctors = correctors

    def run(self, problem, folder):
        openfoam.write_case("laplacianfoam", folder, HOT=problem.hot, COLD=problem.cold,
                            CONDUCTIVITY=problem.conductivity, TOLERANCE=problem.tolerance, CORRECTORS=self.correctors)
        steps = [openfoam.launch(problem, folder, PROGRAMS[0], problem.file),
                 openfoam.launch(problem, folder, PROGRAMS[1], "-overwrite"),
                 openfoam.launch(problem, folder, PROGRAMS[2])]
        output = steps[-1].output
        solves = re.findall(r"Solving for T,.*No Iterations (\d+)", output)
        if not solves:
            raise Failure("laplacianFoam printed no 'Solving for T'")
        profile = folder / "1" / "uniform" / "profiling"
        return Turn(sum(step.seconds for step in steps), max(step.bytes for step in steps),
                    len(problem.mesh.cells), sum(map(int, solves)), None,
                    seconds_of(profile.read_text(), SOLVE) if profile.is_file() else None,
                    problem.conductivity * flow_through(problem.hot, output),
                    problem.conductivity * flow_through(problem.cold, output),
                    openfoam.version_in(output),
                    {"solves": len(solves), **{f"{name}_seconds": step.seconds for name, step in zip(PROGRAMS, steps)}})

    def temperatures(self, folder):
        return fields.read_openfoam_cells(folder, 1, "T")


def contenders(correctors):
    openfoam.need(PROGRAMS)
    return [LaplacianFoam(count) for count in correctors]
