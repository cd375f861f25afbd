"""How tools/measuring, and the tests, start the program on ranks."""

import os
import signal
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from measuring import launch  # noqa: E402


class Launchers(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        before = dict(os.environ)
        self.addCleanup(lambda: (os.environ.clear(), os.environ.update(before)))
        for name in [name for name in os.environ if name.startswith(("SLURM_", "OMPI_", "OMP_"))]:
            del os.environ[name]

    def put(self, *names):
        """A folder in front of PATH with these programs."""
        folder = self.folder / "-".join(names)
        folder.mkdir()
        for name in names:
            (folder / name).write_text("#!/bin/sh\n")
            (folder / name).chmod(0o755)
        os.environ["PATH"] = f"{folder}:/usr/bin:/bin"

    def test_srun_in_an_allocation_only(self):
        self.put("mpirun", "srun")
        self.assertEqual(launch.find_launcher().words, ["mpirun"])
        os.environ["SLURM_JOB_ID"] = "17"
        self.assertEqual(launch.find_launcher().words, ["srun"])
        given = launch.find_launcher("mpirun -x A")
        self.assertEqual(given.command(3, "p", "bench"), ["mpirun", "-x", "A", "-n", "3", "p", "bench"])

    def test_more_ranks_than_cores(self):
        self.put("mpirun", "srun")
        mpirun = launch.find_launcher("mpirun")
        many = launch.count_cores() + 1
        self.assertEqual(mpirun.environment(many)["OMPI_MCA_rmaps_base_oversubscribe"], "1")
        self.assertNotIn("OMPI_MCA_rmaps_base_oversubscribe", mpirun.environment(1))
        self.assertEqual(mpirun.environment(1)["OMP_NUM_THREADS"], "1")
        for words in ("srun", "mpirun --hostfile hosts"):
            self.assertNotIn("OMPI_MCA_rmaps_base_oversubscribe", launch.find_launcher(words).environment(many))


class MpiexecOfTheTests(unittest.TestCase):
    MPIEXEC = ROOT / "tests" / "support" / "mpiexec"

    def start(self, *words, **variables):
        """Runs it with a stand-in for mpiexec that runs the words after `--`, or prints its environment."""
        given = {name: value for name, value in os.environ.items() if not name.startswith(("OMPI_", "OMP_"))}
        with tempfile.TemporaryDirectory() as folder:
            stand_in = Path(folder) / "stand-in"
            stand_in.write_text('#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done\nshift\nexec "${@:-env}"\n')
            stand_in.chmod(0o755)
            return subprocess.run([self.MPIEXEC, *map(str, words)], env={**given, "MPIEXEC": str(stand_in), **variables},
                                  capture_output=True, text=True, stdin=subprocess.DEVNULL)

    def test_ranks_yield_to_each_other_only_where_they_are_more_than_the_cores(self):
        cores = launch.count_cores()
        for ranks, expected in (1, False), (cores, False), (cores + 1, True):
            said = self.start("--quiet", "-n", ranks, "--").stdout.split("\n")
            self.assertEqual("OMPI_MCA_rmaps_base_oversubscribe=1" in said, expected)
            self.assertIn("OMPI_MCA_hwloc_base_binding_policy=none", said)

    def test_what_spins_for_ever_ends_by_its_processor_time(self):
        done = self.start("-n", 1, "--", "bash", "-c", "while :; do :; done", SOLENOID_TEST_SECONDS="1")
        self.assertEqual(done.returncode, -signal.SIGKILL)

    def test_what_sleeps_is_not_late(self):
        self.assertEqual(self.start("-n", 1, "--", "sleep", "1.5", SOLENOID_TEST_SECONDS="1").returncode, 0)


if __name__ == "__main__":
    unittest.main()
