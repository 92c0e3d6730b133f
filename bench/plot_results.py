#!/usr/bin/env python3
"""Draws what bench/run measured on a device.

  bench/plot_results.py bench/results/nvidia-h200

reads the *.json there and writes, as SVG and PNG beside them,
  roofline   all rows against the device's roofs
  peers      our speed over the best peer's, row by row
  ladders    each ladder's rungs as shares of its roof
Needs matplotlib (Debian: python3-matplotlib)."""

import json
import math
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402  (the backend must be chosen first)

COLOURS = {"gemm": "#1f77b4", "transpose": "#2ca02c", "reduce": "#ff7f0e", "convolve": "#9467bd",
           "fft": "#d62728", "copy": "#7f7f7f"}


def rows_of(path):
    """(suite, row name, counters) of each row of a result file."""
    try:
        results = json.loads(path.read_text())
    except json.JSONDecodeError:
        results = json.loads(path.read_text().rstrip().rstrip(",") + "]}")  # interrupted
    found = []
    for row in results.get("benchmarks", []):
        if "clprim_us" not in row:
            continue
        suite, _, name = row["name"].split("/iterations:")[0].partition("/")
        found.append((suite, name.replace("/", " "), row))
    return found, results.get("context", {})


def write(figure, folder, name):
    figure.tight_layout()
    for kind in ("svg", "png"):
        figure.savefig(folder / f"{name}.{kind}", dpi=110)
    plt.close(figure)
    print(folder / f"{name}.svg")


def number(context, name):
    return float(context.get(name, 0) or 0)


def draw_roofline(rows, context, folder):
    """Rate of arithmetic against flops per byte that must move, where a row tells both."""
    points = [(s, n, r["flops_per_byte"], r) for s, n, r in rows if r.get("flops_per_byte", 0) > 0]
    copy, fma = number(context, "roof_copy_gb_s"), number(context, "roof_fma_float_gflops")
    if not points or not copy or not fma:
        return
    figure, axes = plt.subplots(figsize=(9, 6))
    low = min(p[2] for p in points) / 2
    high = max(max(p[2] for p in points) * 2, 4 * fma / copy)
    knee = fma / copy
    axes.plot([low, knee, high], [low * copy, fma, fma], color="black", linewidth=1.6)
    axes.text(low * 1.1, low * copy * 1.35, f"copy {copy:.0f} GB/s", rotation=38, fontsize=9)
    axes.text(high / 1.1, fma * 1.06, f"FMA {fma:.0f} GFLOP/s", ha="right", fontsize=9)
    for suite in sorted({p[0] for p in points}):
        mine = [p for p in points if p[0] == suite]
        rates = [p[3].get("clprim_gflops") or p[3]["clprim_gb_s"] * p[2] for p in mine]
        axes.plot([p[2] for p in mine], rates, "o", color=COLOURS.get(suite, "gray"), label=suite)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlabel("flops per byte that must move")
    axes.set_ylabel("GFLOP/s")
    axes.set_title(f"Roofline, {context.get('device', '')}", fontsize=11)
    axes.grid(color="0.92", which="both")
    axes.legend(loc="lower right")
    write(figure, folder, "roofline")


def draw_peers(rows, context, folder):
    """The ratio to the best peer of each row that has one, with its bar where there is one."""
    bars = []
    for suite, name, row in rows:
        ratios = {k[len("ratio_to_"):]: v for k, v in row.items() if k.startswith("ratio_to_")}
        peers = {k: v for k, v in ratios.items() if row.get("peer_" + k, 0)}
        if peers:
            best = min(peers, key=peers.get)
            bars.append((suite, f"{suite} {name}", peers[best], best))
    if not bars:
        return
    figure, axes = plt.subplots(figsize=(9, 1.2 + 0.24 * len(bars)))
    for place, (suite, name, ratio, best) in enumerate(reversed(bars)):
        axes.barh(place, ratio, color=COLOURS.get(suite, "gray"), height=0.7)
        axes.text(ratio * 1.02, place, f"{ratio:.2f} × {best}", va="center", fontsize=8)
    axes.set_yticks(range(len(bars)), [b[1] for b in reversed(bars)], fontsize=8)
    axes.axvline(1, color="black", linewidth=1)
    axes.set_xscale("log")
    axes.set_xlim(min(0.3, min(b[2] for b in bars) / 1.3), max(b[2] for b in bars) * 2.2)
    axes.set_xlabel("our speed over the best peer's in the same run")
    axes.set_title(context.get("device", ""), fontsize=11)
    axes.set_ylim(-0.7, len(bars) - 0.3)
    write(figure, folder, "peers")


def draw_ladders(rows, context, folder):
    """One panel per ladder: its rungs in order, their rate, occupancy and registers."""
    ladders = {}
    for suite, name, row in rows:
        if suite == "ladders":
            kind, _, rung = name.partition(" ")
            if kind == "copy":
                kind, _, rung = rung.partition(" ")
                kind = "copy, " + kind
            ladders.setdefault(kind, []).append((rung, row))
    if not ladders:
        return
    columns = 2
    lines = math.ceil(len(ladders) / columns)
    figure, panels = plt.subplots(lines, columns, figsize=(13, 0.8 + 3.1 * lines), squeeze=False)
    for panel in panels.flat:
        panel.set_visible(False)
    for panel, (kind, rungs) in zip(panels.flat, ladders.items()):
        panel.set_visible(True)
        rates = [r.get("clprim_gflops") or r["clprim_gb_s"] for _, r in rungs]
        unit = "GFLOP/s" if "clprim_gflops" in rungs[0][1] else "GB/s"
        places = range(len(rungs), 0, -1)
        panel.barh(list(places), rates, color=COLOURS.get(kind.split(",")[0], "gray"), height=0.7)
        for place, rate, (_, row) in zip(places, rates, rungs):
            text = f" {rate:,.0f}" if rate >= 1000 else f" {rate:.4g}"
            if "occupancy" in row:
                text += f"  ({row['occupancy']:.0%}"
                text += f", {row['registers']:.0f} regs)" if "registers" in row else ")"
            panel.text(rate, place, text, va="center", fontsize=7)
        panel.set_yticks(list(places), [name for name, _ in rungs], fontsize=8)
        panel.set_xlim(0, 1.35 * max(rates))
        panel.set_xlabel(unit, fontsize=8)
        panel.set_title(kind, fontsize=10)
    figure.suptitle(f"Ladders, {context.get('device', '')}; in brackets occupancy", fontsize=11)
    write(figure, folder, "ladders")


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    rows, context = [], {}
    for path in sorted(folder.glob("*.json")):
        found, head = rows_of(path)
        rows += found
        if found and "roof_copy_gb_s" in head:
            context = head
        elif found and not context:
            context = head
    if not rows:
        sys.exit(f"bench/plot_results.py: no results in {folder}")
    draw_roofline([r for r in rows if r[0] != "ladders"], context, folder)
    draw_peers([r for r in rows if r[0] != "ladders"], context, folder)
    draw_ladders(rows, context, folder)


if __name__ == "__main__":
    main()
