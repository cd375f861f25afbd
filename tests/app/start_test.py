"""`[initial] result`: a flow that starts from the result of another, on other meshes, in other formats, on other ranks,
beyond its domain, and from the plane into space."""

import re
import shutil

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

import case_runs
from case_runs import ROOT

PERIODIC = """DefineConstant[ lc = 0.1 ];
Point(1) = {0, 0, 0, lc}; Point(2) = {2, 0, 0, lc}; Point(3) = {2, 1, 0, lc}; Point(4) = {0, 1, 0, lc};
Line(1) = {1, 2}; Line(2) = {2, 3}; Line(3) = {3, 4}; Line(4) = {4, 1};
Curve Loop(1) = {1, 2, 3, 4}; Plane Surface(1) = {1};
Periodic Curve {2} = {-4} Translate {2, 0, 0};
Physical Curve("wall") = {1, 3}; Physical Curve("right") = {2}; Physical Curve("left") = {4};
Physical Surface("fluid") = {1};
"""
DRIVEN = """[mesh]
file = "periodic.geo"
size = {size}
[flow]
method = "{method}"
viscosity = 0.05
[[periodic]]
patches = ["left", "right"]
pressure_drop = 0.8
[boundary.wall]
type = "wall"
[initial]
{initial}
[time]
end = {end}
step = {step}
[[section]]
name = "across"
plane = {{ point = [0.7, 0, 0], normal = [1, 0, 0] }}
"""
# A stream through a channel, with heat and dye that follow the flow.
STREAM = """[mesh]
file = "{mesh}"
size = {size}
[run]
reproducible = true
[flow]
viscosity = 0.02
[temperature]
diffusivity = 0.01
[[scalar]]
name = "dye"
diffusivity = 0.01
[boundary.inlet]
type = "inlet"
velocity = ["6*y*(1-y)", 0, 0]
temperature = "300+10*y"
dye = "y"
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "wall"
[initial]
{initial}
[time]
end = {end}
step = {step}
[output]
every = {end}
format = "{format}"
[[section]]
name = "across"
plane = {{ point = [1, 0.5, 0], normal = [1, 0, 0] }}
"""
# The same drive between periodic sides of a cube.
CUBE = """DefineConstant[ lc = 0.1 ];
SetFactory("OpenCASCADE");
Box(1) = {0, 0, 0, 1, 1, 1};
Mesh.MeshSizeMin = lc; Mesh.MeshSizeMax = lc;
Periodic Surface {2} = {1} Translate {1, 0, 0};
Physical Surface("left") = {1}; Physical Surface("right") = {2}; Physical Surface("wall") = {3, 4, 5, 6};
Physical Volume("fluid") = {1};
"""
OWN = 'temperature = "300+5*x"\ndye = "x/4"'


def output(folder, place, series="fields.pvd"):
    """Points and arrays at the points of an output (0: the first, -1: the last), ascending in global_id."""
    name = re.findall(r'file="([^"]*)"', (folder / series).read_text())[place]
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(folder / name))
    reader.Update()
    grid = reader.GetOutput()
    data = grid.GetPointData()
    arrays = {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}
    ids, order = np.unique(arrays["global_id"], return_index=True)
    return vtk_to_numpy(grid.GetPoints().GetData())[order], {name: of[order] for name, of in arrays.items()}


