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
    """Linear interpolation between the points of the profile, which are close together."""
    i = min(max(bisect_right(places, place), 1), len(places) - 1)
    weight = (place - places[i - 1]) / (places[i] - places[i - 1])
    return (1 - weight) * values[i - 1] + weight * values[i]


def monotone_cubic(places, values):
    """Monotone cubic interpolation between ascending places, without new extrema (Fritsch & Butland 1984)."""
    steps = [after - before for before, after in zip(places, places[1:])]
    slopes = [(after - before) / step for before, after, step in zip(values, values[1:], steps)]
    bends = [slopes[0]]
    for i in range(1, len(slopes)):
        left, right = slopes[i - 1], slopes[i]
        weights = 2 * steps[i] + steps[i - 1], steps[i] + 2 * steps[i - 1]
        bends.append(sum(weights) / (weights[0] / left + weights[1] / right) if left * right > 0 else 0.0)
    bends.append(slopes[-1])

    def at(place):
        i = min(max(bisect_right(places, place) - 1, 0), len(steps) - 1)
        t, step = (place - places[i]) / steps[i], steps[i]
        start = (1 + 2 * t) * values[i] + t * step * bends[i]
        end = (3 - 2 * t) * values[i + 1] - (1 - t) * step * bends[i + 1]
        return (1 - t) ** 2 * start + t**2 * end

    return at
