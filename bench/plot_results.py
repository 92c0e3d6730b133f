#!/usr/bin/env python3
"""Draws what bench/run measured on a device, and writes it as a table for spreadsheets.

  bench/plot_results.py bench/results/nvidia-h200

reads the *.json there and writes beside them
  results.csv      every row: rates, times, share of the roof, ratio to the best peer, registers, …
  roofline         all rows against the device's roofs             (this and the rest: SVG and PNG)
  peers            our speed over the best peer's, row by row, with the bar that a row must reach
  ladders          ladders of the primitives and of copies: each rung's rate, registers, occupancy and
                   its limiter, and what the textbook measured;  ladders-memory, ladders-launches
                   the other ladders;  ladder-<name>  one of them
  ladders-occupancy  products and transforms over occupancy, a curve per outputs of an item
  transfers        between host and device
Drawing needs matplotlib (Debian: python3-matplotlib); the table does not."""

import csv
import json
import math
import pathlib
import re
import statistics
import sys

COLOURS = {"gemm": "#1f77b4", "transpose": "#2ca02c", "reduce": "#ff7f0e", "convolve": "#9467bd",
           "fft": "#d62728", "copy": "#7f7f7f", "aos": "#8c564b", "rgb": "#17becf",
           "halo": "#9467bd", "negative": "#17becf", "structures": "#8c564b", "pitch": "#8c564b",
           "dram": "#7f7f7f", "local": "#bcbd22", "bandwidth": "#bcbd22", "constant": "#bcbd22",
           "branches": "#e377c2", "instructions": "#e377c2", "math": "#e377c2",
           "images": "#9467bd", "atomics": "#e377c2"}
# Ladders that have a figure of their own, by the first words of their rungs; the others are in
# "ladders", those over occupancy in curves.
FIGURES = {"ladders-memory": ("copy-lanes", "structures", "pitch", "dram", "negative", "images",
                              "constant", "volatile", "local-memory", "bandwidth", "small-transfers"),
           "ladders-launches": ("math", "instructions", "atomics", "branches", "groups", "items",
                                "warps", "stages", "warp-sums", "devices")}
CURVES = ("gemm-occupancy", "fft-occupancy")
OPERATIONS = ("instructions", "atomics", "branches", "devices")  # counted, and not all of them flops
MARKS = {"gemm": "o", "transpose": "s", "reduce": "^", "convolve": "D", "fft": "v"}
# For results that are older than the key "peer_<name>".
PEERS = {"clblast", "clblast_tuned", "openblas", "cublas", "cub", "boost_compute", "cufft", "clfft",
         "vkfft", "fftw", "opencv", "host_loop"}
SPELLED = {"clblast": "CLBlast", "clblast_tuned": "CLBlast, tuned", "openblas": "OpenBLAS",
           "cublas": "cuBLAS", "cub": "CUB", "boost_compute": "Boost.Compute", "cufft": "cuFFT",
           "clfft": "clFFT", "vkfft": "VkFFT", "fftw": "FFTW", "opencv": "OpenCV",
           "host_loop": "host loop"}


def colour_of(name):
    return COLOURS.get(re.split(r"[-, ]", name)[0], "#444444")


class Row:
    """One row of a result file."""

    def __init__(self, json_row):
        self.suite, _, name = json_row["name"].split("/iterations:")[0].partition("/")
        self.name = name.replace("/", " ")
        self.json = json_row
        self.label = json_row.get("label", "")
        self.unit = "GFLOP/s" if "clprim_gflops" in json_row else "GB/s"
        if self.suite == "ladders" and self.name.split(" ")[0] in OPERATIONS:
            self.unit = "Gop/s"
        self.rate = json_row.get("clprim_gflops") or json_row.get("clprim_gb_s", 0)
        self.flops_per_byte = json_row.get("flops_per_byte", 0)
        ratios = {k[len("ratio_to_"):]: v for k, v in json_row.items() if k.startswith("ratio_to_")}
        named = {p for p in ratios if json_row.get("peer_" + p, 0)}
        self.peers = {p: ratios[p] for p in named or PEERS & set(ratios)}
        self.best = min(self.peers, key=self.peers.get) if self.peers else None

    def bar(self):
        """What the ratio to the best peer must be; None where the row's bar is of another kind."""
        return self.json.get("bar_best_peer", self.json.get(f"bar_{self.best}"))

    def limiter(self):
        found = re.search(r"occupancy \(([^)]*)\)", self.label)
        return found.group(1) if found else ""

    def published(self):
        """The textbook's figure for a rung: '24.8 GB/s on GTX 280'."""
        found = re.search(r": ([0-9.e+]+ [^;|]* on [^;|]*)", self.label)
        return found.group(1).strip() if found else ""


