#!/usr/bin/env python3
"""Fills the tables of docs/five_texts.md and docs/course.md with what bench/run measured.

  bench/five_texts.py             writes both pages anew, from bench/results
  bench/five_texts.py --check     only tells whether every row that a technique names exists:
                                  bench/five_texts.py --check <(build/bench/bench/bench_ladders --list)

A technique is what a text teaches: where it stands, the command that shows it, what the text
printed, how ours is read from the results, and why the effect is larger or smaller today. What is
read:
  rate A        the rate of row A, with its unit          us A         its time
  times A / B   how many times faster A is than B         cycle A      operations per cycle and unit
  number A k    the number k of row A                     roof k       a roof of the run
  text …        nothing that is measured: what is said
Several are separated by ' ; '. Rows are of bench_ladders, or of another benchmark as
'transfers: in pinned'."""

import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGE = ROOT / "docs" / "five_texts.md"
COURSE = ROOT / "docs" / "course.md"
DEVICES = {"H200": "nvidia-h200", "PoCL": "pocl-skylake-avx512-amd-epyc"}

LADDERS = "`bench/run ladders --only '^%s'`"
TRANSFERS = "`bench/run transfers`"
OCCUPANCY = "`bench/run occupancy`"
CALCULATOR = "`examples/run occupancy_calculator --device 1.0 %s`"


def of(ladder):
    return LADDERS % ladder


