"""Runs a program and notes its time and its memory: timed.py REPORT.json FOLDER LOG PROGRAM ARGUMENTS...

A process of its own, and a small one: the memory of a child counts from that of whoever starts it.
"""

import json
import os
import subprocess
import sys
import time


def main(report, folder, log, *command):
    with open(log, "wb") as output:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=output,
                                       stderr=subprocess.STDOUT)
        except OSError as error:
            output.write(f"{command[0]}: {error.strerror}\n".encode())
            return 127
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    with open(report, "w") as file:
        json.dump({"seconds": seconds, "bytes": 1024 * usage.ru_maxrss}, file)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
