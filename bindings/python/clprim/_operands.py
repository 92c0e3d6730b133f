"""PyOpenCL arrays as the operands of the C interface."""

import ctypes

import numpy as np
import pyopencl as cl

from ._library import TYPES, Array, ArgumentError, Image, Matrix, Vector


def type_of(dtype, what):
    """The number of an element type."""
    number = TYPES.get(np.dtype(dtype))
    if number is None:
        raise ArgumentError(f"the type of {what} must be one that clprim has: {np.dtype(dtype)} "
                            f"given, one of {', '.join(map(str, TYPES))} expected")
    return number


def _place(array, what):
    """The memory of an array and the offset of its first element."""
    if not isinstance(array, cl.array.Array):
        raise ArgumentError(f"{what} must be a pyopencl.array.Array: "
                            f"{type(array).__name__} given")
    if array.offset % array.dtype.itemsize:
        raise ArgumentError(f"the offset of {what} must be a number of whole elements: "
                            f"{array.offset} bytes given, a multiple of {array.dtype.itemsize}")
    memory = array.base_data.int_ptr if array.base_data is not None else None
    return memory, array.offset // array.dtype.itemsize


def _steps(array, what):
    """Strides in elements; that of an axis of one element, which nobody steps along, is 1."""
    item = array.dtype.itemsize
    if any(step % item for step in array.strides):
        raise ArgumentError(f"strides of {what} must be whole elements: {array.strides} bytes "
                            f"given, multiples of {item}")
    return [step // item if extent > 1 else 1 for step, extent in zip(array.strides, array.shape)]


def matrix(array, what):
    """A matrix, or along a first axis a batch of them, by rows or by columns."""
    memory, offset = _place(array, what)
    if array.ndim not in (2, 3):
        raise ArgumentError(f"{what} must be a matrix or a batch of them: {array.ndim} axes given, "
                            "2 or 3")
    steps = _steps(array, what)
    rows, cols = array.shape[-2:]
    down, across = steps[-2:]
    m = Matrix(memory=memory, rows=rows, cols=cols, offset=offset)
    if across == 1 and (down >= cols or rows <= 1):
        m.ld = max(down, cols) if rows > 1 else cols
    elif down == 1 and (across >= rows or cols <= 1):
        m.column_major, m.ld = 1, max(across, rows) if cols > 1 else rows
    else:
        raise ArgumentError(f"{what} must have rows or columns of adjacent elements: strides of "
                            f"{array.strides} bytes given; copy it first")
    if array.ndim == 3:
        m.batch_count, m.batch_stride = array.shape[0], steps[0]
        if array.shape[0] == 0:
            m.rows = 0
    return m


def strided(array, what, axes=None):
    """An array of any strides; `axes` is the order in which its axes are named."""
    memory, offset = _place(array, what)
    if not 1 <= max(1, array.ndim) <= 6:
        raise ArgumentError(f"axes of {what} must be within what an array has: {array.ndim} given, "
                            "at most 6")
    steps, extents = _steps(array, what), list(array.shape)
    if axes is not None:
        steps, extents = [steps[a] for a in axes], [extents[a] for a in axes]
    if array.ndim == 0:
        steps, extents = [1], [1]
    six = ctypes.c_int64 * 6
    return Array(memory=memory, axes=len(extents), extents=six(*extents), strided=1,
                 strides=six(*steps), offset=offset)


def vector(array, what):
    """All elements of an array whose axes are as good as one."""
    memory, offset = _place(array, what)
    if array.ndim == 1:
        return Vector(memory=memory, count=array.shape[0], stride=_steps(array, what)[0],
                      offset=offset)
    if array.flags.c_contiguous or array.flags.f_contiguous or array.size <= 1:
        return Vector(memory=memory, count=array.size, stride=1, offset=offset)
    raise ArgumentError(f"{what} must be without gaps, or have one axis: strides of "
                        f"{array.strides} bytes given for {array.shape}")


def image(array, channels, what):
    """A signal, an image or a volume; with `channels` the last axis is interleaved ones."""
    memory, offset = _place(array, what)
    axes = array.ndim - (1 if channels else 0)
    if not 1 <= axes <= 3:
        raise ArgumentError(f"{what} must be a signal, an image or a volume: {axes} axes besides "
                            "that of channels given, 1 to 3")
    steps, extents = _steps(array, what), list(array.shape)
    count = 1
    if channels:
        count, step = extents.pop(), steps.pop()
        if step != 1:
            raise ArgumentError(f"channels of {what} must lie side by side: {step} elements given")
    if extents[-1] > 1 and steps[-1] != count:
        raise ArgumentError(f"pixels of {what} must lie side by side: {steps[-1]} elements from "
                            f"one to the next given, {count} expected")
    i = Image(memory=memory, width=extents[-1], offset=offset, channels=count)
    i.height = extents[-2] if axes > 1 else 1
    i.depth = extents[-3] if axes > 2 else 1
    if 0 in extents:
        i.width = 0
        i.height, i.depth = max(1, i.height), max(1, i.depth)
    if axes > 1 and extents[-2] > 1:
        i.row_pitch = steps[-2]
    if axes > 2 and extents[-3] > 1:
        i.slice_pitch = steps[-3]
    return i