# (text, place, technique, command, the text's figure, how ours is read, why)
TECHNIQUES = [
    # NVIDIA, "OpenCL Optimization"
    ("deck", "architecture", "Groups are whole warps", of("items"), "a rule: multiples of 32",
     "times items 64 in a group / items 33 in a group",
     "A group of 33 fills two warps and wastes 31 lanes of the second: nearly half of the rate, then "
     "as now."),
    ("deck", "transfers", "Data stays on the device", TRANSFERS, "8 GB/s against 141 GB/s: 18 times",
     "roof link ; roof copy",
     "The link became 7 times faster, memory 30 times: it pays more than then."),
    ("deck", "transfers", "One large transfer for many small ones", of("small-transfers"),
     "a rule", "times small-transfers 1 of 16384 KiB / small-transfers 4096 of 4 KiB",
     "A transfer costs the host microseconds however small it is, and a faster link makes that "
     "share larger."),
    ("deck", "coalescing", "Shifted copies", of("copy-offset"),
     "1.7 times slower on 1.3, 8 times on 1.0", "times copy-offset 0 / copy-offset 1",
     "Loads are cut into sectors of 32 bytes and pass a cache: a shift costs one sector of a warp's "
     "four or five, and the next warp finds it in the cache."),
    ("deck", "coalescing", "Strided copies", of("copy-stride"), "in a figure that the text lost",
     "times copy-stride 1 / copy-stride 2 ; times copy-stride 1 / copy-stride 32",
     "What is fetched beside what is wanted is still lost, up to a sector: 8 floats. A cache helps "
     "only what comes back for the rest."),
    ("deck", "coalescing", "Transactions counted by the rule of a capability",
     of("copy-offset"), "16 against 1 on 1.0", "number copy-offset 1 transactions_of_1_3 ; "
     "number copy-offset 1 transactions",
     "The same rule by segments on 1.3 and by sectors now (`core/access/transactions.hpp`); the "
     "Guide's figures are test cases."),
    ("deck", "local memory", "Product of depth 16: naive", of("gemm-depth16"),
     "8.8 GB/s (GTX 280), 0.62 (FX 5600)", "rate gemm-depth16 naive",
     "Caches broadcast a row of A to a warp, which the first devices fetched lane by lane."),
    ("deck", "local memory", "Product of depth 16: a tile of A in local memory",
     of("gemm-depth16"), "14.3 GB/s, 1.6 times",
     "rate gemm-depth16 A in local memory ; times gemm-depth16 A in local memory / "
     "gemm-depth16 naive",
     "What the tile saves, the cache saves already; the barrier is on top."),
    ("deck", "local memory", "Product of depth 16: tiles of A and B", of("gemm-depth16"),
     "29.7 GB/s, 3.4 times", "rate gemm-depth16 A and B in local memory ; "
     "times gemm-depth16 A and B in local memory / gemm-depth16 naive",
     "Reads of B come from the cache at a fraction of its rate, so the step is there still, "
     "smaller."),
    ("deck", "local memory", "Transposition through local memory", of("transpose"),
     "1.1 to 24.8 GB/s, 22 times", "times transpose through local memory / transpose naive",
     "The second-level cache joins what a column of stores leaves apart: the naive kernel is at "
     "a third of the roof, not at a hundredth."),
    ("deck", "local memory", "Padding against bank conflicts", of("transpose"),
     "24.8 to 30.3 GB/s, 1.22 times",
     "times transpose padded, no conflicts / transpose through local memory ; "
     "times transpose 32 x 32, swizzled / transpose 32 x 32, conflicts",
     "A tile of 16 x 16 has 2-way conflicts in 32 banks, which hide behind memory; 32 x 32 has 32, "
     "and shows the effect."),
    ("deck", "local memory", "Bank conflicts alone", of("local-memory"), "a rule: 16 banks on 1.x",
     "times local-memory stride 1 / local-memory stride 2 ; "
     "times local-memory stride 1 / local-memory stride 32",
     "Nothing but reads: the factor is the degree of the conflict, as the rule says."),
    ("deck", "heuristics", "At least as many groups as units", of("groups"), "groups > units",
     "times groups one per unit / groups half of the units",
     "A unit without a group does nothing."),
    ("deck", "heuristics", "More than two groups per unit, 100 to scale", of("groups"),
     "groups / units > 2, > 100", "times groups a hundred per unit / groups two per unit",
     "More groups keep more loads in flight, and a short last wave weighs less; a thousand are too "
     "short for their own start."),
    ("deck", "heuristics", "64 work-items at least, 256 may be better", of("items"),
     "64 to 256", "times items 256 in a group / items 32 in a group",
     "A unit holds 32 groups: of 32 work-items that is half of its warps."),
    ("deck", "occupancy", "13 warps hide memory's latency: 54 %", of("warps"),
     "400 / 4 / 8 = 13 of 24 warps",
     "times warps 13 on a unit / warps 6 on a unit ; times warps 64 on a unit / warps 13 on a unit",
     "Memory is some 700 cycles away and a unit issues four instructions per cycle, so 13 warps are "
     "no longer enough (`thumb::warps_to_hide`)."),
    ("deck", "occupancy", "6 warps hide a register's latency: 25 %", OCCUPANCY,
     "24 / 4 = 6 of 24 warps", "text see multiply-adds over occupancy",
     "Latency fell from 24 to 4 cycles, and four schedulers want 4 warps each: 16 of 64, again "
     "25 %."),
    ("deck", "occupancy", "Registers limit occupancy: 10, 11, and smaller groups",
     CALCULATOR % "-w 256 -r 11",
     "100 %, 66 %, 83 %", "text 100 %, 66 %, 83 %",
     "Arithmetic, exact by the tests of `core/occupancy.hpp`."),
    ("deck", "occupancy", "The occupancy calculator's sheet",
     CALCULATOR % "-w 192 -r 20 -l 68",
     "192 threads, 20 registers, 68 bytes: 50 %", "text 50 %",
     "The same sheet, for every device since, with the next step named."),
    ("deck", "instructions", "Arithmetic throughput", of("instructions"),
     "T = 8 per cycle for add, multiply, mad",
     "cycle instructions float add ; cycle instructions float mad ; "
     "cycle instructions integer add",
     "A unit has 128 lanes of float where it had 8."),
    ("deck", "instructions", "Integer division is expensive", of("instructions"), "a rule",
     "cycle instructions integer divide",
     "There is no instruction for it still: some twenty take its place."),
    ("deck", "instructions", "Literals of float, not double", of("instructions"), "a rule",
     "times instructions float multiply / instructions multiply by a literal of double",
     "Two conversions and a product of double: on a card with few units of double it is worse than "
     "on this one."),
    ("deck", "instructions", "Vectors are for convenience", of("copy-vectors"),
     "a rule: scalar architecture", "times copy-vectors 4 / copy-vectors 1",
     "Arithmetic is scalar still; accesses of 16 bytes keep more in flight, which Volkov's copies "
     "show."),
    ("deck", "instructions", "-cl-mad-enable", of("math"), "\"large performance gains\"",
     "times math polynomial of degree 64, mad / math polynomial of degree 64, precise",
     "Compilers fuse a * b + c without being asked, since fma rounds better than both."),
    ("deck", "instructions", "-cl-fast-relaxed-math", of("math"), "a rule: investigate",
     "times math sin(x) exp(x) over sqrt(1 + x x), relaxed / "
     "math sin(x) exp(x) over sqrt(1 + x x), precise",
     "Functions lose their careful paths; sums and products alone gain nothing."),
    ("deck", "instructions", "Native functions", of("math"), "a rule: where speed matters more",
     "times math sin(x) exp(x) over sqrt(1 + x x), native / "
     "math sin(x) exp(x) over sqrt(1 + x x), precise ; "
     "times instructions native sine / instructions sine",
     "One instruction of the special-function unit for a call of a dozen; the map of the first figure "
     "soon waits for memory instead."),
    ("deck", "control flow", "Divergence within a warp", of("branches"), "paths are serialised",
     "times branches one path / branches 2 paths, by lane ; "
     "times branches one path / branches 32 paths, by lane",
     "The factor is the number of paths, as ever; only what lies between two memory accesses "
     "hides."),
    ("deck", "control flow", "No penalty between warps", of("branches"), "none",
     "times branches one path / branches 32 paths, by warp",
     "The instruction cache is all that different warps share."),
    ("deck", "more topics", "Several GPUs", of("devices"), "named, no figure", "rate devices 1",
     "A machine with several has a row for each number of them; between OpenCL's devices data goes "
     "through the host."),
    ("deck", "more topics", "Zero copy", TRANSFERS, "named, no figure",
     "rate transfers: in zero-copy",
     "NVIDIA's driver keeps such a buffer in the device's memory and copies when it is mapped."),
    # ETH Zürich, "GPU Performance Considerations"
    ("eth", "tiling", "Tiled product", of("gemm"), "in figures",
     "times gemm A and B in local memory / gemm naive",
     "Global traffic falls to a sixteenth; what is left waits for local memory."),
    ("eth", "latency", "Warps hide latency", of("warps"), "in figures",
     "times warps 32 on a unit / warps 2 on a unit",
     "Loads in flight are what counts, and a warp here has one."),
    ("eth", "DRAM", "Bursts within a row", of("dram"), "a rule",
     "times dram lines 128 B apart / dram lines 8 KiB apart",
     "Addresses are hashed over channels and banks, so lines of one page lie in many rows."),
    ("eth", "DRAM", "Banks and channels", of("dram"), "a rule",
     "times dram lines 128 B apart / dram lines 4 MiB apart",
     "The hash spreads powers of two as well; what remains is the table of pages."),
    ("eth", "layout", "Structure of arrays", of("aos-soa"), "in a figure",
     "times aos-soa one field, SoA / aos-soa one field, AoS ; "
     "times aos-soa four fields, SoA / aos-soa four fields, AoS",
     "Where all fields are read the cache brings the rest of a structure for nothing."),
    ("eth", "local memory", "Coalescing through a tile", of("rgb"), "in a figure",
     "times rgb-floats through local memory / rgb-floats direct",
     "A cache line holds what the neighbours want; the tile only adds its barrier."),
    ("eth", "reuse", "3 x 3 untiled", of("halo"), "in code", "rate halo 3 x 3 untiled",
     "The nine reads of neighbours meet in the first-level cache."),
    ("eth", "reuse", "3 x 3 with a halo in local memory", of("halo"), "in code",
     "times halo 3 x 3, tiles of 16 + 2 / halo 3 x 3 untiled ; "
     "times halo 3 x 3, the library's choice / halo 3 x 3 untiled",
     "The cache does what the tile did; several outputs in registers are what is faster."),
    ("eth", "banks", "2-way and 8-way conflicts", of("local-memory"), "2 and 8 times",
     "times local-memory stride 1 / local-memory stride 2 ; "
     "times local-memory stride 1 / local-memory stride 8", "As the rule says."),
    ("eth", "banks", "Hashing in place of padding", of("transpose"), "van den Braak 2016",
     "times transpose 32 x 32, swizzled / transpose 32 x 32, conflicts",
     "A swizzle costs no memory and an exclusive or."),
    ("eth", "divergence", "t % 2 against t < 32", of("branches"), "in code",
     "times branches 2 paths, by warp / branches 2 paths, by lane", "Half of the lanes idle."),
    ("eth", "reduction", "Naive against divergence-free mapping", of("reduce"), "in figures",
     "times reduce halves, divergence-free / reduce interleaved, divergent",
     "The tree of a group is short beside its loads; by itself divergence is the row above."),
    ("eth", "atomics", "Atomic operations are serialised", of("atomics"), "a rule",
     "times atomics each to its own word / atomics to one word ; "
     "times atomics in local memory first / atomics to one word",
     "Additions to one word follow each other, two in three cycles for a whole H200; additions of "
     "lanes to words of their own run beside each other. A sum in local memory first costs one "
     "addition a group, and is nearly as fast."),
    ("eth", "transfers", "Overlap with computation", TRANSFERS, "a rule",
     "times transfers: pipeline, two queues / transfers: pipeline, one queue",
     "Both directions of the link run at once, and the kernel beside them."),
    # "OpenCL optimization techniques"
    ("techniques", "coalescing", "Coalesced, divergent, permuted at 12288 x 256",
     of("copy-lanes"), "356, 357, 3494 us",
     "us copy-lanes coalesced, 12288 x 256 ; us copy-lanes divergent, 12288 x 256 ; "
     "us copy-lanes permuted within a half-warp, 12288 x 256",
     "A permutation within a segment has been free since 1.2; 25 MB stay in a cache of 50."),
    ("techniques", "coalescing", "Permuted past a segment", of("copy-lanes"), "3494 us, 9.8 times",
     "times copy-lanes coalesced, today's size / copy-lanes scattered, today's size",
     "Where no two lanes share a sector, an eighth of what is fetched is wanted."),
    ("techniques", "local memory", "RGB through local memory", of("rgb"), "in code",
     "times rgb-bytes through local memory / rgb-bytes direct ; "
     "times rgb-bytes four pixels per item / rgb-bytes direct",
     "Registers hold four pixels without a barrier; that is what the tile was for."),
    ("techniques", "local memory", "A product by blocks of M x M", of("gemm"), "in words",
     "times gemm A and B in local memory / gemm naive",
     "Operands are loaded N^3 / M times in place of N^3, here with M = 16."),
    ("techniques", "instructions", "Functions of half the precision", of("instructions"),
     "half_sin and native_sin for sin",
     "times instructions half sine / instructions sine ; number instructions half sine ulp ; "
     "times instructions native sine / instructions sine",
     "NVIDIA and PoCL compute half_sin as sin, to the last digit; native_sin is the fast one."),
    ("techniques", "profiling", "Queued, submitted, started, ended", of("stages"),
     "747, 288 and 338 us",
     "number stages of a call, negative of 736 x 736 queued_to_submitted_us ; "
     "number stages of a call, negative of 736 x 736 submitted_to_started_us ; "
     "number stages of a call, negative of 736 x 736 started_to_ended_us",
     "The driver's way to the device is a hundred times shorter (`clprim::profile`)."),
    ("techniques", "convolution", "The simplest solution", of("convolve-apron"), "in a figure",
     "rate convolve-apron untiled, every tap from memory",
     "81 reads of a cache per output; its rate is the bound."),
    ("techniques", "convolution", "Apron, first solution", of("convolve-apron"),
     "25 % of 16 x 16 items compute",
     "rate convolve-apron an item for each pixel, tiles of 8 ; "
     "number convolve-apron an item for each pixel, tiles of 8 active_computing",
     "The same 25 %; idle warps leave, so it costs less than a quarter would."),
    ("techniques", "convolution", "Apron, second solution", of("convolve-apron"),
     "50 % of 16 x 8 items compute",
     "rate convolve-apron several loads per item, tiles of 8 ; "
     "number convolve-apron several loads per item, tiles of 8 active_computing",
     "The same 50 %."),
    ("techniques", "convolution", "Apron, third solution", of("convolve-apron"),
     "100 % of 8 x 8 items compute",
     "rate convolve-apron a block per item, tiles of 8 ; "
     "number convolve-apron a block per item, tiles of 8 active_computing",
     "Nobody idles, and all three are bound by reads of local memory: outputs per item decide."),
    ("techniques", "convolution", "Edges clamped, or zero", of("convolve-apron"), "in a figure",
     "times convolve-apron a block per item, edges clamped / "
     "convolve-apron a block per item, tiles of 16",
     "Only groups at the edge take the longer way."),
    ("techniques", "negative", "uchar, uchar4, image object", of("negative"),
     "337.5 us (uchar); 0.01400, 0.01540, 0.00706 (uchar4)",
     "us negative packed RGB, uchar, 736 x 736 ; us negative uchar4, 736 x 736 ; "
     "us negative image2d, 736 x 736",
     "At 2 MB all three are a launch and a cache; at today's size words of four bytes and the image "
     "object are equal, and 16 bytes per item are twice as fast."),
    ("techniques", "negative", "Transfers beside the kernel", of("negative"),
     "0.13183 in, 0.04305 out",
     "us negative transfer in, 736 x 736 ; us negative transfer out, 736 x 736",
     "Nine of ten parts of the time are transfers, then as now."),
    # NVIDIA OpenCL Programming Guide 2.3
    ("guide", "2.2.1", "PTX from a program's binary", "`clprim::detail::binary_of`", "in words",
     "text used for wgmma", "What the Guide expected to go is how instructions come in that the "
     "driver's compiler does not know."),
    ("guide", "2.2.2", "volatile", of("volatile"), "a rule",
     "times volatile absent, one read / volatile present, sixteen reads",
     "Fifteen reads more, all of them from the first-level cache."),
    ("guide", "3.1.1.1", "Division, roots, logarithm, sine", of("instructions"),
     "0.88, 2, 2, 1 per cycle",
     "cycle instructions divide ; cycle instructions reciprocal square root ; "
     "cycle instructions native logarithm ; cycle instructions native sine",
     "16 special-function lanes for 2; a precise division is still a dozen instructions."),
    ("guide", "3.1.1.1", "mul24 against 32-bit products", of("instructions"), "8 against 2",
     "cycle instructions mul24 ; cycle instructions integer multiply",
     "The Guide's warning came true: products of 32 bits are the hardware's, mul24 is made of "
     "them."),
    ("guide", "3.1.1.1", "Division by a power of two is a shift", of("instructions"), "a rule",
     "times instructions integer divide by a literal, 16 / instructions integer divide",
     "Where the divisor is a literal the compiler does it, then as now."),
    ("guide", "3.1.1.1", "Sine of large arguments", of("instructions"),
     "ten times slower past 48039",
     "times instructions sine / instructions sine of large arguments",
     "The long reduction is still in private memory."),
    ("guide", "3.1.1.2", "Predication of short branches", of("branches"),
     "at most 4 to 7 instructions", "rate branches short, predicated",
     "Both paths run, without a branch."),
    ("guide", "3.1.1.4", "Barriers that nobody waits at", of("instructions"), "8 per cycle",
     "cycle instructions barrier",
     "8 work-items per cycle passed a barrier then, 9 with an addition between two of them now: "
     "what a barrier takes is its latency, which other groups hide."),
    ("guide", "3.1.2.1", "Words of 4, 8 and 16 bytes, aligned structures", of("structures"),
     "16 transactions for 12 bytes on 1.0",
     "times structures 16 bytes, aligned / structures 12 bytes, packed ; "
     "times structures 32 bytes, as two arrays of 16 / structures 32 bytes, packed",
     "Sectors that one load leaves are in the cache for the next."),
    ("guide", "3.1.2.1", "Rows padded to a multiple of 16", of("pitch"), "a rule",
     "times pitch rows of 1001, 1008 apart / pitch rows of 1001, 1001 apart",
     "A row out of step costs a sector per warp."),
    ("guide", "3.1.2.3", "Constant memory, one address for a warp", of("constant"),
     "linear in the addresses",
     "times constant 1 word per warp / constant 2 words per warp ; "
     "times constant 1 word per warp / constant 32 words per warp",
     "Up to four addresses are free now, then the rule stands; plain global memory does the same, "
     "since one first-level cache serves both."),
    ("guide", "3.1.2.4", "Image objects through the texture cache", of("images"), "a rule",
     "times images rows of an image object / images rows of a buffer ; "
     "times images columns of an image object / images columns of a buffer",
     "Along rows the texture path gains nothing, for the first-level cache is the same; down columns "
     "an image is 2.3 times as fast, since its pixels lie in small squares. PoCL samples by a call "
     "for each pixel."),
    ("guide", "3.1.2.5", "Bytes, doubles and broadcast in local memory", of("local-memory"),
     "4-way, 2-way, none",
     "times local-memory stride 1 / local-memory bytes side by side ; "
     "times local-memory doubles / local-memory stride 1 ; "
     "times local-memory stride 0, one word / local-memory stride 1",
     "Any word goes to all lanes now, so bytes cost their width alone; doubles go in two halves at "
     "full width."),
    ("guide", "3.1.2.6", "192 work-items on a unit hide a register's latency", of("items"),
     "192 or 256, multiples of 64",
     "times items 192 in a group / items 64 in a group",
     "Also a check of `explain`; latencies fell, but a group of 64 is too small for a unit of 32 "
     "groups."),
    ("guide", "3.2", "100 groups scale, 1000 over generations", of("groups"), "a rule",
     "times groups a hundred per unit / groups eight per unit ; "
     "times groups a thousand per unit / groups a hundred per unit",
     "Enough is enough: a thousand groups per unit have so little work each that starting them is "
     "the bound."),
    ("guide", "3.2, A.1", "Tables of capability 1.0 to 1.3", CALCULATOR % "-w 256",
     "appendix A.1", "text a test", "Held to the limits that occupancy computes with."),
    ("guide", "3.3", "Pinned memory", TRANSFERS, "a rule",
     "times transfers: in pinned / transfers: in pageable",
     "The driver copies pageable memory to pinned first, at a host core's rate."),
    ("guide", "3.4", "Steps of a warp without barriers", of("warp-sums"), "allowed on 1.x",
     "times warp-sums volatile, no barriers in a warp / warp-sums a barrier after every step ; "
     "number warp-sums volatile, no barriers in a warp wrong_sums ; "
     "number warp-sums neither wrong_sums",
     "Lanes are scheduled one by one since 7.0, and a CPU runs them one after the other: it is "
     "wrong by the language, and counted here. Shuffles are the way."),
    ("guide", "B", "Errors of functions, in ulp", of("instructions"),
     "sin 2, exp 2, division 2; native sin 2^-21.41 absolute",
     "number instructions sine ulp ; number instructions exponential ulp ; "
     "number instructions divide ulp ; "
     "number instructions native sine absolute_error",
     "Measured over 65,536 values; PoCL's native functions are as exact as its precise ones."),
    # Volkov
    ("volkov", "I", "Little's law, and ILP against warps", OCCUPANCY,
     "576 operations in flight (GF100)", "text see multiply-adds over occupancy",
     "4 cycles x 128 lanes: 512 on a unit, by fewer cycles and more lanes."),
    ("volkov", "II", "Copies of 1 to 14 values per item", OCCUPANCY + ", " + of("copy-vectors"),
     "87 % of the pins at 8 %, 84 % at 4 %", "rate copy-vectors 8 ; rate copy-vectors 14",
     "Memory holds 30 times the bytes in flight; low occupancy still reaches the roof with as many "
     "values each."),
    ("volkov", "III", "Registers against local memory", of("bandwidth"),
     "8.1 against 1.3 TB/s: 6 times",
     "rate bandwidth registers ; rate bandwidth local memory ; "
     "times bandwidth registers / bandwidth local memory",
     "128 lanes to 32 banks: the gap is 16 to 1 in bytes."),
    ("volkov", "IV", "Several outputs per item", of("gemm"),
     "242, 341, 427, 485 GFLOP/s (1, 2, 4, 8)",
     "rate gemm 1 output per item ; rate gemm 2 outputs per item ; rate gemm 4 outputs per item ; "
     "rate gemm 8 outputs per item",
     "A column of outputs saves at most half of the reads; patches (16 outputs: 4 x 4) save more, "
     "and are the larger step today."),
    ("volkov", "IV", "Bytes of local memory per flop", of("gemm"), "4, 3, 2.5, 2.25, 0.67",
     "number gemm 1 output per item local_bytes_per_flop ; "
     "number gemm 2 outputs per item local_bytes_per_flop ; "
     "number gemm 8 outputs per item local_bytes_per_flop ; "
     "number gemm 36 outputs per item local_bytes_per_flop",
     "4 (m + n) / 2 m n. The slide of two outputs says 5; its bound of 448 GFLOP/s is that of 3."),
    ("volkov", "prologue", "CUBLAS 1.1 and 2.0", of("gemm-prologue"),
     "128 and 204 GFLOP/s: 1.6 times",
     "times gemm-prologue 64 items, 16 outputs each / gemm-prologue 512 items, 2 outputs each",
     "The same step in shape: a tenth of the items, eight times the outputs."),
    ("volkov", "IV", "GFLOP/s go up, occupancy goes down", of("gemm-occupancy"), "in figures",
     "rate gemm-occupancy 1 output, 100 % ; rate gemm-occupancy 8 outputs, 12.5 % ; "
     "rate gemm-occupancy 36 outputs, 25 % ; "
     "times gemm-occupancy 1 output, 50 % / gemm-occupancy 1 output, 100 % ; "
     "times gemm-occupancy 8 outputs, 12.5 % / gemm-occupancy 8 outputs, 100 %",
     "As he has it: one output loses an eighth of its rate at half the occupancy, eight lose a "
     "fortieth at an eighth of it, and both are slower than 36 at a quarter."),
    ("volkov", "V", "Transforms of 1024: 2 to 16 points, and CUFFT", of("fft"),
     "45 and 93 GFLOP/s (CUFFT 2.2, 2.3)",
     "rate fft 2 outputs per item ; rate fft 4 outputs per item ; rate fft 8 outputs per item ; "
     "rate fft 16 outputs per item",
     "From 4 points on memory is the bound."),
    ("volkov", "V", "The same over occupancy", of("fft-occupancy"), "in figures",
     "rate fft-occupancy 2 points, 25 % ; rate fft-occupancy 16 points, 25 %",
     "16 points keep their rate at an occupancy at which 2 points halve."),
]


