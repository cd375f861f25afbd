#!/usr/bin/env python3
"""Compares a run of the heated cylinder with published values.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met, or none applies; 1: one is missed (not with --report, which only prints);
2: the folder is not a complete result. The bars apply from 3500 nodes on.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402

# Reynolds number: mean Nusselt number of an isothermal cylinder at a Prandtl number of 0.7: R. P. Bharti, R. P.
# Chhabra, V. Eswaran, A numerical study of the steady forced convection heat transfer from an unconfined circular
# cylinder, Heat Mass Transfer 43 (2007) 639-648. Not compared with the paper itself.
PUBLISHED = {10: 1.8623, 20: 2.4653, 40: 3.2825}
PRANDTL = 0.7
NODES, PERCENT = 3500, 1.5


def compare(result, summary):
    """Prints the comparison; returns whether every bar is met."""
    case, nodes = summary["case"], summary["mesh"]["nodes"]
    viscosity = case["flow"]["viscosity"]
    reynolds, prandtl = 1 / viscosity, viscosity / case["temperature"]["diffusivity"]
    print(f"Heated cylinder, Re = {reynolds:.4g}, Pr = {prandtl:.3g}, {nodes} nodes, compared with Bharti et al. 2007:")
    known = next((value for number, value in PUBLISHED.items() if abs(reynolds / number - 1) < 1e-6), None)
    if known is None or abs(prandtl / PRANDTL - 1) > 1e-6:
        print("  there is no published value for this Reynolds and Prandtl number")
        return True
    found = summary["nusselt"]["cylinder"]
    bar = PERCENT if nodes >= NODES else None
    percent = 100 * abs(found / known - 1)
    print(f"  Nusselt number  {found:>10.4f}{known:>10.4f}{percent:>8.2f} %  {verdict(percent, bar, f'{PERCENT} %')}".rstrip())
    print(f"  drag coefficient{summary['forces']['cylinder']['cd']:>10.4f}")
    return bar is None or percent <= bar


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
