"""OpenFOAM in the comparisons: its case files, the launch of its programs, and messages if they are missing."""

import os
import shutil
from pathlib import Path

from comparing.running import INPUTS, Missing, first_match

DEBIAN_PROJECT = Path("/usr/share/openfoam")  # value from its environment file, without sourcing


def need(programs):
    missing = [program for program in programs if not shutil.which(program)]
    if missing:
        raise Missing(f"OpenFOAM's '{missing[0]}' was not found (Debian, Ubuntu: apt-get install openfoam; others: "
                      "source OpenFOAM's etc/bashrc)")


def write_case(name, folder, **words):
    """Writes the files of inputs/NAME with each @WORD@ replaced."""
    for file in sorted((INPUTS / name).glob("*/*")):
        text = file.read_text()
        for word, value in words.items():
            text = text.replace(f"@{word}@", str(value))
        copy = folder / file.relative_to(INPUTS / name)
        copy.parent.mkdir(exist_ok=True)
        copy.write_text(text)


def launch(problem, folder, program, *arguments, ranks=None):
    ours = "WM_PROJECT_DIR" not in os.environ and (DEBIAN_PROJECT / "etc/controlDict").is_file()
    return problem.launch(folder, program, *arguments, ranks=ranks,
                          environment={"WM_PROJECT_DIR": str(DEBIAN_PROJECT)} if ours else {})


def version_in(output):
    return first_match(r"Build\s*: (.+)", output)
