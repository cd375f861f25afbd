"""What the pictures of tools/plot say: overrides, numbers on bars, isolines and axes, names of regions and curves."""

import json
import tempfile
import unittest
from pathlib import Path

import compare_test
import heat_results
from plot_test import CAVITY_PLOT, ask, plot, read_png, run_python, write_fields, write_result

OPENING = """
import json, sys
from pathlib import Path
import numpy as np
from plotting import command, curves, drawing, heat
from plotting.drawing import plt
from plotting.fields import Fields
from plotting.result import Column, Result
def drawn(draw):
    figure, axes = plt.subplots()
    draw(axes)
    figure.canvas.draw()
    return axes
def ticks(axis):
    low, high = sorted(axis.get_view_interval())
    return [text.get_text() for text, at in zip(axis.get_ticklabels(), axis.get_ticklocs()) if low <= at <= high]
def words(axes):
    return {"title": axes.get_title(), "y": axes.get_ylabel(), "ticks": ticks(axes.yaxis), "scale": axes.get_yscale(),
            "curves": [line.get_label() for line in axes.lines], "limits": list(axes.get_ylim())}
"""
BAR = """
result = Result(Path(sys.argv[1]))
fields = Fields(result.pick(), result)
axes = drawn(lambda axes: drawing.draw_field(axes, fields, sys.argv[2]))
bar = axes.child_axes[0]
print(json.dumps({"limits": list(bar.get_ylim()), "label": bar.get_ylabel(), "ticks": ticks(bar.yaxis),
                  "marks": [text.get_text() for text in bar.texts], "isolines": [text.get_text() for text in axes.texts]}))
"""


def changed(result, *overrides):
    path = result / "summary.json"
    summary = json.loads(path.read_text())
    summary["run"]["overrides"] = overrides
    path.write_text(json.dumps(summary))


