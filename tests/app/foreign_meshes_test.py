"""Meshes of other programs as users have them: their groups, sizes and flows are those of the same mesh elsewhere."""

import json
import subprocess

import case_runs
from case_runs import program
from poly_meshes import box, with_cut_cell

# Uniform from x0 to x1: heat flows through any mesh of it without an error.
SLAB = """title = "A slab"
[mesh]
file = "{mesh}"
[heat]
conductivity = 1
[boundary.x0]
type = "temperature"
value = 1
[boundary.x1]
type = "temperature"
value = 0
""" + "".join(f'[boundary.{side}]\ntype = "insulated"\n' for side in ("y0", "y1", "z0", "z1"))
CAVITY = """title = "A lid over a fluid"
[mesh]
file = "{mesh}"
[flow]
viscosity = 0.01
[time]
end = 0.1
step = 0.01
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
"""
SU2 = """% A square of two triangles and two quadrangles
NDIME= 2
NELEM= 3
5 0 1 3 0
5 1 4 3 1   % with its number
9 1 2 5 4 2
NPOIN= 6
0 0 0
.5 0 1
1 0 2
0 1 3
.5 1 4
1 1 5
NMARK= 2
MARKER_TAG= ends
MARKER_ELEMS= 2
3 0 3
3 2 5
MARKER_TAG= long sides
MARKER_ELEMS= 4
3 0 1
3 1 2
3 3 4
3 4 5
"""
VTK = """# vtk DataFile Version 3.0
a square
ASCII
DATASET UNSTRUCTURED_GRID
POINTS 4 double
0 0 0 1 0 0 1 1 0 0 1 0
CELLS 5 17
4 0 1 2 3
2 0 1
2 1 2
2 2 3
2 3 0
CELL_TYPES 5
9 3 3 3 3
CELL_DATA 5
SCALARS group int 1
LOOKUP_TABLE default
1 7 8 7 8
"""


def warp(x):
    """A box with the same sides and volume, warped inside and along."""
    bump = 16 * x[0] * (1 - x[0]) * x[1] * (1 - x[1])
    return (x[0], x[1] + 0.1 * bump * x[2] * (1 - x[2]), x[2] + 0.05 * bump * x[2] * (1 - x[2]))


