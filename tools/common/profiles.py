"""Profiles along lines: the newest one of a run, and values between its points."""

import re
from bisect import bisect_right

from common.failure import Failure


def newest_line(result, name):
    """The file lines/NAME_<number>.csv of a result folder with the largest number."""
    numbered = []
    for path in (result / "lines").glob("*.csv"):
        match = re.fullmatch(re.escape(name) + r"_(\d+)\.csv", path.name)
        if match:
            numbered.append((int(match[1]), path))
    if not numbered:
        raise Failure(f"{result / 'lines'}: no file {name}_<number>.csv; the case needs the [[line]] \"{name}\"")
    return max(numbered)[1]


def interpolate(places, values, place):
    """Linear between the points of the profile, which are close together."""
    i = min(max(bisect_right(places, place), 1), len(places) - 1)
    weight = (place - places[i - 1]) / (places[i] - places[i - 1])
    return (1 - weight) * values[i - 1] + weight * values[i]
