"""tools/scaling on a program that answers from a simple model: its numbers, the sizes it asks for, its refusals."""

import csv
import json
import os
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
SCALING = ROOT / "tools" / "scaling"
sys.path.insert(0, str(ROOT / "tools"))
from measuring import model, scaling  # noqa: E402
from plotting import interpreter  # noqa: E402

LAUNCHER = """#!/bin/sh
[ "$1" = -n ] || exit 99
export FAKE_RANKS=$2
shift 2
exec "$@"
"""

# cg: 1 us per thousand cells of a rank, and per rank more than one 10 us for the halo and 20 us for the sum. Repeats
# take 1, 3 and 1.5 times as long. FAKE_FAIL_ON: number of ranks and what happens there. FAKE_SEES: ranks it counts.
PROGRAM = f"""#!{sys.executable}
import json, os, sys, time
ranks, arguments = int(os.environ["FAKE_RANKS"]), sys.argv[2:]
with open(os.environ["FAKE_LOG"], "a") as log:
    print(ranks, *arguments, file=log)
repeats = sum(line.startswith(f"{{ranks}} ") for line in open(os.environ["FAKE_LOG"]))
fail_on, _, how = os.environ.get("FAKE_FAIL_ON", "0:").partition(":")
if int(fail_on) == ranks:
    if how == "sleep":
        time.sleep(3600)
    print("half a table")
    print("error: the device is gone", file=sys.stderr)
    sys.exit(int(how))
value = {{o: v for o, v in zip(arguments, arguments[1:]) if o.startswith("--")}}
names = arguments[: min(arguments.index(option) for option in value)]
n = int(value.get("--square") or value.get("--cube") or 10)
refine = int(value.get("--refine", 0))
cells = 6 * n**3 * 8**refine if "--cube" in value else 2 * n**2 * 4**refine
slow = [1.0, 3.0, 1.5][(repeats - 1) % 3]
sent = {{"allreduce": 2e-5 * (ranks - 1)}}
def seconds(name):
    if name == "allreduce":
        return sent["allreduce"] * slow
    if name.startswith("halo/"):
        return 1e-5 * (ranks - 1) * slow
    return (1e-9 * cells / ranks + 3e-5 * (ranks - 1)) * slow
results = [{{"name": name, "unknowns": cells, "seconds": seconds(name), "bytes_per_unknown": 8.0}}
           for name in names if name != "triad"]
found = {{"triad_bytes_per_second": 1e10 * ranks, "ranks": int(os.environ.get("FAKE_SEES", ranks)), "backend": "cpu",
         "device": "model", "setup": {{"mesh": 0.25, "partition": 0.5}}, "refinements": refine,
         "setup_phases": {{"distribute": 0.5}}, "setup_bytes_max_rank": 700 * cells // ranks + 5000000,
         "setup_bytes": 800 * cells,
         "mesh": {{"name": "unit", "dimension": 3 if "--cube" in value else 2, "cells": cells, "faces": 0, "edges": 0,
                  "nodes": 0}},
         "partition": {{"cells_min": cells // ranks - 1, "cells_max": cells // ranks + cells // 100,
                       "cut_faces": 7 * (ranks - 1), "halo_cells": cells // 20 * (ranks - 1)}}, "results": results}}
if os.environ.get("FAKE_LACKS"):
    del found[os.environ["FAKE_LACKS"]]
json.dump(found, open(value["--json"], "w"))
"""


