"""A run under tools/run that is ended by Ctrl-C: the last state is written, and drawn."""

import argparse
import json
import os
import re
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

options = None


class Interrupted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name).resolve()
        for name in ("cases", "meshes"):
            (self.folder / name).symlink_to(ROOT / name)
        for name, text in {"tools/setup": "", "bin/ninja": "echo 'ninja: no work to do.'\n", "build/cpu/build.ninja": ""}.items():
            (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
            (self.folder / name).write_text("#!/bin/sh\n" + text)
            (self.folder / name).chmod(0o755)
        for name in ("run", "plot", "lib.sh"):
            (self.folder / "tools" / name).write_bytes((ROOT / "tools" / name).read_bytes())
            (self.folder / "tools" / name).chmod(0o755)
        for name in ("common", "plotting"):
            (self.folder / "tools" / name).symlink_to(ROOT / "tools" / name)
        (self.folder / "build" / "cpu" / "bin").mkdir()
        (self.folder / "build" / "cpu" / "bin" / "solenoid").symlink_to(options.solenoid)

    def test_the_last_step_is_written_and_drawn(self):
        result = self.folder / "results" / "taylor-green"
        settings = ("mesh.size=0.1", "time.end=1e6", "output.every=1e6")
        process = subprocess.Popen(
            ["tools/run", "taylor-green", "--", *(word for setting in settings for word in ("--set", setting))],
            cwd=self.folder, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env={**os.environ, "PATH": f"{self.folder}/bin:{os.environ['PATH']}", "SOLENOID_PRESET": "cpu"},
            preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),  # ignored where tests run in the background
        )  # fmt: skip
        history = result / "history.csv"
        while process.poll() is None and not (history.exists() and history.read_text().count("\n") > 3):
            time.sleep(0.02)
        process.send_signal(signal.SIGINT)
        out, err = process.communicate()
        self.assertEqual(process.returncode, 3, out + err)
        self.assertIn("tools/run: ending the run after this step", err)
        self.assertIn("nterrupted", out)
        steps = read_table(history)["time"].values
        summary = json.loads((result / "summary.json").read_text())
        self.assertEqual(summary["run"]["steps"], len(steps))
        written = [float(time) for time in re.findall(r'timestep="([^"]+)"', (result / "fields.pvd").read_text())]
        self.assertAlmostEqual(written[-1] / steps[-1], 1, places=6)
        self.assertTrue((result / "taylor-green.png").is_file())


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
