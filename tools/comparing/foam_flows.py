"""OpenFOAM's icoFoam, and buoyantBoussinesqPimpleFoam for buoyant flow: cell-centred finite volumes, PISO, on
tetrahedra or one layer of prisms."""

import re

from common.failure import Failure
from comparing import meshes, openfoam
from comparing.running import Contender
from comparing.steps import Steps, differences, mean_of

MAKES_MESH = ("gmshToFoam", "renumberMesh", "decomposePar")
SYSTEMS = {  # solved systems by program, with their names in its output
    "icoFoam": {"U": "U[xyz]", "p": "p"},
    "buoyantBoussinesqPimpleFoam": {"U": "U[xyz]", "p": "p_rgh", "T": "T"},
}
DEPTH = 1.0  # m: fluxes are per metre of depth
GAMG = "agglomerator faceAreaPair; nCellsInCoarsestLevel 100; mergeLevels 1; smoother"
IN_PCG = "solver PCG; preconditioner {{ preconditioner GAMG; tolerance 1e-6; relTol 0; {} {}; }}"
PRESSURE_SOLVERS = {
    "gamg-pcg": IN_PCG.format(GAMG, "symGaussSeidel"),
    "gamg-gs-pcg": IN_PCG.format(GAMG, "GaussSeidel"),
    "gamg": f"solver GAMG; {GAMG} GaussSeidel;",
    "dic-pcg": "solver PCG; preconditioner DIC;",
}


def write_case(folder, problem, **words):
    # Words that only some of the programs need.
    variant = next(iter(problem.flow.variants.values()))
    others = {"CORRECTORS": 0, "PRESSURE_SOLVER": "", "RANKS": 1, **variant}
    for inputs in problem.flow.inputs:
        openfoam.write_case(inputs, folder, VISCOSITY=problem.flow.viscosity, STEP=problem.step, END=problem.end,
                            **{**others, **words}, **problem.flow.words)


class FoamMesh:
    """The mesh in OpenFOAM's format (for triangles, one layer of prisms), renumbered, and decomposed for each number of
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
        """gmshToFoam collects these faces, which are in no group, in the patch `defaultFaces`."""
        file = self.folder / "constant" / "polyMesh" / "boundary"
        text, count = re.subn(r"(defaultFaces\s*\{\s*type\s+)\w+", r"\1empty", file.read_text())
        if count != 1:
            raise Failure("gmshToFoam left no patch 'defaultFaces' for the front and the back of the layer")
        file.write_text(text)

    def folder_of(self, ranks):
        return self.folder / f"on-{ranks}"

    def link(self, ranks, folder):
        """Links the mesh into the folder of a run."""
        (folder / "constant" / "polyMesh").symlink_to(self.folder / "constant" / "polyMesh")
        if ranks > 1:
            for part in self.folder_of(ranks).iterdir():
                (folder / part.name).symlink_to(part)


class FoamFlow(Contender):
    def __init__(self, program, variant, words, solver, correctors, ranks, mesh):
        super().__init__(", ".join(filter(None, (program, variant, solver))), ranks)
        self.path, self.words = program, words
        self.solver, self.correctors, self.mesh = solver, correctors, mesh

    def run(self, problem, folder):
        write_case(folder, problem, CORRECTORS=self.correctors, PRESSURE_SOLVER=PRESSURE_SOLVERS[self.solver],
                   **self.words)
        self.mesh.link(self.ranks, folder)
        parallel = self.ranks > 1
        done = openfoam.launch(problem, folder, self.path, *(["-parallel"] if parallel else []),
                               ranks=self.ranks if parallel else None)
        drag = last_in(folder, "coefficient.dat", "Cd") if problem.flow.body else None
        nusselt = -last_in(folder, "surfaceFieldValue.dat", "areaAverage(slope)") if problem.flow.hot else None
        return steps_of(self.path, done, problem, self.ranks, drag, nusselt)


def last_in(folder, name, column):
    """The final value of a column; for a vector, its x-component."""
    (file,) = (folder / "postProcessing").glob(f"*/*/{name}")
    lines = file.read_text().splitlines()
    head = next(line for line in lines if line.startswith("# Time")).lstrip("# ").split()
    return float(lines[-1].split()[head.index(column)].lstrip("("))


def steps_of(program, done, problem, ranks, drag, nusselt):
    """Steps from a program's output and its times."""
    lines = done.output.split("\n")
    ends = [place for place, line in enumerate(lines) if line.startswith("ExecutionTime")]
    count = problem.warm_up + problem.steps
    if len(ends) != count:
        raise Failure(f"{program} printed {len(ends)} times 'ExecutionTime' instead of {count}")
    texts = ["\n".join(lines[begin:end]) for begin, end in zip([0, *ends], ends)]

    def iterations(system):
        return mean_of([sum(map(int, re.findall(rf"Solving for {system},.*No Iterations (\d+)", text)))
                        for text in texts], problem)

    def last(pattern):
        found = re.findall(pattern, texts[-1])
        if not found:
            raise Failure(f"{program} printed no '{pattern}' in its last step")
        return float(found[-1])

    times = [0, *(done.arrivals[end] for end in ends)]
    return Steps(differences(times)[problem.warm_up :], done.seconds, done.processor_seconds / ranks / done.seconds,
                 done.bytes, last(r"Courant Number mean: \S+ max: (\S+)"),
                 {name: iterations(system) for name, system in SYSTEMS[program].items()},
                 last(r"continuity errors : sum local = ([^,]+),"), drag, nusselt, openfoam.version_in(done.output))


def contenders(problem, solvers, correctors, ranks):
    program = problem.flow.peer
    openfoam.need((*MAKES_MESH, program))
    mesh = FoamMesh(problem, ranks)
    return [FoamFlow(program, variant, words, solver, correctors, n, mesh)
            for n in ranks for variant, words in problem.flow.variants.items() for solver in solvers]