class WithFakeProgram(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.log, self.output = self.folder / "log", self.folder / "study"
        for name, text in (("launcher", LAUNCHER), ("solenoid", PROGRAM)):
            (self.folder / name).write_text(text)
            (self.folder / name).chmod(0o755)
        for name in ("a.msh", "b.msh"):
            (self.folder / name).touch()

    def command(self, *arguments):
        own = ["--launcher", self.folder / "launcher", "--solenoid", self.folder / "solenoid", "--output", self.output]
        return [sys.executable, "-B", str(SCALING), *map(str, [*arguments, *own])]

    def environment(self, **variables):
        return {**os.environ, "FAKE_LOG": str(self.log), **variables}

    def measure(self, *arguments, picture=False, **variables):
        """Exit code, output, standard error."""
        command = self.command(*arguments, *[] if picture else ["--no-picture"])
        done = subprocess.run(command, capture_output=True, text=True, env=self.environment(**variables))
        return done.returncode, done.stdout, done.stderr

    def rows(self):
        study = json.loads((self.output / "scaling.json").read_text())
        return [row for series in study["series"] for row in series["rows"]]

    def asked(self):
        return [line.split() for line in self.log.read_text().splitlines()]


class Numbers(WithFakeProgram):
    def test_strong(self):
        """20 000 cells: 20 us on one rank, 10 + 30 on two; times the median of 1, 3, 1.5."""
        arguments = ["--square", 100, "--ranks", 2, 1, "--names", "cg/pressure/jacobi", "gradient", "axpy"]
        code, out, err = self.measure(*arguments)
        self.assertEqual(code, 0, err)
        self.assertEqual(len(self.asked()), 6)
        for line in self.asked():
            names = line[1 : line.index("--square")]
            self.assertEqual(names, ["cg/pressure/jacobi", "gradient", "axpy", "halo/cells", "allreduce", "triad"])
        one, two = self.rows()
        self.assertEqual([one["ranks"], two["ranks"]], [1, 2])
        self.assertAlmostEqual(two["balance"], 2 * (10000 + 200) / 20000 - 1)
        self.assertAlmostEqual(two["halo_share"], 0.05)
        self.assertEqual((two["cut_faces"], two["setup_seconds"]), (7, 0.75))
        cg, gradient, axpy = two["results"]
        self.assertAlmostEqual(cg["seconds"], 1.5 * 4e-5)
        self.assertAlmostEqual(cg["seconds_per_unknown"], 1.5 * 4e-5 / 20000)
        self.assertAlmostEqual(cg["speed_up"], 0.5)
        self.assertAlmostEqual(cg["efficiency"], 0.25)
        self.assertAlmostEqual(cg["bandwidth_fraction"], 8 * 20000 / (1.5 * 4e-5) / 2e10)
        self.assertAlmostEqual(cg["communication_share"], (10 + 20) / 40)
        self.assertAlmostEqual(gradient["communication_share"], 10 / 40)
        self.assertIsNone(axpy["communication_share"])
        self.assertEqual([result["efficiency"] for result in one["results"]], [1, 1, 1])

        self.assertIn("strong, square 100, 1 rank, repeat 1/3 ...", out)
        self.assertIn("strong, square 100, 2 ranks, repeat 3/3 ...", out)
        lines = [line.split() for line in out.splitlines()]
        # mesh, cells, ranks, least, most, balance, cut, halo; set-up: seconds, MB a rank, bytes a cell
        self.assertIn("square 100 20000 1 19999 20200 1.0 % 0 0.0 % 0.75 19 800".split(), lines)
        self.assertIn("square 100 20000 2 9999 10200 2.0 % 7 5.0 % 0.75 12 800".split(), lines)
        self.assertIn("square 100 2 6e-05 3 0.50 25.0 % 13.3 % 75.0 %".split(), lines)
        self.assertIn("square 100 2 6e-05 3 0.50 25.0 % 13.3 % -".split(), lines)

        with open(self.output / "scaling.csv", newline="") as file:
            table = list(csv.DictReader(file))
        self.assertEqual(len(table), 6)
        found = table[3]
        self.assertEqual((found["mesh"], found["ranks [-]"], found["name"]), ("square 100", "2", "cg/pressure/jacobi"))
        self.assertAlmostEqual(float(found["time_per_unknown [ns]"]), 3)
        self.assertAlmostEqual(float(found["slowest [s]"]) / float(found["fastest [s]"]), 3)
        self.assertAlmostEqual(float(found["efficiency [-]"]), 0.25)
        self.assertFalse((self.output / "run.json").exists())

    def test_picture(self):
        if interpreter.missing_packages() and not interpreter.system_python_has_packages():
            self.skipTest("no matplotlib")
        nothing = ("strong", "--square", 10, "--names", "allreduce")  # no speed-up: on one rank it takes no time
        modelled = ("weak", "--cube", 3, "--refine", 1, "--model", 8, 64)
        for words in (("strong", "--square", 10, 20), ("weak", "--cube", 3), modelled, nothing):
            with self.subTest(words=words):
                code, out, err = self.measure(*words, "--ranks", 1, 2, "--repeats", 1, picture=True)
                self.assertEqual((code, err), (0, ""))
                self.assertIn(b"<svg", (self.output / "scaling.svg").read_bytes())
                picture = self.output / "scaling.png"
                self.assertIn(f"picture: {picture}", out)
                self.assertEqual(picture.read_bytes()[:8], b"\x89PNG\r\n\x1a\n")

    def test_weak_counts_the_cells_there_are(self):
        code, _, err = self.measure("weak", "--square", 10, "--ranks", 1, 2, 4, "--repeats", 1, "--names", "dot")
        self.assertEqual(code, 0, err)
        rows = self.rows()
        self.assertEqual([row["mesh"] for row in rows], ["square 10", "square 14", "square 20"])
        self.assertEqual([row["cells"] for row in rows], [200, 392, 800])
        for row in rows:
            ranks, cells, result = row["ranks"], row["cells"], row["results"][0]
            time_of_rank = 1e-9 * cells / ranks + 3e-5 * (ranks - 1)
            self.assertAlmostEqual(result["efficiency"], (cells / ranks / time_of_rank) / (200 / 2e-7))
            self.assertAlmostEqual(result["speed_up"], ranks * result["efficiency"])
            self.assertAlmostEqual(result["communication_share"], 2e-5 * (ranks - 1) / time_of_rank)
        self.assertEqual([scaling.weak_size("cube", 10, ranks) for ranks in (1, 2, 8, 27)], [10, 13, 20, 30])

    def test_weak_takes_a_file_for_each_number_of_ranks(self):
        files = [self.folder / "a.msh", self.folder / "b.msh"]
        code, _, err = self.measure("weak", "--ranks", 4, 1, "--mesh", *files, "--repeats", 1)
        self.assertEqual(code, 0, err)
        asked = {line[0]: line[line.index("--mesh") + 1] for line in self.asked()}
        self.assertEqual(asked, {"4": str(files[0]), "1": str(files[1])})
        self.assertEqual([row["mesh"] for row in self.rows()], ["b", "a"])

    def test_refined_meshes_come_from_small_ones(self):
        code, _, err = self.measure("weak", "--cube", 6, "--refine", 1, "--ranks", 1, 2, 8, 16, "--repeats", 1)
        self.assertEqual(code, 0, err)
        asked = [(line[0], line[line.index("--cube") + 1], line[line.index("--refine") + 1]) for line in self.asked()]
        self.assertEqual(asked, [("1", "6", "1"), ("2", "8", "1"), ("8", "6", "2"), ("16", "8", "2")])
        rows = self.rows()
        self.assertEqual([row["mesh"] for row in rows], ["cube 6 / 2", "cube 8 / 2", "cube 6 / 4", "cube 8 / 4"])
        self.assertEqual(rows[2]["cells"], 8 * rows[0]["cells"])
        self.assertEqual([row["refinements"] for row in rows], [1, 1, 2, 2])
        self.assertEqual(rows[3]["setup_phases"], {"distribute": 0.5})
        self.assertEqual(rows[3]["setup_bytes_per_cell"], 800)
        self.log.unlink()
        code, _, err = self.measure("strong", "--square", 10, "--refine", 3, "--ranks", 1, 2, "--repeats", 1)
        self.assertEqual(code, 0, err)
        self.assertEqual({line[line.index("--refine") + 1] for line in self.asked()}, {"3"})
        self.log.unlink()
        words = ("weak", "--mesh", self.folder / "a.msh", "--refine", 0, 1, "--ranks", 8, 1, "--repeats", 1)
        code, _, err = self.measure(*words)
        self.assertEqual(code, 0, err)
        self.assertEqual({line[0]: "--refine" in line for line in self.asked()}, {"8": False, "1": True})

    def test_the_model_is_named_and_adds_up(self):
        names = ("--names", "cg/pressure/jacobi", "dot")
        words = ("--cube", 10, "--ranks", 1, 2, "--repeats", 1, *names, "--model", 8, 512)
        for kind in ("weak", "strong"):
            code, out, err = self.measure(kind, *words)
            self.assertEqual(code, 0, err)
            self.assertIn("A model, no measurement: H200: triad 4.36 TB/s", out)
            rows = json.loads((self.output / "scaling.json").read_text())["model"]["rows"]
            self.assertEqual([row["ranks"] for row in rows], [1, 8, 512, 1, 8, 512])
            machine = model.MACHINES["h200"]
            for row in rows[:3]:
                ranks = row["ranks"]
                cells = 6000 * (ranks if kind == "weak" else 1)
                self.assertEqual(row["cells"], cells)
                memory = 8.0 * cells / ranks / (0.75 * machine.triad)
                self.assertAlmostEqual(row["parts"]["memory"], memory, delta=1e-12)
                own = (cells / ranks / 6) ** (1 / 3)
                messages = machine.latency + (min(ranks - 1, 13) - 1) * machine.gap
                halo = machine.wait + messages + 8 * 36 * own**2 / machine.bandwidth
                self.assertAlmostEqual(row["parts"]["halo"], halo if ranks > 1 else 0, delta=1e-12)
                sums = machine.wait + 2 * {1: 0, 8: 3, 512: 9}[ranks] * machine.latency
                self.assertAlmostEqual(row["parts"]["sums"], sums if ranks > 1 else 0, delta=1e-12)
                self.assertAlmostEqual(row["seconds"], sum(row["parts"].values()), delta=1e-12)
            rate = [row["cells"] / row["seconds"] / row["ranks"] for row in rows[:3]]
            self.assertAlmostEqual(rows[2]["efficiency"], rate[2] / rate[0])
            self.assertLess(rows[2]["efficiency"], rows[2]["efficiency_overlapped"])
            self.assertLess(rows[2]["efficiency_overlapped"], 1)
            with open(self.output / "scaling.csv", newline="") as file:
                modelled = [row for row in csv.DictReader(file) if row["scaling"] == f"{kind} (model)"]
            self.assertEqual([row["ranks [-]"] for row in modelled], ["1", "8", "512"] * 2)
            self.assertAlmostEqual(float(modelled[2]["median [s]"]), rows[2]["seconds"])
            self.assertAlmostEqual(float(modelled[2]["efficiency [-]"]), rows[2]["efficiency"])

    def test_what_is_compared_with_what(self):
        for name, parts in [
            ("cg/heat/none", ["halo/nodes", "allreduce"]),
            ("cg/curl-curl/jacobi", ["halo/edges", "allreduce"]),
            ("cg/momentum/jacobi", ["halo/faces", "allreduce"]),
            ("product/pressure", ["halo/cells"]),
            ("divergence", ["halo/faces"]),
            ("curl", ["halo/edges"]),
            ("max", ["allreduce"]),
            ("boundary", None),
        ]:
            self.assertEqual(scaling.communication(name), parts)


class Refusals(WithFakeProgram):
    def test_wrong_options_end_with_code_2_before_any_run(self):
        for words, expected in [
            ([], "one of the arguments --square --cube --mesh --draw is required"),
            (["string", "--cube", 4], "'string': expected strong or weak"),
            (["--cube", 4, "--square", 4], "not allowed with argument"),
            (["--cube", "4,8"], "'4,8': expected positive whole numbers with blanks between"),
            (["--cube", 4, "--ranks", 1, 0], "'0': expected positive whole numbers"),
            (["--cube", 4, "--ranks", 2, 2], "give each number of ranks once"),
            (["--cube", 4, "--timeout", 0], "expected a positive number of seconds"),
            (["--mesh", "no.msh"], "--mesh no.msh: no such file"),
            (["weak", "--mesh", self.folder / "a.msh", "--ranks", 1, 2], "takes one for each number of ranks"),
            (["--cube", 4, "--refine", "x"], "'x': expected positive whole numbers"),
            (["--cube", 4, "--refine", 1, 2], "--refine: give one number"),
            (["--cube", 4, "--machine", "abacus"], "invalid choice"),
            (["--draw", self.folder / "nowhere"], "scaling.json: cannot be drawn (No such file"),
        ]:
            with self.subTest(words=words):
                code, _, err = self.measure(*words)
                if "--draw" in words and code == 1:
                    continue  # no matplotlib
                self.assertEqual(code, 2, err)
                self.assertIn(expected, err)
        self.assertFalse(self.log.exists())

    def test_missing_program_and_launcher(self):
        for option, expected in (("--solenoid", "there is no such program"), ("--launcher", "on PATH; e.g. mpirun")):
            command = [*self.command("--cube", 4), option, str(self.folder / "none")]
            done = subprocess.run(command, capture_output=True, text=True, env=self.environment())
            self.assertEqual(done.returncode, 2)
            self.assertIn(expected, done.stderr)

    def test_a_failing_run_ends_all_with_its_code(self):
        code, out, err = self.measure("--cube", 4, "--ranks", 1, 2, 4, "--repeats", 2, FAKE_FAIL_ON="2:3")
        self.assertEqual(code, 3)
        self.assertIn("strong, cube 4, 2 ranks, repeat 1/2 failed:\nerror: the device is gone\n", err)
        self.assertNotIn("Traceback", err)
        self.assertEqual([line[0] for line in self.asked()], ["1", "1", "2"])
        self.assertEqual([row["ranks"] for row in self.rows()], [1])
        self.assertIn("the rows so far", out)

    def test_names_that_the_program_refuses(self):
        code, _, err = self.measure("--cube", 4, "--names", "gradiant", FAKE_FAIL_ON="1:2")
        self.assertEqual(code, 2)
        self.assertIn("gradiant: did you mean gradient", err)
        self.assertFalse((self.output / "scaling.json").exists())

    def test_runs_that_do_not_end(self):
        start = time.monotonic()
        code, _, err = self.measure("--cube", 4, "--timeout", 0.5, FAKE_FAIL_ON="1:sleep")
        self.assertEqual(code, 1)
        self.assertIn("no end after 0.5 s; allow more by --timeout", err)
        self.assertLess(time.monotonic() - start, 600)

    def test_a_signal_ends_the_run_too(self):
        command = self.command("--cube", 4)
        process = subprocess.Popen(
            command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
            env=self.environment(FAKE_FAIL_ON="1:sleep"),
        )  # fmt: skip
        while not self.log.exists():
            time.sleep(0.02)
        process.send_signal(signal.SIGTERM)
        _, err = process.communicate()
        self.assertEqual(process.returncode, 128 + signal.SIGTERM)
        self.assertIn("stopped by SIGTERM", err)

    def test_answers_that_make_no_sense(self):
        code, _, err = self.measure("--cube", 4, "--ranks", 2, "--repeats", 1, FAKE_SEES="1")
        self.assertEqual(code, 2)
        self.assertIn("started on 2 ranks, but the program counted 1", err)
        code, _, err = self.measure("--cube", 4, "--repeats", 1, FAKE_LACKS="partition")
        self.assertEqual(code, 1)
        self.assertIn("no usable entry 'partition'", err)


if __name__ == "__main__":
    unittest.main()
