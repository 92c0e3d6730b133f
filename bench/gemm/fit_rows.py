#!/usr/bin/env python3
"""Fits the rows and costs of GEMM's tables to what `bench_tune --random --table` measured.

    bench/gemm/fit_rows.py float a.csv b.csv.xz         how good the model and its choices are
    bench/gemm/fit_rows.py float a.csv --rows 30        the table in C++, of 30 rows at most
    bench/gemm/fit_rows.py float a.csv --near 0.9       of the rows that come so near to the best
    bench/gemm/fit_rows.py float a.csv --cpu 2 33       of a CPU of 2 units that reads 33 GB/s

The model is predicted_ns of include/clprim/gemm/tuned.hpp, in the same terms. Each way through a
problem is one observation; those that take long beside the problem's best weigh less. Rows are
taken away one by one, whichever leaves the choices best. Choices are judged in folds too, on
problems that were left out of the fit. Takes numpy and scipy.
"""

import argparse
import csv
import lzma
import math
import re
import sys

import numpy as np
from scipy.optimize import least_squares
from scipy.sparse import lil_matrix

BYTES = {"float": 4, "half": 2, "double": 8, "complex_float": 8, "complex_double": 16}
NAMES = {"float": "float", "half": "clprim::half", "double": "double",
         "complex_float": "std::complex<float>", "complex_double": "std::complex<double>"}
COSTS = [  # name, first guess
    ("launch_ns", 1700),
    ("plain_ns", 0.01),
    ("turned_ns", 0.02),
    ("plain_access_ns", 0.03),
    ("turned_access_ns", 0.05),
    ("short_run", 0.1),
    ("overlap", 0.4),
    ("store_ns", 0.01),
    ("single_store_ns", 0.03),
    ("staged_store_ns", 0.03),
    ("staging_ns", 1000),
    ("later_store", 0.8),
    ("memory_bytes_per_ns", 33),  # what reading does (roof_read of bench_gemm): it is held there
    ("written", 1),
    ("cache_bytes_per_ns", 60),
    ("sums_ns", 2500),
    ("sum_ns", 0.2),
    ("join_ns", 2000),
    ("join_sum_ns", 0.11),
    ("single_sum", 1),
    ("packing_ns", 3000),
    ("packing_bytes_per_ns", 30),
]
ROW_NUMBERS = 5  # of each row: rate, step_ns, group_ns, access, single_store


def first_rate(policy, kind):
    """Multiply-adds per nanosecond of one unit, a guess."""
    if policy["instruction"] == "fma":
        return {"float": 200, "half": 200, "double": 100, "complex_float": 50,
                "complex_double": 25}[kind]
    return {"half": 1200, "double": 200, "complex_double": 50}[kind]


def parse(policy):
    fields = {}
    for name, value in re.findall(r"\.(\w+) = ([\w:]+)", policy):
        value = value.split("::")[-1]
        fields[name] = int(value) if value.isdigit() else value
    return fields


def lines_of(path):
    """The lines of a table, packed or not."""
    with (lzma.open if path.endswith(".xz") else open)(path, "rt") as table:
        return list(csv.reader(table))


def starves(line, p, kind):
    """As tuned.hpp has it: ways that the library leaves out."""
    return (p["instruction"] == "wgmma" and p["packed"] != "true" and
            min(int(line[7]), int(line[8])) * BYTES[kind] < 16)


