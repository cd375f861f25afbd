"""The report of a run: what is on the page, against the other results, and how a browser shows it on a desk and on a telephone."""

import argparse
import html
import json
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import output_test
from output_test import ROOT, command, table, write_case

WIDTHS = (1280, 400)  # CSS pixels: a desk, a telephone
LARGEST = 3_000_000  # bytes
EVIL = '<b>"Tom" & \'Jerry\'</b><script>alert(1)</script>'
CUBE = """title = {title}
[mesh]
file = "{mesh}"
size = 0.25
[flow]
method = "classical"
viscosity = 0.02
[time]
end = 0.2
step = 0.05
[boundary.lid]
type = "wall"
velocity = [1.0, 0.0, 0.0]
[boundary.wall]
type = "wall"
[[probe]]
name = "behind <it>"
points = [[0.6, 0.2, 0.5], [0.7, 0.2, 0.5]]
[[force]]
name = "lid & all"
patches = ["lid"]
reference_velocity = 1.0
reference_area = 1.0
"""
# Loads a page in a frame of the given width and writes down what the browser made of it.
FRAME = """<!DOCTYPE html><meta charset="utf-8"><body style="margin:0">
<iframe src="{page}" style="border:0;width:{width}px;height:4000px"></iframe>
<script>
addEventListener("load", () => {{
  const page = document.querySelector("iframe").contentDocument, root = page.documentElement;
  const beyond = [...page.querySelectorAll("body *")].filter(e => !e.closest(".scroll, svg")
    && e.getBoundingClientRect().right > root.clientWidth + 1).map(e => e.tagName + "." + e.className);
  const text = [...page.querySelectorAll("figure > svg")].map(e => 12 * e.getBoundingClientRect().width / e.viewBox.baseVal.width);
  document.title = JSON.stringify({{
    width: root.clientWidth, scroll: root.scrollWidth, beyond: beyond,
    pictures: [...page.querySelectorAll("img")].map(e => e.complete ? e.naturalWidth : 0),
    charts: [...page.querySelectorAll("figure > svg")].map(e => e.getBoundingClientRect().height),
    sections: [...page.querySelectorAll("section")].map(e => e.id),
    links: [...page.querySelectorAll("nav a")].map(e => e.getAttribute("href").slice(1)),
    smallest_text: Math.min(...text), scripts: page.scripts.length}});
}});
</script></body>
"""
options = None


def run(ranks, case, output, *words, sets=()):
    return subprocess.run([*command(ranks, case, output, *sets), *words], capture_output=True, text=True,
                          stdin=subprocess.DEVNULL, cwd=ROOT)


def read(output):
    return json.loads((output / "summary.json").read_text()), (output / "report.html").read_text()


def section(page, name):
    return re.search(rf'<section id="{name}">(.*?)</section>', page, re.S)[1]


def browser():
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if shutil.which(name):
            return name
    raise AssertionError("this test opens report.html in Chromium, which is not here: tools/setup --tests installs it")


def opened(page, width):
    """What Chromium finds in the page at this width, and what it complains of."""
    with tempfile.TemporaryDirectory() as folder:
        frame = Path(folder, "frame.html")
        frame.write_text(FRAME.format(page=page.as_uri(), width=width))
        done = subprocess.run(
            [browser(), "--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
             "--disable-background-networking", "--disable-component-update", "--disable-sync", "--hide-scrollbars",
             "--enable-logging=stderr",
             f"--user-data-dir={folder}/profile", "--allow-file-access-from-files", "--window-size=1300,4100", "--dump-dom",
             frame.as_uri()],
            capture_output=True, text=True, stdin=subprocess.DEVNULL, timeout=240)
    title = re.search(r"<title>(.*?)</title>", done.stdout, re.S)
    assert title, done.stderr[-3000:]
    return json.loads(html.unescape(title[1])), [line for line in done.stderr.splitlines() if ":CONSOLE" in line]


class ReportTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.folder = Path(cls.scratch.name)

    def assert_shown(self, output):
        for width in WIDTHS:
            with self.subTest(output=output.name, width=width):
                found, complaints = opened(output / "report.html", width)
                self.assertEqual(complaints, [])
                self.assertEqual((found["width"], found["scroll"], found["beyond"]), (width, width, []))
                self.assertTrue(found["pictures"] and all(found["pictures"]), found["pictures"])
                self.assertTrue(all(height > 100 for height in found["charts"]))
                self.assertEqual(found["links"], found["sections"])
                self.assertGreater(found["smallest_text"], 8)
                self.assertEqual(found["scripts"], 0)

    def assert_like_the_results(self, output):
        summary, page = read(output)
        self.assertLess(len(page), LARGEST)
        self.assertIn(html.escape(summary["case"]["title"]), page.replace("&#39;", "&#x27;"))
        for name, seconds in summary["phases"].items():
            self.assertRegex(section(page, "time"), rf"<td>{name}</td><td>{seconds:.3f}</td>")
        for name, solver in summary["solvers"].items():
            self.assertRegex(section(page, "time"), rf"<td>{name}</td><td>{solver['preconditioner']}</td><td>{solver['calls']}</td>")
        for value in (summary["mesh"]["cells"], summary["partition"]["cut_faces"], summary["partition"]["halo_cells"]):
            self.assertIn(f"<td>{value}</td>", section(page, "mesh"))
        self.assertIn(summary["program"]["commit"], section(page, "versions"))
        self.assertNotRegex(page, r'(src|href)="(?!#|data:)')  # all that it needs is in it
        return summary, page


class Flow(ReportTest):
    @classmethod
    def setUpClass(cls):
        super().setUpClass()
        cls.output = cls.folder / "result"
        case = write_case(cls.folder)
        done = run(2, case, cls.output, sets=("time.end=0.5",))
        assert done.returncode == 0, done.stderr
        assert re.search(r"(?m)^  report   .*report\.html: the run on one page, for a browser, made in [\d.]+ s$", done.stdout), done.stdout

    def test_is_like_the_other_results(self):
        summary, page = self.assert_like_the_results(self.output)
        self.assertIn("--set time.end=0.5", section(page, "case"))
        self.assertEqual(section(page, "fields").count("<img "), 4)  # velocity, pressure, vorticity, stream function
        heading, rows = table(self.output / "history.csv")
        solvers = [name.split()[0][len("residual_"):] for name in heading if name.startswith("residual_")]
        self.assertEqual(len(solvers), 2)
        for solver in solvers:
            self.assertEqual(section(page, "convergence").count(f"></i>{solver}</span>"), 2)
        self.assertIn(">10<tspan", section(page, "convergence"))
        self.assertIn("probe third: u", section(page, "probes"))
        self.assertIn("integral walls", section(page, "integrals"))

    def test_profiles_stand_beside_what_the_case_refers_to(self):
        page = section(read(self.output)[1], "lines")
        self.assertIn("Ghia, Ghia &amp; Shin", page)
        rows = (ROOT / "cases/cavity/reference/ghia1982_u_on_x_0.5.csv").read_text().splitlines()[2:]
        first = page[:page.index("</figure>")]
        self.assertEqual(first.count("<circle "), len(rows))
        self.assertIn("u, reference", first)

    def test_traffic_is_held_against_the_memory(self):
        summary, page = read(self.output)
        traffic = summary["traffic"]
        self.assertEqual(set(traffic["phases"]), set(summary["phases"]))
        self.assertEqual(set(traffic["solvers"]), set(summary["solvers"]))
        self.assertGreater(traffic["triad_bytes_per_second"], 1e8)
        steps = traffic["phases"]["steps"]
        share = steps["bytes"] / summary["phases"]["steps"] / traffic["triad_bytes_per_second"]
        self.assertAlmostEqual(steps["bandwidth_fraction"] / share, 1, places=9)
        of_solvers = sum(s["bytes"] for s in traffic["solvers"].values())  # at the start and for outputs, too
        self.assertGreaterEqual(sum(phase["bytes"] for phase in traffic["phases"].values()), of_solvers)
        # A product with the potential's matrix alone takes 50 bytes an unknown, and an iteration has two of them.
        least = 2 * 50 * summary["mesh"]["nodes"] * summary["solvers"]["potential"]["iterations_total"]
        self.assertGreater(traffic["solvers"]["potential"]["bytes"], least)
        self.assertIn(f"{100 * min(share, 1):.0f} %", section(page, "time"))

    def test_traffic_is_counted_alike_on_any_number_of_ranks(self):
        case = self.folder / "cavity" / "case.toml"
        sets = ("time.end=0.2", "time.cfl=0.5", *(f"solver.{name}.preconditioner=jacobi" for name in ("potential", "vorticity")))
        bytes_of = []
        for ranks in (1, 3):
            done = run(ranks, case, self.folder / f"ranks{ranks}", sets=sets)
            self.assertEqual(done.returncode, 0, done.stderr)
            solver = read(self.folder / f"ranks{ranks}")[0]
            bytes_of.append(solver["traffic"]["solvers"]["vorticity"]["bytes"] / solver["solvers"]["vorticity"]["iterations_total"])
        self.assertAlmostEqual(bytes_of[1] / bytes_of[0], 1, delta=0.3)  # halo copies are read besides

    def test_a_browser_shows_it_at_any_width(self):
        self.assert_shown(self.output)

    def test_a_browser_that_complains_is_noticed(self):
        page = self.folder / "broken" / "report.html"
        page.parent.mkdir()
        wide = '<script>console.error("broken")</script><div style="width:900px">wide</div><img src="data:image/png;base64,AAAA"></body>'
        page.write_text((self.output / "report.html").read_text().replace("</body>", wide))
        found, complaints = opened(page, 400)
        self.assertTrue(complaints)
        self.assertGreater(found["scroll"], 400)
        self.assertIn(0, found["pictures"])

    def test_a_run_that_fails_shows_how_far_it_came(self):
        output = self.folder / "failed"
        done = run(2, self.folder / "cavity" / "case.toml", output,
                   sets=("time.end=5", "solver.potential.max_iterations=2", "solver.potential.preconditioner=jacobi"))
        self.assertEqual(done.returncode, 1, done.stdout)
        error = done.stderr.splitlines()[0]
        self.assertTrue(error.startswith("error: "), done.stderr)
        self.assertFalse((output / "summary.json").exists())
        page = (output / "report.html").read_text()
        self.assertIn(html.escape(error).replace("&#x27;", "&#39;"), section(page, "outcome"))
        self.assertIn("<b>failure</b>", section(page, "outcome"))
        self.assertEqual(section(page, "fields").count("<img "), 2)  # pressure and stream function take a solve

    def test_it_can_be_left_out(self):
        output = self.folder / "without"
        done = run(1, self.folder / "cavity" / "case.toml", output, "--no-report", sets=("time.end=0.1",))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertNotIn("report.html", done.stdout)
        self.assertFalse((output / "report.html").exists())
        self.assertIsNone(json.loads((output / "summary.json").read_text())["traffic"]["triad_bytes_per_second"])


