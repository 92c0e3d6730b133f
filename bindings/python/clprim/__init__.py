"""Tuned OpenCL primitives on PyOpenCL arrays.

    import clprim
    c = clprim.gemm(a, b)                      # a and b are pyopencl.array.Array
    s = clprim.sum(c, axis=1)
    y = clprim.rfft(x)

Functions take arrays and return new ones, or write to `out=`. Objects (Gemm, Reduce, Transpose,
Convolve, FFT, Copy) are made once for a queue and called often, with policies and texts of your
own. Nothing waits: calls are enqueued on the queue of their first array, after the events that its
arrays carry, and their results carry the new event.
"""

from ._library import (ArgumentError, BuildError, DeviceError, Error, OpenCLError, PolicyError,
                       open_queue, version)
from .functions import (all, any, argmax, argmin, convolve, copy, correlate, count_nonzero, dct,
                        dot, dst, fft, fftn, gemm, idct, idst, ifft, ifftn, irfft, irfftn, max,
                        mean, min, norm, prod, reduce, rfft, rfftn, sum, transpose,
                        transpose_in_place, var, vdot)
from .objects import FFT, Convolve, Copy, Gemm, Reduce, Transpose

__version__ = version()
__all__ = [
    "ArgumentError", "BuildError", "Convolve", "Copy", "DeviceError", "Error", "FFT", "Gemm",
    "OpenCLError", "PolicyError", "Reduce", "Transpose", "all", "any", "argmax", "argmin",
    "convolve", "copy", "correlate", "count_nonzero", "dct", "dot", "dst", "fft", "fftn", "gemm",
    "idct", "idst", "ifft", "ifftn", "irfft", "irfftn", "max", "mean", "min", "norm", "open_queue",
    "prod", "reduce", "rfft", "rfftn", "sum", "transpose", "transpose_in_place", "var", "vdot",
    "version"
]
