"""tools/run, with stand-ins for all but mpirun: what it starts, and how a run is ended."""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
# A rank: writes down its words, and goes on for ever or ends with a code; upon SIGUSR1 it ends with 3, is deaf, or has
# not begun to listen.
SOLENOID = """#!/usr/bin/python3 -BS
import os, signal, sys, time
rank, how = os.environ.get("OMPI_COMM_WORLD_RANK", "0"), os.environ["FAKE"]
def stop(*_):
    os.write(1, b"interrupted\\n")
    os._exit(3)
if how != "early":
    signal.signal(signal.SIGUSR1, signal.SIG_IGN if how == "deaf" else stop)
with open("words-" + rank, "w") as file:
    file.write(" ".join(sys.argv[1:]))
if how.isdigit():
    sys.exit(int(how))
while True:
    time.sleep(0.02)
"""
SCRIPTS = {
    "tools/setup": "#!/bin/sh\n",
    "tools/plot": '#!/bin/sh\ntouch drawn\n',
    "build/cpu/bin/solenoid": SOLENOID,
    "bin/ninja": '#!/bin/sh\n[ "$FAKE" = build ] || echo "ninja: no work to do."\n',
    "bin/cmake": "#!/bin/sh\ntouch building\nexec sleep 3600\n",
    "bin/nvidia-smi": "#!/bin/sh\nexit 1\n",
}


@unittest.skipUnless(shutil.which("mpirun"), "there is no mpirun")
class Run(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        for name, text in {**SCRIPTS, "build/cpu/build.ninja": "", "cases/box/case.toml": 'title = "A box"\n',
                           "cases/box/compare.py": 'open("compared", "w")\n', "mixer/case.toml": ""}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        for name in ("run", "lib.sh"):
            shutil.copy(ROOT / "tools" / name, self.folder / "tools")

    def start(self, how, *words):
        environment = {"PATH": f"{self.folder}/bin:{os.environ['PATH']}", "FAKE": how, "SOLENOID_PRESET": "cpu"}
        return subprocess.Popen(
            ["tools/run", *words], cwd=self.folder, env={**os.environ, **environment}, text=True, start_new_session=True,
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
        )  # fmt: skip

    def wait_for(self, *names):
        while not all((self.folder / name).exists() for name in names):
            time.sleep(0.02)

    def left(self):
        return {name for name in ("drawn", "compared") if (self.folder / name).exists()}

    def answer(self, process):
        out, err = process.communicate()
        return process.returncode, out, err

    def test_a_run_is_compared_and_drawn(self):
        code, _, err = self.answer(self.start("0", "box", "-n", "1", "--", "--set", "time.end=1"))
        self.assertEqual((code, err), (0, ""))
        self.assertEqual((self.folder / "words-0").read_text(), "run cases/box/case.toml --set time.end=1 --output results/box")
        self.assertEqual(self.left(), {"drawn", "compared"})

    def test_a_folder_with_a_case_is_enough(self):
        code, out, err = self.answer(self.start("0", "mixer", "-n", "1"))
        self.assertEqual((code, out, err), (0, "", ""))  # built already: not a word
        self.assertEqual((self.folder / "words-0").read_text(), "run mixer/case.toml --output results/mixer")

    def test_a_failure_has_no_picture(self):
        self.assertEqual(self.answer(self.start("1", "box"))[0], 1)
        self.assertEqual(self.left(), set())

    def test_asked_to_end_every_rank_ends_its_step_and_the_picture_is_drawn(self):
        for asked in (signal.SIGINT, signal.SIGTERM):
            with self.subTest(signal=asked.name):
                process = self.start("on", "box")
                self.wait_for("words-0", "words-1")
                process.send_signal(asked)
                code, out, err = self.answer(process)
                self.assertEqual(code, 3)
                self.assertEqual(err, "tools/run: ending the run after this step; Ctrl-C again kills it\n")
                self.assertEqual(out, "interrupted\n" * 2)
                self.assertEqual(self.left(), {"drawn"})  # published data are of the end of a run
                for name in ("words-0", "words-1", "drawn"):
                    (self.folder / name).unlink()

    def test_asked_twice_it_is_killed(self):
        process = self.start("deaf", "box")
        self.wait_for("words-0", "words-1")
        process.send_signal(signal.SIGINT)
        self.assertEqual(process.stderr.readline(), "tools/run: ending the run after this step; Ctrl-C again kills it\n")
        process.send_signal(signal.SIGINT)
        code, _, err = self.answer(process)
        self.assertEqual(code, 130)
        self.assertEqual(err, "tools/run: killing the run\ntools/run: the run was killed; outputs that it had written are whole\n")
        self.assertEqual(self.left(), set())

    def test_before_the_first_step_it_simply_ends(self):
        process = self.start("early", "box")
        self.wait_for("words-0", "words-1")
        process.send_signal(signal.SIGINT)
        code, _, err = self.answer(process)
        self.assertEqual(code, 130)
        self.assertEqual(err, "tools/run: ending the run after this step; Ctrl-C again kills it\n"
                              "tools/run: the run was ended before its first step\n")
        self.assertEqual(self.left(), set())

    def test_ctrl_c_ends_the_build(self):
        process = self.start("build", "box")
        self.wait_for("building")
        os.killpg(process.pid, signal.SIGINT)  # as a terminal does it
        code, out, err = self.answer(process)
        self.assertEqual((code, out), (130, "Building (preset cpu) ...\n"))
        self.assertEqual(err, "\ntools/run: ended by Ctrl-C\n")


if __name__ == "__main__":
    unittest.main(argv=sys.argv)
