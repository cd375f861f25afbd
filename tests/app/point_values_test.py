"""Values at points of an inlet: exact linear profiles in both dimensions, time, ranks, restarts, and wrong files."""

import gzip
import random

import case_runs
from case_runs import ROOT

CASE = """[mesh]
file = "{mesh}"
size = {size}
[run]
reproducible = true
[flow]
viscosity = 0.1
method = "{method}"
[temperature]
diffusivity = 0.1
[initial]
temperature = 300
[time]
end = 0.2
step = 0.05
[boundary.inlet]
type = "inlet"
velocity = {velocity}
temperature = {temperature}
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "symmetry"
[output]
every = 0.1
[checkpoint]
every_steps = 2
keep = 9
"""
AT_POINTS = {"velocity": '{ file = "inlet.csv" }', "temperature": '{ file = "inlet.csv", value = "T" }'}
PLANE = {"velocity": '["(1+t)*(1+0.5*y)", "0.1*y*t", 0]', "temperature": '"300+20*y+5*t"'}
SPACE = {"velocity": '["(1+t)*(1+0.5*y-0.25*z)", "0.1*y*t", "0.2*z"]', "temperature": '"300+20*y+5*t-z"'}
GEO = 'DefineConstant[ lc = 0.5 ];\nSetFactory("OpenCASCADE");\nBox(1) = {0, 0, 0, 2, 1, 1};\nPhysical Volume("fluid") = {1};\n' \
      'Physical Surface("inlet") = {1};\nPhysical Surface("outlet") = {2};\nPhysical Surface("wall") = {3, 4, 5, 6};\n' \
      'Mesh.MeshSizeMax = lc;\n'


def plane_rows(times=(0, 0.05, 0.2)):
    return [(t, 0, y, (1 + t) * (1 + 0.5 * y), 0.1 * y * t, 300 + 20 * y + 5 * t) for t in times for y in (0, 0.1, 0.37, 0.8, 1)]


def space_rows():
    points = [(0, 0), (0, 1), (1, 0), (1, 1), (0.3, 0.2), (0.55, 0.9), (0.81, 0.43), (0, 0.35), (0.62, 1)]
    return [(t, 0, y, z, (1 + t) * (1 + 0.5 * y - 0.25 * z), 0.1 * y * t, 0.2 * z, 300 + 20 * y + 5 * t - z)
            for t in (0, 0.2) for y, z in points]


class PointValues(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        (self.folder / "box.geo").write_text(GEO)

    def write(self, rows, header="time [s],x [m],y,u,v,T", pack=False):
        text = "# measured\n" + header + "\n" + "".join(",".join(map(repr, row)) + "\n" for row in rows)
        (self.folder / "inlet.csv").write_bytes(gzip.compress(text.encode()) if pack else text.encode())

    def case(self, keys, space=False, method="exact"):
        mesh = self.folder / "box.geo" if space else ROOT / "meshes" / "channel.geo"
        return CASE.format(mesh=mesh, size=0.5, method=method, **keys)

    def history(self, result):
        rows = [line.split(",") for line in (self.folder / result / "history.csv").read_text().splitlines()]
        taken = [k for k, name in enumerate(rows[0]) if not name.startswith(("iterations", "residual", "wall_seconds", "max_div"))]
        return [[float(row[k]) for k in taken] for row in rows[1:]]

    def assert_close(self, found, expected):
        self.assertEqual(len(found), len(expected))
        for a, b in zip(found, expected):
            for x, y in zip(a, b):
                self.assertAlmostEqual(x, y, delta=1e-9 * max(1, abs(y)))

    def test_a_linear_profile_is_its_formula(self):
        for method in ("exact", "classical"):
            for space, formulas in ((False, PLANE), (True, SPACE)):
                with self.subTest(method=method, space=space):
                    if space:
                        self.write(space_rows(), "time,x,y,z,u,v,w,T")
                    else:
                        self.write(plane_rows(), pack=True)
                    said = self.run_case(self.case(AT_POINTS, space, method), "points")
                    self.assertNotIn("beyond the points", said)
                    self.run_case(self.case(formulas, space, method), "formula")
                    self.assert_close(self.history("points"), self.history("formula"))

    def test_order_of_rows_ranks_and_restarts_change_no_bit(self):
        for space, rows, header in ((False, plane_rows(), "time,x,y,u,v,T"), (True, space_rows(), "t,x,y,z,u,v,w,T")):
            case = self.case(AT_POINTS, space)
            self.write(rows, header)
            self.run_case(case, "whole")
            expected = self.history("whole")
            random.Random(1).shuffle(rows)
            self.write(rows, header)
            for ranks in (2, 3):
                self.run_case(case, "others", ranks=ranks)
                self.assertEqual(self.history("others"), expected)
            said = self.run_case(case, "others", "--restart", "others/checkpoint_000002.h5", ranks=3)
            self.assertEqual(self.history("others"), expected)
            self.assertNotIn("changed", said)
            self.write(rows[:-1] + [rows[-1][:-1] + (7,)], header)
            said = self.run_case(case, "others", "--restart", "whole/checkpoint_000002.h5")
            self.assertIn("changed  boundary.inlet.temperature.checksum is", said)
        tables = self.summary("whole")["tables"]
        self.assertEqual([table["name"] for table in tables], ["boundary.inlet.temperature", "boundary.inlet.velocity"])

    def test_faces_beyond_the_points_are_told(self):
        self.write([row for row in plane_rows() if 0.3 <= row[2] <= 0.8])
        for command in ("run", "check"):
            said = self.run_case(self.case(AT_POINTS), "told", command=command)
            self.assertIn("`velocity` in [boundary.inlet]: 1 of 2 faces lie beyond the points", said.replace("\n", " "))

    def test_verify_holds(self):
        self.write(plane_rows())
        self.run_case(self.case(AT_POINTS), "verified", "--steps", "3", command="verify", ranks=2)

    def test_wrong_files_are_named(self):
        def fault(rows, header="time,x,y,u,v,T", keys=AT_POINTS):
            self.write(rows, header)
            return self.run_case(self.case(keys), "no", code=2)

        rows = plane_rows()
        self.assertIn("values at points with times from 0 to the `end` of the run in [time], 0.2 s, found 0 to 0.1 s",
                      fault(plane_rows((0, 0.1))))
        self.assertIn("row 6: the point (0, 0.1, 0) has no row at time = 0: each time has the same points",
                      fault(rows[:1] + rows[2:]))
        self.assertIn("no column `T`", fault([row[:-1] for row in rows], "time,x,y,u,v"))
        self.assertIn("(0, 0.1, 0) and (0, 0.1, 0) are at the same place along the curve", fault(rows + [row for row in rows if row[2] == 0.1]))
        self.assertIn("row 1 has no finite `u`", fault([(0, 0, 0, float("nan"), 0, 300)]))
        self.assertIn("no column `Ux`", fault(rows, keys=dict(AT_POINTS, velocity='{ file = "inlet.csv", values = ["Ux", "v"] }')))
        self.assertIn("missing key `value` in", fault(rows, keys=dict(AT_POINTS, temperature='{ file = "inlet.csv" }')))
        self.assertIn("unknown key `column` in", fault(rows, keys=dict(AT_POINTS, velocity='{ file = "inlet.csv", column = "u" }')))
        (self.folder / "inlet.csv").unlink()
        self.assertIn("cannot be read", self.run_case(self.case(AT_POINTS), "no", code=2))


if __name__ == "__main__":
    case_runs.main()
