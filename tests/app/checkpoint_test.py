"""Checkpoints: a run that goes on from one is the run that was never interrupted, whatever happened to it."""

import argparse
import os
import random
import re
import shutil
import signal
import subprocess
import time
from pathlib import Path

import case_runs
from case_runs import ROOT

CAVITY = """title = "A lid that comes and goes"
[mesh]
file = "{mesh}"
size = {size}
[flow]
viscosity = {viscosity}
method = "{method}"
[time]
end = {end}
cfl = 0.8
[boundary.lid]
type = "wall"
velocity = ["sin(3*t)", "0", "0"]
[boundary.wall]
type = "wall"
[output]
every_steps = 7
{checkpoint}
[[probe]]
name = "inside"
points = [[0.3, 0.4, 0.5], [0.6, 0.7, 0.5]]
every_steps = 3
[[force]]
name = "lid"
patches = ["lid"]
every_steps = 2
[[average]]
name = "mean"
fields = ["velocity", "pressure"]
from = 0.1
variance = true
every_steps = 2
[[line]]
name = "middle"
from = [0.5, 0.1, 0.5]
to = [0.5, 0.9, 0.5]
points = 9
[[tracer]]
name = "dye"
points = [[0.3, 0.4, 0.5], [0.6, 0.7, 0.5], [0.5, 0.97, 0.5]]
release_every = 0.15
"""
PLATE = """title = "A plate that warms up"
[mesh]
file = "{mesh}"
size = 0.1
[heat]
conductivity = 1
heat_capacity = 1
[initial]
temperature = 0
[time]
end = 0.4
step = 0.02
[boundary.lid]
type = "temperature"
value = "sin(3*t)"
[boundary.wall]
type = "insulated"
[output]
every_steps = 7
{checkpoint}
"""
EVERY_TEN = "[checkpoint]\nevery_steps = 10\nkeep = 9"


def cavity(method="exact", dimension=2, checkpoint=EVERY_TEN, end=1.0, viscosity=0.01, size=0.1):
    mesh = ROOT / "meshes" / ("cavity-delaunay.geo" if dimension == 2 else "cube.geo")
    if dimension == 3:
        size = 3 * size
    text = CAVITY.format(mesh=mesh, method=method, checkpoint=checkpoint, end=end, viscosity=viscosity, size=size)
    return text if dimension == 3 else text.replace(", 0.5]", ", 0]")


def cells_of(path):
    """Of a table, without the seconds of the clock on the wall."""
    lines = path.read_text().splitlines()
    last = -1 if lines[0].split(",")[-1].startswith("wall_seconds") else None
    return [lines[0]] + [[float(cell) for cell in line.split(",")[:last]] for line in lines[1:]]