def resident(p, kind):
    """Groups that an H200's unit holds, by an estimate of registers and by local memory."""
    words = BYTES[kind] / 4 if kind != "half" else 1
    items = p["tile_m"] // p["per_item_m"] * (p["tile_n"] // p["per_item_n"]) * p["slices_k"]
    items = -(-items // 32) * 32
    registers = min(255, p["per_item_m"] * p["per_item_n"] * words +
                    (p["per_item_m"] + p["per_item_n"]) * words * 2 + 40)
    registers = -(-registers // 8) * 8
    local = (p["tile_m"] + p["tile_n"]) * p["tile_k"] * BYTES[kind] * p["stages"] * 1.03 + 1024
    return max(1, int(min(65536 // (items * registers), 227 * 1024 // local, 2048 // items, 32)))


class Data:
    """Observations of one element type as columns, and the model over them."""

    def __init__(self, kind, files, kept=None, cpu=None):
        self.kind = kind
        self.cpu = cpu
        self.units = int(cpu[0]) if cpu else 132  # of the device that was measured
        problems, self.policies, taken = {}, {}, []
        for number, path in enumerate(files):
            for line in lines_of(path):
                if (line[10] and NAMES[kind] == line[0] and
                        not starves(line, parse(line[13]), kind)):
                    key = (number, *map(int, line[1:10]))
                    problems.setdefault(key, []).append((line[13], float(line[10]) * 1e3))
        for key, ways in problems.items():
            best = min(t for _, t in ways)
            for policy, t in ways:
                row = re.sub(r", \.(packed|turned|split_k|stage_c|finish) = [\w:]+", "", policy)
                if t < 4 * best and (kept is None or row in kept):
                    taken.append((key, row, parse(policy), t, best))
                    self.policies.setdefault(row, len(self.policies))
        rows = [parse(row) for row in self.policies]
        self.names = list(self.policies)
        self.rows = rows
        self.keys = [o[0] for o in taken]
        self.problems = list(dict.fromkeys(self.keys))
        self.of_problem = {}
        for i, key in enumerate(self.keys):
            self.of_problem.setdefault(key, []).append(i)
        self.row = np.array([self.policies[o[1]] for o in taken])
        self.ns = np.array([o[3] for o in taken])
        self.best = np.array([o[4] for o in taken])
        column = lambda f: np.array([f(o) for o in taken], float)
        m, n, k, batch = (column(lambda o, i=i: o[0][i]) for i in (1, 2, 3, 4))
        size = BYTES[kind]
        packed = column(lambda o: o[2]["packed"] == "true")
        across = column(lambda o: o[2].get("turned") == "true")  # copies lie across k
        fma = column(lambda o: o[2]["instruction"] == "fma")
        self.resident = np.array([1 if cpu else resident(p, kind) for p in rows], float)
        tile_m, tile_n, tile_k = (column(lambda o, f=f: o[2][f])
                                  for f in ("tile_m", "tile_n", "tile_k"))
        tiles = np.ceil(m / tile_m) * np.ceil(n / tile_n) * batch
        steps = np.maximum(1, np.ceil(k / tile_k))
        if cpu:  # a group of one item passes over what lies beyond the edges
            per_m, per_n = (column(lambda o, f=f: o[2][f]) for f in ("per_item_m", "per_item_n"))
            tile_m = np.ceil(m / per_m) * per_m / np.ceil(m / tile_m)
            tile_n = np.ceil(n / per_n) * per_n / np.ceil(n / tile_n)
            tile_k = k / steps
        self.tile_k = tile_k
        self.volume = tile_m * tile_n * self.tile_k
        self.operands = []  # elements, accesses per element, turned, short
        for operand, extent, along, alignment in (("a", tile_m, 5, 7), ("b", tile_n, 6, 8)):
            width = column(lambda o, a=alignment: math.gcd(
                o[2]["vector"], 16 if o[2]["packed"] == "true" else o[0][a]))
            along_k = column(lambda o, a=along: o[0][a]) * (1 - across)
            turned = along_k * fma
            short = along_k * 32 / (self.tile_k * size)
            staged = column(lambda o, s="stage_" + operand: o[2][s] == "local")
            self.operands.append((staged * extent * self.tile_k, 1 / width, turned, short))
        self.alone = column(lambda o: o[0][9] % o[2]["vector_n"] != 0)  # stored singly
        self.staged = self.alone * column(lambda o: o[2].get("stage_c") == "local")
        self.parts = column(lambda o: max(1, o[2]["split_k"]))
        self.joined = column(lambda o: o[2].get("finish") == "last_group_fenced") * (self.parts > 1)
        slots = self.units * self.resident[self.row]
        last = tiles % slots
        last = np.where(last == 0, np.minimum(tiles, slots), last)
        split = np.where(self.parts == 1, 0, np.where(self.joined > 0, last, tiles))
        self.split_each = np.ceil(split / self.units)
        # Tiles that are whole, and parts of the others: steps, full waves, what is left over.
        self.launched, self.loaded = [], 0
        for groups, steps in ((tiles - split, steps),
                              (split * self.parts, np.ceil(steps / self.parts))):
            waves = np.floor(groups / slots)
            rest = groups - waves * slots
            self.launched.append((steps, waves, rest, np.maximum(1, np.ceil(rest / self.units))))
            self.loaded = self.loaded + groups * steps
        self.outputs = m * n * batch
        self.tile = np.minimum(tile_m, m) * np.minimum(tile_n, n)
        self.read = (m + n) * k * batch * size / self.units
        self.written = self.outputs * np.where(self.joined > 0, 1, self.parts) * size / self.units
        self.loaded = self.loaded * (tile_m + tile_n) * self.tile_k * size / self.units
        packed_a, packed_b = (
            packed * np.maximum(column(lambda o, a=a: o[0][a] * size < 16),
                                across * column(lambda o, k=k: o[0][k]))
            for a, k in ((7, 5), (8, 6)))
        self.packings = packed_a + packed_b
        self.packed = (packed_a * m + packed_b * n) * k * batch * size / self.units

    def first(self):
        n = len(self.rows)
        rates = [first_rate(p, self.kind) / (4 if self.cpu else 1) for p in self.rows]
        costs = dict(COSTS)
        if self.cpu:
            costs |= {"launch_ns": 40000, "plain_ns": 0.1, "turned_ns": 0.3, "store_ns": 0.1}
            costs["memory_bytes_per_ns"] = float(self.cpu[1]) / self.units
        return np.log(np.concatenate([list(costs.values()), rates,
                                      np.full(n, 1.0 if self.cpu else 400.0),
                                      np.full(n, 1500.0), np.ones(n), np.ones(n)]))

    def predicted(self, x):
        n = len(self.rows)
        cost = dict(zip((name for name, _ in COSTS), np.exp(x[: len(COSTS)])))
        rate, step, group, access, single = (np.exp(x[len(COSTS) + i * n :][:n])[self.row]
                                             for i in range(5))
        joined = lambda a, b, share: np.maximum(a, b) + share * np.minimum(a, b) ** 2 / np.maximum(
            a, b)
        work = self.volume / rate
        for elements, accesses, turned, short in self.operands:
            plain = cost["plain_ns"] + cost["plain_access_ns"] * access * accesses
            other = cost["turned_ns"] + cost["turned_access_ns"] * access * accesses
            work = work + elements * np.where(turned > 0, other, plain) * (
                1 + cost["short_run"] * short)
        own = np.where(self.alone > 0, cost["single_store_ns"] * single, cost["store_ns"])
        store = self.tile * np.where(self.staged > 0, cost["staged_store_ns"], own)
        group = group + self.staged * cost["staging_ns"]
        ns = 0
        for (steps, waves, rest, held), last in zip(
                self.launched,
                (store, np.where(self.joined > 0, self.tile * cost["store_ns"], store))):
            wave = lambda held, shows: steps * joined(held * work, step, cost["overlap"]) + (
                group + shows * held * last)
            ns = ns + waves * wave(self.resident[self.row], cost["later_store"]) + (
                rest > 0) * wave(held, 1)
        moved = self.read + cost["written"] * self.written
        traffic = np.maximum(moved / cost["memory_bytes_per_ns"],
                             self.loaded / cost["cache_bytes_per_ns"])
        ns = joined(ns, traffic, 0.25) + cost["launch_ns"]
        sum_ns = cost["sum_ns"] * np.where(self.alone > 0, cost["single_sum"], 1)
        apart = cost["sums_ns"] + self.outputs * (self.parts + 1) * sum_ns / self.units
        together = cost["join_ns"] + self.split_each * (
            self.tile * cost["join_sum_ns"] * (self.parts + 1) + store)
        ns = ns + (self.parts > 1) * np.where(self.joined > 0, together, apart)
        return ns + self.packings * cost["packing_ns"] + (
            2 * self.packed / cost["packing_bytes_per_ns"])

    def fit(self, only=None):
        n, c = len(self.rows), len(COSTS)
        chosen = np.arange(len(self.ns)) if only is None else np.flatnonzero(only)
        # Short products are measured to 5 %, others to less than the model errs.
        weight = (self.best / self.ns * np.clip((self.ns / 1e5) ** 0.5, 0.7, 1))[chosen]
        prior = self.first()

        def residuals(x):
            away = np.log(self.predicted(x)[chosen] / self.ns[chosen]) * weight
            d = x - prior
            held = [10 if name == "memory_bytes_per_ns" else 0.2 for name, _ in COSTS]
            pull = [d[:c] * held, d[c : c + n] * 0.15]
            for i in (1, 2):
                part = x[c + i * n : c + (i + 1) * n]
                pull.append((part - part.mean()) * 0.25)
            pull.append(x[c + 3 * n :] * (0.15 if self.cpu else 0.04))
            return np.concatenate([away, *pull])

        pattern = lil_matrix((len(chosen) + c + ROW_NUMBERS * n, c + ROW_NUMBERS * n), dtype=int)
        pattern[: len(chosen), :c] = 1
        for line, r in enumerate(self.row[chosen]):
            pattern[line, [c + i * n + r for i in range(ROW_NUMBERS)]] = 1
        for j in [*range(c + n), *range(c + 3 * n, c + ROW_NUMBERS * n)]:
            pattern[len(chosen) + j, j] = 1
        for i in (1, 2):  # means couple them
            at = slice(c + i * n, c + (i + 1) * n)
            pattern[len(chosen) + at.start : len(chosen) + at.stop, at] = 1
        return least_squares(residuals, prior, jac_sparsity=pattern, loss="soft_l1", f_scale=0.15,
                             max_nfev=400).x

    def sharpened(self, x, only=None):
        """The same with rates moved by 2 % at a time, 10 % at most, where choices get better: two
        ways may differ by less than the model errs."""
        problems = [key for key in self.problems if only is None or key in only]

        def score(y):
            found = self.choices(self.predicted(y), problems=problems)
            return np.mean([np.log(f[0]) + min(0, f[0] - 0.9) for f in found])

        best, fitted = score(x), x
        for _ in range(8):
            before = best
            for rate in range(len(COSTS), len(COSTS) + len(self.rows)):
                for by in (-0.02, 0.02, -0.04, 0.04):
                    y = x.copy()
                    y[rate] += by
                    tried = score(y) if abs(y[rate] - fitted[rate]) <= 0.1 else -np.inf
                    if tried > best + 1e-6:
                        best, x = tried, y
            if best <= before:
                break
        return x

    def predicted_unseen(self):
        """Each problem's times as a fit to the others predicts them, in four folds."""
        ns = np.zeros_like(self.ns)
        order = np.random.default_rng(0).permutation(len(self.problems))
        for f in range(min(4, len(order))):
            left_out = {self.problems[i] for i in order[f::4]}
            unseen = np.array([key in left_out for key in self.keys])
            seen = {key for key in self.problems if key not in left_out}
            ns[unseen] = self.predicted(self.sharpened(self.fit(~unseen), seen))[unseen]
        return ns

    def choices(self, ns, allowed=None, problems=None):
        """Of each problem: the best time over that of the choice, and measured over predicted."""
        found = []
        for key in problems or self.problems:
            ways = [i for i in self.of_problem[key] if allowed is None or self.row[i] in allowed]
            if not ways:
                found.append((0.25, 9, key))
                continue
            i = min(ways, key=lambda i: ns[i])
            found.append((self.best[i] / self.ns[i], self.ns[i] / ns[i], key))
        return found


def summary(found):
    ratios = np.array([f[0] for f in found])
    near = np.mean([abs(1 / f[1] - 1) < 0.2 for f in found])
    return "median %.3f, mean %.3f, worst %.3f, predicted within 20 %%: %.0f %%" % (
        np.median(ratios), np.exp(np.log(ratios).mean()), ratios.min(), 100 * near)


def thinned(data, ns, count, needed):
    """Rows without which the choices are the worse for it, `count` at most."""
    left = set(range(len(data.rows)))
    score = lambda rows: np.mean([np.log(f[0]) + min(0, f[0] - 0.85)
                                  for f in data.choices(ns, rows)])
    now = score(left)
    while len(left) > len(needed):
        tries = [(score(left - {r}), r) for r in left - needed]
        if not tries:
            break
        best, row = max(tries)
        if best < now - 1e-9 and len(left) <= count:
            break
        left.discard(row)
        now = best
    return left


def line_of(p, resident_groups, rate, step, group, access=1, single=1):
    if p["instruction"] == "wgmma":
        bulk = ", bulk" if p["buffer"] == "bulk" else ""
        text = "wgmma(%d, %d, %d%s)" % (p["tile_m"], p["tile_n"], p["stages"], bulk)
    elif p["instruction"] == "mma_sync":
        text = "mma(%d, %d, %d, %d, %d, %d, %s, %d)" % (
            p["tile_m"], p["tile_n"], p["tile_k"], p["per_item_m"], p["per_item_n"], p["vector"],
            p["buffer"], p["stages"])
    elif p["blocks_m"] * p["blocks_n"] > 1 or p["unroll"] == 1:
        text = "cpu(%d, %d, %d, %d, %d, %d)" % (
            p["tile_m"], p["tile_n"], p["tile_k"], p["per_item_m"],
            p["per_item_n"] // p["vector"], p["vector"])
        if p["stage_a"] == "global":
            text = "a_in_place(%s)" % text
    else:
        text = "fma(%d, %d, %d, %d, %d, %d, %d, %d, %d, %s, %d)" % (
            p["tile_m"], p["tile_n"], p["tile_k"], p["per_item_m"], p["per_item_n"],
            p["slices_k"], p["lanes_m"], p["lanes_n"], p["vector"], p["buffer"], p["stages"])
        if p["vector_n"] == 1 < p["per_item_n"]:
            text = "interleaved(%s)" % text
        if p["raster"] != 8:
            text = "in_bands(%d, %s)" % (p["raster"], text)
    return "    {%s, %d, %.4g, %.3g, %.3g, %.3g, %.3g}," % (text, resident_groups, rate, step, group,
                                                          access, single)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    arguments.add_argument("type", choices=BYTES)
    arguments.add_argument("tables", nargs="+", metavar="CSV")
    arguments.add_argument("--rows", type=int, help="print the table, of so many rows at most")
    arguments.add_argument("--near", type=float, metavar="SHARE", help="print the table of the "
                           "rows that reach this share of a problem's best speed")
    arguments.add_argument("--keep", default="", metavar="REGEX",
                           help="rows that stay, by their line in C++")
    arguments.add_argument("--cpu", nargs=2, metavar=("UNITS", "GB/s"),
                           help="measured on a CPU: of so many units, which read so much")
    arguments.add_argument("--problems", action="store_true", help="a line of each problem")
    o = arguments.parse_args()

    data = Data(o.type, o.tables, cpu=o.cpu)
    x = data.fit()
    table = o.rows or o.near
    if table:
        lines = [line_of(p, 1, 1, 1, 1) for p in data.rows]
        needed = {i for i, text in enumerate(lines) if o.keep and re.search(o.keep, text)}
        if o.rows:
            left = thinned(data, data.predicted_unseen(), o.rows, needed)
        else:
            reached = data.best / data.ns
            left = needed | set(data.row[reached >= o.near])
        print("// %d rows of %d" % (len(left), len(data.rows)))
        data = Data(o.type, o.tables, {data.names[i] for i in left}, o.cpu)
        x = data.fit()
    x = data.sharpened(x)
    ns = data.predicted(x)
    found = data.choices(ns)
    out = sys.stderr if table else sys.stdout
    if o.problems:
        for ratio, off, key in sorted(found):
            print("%.3f  measured / predicted %.2f  %s" % (ratio, off, key[1:]), file=out)
    print("%s: %d problems, %d ways of %d rows" % (o.type, len(data.problems), len(data.ns),
                                                   len(data.rows)), file=out)
    print("fitted to all:   " + summary(found), file=out)
    print("on those left out: " + summary(data.choices(data.predicted_unseen())), file=out)
    if table:
        c, n = len(COSTS), len(data.rows)
        value = np.exp(x)
        rows = [(line_of(p, int(data.resident[i]), *(value[c + j * n + i]
                                                     for j in range(ROW_NUMBERS))), p)
                for i, p in enumerate(data.rows)]
        rows.sort(key=lambda r: (-r[1]["tile_m"] * r[1]["tile_n"], r[0]))
        print("\n".join(r[0] for r in rows))
        asked = [(name, v) for (name, _), v in zip(COSTS, value)
                 if data.staged.any() or not name.startswith("stag")]
        print("costs{" + ", ".join(".%s = %.4g" % one for one in asked) + "}")


if __name__ == "__main__":
    main()
