"""What tools/packaging offers to clusters: scripts that bash takes, and that go on where a job's time ends."""

import ast
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PACKAGING = Path(__file__).resolve().parents[2] / "tools" / "packaging"
STUDY = PACKAGING / "slurm" / "scaling.sbatch"
JOBS = sorted(path for path in (PACKAGING / "slurm").glob("*.sbatch") if path != STUDY)
STAND_INS = """srun() { printf '%s\\n' "$*" >>srun.log; return "$CODE"; }
exec() { printf '%s\\n' "$*" >scontrol.log; exit 0; }
"""


class Slurm(unittest.TestCase):
    def job(self, script, code, *words):
        """Runs a job's script with a step that ends with this code; returns its exit code and errors."""
        text = STAND_INS + script.read_text()
        return subprocess.run(["bash", "-c", text, script.name, *words], capture_output=True, text=True, cwd=self.folder,
                              env={"PATH": "/usr/bin:/bin", "CODE": str(code), "SLURM_JOB_ID": "7"})

    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def test_shells_take_them(self):
        self.assertEqual([path.stem for path in JOBS], ["cpu", "gpu"])
        scripts = [*JOBS, STUDY, PACKAGING / "make-deb", PACKAGING / "try-deb"]
        for script in scripts:
            done = subprocess.run(["bash", "-n", script], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stderr), (0, ""))
        if shutil.which("shellcheck"):
            done = subprocess.run(["shellcheck", "--exclude=SC1091,SC2154", *scripts], capture_output=True, text=True)
            self.assertEqual((done.returncode, done.stdout), (0, ""))

    def test_the_signal_leaves_time_for_a_checkpoint(self):
        for script in JOBS:
            signal = re.search(r"^#SBATCH --signal=USR1@(\d+)$", script.read_text(), re.M)
            self.assertGreaterEqual(int(signal[1]), 120)
            self.assertIn("#SBATCH --requeue\n", script.read_text())

    def test_a_job_that_was_stopped_is_queued_again(self):
        for script in JOBS:
            done = self.job(script, 3, "case.toml", "out", "--set", "a=b c")
            self.assertEqual((done.returncode, done.stderr), (0, ""))
            self.assertRegex((self.folder / "srun.log").read_text(), r"solenoid run case\.toml --output out --set a=b c --restart\n$")
            self.assertEqual((self.folder / "scontrol.log").read_text(), "scontrol requeue 7\n")

    def test_other_ends_are_the_jobs(self):
        for script in JOBS:
            for code in (0, 1, 2, 137):
                self.assertEqual(self.job(script, code, "case.toml", "out").returncode, code)
            self.assertFalse((self.folder / "scontrol.log").exists())
            done = self.job(script, 0)
            self.assertNotEqual(done.returncode, 0)
            self.assertIn("which case?", done.stderr)


class Recipes(unittest.TestCase):
    def test_spacks_options_are_cmakes(self):
        text = (PACKAGING / "spack" / "packages" / "solenoid" / "package.py").read_text()
        ast.parse(text)
        root = PACKAGING.parents[1]
        known = (root / "CMakeLists.txt").read_text() + (root / "cmake" / "SolenoidProcessor.cmake").read_text()
        names = set(re.findall(r'"(SOLENOID_\w+)"', text))
        self.assertGreater(len(names), 4)
        for name in names:
            self.assertRegex(known, rf"(option|set)\({name} ")

    def test_the_image_calls_what_is_there(self):
        text = (PACKAGING / "apptainer" / "solenoid.def").read_text()
        for command in re.findall(r"^    (tools/\S+)", text, re.M):
            self.assertTrue((PACKAGING.parents[1] / command).is_file(), command)


if __name__ == "__main__":
    unittest.main()
