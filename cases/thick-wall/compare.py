#!/usr/bin/env python3
"""Compares a run of the cavity behind a thick wall with published values.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met, or none applies; 1: one is missed (not with --report, which only prints);
2: the folder is not a complete result. The bars apply from 1000 nodes on.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402

# D. A. Kaminski, C. Prakash, Conjugate natural convection in a square enclosure: effect of conduction in one of the
# vertical walls, Int. J. Heat Mass Transfer 29 (1986) 1979-1988. Grashof number: wall's conductivity over the fluid's:
# mean heat into the fluid, relative to conduction with the whole difference over the fluid's side. The wall is a fifth
# of the side thick, the Prandtl number is 0.7. Not compared with the paper itself.
PUBLISHED = {
    1e3: {1: 0.87, 5: 1.02, 10: 1.04},
    1e5: {1: 2.08, 5: 3.42, 10: 3.72},
}
NODES, PERCENT = 1000, 1.2


def compare(result, summary):
    """Prints the comparison; returns whether every bar is met."""
    case, nodes = summary["case"], summary["mesh"]["nodes"]
    temperature = case["temperature"]
    grashof = -temperature["gravity"][1] * temperature["expansion"] / case["flow"]["viscosity"] ** 2
    ratio = case["region"]["wall"]["conductivity"] / (temperature["diffusivity"] * temperature["heat_capacity"])
    print(f"Heated cavity behind a wall {ratio:g} times as conductive, Gr = {grashof:.4g}, {nodes} nodes, compared with "
          "Kaminski & Prakash 1986:")
    of_number = next((of for number, of in PUBLISHED.items() if abs(grashof / number - 1) < 1e-6), {})
    known = next((value for number, value in of_number.items() if abs(ratio / number - 1) < 1e-6), None)
    if known is None:
        print("  there is no published value for this Grashof number and wall")
        return True
    bar = PERCENT if nodes >= NODES else None
    met = True
    for name, found in [("heat into the fluid", summary["solids"]["wall"]["heat"]),
                        ("Nusselt number, outside", summary["nusselt"]["hot"]),
                        ("Nusselt number, cold side", summary["nusselt"]["cold"])]:
        percent = 100 * abs(found / known - 1)
        print(f"  {name:<28}{found:>10.4f}{known:>8.2f}{percent:>8.2f} %  {verdict(percent, bar, f'{PERCENT} %')}".rstrip())
        met = met and (bar is None or percent <= bar)
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
