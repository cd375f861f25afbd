#!/usr/bin/env python3
"""Compares a run of the lid-driven cavity with published tables.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met, or none applies; 1: one is missed (not with --report, which only prints);
2: the folder is not a complete result. The bars apply to meshes of about 18 000 triangles and finer.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, read_summary  # noqa: E402
from common.failure import Failure  # noqa: E402
from common.profiles import interpolate, newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

REFERENCE = Path(__file__).resolve().parent / "reference"

# Largest allowed deviation from Ghia, Ghia & Shin (1982). Their tables are off by up to 1.8 % at Re = 1000.
GHIA_BARS = {"u": {100: 0.008, 400: 0.008, 1000: 0.016}, "v": {100: 0.011, 400: 0.008, 1000: 0.016}}
GHIA_MISPRINTS = {("v", 400, 0.9063)}

# Extrema on the centrelines at Re = 1000: name, profile, min or max, value, place.
# Botella & Peyret, Computers & Fluids 27 (1998).
EXTREMA = [
    ("u_min", "u", min, -0.3885698, 0.1717),
    ("v_max", "v", max, 0.3769447, 0.1578),
    ("v_min", "v", min, -0.5270771, 0.9092),
]

BARS_FROM_CELLS = 18_000  # coarser meshes get no verdict
EXTREMA_BARS = [(73_000, 0.4), (BARS_FROM_CELLS, 0.8)]  # (least number of cells, allowed deviation in per cent)

LINES = {"u": ("u_on_x=0.5", "y"), "v": ("v_on_y=0.5", "x")}


def read_case(result):
    """Number of cells and Reynolds number of a finished run."""
    summary = read_summary(result)
    try:
        return summary["mesh"]["cells"], 1 / summary["case"]["flow"]["viscosity"]
    except (KeyError, TypeError, ZeroDivisionError) as error:
        raise Failure(f"{result / 'summary.json'}: cannot be used ({error!r})") from None


def read_profile(result, component):
    """Places on the centreline [m] and one velocity component there [m/s]."""
    name, coordinate = LINES[component]
    path = newest_line(result, name)
    table = read_table(path)
    try:
        return table[coordinate].values, table[component].values
    except KeyError as missing:
        raise Failure(f"{path}: no column {missing}; found {', '.join(table)}") from None


def extremum(places, values, which):
    """Place and value of the vertex of the parabola through the largest (smallest) value and its two neighbours."""
    i = values.index(which(values))
    i = min(max(i, 1), len(values) - 2)
    x0, x1, x2 = places[i - 1 : i + 2]
    y0, y1, y2 = values[i - 1 : i + 2]
    slope01, slope12 = (y1 - y0) / (x1 - x0), (y2 - y1) / (x2 - x1)
    bend = (slope12 - slope01) / (x2 - x0)
    if bend == 0:
        return x1, y1
    place = (x0 + x1) / 2 - slope01 / (2 * bend)
    return place, y0 + (place - x0) * (slope01 + bend * (place - x1))


def largest_deviation(profile, places, published):
    """The largest |computed - published| and its place."""
    return max((abs(interpolate(*profile, place) - value), place) for place, value in zip(places, published))


def verdict(deviation, bar):
    if bar is None:
        return ""
    return "ok" if deviation <= bar else "MISSED"


def ghia_file(component):
    return REFERENCE / f"ghia1982_{LINES[component][0]}.csv".replace("x=", "x_").replace("y=", "y_")


def published_reynolds_numbers():
    return [int(name[2:]) for name in read_table(ghia_file("u")) if name.startswith("Re")]


def published_table(reynolds):
    """The Reynolds number of the matching table; None if there is none."""
    return next((table for table in published_reynolds_numbers() if abs(reynolds - table) < 1e-6 * table), None)


def ghia_points(component, reynolds):
    """(place, value) rows of Ghia's table without its misprints, and the places of the misprints."""
    table = read_table(ghia_file(component))
    rows = list(zip(table[LINES[component][1]].values, table[f"Re{reynolds}"].values))
    skipped = [place for place, _ in rows if (component, reynolds, place) in GHIA_MISPRINTS]
    return [row for row in rows if row[0] not in skipped], skipped


