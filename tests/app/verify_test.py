"""solenoid verify: what it says of sound cases, of one whose boundary jumps, and of wrong input."""

import json
import subprocess

import case_runs
from case_runs import ROOT

CAVITY = """title = "A lid that sets out"
[mesh]
file = "{root}/meshes/cavity-delaunay.geo"
size = 0.1
[flow]
viscosity = 0.01
[time]
end = {end}
step = 0.02
scheme = "{scheme}"
[boundary.lid]
type = "wall"
velocity = ["{lid}", 0, 0]
[boundary.wall]
type = "wall"
"""
PIPE = """title = "A pump that pulsates"
[mesh]
file = "{root}/meshes/pipe-bend.geo"
size = 0.4
[flow]
viscosity = 0.05
[time]
end = 0.5
step = 0.02
[boundary.inlet]
type = "inlet"
flow_rate = "0.75 + 0.3*sin(3*t)"
profile = {profile}
[boundary.outlet]
type = "outlet"
[boundary.wall]
type = "wall"
"""
DRAWN = PIPE.replace("A pump that pulsates", "A pressure that draws fluid in aslant").replace("""type = "inlet"
flow_rate = "0.75 + 0.3*sin(3*t)"
profile = {profile}
""", """type = "opening"
total_pressure = "2 + sin(3*t)"
direction = [1, 0.3, "0.2 + 0.2*y"]
""").replace("""type = "outlet"
""", """type = "outlet"
pressure = "sin(8*t)"
direction = [0.2, -1, 0.3]
""")
AVERAGES = """
[output]
format = "vtkhdf"
every_steps = 1
[[average]]
name = "late"
fields = ["velocity", "vorticity", "stream_function"]
from = 0.5
variance = true
"""
BAR = """title = "A bar"
[mesh]
file = "{root}/meshes/heat-square.geo"
size = 0.2
[heat]
conductivity = 2
source = "1000*x"
[boundary.left]
type = "temperature"
value = 300
[boundary.right]
type = "convection"
coefficient = 10
ambient = 280
[boundary.bottom]
type = "insulated"
[boundary.top]
type = "flux"
value = "50*y"
"""
NAMES = ["ranks", "turn", "mirror", "axes", "twice", "restart", "memory", "length", "time", "order"]


