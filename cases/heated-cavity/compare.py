#!/usr/bin/env python3
"""Compares a run of the heated cavity with published values.

    python3 compare.py [--report] RESULT_FOLDER

Exit code 0: all bars are met, or none applies; 1: one is missed (not with --report, which only prints);
2: the folder is not a complete result. The bars apply from the numbers of nodes in BARS on.
"""

import sys
from pathlib import Path

sys.dont_write_bytecode = True
sys.path.insert(0, str(Path(__file__).resolve().parents[2] / "tools"))
from common.comparison import main_of, verdict  # noqa: E402
from common.profiles import newest_line  # noqa: E402
from common.tables import read_table  # noqa: E402

# G. de Vahl Davis, Natural convection of air in a square cavity: a bench mark numerical solution, Int. J. Numer.
# Methods Fluids 3 (1983) 249-264. Rayleigh number: (mean Nusselt number, that of the hot side, largest u on x = 0.5,
# largest v on y = 0.5), velocities in units of diffusivity over side.
PUBLISHED = {
    1e3: (1.118, 1.117, 3.649, 3.697),
    1e4: (2.243, 2.238, 16.178, 19.617),
    1e5: (4.519, 4.509, 34.73, 68.59),
    1e6: (8.800, 8.817, 64.63, 219.36),
}
BARS = {1e3: 900, 1e4: 1300, 1e5: 3000, 1e6: 12000}  # nodes
PERCENT = 1.2


def compare(result, summary):
    """Prints the comparison; returns whether every bar is met."""
    case = summary["case"]
    temperature = case["temperature"]
    rayleigh = -temperature["gravity"][1] * temperature["expansion"] / case["flow"]["viscosity"] / temperature["diffusivity"]
    nodes = summary["mesh"]["nodes"]
    print(f"Heated cavity, Ra = {rayleigh:.4g}, {nodes} nodes, compared with de Vahl Davis 1983:")
    known = next((number for number in PUBLISHED if abs(rayleigh / number - 1) < 1e-6), None)
    if known is None:
        print("  there are no published values for this Rayleigh number")
        return True
    mean, hot, largest_u, largest_v = PUBLISHED[known]
    numbers = summary["nusselt"]
    u = max(read_table(newest_line(result, "u_on_x=0.5"))["u"].values)
    v = max(read_table(newest_line(result, "v_on_y=0.5"))["v"].values)
    bar = PERCENT if nodes >= BARS[known] else None
    met = True
    for name, found, value in [
        ("Nusselt number, hot side", numbers["hot"], mean),
        ("Nusselt number, cold side", numbers["cold"], mean),
        ("largest u on x = 0.5", u, largest_u),
        ("largest v on y = 0.5", v, largest_v),
    ]:
        percent = 100 * abs(found / value - 1)
        print(f"  {name:<28}{found:>10.4f}{value:>10.4g}{percent:>8.2f} %  {verdict(percent, bar, f'{PERCENT} %')}".rstrip())
        met = met and (bar is None or percent <= bar)
    apart = abs(numbers["hot"] / numbers["cold"] - 1)
    print(f"  hot and cold side differ by {apart:.1e}; the table's own hot side is {hot}")
    return met


if __name__ == "__main__":
    sys.exit(main_of(__doc__, compare))
