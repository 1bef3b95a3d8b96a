#!/usr/bin/env python3
"""Writes the sequential colour maps as tables of 256 sRGB colours (r,g,b from 0 to 255).

The tables are matplotlib's viridis, magma (van der Walt and Smith, CC0) and cividis (Nunez,
Anderton, Renslow 2018, CC0); grey runs evenly in lightness L* from 10 to 97.
usage: make_colormaps.py      (writes into assets/colormaps; needs matplotlib)
"""
from pathlib import Path

import matplotlib

COLORMAPS = Path(__file__).resolve().parents[1] / "assets" / "colormaps"


def srgb_of_lightness(lightness):
    f = (lightness + 16) / 116
    y = f**3 if f > 6 / 29 else 3 * (6 / 29) ** 2 * (f - 4 / 29)
    v = 12.92 * y if y <= 0.0031308 else 1.055 * y ** (1 / 2.4) - 0.055
    return round(255 * v)


def write(name, colors):
    rows = (",".join(str(c) for c in color) for color in colors)
    (COLORMAPS / f"{name}.csv").write_text("\n".join(rows) + "\n")


for name in ("viridis", "magma", "cividis"):
    table = matplotlib.colormaps[name]
    write(name, [[round(255 * c) for c in table(i)[:3]] for i in range(256)])
write("grey", [[srgb_of_lightness(10 + 87 * i / 255)] * 3 for i in range(256)])