class Verify(case_runs.CaseRuns):
    def verify(self, text, *words, ranks=1):
        """Returns what it printed, its exit code, and the checks of verify.json by name."""
        case = self.folder / "duct" / "case.toml"
        case.parent.mkdir(exist_ok=True)
        case.write_text(text)
        command = [case_runs.options.mpiexec, "--quiet", "-n", ranks, case_runs.options.solenoid, "verify", case, *words]
        done = subprocess.run([*map(str, command)], cwd=self.folder, capture_output=True, text=True)
        report = self.folder / "results" / "duct-verify" / "verify.json"
        checks = json.loads(report.read_text())["checks"] if report.exists() else []
        return done.stdout + done.stderr, done.returncode, {check["name"]: check for check in checks}

    def test_a_flow_holds_on_one_and_on_three_ranks(self):
        text = CAVITY.format(root=ROOT, end=1, scheme="second-order", lid="sin(3*t)")
        for ranks in (1, 3):
            said, code, checks = self.verify(text, ranks=ranks)
            self.assertEqual(code, 0, said)
            self.assertEqual(list(checks), NAMES)
            expected = {"axes": "not applicable"} | ({"ranks": "not applicable"} if ranks == 1 else {})
            for name, check in checks.items():
                self.assertEqual(check["result"], expected.get(name, "held"), said)
        self.assertIn("All held", said)
        self.assertLess(checks["ranks"]["found"], checks["ranks"]["bar"])
        self.assertGreater(checks["order"]["found"], 1.8)
        self.assertEqual(list((self.folder / "results" / "duct-verify").glob("*.h5")), [])

    def test_flow_rates_have_units_and_directions(self):
        for profile in ('"uniform"', '"developed"', '"2 - 8*(y^2 + z^2)"'):
            said, code, checks = self.verify(PIPE.format(root=ROOT, profile=profile), ranks=3)
            self.assertEqual(code, 0, said)
            self.assertEqual([check["result"] for check in checks.values()], ["held"] * len(NAMES), said)

    def test_eddies_that_enter_are_the_same_in_any_frame(self):
        eddies = "turbulence = { intensity = \"0.2 + 0.1*y\", length = 0.5, speed = 1, seed = 3 }"
        for method in ("exact", "classical"):
            text = PIPE.format(root=ROOT, profile='"developed"\n' + eddies)
            text = text.replace("[flow]", f'[flow]\nmethod = "{method}"')
            said, code, checks = self.verify(text, ranks=3)
            self.assertEqual(code, 0, said)
            self.assertEqual([check["result"] for check in checks.values()], ["held"] * len(NAMES), said)

    def test_directions_of_inflow_turn_with_the_axes(self):
        for method in ("exact", "classical"):
            text = DRAWN.format(root=ROOT).replace("[flow]", f'[flow]\nmethod = "{method}"')
            said, code, checks = self.verify(text, ranks=3)
            self.assertEqual(code, 0, said)
            self.assertEqual([check["result"] for check in checks.values()], ["held"] * len(NAMES), said)

    def test_a_frame_turns_with_the_axes(self):
        frame = "frame = { rate = 1.5, axis = [1, 2, -3], point = [0.2, 0.3, 0.1] }"
        for method in ("exact", "classical"):
            text = DRAWN.format(root=ROOT).replace("[flow]", f'[flow]\nmethod = "{method}"\n{frame}')
            text += '[initial]\nvelocity = [0.1, 0, 0]\nseen_from = "rest"\n'
            said, code, checks = self.verify(text, ranks=3)
            self.assertEqual(code, 0, said)
            self.assertEqual([check["result"] for check in checks.values()], ["held"] * len(NAMES), said)

    def test_averages_are_part_of_it(self):
        text = CAVITY.format(root=ROOT, end=1, scheme="second-order", lid="sin(3*t)") + AVERAGES
        said, code, checks = self.verify(text, "--steps", "4", ranks=2)
        self.assertEqual(code, 0, said)
        for name, check in checks.items():
            self.assertEqual(check["result"], "not applicable" if name == "axes" else "held", said)
        left = sorted(path.name for path in (self.folder / "results" / "duct-verify").iterdir())
        self.assertEqual(left, [".solenoid-result", "verify.json"])

    def test_the_bar_of_the_order_is_that_of_the_scheme(self):
        text = CAVITY.format(root=ROOT, end=1, scheme="euler", lid="sin(3*t)")
        said, code, checks = self.verify(text)
        self.assertEqual(code, 0, said)
        self.assertAlmostEqual(checks["order"]["found"], 1, delta=0.2)
        self.assertLess(checks["order"]["bar"], 1)

    def test_a_lid_that_jumps_on_the_way_has_no_order(self):
        text = CAVITY.format(root=ROOT, end=1, scheme="second-order", lid="sin(3*t) + (t > 0.053 ? 1 : 0)")
        said, code, checks = self.verify(text)
        self.assertEqual(code, 1, said)
        self.assertEqual([name for name, check in checks.items() if check["result"] == "failed"], ["order"])
        self.assertIn("1 failed", said)

    def test_a_case_may_end_within_its_steps(self):
        for end in (0.02, 0.04, 0.06):
            text = CAVITY.format(root=ROOT, end=end, scheme="second-order", lid="sin(3*t)")
            said, _, checks = self.verify(text)
            self.assertEqual(checks["restart"]["result"], "held", said)

    def test_a_steady_state_has_no_steps(self):
        said, code, checks = self.verify(BAR.format(root=ROOT))
        self.assertEqual(code, 0, said)
        for name in ("restart", "order"):
            self.assertEqual(checks[name]["result"], "not applicable")
        self.assertEqual(checks["length"]["result"], "held")

    def test_wrong_input_is_refused(self):
        text = CAVITY.format(root=ROOT, end=1, scheme="second-order", lid="0")
        for words, reason in ((["--set", "flow.viscocity=1"], "viscocity"), (["--steps", "1"], "--steps")):
            said, code, checks = self.verify(text, *words)
            self.assertEqual(code, 2, said)
            self.assertIn(reason, said)
            self.assertEqual(checks, {})


if __name__ == "__main__":
    case_runs.main()
