"""The compared flows, from rest: the mesh, and the boundary in Solenoid's case. OpenFOAM's files are in inputs."""

from comparing.programs import ROOT


class Cavity:
    """A unit square whose lid begins to move at 1 m/s."""

    name = "cavity"
    dimension = 2
    cells = [40_000, 160_000, 640_000]  # default numbers of cells
    peer, inputs = "icoFoam", ("icofoam", "icofoam-cavity")
    words = {}  # replacements in OpenFOAM's files
    variants = {"": {}}  # of these words, by name
    pressure = ["gamg-pcg", "gamg-gs-pcg"]  # OpenFOAM's default solvers
    file = ROOT / "meshes" / "cavity.geo"
    body = None  # patch with a drag
    hot = None  # side with a Nusselt number
    refinement = 1  # mesh size over the smallest edges
    BOUNDARY = """\
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
"""

    def __init__(self, numbers):
        self.viscosity, self.speed = 1 / numbers.reynolds, 1.0

    @staticmethod
    def size(cells):
        """Edge length of the mesh [m], for equilateral triangles."""
        return (4 / 3**0.5 / cells) ** 0.5

    def boundary(self, steps):
        """The boundary tables of a run of `steps` steps."""
        return self.BOUNDARY


class Cube(Cavity):
    """A unit cube whose lid begins to move at 1 m/s."""

    name = "cube"
    dimension = 3
    cells = [99_000, 497_000]
    file = ROOT / "meshes" / "cube.geo"
    refinement = 3  # for the smallest heights of tetrahedra

    @staticmethod
    def size(cells):
        return 0.054 * (31_700 / cells) ** (1 / 3)


class HeatedCavity(Cavity):
    """A unit square of air between a hot side and a cold one (de Vahl Davis 1983), in units of its diffusivity."""

    name = "heated-cavity"
    cells = [3_000]  # on most other triangle meshes buoyantBoussinesqPimpleFoam diverges
    file = ROOT / "meshes" / "heated-square.geo"
    peer, inputs = "buoyantBoussinesqPimpleFoam", ("boussinesqfoam",)
    # Second order in time needs two outer iterations per step: with one, backward and CrankNicolson diverge.
    variants = {"Euler": {"SCHEME": "Euler", "OUTER": 1}, "backward": {"SCHEME": "backward", "OUTER": 2}}
    pressure = ["gamg-pcg"]  # with the other one the first steps diverge
    hot, refinement = "hot", 3
    PRANDTL = 0.71
    BOUNDARY = """\
[boundary.hot]
type = "wall"
temperature = 1
[boundary.cold]
type = "wall"
temperature = 0
[boundary.insulated]
type = "wall"
[temperature]
diffusivity = 1
expansion = 1
reference = 0.5
gravity = [0, -{gravity!r}, 0]
nusselt_length = 1
nusselt_difference = 1
"""

    def __init__(self, numbers):
        self.viscosity, self.gravity = self.PRANDTL, self.PRANDTL * numbers.rayleigh
        self.speed = 0.22 * numbers.rayleigh**0.5  # final largest speed
        self.words = {"GRAVITY": self.gravity}

    @staticmethod
    def size(cells):
        return 0.025 * (6_400 / cells) ** 0.5

    def boundary(self, steps):
        return self.BOUNDARY.format(gravity=self.gravity)


class Cylinder:
    """A cylinder in a channel with impulsive inflow (Schaefer & Turek 1996: 2D-1 at Re = 20, 2D-2 at 100, by the mean
    speed and the diameter)."""

    name = "cylinder"
    dimension = 2
    cells = Cavity.cells
    peer, inputs = "icoFoam", ("icofoam", "icofoam-cylinder")
    variants, pressure, hot = {"": {}}, Cavity.pressure, None
    file = ROOT / "meshes" / "cylinder.geo"
    body, refinement = "cylinder", 7
    BOUNDARY = """\
[boundary.inlet]
type = "inlet"
velocity = ["4*{top!r}*y*(0.41 - y)/0.41^2", 0, 0]
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "wall"
[boundary.cylinder]
type = "wall"
[[force]]
name = "cylinder"
patches = ["cylinder"]
reference_velocity = {mean!r}
reference_area = {diameter!r}
every_steps = {steps}
"""

    viscosity, diameter = 1e-3, 0.1  # m^2/s, m

    def __init__(self, numbers):
        self.mean = numbers.reynolds * self.viscosity / self.diameter
        self.speed = 1.5 * self.mean  # largest prescribed speed
        self.words = {"SPEED": self.speed, "MEAN": self.mean}

    @staticmethod
    def size(cells):
        return 0.0175 * (10_560 / cells) ** 0.5

    def boundary(self, steps):
        return self.BOUNDARY.format(top=self.speed, mean=self.mean, diameter=self.diameter, steps=steps)


FLOWS = {flow.name: flow for flow in (Cavity, Cylinder, Cube, HeatedCavity)}