class Results:
    """The rows of a device's folder, by name; those of other benchmarks as 'suite: name'."""

    def __init__(self, folder):
        self.rows, self.context = {}, {}
        for path in sorted(folder.glob("*.json")):
            try:
                results = json.loads(path.read_text())
            except json.JSONDecodeError:
                continue
            for row in results.get("benchmarks", []):
                suite, _, name = row["name"].split("/iterations:")[0].partition("/")
                if "clprim_us" in row:
                    self.rows[f"{suite}: {key_of(name)}"] = row
            if path.stem in ("ladders", "transfers"):
                self.context |= results.get("context", {})

    def row(self, name):
        name = name.strip()
        return self.rows.get(key_of(name) if ": " in name else f"ladders: {key_of(name)}")


def key_of(name):
    """Google Benchmark's names have no spaces; a row's own slashes are lost with them."""
    suite, colon, rest = name.partition(": ")
    if not colon:
        return re.sub(r"[ /]+", " ", name)
    return suite + ": " + re.sub(r"[ /]+", " ", rest)


def short(value):
    return f"{value:,.0f}" if value >= 1000 else f"{value:.3g}"


def rate_of(row):
    return row.get("clprim_gflops") or row.get("clprim_gb_s")


def read_one(what, results):
    kind, _, rest = what.strip().partition(" ")
    if kind == "text":
        return rest
    if kind == "roof":
        value = results.context.get({"link": "roof_link_gb_s", "copy": "roof_copy_gb_s"}[rest])
        return f"{short(float(value))} GB/s" if value and float(value) > 0 else "–"
    if kind == "times":
        a, b = (results.row(name) for name in rest.split(" / ", 1)) if rest.count(" / ") == 1 \
            else (results.row(name) for name in halves(rest))
        return f"{short(rate_of(a) / rate_of(b))} times" if a and b else "–"
    if kind == "number":
        name, _, key = rest.rpartition(" ")
        row = results.row(name) or {}
        value = row.get(key, row.get("clprim_" + key))
        unit = " us" if key.endswith("_us") else ""
        return f"{short(value)}{unit}" if value is not None else "–"
    row = results.row(rest)
    if not row:
        return "–"
    if kind == "us":
        return f"{short(row['clprim_us'])} us"
    if kind == "cycle":
        units, clock = (float(results.context[k]) for k in ("compute_units", "clock_mhz"))
        return short(rate_of(row) * 1e3 / units / clock)
    unit = "GFLOP/s" if "clprim_gflops" in row else "GB/s"
    if row["name"].startswith(("ladders/instructions", "ladders/atomics", "ladders/branches",
                               "ladders/devices")):
        unit = "Gop/s"
    return f"{short(rate_of(row))} {unit}"


