"""Output of the comparisons."""

import platform
from pathlib import Path
from statistics import median


def number(value, form):
    return "-" if value is None else format(value, form)


def print_table(columns, rows):
    """Prints a table. `columns`: head, width (negative: left-aligned), and a function that formats a row."""
    widths = [f"{'<' if width < 0 else '>'}{abs(width)}" for _, width, _ in columns]
    for texts in ([head for head, *_ in columns], *([text(row) for *_, text in columns] for row in rows)):
        print(" ".join(format(*pair) for pair in zip(texts, widths)), flush=True)


def scatter(series):
    """The largest spread of the turns of one program, relative to their median."""
    return max((max(turns) - min(turns)) / median(turns) for turns in series)


def processor():
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next(line.split(":", 1)[1].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()
