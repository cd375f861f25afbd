"""The flows that are compared, from rest: the mesh and what Solenoid's case says of the boundary. OpenFOAM's files for
them are in inputs/icofoam-NAME."""

from comparing.programs import ROOT


class Cavity:
    """A unit square whose lid begins to move at 1 m/s."""

    name = "cavity"
    words = {}  # in OpenFOAM's files
    file = ROOT / "meshes" / "cavity.geo"
    body = None  # whose drag is told
    refinement = 1  # the size over that of the smallest edges
    BOUNDARY = """\
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
"""

    def __init__(self, reynolds):
        self.viscosity, self.speed = 1 / reynolds, 1.0

    @staticmethod
    def size(triangles):
        """Of an edge of the mesh [m], for equilateral triangles."""
        return (4 / 3**0.5 / triangles) ** 0.5

    def boundary(self, steps):
        """The tables of a run of so many steps."""
        return self.BOUNDARY


class Cylinder:
    """In a channel whose inlet begins to flow (Schaefer & Turek 1996: 2D-1 at Re = 20, 2D-2 at 100, by the mean speed
    and the diameter)."""

    name = "cylinder"
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

    def __init__(self, reynolds):
        self.mean = reynolds * self.viscosity / self.diameter
        self.speed = 1.5 * self.mean  # the largest that is given
        self.words = {"SPEED": self.speed, "MEAN": self.mean}

    @staticmethod
    def size(triangles):
        return 0.0175 * (10_560 / triangles) ** 0.5

    def boundary(self, steps):
        return self.BOUNDARY.format(top=self.speed, mean=self.mean, diameter=self.diameter, steps=steps)


FLOWS = {flow.name: flow for flow in (Cavity, Cylinder)}
