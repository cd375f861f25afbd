"""The file `control` in a result folder: what it asks for is done after the step, once, and never ends a run by mistake."""

import contextlib
import os
import shutil
import signal
import subprocess
import time

import case_runs
from case_runs import ROOT

CASE = f"""[mesh]
file = "{ROOT / "meshes" / "cavity.geo"}"
size = 0.04
[flow]
viscosity = 0.01
[time]
end = 1000
step = 0.001
[boundary.lid]
type = "wall"
velocity = [1, 0, 0]
[boundary.wall]
type = "wall"
[output]
every = 500
[[probe]]
name = "inside"
points = [[0.5, 0.5, 0]]
"""


def end_all(run):
    """Lets mpiexec end its ranks, which may be in groups of their own, and then ends what is left of its group."""
    for sign in (signal.SIGTERM, signal.SIGKILL):
        if run.poll() is not None:
            return
        os.killpg(run.pid, sign)
        with contextlib.suppress(subprocess.TimeoutExpired):
            run.wait(10)


class Control(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        self.result, self.control = self.folder / "result", self.folder / "result" / "control"
        (self.folder / "case.toml").write_text(CASE)

    def start(self, ranks, *more):
        if not more:
            shutil.rmtree(self.result, ignore_errors=True)
        words = case_runs.program(ranks, "run", "case.toml", "--no-report", "--output", "result", *more)
        with (self.folder / "said").open("w") as said:
            self.run_ = subprocess.Popen(words, stdout=said, stderr=subprocess.STDOUT, cwd=self.folder, stdin=subprocess.DEVNULL,
                                         start_new_session=True)
        self.addCleanup(end_all, self.run_)

    def wait_until(self, done):
        while self.run_.poll() is None and not done():
            time.sleep(0.01)
        self.assertIsNone(self.run_.poll(), "it ended")

    def said(self):
        return (self.folder / "said").read_text()

    def steps(self):
        history = self.result / "history.csv"
        return history.read_text().count("\n") if history.exists() else 0

    def ask(self, text):
        """Returns when the run has taken it."""
        self.control.write_text(text)
        self.wait_until(lambda: not self.control.exists())
        before = self.steps()
        self.wait_until(lambda: self.steps() > before + 1)

    def end(self, code):
        self.assertEqual(self.run_.wait(), code, self.said())
        return self.said(), self.summary("result")

    def test_writes_and_stops(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                self.start(ranks)
                self.wait_until(lambda: self.steps() > 5)
                self.ask("write  # now\n")
                shown = [path.stem for path in self.result.glob("fields_*.pvtu")]
                saved = [path.stem.split("_")[1] for path in self.result.glob("checkpoint_*.h5")]
                self.assertEqual(len(saved), 1)
                self.assertEqual(sorted(shown), ["fields_000000", f"fields_{saved[0]}"])
                self.control.write_text("stop")  # no end of line: the file may still be written
                said, summary = self.end(3)
                self.assertIn("control  write\n", said.replace("  # now", ""))
                self.assertRegex(said, r"Interrupted \(control file\) at t = ")
                self.assertRegex(said, r"go on    the same command with --restart continues from checkpoint_\d+.h5\n")
                self.assertEqual(summary["run"]["stopped_by"], "interrupted")
                self.assertFalse(self.control.exists())
                self.start(ranks, "--restart")
                self.wait_until(lambda: self.steps() > summary["run"]["steps"] + 3)
                self.control.write_text("stop\n")
                said, _ = self.end(3)
                self.assertIn(f"goes on from result/checkpoint_{summary['run']['steps']:06}.h5", said)

    def test_changes_the_end_and_the_outputs(self):
        self.start(2)
        self.wait_until(lambda: self.steps() > 5)
        every = round(self.steps() * 0.001 + 1)
        self.ask(f"every = {every}\nend = {3 * every}  # soon\n")
        said, summary = self.end(0)
        self.assertRegex(said, rf"Done at t = {3 * every} s")
        self.assertEqual((summary["case"]["time"]["end"], summary["case"]["output"]["every"]), (3 * every, every))
        self.assertIsNone(summary["case"]["output"]["every_steps"])
        shown = sorted(int(path.stem.split("_")[1]) for path in self.result.glob("fields_*.pvtu"))
        self.assertEqual(shown, [0, *(1000 * every * k for k in range(1, 4))])
        self.assertEqual((self.result / "probes" / "inside.csv").read_text().count("\n"), 2 + 3000 * every)  # a header, the start, a line a step

    def test_what_is_wrong_is_said_and_changes_nothing(self):
        self.start(1)
        self.wait_until(lambda: self.steps() > 5)
        self.control.write_text("stop\n")
        self.end(3)
        self.control.write_text("stop\n")
        (self.result / "history.csv").unlink()
        self.start(2, "--set", "time.step=0.002")
        self.wait_until(lambda: self.steps() > 300)
        self.assertTrue(self.control.exists())
        wrong = {
            "write\nstpo\n": r"control:2: found `stpo`, expected `write`, `stop`, `end = SECONDS` or `every = SECONDS`: did you mean `stop`\?; nothing",
            "stop = 1\n": r"control:1: `stop` stands alone, found `stop = 1`; nothing",
            "\nend = soon\n": r"control:2: `end`: found `soon`, expected a number of seconds greater than 0, as in `end = 2.5`; nothing",
            "every\n": r"control:1: `every`: found ``, expected a number",
            "end = 1e-6\n": r"control: `end` is 1e-06 s, but the run is at t = \S+ s: it continues; to stop it write `stop`",
            "every = 1e-9\n": r"control: `every` is 1e-09 s, expected at least 1e-05 s: it stays as it was",
            "#" * 5000 + "\n": r"control: is longer than 4095 bytes",
        }
        for text in list(wrong)[:-1]:
            self.ask(text)
        self.control.write_text(list(wrong)[-1])
        self.wait_until(lambda: "is longer than" in self.said())
        self.control.unlink()
        self.control.write_text("stop\n")
        said, _ = self.end(3)
        self.assertRegex(said, r"warning: result/control was there before the run and is ignored")
        for text, expected in wrong.items():
            self.assertRegex(said, expected, text)
        self.assertEqual([path.name for path in self.result.glob("checkpoint_*.h5")],
                         [f"checkpoint_{self.steps() - 1:06}.h5"])


if __name__ == "__main__":
    case_runs.main()