class RestartedFlow(ReportTest):
    def test_an_interrupted_run_has_one_and_a_restarted_one_shows_it_all(self):
        case, output = write_case(self.folder), self.folder / "result"
        words = [*command(1, case, output, "time.end=1e6", "time.steady_tolerance=0", "output.every=1e6")]
        with subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT) as started:
            deadline = time.monotonic() + 120
            history = output / "history.csv"
            while time.monotonic() < deadline and not (history.exists() and len(history.read_text().splitlines()) > 20):
                time.sleep(0.1)
            os.kill(started.pid, signal.SIGUSR1)
            started.communicate(timeout=120)
            self.assertEqual(started.returncode, 3)
        summary, page = self.assert_like_the_results(output)
        self.assertIn("Interrupted", section(page, "outcome"))
        end = summary["run"]["time"] * 1.5
        done = run(1, case, output, "--restart", sets=(f"time.end={end}", "time.steady_tolerance=0", "output.every=1e6"))
        self.assertEqual(done.returncode, 0, done.stderr)
        again, page = self.assert_like_the_results(output)
        self.assertGreater(again["run"]["began_at_step"], 20)
        chart = section(page, "convergence")
        lefts = [float(points.split(",")[0]) for points in re.findall(r'points="([^"]*)"', chart)]
        self.assertTrue(lefts and max(lefts) < 85, lefts)  # curves begin near the axis, where the first step is


