"""What a run shows on a terminal, elsewhere, and in run.log; and what a dry run does."""

import os
import pty
import re
import subprocess

import case_runs
from case_runs import ROOT

CAVITY = ROOT / "cases" / "cavity" / "case.toml"
COARSE = ["--set", "mesh.size=0.05", "--set", "time.end=4", "--set", "output.every=2"]


def command(ranks, *words):
    return [case_runs.options.mpiexec, "--quiet", "-n", str(ranks), case_runs.options.solenoid, *map(str, words)]


def on_a_terminal(words):
    """Runs the words with a terminal for screen; returns exit code and all that was sent to it."""
    main, screen = pty.openpty()
    process = subprocess.Popen(words, stdin=subprocess.DEVNULL, stdout=screen, stderr=screen, cwd=ROOT,
                               env={**os.environ, "TERM": "xterm"})
    os.close(screen)
    sent = b""
    while True:
        try:
            sent += os.read(main, 65536)
        except OSError:  # the other end was closed
            break
    os.close(main)
    return process.wait(), sent.decode()


def piped(words):
    done = subprocess.run(words, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
    return done.returncode, done.stdout, done.stderr


class Screen(case_runs.CaseRuns):
    def setUp(self):
        super().setUp()
        self.output = self.folder / "run"

    def run_words(self, ranks, *more):
        return command(ranks, "run", CAVITY, "--output", self.output, *COARSE, *more)

    def test_a_terminal_has_one_live_line_that_the_log_does_not_keep(self):
        for ranks in (1, 2):
            with self.subTest(ranks=ranks):
                code, sent = on_a_terminal(self.run_words(ranks))
                self.assertEqual(code, 0, sent)
                live = re.findall(r"step \d+  t [\d.e+-]+/4 s  (?:(?:< |about )[^l]+ left  )?CFL \d\.\d\d  \d+ it  max\|div U\| \S+"
                                  r"(?:  change \S+ 1/s)?(?=\r\x1b\[K)", sent)  # taken away again: not a line that stays
                self.assertGreaterEqual(len(live), 1, sent)
                log = (self.output / "run.log").read_text()
                self.assertNotIn("\r", log)
                self.assertNotIn("\x1b", log)
                # What stays on the screen is what the log holds, but for the notes that are the log's alone.
                kept = [line.split("\x1b[K")[-1].rstrip() for line in sent.replace("\r\n", "\n").split("\n")]
                self.assertEqual([line for line in kept if line and line not in log], [], sent)

    def test_elsewhere_there_are_plain_lines(self):
        code, out, err = piped(self.run_words(2))
        self.assertEqual((code, err), (0, ""))
        self.assertNotIn("\r", out)
        self.assertNotIn("\x1b", out)
        self.assertEqual(len(re.findall(r"^step .* written$", out, re.M)), 2, out)
        log = (self.output / "run.log").read_text().splitlines()
        self.assertIn(" run ", log[3])  # with the line before it where the run comes from: the log's alone
        self.assertEqual(log[:2] + log[4:], out.splitlines())

    def test_the_end_tells_time_by_phase_and_where_the_results_are(self):
        _, out, _ = piped(self.run_words(1))
        tail = out[out.index("\nDone at t = 4 s after"):]
        self.assertRegex(tail, r"\n  time     .* ms a step, .* us a step and cell\n .*steps [^(]+ \(\d+ %\)")
        self.assertRegex(tail, r"\n  memory   at most \d+ MB a rank\n")
        self.assertIn(f"\n  results  {self.output}: fields.pvd opens in ParaView", tail)

    def test_quiet_prints_nothing(self):
        self.assertEqual(piped(self.run_words(2, "--quiet")), (0, "", ""))

    def test_a_dry_run_sets_everything_up_and_leaves_nothing(self):
        code, out, err = piped(self.run_words(3, "--dry-run"))
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"\n  steps    the first one [\d.e-]+ s long; about \d+ of this length to t = 4 s\n")
        self.assertFalse(self.output.exists())
        _, out, _ = piped(self.run_words(1, "--dry-run", "--set", "output.every=", "--set", "output.times=[1e-6]"))
        self.assertRegex(out, r"the first one 1e-06 s long, cut from 0.02\d* s; about 1\d\d of this length")

    def test_a_dry_run_finds_what_a_run_would(self):
        for words, fault in [(["--set", "boundary.lid.velocity=[0,1,0]"], "is not along the wall"),
                             (["--output", ROOT / "src"], "files that Solenoid did not make")]:
            code, _, err = piped(command(2, "run", CAVITY, *COARSE, "--dry-run", *words))
            self.assertEqual(code, 2)
            self.assertIn(fault, err)


if __name__ == "__main__":
    case_runs.main()