class Checkpoints(case_runs.CaseRuns):
    def words(self, ranks, case, result, *more):
        (self.folder / "case.toml").write_text(case)
        return case_runs.program(ranks, "run", "case.toml", "--no-report", "--output", result, *more)

    def run_case(self, ranks, case, result, *more, code=0):
        done = subprocess.run(self.words(ranks, case, result, *more), capture_output=True, text=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout + done.stderr

    def cut_short(self, whole, to, step):
        """A copy of a result as a run leaves it that was killed some steps after this checkpoint."""
        shutil.copytree(self.folder / whole, self.folder / to)
        for file in (self.folder / to).glob("checkpoint_*.h5"):
            if int(file.stem[11:]) > step:
                file.unlink()

    def assert_same(self, one, other, tolerance=0.0):
        """Tables, and the series of fields."""
        one, other = self.folder / one, self.folder / other
        tables = sorted(path.relative_to(one) for path in one.rglob("*.csv"))
        self.assertEqual(tables, sorted(path.relative_to(other) for path in other.rglob("*.csv")))
        self.assertEqual((one / "fields.pvd").read_text(), (other / "fields.pvd").read_text())
        if tolerance == 0:  # of fields and averages, and of tracers, too
            pieces = sorted(path.relative_to(one) for path in one.rglob("*.vt[up]"))
            self.assertEqual(pieces, sorted(path.relative_to(other) for path in other.rglob("*.vt[up]")))
            for piece in pieces:
                self.assertEqual((one / piece).read_bytes(), (other / piece).read_bytes(), piece)
        for table in tables:
            a, b = cells_of(one / table), cells_of(other / table)
            if tolerance == 0:
                self.assertEqual(a, b, table)
                continue
            self.assertEqual((a[0], len(a)), (b[0], len(b)), table)
            skipped = {k for k, name in enumerate(a[0].split(",")) if re.match("iterations|residual|max_div", name)}
            for row, same in zip(a[1:], b[1:]):
                for k, (x, y) in enumerate(zip(row, same)):
                    if k not in skipped:
                        self.assertLessEqual(abs(x - y), tolerance, f"{table} {row} {same}")

    def outcome_of(self, result):
        """What summary.json tells of the whole run, not of this start of the program."""
        summary = self.summary(result)
        return {key: summary.get(key) for key in ("divergence", "forces", "averages", "energy_budget")}

    def test_a_run_that_goes_on_is_the_whole_one_in_bits(self):
        plate = PLATE.format(mesh=ROOT / "meshes" / "cavity-delaunay.geo", checkpoint=EVERY_TEN)
        flows = {f"{method}, {dimension}D": cavity(method, dimension, end=2.0 if dimension == 2 else 0.8)
                 for method in ("exact", "classical") for dimension in (2, 3)}
        for number, (name, case) in enumerate({**flows, "heat": plate}.items()):
            for ranks in (1, 2):
                with self.subTest(case=name, ranks=ranks):
                    whole, again, plain = (f"{kind}-{number}-{ranks}" for kind in ("whole", "again", "plain"))
                    self.run_case(ranks, case.replace(EVERY_TEN, ""), plain)
                    self.run_case(ranks, case, whole)
                    self.assert_same(whole, plain)  # to write one changes nothing
                    self.cut_short(whole, again, 10)
                    said = self.run_case(ranks, case, again, "--restart")
                    self.assertRegex(said, r"goes on from .*checkpoint_000010.h5, step 10, t = ")
                    self.assertIn("step 11 is the one of the run before, in every bit\n", said)
                    self.assert_same(again, whole)
                    self.assertEqual(self.outcome_of(again), self.outcome_of(whole))

    def test_statistics_of_forces_are_those_of_the_whole_run(self):
        """The lift swings twice while the lid does once; half of these periods lie before the checkpoint."""
        case = cavity(end=18.0, checkpoint="[checkpoint]\nevery_steps = 100\nkeep = 9").replace("[time]", "[time]\nstep = 0.05")
        case = case.replace("cfl = 0.8\n", "").replace("every_steps = 7", "every_steps = 100")
        self.run_case(1, case, "whole")
        found = self.outcome_of("whole")["forces"]["lid"]
        self.assertAlmostEqual(found["frequency"], 2 * 3 / 6.283185307, delta=1e-3)
        for ranks, step in ((1, 300), (2, 200)):
            self.cut_short("whole", f"again-{step}", step)
            self.run_case(ranks, case, f"again-{step}", "--restart")
            again = self.outcome_of(f"again-{step}")["forces"]["lid"]
            self.assertEqual(again.keys(), found.keys())
            for name, value in found.items():
                self.assertAlmostEqual(again[name], value, delta=0 if ranks == 1 else 1e-4, msg=name)

    def test_goes_on_with_other_ranks(self):
        case = cavity("exact", 3, end=0.6) + "[solver.potential]\ntolerance = 1e-12\n[solver.pressure]\ntolerance = 1e-12\n"
        for before, after in ((1, 3), (4, 2), (3, 5)):
            with self.subTest(before=before, after=after):
                whole, again = f"whole-{before}", f"again-{before}"
                self.run_case(before, case, whole)
                self.cut_short(whole, again, 10)
                said = self.run_case(after, case, again, "--restart", "auto")
                self.assertRegex(said, r"step 11 is the one of the run before(, in every bit|.*it had \d ranks?)\n")
                self.assert_same(again, whole, 1e-10)

    def test_a_broken_one_is_skipped(self):
        case = cavity(end=2.0)
        self.run_case(1, case, "whole")
        self.cut_short("whole", "again", 30)
        newest, before = (self.folder / "again" / f"checkpoint_{step:06}.h5" for step in (30, 20))
        content = newest.read_bytes()
        newest.write_bytes(content[:len(content) // 2])
        (self.folder / "again" / "checkpoint_000040.h5").write_text("nothing of the kind")
        bits = bytearray(before.read_bytes())
        bits[len(bits) * 3 // 4] ^= 1
        before.write_bytes(bits)
        said = self.run_case(2, case, "again", "--restart")
        self.assertRegex(said, r"warning: skipped .*checkpoint_000040.h5: is no checkpoint, or not whole: ")
        self.assertRegex(said, r"warning: skipped .*checkpoint_000030.h5: is no checkpoint, or not whole: ")
        self.assertRegex(said, r"warning: skipped .*checkpoint_000020.h5: is broken: its content differs from that written")
        self.assertRegex(said, r"goes on from .*checkpoint_000010.h5")
        self.assert_same("again", "whole", 1e-7)
        self.assertRegex(self.run_case(1, case, "third", "--restart", "again/case.toml", code=2), "no such file")
        self.cut_short("whole", "fourth", 10)
        (self.folder / "fourth" / "checkpoint_000010.h5").write_text("")
        self.assertRegex(self.run_case(1, case, "fourth", "--restart", code=2), "fourth: no checkpoint there is whole")
        (self.folder / "text.h5").write_text("text")
        self.assertRegex(self.run_case(2, case, "third", "--restart", "text.h5", code=2), r"text.h5: is no checkpoint")

    def test_an_older_one_takes_the_run_back(self):
        self.run_case(1, cavity(end=2.0), "whole")
        self.cut_short("whole", "again", 30)
        self.run_case(1, cavity(end=2.0), "again", "--restart", "again/checkpoint_000010.h5")
        self.assert_same("again", "whole")
        shutil.copytree(self.folder / "whole", self.folder / "short")
        said = self.run_case(1, cavity(end=1.0), "short", "--restart", "short/checkpoint_000010.h5")
        self.assertIn("goes on from", said)
        steps = [int(file.stem[11:]) for file in (self.folder / "short").glob("checkpoint_*.h5")]
        self.assertEqual(max(steps), cells_of(self.folder / "short" / "history.csv")[-1][0])  # none of a later step
        self.run_case(1, cavity(checkpoint="[checkpoint]\nevery = 0.2\nkeep = 3", end=2.0), "few")
        steps = sorted(int(file.stem[11:]) for file in (self.folder / "few").glob("checkpoint_*.h5"))
        times = [row[1] for row in cells_of(self.folder / "few" / "history.csv")[1:]]
        self.assertEqual(len(steps), 3)
        self.assertEqual(steps[-1], len(times))
        self.assertTrue(times[steps[0] - 2] < 1.6 <= times[steps[0] - 1] + 1e-9)  # the first step there or beyond

    def test_says_what_is_otherwise(self):
        self.run_case(1, cavity(), "whole")
        case = cavity(viscosity=0.02, end=1.5)
        said = self.run_case(2, case, "other", "--restart", "whole/checkpoint_000010.h5")
        self.assertRegex(said, r"changed  flow\.viscosity is 0\.02, was 0\.01\n")
        self.assertRegex(said, r"changed  time\.end is 1\.5, was 1\.0\n")
        self.assertNotIn("of the run before", said)
        self.assertEqual(cells_of(self.folder / "other" / "history.csv")[1][0], 11)
        said = self.run_case(2, cavity(size=0.08), "third", "--restart", "whole/checkpoint_000010.h5", code=2)
        self.assertRegex(said, r"checkpoint_000010.h5: is of another mesh than .*cavity-delaunay.geo; ")
        said = self.run_case(1, cavity(end=0.2), "third", "--restart", "whole/checkpoint_000010.h5", code=2)
        self.assertRegex(said, r"is at t = .* s, where the case ends; to go on give `end`")
        said = self.run_case(1, cavity("classical"), "third", "--restart", "whole/checkpoint_000010.h5")
        self.assertRegex(said, r"warning: .*: has no .*flux.*: as at the start of a run")
        self.assertFalse((self.folder / "nowhere").exists())
        plain = cavity(checkpoint="")
        self.assertRegex(self.run_case(1, plain, "nowhere", "--restart"), "nowhere has no checkpoint: the run begins")
        self.assertRegex(self.run_case(2, plain, "nowhere", "--restart", code=2), "nowhere: a run that ended left no checkpoint")

    def test_takes_the_mesh_along(self):
        geometry = self.folder / "box.geo"
        for dimension in (2, 3):
            case = cavity(dimension=dimension, end=2.0 if dimension == 2 else 0.6)
            source = ROOT / "meshes" / ("cavity.geo" if dimension == 2 else "cube.geo")
            shutil.copy(source, geometry)
            case = re.sub('file = ".*"', f'file = "{geometry.name}"', case)
            whole, again = f"whole-{dimension}", f"again-{dimension}"
            self.run_case(2, case, whole)
            self.cut_short(whole, again, 10)
            geometry.unlink()  # a run from the start would say that it is not there
            said = self.run_case(2, case, again, "--restart")
            self.assertRegex(said, r"box.geo is not there: the mesh is the one in .*checkpoint_000010.h5\n")
            self.assertIn("step 11 is the one of the run before, in every bit\n", said)
            self.assert_same(again, whole)
            geometry.write_text("// another one\n" + source.read_text())
            said = self.run_case(2, case, again, "--restart", f"{whole}/checkpoint_000010.h5", code=2)
            self.assertRegex(said, r"checkpoint_000010.h5: is of another mesh than .*box.geo; ")

    def test_a_signal_leaves_one_to_go_on_from(self):
        case = cavity(checkpoint="", end=6.0, size=0.04)
        self.run_case(2, case, "whole")
        process = subprocess.Popen(self.words(2, case, "part"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   cwd=self.folder, stdin=subprocess.DEVNULL)
        history = self.folder / "part" / "history.csv"
        while process.poll() is None and not (history.exists() and history.read_text().count("\n") > 20):
            time.sleep(0.005)
        process.send_signal(signal.SIGUSR1)
        said = process.communicate()[0]
        self.assertEqual(process.returncode, 3, said)
        self.assertRegex(said, r"go on    the same command with --restart continues from checkpoint_\d+.h5\n")
        self.assertRegex(self.run_case(2, case, "part", "--restart"), "goes on from")
        for table in ("history.csv", "probes/inside.csv"):  # at the interruption there is an output more
            self.assertEqual(cells_of(self.folder / "part" / table), cells_of(self.folder / "whole" / table), table)

    def test_killed_at_any_moment(self):
        """Never more than one interval is lost, and nothing that is there cannot be read."""
        moments, interval = random.Random(case_runs.options.seed), 3
        case = cavity(checkpoint=f"[checkpoint]\nevery_steps = {interval}\nkeep = 2", end=4.0, size=0.08)
        begun = time.monotonic()
        self.run_case(2, case, "whole")
        seconds = time.monotonic() - begun
        history, lost, ended = self.folder / "part" / "history.csv", [], 0
        kills, most = 0, 10 * case_runs.options.kills
        # On a busy machine the first kills may all come before the first checkpoint, or after the end.
        while kills < case_runs.options.kills or not lost and kills < most:
            kills += 1
            before = len(cells_of(history)) - 1 if history.exists() else 0
            with open(self.folder / "said", "w") as said:
                process = subprocess.Popen(self.words(2, case, "part", "--restart"), stdout=said, stderr=said, cwd=self.folder,
                                           stdin=subprocess.DEVNULL, start_new_session=True)
                try:
                    process.wait(moments.uniform(0.3, 1.1) * seconds)
                except subprocess.TimeoutExpired:
                    # of the whole session: Open MPI puts each rank into a process group of its own
                    subprocess.run(["pkill", "-KILL", "-s", str(process.pid)], check=False)
                    process.wait()
            said = (self.folder / "said").read_text()
            self.assertNotIn("skipped", said)
            if found := re.search(r"goes on from .*, step (\d+)", said):
                lost.append(before - int(found[1]))
                self.assertLessEqual(lost[-1], interval, said)
            ended += process.returncode == 0
            if process.returncode == 0 or "where the case ends" in said:  # killed after the last step
                shutil.rmtree(self.folder / "part")
        self.assertGreater(len(lost), 0)
        print(f"{kills} runs, {kills - ended} killed, {len(lost)} went on, steps lost: {sum(lost)}, at most {max(lost)}")
        self.run_case(2, case.replace("end = 4.0", "end = 4.5"), "part", "--restart")
        self.run_case(2, case.replace("end = 4.0", "end = 4.5"), "longer")
        steps = [row[0] for row in cells_of(history)[1:]]
        self.assertEqual(steps, list(range(1, len(steps) + 1)))
        self.assertEqual([file.name for file in (self.folder / "part").rglob("*.part")], [])
        # the last steps to the end of the first run are other ones than those of a run that is meant to be longer
        self.assertLess(abs(cells_of(history)[-1][1] - cells_of(self.folder / "longer" / "history.csv")[-1][1]), 1e-12)

    def test_a_killed_rank_ends_the_job(self):
        case = cavity(checkpoint="[checkpoint]\nevery_steps = 5", end=40.0, size=0.04)
        process = subprocess.Popen(self.words(2, case, "part"), stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True,
                                   cwd=self.folder, stdin=subprocess.DEVNULL, start_new_session=True)
        while process.poll() is None and not list((self.folder / "part").glob("checkpoint_*.h5")):
            time.sleep(0.01)
        ranks = subprocess.run(["pgrep", "-s", str(process.pid), "-x", Path(case_runs.options.solenoid).name], capture_output=True,
                               text=True, check=True).stdout.split()
        self.assertEqual(len(ranks), 2)
        killed = time.monotonic()
        os.kill(int(ranks[1]), signal.SIGKILL)
        said = process.communicate(timeout=60)[0]
        self.assertLess(time.monotonic() - killed, 20)  # an idle machine takes one
        self.assertNotEqual(process.returncode, 0)
        self.assertRegex(said, r"exited on signal 9 \(Killed\)")
        self.assertIn("goes on from", self.run_case(2, case, "part", "--restart", "--dry-run"))

    def test_a_full_disk_leaves_the_last_whole_one(self):
        case = cavity(end=2.0, size=0.05)
        self.run_case(1, case, "whole")
        size = (self.folder / "whole" / "checkpoint_000010.h5").stat().st_size
        self.cut_short("whole", "part", 10)
        kept = (self.folder / "part" / "checkpoint_000010.h5").read_bytes()
        words = self.words(1, case, "part", "--restart")  # Open MPI's own files of several ranks are long
        limit = ["bash", "-c", f"trap '' XFSZ; ulimit -f {size // 2048}; exec \"$@\"", "-"]  # of each file, in KB
        done = subprocess.run(words[:3] + limit + words[3:], capture_output=True, text=True, cwd=self.folder,
                              stdin=subprocess.DEVNULL)
        self.assertEqual(done.returncode, 1, done.stdout + done.stderr)
        self.assertRegex(done.stdout + done.stderr, r"cannot be written")
        self.assertEqual((self.folder / "part" / "checkpoint_000010.h5").read_bytes(), kept)
        self.assertEqual([f.name for f in (self.folder / "part").glob("*.part")], [])


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--kills", type=int, default=8)
    parser.add_argument("--seed", type=int, default=1, help="of the moments of the kills")
    case_runs.main(parser)
