#!/usr/bin/env python3
"""Sums along rows and columns by PyTorch, the one peer that no C++ header reaches: medians of series
between two events, for the shapes of bench_reduce, with our speed over its where bench_reduce's JSON
is given. bench/run calls it right after bench_reduce, on the same card.

  bench/reduce/torch_peer.py [reduce.json]"""
import json
import pathlib
import statistics
import sys

import torch


def seconds(call, calls=20, rounds=7):
    for _ in range(3):
        call()
    samples = []
    for _ in range(rounds):
        begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
        begin.record()
        for _ in range(calls):
            call()
        end.record()
        end.synchronize()
        samples.append(begin.elapsed_time(end) * 1e-3 / calls)
    return statistics.median(samples)


def ours(path):
    """Microseconds of our rows by name."""
    rows = json.loads(pathlib.Path(path).read_text())["benchmarks"]
    return {r["name"].split("/iterations:")[0]: r["clprim_us"] for r in rows if "clprim_us" in r}


def main():
    print(f"torch {torch.__version__}, {torch.cuda.get_device_name()}")
    clprim = ours(sys.argv[1]) if len(sys.argv) > 1 else {}
    for rows, columns in ((65536, 4096), (4096, 65536), (1048576, 256)):
        x = torch.rand(rows, columns, device="cuda")
        right = x.double()
        for name, axis in (("rows", 1), ("columns", 0)):
            error = (torch.sum(x, axis) - right.sum(axis)).abs().max().item()
            assert error < 1e-5 * x.shape[axis], f"{name} {rows}x{columns}: wrong by {error}"
            t = seconds(lambda: torch.sum(x, axis))
            size = f"{rows}x{columns}"
            line = f"{name:8} {size:13} {t * 1e6:8.2f} us {4 * x.numel() / t * 1e-9:6.0f} GB/s"
            us = clprim.get(f"reduce/{name}/{size}")
            print(line + (f"   clprim {us:8.2f} us: {t * 1e6 / us:.3f} of torch" if us else ""))
        del x, right


if __name__ == "__main__":
    main()
