"""Runs a case as a user would on some ranks, checks what its expected.toml says, and that other ranks agree with one."""

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path

import expected


def run(options, ranks, result, settings, *words):
    """Runs the case on so many ranks, with --set of the settings and the words; returns the result folder."""
    command = [options.mpiexec, "--quiet", "-n", ranks, options.solenoid, "run", options.case, "--output", result]
    command += ["--quiet", *words, *(word for setting in settings for word in ("--set", setting))]
    shutil.rmtree(result, ignore_errors=True)  # of another version's program, perhaps
    start = time.monotonic()
    done = subprocess.run([*map(str, command)], stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise expected.Failure(f"{result.name}: the run ended with exit code {done.returncode}, expected 0")
    print(f"{result.name}: {time.monotonic() - start:.1f} s", flush=True)
    return result


def check(options):
    name = options.results / f"{options.case.parent.name}-{options.case.stem}"
    bounds = expected.read_expected(options.case)
    whole = run(options, options.ranks, Path(f"{name}-on-{options.ranks}"), bounds.get("set", []))
    checks = expected.check(options.case, whole)
    changes = bounds["ranks"]["set"]
    several, one = (run(options, n, Path(f"{name}-agree-{n}"), changes, "--no-report") for n in (options.agree, 1))
    return [*checks, expected.check_ranks(several, one, bounds["ranks"]["at_most"])]


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--mpiexec", required=True)
    parser.add_argument("--solenoid", required=True)
    parser.add_argument("--case", required=True, type=lambda text: Path(text).resolve(), help="case file")
    parser.add_argument("--ranks", required=True, type=int, help="of the whole run")
    parser.add_argument("--agree", required=True, type=int, help="ranks that are compared with one in a shorter run")
    parser.add_argument("--results", required=True, type=Path, help="folder for the result folders")
    options = parser.parse_args()
    try:
        missed = expected.report(check(options))
    except expected.Failure as reason:
        print(reason)
        return 1
    if missed:
        print(f"missed: {', '.join(missed)}")
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
