"""`[initial] result` with a checkpoint alone, and averages that go on with the clock of an earlier run."""

import shutil

import numpy as np

import case_runs
import start_test
from case_runs import ROOT
from start_test import CUBE, DRIVEN, OWN, output

CHECKPOINT = "[checkpoint]\nevery_steps = 5\n"
AVERAGE = """[[average]]
name = "{name}"
fields = ["velocity", "pressure", "temperature", "dye"]
variance = true
"""
WHEEL = """[mesh]
file = "{mesh}"
size = 0.15
[flow]
viscosity = 0.01
[time]
end = 0.5
step = 0.05
[boundary.inner]
type = "wall"
[boundary.outer]
type = "wall"
[zone.rotor]
ball = {{ centre = [0, 0, 0], radius = 0.75 }}
rotating = {{ rate = 1 }}
[output]
fields = ["velocity"]
"""
NAMES = ("velocity_mean", "velocity_variance", "velocity_covariance", "temperature_mean", "temperature_variance", "dye_mean")


class StartOfAverages(start_test.StartRuns):
    def alone(self, result):
        """The checkpoints of a result in a folder of their own; returns its name."""
        (self.folder / f"{result}-alone").mkdir()
        for file in (self.folder / result).glob("checkpoint_*"):
            shutil.copy(file, self.folder / f"{result}-alone")
        return f"{result}-alone"

    def averages(self, result, name="mean"):
        return output(self.folder / result / "averages", -1, f"{name}.pvd")[1]

    def going_on(self, result, end=1.0, **more):
        return self.stream(initial=f'result = "{result}"\ntime = "continue"', end=end, **more)

    def test_a_checkpoint_alone_is_as_good_as_fields(self):
        for method in ("exact", "classical"):
            before = f"before-{method}"
            driven = DRIVEN.format(size=0.1, method=method, initial='velocity = ["4*y*(1-y)", 0, 0]', end=0.5, step=0.05)
            self.run_case(driven + CHECKPOINT, before, ranks=2)
            alone = self.alone(before)
            energies = []
            for source, ranks in ((before, 1), (alone, 2), (f"{alone}/checkpoint_000010.h5", 3)):
                case = DRIVEN.format(size=0.05, method=method, initial=f'result = "{source}"', end=1e-6, step=1e-6)
                said = self.run_case(case, "after", ranks=ranks)
                self.assertIn(f"  start    velocity of {source}, t = 0.5 s\n", said)
                self.assertNotIn("outside", said)
                energies.append(self.column("after", "history.csv", "kinetic_energy")[0])
                flux = [self.column(result, "sections/across.csv", "flux")[place] for result, place in ((before, -1), ("after", 0))]
                self.assertLess(abs(flux[1] / flux[0] - 1), 1e-3)
            self.assertLess(np.ptp(energies), 1e-7 * energies[0])
        # An older one is taken where the newest is broken.
        newest = self.folder / alone / "checkpoint_000010.h5"
        newest.write_bytes(newest.read_bytes()[:-100])
        said = self.run_case(case.replace(f"{alone}/checkpoint_000010.h5", alone), "after")
        self.assertIn("t = 0.25 s\n", said)
        self.assertIn(f"  start    passed over {alone}/checkpoint_000010.h5: ", said)
        # A check in space reads it within a guard.
        (self.folder / "cube.geo").write_text(CUBE)
        self.run_case(DRIVEN.replace("periodic.geo", "cube.geo").format(
            size=0.2, method="exact", initial=f'result = "{alone}"', end=1, step=0.1), "found", command="check")

    def test_velocities_that_are_not_in_the_checkpoint_follow_from_the_fluxes(self):
        given = 'velocity = ["6*y*(1-y)", 0, 0]'
        line = "  start    before-alone/checkpoint_000010.h5: on inlet the velocity follows from the fluxes alone: that prescribed"
        for other, expected in ((given, False), ('flow_rate = 1\nprofile = "6*y*(1-y)"', True)):
            shutil.rmtree(self.folder / "before-alone", ignore_errors=True)
            self.run_case(self.stream().replace(given, other) + CHECKPOINT, "before")
            said = self.run_case(self.start(self.alone("before")), "after", ranks=2)
            self.assertEqual(line in said, expected, said)

    def test_fluid_sticks_to_walls_that_turn_with_a_zone(self):
        wheel = WHEEL.format(mesh=ROOT / "meshes" / "annulus.geo")
        self.run_case(wheel + CHECKPOINT, "before")
        velocities = []
        for source in ("before", self.alone("before")):
            said = self.run_case(wheel + f'[initial]\nresult = "{source}"\n', "after", "--set", "time.end=1e-6", ranks=2)
            self.assertNotIn("follows from the fluxes alone", said)
            velocities.append(output(self.folder / "after", 0)[1]["velocity"])
        self.assertLess(np.abs(velocities[1] - velocities[0]).max(), 1e-6)

    def test_scalars_are_those_of_the_checkpoint(self):
        self.run_case(self.stream() + CHECKPOINT, "before", ranks=2)
        said = self.run_case(self.start(self.alone("before")), "after", ranks=3)
        for name in ("velocity", "temperature", "dye"):
            self.assertIn(f"  start    {name} of before-alone", said)
        before, after = output(self.folder / "before", -1)[1], output(self.folder / "after", 0)[1]
        for name in ("temperature", "dye"):
            self.assertLess(np.abs(before[name] - after[name]).max(), 1e-12 * np.abs(before[name]).max())
        self.run_case(self.start("before"), "of-fields")
        of_fields = output(self.folder / "of-fields", 0)[1]["velocity"]
        self.assertLess(np.abs(after["velocity"] - of_fields).max(), 1e-4)

    def test_what_cannot_be_a_start_is_refused(self):
        (self.folder / "empty").mkdir()
        solids = (ROOT / "cases" / "conjugate-block" / "case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        self.run_case(solids + CHECKPOINT.replace("5", "1"), "solids", "--set", "time.end=0.02")
        drum = (ROOT / "cases" / "drum" / "case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        self.run_case(drum + CHECKPOINT.replace("5", "1"), "drum", "--set", "time.end=0.02", "--set", "mesh.size=0.3")
        broken = self.folder / "checkpoint_000001.h5"
        broken.write_bytes(b"nothing")
        for source, expected in (
                ("empty", "has no results: expected the folder of an earlier run, with fields.pvd, fields.vtkhdf or a "
                          "checkpoint_NNNNNN.h5"),
                ("nowhere", "no such folder: expected the result folder of an earlier run, or a file checkpoint_NNNNNN.h5"),
                (self.alone("solids"), "its fluxes are those of a part of its mesh, as beside solids: a flow starts from "
                                       "the `fields` of such a run, not from its checkpoint"),
                (self.alone("drum"), "is of a case without [flow]: a flow starts from the checkpoint of one"),
                (broken.name, "is no checkpoint")):
            said = self.run_case(self.start(source), "after", ranks=2, code=2)
            self.assertIn(expected, said)
            self.assertFalse((self.folder / "after").exists())
            self.assertIn(expected, self.run_case(self.start(source), "found", code=2, command="check"))

    def test_the_averages_of_both_halves_are_those_of_a_steady_flow(self):
        """u = (1, 0), p = 0, T = 300, dye = 2 on any mesh, and nothing of the variance."""
        def steady(text):
            for old, new in (('["6*y*(1-y)", 0, 0]', "[1, 0, 0]"), ('"300+10*y"', "300"), ('"y"', "2"),
                             ('[boundary.wall]\ntype = "wall"', '[boundary.wall]\ntype = "symmetry"')):
                self.assertIn(old, text)
                text = text.replace(old, new)
            return text + CHECKPOINT + AVERAGE.format(name="mean")
        start = 'velocity = [1, 0, 0]\ntemperature = 300\ndye = 2'
        for format in ("pvtu", "vtkhdf"):
            self.run_case(steady(self.stream(initial=start, format=format)), format, ranks=2)
        for source, ranks in (("pvtu", 1), ("vtkhdf", 2), (self.alone("pvtu"), 3)):
            said = self.run_case(steady(self.going_on(source, size=0.15)), "after", ranks=ranks)
            for name in ("velocity", "pressure", "temperature", "dye"):
                self.assertIn(f"  average  mean: {name} goes on from {source}, which has it from t = 0 s on\n", said)
            self.assertEqual(self.summary("after")["averages"]["mean"], {"samples": 21, "from": 0, "to": 1})
            found = self.averages("after")
            for name, expected in (("velocity_mean", (1, 0, 0)), ("temperature_mean", 300), ("dye_mean", 2)):
                self.assertLess(np.abs(found[name] - expected).max(), 1e-6 * np.max(expected), name)
            for name in ("velocity_variance", "velocity_covariance", "temperature_variance", "dye_variance"):
                self.assertLess(np.abs(found[name]).max(), 1e-9, name)

    def test_on_the_same_mesh_they_are_those_of_one_run(self):
        """A stream that grows: the halves differ, and have the weights of their times."""
        def growing(text):
            text = text.replace('["6*y*(1-y)", 0, 0]', '["(1+t)*6*y*(1-y)", 0, 0]').replace('"y"', '"10*t"')
            return text + CHECKPOINT + AVERAGE.format(name="mean")
        self.run_case(growing(self.stream(size=0.15, step=0.02, end=1.0)), "whole")
        self.run_case(growing(self.stream(size=0.15, step=0.02, end=0.4)), "part", ranks=2)
        whole = self.averages("whole")
        for source, ranks in (("part", 2), (self.alone("part"), 1)):
            self.run_case(growing(self.going_on(source, size=0.15, step=0.02)), "after", ranks=ranks)
            self.assertEqual(self.summary("after")["averages"], self.summary("whole")["averages"])
            found = self.averages("after")
            for name in NAMES:
                size = np.sqrt(np.mean(whole[name]**2))
                bar = 0.02 if name.endswith("_mean") else 0.1  # of the interpolation at the start of the second part
                self.assertLess(np.sqrt(np.mean((found[name] - whole[name])**2)), bar * size, name)
            # Without the first part there is another mean.
            self.run_case(growing(self.going_on(source, size=0.15, step=0.02)).replace('"mean"', '"other"'), "late")
            late = self.averages("late", "other")
            self.assertGreater(np.sqrt(np.mean((late["dye_mean"] - whole["dye_mean"])**2)), 0.2)

    def test_averages_that_cannot_go_on_begin_anew_and_say_why(self):
        on_patches = '[[average]]\nname = "wall"\nfields = ["velocity"]\npatches = ["wall"]\n'
        plain = AVERAGE.format(name="plain").replace("variance = true\n", "")
        self.run_case(self.stream() + plain + on_patches + AVERAGE.format(name="early"), "before")
        later = AVERAGE.format(name="early") + "from = 0.3\n"
        wanted = AVERAGE.format(name="plain") + on_patches + later + AVERAGE.format(name="new")
        said = self.run_case(self.going_on("before") + wanted, "after", ranks=2)
        for line in ("plain: velocity begins at t = 0.5 s: the samples so far have no variance",
                     "wall: velocity goes on from before, which has it from t = 0 s on",
                     "wall: wall_shear_on_patches begins at t = 0.5 s: before has none at nodes or in cells",
                     "early: dye begins at t = 0.5 s: that of before began before `from`, at t = 0 s",
                     "new: pressure begins at t = 0.5 s: before has none at nodes or in cells"):
            self.assertIn(f"  average  {line}\n", said)
        self.assertEqual(self.summary("after")["averages"]["new"], {"samples": 11, "from": 0.5, "to": 1})
        (self.folder / "before" / "summary.json").unlink()  # as of a run that was killed
        said = self.run_case(self.going_on("before") + plain, "after")
        self.assertIn("  average  plain: velocity begins at t = 0.5 s: before lacks summary.json, with the times of its averages, for "
                      "that run has not ended: give one of its checkpoints as `result`, or end it with --restart\n", said)
        # With a clock of its own a run has averages of its own.
        said = self.run_case(self.stream(initial='result = "before"') + plain, "after")
        self.assertNotIn("average  ", said)


if __name__ == "__main__":
    case_runs.main()
