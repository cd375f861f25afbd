"""Runs a program and records its time, the time of each line of output, and its memory:
timed.py REPORT.json FOLDER LOG PROGRAM ARGUMENTS...

A small process of its own, since the memory count of a child starts from that of its parent.
"""

import json
import os
import subprocess
import sys
import time


def main(report, folder, log, *command):
    arrivals = []
    with open(log, "wb", buffering=0) as output:
        start = time.perf_counter()
        try:
            process = subprocess.Popen(command, cwd=folder, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                       stderr=subprocess.STDOUT)
        except OSError as error:
            output.write(f"{command[0]}: {error.strerror}\n".encode())
            return 127
        for line in process.stdout:
            arrivals.append(time.perf_counter() - start)
            output.write(line)
        _, status, usage = os.wait4(process.pid, 0)
        seconds = time.perf_counter() - start
    with open(report, "w") as file:
        json.dump({"seconds": seconds, "processor_seconds": usage.ru_utime + usage.ru_stime,
                   "bytes": 1024 * usage.ru_maxrss, "arrivals": arrivals}, file)
    code = os.waitstatus_to_exitcode(status)
    return code if code >= 0 else 128 - code


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
