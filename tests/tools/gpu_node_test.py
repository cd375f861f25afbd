"""tools/gpu-node: the figures that it reads from results, and their comparison with the last ones of a GPU."""

import json
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SUMMARY = {"run": {"steps": 4, "phases": "none"}, "mesh": {"cells": 242, "nodes": 142},
           "phases": {"read mesh": 0.2151, "set up": 2.5, "steps": 0.0145, "a tiny one": 8.9e-07}, "memory": {"cells": 7}}
HISTORY = "step [-],dt [s],wall_seconds [s]\n1,0.1,5\n2,0.1,6\n3,0.1,6.5\n4,0.1,6.6\n5,0.1,6.9\n"
BENCH = {"program": "solenoid", "results": [{"name": "cg/pressure/jacobi", "unknowns": 5, "seconds": 1.755e-05, "seconds_per_unknown": 1},
                                            {"name": "dot", "seconds": 2.5}]}


class GpuNode(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.folder = Path(scratch.name)

    def words(self, script):
        sources = "json_string() { printf '\"%s\"' \"$1\"; }; source tools/lib.sh; source tools/node/flows.sh; "
        done = subprocess.run(["bash", "-c", sources + script.replace("@", str(self.folder))], cwd=ROOT, capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.stdout

    def test_reads_summaries_and_histories(self):
        (self.folder / "summary.json").write_text(json.dumps(SUMMARY, indent=2))
        (self.folder / "history.csv").write_text(HISTORY)
        self.assertEqual(self.words("number_in @/summary.json mesh cells"), "242\n")
        self.assertEqual(self.words("number_in @/summary.json phases steps"), "0.0145\n")
        self.assertEqual(self.words("phases_in @/summary.json"), "set up 2.50 s, read mesh 0.22 s, steps 0.01 s, a tiny one 0.00 s\n")
        self.assertEqual(self.words("step_ms @/history.csv"), "300\n")  # of 500, 100 and 300 ms

    def test_compares_figures(self):
        (self.folder / "bench.json").write_text(json.dumps(BENCH, indent=2))
        self.words("add_figures_of_bench @/bench.json cube-43; add_figure 'a flow [ms]' 1.5; add_figure 'no number' ''; "
                   "write_figures @/new.json 'NVIDIA X' abc")
        new = json.loads((self.folder / "new.json").read_text())
        self.assertEqual(new, {"device": "NVIDIA X", "commit": "abc", "figures": {
            "cube-43 cg/pressure/jacobi [us]": 17.55, "cube-43 dot [us]": 2.5e6, "a flow [ms]": 1.5}})
        old = {"figures": {"cube-43 dot [us]": 2.2e6, "a flow [ms]": 1.4, "another": 1}}
        (self.folder / "old.json").write_text(json.dumps(old, indent=2))
        self.assertEqual(self.words("compare_figures @/old.json @/new.json"),
                         "  slower: cube-43 dot [us] 2.5e+06, was 2.2e+06\n2 figures beside the last ones of this device, "
                         "1 slower by more than 10 %\n")

    def test_knows_the_last_figures_of_a_device(self):
        last = json.loads(self.words("last_figures 'NVIDIA H200'"))
        self.assertEqual(last["device"], "NVIDIA H200")
        self.assertGreater(last["figures"]["exact cube-43 [ms a step]"], 0)
        self.assertEqual(self.words("last_figures 'NVIDIA Y'"), "")


if __name__ == "__main__":
    unittest.main()