class ForeignMeshes(case_runs.CaseRuns):
    def check(self, mesh, code=0):
        """What `check` finds in the mesh, or its message."""
        done = subprocess.run(program(1, "check", mesh, "--output", "checked"), capture_output=True, text=True,
                              cwd=self.folder, stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        if code:
            return done.stdout + done.stderr
        return json.loads((self.folder / "checked" / "check.json").read_text()), done.stdout

    def areas(self, found):
        return {name: round(of["area"], 12) for name, of in found["boundary"].items()}

    def poly_mesh(self, mesh, name="a", binary=False):
        mesh.write(self.folder / name / "constant" / "polyMesh", binary)
        return f"{name}/constant/polyMesh"

    def test_hexahedra_of_a_polymesh_are_divided(self):
        mesh = box((4, 3, 2), warp=warp)
        mesh.zones = {"left": [c for c in range(24) if c % 4 < 2]}
        for binary in (False, True):
            found, said = self.check(self.poly_mesh(mesh, f"binary {binary}", binary))
            self.assertIn("divided 24 hexahedra into tetrahedra and triangles", said)
            self.assertRegex(said, r"scaled Jacobian \(1: .*\) of their tetrahedra: worst 0\.[2-5]\d*, mean 0\.[3-5]")
            self.assertEqual(found["mesh"]["cells"], 6 * 24)
            self.assertAlmostEqual(found["mesh"]["volume"], 1, delta=1e-12)
            self.assertEqual(found["problems"], [])
            self.assertEqual(self.areas(found), dict.fromkeys(("x0", "x1", "y0", "y1", "z0", "z1"), 1))

    def test_polyhedra_are_divided_about_their_centres(self):
        found, said = self.check(self.poly_mesh(with_cut_cell((3, 3, 3), 13)) + "/")
        self.assertIn("divided 16 hexahedra, 18 polyhedra into", said)
        self.assertAlmostEqual(found["mesh"]["volume"], 1, delta=1e-12)
        self.assertEqual(found["problems"], [])
        found, said = self.check(self.poly_mesh(with_cut_cell((2, 2, 2), 0), "corner"))
        self.assertEqual(found["problems"], [])
        self.assertEqual(self.areas(found), dict.fromkeys(("x0", "x1", "y0", "y1", "z0", "z1"), 1))
        self.run_case(SLAB.format(mesh="corner/constant/polyMesh"), "slab")
        heat = self.summary("slab")["heat"]
        self.assertAlmostEqual(heat["x0"], 1, delta=1e-8)
        self.assertAlmostEqual(heat["x1"], -1, delta=1e-8)

    def test_one_layer_between_empty_patches_is_a_plane(self):
        mesh = box((8, 8, 1), sizes=(1, 1, 0.1))
        sides = mesh.patches
        mesh.patches = {"lid": ("wall", sides["y1"][1]),
                        "wall": ("wall", sides["x0"][1] + sides["x1"][1] + sides["y0"][1]),
                        "frontAndBack": ("empty", sides["z0"][1] + sides["z1"][1])}
        found, said = self.check(self.poly_mesh(mesh))
        self.assertIn("divided 64 quadrangles into triangles", said)
        self.assertIn("of their triangles: worst 0.816, mean 0.816", said)  # sqrt(1/2) / sqrt(3/4)
        self.assertEqual((found["mesh"]["dimension"], found["mesh"]["cells"]), (2, 128))
        self.assertEqual(self.areas(found), {"lid": 1, "wall": 3})
        self.run_case(CAVITY.format(mesh="a/constant/polyMesh"), "flow", ranks=2)
        self.assertEqual(max(self.column("flow", "history.csv", "max_divergence")), 0)

    def test_faults_of_a_polymesh_name_the_file(self):
        folder = self.folder / self.poly_mesh(box((2, 1, 1)))
        for file, old, new, said in (
                ("owner", "\n1\n", "\n77\n", r"owner names cell 77"),
                ("faces", "4(3 0 6 9)", "4(3 0 6 999)", r"faces names point 999"),
                ("boundary", "nFaces          1", "nFaces          99", r"patch `x0` has the faces from 1 to 100"),
                ("boundary", "type            wall", "type            wedge", r"patch `x0` is a wedge"),
                ("boundary", "type            wall", "type            processor", r"reconstructParMesh"),
                ("points", "(1 1 1)\n)", "(1 1", r"points:\d+: the file ends, expected .*cut off")):
            whole = (folder / file).read_text()
            self.assertIn(old, whole)
            (folder / file).write_text(whole.replace(old, new, 1))
            with self.subTest(file):
                self.assertRegex(self.check("a/constant/polyMesh", code=2), said)
            (folder / file).write_text(whole)
        (folder / "points").rename(folder / "points.gz")
        self.assertRegex(self.check("a/constant/polyMesh", code=2), r"points: cannot be read, .*gunzip")

    def test_su2(self):
        (self.folder / "square.su2").write_text(SU2)
        found, said = self.check("square.su2")
        self.assertIn("divided 1 quadrangles into triangles", said)
        self.assertIn("of the elements: worst 1, mean 1; of their triangles: worst 0.516, mean 0.516", said)
        self.assertEqual(self.areas(found), {"ends": 2, "long sides": 2})
        for old, new, fault in (("5 0 1 3 0", "5 0 1 9 0", r"has point 9, of which there are 6"),
                                ("5 0 1 3 0", "42 0 1 3 0", r"square.su2:4: found 42 for the type"),
                                ("NPOIN= 6", "NPOIN= 60000000", r"60000000 points, but \d+ bytes are left"),
                                ("NDIME= 2", "NDIME= 4", r"square.su2:2: found `4` for NDIME"),
                                ("3 4 5\n", "", r"the file ends, expected another line")):
            self.assertIn(old, SU2)
            (self.folder / "square.su2").write_text(SU2.replace(old, new, 1))
            self.assertRegex(self.check("square.su2", code=2), fault)

    def test_vtk(self):
        (self.folder / "square.vtk").write_text(VTK)
        found, _ = self.check("square.vtk")
        self.assertEqual(self.areas(found), {"7": 2, "8": 2})
        (self.folder / "square.vtk").write_text(VTK.replace("9 3 3 3 3", "7 3 3 3 3"))
        self.assertRegex(self.check("square.vtk", code=2), r"cell 0 is of VTK's type 7, expected triangles")
        for old, new in (("4 0 1 2 3", "1000000000 0 1 2 3"), ("CELLS 5 17", "CELLS 5 99999999999"),
                         ("CELLS 5 17", "CELLS 4 17"), ("CELL_DATA 5", "CELL_DATA 9")):
            (self.folder / "square.vtk").write_text(VTK.replace(old, new))
            self.assertRegex(self.check("square.vtk", code=2), r"square.vtk: (tells of more|cannot be read|`group` has)")
        (self.folder / "square.vtu").write_text("<VTKFile")
        self.assertRegex(self.check("square.vtu", code=2), r"square.vtu: cannot be read as an unstructured grid")
        (self.folder / "far.vtk").write_text(VTK.replace("0 1 0\nCELLS", "0 1e200 0\nCELLS"))
        self.assertRegex(self.check("far.vtk", code=2), r"far.vtk: node 3 is 1e\+200 m away")


if __name__ == "__main__":
    case_runs.main()
