"""CSV tables of numbers below a header of `name [unit]`, from runs or publications."""

import csv
import re
from dataclasses import dataclass

from common.failure import Failure


@dataclass
class Column:
    """A quantity: its name, its unit (empty if the header has none), and a number per row."""

    name: str
    unit: str
    values: list

    @property
    def heading(self):
        """As in the header."""
        return f"{self.name} [{self.unit}]" if self.unit else self.name


def read_lines(path):
    """(line number, cells) of each line; lines that start with # are skipped as comments."""
    try:
        with open(path, newline="") as file:
            rows = csv.reader("#\n" if line.startswith("#") else line for line in file)
            return [(rows.line_num, row) for row in rows if row != ["#"]]
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise Failure(f"{path}: cannot be read: {getattr(error, 'strerror', None) or error}") from None


def number_in(cell, place):
    try:
        return float(cell)
    except ValueError:
        raise Failure(f"{place}: found `{cell}`, expected a number") from None


def read_table(path, unfinished=False):
    """Columns by name. With `unfinished`, an incomplete last line, of a table still being written, is omitted.

    Raises Failure with the place, as FILE:LINE, if the file is not such a table."""
    header, *lines = read_lines(path) or [(1, [])]
    names = [re.fullmatch(r"\s*(\S.*?)(?:\s+\[(.*)\])?\s*", cell) for cell in header[1]]
    if not names or not all(names):
        raise Failure(f"{path}:{header[0]}: not a header of `name [unit]`")
    if unfinished and lines and len(lines[-1][1]) < len(names):
        lines.pop()
    rows = []
    for number, cells in lines:
        place = f"{path}:{number}"
        if len(cells) != len(names):
            raise Failure(f"{place}: {len(cells)} columns, expected {len(names)} as in the header")
        rows.append([number_in(cell, place) for cell in cells])
    return {name[1]: Column(name[1], name[2] or "", [row[i] for row in rows]) for i, name in enumerate(names)}
