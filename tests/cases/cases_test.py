"""Runs a case as a user would, and checks what its expected.toml says."""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import expected


def run(options, settings):
    """Runs the case with --set of the settings; returns the result folder."""
    result = options.results / f"{options.case.parent.name}-{options.case.stem}"
    command = [options.mpiexec, "--quiet", "-n", options.ranks, options.solenoid, "run", options.case]
    command += ["--output", result, "--quiet", *(word for setting in settings for word in ("--set", setting))]
    shutil.rmtree(result, ignore_errors=True)  # of another version's program, perhaps
    start = time.monotonic()
    done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise expected.Failure(f"{result.name}: the run ended with exit code {done.returncode}, expected 0")
    print(f"{result.name}: {time.monotonic() - start:.1f} s", flush=True)
    return result


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--case", required=True, type=lambda text: Path(text).resolve(), help="case file")
    parser.add_argument("--ranks", required=True, type=int)
    parser.add_argument("--results", required=True, type=Path, help="folder for the result folders")
    options = parser.parse_args()
    try:
        result = run(options, expected.read_expected(options.case).get("set", []))
        missed = expected.report(expected.check(options.case, result))
    except expected.Failure as reason:
        print(reason)
        return 1
    if missed:
        print(f"missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
