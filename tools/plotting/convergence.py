"""Convergence: errors of one case on several meshes against the size of their cells, with the observed order."""

import importlib.util
import math
from pathlib import Path

import numpy as np

from common.failure import Failure
from plotting.curves import COMPONENTS, set_logarithmic
from plotting.drawing import plain, words_of


def observed_order(sizes, errors, reference_size=0.0):
    """The p of the best fit errors = C (sizes^p - reference_size^p), in logarithms.

    With reference_size = 0 the errors are true ones and p is the slope; otherwise they are differences from a solution
    on cells of that size, which has an error of its own (Richardson). NaN if the errors do not fall with the cells, or
    follow no such power: there is no observed order.
    """
    sizes, errors = np.asarray(sizes, float), np.asarray(errors, float)
    if len(sizes) < 2 or np.any(errors <= 0) or np.any(np.diff(errors[np.argsort(sizes)]) <= 0):
        return math.nan
    if reference_size == 0:
        return float(np.polyfit(np.log(sizes), np.log(errors), 1)[0])
    scaled = sizes / reference_size

    def mismatch(p):
        return np.var(np.log(errors) - np.log(np.expm1(p * np.log(scaled))))

    orders = np.linspace(0.01, 8, 800)
    best = orders[np.argmin([mismatch(p) for p in orders])]
    for width in (1e-2, 1e-4):
        orders = np.linspace(max(best - width, 1e-3), best + width, 201)
        best = orders[np.argmin([mismatch(p) for p in orders])]
    return float(best) if 0.05 < best < 7.9 else math.nan


def check_same_case(results):
    """Only the meshes may differ, not the flow."""
    first = results[0]
    for other in results[1:]:
        for key in ("flow", "boundary", "heat", "initial"):
            if first.entry("case", key) != other.entry("case", key):
                raise Failure(
                    f"{other.folder / 'summary.json'}: case.{key} is {other.entry('case', key)}, but "
                    f"{first.entry('case', key)} in {first.folder}; convergence needs one case on several meshes"
                )


def differences_from_finest(results):
    """(errors by name, their unit): root-mean-square difference of each line's profile from that of the last result."""
    finest = results[-1].profiles()
    errors, units = {}, set()
    for name, table in finest.items():
        for component in (c for c in (*COMPONENTS, "temperature", "displacement") if c in table and np.any(table[c].values)):
            units.add(table[component].unit)
            found = []
            for result in results[:-1]:
                profile = result.profiles().get(name)
                if profile is None or component not in profile:
                    raise Failure(
                        f"{result.folder / 'lines'}: no profile `{name}` with `{component}`, "
                        f"but {results[-1].folder} has one; run both with the same [[line]]"
                    )
                values = np.interp(table["s"].values, profile["s"].values, profile[component].values)
                found.append(float(np.sqrt(np.mean((values - table[component].values) ** 2))))
            words = name.replace("_", " ")
            errors[words if words.startswith(f"{component} on ") else f"{component}, line {words}"] = found
    if not errors:
        raise Failure(
            f"{results[-1].folder / 'lines'}: no profiles to compare; the case needs a [[line]], "
            "or give --errors FILE.py with the case's own errors"
        )
    return errors, " or ".join(sorted(units))


def errors_of_case(script, results):
    """Errors by name from the function errors(FOLDER) -> {name: error} of `script`."""
    path = Path(script)
    if not path.is_file():
        raise Failure(
            f"{path}: no such file; --errors expects a script with a function errors(FOLDER), "
            "such as cases/cavity/compare.py"
        )
    spec = importlib.util.spec_from_file_location("case_errors", path)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    if not hasattr(module, "errors"):
        raise Failure(
            f"{path}: no function errors(FOLDER) that returns {{name: error}}; "
            "leave --errors out to compare with the finest mesh"
        )
    found = [module.errors(result.folder) for result in results]
    return {name: [errors[name] for errors in found] for name in found[0]}


