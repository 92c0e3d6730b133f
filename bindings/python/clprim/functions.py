"""NumPy's names on PyOpenCL arrays. Each makes its operation object once per thread and queue."""

import collections
import threading

import numpy as np
import pyopencl.array as cl_array

from ._library import ArgumentError
from .objects import FFT, Convolve, Copy, Gemm, Reduce, Transpose, _axis, _policy

_OBJECTS = 64  # of a thread; what was used longest ago is made again when it is asked for
_of_thread = threading.local()


def _made(operation, queue, /, *arguments, **options):
    """The object of this thread for these arguments."""
    known = _of_thread.__dict__.setdefault("known", collections.OrderedDict())
    key = (operation, queue.int_ptr, arguments, tuple(sorted(options.items())))
    if key not in known:
        known[key] = operation(queue, *arguments, **options)
        if len(known) > _OBJECTS:
            known.popitem(last=False)
    known.move_to_end(key)
    return known[key]


def _queue(*arrays):
    for array in arrays:
        if not isinstance(array, cl_array.Array):
            raise ArgumentError("operands must be pyopencl.array.Array: "
                                f"{type(array).__name__} given; pyopencl.array.to_device makes one")
    for array in arrays:
        if array.queue is not None:
            return array.queue
    raise ArgumentError("one of the arrays must have a queue: none given; array.with_queue(queue) "
                        "gives it one")


def _empty(queue, shape, dtype, like):
    return cl_array.empty(queue, shape, dtype, allocator=like.allocator)


def gemm(a, b, out=None, *, alpha=1, beta=0, policy=None, epilogue=None, precision=None,
         wait_for=None):
    """alpha a b + beta out, of matrices or of batches of them along a first axis."""
    queue = _queue(a, b)
    if isinstance(policy, dict):
        policy = _policy(policy).decode()  # a dictionary is no key
    if out is None:
        if beta != 0:
            raise ArgumentError(f"beta must be 0 without an out that it scales: {beta} given")
        batch = a.shape[:-2] or b.shape[:-2]
        out = _empty(queue, batch + (a.shape[-2], b.shape[-1]), a.dtype, a)
    operation = _made(Gemm, queue, a.dtype, policy=policy, epilogue=epilogue, precision=precision)
    operation(a, b, out, alpha, beta, wait_for)
    return out


def reduce(x, op="sum", axis=None, out=None, *, y=None, map=None, ignore_nan=False, wait_for=None):
    """One axis of x, or all, reduced by an operator (clprim.Reduce lists them)."""
    queue = _queue(x)
    operation = _made(Reduce, queue, x.dtype, op, map=map, ignore_nan=ignore_nan)
    if out is None:
        out = _empty(queue, operation.shape(x, axis), operation.result_dtype, x)
    operation(x, out, axis, y, wait_for)
    return out


def _member(results, name):
    """One member of results that are structures, as an array of its own."""
    dtype, at = results.dtype.fields[name][:2]
    count = results.dtype.itemsize // dtype.itemsize
    flat = cl_array.Array(results.queue, (results.size,), dtype,
                          strides=(count * dtype.itemsize,), data=results.base_data,
                          offset=results.offset + at, events=list(results.events))
    out = _empty(results.queue, (results.size,), dtype, results)
    if results.size:
        _made(Copy, results.queue, dtype)(flat, out)
    return out.reshape(results.shape)


def sum(x, axis=None, **more):
    """Sums, of integers in 64 bits."""
    return reduce(x, "sum", axis, **more)


def prod(x, axis=None, **more):
    """Products, of integers in 64 bits."""
    return reduce(x, "product", axis, **more)


def mean(x, axis=None, **more):
    """Means, of integers in float64."""
    return reduce(x, "mean", axis, **more)


def var(x, axis=None, **more):
    """Variances: mean squared distances from the mean."""
    return _member(reduce(x, "variance", axis, **more), "variance")


def min(x, axis=None, **more):
    """Least elements, of integers in at least 32 bits."""
    return reduce(x, "min", axis, **more)


def max(x, axis=None, **more):
    """Greatest elements, of integers in at least 32 bits."""
    return reduce(x, "max", axis, **more)


def argmin(x, axis=None, **more):
    """The index of the first least element along the axis."""
    return _member(reduce(x, "argmin", axis, **more), "index")


def argmax(x, axis=None, **more):
    """The index of the first greatest element along the axis."""
    return _member(reduce(x, "argmax", axis, **more), "index")


def any(x, axis=None, **more):
    """1 where an element is not zero, as int32."""
    return reduce(x, "any", axis, **more)


def all(x, axis=None, **more):
    """1 where no element is zero, as int32."""
    return reduce(x, "all", axis, **more)


def count_nonzero(x, axis=None, **more):
    """How many elements are not zero."""
    return reduce(x, "count", axis, **more)