def halves(text):
    """'A / B' where both have a ' / ' of their own."""
    parts = text.split(" / ")
    middle = len(parts) // 2
    return " / ".join(parts[:middle]), " / ".join(parts[middle:])


def read_all(what, results):
    found = [read_one(one, results) for one in what.split(" ; ")]
    return "–" if all(f == "–" for f in found) else ", ".join(found)


def table(text, results):
    lines = ["| | technique | command | the text | " + " | ".join(DEVICES) + " | why |",
             "|---|---|---|---|" + "---|" * len(DEVICES) + "---|"]
    for source, place, technique, command, figure, ours, why in TECHNIQUES:
        if source != text:
            continue
        cells = [read_all(ours, results[d]) for d in DEVICES]
        lines.append(f"| {place} | {technique} | {command} | {figure} | " + " | ".join(cells) +
                     f" | {why} |")
    return "\n".join(lines)


def rates(names, results):
    """A table of rungs: their rates, and what a text printed of them."""
    lines = []
    for name in names:
        cells = [read_one(f"rate {name}", results[d]) for d in DEVICES]
        label = next((r.row(name)["label"] for r in results.values() if r.row(name)), "")
        printed = re.search(r": ([0-9.]+ (?:GB/s|GFLOP/s) on [^;|,]*)", label)
        lines.append([name, *cells, printed.group(1).strip() if printed else ""])
    head = ["rung", *DEVICES, "the text"]
    if not any(line[-1] for line in lines):
        head, lines = head[:-1], [line[:-1] for line in lines]
    return "\n".join("| " + " | ".join(line) + " |" for line in [head, ["---"] * len(head), *lines])