class PlotWords(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.result = self.folder / "vortex"

    def test_overrides_are_in_the_title(self):
        write_result(self.result)
        title = lambda name="vortex": read_png(self.result / f"{name}.png")[2]["Title"]
        plot([self.result])
        self.assertEqual(title(), "A test of $ pictures, 128 triangles, t = 2 s (steady), step 20")
        changed(self.result, "flow.viscosity=1e-6", 'title="$x$"')
        plot([self.result], [self.result, "--history"])
        self.assertEqual(
            title(),
            'A test of $ pictures, with flow.viscosity=1e-6, title="$x$", 128 triangles, t = 2 s (steady), step 20',
        )
        self.assertIn("pictures, with flow.viscosity=1e-6", title("vortex-history"))
        changed(self.result, *(f"a.key{k}={'long ' * 20}" for k in range(4)))
        plot([self.result])
        shown = title().split("with ")[1].split(", 128")[0]
        self.assertLess(len(shown), 105)
        self.assertIn("a.key0=long long", shown)
        self.assertRegex(shown, "….* and 3 more$")

    def test_overrides_of_the_cavity(self):
        case = compare_test.Compare()
        case.result = self.result
        (self.result / "lines").mkdir(parents=True)
        case.write_result(1000)
        write_fields(self.result, 200, 2.0)
        summary = self.result / "summary.json"
        summary.write_text(json.dumps({**json.loads(summary.read_text()), "run": {}}))
        changed(self.result, "time.cfl=0.3")
        code, _, problems = run_python(CAVITY_PLOT, self.result)
        self.assertEqual(code, 0, problems)
        self.assertIn(", with time.cfl=0.3, ", read_png(self.result / "vortex.png")[2]["Title"])

    def test_overrides_of_a_convergence(self):
        """What all the runs have in common; what else but the mesh differs is named."""
        folders = [self.folder / f"n{n}" for n in (4, 8, 16)]
        for folder, n in zip(folders, (4, 8, 16)):
            write_result(folder, n, lambda y, n=n: y + 0.5 / n**2)
            changed(folder, "flow.viscosity=2", f"mesh.size={n}", *(["time.cfl=1"] if n == 8 else []))
        plot(folders)
        self.assertEqual(
            read_png(folders[0] / "convergence.png")[2]["Title"],
            "A test of $ pictures: convergence on 3 meshes, with flow.viscosity=2, not the same in all: time.cfl",
        )

    def bar(self, name, values):
        result = self.folder / name
        heat_results.write_step(result, 1, 1.0, heat_results.plate((20, 20), (1.0, 1.0)), {name: values}, {})
        return ask(OPENING + BAR, result, "speed" if name == "velocity" else name)

    def test_bars_reach_the_highest_value_or_say_it(self):
        """A lid's speed is on the bar; of one extreme cell there is the number beyond the end."""
        lid = self.bar("velocity", lambda p: (1.0 if p[1] == 1 else 0.7 * p[1], 0.0, 0.0))
        self.assertEqual((lid["limits"], lid["marks"]), ([0, 1], []))
        corner = self.bar("vorticity", lambda p: -57.6 if p[0] + p[1] == 0 else 3 * (p[0] - 0.5))
        self.assertEqual(corner["marks"], ["min \N{MINUS SIGN}57.6"])
        self.assertEqual(corner["limits"], [-1.5, 1.5])
        both = self.bar("pressure", lambda p: {0: -70.0, 2: 9000.0}.get(p[0] + p[1], p[0]))
        self.assertEqual(both["marks"], ["min \N{MINUS SIGN}70", "max 9000"])

    def test_powers_of_ten_are_in_the_label(self):
        found = self.bar("pressure", lambda p: 2.5e6 * p[0])
        self.assertEqual(found["label"], "pressure / density [10⁶ m²/s²]")
        self.assertEqual(found["ticks"][:2], ["0", "0.5"])
        self.assertEqual(
            ask(OPENING + "print(json.dumps([drawing.number(x, 3) for x in (12345, -57.64, 3e-7, 4e-5, 0, 1.2e12)]))"),
            ["12300", "\N{MINUS SIGN}57.6", "3·10⁻⁷", "0.00004", "0", "1.2·10¹²"],
        )
        self.assertEqual(self.bar("divergence", lambda p: 0.0)["label"], "divergence [1/s]")

    def test_isotherms_have_numbers(self):
        heat_results.write_heat(self.folder / "plate", heat_results.plate())
        found = ask(OPENING + BAR, self.folder / "plate", "temperature")
        self.assertLessEqual({"320", "350", "380"}, set(found["isolines"]))
        heat_results.write_heat(self.folder / "bar", heat_results.bar())
        labels, factors = ask(
            OPENING
            + """
from matplotlib.cm import ScalarMappable
from matplotlib.colors import Normalize
from plotting import solid
fields = Fields(Result(Path(sys.argv[1])).pick())
body = solid.Solid(fields)
axes = drawn(lambda axes: body.draw(axes, "temperature", 9))
place = axes.images[0].get_extent()
numbers = []
for text in axes.texts:
    if text.get_text().isdigit():
        x, y = text.get_position()
        column, row = (int((at - start) / body._pixel) for at, start in ((x, place[0]), (y, place[2])))
        values = np.full(body.seen.shape, np.nan)
        values[body.seen >= 0] = body.values("temperature")
        numbers.append([float(text.get_text()), float(values[row, column])])
colours = ScalarMappable(Normalize(300, 400), "coolwarm")
shades = body.image("temperature", colours)[body.seen >= 0]
pure = colours.to_rgba(body.values("temperature"))[:, :3]
flat = ~body._edges[body.seen >= 0]
factor = shades[flat] / pure[flat]
print(json.dumps([numbers, [float(factor.min()), float(factor.max()), float(np.ptp(factor, axis=1).max())]]))
""",
            self.folder / "bar",
        )
        self.assertGreaterEqual(len(labels), 5)
        for number, value in labels:
            self.assertAlmostEqual(number, value, delta=0.3)
        # Light changes neither the hue nor much of the brightness, and nothing is brighter than on the bar.
        self.assertGreater(factors[0], 0.69)
        self.assertLess(factors[1], 1.001)
        self.assertLess(factors[2], 1e-3)

    def test_regions_have_their_names(self):
        heat_results.write_heat(self.result, heat_results.plate())
        summary = self.result / "summary.json"
        known = json.loads(summary.read_text())
        self.assertEqual(ask(OPENING + BAR, self.result, "region")["ticks"], ["0", "1"])
        known["mesh"]["regions"] = ["steel", "insulation"]
        summary.write_text(json.dumps(known))
        self.assertEqual(ask(OPENING + BAR, self.result, "region")["ticks"], ["steel", "insulation"])
        self.assertEqual(ask(OPENING + BAR, self.result, "rank")["ticks"], ["0", "1"])

    def test_profiles_show_what_varies(self):
        """Of a line in z the heat flux along z; of a flow what is not 0; noise is not magnified."""
        found = ask(
            OPENING
            + """
s = np.linspace(0, 1, 5)
zero = 1e-12 * s
table = {"s": s, "x": 0 * s, "y": 0 * s, "z": s, "temperature": 300 + s, "heat_flux_x": zero, "heat_flux_y": 0 * s,
         "heat_flux_z": -50.0 + 1e-7 * s}
flow = {"s": s, "x": s, "u": s, "v": zero, "w": s**2, "pressure": s}
print(json.dumps([[words(drawn(panel)) for panel in curves.profile_panels(
    {"a": {name: Column(name, "", values) for name, values in columns.items()}})] for columns in (table, flow)]))
"""
        )
        self.assertEqual([panel["title"] for panel in found[0]], ["Temperature, line a", "Heat flux z, line a"])
        self.assertLess(found[0][1]["limits"][0], -60)
        self.assertEqual([panel["title"] for panel in found[1]], ["Velocity, line a", "Pressure, line a"])
        self.assertEqual(found[1][0]["curves"], ["u", "w"])

    def test_numbers_on_axes(self):
        """Iterations are whole numbers from 0 on; other small ranges have round numbers at their ends."""
        found = ask(
            OPENING
            + """
t = np.arange(1.0, 61.0)
def history(**columns):
    return {name: Column(name, "-", np.asarray(values, float)) for name, values in {"time": t, **columns}.items()}
few = history(iterations_heat=26 - t // 5, residual_heat=7e-9 + 1e-11 * t, max_divergence=3e-17 * (1 + t))
many = history(iterations_heat=np.where(t == 1, 4000, 12), residual_heat=t)
idle = history(iterations_heat=np.where(t < 30, 300, 0), residual_heat=t)
print(json.dumps([words(drawn(curves.history_panels(table)[name])) for table, name in (
    (few, "iterations"), (few, "residuals"), (few, "divergence"), (many, "iterations"), (idle, "iterations"))]))
"""
        )
        few, residuals, divergence, many, idle = found
        self.assertEqual((few["scale"], few["limits"][0]), ("linear", 0))
        for tick in few["ticks"] + idle["ticks"] + many["ticks"]:
            self.assertRegex(tick, r"^\d+$")
        self.assertEqual(residuals["ticks"], [r"$5 \cdot 10^{-9}$", "$10^{-8}$"])
        self.assertEqual(divergence["ticks"][0], r"$5 \cdot 10^{-17}$")
        self.assertEqual((many["scale"], idle["scale"]), ("log", "linear"))
        self.assertIn("1000", many["ticks"])

    def test_curves_that_coincide_are_named_together(self):
        heat, near = ask(
            OPENING
            + """
t = np.arange(1.0, 61.0)
patches = {"bottom": -100 / t, "right side": -100.1 / t, "top": -100 / t, "left": -60 / t}
patches = {name: Column(f"heat_{name}", "W", values) for name, values in patches.items()}
table = {"time": Column("time", "s", t)}
near = curves.together({name: np.full(2, value) for name, value in (("a", 1e-8), ("b", 1e-12), ("c", 1.0))}, np.log10)
print(json.dumps([words(drawn(lambda axes: heat.draw_heat(axes, table, patches)))["curves"], [n for n, _ in near]]))
"""
        )
        self.assertEqual(heat, ["bottom, right side, top (coincide)", "left"])
        self.assertEqual(near, ["a", "b", "c"])

    def test_convergence_says_which_order(self):
        """Beside differences from the finest mesh the lines to compare with are what an order gives there."""
        texts, curve = ask(
            OPENING
            + """
from plotting import convergence
sizes, reference = np.array([0.4, 0.2, 0.1]), 0.05
errors = {"u $": list(3 * (sizes**2 - reference**2))}
orders = {"u $": convergence.observed_order(sizes, errors["u $"], reference)}
axes = drawn(lambda axes: convergence.draw_convergence(axes, sizes, errors, orders, "m/s", reference))
legend = axes.get_legend()
second = axes.lines[2]
ratio = second.get_ydata() / np.interp(second.get_xdata(), sizes[::-1], errors["u $"][::-1])
ends = [float(ratio[0]), float(ratio[-1])]
print(json.dumps([[legend.get_title().get_text(), *(t.get_text() for t in legend.get_texts())], ends]))
"""
        )
        self.assertEqual(texts[0], "observed order, allowing for\nthe finest mesh's own error")
        self.assertEqual(texts[1:], [r"u \$: 2.00", "order 1, to compare", "order 2, to compare"])
        self.assertAlmostEqual(curve[0], curve[1])


if __name__ == "__main__":
    unittest.main()
