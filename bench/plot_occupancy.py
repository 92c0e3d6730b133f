#!/usr/bin/env python3
"""Draws what bench_occupancy measured: throughput against occupancy, one curve per amount of
independent work of a work-item, with the model's prediction as dashes.

  bench/plot_occupancy.py bench/results/nvidia-h200/occupancy.json

writes occupancy.svg and occupancy.png beside the file. Needs matplotlib (Debian:
python3-matplotlib)."""

import json
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend must be chosen first)

PANELS = (
    ("fma", 2e-12, "TFLOP/s", "Multiply-adds: independent chains per work-item", "ILP: {:g}"),
    ("copy", 1e-9, "GB/s", "Copies: values in flight per work-item", "floats: {:g}"),
)


def draw(axes, points, kind, scale, unit, title, label):
    # Copies by float4 (kind copy4) belong to those by floats.
    points = [p for p in points if p["kind"].startswith(kind)]
    curves = sorted({(p["kind"], p["parallel"]) for p in points})
    colours = plt.get_cmap("viridis")
    for number, (of_kind, value) in enumerate(curves):
        curve = sorted((p for p in points if (p["kind"], p["parallel"]) == (of_kind, value)),
                       key=lambda p: p["occupancy"])
        x = [100 * p["occupancy"] for p in curve]
        colour = colours(0.9 * number / max(1, len(curves) - 1))
        name = "float4: {:g}" if of_kind == "copy4" else label
        axes.plot(x, [scale * p["measured"] for p in curve], "o-", color=colour, markersize=4,
                  linewidth=1.6, label=name.format(value))
        axes.plot(x, [scale * p["predicted"] for p in curve], "--", color=colour, linewidth=1.0)
    axes.plot([], [], "--", color="gray", linewidth=1.0, label="model")
    axes.set_title(title, fontsize=11)
    axes.set_xlabel("occupancy, % of the warp slots")
    axes.set_ylabel(unit)
    axes.set_xlim(0, 104)
    axes.set_ylim(bottom=0)
    axes.grid(color="0.9")
    axes.legend(loc="lower right", fontsize=9, framealpha=0.95)


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    path = pathlib.Path(sys.argv[1])
    results = json.loads(path.read_text())
    plt.rcParams["svg.fonttype"] = "none"  # text stays text
    plt.rcParams["svg.hashsalt"] = "occupancy"  # the same picture, the same file
    figure, panels = plt.subplots(1, 2, figsize=(12, 5), constrained_layout=True)
    for axes, panel in zip(panels, PANELS):
        draw(axes, results["points"], *panel)
    title = f"{results['device']}, driver {results['driver']}: throughput against occupancy"
    figure.suptitle(title, fontsize=12)
    for ending in (".svg", ".png"):
        dated = {"Date": None} if ending == ".svg" else None
        figure.savefig(path.with_suffix(ending), dpi=110, metadata=dated)


if __name__ == "__main__":
    main()
