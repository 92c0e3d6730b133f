"""The C interface as ctypes sees it: structures, functions, failures as exceptions."""

import ctypes
import os
from ctypes import POINTER, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint, c_void_p
from pathlib import Path

import numpy as np
import pyopencl as cl


class Error(RuntimeError):
    """Base of everything that clprim raises; its text is one sentence with names and numbers."""


class ArgumentError(Error, ValueError):
    """An operand or option breaks a constraint."""


class PolicyError(Error, ValueError):
    """A policy breaks a rule, or does not fit the device."""


class DeviceError(Error):
    """There is no such device, or it lacks what is asked for."""


class BuildError(Error):
    """A program does not build; the text has the compiler's log."""


class OpenCLError(Error):
    """A call of OpenCL failed; `code` is its cl_int."""

    code = 0


class Matrix(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("rows", c_int64), ("cols", c_int64), ("ld", c_int64),
                ("offset", c_int64), ("batch_count", c_int64), ("batch_stride", c_int64),
                ("column_major", c_int), ("op", c_int)]


class Vector(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("count", c_int64), ("stride", c_int64),
                ("offset", c_int64)]


class Array(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("axes", c_int), ("extents", c_int64 * 6),
                ("strided", c_int), ("strides", c_int64 * 6), ("offset", c_int64)]


class Image(ctypes.Structure):
    _fields_ = [("memory", c_void_p), ("width", c_int64), ("height", c_int64),
                ("depth", c_int64), ("row_pitch", c_int64), ("slice_pitch", c_int64),
                ("offset", c_int64), ("batch_count", c_int64), ("batch_stride", c_int64),
                ("channels", c_int)]


class Filter(ctypes.Structure):
    _fields_ = [("coefficients", POINTER(c_double)), ("taps", c_int * 3), ("separable", c_int),
                ("anchored", c_int), ("anchor", c_int * 3)]


class GemmOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("epilogue", c_char_p), ("precision", c_char_p)]


class ReduceOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("map", c_char_p), ("ignore_nan", c_int)]


class TransposeOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("map", c_char_p)]


class ConvolveOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("map", c_char_p), ("border", c_int),
                ("border_value", c_double), ("extent", c_int), ("convolution", c_int),
                ("stride", c_int * 3), ("dilation", c_int * 3), ("find_separable", c_int)]


class FFTOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("load", c_char_p), ("store", c_char_p), ("axes", c_int),
                ("forward_scale", c_double), ("inverse_scale", c_double), ("kind", c_int),
                ("lengths", c_int64 * 6)]


class CopyOptions(ctypes.Structure):
    _fields_ = [("policy", c_char_p), ("map", c_char_p)]


TYPES = {
    np.dtype(name): number
    for number, name in enumerate(
        ("float16", "float32", "float64", "complex64", "complex128", "int8", "uint8", "int16",
         "uint16", "int32", "uint32", "int64", "uint64"), 1)
}

OPERATORS = {
    name: number
    for number, name in enumerate(
        ("sum", "product", "mean", "norm1", "norm2", "norm_max", "variance", "dot", "dotc", "min",
         "max", "min_max", "argmin", "argmax", "any", "all", "count"), 1)
}
ALL_AXES = -1

_FAILURES = {1: ArgumentError, 2: PolicyError, 3: DeviceError, 4: BuildError, 5: OpenCLError,
             6: MemoryError}


def _load():
    """The library beside this module, or the one that CLPRIM_LIBRARY names."""
    path = os.environ.get("CLPRIM_LIBRARY") or str(Path(__file__).with_name("libclprim.so"))
    return ctypes.CDLL(path)


_c = _load()
_c.clprim_last_error.restype = c_char_p
_c.clprim_version.restype = c_char_p


def _check(status, _function, _arguments):
    if status == 0:
        return
    text = _c.clprim_last_error().decode("utf-8", "replace")
    failure = _FAILURES.get(status, Error)(text)
    if status == 5:
        failure.code = _c.clprim_last_opencl_code()
    raise failure


def _declare(name, *arguments):
    function = getattr(_c, "clprim_" + name)
    function.argtypes = arguments
    function.restype = c_int
    function.errcheck = _check
    return function


