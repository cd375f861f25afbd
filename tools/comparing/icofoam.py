"""OpenFOAM's icoFoam: cell-centred finite volumes, PISO, on tetrahedra or one layer of prisms."""

import re

from common.failure import Failure
from comparing import meshes, openfoam
from comparing.running import Contender
from comparing.steps import Steps, differences, mean_of

MAKES_MESH = ("gmshToFoam", "renumberMesh", "decomposePar")
PROGRAM = "icoFoam"
DEPTH = 1.0  # m, so that fluxes are those per metre of depth
GAMG = "agglomerator faceAreaPair; nCellsInCoarsestLevel 100; mergeLevels 1; smoother"
IN_PCG = "solver PCG; preconditioner {{ preconditioner GAMG; tolerance 1e-6; relTol 0; {} {}; }}"
PRESSURE_SOLVERS = {
    "gamg-pcg": IN_PCG.format(GAMG, "symGaussSeidel"),
    "gamg-gs-pcg": IN_PCG.format(GAMG, "GaussSeidel"),
    "gamg": f"solver GAMG; {GAMG} GaussSeidel;",
    "dic-pcg": "solver PCG; preconditioner DIC;",
}


def write_case(folder, problem, **words):
    others = {"CORRECTORS": 0, "PRESSURE_SOLVER": "", "RANKS": 1}  # what only some of the programs ask for
    openfoam.write_case("icofoam", folder, VISCOSITY=problem.flow.viscosity, STEP=problem.step, END=problem.end,
                        **{**others, **words})
    openfoam.write_case(problem.flow.inputs, folder, **problem.flow.words)


class FoamMesh:
    """The mesh as OpenFOAM has it, of triangles one layer of prisms: renumbered, and taken apart for each number of
    ranks."""

    def __init__(self, problem, ranks):
        self.folder = problem.file.parent / "foam"
        self.folder.mkdir()
        write_case(self.folder, problem)
        if problem.flow.dimension == 2:
            meshes.write_layer(problem.mesh, DEPTH, self.folder / "layer.msh")
            openfoam.launch(problem, self.folder, MAKES_MESH[0], "layer.msh")
            self.make_front_and_back_empty()
        else:
            openfoam.launch(problem, self.folder, MAKES_MESH[0], problem.file)
        openfoam.launch(problem, self.folder, MAKES_MESH[1], "-overwrite")
        for count in (n for n in ranks if n > 1):
            write_case(self.folder, problem, RANKS=count)
            openfoam.launch(problem, self.folder, MAKES_MESH[2])
            self.folder_of(count).mkdir()
            for part in self.folder.glob("processor*"):
                part.rename(self.folder_of(count) / part.name)

    def make_front_and_back_empty(self):
        """gmshToFoam gathers them, which are in no group, in the patch `defaultFaces`."""
        file = self.folder / "constant" / "polyMesh" / "boundary"
        text, count = re.subn(r"(defaultFaces\s*\{\s*type\s+)\w+", r"\1empty", file.read_text())
        if count != 1:
            raise Failure("gmshToFoam left no patch 'defaultFaces' for the front and the back of the layer")
        file.write_text(text)

    def folder_of(self, ranks):
        return self.folder / f"on-{ranks}"

    def link(self, ranks, folder):
        """Puts the mesh into the folder of a run."""
        (folder / "constant" / "polyMesh").symlink_to(self.folder / "constant" / "polyMesh")
        if ranks > 1:
            for part in self.folder_of(ranks).iterdir():
                (folder / part.name).symlink_to(part)


class IcoFoam(Contender):
    def __init__(self, solver, correctors, ranks, mesh):
        super().__init__(f"icoFoam, {solver}", ranks)
        self.solver, self.correctors, self.mesh = solver, correctors, mesh

    def run(self, problem, folder):
        write_case(folder, problem, CORRECTORS=self.correctors, PRESSURE_SOLVER=PRESSURE_SOLVERS[self.solver])
        self.mesh.link(self.ranks, folder)
        parallel = self.ranks > 1
        done = openfoam.launch(problem, folder, PROGRAM, *(["-parallel"] if parallel else []),
                               ranks=self.ranks if parallel else None)
        return steps_of(done, problem, self.ranks, drag_in(folder) if problem.flow.body else None)


def drag_in(folder):
    """The coefficient at the end of a run."""
    (file,) = (folder / "postProcessing").glob("*/*/coefficient.dat")
    lines = file.read_text().splitlines()
    head = next(line for line in lines if line.startswith("# Time")).lstrip("# ").split()
    return float(lines[-1].split()[head.index("Cd")])


def steps_of(done, problem, ranks, drag):
    """From what icoFoam printed, and when."""
    lines = done.output.split("\n")
    ends = [place for place, line in enumerate(lines) if line.startswith("ExecutionTime")]
    count = problem.warm_up + problem.steps
    if len(ends) != count:
        raise Failure(f"icoFoam printed {len(ends)} times 'ExecutionTime' instead of {count}")
    texts = ["\n".join(lines[begin:end]) for begin, end in zip([0, *ends], ends)]

    def iterations(system):
        return mean_of([sum(map(int, re.findall(rf"Solving for {system},.*No Iterations (\d+)", text)))
                        for text in texts], problem)

    def last(pattern):
        found = re.findall(pattern, texts[-1])
        if not found:
            raise Failure(f"icoFoam printed no '{pattern}' in its last step")
        return float(found[-1])

    times = [0, *(done.arrivals[end] for end in ends)]
    return Steps(differences(times)[problem.warm_up :], done.seconds, done.processor_seconds / ranks / done.seconds,
                 done.bytes, last(r"Courant Number mean: \S+ max: (\S+)"),
                 {"U": iterations("U[xyz]"), "p": iterations("p")},
                 last(r"continuity errors : sum local = ([^,]+),"), drag, openfoam.version_in(done.output))


def contenders(problem, solvers, correctors, ranks):
    openfoam.need((*MAKES_MESH, PROGRAM))
    mesh = FoamMesh(problem, ranks)
    return [IcoFoam(solver, correctors, n, mesh) for n in ranks for solver in solvers]
