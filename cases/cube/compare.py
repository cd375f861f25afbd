#!/usr/bin/env python3
"""Compares a run of the lid-driven cube at Re = 1000 with published profiles.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: compared (there are no bars); 2: the folder does not hold what is needed.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of  # noqa: E402
from common.failure import Failure  # noqa: E402
from common.profiles import interpolate, monotone_cubic, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).resolve().parent / "reference"
PROFILES = {"u": ("u_on_axis", "y"), "v": ("v_on_axis", "x")}
PLACES = 100  # along each axis


def read_profiles(result, component):
    """(places, values) of the profile of a component: computed, published; places ascend."""
    name, coordinate = PROFILES[component]
    table = read_table(newest_line(result, name))
    published = read_table(REFERENCE / f"albensoeder_kuhlmann2005_{component}.csv")
    try:
        places, values = table[coordinate].values, table[component].values
    except KeyError as missing:
        raise Failure(f"{newest_line(result, name)}: no column {missing}; found {', '.join(table)}") from None
    rows = sorted(zip(published[coordinate].values, published[component].values))
    return (places, values), tuple(map(list, zip(*rows)))


def largest_deviation(computed, published):
    """(place, computed less published) at the places of the table."""
    found = [(place, interpolate(*computed, place) - value) for place, value in zip(*published)]
    return max(found, key=lambda row: abs(row[1]))


def root_mean_square(profiles):
    """Of the deviations at even places, between those of the tables on cubics: the tables' own crowd in the layers."""
    squares = []
    for computed, published in profiles:
        at = monotone_cubic(*published)
        squares += [(interpolate(*computed, k / PLACES) - at(k / PLACES)) ** 2 for k in range(PLACES + 1)]
    return math.sqrt(sum(squares) / len(squares))


def errors(result):
    """Deviations from the published values [m/s] by name, for tools/plot --errors."""
    profiles = {component: read_profiles(result, component) for component in PROFILES}
    named = {f"{component}, largest": abs(largest_deviation(*profiles[component])[1]) for component in profiles}
    return named | {"root mean square": root_mean_square(profiles.values())}


def compare(result, summary):
    """Prints the whole comparison, which has no bars."""
    cells, reynolds = summary["mesh"]["cells"], 1 / summary["case"]["flow"]["viscosity"]
    print(f"Lid-driven cube, Re = {reynolds:g}, {cells} cells, compared with Albensoeder & Kuhlmann 2005:")
    if abs(reynolds - 1000) > 1e-3:
        print("  there is no published table for this Reynolds number (there is for 1000)")
        return True
    profiles = {component: read_profiles(result, component) for component in PROFILES}
    for component, (_, coordinate) in PROFILES.items():
        place, miss = largest_deviation(*profiles[component])
        print(f"  largest deviation of {component}: {miss:+.4f} m/s at {coordinate} = {place:.4f} m")
    print(f"  root of the mean square over both: {root_mean_square(profiles.values()):.4f} m/s")
    return True


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
