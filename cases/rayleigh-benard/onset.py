#!/usr/bin/env python3
"""Computes the critical Rayleigh number of a layer heated from below, by bisection.

    python3 onset.py [--solenoid PROGRAM] [--size S]

Runs case.toml with a small wave at Rayleigh numbers between 1600 and 1800 until the onset of growth is known to 0.05 %,
and prints the number and its deviation from 1707.762 (Chandrasekhar 1961). Exit code 0: within 1 %; 1: not; 2: a run
failed.
"""

import argparse
import math
import subprocess
import sys
import tempfile
from pathlib import Path

sys.dont_write_bytecode = True
ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))
from common.tables import read_table  # noqa: E402

KNOWN = 1707.762
PRANDTL = 0.71


def growth(options, rayleigh, folder):
    """Growth rate of the wave's amplitude, half that of the kinetic energy, over the second half of the run."""
    result = Path(folder, f"{rayleigh:.2f}")
    changes = {
        "temperature.gravity": f"[0, {-rayleigh * PRANDTL}, 0]", "mesh.size": options.size, "time.end": 2, "time.step": 0.005,
        "time.steady_tolerance": 0, "initial.temperature": "1 - y + 1e-4*sin(pi*y)*cos(3.117*x)",
        "solver.potential.tolerance": 1e-8, "output.fields": '["temperature"]', "output.every": 2,
    }
    sets = [word for key, value in changes.items() for word in ("--set", f"{key}={value}")]
    command = [options.solenoid, "run", str(Path(__file__).with_name("case.toml")), "--output", str(result), "--quiet", "--no-report"]
    if subprocess.run(command + sets).returncode != 0:
        sys.exit(2)
    history = read_table(result / "history.csv")
    energy, time = history["kinetic_energy"].values, history["time"].values
    middle = len(time) // 2
    return math.log(energy[-1] / energy[middle]) / (time[-1] - time[middle]) / 2


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--solenoid", default=str(ROOT / "build" / "cpu" / "bin" / "solenoid"), help="the program")
    parser.add_argument("--size", type=float, default=0.04, help="of the mesh's edges [m]")
    options = parser.parse_args()
    low, high = 1600.0, 1800.0
    with tempfile.TemporaryDirectory() as folder:
        while high - low > 5e-4 * KNOWN:
            middle = (low + high) / 2
            rate = growth(options, middle, folder)
            print(f"  Ra = {middle:8.2f}: the wave {'grows' if rate > 0 else 'fades'}, rate {rate:+.4f} 1/s", flush=True)
            low, high = (low, middle) if rate > 0 else (middle, high)
    found = (low + high) / 2
    percent = 100 * (found / KNOWN - 1)
    print(f"critical Rayleigh number {found:.1f}, {percent:+.2f} % beside {KNOWN}")
    return 0 if abs(percent) <= 1 else 1


if __name__ == "__main__":
    sys.exit(main())
