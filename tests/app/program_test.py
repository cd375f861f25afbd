"""The program as users start it, on one and several ranks: exit codes, messages, and what a run leaves behind."""

import argparse
import json
import re
import resource
import shlex
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

from vtkmodules.util.numpy_support import vtk_to_numpy
from vtkmodules.vtkIOXML import vtkXMLPUnstructuredGridReader

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

CAVITY = ROOT / "cases" / "cavity" / "case.toml"
COARSE = ["--set", "mesh.size=0.05", "--set", "time.end=0.5", "--set", "output.every=0.25"]
options = None


def processor_seconds():
    """Of all processes that this one started and that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def mpirun(ranks, *command):
    """Runs a command on so many ranks; returns exit code, standard output, standard error, and the processor time of all
    ranks [s]: a busy machine makes runs late, which is no fault."""
    start = processor_seconds()
    done = subprocess.run(
        [options.mpiexec, "--quiet", "-n", str(ranks), *map(str, command)],
        capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT,
    )
    return done.returncode, done.stdout, done.stderr, processor_seconds() - start


class Answers(unittest.TestCase):
    def test_version_names_the_build(self):
        code, out, _, _ = mpirun(2, options.solenoid, "--version")
        self.assertEqual(code, 0)
        self.assertRegex(out, r"^solenoid \d+\.\d+\.\d+ \(commit \w+.*\)\nbackend: (cpu|cuda)(, for processors from x86-64\S* on)?\nprecision: double\nMPI: Open MPI .*2 ranks\nhypre: (no|\d+\.\d+\.\d+)\n$")

    def test_one_process_needs_nothing_but_itself(self):
        """Open MPI's daemon takes a start of its own, and ssh to be installed."""
        done = subprocess.run([Path(options.solenoid).resolve(), "--version"], env={"PATH": "/nowhere"}, capture_output=True, text=True)
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertRegex(done.stdout, "MPI: Open MPI .*1 rank\n")

    def test_help_is_printed_once(self):
        for words in (["--help"], ["run", "--help"], ["check", "--help"], ["verify", "--help"], ["bench", "--help"], []):
            code, out, err, _ = mpirun(3, options.solenoid, *words)
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(out.count("Usage: "), 1, out)
            self.assertIn(f"Usage: solenoid {words[0] + ' ' if len(words) > 1 else ''}[", out)

    def words_after_signal(self, launcher, number):
        """What is said when a signal meets Gmsh at work on a .geo that never ends."""
        with tempfile.TemporaryDirectory() as folder:
            Path(folder, "loop.geo").write_text("For i In {0:1}\n i = 0;\n For j In {0:1000000000}\n EndFor\nEndFor\n")
            process = subprocess.Popen([*launcher, Path(options.solenoid).resolve(), "check", "loop.geo"], cwd=folder, text=True,
                                       stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            for line in process.stdout:
                if line.startswith("meshing"):
                    break
            time.sleep(0.3)
            self.assertIsNone(process.poll())
            process.send_signal(number)
            _, err = process.communicate(timeout=30)
            self.assertNotEqual(process.returncode, 0)
            return err

    def test_a_signal_ends_a_geo_that_never_ends(self):
        for launcher in ([], [options.mpiexec, "--quiet", "-n", "2"]):
            for number in (signal.SIGINT, signal.SIGTERM, signal.SIGUSR1):
                with self.subTest(ranks=launcher[2:], signal=number):
                    # On a busy machine mpirun now and then kills a rank before it could say anything.
                    attempts = (self.words_after_signal(launcher, number) for _ in range(6 if launcher else 1))
                    expected = "ended by a signal while Gmsh was at work on loop.geo"
                    self.assertTrue(any(expected in words for words in attempts))


class Steps(unittest.TestCase):
    def test_steps_know_of_walls_that_are_about_to_move(self):
        """They rest at t = 0, and at every output."""
        with tempfile.TemporaryDirectory() as folder:
            code, _, err, _ = mpirun(2, options.solenoid, "run", CAVITY, "--output", folder, *COARSE,
                                     "--set", 'boundary.lid.velocity=["sin(8*pi*t)", 0, 0]')
            self.assertEqual(code, 0, err)
            history = read_table(Path(folder) / "history.csv")
            self.assertLess(history["dt"].values[0], 0.03)  # what the lid's cells take at 1 m/s; not 0.25, to the first output
            self.assertLessEqual(max(history["cfl"].values), 1)


    def test_walls_that_move_with_the_flow_leave_it_its_steps(self):
        """Their speed counts on the cells beside them; on the worst cell of the mesh it would take a quarter off."""
        with tempfile.TemporaryDirectory() as folder:
            code, _, err, _ = mpirun(2, options.solenoid, "run", ROOT / "cases" / "taylor-green" / "case.toml", "--output", folder,
                                     "--set", "mesh.size=0.05", "--set", "time.end=1")
            self.assertEqual(code, 0, err)
            numbers = read_table(Path(folder) / "history.csv")["cfl"].values
            self.assertGreater(sum(numbers) / len(numbers), 0.55)
            self.assertLessEqual(max(numbers), 0.601)


class FailingRank(unittest.TestCase):
    def test_a_rank_that_fails_alone_takes_the_others_with_it(self):
        code, out, err, seconds = mpirun(4, options.failing_rank, "alone")
        self.assertEqual(code, 2)
        self.assertEqual(out, "")
        self.assertEqual(err.count("error on rank 3: the last rank fails on purpose"), 1, err)
        self.assertLess(seconds, 10)

    def test_a_failure_inside_a_guard_is_told_once(self):
        code, out, err, seconds = mpirun(4, options.failing_rank, "together")
        self.assertEqual(code, 2)
        self.assertEqual(out, "")
        self.assertEqual(err, "error: rank 3: the last rank fails on purpose\n")
        self.assertLess(seconds, 10)


class RefusedMemory(unittest.TestCase):
    def test_a_rank_says_what_it_was_for(self):
        purposes = set()
        with tempfile.TemporaryDirectory() as folder:
            for megabytes in range(200, 4000, 15):  # until it is enough: how much that is, machines decide
                limit = ["bash", "-c", f'[ $OMPI_COMM_WORLD_RANK = 1 ] && ulimit -v {1000 * megabytes}; exec "$@"', "-"]
                code, _, err, seconds = mpirun(2, *limit, options.solenoid, "run", CAVITY, "--output", folder + "/cavity", "--set",
                                               "mesh.size=0.006", "--set", "time.end=1e-4", "--set", "output.every=1")
                self.assertLess(seconds, 60)
                if code == 0:
                    break
                if "out of memory" in err:  # else Open MPI failed before, in its own words
                    self.assertEqual(code, 1, err)
                    found = re.search(r"rank 1: out of memory while ([a-z ]+): ([\d.e+]+ MB were|a rank was) refused .*", err)
                    self.assertTrue(found, err)
                    purposes.add(found[1])
        self.assertTrue(purposes & {"sharing out the mesh", "setting up the solver", "preparing the run", "taking the steps"}, purposes)


class Results(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.results = {}
        for ranks in (1, 3):
            output = Path(cls.folder.name) / f"ranks{ranks}"
            code, out, err, _ = mpirun(ranks, options.solenoid, "run", CAVITY, "--output", output, *COARSE,
                                       "--set", "solver.potential.tolerance=1e-12")
            assert code == 0, err
            cls.results[ranks] = output
            cls.screen = out

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def table(self, ranks, name):
        columns = read_table(self.results[ranks] / name).values()
        return [column.heading for column in columns], [list(row) for row in zip(*(column.values for column in columns))]

    def test_everything_promised_is_there(self):
        for output in self.results.values():
            names = {p.name for p in output.iterdir()}
            self.assertLessEqual({"fields.pvd", "history.csv", "summary.json", "run.log", "lines"}, names)
            steps = sorted(p.stem for p in output.glob("fields_*.pvtu"))
            self.assertEqual(len(steps), 3)
            self.assertEqual(len(list((output / "lines").glob("u_on_x=0.5_*.csv"))), 3)
            self.assertEqual((output / "fields.pvd").read_text().count("<DataSet "), 3)
        log = (self.results[3] / "run.log").read_text().splitlines()
        self.assertEqual(log[:2] + log[4:], self.screen.splitlines())
        self.assertEqual(log[1], "  with mesh.size=0.05, time.end=0.5, output.every=0.25, solver.potential.tolerance=1e-12")
        self.assertRegex(log[2], r"^  \d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4} on \S+$")
        self.assertIn("solenoid run ", log[3])

    def test_history_has_a_row_a_step_and_lands_on_the_end(self):
        header, rows = self.table(3, "history.csv")
        self.assertEqual([name.split(" [")[0] for name in header],
                         ["step", "time", "dt", "cfl", "max_divergence", "kinetic_energy", "dissipation", "iterations_potential",
                          "residual_potential", "iterations_vorticity", "residual_vorticity", "wall_seconds"])
        self.assertEqual([row[0] for row in rows], list(range(1, len(rows) + 1)))
        self.assertAlmostEqual(rows[-1][1], 0.5, places=12)
        self.assertTrue(any(abs(row[1] - 0.25) < 1e-12 for row in rows))
        self.assertEqual(max(row[4] for row in rows), 0)
        self.assertLessEqual(max(row[3] for row in rows), 1.01)  # what the case asks for, also while the flow speeds up

    def test_summary_tells_what_scripts_rely_on(self):
        summary = json.loads((self.results[3] / "summary.json").read_text())
        self.assertEqual(summary["run"]["ranks"], 3)
        self.assertEqual(summary["run"]["stopped_by"], "end")
        self.assertEqual(summary["run"]["overrides"], [*COARSE[1::2], "solver.potential.tolerance=1e-12"])
        self.assertTrue(summary["run"]["host"] and summary["run"]["started"])
        again = shlex.split(summary["run"]["command"])
        self.assertEqual(again[1:3], ["run", str(CAVITY)])
        self.assertEqual(summary["mesh"]["patches"], ["lid", "wall"])
        self.assertEqual(summary["case"]["mesh"]["size"], 0.05)
        self.assertEqual(summary["case"]["solver"]["potential"]["preconditioner"], "auto")
        self.assertEqual(summary["solvers"]["potential"]["preconditioner"], "multigrid")
        self.assertGreaterEqual(summary["solvers"]["potential"]["multigrid"]["levels"], 1)
        memory = summary["memory"]
        self.assertGreater(memory["host_bytes_max_rank"], 0)
        self.assertGreater(memory["device_bytes_per_cell"] * summary["mesh"]["cells"], 0.99 * memory["device_bytes_max_rank"])
        self.assertLessEqual(summary["partition"]["cells_min"], summary["partition"]["cells_max"])
        for key in ("preconditioner", "tolerance", "calls", "iterations_total", "iterations_mean", "iterations_max", "residual_max"):
            self.assertIn(key, summary["solvers"]["potential"])
        self.assertEqual(summary["divergence"]["max"], 0)

    def test_lines_are_the_same_on_one_and_three_ranks(self):
        for line in ("u_on_x=0.5", "v_on_y=0.5"):
            last = sorted((self.results[1] / "lines").glob(line + "_*.csv"))[-1].name
            header, one = self.table(1, "lines/" + last)
            _, three = self.table(3, "lines/" + last)
            self.assertEqual(header[:7], ["s [m]", "x [m]", "y [m]", "z [m]", "u [m/s]", "v [m/s]", "w [m/s]"])
            self.assertEqual(len(one), 1025)
            self.assertLessEqual(max(abs(a - b) for p, q in zip(one, three) for a, b in zip(p[:7], q[:7])), 1e-10)

    def test_a_second_run_replaces_the_first_and_gives_the_same_bits(self):
        output = Path(self.folder.name) / "again"
        fields = []
        for _ in range(2):
            code, _, err, _ = mpirun(2, options.solenoid, "run", CAVITY, "--output", output, *COARSE, "--quiet")
            self.assertEqual((code, err), (0, ""))
            newest = sorted(output.glob("fields_*/"))[-1]
            fields.append([p.read_bytes() for p in sorted(newest.iterdir())])
        self.assertEqual(fields[0], fields[1])

    def test_a_signal_ends_a_run_after_its_step(self):
        plate = ROOT / "cases" / "cooling-plate" / "case.toml"
        for case, endless in ((CAVITY, ["time.end=1e6", "time.steady_tolerance=0", "mesh.size=0.1", "output.every=1e6"]),
                              (plate, ["time.end=1e9", "mesh.size=0.05", "output.every=1e9"])):
            output = Path(self.folder.name) / "interrupted" / case.parent.name
            sets = [word for value in endless for word in ("--set", value)]
            process = subprocess.Popen([options.mpiexec, "--quiet", "-n", "2", options.solenoid, "run", case, "--output", output, *sets],
                                       cwd=ROOT, text=True, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
            history = output / "history.csv"
            while process.poll() is None and not (history.exists() and history.read_text().count("\n") > 3):
                time.sleep(0.02)
            process.send_signal(signal.SIGUSR1)
            out, err = process.communicate()
            self.assertEqual((process.returncode, err), (3, ""), out + err)
            self.assertIn("Interrupted (SIGUSR1) at t = ", out)
            run = json.loads((output / "summary.json").read_text())["run"]
            self.assertEqual(run["stopped_by"], "interrupted")
            self.assertEqual(len(history.read_text().splitlines()) - 1, run["steps"])
            self.assertTrue((output / f"fields_{run['steps']:06}.pvtu").exists())

    def test_the_last_flow_before_a_divergence_is_written(self):
        """A step far too long: the newest fields are those of the last finite step, and every number in them is finite."""
        for sets in (["time.cfl=8"], ["time.cfl=", "time.step=0.5"]):
            output = Path(self.folder.name) / "diverged"
            code, out, err, _ = mpirun(2, options.solenoid, "run", CAVITY, "--output", output, "--set", "mesh.size=0.05",
                                       *(word for value in sets for word in ("--set", value)))
            self.assertEqual(code, 1)
            self.assertIn("the flow has diverged", err)
            self.assertRegex(err, r"the Courant number was largest, [0-9.e+]+, in the cell at \(0\.[0-9]+, 0\.[0-9]+\)")
            step = int(re.search(r"the fields of step (\d+) at t = \S+ s, the last before the failure, are written", out)[1])
            self.assertEqual(len((output / "history.csv").read_text().splitlines()) - 1, step)
            reader = vtkXMLPUnstructuredGridReader()
            reader.SetFileName(str(output / f"fields_{step:06}.pvtu"))
            reader.Update()
            velocity = vtk_to_numpy(reader.GetOutput().GetPointData().GetArray("velocity"))
            self.assertGreater(abs(velocity).max(), 1)
            self.assertLess(abs(velocity).max(), float("inf"))

    def test_a_flow_that_comes_to_rest_is_no_failure(self):
        """Its pressure at an output is no guess for that at the next, when all has fallen by 30 orders of magnitude."""
        for lid, viscosity in (("t<1 ? 1 : 0", 0.05), ("t<1 ? 1 : 0", 1)):
            output = Path(self.folder.name) / "rest"
            sets = [f"flow.viscosity={viscosity}", "mesh.size=0.1", "time.end=100", "time.step_max=0.5", "output.every=50",
                    "time.steady_tolerance=0", f'boundary.lid.velocity=["{lid}",0,0]']
            code, out, err, _ = mpirun(1, options.solenoid, "run", CAVITY, "--output", output,
                                       *(word for value in sets for word in ("--set", value)))
            self.assertEqual((code, err), (0, ""))
            self.assertEqual(len(list(output.glob("fields_*.pvtu"))), 3)

    def test_a_tolerance_beyond_round_off_is_told(self):
        output = Path(self.folder.name) / "tight"
        code, out, err, _ = mpirun(2, options.solenoid, "run", CAVITY, "--output", output, *COARSE,
                                   "--set", "solver.pressure.tolerance=1e-15")
        self.assertEqual((code, err), (0, ""))
        self.assertRegex(out, r"warning: \[solver.pressure\] in \d+ of \d+ solves round-off kept the residual above the tolerance")
        solver = json.loads((output / "summary.json").read_text())["solvers"]["pressure"]
        self.assertGreater(solver["stagnated"], 0)
        self.assertGreater(solver["residual_max"], 1e-15)
        self.assertLess(solver["residual_max"], 1e-12)

    def test_a_solver_that_does_not_converge_is_a_failure(self):
        output = Path(self.folder.name) / "failed"
        code, _, err, _ = mpirun(3, options.solenoid, "run", CAVITY, "--output", output, *COARSE,
                                 "--set", "solver.potential.max_iterations=3")
        self.assertEqual(code, 1)
        self.assertIn("[solver.potential] did not converge: raise max_iterations", err)
        self.assertEqual(err.count("error"), 1, err)

    def test_the_coarse_cavity_is_near_the_published_one(self):
        """Re = 100 on 1k triangles: within 0.03 of Ghia's u (the bars proper are measured on 18.6k cells)."""
        output = Path(self.folder.name) / "re100"
        code, _, err, _ = mpirun(2, options.solenoid, "run", CAVITY.with_name("re100.toml"), "--output", output, "--quiet",
                                 "--set", "mesh.size=0.045", "--set", "time.end=15", "--set", "output.every=15")
        self.assertEqual((code, err), (0, ""))
        profile = read_table(sorted((output / "lines").glob("u_on_x=0.5_*.csv"))[-1])
        places, speeds = profile["y"].values, profile["u"].values
        published = read_table(next((CAVITY.parent / "reference").glob("ghia*u_on*")))
        table = zip(published["y"].values, published["Re100"].values)
        worst = max(abs(speeds[min(range(len(places)), key=lambda i: abs(places[i] - y))] - u) for y, u in table)
        self.assertLess(worst, 0.03)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--failing-rank", required=True)
    options, rest = parser.parse_known_args()
    unittest.main(argv=[sys.argv[0], *rest])