class StartRuns(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        (self.folder / "periodic.geo").write_text(PERIODIC)

    def stream(self, initial=OWN, size=0.25, end=0.5, step=0.05, format="pvtu"):
        return STREAM.format(mesh=ROOT / "meshes" / "channel.geo", initial=initial, size=size, end=end, step=step,
                             format=format)

    def start(self, result, **more):
        """The same stream, from `result`: a short step shows what it begins with."""
        return self.stream(initial=f'result = "{result}"', end=1e-6, step=1e-6, **more)


class Start(StartRuns):
    def test_a_finer_mesh_keeps_flux_and_energy(self):
        for method in ("exact", "classical"):
            self.run_case(DRIVEN.format(size=0.1, method=method, initial='velocity = ["4*y*(1-y)", 0, 0]', end=0.5,
                                        step=0.05), "coarse")
            for size in (0.1, 0.05, 0.04):
                case = DRIVEN.format(size=size, method=method, initial='result = "coarse"', end=1e-6, step=1e-6)
                said = self.run_case(case, "fine", ranks=2)
                self.assertIn("  start    velocity of coarse, t = 0.5 s\n", said)
                self.assertNotIn("outside", said)
                before = self.column("coarse", "sections/across.csv", "flux")[-1]
                after = self.column("fine", "sections/across.csv", "flux")[0]
                self.assertLess(abs(after / before - 1), 1e-3)
                energy = self.column("fine", "history.csv", "kinetic_energy")[0]
                self.assertLess(abs(energy / self.column("coarse", "history.csv", "kinetic_energy")[-1] - 1), 6e-3)

    def test_a_finer_duct_keeps_its_flux(self):
        (self.folder / "cube.geo").write_text(CUBE)
        driven = DRIVEN.replace("periodic.geo", "cube.geo")
        self.run_case(driven.format(size=0.0625, method="exact", initial='velocity = ["16*y*(1-y)*z*(1-z)", 0, 0]',
                                    end=0.2, step=0.05), "coarse")
        self.run_case(driven.format(size=0.05, method="classical", initial='result = "coarse"', end=1e-6, step=1e-6),
                      "fine", ranks=2)
        before = self.column("coarse", "sections/across.csv", "flux")[-1]
        self.assertLess(abs(self.column("fine", "sections/across.csv", "flux")[0] / before - 1), 1e-3)

    def test_solids_keep_their_temperature(self):
        case = (ROOT / "cases" / "conjugate-block" / "case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        self.run_case(case, "before", "--set", "time.end=0.5")
        case = case.replace("[initial]\ntemperature = 0.0 ", '[initial]\nresult = "before"\n#')
        short = ("--set", "time.end=1e-6", "--set", "output.every=")
        for size in (0.1, 0.08):
            said = self.run_case(case, "after", *short, "--set", f"mesh.size={size}", ranks=2)
            self.assertIn("  start    temperature of before\n", said)
            hottest = [self.column(result, "history.csv", "temperature_max")[place] for result, place in (("before", -1), ("after", 0))]
            self.assertLess(abs(hottest[1] / hottest[0] - 1), 1e-4)

    def test_the_errors_are_of_second_order(self):
        """Of the node velocities on the same mesh, and of the energy on a finer one."""
        velocities, energies = [], []
        for size in (0.25, 0.125):
            self.run_case(self.stream(size=size, end=2.0, step=0.2 * size), "before")
            self.run_case(self.start("before", size=size), "after")
            self.run_case(self.start("before", size=size / 2), "finer")
            before, after = (output(self.folder / result, place)[1] for result, place in (("before", -1), ("after", 0)))
            velocities.append(np.sqrt(np.mean((before["velocity"] - after["velocity"])**2)))
            energy = self.column("before", "history.csv", "kinetic_energy")[-1]
            energies.append(abs(self.column("finer", "history.csv", "kinetic_energy")[0] / energy - 1))
            flux = [self.column(result, "sections/across.csv", "flux")[place] for result, place in (("before", -1), ("finer", 0))]
            self.assertAlmostEqual(flux[0], flux[1], 12)
        self.assertGreater(np.log2(velocities[0] / velocities[1]), 1.8)
        self.assertGreater(np.log2(energies[0] / energies[1]), 1.8)
        self.assertLess(energies[1], 0.012)

    def test_all_fields_come_from_both_formats_on_any_ranks(self):
        starts = {}
        for format in ("pvtu", "vtkhdf"):
            self.run_case(self.stream(format=format, end=2.0), f"before-{format}", ranks=2)
        for before, ranks in (("before-pvtu", 1), ("before-pvtu", 3), ("before-vtkhdf", 2)):
            said = self.run_case(self.start(before, size=0.125), "after", ranks=ranks)
            for name in ("velocity", "temperature", "dye"):
                self.assertIn(f"  start    {name} of {before}", said)
            starts[before, ranks] = output(self.folder / "after", 0)[1]
        for arrays in starts.values():
            for name, values in arrays.items():
                if values.dtype.kind != "f":
                    continue
                expected = starts["before-pvtu", 1][name]
                self.assertLess(np.abs(values - expected).max(), 1e-6 * np.abs(expected).max(), name)
        # On its own mesh a scalar is the same again; the flow, the same fluxes through its sections.
        self.run_case(self.start("before-pvtu"), "after", ranks=2)
        points, arrays = output(self.folder / "before-pvtu", -1)
        again, found = output(self.folder / "after", 0)
        np.testing.assert_array_equal(points, again)
        for name in ("temperature", "dye"):
            self.assertLess(np.abs(arrays[name] - found[name]).max(), 1e-12 * np.abs(arrays[name]).max())
        self.assertLess(np.sqrt(np.mean((arrays["velocity"] - found["velocity"])**2)), 0.02)
        for result, place in (("before-pvtu", -1), ("after", 0)):
            self.assertAlmostEqual(self.column(result, "sections/across.csv", "flux")[place], 1, 2)

    def test_a_scalar_that_is_missing_has_its_own_start(self):
        lacking = self.stream().replace('[[scalar]]\nname = "dye"\ndiffusivity = 0.01\n', "").replace('dye = "y"\n', "")
        self.run_case(lacking.replace('dye = "x/4"', ""), "before")
        said = self.run_case(self.start("before") .replace('"before"', '"before"\ndye = "x/4"\ntemperature = 7'), "after")
        self.assertIn("  start    temperature of before\n", said)
        self.assertIn("  start    dye as given: it is not in before\n", said)
        points, arrays = output(self.folder / "after", 0)
        inner = points[:, 0] > 0
        self.assertLess(np.abs(arrays["dye"] - points[:, 0] / 4)[inner].max(), 1e-12)
        self.assertGreater(arrays["temperature"].min(), 290)
        self.run_case(self.start("before"), "after")  # 0 by default
        self.assertEqual(np.abs(output(self.folder / "after", 0)[1]["dye"][inner]).max(), 0)
        # A temperature has no default.
        flow = self.stream().replace("[temperature]\ndiffusivity = 0.01\n", "").replace('temperature = "300+10*y"\n', "")
        self.run_case(flow.replace('temperature = "300+5*x"\n', ""), "cold")
        said = self.run_case(self.start("cold"), "after2", ranks=2, code=2)
        self.assertIn("`result` in [initial]: cold: has no `temperature` at its points: give its initial values as "
                      "`temperature` in [initial]", said.replace(str(self.folder) + "/", ""))
        self.assertFalse((self.folder / "after2").exists())

    def test_a_larger_domain_has_the_nearest_values(self):
        self.run_case(self.stream(end=1.0), "before")
        geo = (ROOT / "meshes" / "channel.geo").read_text().replace("{4, 0,", "{5, 0,").replace("{4, 1,", "{5, 1,")
        (self.folder / "longer.geo").write_text(geo.replace("Translate {4", "Translate {5"))
        case = self.start("before").replace(str(ROOT / "meshes" / "channel.geo"), "longer.geo")
        for ranks in (1, 3):
            said = self.run_case(case, "after", ranks=ranks)
            self.assertRegex(said, r"  start    (1\d|20|2\d).*% of the volume lie outside the mesh of before, up to 0\.9\d* m, and "
                                   r"take the nearest values\n")
        points, arrays = output(self.folder / "after", 0)
        beyond = points[:, 0] > 4
        self.assertGreater(beyond.sum(), 10)
        self.assertLess(np.abs(arrays["velocity"][beyond & (np.abs(points[:, 1] - 0.5) < 0.2), 0] - 1.4).max(), 0.3)
        # A part of the domain is enough for a smaller one.
        shorter = geo.replace("{5, 0,", "{3, 0,").replace("{5, 1,", "{3, 1,").replace("Translate {4", "Translate {3")
        (self.folder / "longer.geo").write_text(shorter)
        self.assertNotIn("outside", self.run_case(case, "after"))

    def test_the_plane_goes_into_space_and_not_back(self):
        cube = ROOT / "meshes" / "cube.geo"
        flow = "[mesh]\nfile = \"{}\"\nsize = {}\n[flow]\nviscosity = 0.05\n[time]\nend = {}\nstep = {}\n{}[initial]\n{}\n"
        square = '[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]\n[boundary.wall]\ntype = "wall"\n'
        self.run_case(flow.format(ROOT / "meshes" / "cavity.geo", 0.1, 0.5, 0.05, square, ""), "plane")
        patches = re.findall(r'Physical Surface\("(\w+)"', cube.read_text())
        sides = "".join(f'[boundary.{name}]\ntype = "wall"\n' for name in patches)
        sides = sides.replace('[boundary.lid]\ntype = "wall"\n', '[boundary.lid]\ntype = "wall"\nvelocity = [1, 0, 0]\n')
        case = flow.format(cube, 0.2, 1e-6, 1e-6, sides, 'result = "plane"')
        self.assertNotIn("outside", self.run_case(case, "space", ranks=2))
        points, arrays = output(self.folder / "space", 0)
        plane, before = output(self.folder / "plane", -1)
        inner = np.all((points > 0.15) & (points < 0.85), axis=1)
        for place, velocity in zip(points[inner], arrays["velocity"][inner]):
            nearest = np.argmin(np.sum((plane[:, :2] - place[:2])**2, axis=1))
            self.assertLess(np.abs(velocity - before["velocity"][nearest]).max(), 0.2)
        case = flow.format(ROOT / "meshes" / "cavity.geo", 0.1, 0.5, 0.05, square, 'result = "space"')
        for command, code in (("run", 2), ("verify", 2)):
            said = self.run_case(case, "after", ranks=2, code=code, command=command)
            self.assertIn("`result` in [initial]: space is a flow in space, and the mesh has triangles", said)
        self.assertFalse((self.folder / "after").exists())

    def test_the_clock_goes_on(self):
        """At the inlet the stream grows as t does, and so does the dye."""
        growing = self.stream(end=0.5).replace('["6*y*(1-y)", 0, 0]', '["t*6*y*(1-y)", 0, 0]').replace('"y"', '"10*t"')
        self.run_case(growing, "before")
        case = growing.replace(OWN, 'result = "before"\ntime = "continue"').replace("end = 0.5", "end = 0.9").replace(
            "every = 0.5", "every = 0.2")
        for ranks in (1, 2):
            said = self.run_case(case + '[[average]]\nname = "mean"\nfields = ["velocity"]\nfrom = 0.7\n', "after", ranks=ranks)
            self.assertIn("  start    velocity of before, t = 0.5 s\n", said)
            time = self.column("after", "history.csv", "time")
            self.assertAlmostEqual(time[0], 0.55, 12)
            self.assertAlmostEqual(time[-1], 0.9, 12)
            np.testing.assert_allclose(self.column("after", "history.csv", "flow_rate_inlet"), -time, rtol=0, atol=1e-12)
            np.testing.assert_allclose(self.column("after", "sections/across.csv", "time"), [0.5, *time], rtol=0, atol=1e-12)
            pvd = (self.folder / "after" / "fields.pvd").read_text()
            times = [float(at) for at in re.findall(r'timestep="([^"]*)"', pvd)]
            np.testing.assert_allclose(times, [0.5, 0.6, 0.8, 0.9], rtol=0, atol=1e-12)
            points, arrays = output(self.folder / "after", 0)
            edge = (points[:, 0] == 0) & (points[:, 1] > 0.1) & (points[:, 1] < 0.9)
            np.testing.assert_allclose(arrays["dye"][edge], 5, rtol=0, atol=1e-12)
            at = '"from": 0.7'
            self.assertIn(at, (self.folder / "after" / "summary.json").read_text())
        # A restart goes on with it, too, and the proofs hold.
        kept = case + "[checkpoint]\nevery = 0.1\n"
        self.run_case(kept, "whole")
        self.assertEqual(sorted(path.name for path in (self.folder / "whole").glob("checkpoint_*.h5")),
                         ["checkpoint_000006.h5", "checkpoint_000008.h5"])
        self.assertNotIn("failed", self.run_case(case, "proofs", "--steps", 2, command="verify"))
        # So it does when the earlier run is gone, and when it has gone on beyond the end of this one.
        self.run_case(growing.replace("end = 0.5", "end = 1.5"), "before")
        self.run_case(kept, "late", code=2)
        self.run_case(kept, "part", "--restart", "whole/checkpoint_000006.h5")
        np.testing.assert_array_equal(self.column("part", "history.csv", "kinetic_energy"),
                                      self.column("whole", "history.csv", "kinetic_energy")[6:])
        shutil.rmtree(self.folder / "before")
        self.run_case(kept, "part", "--restart", "whole/checkpoint_000006.h5")
        np.testing.assert_array_equal(self.column("part", "history.csv", "kinetic_energy"),
                                      self.column("whole", "history.csv", "kinetic_energy")[6:])

    def test_tables_need_no_values_before_the_clock(self):
        self.run_case(self.stream(end=0.5), "before")
        (self.folder / "speed.csv").write_text("time [s],speed [m/s]\n0.45,1\n0.9,2\n")
        table = '[[table]]\nname = "speed"\nfile = "speed.csv"\narguments = ["time"]\nvalue = "speed"\n[checkpoint]\nevery = 0.2\n'
        case = self.stream(initial='result = "before"\ntime = "continue"', end=0.9) + table
        case = case.replace('["6*y*(1-y)", 0, 0]', '["speed(t)*6*y*(1-y)", 0, 0]')
        case = case.replace("viscosity = ", 'body_force = ["0.01*speed(t)", 0, 0]\nviscosity = ', 1)
        self.run_case(case, "seen", command="check")
        self.run_case(case, "after")
        np.testing.assert_allclose(self.column("after", "history.csv", "flow_rate_inlet"),
                                   -1 - (self.column("after", "history.csv", "time") - 0.45) / 0.45, rtol=0, atol=1e-12)
        shutil.rmtree(self.folder / "before")
        checkpoint = min((self.folder / "after").glob("checkpoint_*.h5"))
        self.run_case(case, "part", "--restart", checkpoint)
        np.testing.assert_array_equal(self.column("part", "history.csv", "kinetic_energy"),
                                      self.column("after", "history.csv", "kinetic_energy")[int(checkpoint.stem[-6:]):])
        (self.folder / "speed.csv").write_text("time [s],speed [m/s]\n0.6,1\n0.9,2\n")
        self.run_case(self.stream(end=0.5), "before")
        said = self.run_case(case, "late", code=2)
        self.assertIn("expected `time` from 0.5 to the `end` of the run in [time], 0.9 s, found 0.6 to 0.9 s", said)

    def test_a_clock_that_cannot_go_on_is_refused(self):
        self.run_case(self.stream(end=0.5), "before")
        for initial, more, expected in (
                ('result = "before"\ntime = "continue"', "", '`time` in [initial]'
                 ' (case.toml:LINE): found "continue", expected an `end` in [time] later than that of before, 0.5 s'),
                (OWN + '\ntime = "continue"', "", 'found "continue", expected "zero": the clock of an earlier run belongs to `result`')):
            said = self.run_case(self.stream(initial=initial, end=0.5) + more, "after", ranks=2, code=2)
            self.assertIn(expected, re.sub(r"case\.toml:\d+", "case.toml:LINE", said))
        late = self.stream(initial='result = "before"\ntime = "continue"', end=0.9)
        said = self.run_case(late + '[[tracer]]\nname = "a"\npoints = [[1, 0.5, 0]]\n', "after", code=2)
        self.assertIn("expected `release_from` beside it, a time from the beginning of the run on, 0.5 s", said)
        self.assertFalse((self.folder / "after").exists())

    def test_proofs_and_restarts_know_such_a_start(self):
        self.run_case(self.stream(), "before")
        case = self.stream(initial='result = "before"', end=0.2) + "[checkpoint]\nevery_steps = 2\n"
        self.assertNotIn("failed", self.run_case(case, "proofs", "--steps", 4, ranks=2, command="verify"))
        often = ("--set", "output.every=0.1")  # so that steps to 0.1 are as long, in every bit
        self.run_case(case, "whole", *often)
        self.run_case(case, "part", "--set", "time.end=0.1", *often)
        shutil.rmtree(self.folder / "before")
        said = self.run_case(case, "part", "--restart", *often)
        self.assertNotIn("  start  ", said)
        for name in ("kinetic_energy", "temperature_max", "dye_max"):
            np.testing.assert_array_equal(self.column("whole", "history.csv", name)[-1],
                                          self.column("part", "history.csv", name)[-1])


if __name__ == "__main__":
    case_runs.main()
