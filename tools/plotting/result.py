"""A result folder: the case, its steps, its tables. For a running or failed run, the content so far."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from xml.etree import ElementTree

import numpy as np

from common import tables
from common.failure import Failure
from plotting import vtkhdf


def raised(unit):
    """m^2/s^2 as m²/s², 10^-6 as 10⁻⁶."""
    return re.sub(r"\^(-?\d+)", lambda power: power[1].translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")), unit)


@dataclass
class Step:
    number: int
    time: float  # s
    path: Path  # .pvtu, or the .vtkhdf of all outputs
    place: int = 0  # index among the outputs


@dataclass
class Column(tables.Column):
    """A column as an array, with its axis label."""

    values: np.ndarray

    @property
    def label(self):
        name = self.name.replace("_", " ")
        return name if self.unit in ("", "-") else f"{name} [{raised(self.unit)}]"


def read_columns(path):
    """Columns by name of a table that a run may still be writing."""
    table = tables.read_table(path, unfinished=True)
    return {name: Column(name, column.unit, np.array(column.values)) for name, column in table.items()}


class Result:
    """A result folder, read on demand."""

    def __init__(self, folder):
        self.folder = Path(folder)
        if not self.folder.is_dir():
            raise Failure(f"{self.folder}: no such folder; expected a run's result folder, such as results/cavity")
        if not any((self.folder / name).is_file() for name in ("fields.pvd", "fields.vtkhdf", "history.csv")):
            raise Failure(
                f"{self.folder}: not a result folder, it has neither fields.pvd nor history.csv; "
                "give the folder that 'solenoid run' named at its end, or run the case with tools/run"
            )
        self.name = self.folder.resolve().name
        self.summary = self._read_summary()

    def _read_summary(self):
        path = self.folder / "summary.json"
        try:
            summary = json.loads(path.read_text())
        except FileNotFoundError:
            return {}  # only written at the end of a run
        except (OSError, ValueError) as error:
            raise Failure(f"{path}: cannot be read ({error}); run the case again") from None
        if not isinstance(summary, dict):
            raise Failure(f"{path}: expected an object in braces; run the case again")
        return summary

    def entry(self, *keys):
        """The entry keys[0].keys[1]... of summary.json; None if it is missing."""
        found = self.summary
        for key in keys:
            found = found.get(key) if isinstance(found, dict) else None
        return found

    @property
    def title(self):
        return self.entry("case", "title") or self.name

    @property
    def overrides(self):
        """The overrides by --set, as `key=value`; empty if a result lacks them."""
        found = self.entry("run", "overrides")
        return [one for one in found if isinstance(one, str)] if isinstance(found, list) else []

    @property
    def regions(self):
        """Names of the regions, in the order of their numbers."""
        found = self.entry("mesh", "regions")
        return [str(name) for name in found] if isinstance(found, list) else []

    def patches(self):
        """The .vtp files of the patches by name; empty if there are none."""
        try:
            entries = list(ElementTree.parse(self.folder / "patches.vtm").iter("DataSet"))
        except (OSError, ElementTree.ParseError):
            return {}
        return {entry.get("name"): self.folder / entry.get("file", "") for entry in entries}

    def insulated(self):
        """The .vtp files of the insulated patches; empty if the result lacks the conditions."""
        boundary = self.entry("case", "boundary")
        boundary = boundary if isinstance(boundary, dict) else {}
        kinds = {name: given.get("type") for name, given in boundary.items() if isinstance(given, dict)}
        return [file for name, file in self.patches().items() if kinds.get(name) == "insulated"]

    @property
    def series(self):
        """The file with the list of steps: fields.pvd, except for a run with the other format."""
        pvd, one_file = self.folder / "fields.pvd", self.folder / "fields.vtkhdf"
        return one_file if one_file.is_file() and self.entry("case", "output", "format") != "pvtu" else pvd

    def steps(self):
        """The steps that fields.pvd lists, or fields.vtkhdf has, in order of time."""
        path = self.series
        if path.suffix == ".vtkhdf":
            return [Step(number, when, path, k) for k, (number, when) in enumerate(vtkhdf.steps(path))]
        steps = []
        try:
            for entry in ElementTree.parse(path).iter("DataSet"):
                file = entry.attrib["file"]
                number = int(re.fullmatch(r".*_(\d+)\.pvtu", file)[1])
                steps.append(Step(number, float(entry.attrib["timestep"]), self.folder / file))
        except FileNotFoundError:
            raise Failure(f"{path}: no such file: no fields are written yet; only --history can be drawn") from None
        except (OSError, ElementTree.ParseError, KeyError, TypeError, ValueError) as error:
            raise Failure(f"{path}: cannot be read ({error}); run the case again") from None
        if not steps:
            raise Failure(f"{path}: lists no step: no fields are written yet; only --history can be drawn")
        return sorted(steps, key=lambda step: step.time)

    def pick(self, number=None, time=None):
        """The step of this number, or the nearest to this time, else the last."""
        steps = self.steps()
        if number is not None:
            for step in steps:
                if step.number == number:
                    return step
            there = ", ".join(f"{step.number}" for step in steps)
            raise Failure(f"{self.series}: no fields of step {number}; there are those of {there}")
        if time is not None:
            first, last = steps[0].time, steps[-1].time
            slack = 0.01 * max(last - first, abs(last)) + 1e-12
            if not first - slack <= time <= last + slack:
                raise Failure(
                    f"{self.series}: no fields at t = {time:g} s; there are {len(steps)} steps "
                    f"from t = {first:g} s to {last:g} s"
                )
            return min(steps, key=lambda step: abs(step.time - time))
        return steps[-1]

    def tracers(self, name, time):
        """The output file of a [[tracer]] nearest to a time."""
        folder = self.folder / "tracers"
        path = folder / f"{name}.pvd"
        try:
            entries = [(float(entry.attrib["timestep"]), folder / entry.attrib["file"])
                       for entry in ElementTree.parse(path).iter("DataSet")]
        except FileNotFoundError:
            there = ", ".join(sorted(file.stem for file in folder.glob("*.pvd"))) or "none"
            raise Failure(f"{path}: no such file; the tracers of this result: {there}") from None
        except (OSError, ElementTree.ParseError, KeyError, ValueError) as error:
            raise Failure(f"{path}: cannot be read ({error}); run the case again") from None
        if not entries:
            raise Failure(f"{path}: lists no output yet")
        return min(entries, key=lambda entry: abs(entry[0] - time))[1]

    def history(self):
        """Columns of history.csv by name."""
        table = read_columns(self.folder / "history.csv")
        if "time" not in table:
            raise Failure(f"{self.folder / 'history.csv'}: no column `time`; found {', '.join(table)}")
        if not len(table["time"].values):
            raise Failure(f"{self.folder / 'history.csv'}: no step yet; wait for the run's first step")
        return table

    def profiles(self, step=None):
        """Tables of lines/NAME_<step>.csv by NAME: of `step`, or the last of each line."""
        newest = {}
        for path in sorted((self.folder / "lines").glob("*.csv")):
            match = re.fullmatch(r"(.+)_(\d+)\.csv", path.name)
            if match and (step is None or int(match[2]) == step.number):
                newest[match[1]] = max(newest.get(match[1], (-1, None)), (int(match[2]), path))
        return {name: read_columns(path) for name, (_, path) in newest.items()}
