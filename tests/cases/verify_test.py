"""Runs solenoid verify on a case: all that applies has to hold."""

import argparse
import subprocess
import sys
from pathlib import Path

import expected


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--case", required=True, type=lambda text: Path(text).resolve(), help="case file")
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--results", required=True, type=Path, help="folder for the result folders")
    options = parser.parse_args()
    changes = expected.read_expected(options.case).get("verify", [])
    result = options.results / f"{options.case.parent.name}-{options.case.stem}-verify"
    command = [options.mpiexec, "--quiet", "-n", options.ranks, options.solenoid, "verify", options.case]
    command += ["--output", result, *(word for change in changes for word in ("--set", change))]
    return subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL).returncode


if __name__ == "__main__":
    sys.exit(main())
