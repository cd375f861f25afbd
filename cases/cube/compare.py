#!/usr/bin/env python3
"""Compares a run of the lid-driven cube with profiles at Re = 100, 400 or 1000.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: compared (there are no bars); 2: the folder is not a complete result.
"""

import math
import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, read_summary  # noqa: E402
from common.failure import Failure  # noqa: E402
from common.profiles import interpolate, monotone_cubic, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).resolve().parent / "reference"
HEXAHEDRA = "icoFoam on hexahedra, extrapolated"
REFERENCES = {  # Reynolds number: (file name without _u.csv and _v.csv, source)
    100: ("icofoam_hexahedra_re100", HEXAHEDRA),
    400: ("icofoam_hexahedra_re400", HEXAHEDRA),
    1000: ("albensoeder_kuhlmann2005", "Albensoeder & Kuhlmann 2005"),
}
PROFILES = {"u": ("u_on_axis", "y"), "v": ("v_on_axis", "x")}
PLACES = 100  # intervals along each axis


def reynolds_number(summary):
    return 1 / summary["case"]["flow"]["viscosity"]


def reference_of(reynolds):
    """(file name, source) of the profiles at this Reynolds number; None if there are none."""
    return next((found for at, found in REFERENCES.items() if abs(reynolds - at) < 1e-6 * at), None)


def read_profiles(result, files):
    """By component: (places, values) of the computed profile and of the reference, in ascending order of places."""
    profiles = {}
    for component, (name, coordinate) in PROFILES.items():
        path = newest_line(result, name)
        table, reference = read_table(path), read_table(REFERENCE / f"{files}_{component}.csv")
        try:
            computed = table[coordinate].values, table[component].values
        except KeyError as missing:
            raise Failure(f"{path}: no column {missing}; found {', '.join(table)}") from None
        rows = sorted(zip(reference[coordinate].values, reference[component].values))
        profiles[component] = computed, tuple(map(list, zip(*rows)))
    return profiles


def largest_deviation(computed, reference):
    """(place, computed minus reference) of the largest deviation at the places of the table."""
    found = [(place, interpolate(*computed, place) - value) for place, value in zip(*reference)]
    return max(found, key=lambda row: abs(row[1]))


def root_mean_square(profiles):
    """Root mean square of the deviations at equidistant places, with the reference interpolated by monotone cubics:
    the places of a published table are clustered in the layers."""
    squares = []
    for computed, reference in profiles.values():
        at = monotone_cubic(*reference)
        squares += [(interpolate(*computed, k / PLACES) - at(k / PLACES)) ** 2 for k in range(PLACES + 1)]
    return math.sqrt(sum(squares) / len(squares))


def errors(result):
    """Deviations from the reference [m/s] by name, for tools/plot --errors."""
    reynolds = reynolds_number(read_summary(result))
    found = reference_of(reynolds)
    if found is None:
        raise Failure(f"{result}: there is no reference for Re = {reynolds:g}")
    profiles = read_profiles(result, found[0])
    named = {f"{component}, largest": abs(largest_deviation(*profiles[component])[1]) for component in profiles}
    return named | {"root mean square": root_mean_square(profiles)}


def compare(result, summary):
    """Prints the comparison; it has no bars."""
    cells, reynolds = summary["mesh"]["cells"], reynolds_number(summary)
    print(f"Lid-driven cube, Re = {reynolds:g}, {cells} cells:")
    found = reference_of(reynolds)
    if found is None:
        print(f"  there is no reference for this Reynolds number (there is for {', '.join(map(str, REFERENCES))})")
        return True
    files, source = found
    profiles = read_profiles(result, files)
    print(f"  compared with {source}:")
    for component, (_, coordinate) in PROFILES.items():
        place, miss = largest_deviation(*profiles[component])
        print(f"  largest deviation of {component}: {miss:+.4f} m/s at {coordinate} = {place:.4f} m")
    print(f"  root of the mean square over both: {root_mean_square(profiles):.4f} m/s")
    return True


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