def norm(x, ord=2, axis=None, **more):
    """Norms of vectors: ord is 1, 2 or infinity."""
    names = {1: "norm1", 2: "norm2", np.inf: "norm_max"}
    if ord not in names:
        raise ArgumentError(f"ord must be one that clprim has: {ord} given, 1, 2 or infinity")
    return reduce(x, names[ord], axis, **more)


def dot(x, y, axis=None, **more):
    """Sums of x y, of vectors or along an axis; of matrices' products `gemm`."""
    return reduce(x, "dot", axis, y=y, **more)


def vdot(x, y, axis=None, **more):
    """Sums of conj(x) y."""
    return reduce(x, "dotc", axis, y=y, **more)


def transpose(a, axes=None, out=None, *, conjugate=False, wait_for=None):
    """a with its axes in this order, or reversed, in memory of its own."""
    queue = _queue(a)
    order = tuple(range(a.ndim))[::-1] if axes is None else tuple(_axis(k, a.ndim) for k in axes)
    if out is None:
        out = _empty(queue, tuple(a.shape[k] for k in order), a.dtype, a)
    operation = _made(Transpose, queue, a.dtype)
    if order == (1, 0):
        operation(a, out, conjugate, wait_for)
    elif conjugate:
        raise ArgumentError(f"conjugate must be asked of a matrix: {a.ndim} axes given, 2 expected")
    else:
        operation.permute(a, order, out, wait_for)
    return out


def transpose_in_place(a, *, wait_for=None):
    """The transpose of a matrix without gaps in its own memory, as an array of its shape."""
    if not a.flags.c_contiguous:
        raise ArgumentError(f"a must be without gaps: strides of {a.strides} bytes given")
    _made(Transpose, _queue(a), a.dtype).in_place(a, wait_for)
    return a.reshape(a.shape[::-1])


def correlate(x, weights, mode="same", boundary="constant", cval=0, *, dtype=None, out=None,
              channels=False, flip=False, stride=(1, 1, 1), dilation=(1, 1, 1),
              find_separable=False, map=None, wait_for=None):
    """Sums of weights[k] x[i + k - middle]; a tuple of one-dimensional weights is a separable
    filter. Borders are scipy.ndimage's, extents scipy.signal's."""
    queue = _queue(x)
    operation = _made(Convolve, queue, x.dtype, None if dtype is None else np.dtype(dtype),
                      mode=mode, boundary=boundary, cval=cval, flip=flip, stride=tuple(stride),
                      dilation=tuple(dilation), find_separable=find_separable, channels=channels,
                      map=map)
    if out is None:
        out = _empty(queue, operation.shape(x, weights), operation.out_dtype, x)
    operation(x, weights, out, wait_for)
    return out


def convolve(x, weights, mode="same", boundary="constant", cval=0, **more):
    """As `correlate`, with the filter mirrored."""
    return correlate(x, weights, mode, boundary, cval, flip=True, **more)


def _scales(norm_, points):
    """Scales forward and backward, by NumPy's names."""
    known = {"backward": (1, 1 / points), "ortho": (points**-0.5,) * 2, "forward": (1 / points, 1)}
    if norm_ not in known:
        raise ArgumentError(f"norm must be one that clprim has: '{norm_}' given, backward, ortho "
                            "or forward")
    return known[norm_]


def _transform(x, lengths, axes, norm_, real, backwards, out, wait_for):
    queue = _queue(x)
    if x.dtype.char not in "fdFD":
        raise ArgumentError(f"the type of x must be one of a transform: {x.dtype} given, float32, "
                            "float64, complex64 or complex128")
    if not (real and not backwards) and x.dtype.kind == "f":
        x = copy(x, np.result_type(x.dtype, np.complex64))
    precision = np.dtype("float32" if x.dtype.char in "fF" else "float64")
    spectrum = np.result_type(precision, np.complex64)
    axes = tuple(_axis(a, x.ndim) for a in axes)
    if lengths is None or None in lengths:
        given = lengths or (None,) * len(axes)
        lengths = [x.shape[a] if n is None else n for a, n in zip(axes, given)]
        if real and backwards and given[-1] is None:
            lengths[-1] = 2 * (x.shape[axes[-1]] - 1)
    lengths = tuple(int(n) for n in lengths)
    if len(lengths) != len(axes):
        raise ArgumentError(f"lengths must be as many as axes: {len(lengths)} given, {len(axes)}")
    points = int(np.prod(lengths))
    forward, inverse = _scales(norm_, points) if points else (1, 1)
    shape, read = list(x.shape), list(lengths)
    for a, n in zip(axes, lengths):
        shape[a] = n
    if real and backwards:
        read[-1] = lengths[-1] // 2 + 1
    elif real:
        shape[axes[-1]] = lengths[-1] // 2 + 1
    if out is None:
        out = _empty(queue, tuple(shape), precision if real and backwards else spectrum, x)
    operation = _made(FFT, queue, precision, axes=len(axes), forward_scale=forward,
                      inverse_scale=inverse, lengths=lengths)
    order = [a for a in range(x.ndim) if a not in axes] + list(axes)
    call = operation.inverse if backwards else operation.forward
    call(x, out, wait_for, order, read)
    return out


