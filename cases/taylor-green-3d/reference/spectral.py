#!/usr/bin/env python3
"""Reference energy and dissipation of the Taylor-Green vortex by a pseudo-spectral method.

    python3 spectral.py REYNOLDS MODES END >spectral_re100.csv

Fourier modes with the 2/3 rule, projected u x omega, exact viscosity by an integrating factor, fourth-order Runge-Kutta
(Canuto, Hussaini, Quarteroni & Zang 1988). Needs NumPy. Re = 100, 48 modes per axis and END = 10 take minutes; 64 modes
give the same seven digits.
"""

import sys

import numpy as np

reynolds, modes, end, step = float(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3]), 0.02
place = 2 * np.pi * np.arange(modes) / modes
x, y, z = np.meshgrid(place, place, place, indexing="ij")
whole = np.fft.fftfreq(modes, 1 / modes)
wave = np.stack(np.meshgrid(whole, whole, whole[: modes // 2 + 1].clip(0), indexing="ij"))
wave[2][..., -1] = modes / 2
square = (wave**2).sum(axis=0)
kept = (np.abs(wave) < modes / 3).all(axis=0)
decay = np.exp(-square / reynolds * step / 2)


def forward(field):
    return np.fft.rfftn(field, axes=(1, 2, 3))


def back(field):
    return np.fft.irfftn(field, s=(modes,) * 3, axes=(1, 2, 3))


def rate(field):
    turned = np.cross(back(field), back(1j * np.cross(wave, field, axis=0)), axis=0)
    force = forward(turned) * kept
    return force - wave * (wave * force).sum(axis=0) / np.maximum(square, 1)


def advance(field):
    k1 = rate(field)
    k2 = rate(decay * (field + step / 2 * k1))
    k3 = rate(decay * field + step / 2 * k2)
    k4 = rate(decay**2 * field + step * decay * k3)
    return decay**2 * field + step / 6 * (decay**2 * k1 + 2 * decay * (k2 + k3) + k4)


def mean_square(field):
    return (back(field) ** 2).sum(axis=0).mean()


flow = forward(np.stack([np.sin(x) * np.cos(y) * np.cos(z), -np.cos(x) * np.sin(y) * np.cos(z), 0 * x]))
print("t [s],kinetic_energy [m^2/s^2],dissipation [m^2/s^3]")
for k in range(round(end / step) + 1):
    if k % 5 == 0:
        enstrophy = mean_square(1j * np.cross(wave, flow, axis=0))
        print(f"{k * step:.1f},{mean_square(flow) / 2:.9f},{enstrophy / reynolds:.9f}", flush=True)
    flow = advance(flow)
