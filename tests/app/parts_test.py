"""A user's own part: from an .stl and from a STEP file to a flow, on several ranks, with layers, and gone on with."""

import json
import shutil

import case_runs
from case_runs import ROOT

SIDES = {"inlet": (0, 4, 6, 2), "outlet": (1, 3, 7, 5), "y0": (0, 1, 5, 4), "y1": (2, 6, 7, 3), "z0": (0, 2, 3, 1), "z1": (4, 5, 7, 6)}


def box(sides=SIDES, low=(0, 0, 0), high=(3, 1, 1), solids=True):
    """An .stl of a box, one solid a side."""
    corner = [tuple(high[k] if n >> k & 1 else low[k] for k in range(3)) for n in range(8)]
    text = "" if solids else "solid box\n"
    for name, (a, b, c, d) in sides.items():
        text += f"solid {name}\n" if solids else ""
        for triangle in ((a, b, c), (a, c, d)):
            text += "facet normal 0 0 0\nouter loop\n"
            text += "".join("vertex {} {} {}\n".format(*corner[n]) for n in triangle) + "endloop\nendfacet\n"
        text += f"endsolid {name}\n" if solids else ""
    return text + ("" if solids else "endsolid box\n")


DUCT = """[mesh]
file = "duct.stl"
size = 0.9
{mesh}
[flow]
method = "classical"
viscosity = 0.001
[time]
end = 0.06
step = 0.02
[boundary.inlet]
type = "inlet"
velocity = [1, 0, 0]
[boundary.outlet]
type = "outlet"
{walls}
[solver.momentum]
tolerance = 1e-3
[output]
every = 0.06
[checkpoint]
every_steps = 2
keep = 9
[run]
reproducible = true
"""
WALLS = "\n".join(f'[boundary.{name}]\ntype = "wall"' for name in ("y0", "y1", "z0", "z1"))
LAYERS = '[mesh.layers]\npatches = ["y0", "y1"]\nfirst = 0.04\ngrowth = 1.2\ncount = 2\n'


class Parts(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        (self.folder / "duct.stl").write_text(box())

    def duct(self, mesh="", walls=WALLS):
        return DUCT.format(mesh=mesh, walls=walls)

    def test_a_flow_from_triangles_is_the_same_on_any_ranks_and_goes_on(self):
        case = self.duct(LAYERS)
        said = self.run_case(case, "one")
        self.assertIn("layers on y0, y1: 2 of them on ", said)
        for ranks in (2, 3):
            self.run_case(case, f"on-{ranks}", ranks=ranks)
            for name in ("kinetic_energy", "max_divergence"):
                self.assertEqual(list(self.column(f"on-{ranks}", "history.csv", name)), list(self.column("one", "history.csv", name)))
        shutil.copytree(self.folder / "one", self.folder / "again")
        for file in (self.folder / "again").glob("checkpoint_000003.h5"):
            file.unlink()
        self.run_case(case, "again", "--restart", ranks=2)
        self.assertEqual(self.column("again", "history.csv", "kinetic_energy")[-1], self.column("one", "history.csv", "kinetic_energy")[-1])
        said = self.run_case(self.duct(LAYERS.replace("0.04", "0.03")), "again", "--restart", code=2)
        self.assertIn("is of another mesh than", said)

    def test_check_lists_surfaces_and_leaves_a_picture(self):
        said = self.run_case(self.duct(LAYERS), "found", command="check")
        self.assertRegex(said, r"surface  area +centre +normal +colour +shape +group\n")
        self.assertRegex(said, r"\n       1  1 +\(0, 0.5, 0.5\) +\(-1, 0, 0\) +-  +triangles +inlet\n")
        self.assertRegex(said, r"layers      0.04 m at the wall: y\+ about \d[\d.]* in a laminar boundary layer 3 m long at 1 m/s")
        found = json.loads((self.folder / "found" / "check.json").read_text())
        self.assertEqual([surface["group"] for surface in found["surfaces"]], list(SIDES))
        self.assertAlmostEqual(found["mesh"]["volume"], 3, delta=1e-9)
        picture = (self.folder / "found" / "surfaces.svg").read_text()
        for number in range(1, 7):
            self.assertIn(f">{number}</text>", picture)

    def test_the_mesh_alone_has_the_numbers_of_the_surfaces_as_groups(self):
        (self.folder / "duct.stl").write_text(box(solids=False))
        said = self.run_case(self.duct(walls='[boundary.wall]\ntype = "wall"'), "found", command="check", code=2)
        self.assertIn("the mesh's boundary group `1` has no table: add [boundary.1] with a type", said)
        groups = "".join(f'[[mesh.group]]\nname = "{name}"\nplane = {{ point = [{x}, 0, 0], normal = [1, 0, 0] }}\n'
                         for name, x in (("inlet", 0), ("outlet", 3))) + '[[mesh.group]]\nname = "wall"\nrest = true\n'
        self.run_case(self.duct(groups, '[boundary.wall]\ntype = "wall"'), "named")
        self.assertEqual(self.summary("named")["divergence"]["max"], 0)

    def test_a_step_file_has_its_unit_told(self):
        shutil.copy(ROOT / "cases" / "manifold" / "manifold.step", self.folder)
        case = 'title = "x"\n[mesh]\nfile = "manifold.step"\nsize = 8\nper_circle = 8\n[heat]\nconductivity = 1\n' + "".join(
            f'[boundary.{n}]\ntype = "temperature"\nvalue = {n}\n' for n in range(1, 10))
        said = self.run_case(case, "heat")
        self.assertIn("manifold.step is in mm, as it says, and without `scale` it is taken as in metres", said)
        self.assertIn("add `scale = 0.001` in [mesh]", said)


if __name__ == "__main__":
    case_runs.main()
