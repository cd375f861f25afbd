"""Options and programs shared by the comparisons."""

import argparse
import os
import shutil
import signal
import subprocess
import sys
from pathlib import Path

from common.failure import Failure
from measuring.launch import Stopped

ROOT = Path(__file__).resolve().parents[2]
LIB = ROOT / "tools" / "lib.sh"
ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}


def positive(text):
    if not text.isdecimal() or int(text) < 1:
        raise argparse.ArgumentTypeError(f"'{text}': expected a whole number above 0")
    return int(text)


def positive_number(text):
    try:
        value = float(text)
    except ValueError:
        value = 0.0
    if not 0 < value < float("inf"):
        raise argparse.ArgumentTypeError(f"'{text}': expected a number above 0")
    return value


def mesh_file(text):
    if not Path(text).is_file():
        raise argparse.ArgumentTypeError(f"there is no file '{text}'")
    return text


def with_lib(script, *arguments, **options):
    """Runs a bash script with the functions of tools/lib.sh, one thread per rank."""
    command = ["bash", "-c", 'source "$1"; shift; ' + script, sys.argv[0], LIB, *arguments]
    return subprocess.run([str(word) for word in command], env={**os.environ, **ONE_THREAD}, text=True,
                          stdin=subprocess.DEVNULL, **options)


def end_of(tool, run):
    """Runs a tool; returns its exit code."""
    def stop(number, _):
        raise Stopped(number)

    signal.signal(signal.SIGTERM, stop)  # removes the temporary files
    try:
        run()
    except (Failure, OSError) as failure:
        print(f"{tool}: {failure}", file=sys.stderr)
        return 1
    except Stopped as end:
        return end.code
    except KeyboardInterrupt:
        return 130
    return 0


def need_command(command, package):
    if not shutil.which(command):
        raise Failure(f"'{command}' was not found (Debian, Ubuntu: apt-get install {package})")


def build_solenoid():
    """The program of the preset cpu, built if out of date."""
    if with_lib("build cpu bin/solenoid").returncode != 0:
        raise Failure("Solenoid could not be built; the reason is above")
    return ROOT / "build" / "cpu" / "bin" / "solenoid"


def warn_of_too_many_ranks(tool, ranks):
    cores = int(with_lib("count_cores", capture_output=True).stdout)
    if max(ranks) > cores:
        print(f"{tool}: {max(ranks)} ranks share {cores} cores: their times say little", file=sys.stderr)