def course_names(text):
    return [[" ".join(name.split()) for name in names.split(";")]
            for names in re.findall(r"<!-- rates: (.*?) -->", text, re.DOTALL)]


def names_in(what):
    for one in what.split(" ; "):
        kind, _, rest = one.strip().partition(" ")
        if kind in ("rate", "us", "cycle"):
            yield rest
        elif kind == "number":
            yield rest.rpartition(" ")[0]
        elif kind == "times":
            yield from rest.split(" / ", 1) if rest.count(" / ") == 1 else halves(rest)


def check(path):
    there = {key_of(line.strip()) for line in pathlib.Path(path).read_text().splitlines()}
    named = {n for t in TECHNIQUES for n in names_in(t[5])}
    named |= {n for names in course_names(COURSE.read_text()) for n in names}
    missing = sorted(n for n in named if ": " not in n and key_of(n) not in there)
    print("\n".join(f"there is no row '{name}'" for name in missing))
    sys.exit(1 if missing else 0)


def main():
    if len(sys.argv) == 3 and sys.argv[1] == "--check":
        check(sys.argv[2])
    if len(sys.argv) != 1:
        sys.exit(__doc__)
    results = {d: Results(ROOT / "bench" / "results" / folder) for d, folder in DEVICES.items()}
    page = PAGE.read_text()
    for text in ("deck", "eth", "techniques", "guide", "volkov"):
        page = re.sub(rf"(<!-- {text} -->\n).*?(\n<!-- end -->)",
                      lambda m: m.group(1) + table(text, results) + m.group(2), page,
                      flags=re.DOTALL)
    page = re.sub(r"(<!-- count -->)\d*", rf"\g<1>{len(TECHNIQUES)}", page)
    PAGE.write_text(page)
    print(f"{PAGE}: {len(TECHNIQUES)} techniques")
    course = re.sub(r"(<!-- rates: (.*?) -->\n).*?(<!-- end -->)",
                    lambda m: m.group(1) + rates(course_names(m.group(1))[0], results) + "\n" +
                    m.group(3),
                    COURSE.read_text(), flags=re.DOTALL)
    COURSE.write_text(course)
    print(f"{COURSE}: {len(course_names(course))} tables")


if __name__ == "__main__":
    main()