def botella_peyret_points(component):
    """(place, value) rows at Re = 1000: the table of u; the two extrema of v."""
    if component == "u":
        table = read_table(REFERENCE / "botella_peyret1998_re1000_u.csv")
        return list(zip(table["y"].values, table["u"].values))
    return [(place, value) for _, of, _, value, place in EXTREMA if of == component]


def errors(result):
    """Largest deviations from the published values [m/s] by name, for tools/plot --errors."""
    _, reynolds = read_case(result)
    table = published_table(reynolds)
    if table is None:
        raise Failure(f"{result}: there is no published table for Re = {reynolds:g}")
    profiles = {component: read_profile(result, component) for component in LINES}
    found = {}
    for component in LINES:
        rows, _ = ghia_points(component, table)
        found[f"{component}, Ghia et al."] = largest_deviation(profiles[component], *zip(*rows))[0]
    if table == 1000:
        for name, component, which, value, _ in EXTREMA:
            found[f"{name}, Botella & Peyret"] = abs(extremum(*profiles[component], which)[1] - value)
    return found


def compare_with_ghia(profiles, reynolds, judged):
    """Prints the deviations from Ghia's tables; returns whether every bar is met."""
    met = True
    print(f"  {'Ghia, Ghia & Shin 1982':<24}{'deviation':>12}{'at':>12}{'bar':>8}")
    for component, (name, coordinate) in LINES.items():
        rows, skipped = ghia_points(component, reynolds)
        deviation, place = largest_deviation(profiles[component], *zip(*rows))
        bar = GHIA_BARS[component].get(reynolds) if judged else None
        at, allowed = f"{coordinate}={place:.4f}", "" if bar is None else f"{bar:.3f}"
        line = f"  {'  ' + name.replace('_', ' '):<24}{deviation:>12.4f}{at:>12}{allowed:>8}  {verdict(deviation, bar)}"
        print(line.rstrip())
        for place in skipped:
            print(f"    ({component} at {coordinate}={place:.4f} is left out: a known misprint of the table)")
        met = met and verdict(deviation, bar) != "MISSED"
    return met


def compare_with_botella_peyret(profiles, cells):
    """Prints the extrema at Re = 1000 next to the spectral ones; returns whether every bar is met."""
    met = True
    bar = next((percent for least, percent in EXTREMA_BARS if cells >= least), None)
    allowed = "" if bar is None else f"{bar:.1f} %"
    print(f"  {'Botella & Peyret 1998':<24}{'computed':>12}{'published':>12}{'deviation':>12}{'bar':>8}")
    for name, component, which, value, place in EXTREMA:
        found_place, found = extremum(*profiles[component], which)
        percent = 100 * abs(found - value) / abs(value)
        line = f"  {'  ' + name:<24}{found:>12.5f}{value:>12.5f}{percent:>10.2f} %{allowed:>8}  {verdict(percent, bar)}"
        print(line.rstrip())
        coordinate = LINES[component][1]
        print(f"    {'at ' + coordinate:<20}{found_place:>12.4f}{place:>12.4f}")
        met = met and verdict(percent, bar) != "MISSED"
    deviation, place = largest_deviation(profiles["u"], *zip(*botella_peyret_points("u")))
    print(f"    largest deviation from their table of u: {deviation:.4f} at y={place:.4f}")
    return met


def compare(result, _):
    """Prints the comparison; returns whether every bar is met."""
    cells, reynolds = read_case(result)
    print(f"Lid-driven cavity, Re = {reynolds:g}, {cells} cells, compared with published tables:")
    table = published_table(reynolds)
    if table is None:
        known = ", ".join(map(str, published_reynolds_numbers()))
        print(f"  there is no published table for this Reynolds number (there is for {known})")
        return True

    profiles = {component: read_profile(result, component) for component in LINES}
    judged = cells >= BARS_FROM_CELLS
    met = compare_with_ghia(profiles, table, judged)
    if table == 1000:
        met = compare_with_botella_peyret(profiles, cells) and met
    if not judged:
        print(f"  (the bars are for meshes of {BARS_FROM_CELLS} cells and finer: no verdict on this one)")
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