def fft(x, n=None, axis=-1, norm="backward", out=None, *, wait_for=None):
    """The Fourier transform along an axis, of n points."""
    return _transform(x, (n,), (axis,), norm, False, False, out, wait_for)


def ifft(x, n=None, axis=-1, norm="backward", out=None, *, wait_for=None):
    """Its inverse."""
    return _transform(x, (n,), (axis,), norm, False, True, out, wait_for)


def rfft(x, n=None, axis=-1, norm="backward", out=None, *, wait_for=None):
    """The transform of real values: half a spectrum, n // 2 + 1 values."""
    return _transform(x, (n,), (axis,), norm, True, False, out, wait_for)


def irfft(x, n=None, axis=-1, norm="backward", out=None, *, wait_for=None):
    """Its inverse, to n real values, 2 (m - 1) of m by default."""
    return _transform(x, (n,), (axis,), norm, True, True, out, wait_for)


def _all_axes(x, s, axes):
    if axes is None:
        axes = tuple(range(x.ndim)) if s is None else tuple(range(-len(s), 0))
    return axes


def fftn(x, s=None, axes=None, norm="backward", out=None, *, wait_for=None):
    """The transform along several axes, by default all."""
    return _transform(x, s, _all_axes(x, s, axes), norm, False, False, out, wait_for)


def ifftn(x, s=None, axes=None, norm="backward", out=None, *, wait_for=None):
    """Its inverse."""
    return _transform(x, s, _all_axes(x, s, axes), norm, False, True, out, wait_for)


def rfftn(x, s=None, axes=None, norm="backward", out=None, *, wait_for=None):
    """The transform of real values along several axes, the last of which is halved."""
    return _transform(x, s, _all_axes(x, s, axes), norm, True, False, out, wait_for)


def irfftn(x, s=None, axes=None, norm="backward", out=None, *, wait_for=None):
    """Its inverse."""
    return _transform(x, s, _all_axes(x, s, axes), norm, True, True, out, wait_for)


def _trigonometric(x, kind, axis, backwards, out, wait_for):
    queue = _queue(x)
    if out is None:
        out = _empty(queue, x.shape, x.dtype, x)
    axis = _axis(axis, x.ndim)
    points = x.shape[axis] + {"dct1": -1, "dst1": 1}.get(kind, 0)
    scale = 1.0 / (2 * points) if points > 0 else 1.0
    operation = _made(FFT, queue, x.dtype, kind=kind, inverse_scale=scale)
    order = [a for a in range(x.ndim) if a != axis] + [axis]
    (operation.inverse if backwards else operation.forward)(x, out, wait_for, order)
    return out


def dct(x, type=2, axis=-1, out=None, *, wait_for=None):
    """The cosine transform of type 1, 2, 3 or 4, as scipy.fft.dct has it."""
    return _trigonometric(x, f"dct{type}", axis, False, out, wait_for)


def idct(x, type=2, axis=-1, out=None, *, wait_for=None):
    """Its inverse."""
    return _trigonometric(x, f"dct{type}", axis, True, out, wait_for)


def dst(x, type=2, axis=-1, out=None, *, wait_for=None):
    """The sine transform of type 1, 2, 3 or 4, as scipy.fft.dst has it."""
    return _trigonometric(x, f"dst{type}", axis, False, out, wait_for)


def idst(x, type=2, axis=-1, out=None, *, wait_for=None):
    """Its inverse."""
    return _trigonometric(x, f"dst{type}", axis, True, out, wait_for)


def copy(x, dtype=None, out=None, *, map=None, wait_for=None):
    """x in memory of its own, converted to another type (integers rounded to nearest even and
    saturated) or mapped by the body of a function of `x0` and `index`."""
    queue = _queue(x)
    if out is None:
        out_type = x.dtype if dtype is None else np.dtype(dtype)
        order = "F" if x.flags.f_contiguous and not x.flags.c_contiguous else "C"
        out = cl_array.empty(queue, x.shape, out_type, order=order, allocator=x.allocator)
    # A complex number of a real one has no conversion of its own in OpenCL C.
    if map is None and out.dtype.kind == "c" and x.dtype.kind != "c":
        vector = "float2" if out.dtype == np.complex64 else "double2"
        map = f"return ({vector})(x0, 0);"
    _made(Copy, queue, x.dtype, out.dtype, map=map)(x, out, wait_for)
    return out