_WAITS = (c_uint, POINTER(c_void_p))
_EVENT = (*_WAITS, POINTER(c_void_p))
_TEXT = (POINTER(c_char_p),)
_ARRAYS = (c_int, POINTER(Array), c_int, POINTER(Array))
_CALLS = {
    "open_queue": (POINTER(c_void_p),),
    "gemm_create": (c_void_p, c_int, POINTER(GemmOptions), POINTER(c_void_p)),
    "gemm_call": (c_void_p, c_void_p, POINTER(Matrix), POINTER(Matrix), c_void_p, POINTER(Matrix),
                  *_EVENT),
    "gemm_prepare": (c_void_p, *(POINTER(Matrix),) * 3),
    "gemm_explain": (c_void_p, *(POINTER(Matrix),) * 3, *_TEXT),
    "reduce_create": (c_void_p, c_int, c_int, POINTER(ReduceOptions), POINTER(c_void_p)),
    "reduce_call": (c_void_p, POINTER(Array), POINTER(Array), c_int, c_void_p, c_int64, *_EVENT),
    "reduce_prepare": (c_void_p, POINTER(Array), c_int),
    "reduce_explain": (c_void_p, POINTER(Array), c_int, *_TEXT),
    "transpose_create": (c_void_p, c_int, POINTER(TransposeOptions), POINTER(c_void_p)),
    "transpose_call": (c_void_p, *(POINTER(Matrix),) * 2, *_EVENT),
    "transpose_in_place": (c_void_p, POINTER(Matrix), *_EVENT),
    "transpose_permute": (c_void_p, POINTER(Array), POINTER(c_int), POINTER(Array), *_EVENT),
    "transpose_prepare": (c_void_p, *(POINTER(Matrix),) * 2),
    "transpose_explain": (c_void_p, *(POINTER(Matrix),) * 2, *_TEXT),
    "convolve_create": (c_void_p, c_int, c_int, POINTER(ConvolveOptions), POINTER(c_void_p)),
    "convolve_extent": (c_void_p, POINTER(Image), POINTER(Filter), POINTER(c_int64)),
    "convolve_call": (c_void_p, POINTER(Image), POINTER(Filter), POINTER(Image), *_EVENT),
    "convolve_prepare": (c_void_p, POINTER(Image), POINTER(Filter), POINTER(Image)),
    "convolve_explain": (c_void_p, POINTER(Image), POINTER(Filter), POINTER(Image), *_TEXT),
    "fft_create": (c_void_p, c_int, POINTER(FFTOptions), POINTER(c_void_p)),
    "fft_forward": (c_void_p, *_ARRAYS, *_EVENT),
    "fft_inverse": (c_void_p, *_ARRAYS, *_EVENT),
    "fft_prepare": (c_void_p, *_ARRAYS, c_int),
    "fft_explain": (c_void_p, *_ARRAYS, c_int, *_TEXT),
    "copy_create": (c_void_p, c_int, c_int, POINTER(CopyOptions), POINTER(c_void_p)),
    "copy_call": (c_void_p, POINTER(Vector), POINTER(Vector), *_EVENT),
    "copy_prepare": (c_void_p, POINTER(Vector), POINTER(Vector)),
    "copy_explain": (c_void_p, POINTER(Vector), POINTER(Vector), *_TEXT),
}
CALLS = {name: _declare(name, *arguments) for name, arguments in _CALLS.items()}
DESTROY = {}
for _name in ("gemm", "reduce", "transpose", "convolve", "fft", "copy"):
    DESTROY[_name] = getattr(_c, f"clprim_{_name}_destroy")
    DESTROY[_name].argtypes = (c_void_p,)
    DESTROY[_name].restype = None
_c.clprim_reduce_result_bytes.argtypes = (c_void_p,)
_c.clprim_reduce_result_bytes.restype = c_size_t
result_bytes = _c.clprim_reduce_result_bytes


def version():
    """The version of the library."""
    return _c.clprim_version().decode()


def open_queue():
    """A queue of the best device, or of the one that the variable CLPRIM_DEVICE names."""
    handle = c_void_p()
    CALLS["open_queue"](ctypes.byref(handle))
    return cl.CommandQueue.from_int_ptr(handle.value, retain=False)
