"""The rows of a scaling study as tables on the screen, as scaling.json and as scaling.csv."""

import csv
import io
import json
import os

NOTES = """\
median: seconds of one application, for cg of one iteration, on the slowest rank; the median of the repeats.
speed-up and efficiency: of cells per second, against the smallest number of ranks.
communication: the exchange of the input; for cg one exchange and one sum over ranks; for sums one sum.
It is measured alone, over the median: what overlaps with computation is not taken off."""


def percent(value):
    return "-" if value is None else f"{100 * value:.1f} %"


def number(value, form):
    return "-" if value is None else format(value, form)


def aligned(header, lines):
    """A table as text: first column left-aligned, numbers right-aligned. Empty lines stay empty."""
    widths = [max(len(line[k]) for line in [header, *lines] if line) for k in range(len(header))]
    texts = []
    for line in [header, *lines]:
        cells = [f"{cell:>{width}}" if k else f"{cell:<{width}}" for k, (cell, width) in enumerate(zip(line, widths))]
        texts.append(("  " + "  ".join(cells)).rstrip())
    return "\n".join(texts)


def lines_of(study, line):
    """line(row, previous row of its series) for all rows, with an empty line between the series of weak scaling."""
    lines = []
    for series in study["series"]:
        if lines and study["scaling"] == "weak":
            lines.append([])
        before = [None, *series["rows"]]
        lines += [line(row, before[k]) for k, row in enumerate(series["rows"])]
    return lines


def mesh_table(study):
    header = ["mesh", "cells", "ranks", "least per rank", "most", "balance", "cut faces", "halo share"]
    rows = [row for series in study["series"] for row in series["rows"]]
    with_setup = any(row["setup_seconds"] is not None for row in rows)
    with_memory = any(row["setup_bytes_max_rank"] is not None for row in rows)

    def line(row, before):
        cells = [row["mesh"], str(row["cells"]), str(row["ranks"]), str(row["cells_min"]), str(row["cells_max"])]
        cells += [percent(row["balance"]), str(row["cut_faces"]), percent(row["halo_share"])]
        first = before is None or before["mesh"] != row["mesh"]
        if with_memory:
            most, per_cell = row["setup_bytes_max_rank"], row["setup_bytes_per_cell"]
            memory = ["-" if most is None else f"{1e-6 * most:.0f}", number(per_cell, ".0f")]
            return [*cells, number(row["setup_seconds"], ".3g"), *memory]
        return cells + [number(row["setup_seconds"], ".3g") if first else ""] * with_setup

    header += ["set-up [s]"] * with_setup + ["MB a rank", "B a cell"] * with_memory
    return aligned(header, lines_of(study, line))


def name_table(study, name):
    header = ["mesh", "ranks", "median [s]", "ns per unknown", "speed-up", "efficiency", "of triad", "communication"]

    def line(row, _):
        result = next(result for result in row["results"] if result["name"] == name)
        per_unknown = result["seconds_per_unknown"]
        cells = [row["mesh"], str(row["ranks"]), number(result["seconds"], ".4g")]
        cells += ["-" if per_unknown is None else f"{1e9 * per_unknown:.4g}", number(result["speed_up"], ".2f")]
        return cells + [percent(result[key]) for key in ("efficiency", "bandwidth_fraction", "communication_share")]

    return aligned(header, lines_of(study, line))


def model_table(study):
    """The model of tools/measuring/model.py, named as one; empty without it."""
    rows = study.get("model", {}).get("rows", [])
    if not rows:
        return ""
    header = ["model, not measured", "ranks", "cells", "time [s]", "memory", "halo", "sums", "efficiency", "overlapped"]
    lines = []
    for k, row in enumerate(rows):
        if k and (row["series"], row["name"]) != (rows[k - 1]["series"], rows[k - 1]["name"]):
            lines.append([])
        parts = [percent(row["parts"][part] / row["seconds"]) for part in ("memory", "halo", "sums")]
        counts = [str(row["ranks"]), f"{row['cells']:.3g}", f"{row['seconds']:.4g}"]
        efficiencies = [percent(row[key]) for key in ("efficiency", "efficiency_overlapped")]
        lines.append([f"{row['name']}, {row['series']}", *counts, *parts, *efficiencies])
    note = "overlapped: as far as the exchange hides behind the memory's work, which the program overlaps in part."
    return f"A model, no measurement: {study['model']['text']}.\n{aligned(header, lines)}\n{note}"


def tables(study):
    """All tables of a study, with their footnotes."""
    rows = [row for series in study["series"] for row in series["rows"]]
    where = ", ".join(word for word in (rows[0]["backend"], rows[0]["device"]) if word)
    texts = [f"Meshes and their parts{where and f' ({where})'}\n{mesh_table(study)}"]
    texts += [f"{name}\n{name_table(study, name)}" for name in study["names"]]
    texts += [model_table(study)] if study.get("model") else []
    notes = NOTES
    crowded = [row["ranks"] for row in rows if study["cores"] and row["ranks"] > study["cores"]]
    if crowded:
        notes += (
            f"\n{study['cores']} cores for {', '.join(map(str, dict.fromkeys(crowded)))} ranks: ranks take turns, "
            "and their times say nothing about scaling."
        )
    return "\n\n".join([*texts, notes])


def csv_text(study):
    """CSV text, a line per row and name."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    header = ["scaling", "series", "mesh", "cells [-]", "ranks [-]", "cells_min [-]", "cells_max [-]", "balance [-]"]
    header += ["cut_faces [-]", "halo_share [-]", "setup [s]", "setup_max_rank [B]", "setup_per_cell [B]"]
    header += ["triad [B/s]", "name", "unknowns [-]", "median [s]"]
    header += ["fastest [s]", "slowest [s]", "time_per_unknown [ns]", "speed_up [-]", "efficiency [-]"]
    writer.writerow(header + ["bandwidth_fraction [-]", "communication_share [-]"])
    of_row = ["mesh", "cells", "ranks", "cells_min", "cells_max", "balance", "cut_faces", "halo_share"]
    of_row += ["setup_seconds", "setup_bytes_max_rank", "setup_bytes_per_cell", "triad_bytes_per_second"]
    for series in study["series"]:
        for row in series["rows"]:
            for result in row["results"]:
                per_unknown, repeats = result["seconds_per_unknown"], result["seconds_of_repeats"]
                line = [study["scaling"], series["label"], *(row[key] for key in of_row), result["name"]]
                line += [result["unknowns"], result["seconds"], min(repeats), max(repeats)]
                line += [None if per_unknown is None else 1e9 * per_unknown]
                line += [result[key] for key in ("speed_up", "efficiency", "bandwidth_fraction", "communication_share")]
                writer.writerow(line)
    for row in study.get("model", {}).get("rows", []):
        empty = [None] * (len(of_row) - 3)
        writer.writerow(
            [f"{study['scaling']} (model)", row["series"], None, row["cells"], row["ranks"], *empty, row["name"], None,
             row["seconds"], None, None, None, None, row["efficiency"], None, None]
        )  # fmt: skip
    return text.getvalue()


def write(study, folder):
    """Writes scaling.json and scaling.csv, each completely or not at all."""
    for name, text in (("scaling.json", json.dumps(study, indent=2) + "\n"), ("scaling.csv", csv_text(study))):
        part = folder / f"{name}.part"
        part.write_text(text)
        os.replace(part, folder / name)