class Body(ReportTest):
    def test_in_space_with_names_that_mean_something_in_html(self):
        case, output = self.folder / "cube" / "case.toml", self.folder / "cube-result"
        case.parent.mkdir()
        case.write_text(CUBE.format(title=json.dumps(EVIL), mesh=ROOT / "meshes" / "cube.geo"))
        done = run(2, case, output)
        self.assertEqual(done.returncode, 0, done.stderr)
        summary, page = self.assert_like_the_results(output)
        self.assertNotIn("<script", page)
        self.assertNotIn("<it>", page)
        self.assertIn("probe behind &lt;it&gt;", section(page, "probes"))
        pictures = section(page, "fields")
        self.assertEqual(pictures.count("<img "), 3 * pictures.count("<figure "))
        self.assertIn("force lid &amp; all", section(page, "forces"))
        self.assertIn(f"<td>{summary['forces']['lid & all']['cd']:.6g}</td>", section(page, "figures"))
        self.assert_shown(output)


class Heat(ReportTest):
    def test_a_steady_state(self):
        output = self.folder / "heat"
        done = run(1, ROOT / "cases" / "heat-square" / "case.toml", output)
        self.assertEqual(done.returncode, 0, done.stderr)
        summary, page = self.assert_like_the_results(output)
        self.assertIn(f"<td>left</td><td>{summary['heat']['left']:.6g}</td>", section(page, "figures"))
        self.assertNotIn('id="history"', page)  # one row is no course
        self.assertIn("line across", section(page, "lines"))
        self.assert_shown(output)

    def test_a_disk_without_room_for_it_fails_no_run(self):
        case, whole, cut = ROOT / "cases" / "heat-square" / "case.toml", self.folder / "whole", self.folder / "cut"
        self.assertEqual(run(1, case, whole, sets=("mesh.size=0.2",)).returncode, 0)
        size = (whole / "report.html").stat().st_size
        limit = ["bash", "-c", f"trap '' XFSZ; ulimit -f {size // 2048}; exec \"$@\"", "-"]  # of each file, in KB
        words = command(1, case, cut, "mesh.size=0.2")
        done = subprocess.run([*words[:words.index(options.solenoid)], *limit, *words[words.index(options.solenoid):]],
                              capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd=ROOT)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertRegex(done.stdout, r"warning: there is no report\.html: .*report\.html: cannot be written: ")
        self.assertNotIn("for a browser", done.stdout)
        self.assertTrue((cut / "summary.json").exists())
        self.assertEqual([path.name for path in cut.iterdir() if path.name.startswith("report")], [])


class References(ReportTest):
    def refused(self, reference):
        case = self.folder / "refused" / "case.toml"
        case.parent.mkdir(exist_ok=True)
        text = (ROOT / "cases" / "heat-square" / "case.toml").read_text().replace("../../meshes", str(ROOT / "meshes"))
        case.write_text(text + "[[line.reference]]\n" + reference)
        done = run(1, case, self.folder / "refused-result")
        self.assertEqual(done.returncode, 2)
        return done.stderr

    def test_what_is_wrong_with_them_is_found_before_the_run(self):
        (self.folder / "good.csv").write_text("# of somebody\nx,T\n0,0\n1,1\n")
        (self.folder / "placeless.csv").write_text("r,T\n0,0\n")
        (self.folder / "broken.csv").write_text("x,T\n0,zero\n")
        for reference, expected in (
                ('file = "../none.csv"\ncolumn = "temperature"', r"`file` in .*none\.csv: cannot be read"),
                ('file = "../placeless.csv"\ncolumn = "temperature"', r"`file` in .*first column, `r`, is s, or one of x, y and z"),
                ('file = "../broken.csv"\ncolumn = "temperature"', r"broken\.csv:2: found `zero`, expected a number"),
                ('file = "../good.csv"\ncolumn = "temperature"\nvalues = "Q"', r'`values` in .*found "Q", expected a column of'),
                ('file = "../good.csv"\ncolumn = "temperature"', r"expected a column of .*good\.csv"),
                ('file = "../good.csv"\ncolumn = "pressure"\nvalues = "T"', r'`column` in .*found "pressure", expected'),
                ('column = "temperature"', r"missing key `file`")):
            with self.subTest(reference=reference):
                self.assertRegex(self.refused(reference), expected)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    options, rest = parser.parse_known_args()
    output_test.options = options
    unittest.main(argv=[sys.argv[0], *rest])
