"""What expected.toml of a case says about a run, checked against the run's result folder.

    python3 expected.py CASE.toml RESULT_FOLDER

The table of CASE's name in the expected.toml beside it is checked; every check prints what was found and its bound.
Exit code 0: all are met; 1: one is missed; 2: expected.toml or the result folder cannot be used.

    [case]                            # what a run of case.toml must show
    set = ["mesh.size=0.1"]           # with these changes, where the whole run would take too long
    verify = ["mesh.size=0.3"]        # the changes with which solenoid verify runs it
    scripts = ["compare.py"]          # beside the case; called with the result folder, each must exit with 0

    [[case.summary]]                  # a value of summary.json
    value = "run.stopped_by"
    equals = "steady"                 # or at_most, at_least

    [[case.history]]                  # a column of history.csv in every row
    column = "kinetic_energy"
    exact = "0.25*exp(-0.04*pi^2*t)"  # of t and the functions of Python's math
    at_most = 1e-3                    # largest deviation over the exact value

    [[case.line]]                     # the newest profile of that name
    name = "diagonal"
    exact.u = "sin(pi*x)*cos(pi*y)"   # a column and its exact value, of x, y, z, t
    at_most = 1e-3                    # largest deviation, in the column's unit
"""

import json
import math
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.failure import Failure  # noqa: E402
from common.tables import read_table  # noqa: E402


@dataclass
class Check:
    name: str
    found: str
    bound: str
    ok: bool


def bounded(name, found, bound):
    return Check(name, f"{found:.3g}", f"<= {bound:g}", found <= bound)


# The tables of expected.toml: key -> type, for the variant and for the entries of its lists.
VARIANT = {"set": list, "verify": list, "scripts": list, "summary": list, "history": list, "line": list}
ENTRIES = {
    "summary": {"value": str, "equals": (str, int, float), "at_most": (int, float), "at_least": (int, float)},
    "history": {"column": str, "exact": str, "at_most": float},
    "line": {"name": str, "exact": dict, "at_most": float},
}


def require_keys(place, table, known, needed=()):
    for key, value in table.items():
        if key not in known:
            raise Failure(f"{place}: unknown key `{key}`; known: {', '.join(known)}")
        if not isinstance(value, known[key]):
            raise Failure(f"{place}: {key} = {value!r} is of the wrong type")
    for key in needed:
        if key not in table:
            raise Failure(f"{place}: the key `{key}` is missing")


def read_expected(case):
    """The table for the case file `case` in the expected.toml beside it, its keys checked."""
    path = case.with_name("expected.toml")
    try:
        tables = tomllib.loads(path.read_text())
    except OSError as error:
        raise Failure(f"{path}: {error.strerror}; every case has bounds on its results") from None
    except tomllib.TOMLDecodeError as error:
        raise Failure(f"{path}: {error}") from None
    if case.stem not in tables:
        raise Failure(f"{path}: no table [{case.stem}] for {case.name}; found {', '.join(tables)}")
    expected = tables[case.stem]
    require_keys(f"{path}: [{case.stem}]", expected, VARIANT)
    for kind, known in ENTRIES.items():
        for entry in expected.get(kind, []):
            place = f"{path}: [[{case.stem}.{kind}]]"
            require_keys(place, entry, known, needed=["value"] if kind == "summary" else known)
            if kind == "summary" and len(entry) != 2:
                raise Failure(f"{place}: give exactly one of equals, at_most, at_least")
    return expected


FUNCTIONS = {name: value for name, value in vars(math).items() if not name.startswith("_")} | {"abs": abs}


def formula(text):
    """A function of x, y, z, t (keywords) from an expression in the syntax of case files, where ^ is the power."""
    try:
        code = compile(text.replace("^", "**"), "<expected.toml>", "eval")
    except SyntaxError as error:
        raise Failure(f"expression \"{text}\": {error.msg}") from None
    for name in code.co_names:
        if name not in FUNCTIONS and name not in {"x", "y", "z", "t"}:
            raise Failure(f"expression \"{text}\": unknown name `{name}`; known: x, y, z, t and Python's math")
    return lambda **where: eval(code, {"__builtins__": {}}, FUNCTIONS | where)