def load(path):
    """The rows of a result file that were measured, and its head."""
    text = path.read_text()
    try:
        results = json.loads(text)
    except json.JSONDecodeError:
        try:
            results = json.loads(text.rstrip().rstrip(",") + "]}")  # the process was killed
        except json.JSONDecodeError as problem:
            print(f"bench/plot_results.py: {path} is left out: {problem}", file=sys.stderr)
            return [], {}
    rows = [Row(r) for r in results.get("benchmarks", []) if "clprim_us" in r]
    return rows, results.get("context", {})


def write_table(rows, folder):
    columns = ["suite", "row", "rate", "unit", "us", "spread", "share of roof", "flops per byte",
               "best peer", "ratio", "bar", "registers", "spilled bytes", "local bytes",
               "occupancy", "limiter", "transactions", "published"]
    with (folder / "results.csv").open("w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        for r in rows:
            number = lambda key: f"{r.json[key]:.6g}" if key in r.json else ""  # noqa: E731
            table.writerow([
                r.suite, r.name, f"{r.rate:.6g}" if r.rate else "", r.unit if r.rate else "",
                number("clprim_us"), number("clprim_spread"), number("roof_share"),
                number("flops_per_byte"), SPELLED.get(r.best, r.best) or "",
                f"{r.peers[r.best]:.4g}" if r.best else "", r.bar() if r.bar() else "",
                number("registers"), number("spill_bytes"), number("local_bytes"),
                number("occupancy"), r.limiter(), number("transactions"), r.published()])
    print(folder / "results.csv")


class Plots:
    """The figures of one folder."""

    def __init__(self, folder, pyplot):
        self.folder = folder
        self.plt = pyplot
        pyplot.rcParams.update({"svg.fonttype": "none", "svg.hashsalt": "clprim", "font.size": 10,
                                "axes.spines.top": False, "axes.spines.right": False})

    def write(self, figure, name):
        for kind in ("svg", "png"):
            figure.savefig(self.folder / f"{name}.{kind}", dpi=110, bbox_inches="tight",
                           metadata={"Date": None} if kind == "svg" else None)
        self.plt.close(figure)
        print(self.folder / f"{name}.svg")

    def roofline(self, rows, roofs, title):
        """Arithmetic against flops per byte that must move; rows without flops beside it."""
        points = [r for r in rows if r.flops_per_byte > 0 and r.rate > 0]
        moves = [r for r in rows if r.flops_per_byte == 0 and r.unit == "GB/s" and r.rate > 0
                 and r.suite not in ("transfers", "ladders")]
        copy, read, fma = (roofs.get(n) for n in ("copy_gb_s", "read_gb_s", "fma_float_gflops"))
        if not copy or not fma or not points:
            return
        figure, (left, axes) = self.plt.subplots(
            1, 2, figsize=(12, 6.2), gridspec_kw={"width_ratios": [1, 4.2]})
        low = min([r.flops_per_byte for r in points] + [0.2]) / 1.5
        high = max([r.flops_per_byte for r in points] + [4 * fma / copy]) * 1.5
        knee = fma / copy
        axes.plot([low, knee, high], [low * copy, fma, fma], color="black", linewidth=1.6)
        start = math.sqrt(low * knee) * 0.8
        axes.text(start, start * copy * 0.7, f"copy {copy:,.0f} GB/s", fontsize=9,
                  rotation=math.degrees(math.atan(0.7 * copy)), rotation_mode="anchor", va="center",
                  transform_rotates_text=True)
        if read and abs(read / copy - 1) > 0.03:
            axes.plot([low, fma / read], [low * read, fma], color="black", linewidth=1,
                      linestyle=":")
        axes.text(high / 1.05, fma * 1.07, f"multiply-adds, float: {fma:,.0f} GFLOP/s",
                  ha="right", fontsize=9)
        if roofs.get("fma_double_gflops"):
            double = roofs["fma_double_gflops"]
            axes.plot([double / copy, high], [double] * 2, color="black", linewidth=1,
                      linestyle="--")
            axes.text(high / 1.05, double * 0.9, f"double: {double:,.0f}", ha="right", va="top",
                      fontsize=9)
        most = fma  # matrix units go past it
        for suite in sorted({r.suite for r in points}):
            mine = [r for r in points if r.suite == suite]
            rates = [r.rate * (r.flops_per_byte if r.unit == "GB/s" else 1) for r in mine]
            most = max([most] + rates)
            axes.plot([r.flops_per_byte for r in mine], rates, MARKS.get(suite, "o"),
                      color=colour_of(suite), label=suite, markersize=6, alpha=0.8,
                      markeredgecolor="white", markeredgewidth=0.5)
        for suite in sorted({r.suite for r in moves} - {r.suite for r in points}):
            axes.plot([], [], MARKS.get(suite, "o"), color=colour_of(suite), label=suite)
        axes.set(xscale="log", yscale="log", xlim=(low, high), ylim=(low * copy / 15, 2 * most),
                 ylabel="GFLOP/s",
                 xlabel="flops per byte that must move at least")
        axes.grid(color="0.92", which="both")
        axes.set_axisbelow(True)
        axes.legend(loc="lower right", framealpha=0.95)
        axes.set_title("arithmetic", fontsize=10)
        for place, r in enumerate(moves):
            left.plot([place], [r.rate], MARKS.get(r.suite, "o"), color=colour_of(r.suite),
                      markersize=6, alpha=0.8, markeredgecolor="white", markeredgewidth=0.5)
        left.axhline(copy, color="black", linewidth=1.6)
        left.text(0, copy * 0.99, "copy", fontsize=9, va="top")
        if read and abs(read / copy - 1) > 0.03:
            left.axhline(read, color="black", linewidth=1, linestyle=":")
            left.text(0, read * 1.01, "read alone", fontsize=9, va="bottom")
        left.set(ylim=(0, 1.1 * max([copy, read or 0] + [r.rate for r in moves])), ylabel="GB/s",
                 xticks=[], xlabel=", ".join(sorted({r.suite for r in moves})))
        left.set_title("moves alone", fontsize=10)
        left.grid(color="0.92", axis="y")
        figure.suptitle(f"Roofline: {title}", fontsize=11)
        figure.tight_layout()
        self.write(figure, "roofline")

    def peers(self, rows, title):
        """The ratio to the best peer of each row that has one, its bar as a black mark."""
        rows = [r for r in rows if r.best]
        if not rows:
            return
        figure, axes = self.plt.subplots(figsize=(9.5, 1.4 + 0.23 * len(rows)))
        for place, r in enumerate(reversed(rows)):
            ratio = r.peers[r.best]
            axes.barh(place, ratio, color=colour_of(r.suite), height=0.7,
                      alpha=1 if not r.bar() or ratio >= r.bar() else 0.45)
            if r.bar():
                axes.plot([r.bar()] * 2, [place - 0.42, place + 0.42], color="black", linewidth=2)
            axes.text(max(ratio, r.bar() or 0) * 1.03, place,
                      f"{ratio:.2f} × {SPELLED.get(r.best, r.best)}", va="center", fontsize=8)
        axes.set_yticks(range(len(rows)), [f"{r.suite}: {r.name}" for r in reversed(rows)],
                        fontsize=8)
        axes.axvline(1, color="0.3", linewidth=0.8, linestyle=":")
        lowest = min(r.peers[r.best] for r in rows)
        highest = max(max(r.peers[r.best], r.bar() or 0) for r in rows)
        axes.set_xscale("log")
        axes.set_xlim(min(0.4, lowest / 1.3), highest * 2.5)
        ticks = [t for t in (0.05, 0.1, 0.25, 0.5, 0.7, 1, 1.5, 2, 3, 5, 10, 20, 50) if
                 axes.get_xlim()[0] <= t <= axes.get_xlim()[1]]
        axes.set_xticks(ticks, [f"{t:g}" for t in ticks])
        axes.minorticks_off()
        axes.set_ylim(-0.7, len(rows) - 0.3)
        axes.set_xlabel("our speed over the best peer's in the same run "
                        "(black mark: its bar; pale: under it)")
        axes.set_title(title, fontsize=11)
        self.write(figure, "peers")

    def ladder(self, panel, kind, rungs):
        places = range(len(rungs), 0, -1)
        rates = [r.rate for r in rungs]
        panel.barh(list(places), rates, color=colour_of(kind), height=0.72)
        for place, r in zip(places, rungs):
            text = f" {r.rate:,.0f}" if r.rate >= 1000 else f" {r.rate:.4g}"
            facts = []
            if "occupancy" in r.json:
                facts.append(f"{r.json['occupancy']:.0%} ({r.limiter()})")
            if "registers" in r.json:
                facts.append(f"{r.json['registers']:.0f} reg.")
            if "transactions" in r.json:
                facts.append(f"{r.json['transactions']:.0f} transactions")
            if r.published():
                facts.append(f"text: {r.published()}")
            panel.text(r.rate, place, text, va="center", fontsize=8, fontweight="bold")
            panel.text(1.38 * max(rates), place, ", ".join(facts), va="center", fontsize=7.5,
                       color="0.25")
        panel.set_yticks(list(places), [r.name.partition(" ")[2] or r.name for r in rungs],
                         fontsize=8.5)
        panel.set_xlim(0, 2.6 * max(rates))
        panel.set_xticks([])
        panel.spines["bottom"].set_visible(False)
        panel.set_ylim(0.3, len(rungs) + 0.7)
        panel.set_title(f"{kind.replace('-', ', ')}: {rungs[0].unit}", fontsize=10.5, loc="left",
                        fontweight="bold")

    def ladders(self, rows, title):
        """One panel per ladder: the first word of a row's name."""
        found = {}
        for r in rows:
            if r.suite == "ladders" and r.rate:
                words = r.name.split(" ")
                old = words[0] == "copy" and len(words) > 1  # results older than "copy-stride 4"
                kind = f"copy-{words[1]}" if old else words[0]
                if old:
                    r.name = kind + " " + " ".join(words[2:])
                found.setdefault(kind, []).append(r)
        self.curves({k: found.pop(k) for k in CURVES if k in found}, title)
        for name, kinds in FIGURES.items():
            self.panels({k: found.pop(k) for k in kinds if k in found}, name, title)
        self.panels(found, "ladders", title)

    def panels(self, found, name, title):
        if not found:
            return
        heights = [0.55 + 0.25 * len(rungs) for rungs in found.values()]
        figure, panels = self.plt.subplots(len(found), 1, figsize=(8.6, sum(heights)),
                                           squeeze=False,
                                           gridspec_kw={"height_ratios": heights})
        for panel, (kind, rungs) in zip(panels.flat, found.items()):
            self.ladder(panel, kind, rungs)
        what = "rate; occupancy (what limits it), registers; what the text measured"
        figure.suptitle(f"Ladders: {title}\n{what}", fontsize=11, y=1 - 0.1 / sum(heights),
                        va="top")
        figure.tight_layout(rect=(0, 0, 1, 1 - 0.55 / sum(heights)))
        self.write(figure, name)
        for (kind, rungs), height in zip(found.items(), heights):
            figure, panel = self.plt.subplots(figsize=(8.6, 0.5 + height))
            self.ladder(panel, kind, rungs)
            figure.text(0.01, 0.01, title, fontsize=8, color="0.4")
            figure.tight_layout()
            self.write(figure, f"ladder-{kind}")

    def curves(self, found, title):
        """Rate over occupancy, a curve per outputs of an item, as Volkov draws them."""
        if not found:
            return
        figure, panels = self.plt.subplots(1, len(found), figsize=(6 * len(found), 4.2),
                                           squeeze=False)
        for panel, (kind, rungs) in zip(panels.flat, found.items()):
            for outputs in sorted({r.json["outputs"] for r in rungs}):
                points = sorted((r.json.get("occupancy", r.json["held_to"]), r.rate)
                                for r in rungs if r.json["outputs"] == outputs)
                panel.plot([100 * x for x, _ in points], [y / 1000 for _, y in points], "o-",
                           label=f"{outputs:.0f}", markersize=4)
            panel.set(xlabel="occupancy, %", ylabel="TFLOP/s", xlim=(0, 104), ylim=(0, None))
            panel.grid(color="0.92")
            panel.legend(title="outputs of an item", fontsize=8, title_fontsize=8)
            panel.set_title(kind.partition("-")[0] + ", " + title, fontsize=9)
        figure.tight_layout()
        self.write(figure, "ladders-occupancy")

    def transfers(self, rows, title):
        rows = [r for r in rows if r.suite == "transfers"]
        if not rows:
            return
        # Zero-copy passes every link where the driver keeps the buffer in the device's memory.
        across = max((r.rate for r in rows if "zero-copy" not in r.name), default=0)
        most = min(max(r.rate for r in rows), 2 * across or max(r.rate for r in rows))
        figure, axes = self.plt.subplots(figsize=(8, 1.2 + 0.32 * len(rows)))
        for place, r in enumerate(reversed(rows)):
            shown = min(r.rate, most)
            axes.barh(place, shown, color="#1f77b4" if shown == r.rate else "#9ecae1", height=0.7)
            axes.text(shown, place, f" {r.rate:.4g}", va="center", fontsize=9)
        axes.set_yticks(range(len(rows)), [r.name for r in reversed(rows)])
        axes.set_xlim(0, 1.12 * most)
        axes.set_xlabel("GB/s (pipelines: there and back)")
        axes.set_title(f"Host and device: {title}", fontsize=11)
        self.write(figure, "transfers")


def main():
    if len(sys.argv) != 2 or not pathlib.Path(sys.argv[1]).is_dir():
        sys.exit(__doc__)
    folder = pathlib.Path(sys.argv[1])
    rows, roofs, context, days = [], {}, {}, {}
    for path in sorted(folder.glob("*.json")):
        found, head = load(path)
        rows += found
        if not found:
            continue
        context = head
        days[found[0].suite] = head.get("date", "")[:10]
        for key, value in head.items():
            if key.startswith("roof_") and math.isfinite(float(value)) and float(value) > 0:
                roofs.setdefault(key[len("roof_"):], []).append(float(value))
    if not rows:
        sys.exit(f"bench/plot_results.py: no results in {folder}")
    write_table(rows, folder)
    try:
        import matplotlib
    except ImportError:
        print("bench/plot_results.py: no matplotlib, so nothing is drawn", file=sys.stderr)
        return
    matplotlib.use("Agg")
    import matplotlib.pyplot as pyplot

    plots = Plots(folder, pyplot)
    device = context.get("device", "").replace("pthread-", "PoCL on ")

    def title(drawn):
        """The device, and the days on which the benchmarks of these rows ran."""
        ran = sorted({days[r.suite] for r in drawn})
        return ", ".join([device, f"driver {context.get('driver', '?')}",
                          " to ".join(dict.fromkeys(ran[:1] + ran[-1:]))])

    mine = [r for r in rows if r.suite != "ladders"]
    plots.roofline(mine, {k: statistics.median(v) for k, v in roofs.items()}, title(mine))
    plots.peers(mine, title(mine))
    plots.ladders(rows, title([r for r in rows if r.suite == "ladders"]))
    plots.transfers(rows, title([r for r in rows if r.suite == "transfers"]))


if __name__ == "__main__":
    main()
