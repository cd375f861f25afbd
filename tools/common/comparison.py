"""Shared by the compare.py of cases: the command line, the summary of a run, the exit code."""

import argparse
import json
import sys
from pathlib import Path

from common.failure import Failure


def read_summary(result):
    """summary.json of a finished run."""
    try:
        return json.loads((result / "summary.json").read_text())
    except OSError as error:
        raise Failure(f"{error.filename}: {error.strerror}; is this the result folder of a finished run?") from None
    except ValueError as error:
        raise Failure(f"{result / 'summary.json'}: cannot be used ({error!r})") from None


def verdict(deviation, bar, shown):
    """Verdict printed after a deviation; `shown`: text of the bar; None: no bar."""
    return "" if bar is None else f"(bar {shown}: {'ok' if deviation <= bar else 'MISSED'})"


def main_of(description, compare):
    """Runs `compare.py [--report] RESULT_FOLDER` and returns its exit code. compare(folder, summary) prints, and
    returns whether all bars are met."""
    parser = argparse.ArgumentParser(description=description, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("result", type=Path, metavar="RESULT_FOLDER", help="of a run")
    parser.add_argument("--report", action="store_true", help="exit with 0 also when a bar is missed")
    options = parser.parse_args()
    try:
        met = compare(options.result, read_summary(options.result))
    except Failure as reason:
        print(f"compare.py: {reason}", file=sys.stderr)
        return 2
    except (IndexError, KeyError, TypeError, ValueError, ZeroDivisionError) as error:
        print(f"compare.py: {options.result}: not a result of this case ({error!r})", file=sys.stderr)
        return 2
    return 0 if met or options.report else 1