def measure(results, sizes, script=None):
    """(sizes, {name: errors}, {name: order}, unit of differences from the finest mesh or None, its size or 0), coarsest
    first."""
    order = np.argsort(sizes)[::-1]
    results, sizes = [results[i] for i in order], np.asarray(sizes, float)[order]
    if np.any(sizes[:-1] < 1.01 * sizes[1:]):
        same = int(np.argmax(sizes[:-1] < 1.01 * sizes[1:]))
        raise Failure(
            f"{results[same].folder} and {results[same + 1].folder}: cells of the same size, {sizes[same]:.4g} m; "
            "convergence needs meshes of different fineness (--set mesh.size=...)"
        )
    check_same_case(results)
    if script:
        errors, unit, reference = errors_of_case(script, results), None, 0.0
    else:
        if len(results) < 3:
            raise Failure(
                "two results: one difference from the finer mesh has no order; give three or more, or --errors FILE.py"
            )
        errors, unit = differences_from_finest(results)
        sizes, reference = sizes[:-1], sizes[-1]
    orders = {name: observed_order(sizes, values, reference) for name, values in errors.items()}
    return sizes, errors, orders, unit, reference


def overrides(results):
    """Lines below the title: the overrides by --set of all runs, and the keys overridden in only some, except the
    mesh's."""
    common = [one for one in results[0].overrides if all(one in result.overrides for result in results)]
    others = [one.partition("=")[0] for result in results for one in result.overrides if one not in common]
    keys = sorted({key for key in others if not key.startswith("mesh.")})
    return words_of(common), words_of(keys, "not the same in all: ")


def draw_convergence(axes, sizes, errors, orders, unit, reference):
    """Draws errors over the cell size, with lines for the orders 1 and 2. For differences from the finest mesh, which
    has an error itself, these are steeper than the powers of the size."""
    for (name, values), marker in zip(errors.items(), "os^Dv<>ph*" * len(errors)):
        axes.plot(sizes, values, marker=marker, markersize=5, label=f"{plain(name)}: {order_text(orders[name])}")
    positive = [value for values in errors.values() for value in values if value > 0]
    if positive:
        set_logarithmic(axes)
        top = max(positive) * 1.6
        for order, style in ((1, ":"), (2, "--")):
            fine = np.geomspace(sizes[-1], sizes[0], 50)
            error = (fine**order - reference**order) / (sizes[0] ** order - reference**order)
            axes.plot(fine, top * error, style, color="0.5", linewidth=1, label=f"order {order}, to compare")
    axes.set_xscale("log")
    ticks = sizes if len(sizes) <= 6 else sizes[:: math.ceil(len(sizes) / 6)]
    axes.set_xticks(ticks, [f"{size:.3g}" for size in ticks])
    axes.set_xticks([], minor=True)
    axes.set_xlabel("cell size, root of the mean area or volume [m]")
    axes.set_ylabel(f"RMS difference from the finest mesh [{unit}]" if unit else "error")
    axes.grid(True, which="major", linewidth=0.4, color="0.85")
    title = "observed order, allowing for\nthe finest mesh's own error" if unit else "observed order"
    legend = axes.legend(frameon=False, loc="center left", bbox_to_anchor=(1.01, 0.5), title=title, alignment="left")
    legend.get_title().set(fontsize=9, multialignment="left")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)


def order_text(order):
    return "none" if math.isnan(order) else f"{order:.2f}"


def print_table(sizes, errors, orders):
    """Prints the content of the picture."""
    width = max(len(name) for name in errors) + 2
    width = max(width, len("cell size [m]") + 2)
    print(f"  {'cell size [m]':<{width}}" + "".join(f"{size:>11.4g}" for size in sizes) + f"{'order':>10}")
    for name, values in errors.items():
        order = order_text(orders[name])
        print(f"  {name:<{width}}" + "".join(f"{value:>11.3e}" for value in values) + f"{order:>10}")
