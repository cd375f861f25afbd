"""OpenFOAM's laplacianFoam: cell-centred finite volumes, PCG with DIC, on one rank."""

import os
import re
import shutil
from pathlib import Path

from common.failure import Failure
from comparing import fields
from comparing.running import INPUTS, Contender, Missing, Turn, first_match

PROGRAMS = ("gmshToFoam", "renumberMesh", "laplacianFoam")
DEBIAN_PROJECT = Path("/usr/share/openfoam")  # what its environment file would set; needs no sourcing
FILES = ("system/controlDict", "system/fvSchemes", "system/fvSolution", "constant/transportProperties", "0/T")
SOLVE = "fvMatrix::solve.T"


def environment():
    ours = "WM_PROJECT_DIR" not in os.environ and (DEBIAN_PROJECT / "etc/controlDict").is_file()
    return {"WM_PROJECT_DIR": str(DEBIAN_PROJECT)} if ours else {}


def seconds_of(profile, description):
    """The time that OpenFOAM's profiling gives for all calls of a name."""
    found = re.findall(rf'description\s+"{re.escape(description)}";\s+calls\s+\d+;\s+totalTime\s+([\d.e+-]+);', profile)
    return sum(map(float, found)) if found else None


def flow_through(patch, output):
    """The integral of the normal gradient over a patch, outwards, from what OpenFOAM printed last."""
    found = re.findall(rf"areaNormalIntegrate\({re.escape(patch)}\) of gradT = (\S+)", output)
    if not found:
        raise Failure(f"laplacianFoam printed no integral over the patch '{patch}'")
    return float(found[-1])


class OpenFoam(Contender):
    def __init__(self, correctors):
        super().__init__(f"OpenFOAM, {correctors} correctors")
        self.correctors = correctors

    def run(self, problem, folder):
        words = {"HOT": problem.hot, "COLD": problem.cold, "CONDUCTIVITY": repr(problem.conductivity),
                 "TOLERANCE": repr(problem.tolerance), "CORRECTORS": str(self.correctors)}
        for name in FILES:
            text = (INPUTS / "openfoam" / name).read_text()
            for word, value in words.items():
                text = text.replace(f"@{word}@", value)
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text)
        steps = [problem.launch(folder, PROGRAMS[0], problem.file, environment=environment()),
                 problem.launch(folder, PROGRAMS[1], "-overwrite", environment=environment()),
                 problem.launch(folder, PROGRAMS[2], environment=environment())]
        output = steps[-1].output
        solves = re.findall(r"Solving for T,.*No Iterations (\d+)", output)
        if not solves:
            raise Failure("laplacianFoam printed no 'Solving for T'")
        profile = folder / "1" / "uniform" / "profiling"
        return Turn(sum(step.seconds for step in steps), max(step.bytes for step in steps),
                    len(problem.mesh.tetrahedra), sum(map(int, solves)), None,
                    seconds_of(profile.read_text(), SOLVE) if profile.is_file() else None,
                    problem.conductivity * flow_through(problem.hot, output),
                    problem.conductivity * flow_through(problem.cold, output),
                    first_match(r"Build\s*: (.+)", output),
                    {"solves": len(solves), **{f"{name}_seconds": step.seconds for name, step in zip(PROGRAMS, steps)}})

    def temperatures(self, folder):
        return fields.read_openfoam_cells(folder, 1, "T")


def contenders(correctors):
    missing = [program for program in PROGRAMS if not shutil.which(program)]
    if missing:
        raise Missing(f"OpenFOAM's '{missing[0]}' was not found (Debian, Ubuntu: apt-get install openfoam; others: "
                      "source OpenFOAM's etc/bashrc)")
    return [OpenFoam(count) for count in correctors]