def column(table, name, path):
    if name not in table:
        raise Failure(f"{path}: no column `{name}`; found {', '.join(table)}")
    return table[name].values


def newest_lines(result):
    """The newest profile of each name in the result folder."""
    newest = {}
    for path in (result / "lines").glob("*.csv"):
        if match := re.fullmatch(r"(.+)_(\d+)\.csv", path.name):
            newest[match[1]] = max(newest.get(match[1], (-1, path)), (int(match[2]), path))
    return {name: path for name, (_, path) in newest.items()}


def read_summary(result):
    try:
        return json.loads((result / "summary.json").read_text())
    except (OSError, ValueError) as error:
        raise Failure(f"{result / 'summary.json'}: cannot be used ({error}); did the run end well?") from None


def check_summary(entry, summary):
    value = summary
    for key in entry["value"].split("."):
        if not isinstance(value, dict) or key not in value:
            raise Failure(f"summary.json has no value `{entry['value']}`")
        value = value[key]
    if "equals" in entry:
        return Check(entry["value"], str(value), f"= {entry['equals']}", value == entry["equals"])
    if "at_least" in entry:
        return Check(entry["value"], f"{value:g}", f">= {entry['at_least']:g}", value >= entry["at_least"])
    return bounded(entry["value"], value, entry["at_most"])


def largest(deviations):
    """The largest of them; not a number if one is not."""
    deviations = list(deviations)
    if not deviations:
        raise Failure("there is no row to check")
    return math.nan if any(math.isnan(d) for d in deviations) else max(deviations)


def check_history(entry, result):
    path = result / "history.csv"
    table, exact = read_table(path), formula(entry["exact"])
    rows = zip(column(table, "time", path), column(table, entry["column"], path))
    deviation = largest(abs(value / exact(t=t) - 1) for t, value in rows)
    return bounded(f"history: {entry['column']}, relative", deviation, entry["at_most"])


def check_line(entry, result, time):
    path = newest_lines(result).get(entry["name"])
    if path is None:
        raise Failure(f"{result / 'lines'}: no file {entry['name']}_<number>.csv")
    table = read_table(path)
    places = list(zip(*(column(table, axis, path) for axis in "xyz")))
    for name, text in entry["exact"].items():
        exact = formula(text)
        pairs = zip(places, column(table, name, path))
        deviation = largest(abs(value - exact(x=x, y=y, z=z, t=time)) for (x, y, z), value in pairs)
        yield bounded(f"line {entry['name']}: {name}", deviation, entry["at_most"])


def check_script(name, case, result):
    done = subprocess.run([sys.executable, "-B", case.with_name(name), result], capture_output=True, text=True)
    print(done.stdout + done.stderr, end="")
    return Check(name, f"exit code {done.returncode}", "= 0", done.returncode == 0)


def check(case, result):
    """All checks of a run of the case file `case` in the folder `result`."""
    expected, summary = read_expected(case), read_summary(result)
    checks = [check_summary(entry, summary) for entry in expected.get("summary", [])]
    checks += [check_history(entry, result) for entry in expected.get("history", [])]
    for entry in expected.get("line", []):
        checks += check_line(entry, result, summary["run"]["time"])
    checks += [check_script(name, case, result) for name in expected.get("scripts", [])]
    return checks


def report(checks):
    """Prints the checks as a table; returns the names of those that are missed."""
    width = max([len(c.name) for c in checks], default=0)
    for c in checks:
        print(f"  {c.name:<{width}}  {c.found:>12}  {c.bound:>12}  {'ok' if c.ok else 'MISSED'}")
    return [c.name for c in checks if not c.ok]


def main():
    if len(sys.argv) != 3 or sys.argv[1].startswith("-"):
        print(__doc__)
        return 2
    try:
        missed = report(check(Path(sys.argv[1]).resolve(), Path(sys.argv[2])))
    except Failure as reason:
        print(f"expected.py: {reason}", file=sys.stderr)
        return 2
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
