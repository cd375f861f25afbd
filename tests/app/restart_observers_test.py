"""What looks at a run that goes on: nothing is left of another way on, whatever steps it took; averages, tracers and
scalars are those of the case as it is now."""

from xml.dom import minidom

import numpy as np
from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPolyDataReader, vtkXMLPUnstructuredGridReader

import case_runs
from case_runs import ROOT, read_table
from plotting import vtkhdf
from plotting.result import Result

# u = 1 + t and p = 4 - x everywhere.
CASE = """title = "A stream that speeds up"
[mesh]
file = "{mesh}"
size = 0.5
[flow]
viscosity = 0.05
[time]
end = 1
step = 0.05
[boundary.inlet]
type = "inlet"
velocity = ["1+t", 0, 0]
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "symmetry"
[output]
every = 0.25
[checkpoint]
every_steps = 5
keep = 99
[[line]]
name = "l"
from = [1, 0.2, 0]
to = [1, 0.8, 0]
points = 3
"""
# The lift swings twice while the lid does once.
CAVITY = """title = "A lid that comes and goes"
[mesh]
file = "{mesh}"
size = 0.2
[flow]
viscosity = 0.01
[time]
end = 18
step = 0.05
[boundary.lid]
type = "wall"
velocity = ["sin(3*t)", 0, 0]
[boundary.wall]
type = "wall"
[output]
every_steps = 1000
[checkpoint]
every_steps = 260
keep = 9
[[force]]
name = "lid"
patches = ["lid"]
reference_velocity = 1
reference_area = 1
"""
AVERAGE = """[[average]]
name = "{name}"
fields = ["velocity"]
"""
TRACER = """[[tracer]]
name = "{name}"
from = [0.1, 0.1, 0]
to = [0.1, 0.9, 0]
count = {count}
release_every = 0.1
"""


def case_text(*more):
    return CASE.format(mesh=ROOT / "meshes" / "channel.geo") + "".join(more)


def series_of(path):
    """(time, file) of each output that a .pvd names."""
    entries = minidom.parse(str(path)).getElementsByTagName("DataSet")
    return [(float(entry.getAttribute("timestep")), path.parent / entry.getAttribute("file")) for entry in entries]


def arrays_of(data):
    return {data.GetArrayName(k): vtk_to_numpy(data.GetArray(k)) for k in range(data.GetNumberOfArrays())}


def fields_of(path):
    """Arrays at points and in cells, and the cells' middles."""
    reader = vtkXMLPUnstructuredGridReader()
    reader.SetFileName(str(path))
    reader.Update()
    grid = reader.GetOutput()
    points = vtk_to_numpy(grid.GetPoints().GetData())
    cells = vtk_to_numpy(grid.GetCells().GetConnectivityArray()).reshape(-1, 3)
    return arrays_of(grid.GetPointData()), arrays_of(grid.GetCellData()), points[cells].mean(axis=1)


def tracers_of(path):
    """(ids, places, times of birth)"""
    reader = vtkXMLPolyDataReader()
    reader.SetFileName(str(path))
    reader.Update()
    data = reader.GetOutput()
    now = vtk_to_numpy(data.GetFieldData().GetArray("TimeValue"))[0]
    arrays = arrays_of(data.GetPointData())
    return arrays["id"], vtk_to_numpy(data.GetPoints().GetData()), now - arrays["age"]


