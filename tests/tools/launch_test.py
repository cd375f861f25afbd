"""How tools/measuring starts the program on ranks."""

import os
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


if __name__ == "__main__":
    unittest.main()