class RestartObservers(case_runs.CaseRuns):
    def go_on(self, case, result, *more, from_result="whole", ranks=1):
        return self.run_case(case, result, "--restart", f"{from_result}/checkpoint_000010.h5", *more, ranks=ranks)

    def average(self, result, name="m"):
        return fields_of(series_of(self.folder / result / "averages" / f"{name}.pvd")[-1][1])

    def test_nothing_is_left_of_another_way_on(self):
        """Of twenty steps the last ten are taken again, shorter and longer."""
        probe = '[[probe]]\nname = "{}"\npoints = [[1, 0.5, 0]]\n'
        both = [AVERAGE.format(name="m"), TRACER.format(name="t", count=2), probe.format("p")]
        case, without = case_text(*both, AVERAGE.format(name="gone"), probe.format("gone")), case_text(*both)
        outputs = [0, 0.25, 0.5, 0.75, 1]
        for step, steps, ranks in ((0.0125, (0, 5, 10, 30, 50), 2), (0.25, (0, 5, 10, 11, 12), 1)):
            with self.subTest(step=step):
                whole = f"whole-{ranks}"
                self.run_case(case, whole, ranks=ranks)
                said = self.go_on(without, whole, "--set", f"time.step={step}", from_result=whole, ranks=ranks)
                self.assertIn("  removed  outputs beyond step 10, t = 0.5 s: those of steps 15 to 20\n", said)
                folder = self.folder / whole
                for name in ("fields", "averages/m", "tracers/t"):
                    series = series_of(folder / f"{name}.pvd")
                    self.assertTrue(np.allclose([time for time, _ in series], outputs), (name, series))
                    self.assertTrue(all(file.exists() for _, file in series), series)
                    kind = series[0][1].suffix
                    there = sorted((folder / name).parent.glob(f"{(folder / name).name}_*{kind}"))
                    self.assertEqual(there, [file for _, file in series])
                    pieces = [path for path in (folder / name).parent.glob(f"{(folder / name).name}_*") if path.is_dir()]
                    self.assertEqual(len(pieces), 0 if name == "tracers/t" else 5)
                self.assertEqual([time for time, _ in series_of(folder / "averages/gone.pvd")], outputs[:3])
                self.assertEqual(len(list((folder / "averages").glob("gone_*.pvtu"))), 3)
                for name, last in (("p", 1), ("gone", 0.5)):
                    times = read_table(folder / "probes" / f"{name}.csv")["time"].values
                    self.assertTrue(np.all(np.diff(times) > 0))
                    self.assertAlmostEqual(times[-1], last)
                lines = sorted(path.name for path in (folder / "lines").iterdir())
                self.assertEqual(lines, [f"l_{number:06}.csv" for number in steps])
                newest = Result(folder).profiles()["l"]["u"].values
                self.assertTrue(np.allclose(newest, 2, atol=1e-6), newest)
                history = read_table(folder / "history.csv")
                self.assertTrue(np.all(np.diff(history["time"].values) > 0))

    def test_nothing_is_left_of_it_before_the_next_output(self):
        case = case_text(AVERAGE.format(name="m"))
        for form in ("pvtu", "vtkhdf"):
            with self.subTest(format=form):
                if form == "vtkhdf" and not vtkhdf.find_spec("h5py"):
                    continue
                self.run_case(case, form, "--set", f"output.format={form}")
                folder = self.folder / form
                self.go_on(case, form, "--set", f"output.format={form}", "--set", "time.step=0.0125", "--set", "time.end=0.5125",
                           from_result=form)
                outputs = [0, 0.25, 0.5, 0.5125]
                if form == "pvtu":
                    times = [time for time, _ in series_of(folder / "fields.pvd")]
                else:
                    times = [time for _, time in vtkhdf.steps(folder / "fields.vtkhdf")]
                    self.assertTrue(np.allclose([time for _, time in vtkhdf.steps(folder / "averages/m.vtkhdf")], outputs))
                self.assertTrue(np.allclose(times, outputs), times)
                self.assertTrue((folder / "patches.vtm").exists())

    def test_names_may_mean_something_in_xml(self):
        case = case_text(AVERAGE.format(name="drag & <lift>"), TRACER.format(name="a<b & 'c'", count=2))
        self.run_case(case, "whole", ranks=2)
        for file in (self.folder / "whole").rglob("*.pv*"):
            minidom.parse(str(file))
        self.go_on(case, "whole", ranks=2)
        for name, count in (("averages/drag & <lift>", 5), ("tracers/a<b & 'c'", 5)):
            series = series_of(self.folder / "whole" / f"{name}.pvd")
            self.assertEqual(len(series), count)
            self.assertTrue(all(file.exists() for _, file in series), series)
        self.assertTrue(np.allclose(self.average("whole", "drag & <lift>")[0]["velocity_mean"][:, 0], 1.5, atol=1e-6))

    def test_averages_are_those_of_the_case_that_goes_on(self):
        self.run_case(case_text(AVERAGE.format(name="m")), "whole")
        more = AVERAGE.format(name="m").replace('["velocity"]', '["velocity", "pressure"]')
        said = self.go_on(case_text(more), "more")
        self.assertIn("  average  m: pressure begins at t = 0.5 s\n", said)
        points, cells, middles = self.average("more")
        self.assertTrue(np.allclose(points["velocity_mean"][:, 0], 1.5, atol=1e-6))
        self.assertTrue(np.allclose(cells["pressure_mean"], 4 - middles[:, 0], atol=1e-4), cells["pressure_mean"])
        times = self.summary("more")["averages"]["m"]
        self.assertEqual(times["from"], 0)
        self.assertAlmostEqual(times["from_pressure"], 0.5)

        said = self.go_on(case_text(AVERAGE.format(name="m"), "variance = true\n"), "spread")
        self.assertIn("  average  m: velocity begins at t = 0.5 s: the samples so far have no variance\n", said)
        points = self.average("spread")[0]
        self.assertTrue(np.allclose(points["velocity_mean"][:, 0], 1.75, atol=1e-6))
        self.assertTrue(np.allclose(points["velocity_variance"][:, 0], 0.5**2 / 12 + 0.05**2 / 6, atol=1e-6))

        said = self.go_on(case_text(AVERAGE.format(name="m"), "from = 0.75\n"), "later")
        self.assertIn("  average  m: velocity begins at t = 0.75 s: the samples so far began before `from`\n", said)
        self.assertTrue(np.allclose(self.average("later")[0]["velocity_mean"][:, 0], 1.875, atol=1e-6))
        self.assertAlmostEqual(self.summary("later")["averages"]["m"]["from"], 0.75)

    def test_averages_begin_at_from_and_reach_the_end(self):
        for every in (9, 30):
            said = self.run_case(case_text(AVERAGE.format(name="m"), f"from = 0.33\nevery_steps = {every}\n"), "whole")
            self.assertNotIn("warning", said)
            times = self.summary("whole")["averages"]["m"]
            self.assertAlmostEqual(times["from"], 0.33)
            self.assertAlmostEqual(times["to"], 1)
            for time, file in series_of(self.folder / "whole" / "averages" / "m.pvd"):
                mean = fields_of(file)[0]["velocity_mean"][:, 0]
                self.assertTrue(np.allclose(mean, 1 + (0.33 + time) / 2, atol=1e-6), (time, mean))

    def test_tracers_are_released_as_the_case_says(self):
        self.run_case(case_text(TRACER.format(name="t", count=7)), "whole")
        fewer = case_text(TRACER.format(name="t", count=3))
        self.go_on(fewer, "fewer", ranks=2)
        for _, file in series_of(self.folder / "fewer" / "tracers" / "t.pvd"):
            ids, places, births = tracers_of(file)
            self.assertEqual(len(set(ids)), len(ids))
            self.assertGreater(places[:, 0].min(), 0.09)
        said = self.run_case(fewer, "once more", "--restart", "fewer/checkpoint_000015.h5")
        ids, places, births = tracers_of(series_of(self.folder / "once more" / "tracers" / "t.pvd")[-1][1])
        expected = tracers_of(series_of(self.folder / "fewer" / "tracers" / "t.pvd")[-1][1])
        self.assertEqual(list(ids), list(expected[0]), said)
        self.assertTrue(np.allclose(places, expected[1]))
        self.assertEqual(sorted(np.unique(births.round(6))), [round(0.1 * k, 6) for k in range(11)])
        for every, due in ((0.3, [0.6, 0.9]), (0.24, [0.72, 0.96])):
            self.go_on(fewer.replace("release_every = 0.1", f"release_every = {every}"), "other")
            births = tracers_of(series_of(self.folder / "other" / "tracers" / "t.pvd")[-1][1])[2]
            later = np.unique(births[births > 0.51].round(6))
            self.assertTrue(np.allclose(later, due), later)

    def test_statistics_of_forces_are_those_of_the_case_that_goes_on(self):
        """Half of the periods lie before the restart, where the reference is another one."""
        case = CAVITY.format(mesh=ROOT / "meshes" / "cavity-delaunay.geo")
        self.run_case(case, "whole")
        found = self.summary("whole")["forces"]["lid"]
        self.assertAlmostEqual(found["frequency"], 2 * 3 / 6.283185307, delta=1e-3)
        self.run_case(case.replace("reference_velocity = 1", "reference_velocity = 2\ndensity = 3"), "other")
        self.run_case(case, "again", "--restart", "other/checkpoint_000260.h5")
        again = self.summary("again")["forces"]["lid"]
        self.assertEqual(again.keys(), found.keys())
        for name, value in found.items():
            self.assertAlmostEqual(again[name], value, delta=1e-12, msg=name)

    def test_scalars_that_are_new_go_by_the_time_of_the_flow(self):
        self.run_case(case_text(), "whole")
        scalars = '[temperature]\ndiffusivity = 0.05\n[[scalar]]\nname = "dye"\ndiffusivity = 0.05\n[initial]\ntemperature = 0\n'
        case = case_text(scalars).replace('velocity = ["1+t", 0, 0]', 'velocity = ["1+t", 0, 0]\ntemperature = "t"\ndye = "t"')
        self.go_on(case, "coloured", ranks=2)
        history = read_table(self.folder / "coloured" / "history.csv")
        for name in ("temperature_max", "dye_max"):
            self.assertTrue(np.allclose(history[name].values, history["time"].values), history[name].values)


if __name__ == "__main__":
    case_runs.main()
