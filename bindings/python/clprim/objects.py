"""Operation objects: made once for a queue, called often, for one thread at a time."""

import ctypes
from ctypes import byref, c_char_p, c_double, c_int, c_int64, c_uint, c_void_p

import numpy as np
import pyopencl as cl
import pyopencl.array

from . import _library as lib
from ._operands import image, matrix, strided, type_of, vector


def _text(text):
    return None if text is None else text.encode()


def _policy(policy):
    """`"{.tile_m = 64}"` as it is; a dictionary of fields as that text."""
    if isinstance(policy, dict):
        values = {True: "true", False: "false"}
        fields = (f".{name} = {values[v] if isinstance(v, bool) else v}"
                  for name, v in policy.items())
        policy = "{" + ", ".join(fields) + "}"
    return _text(policy)


def _pointer(structure):
    return None if structure is None else byref(structure)


class _Operation:
    """What all objects share: a handle that is destroyed with them, events in and out."""

    _name = ""

    def __init__(self, queue, *arguments):
        self._handle = c_void_p()
        self.queue = queue
        lib.CALLS[self._name + "_create"](queue.int_ptr, *arguments, byref(self._handle))

    def __del__(self):
        handle = getattr(self, "_handle", None)
        if handle and lib is not None and lib.DESTROY:
            lib.DESTROY[self._name](handle)
            self._handle = None

    def _enqueue(self, function, arguments, inputs, out, wait_for):
        """Calls after the events of the arrays and those that are named; the output has the new."""
        waits = list(wait_for or [])
        for array in (*inputs, out):
            waits += array.events
        handles = (c_void_p * max(1, len(waits)))(*(event.int_ptr for event in waits))
        done = c_void_p()
        lib.CALLS[function](self._handle, *arguments, c_uint(len(waits)), handles, byref(done))
        event = cl.Event.from_int_ptr(done.value, retain=False)
        out.add_event(event)
        return event

    def _ask(self, *arguments):
        text = c_char_p()
        lib.CALLS[self._name + "_explain"](self._handle, *arguments, byref(text))
        return text.value.decode()


class Gemm(_Operation):
    """out = epilogue(alpha a b + beta out); `epilogue` is the body of an OpenCL C function of
    `value`, `row` and `column`, `policy` a dictionary of fields or the text of one. `precision`
    of float32: "split_half", "split_tf32" or "tf32" lets matrix units compute it."""

    _name = "gemm"

    def __init__(self, queue, dtype, *, policy=None, epilogue=None, precision=None):
        self.dtype = np.dtype(dtype)
        # Of half alpha and beta are floats.
        self._scalar = np.dtype("float32") if self.dtype == np.float16 else self.dtype
        options = lib.GemmOptions(_policy(policy), _text(epilogue), _text(precision))
        super().__init__(queue, type_of(dtype, "a product"), byref(options))

    def _operands(self, a, b, out):
        for name, array in (("a", a), ("b", b), ("out", out)):
            _require_dtype(array, self.dtype, name)
        operands = [matrix(a, "a"), matrix(b, "b"), matrix(out, "out")]
        count = max((m.batch_count for m in operands), default=0)
        for m in operands[:2]:  # one matrix serves a batch
            if count > 1 and m.batch_count <= 1:
                m.batch_count, m.batch_stride = count, 0
        return operands

    def __call__(self, a, b, out, alpha=1, beta=0, wait_for=None):
        """Enqueues the product and returns its event."""
        A, B, C = self._operands(a, b, out)
        factors = np.array([alpha, beta], dtype=self._scalar)
        at = factors.ctypes.data
        return self._enqueue("gemm_call",
                             (at, byref(A), byref(B), at + factors.itemsize, byref(C)), (a, b), out,
                             wait_for)

    def explain(self, a, b, out):
        """What such a call runs: policy, launch, memory, resources."""
        return self._ask(*map(byref, self._operands(a, b, out)))


class Reduce(_Operation):
    """Reductions by an operator: sum, product, mean, norm1, norm2, norm_max, variance, dot, dotc,
    min, max, min_max, argmin, argmax, any, all, count."""

    _name = "reduce"

    def __init__(self, queue, dtype, op="sum", *, policy=None, map=None, ignore_nan=False):
        if op not in lib.OPERATORS:
            raise lib.ArgumentError(f"the operator must be one that clprim has: '{op}' given, one "
                                    f"of {', '.join(lib.OPERATORS)}")
        self.dtype, self.op = np.dtype(dtype), op
        options = lib.ReduceOptions(_policy(policy), _text(map), int(ignore_nan))
        super().__init__(queue, type_of(dtype, "a reduction"), lib.OPERATORS[op], byref(options))
        self.result_dtype = _result_dtype(self.dtype, op)
        assert self.result_dtype.itemsize == lib.result_bytes(self._handle)

    def _operand(self, x, axis, name):
        _require_dtype(x, self.dtype, name)
        if axis is not None:
            axis = _axis(axis, x.ndim)
            return strided(x, name), axis
        # In which order all elements come matters where their places do.
        by_place = self.op in ("argmin", "argmax", "dot", "dotc")
        order = range(x.ndim) if by_place else sorted(range(x.ndim), key=lambda a: -x.strides[a])
        return strided(x, name, order if x.ndim else None), lib.ALL_AXES

    def shape(self, x, axis):
        """That of the results."""
        if axis is None:
            return ()
        axis = _axis(axis, x.ndim)
        return x.shape[:axis] + x.shape[axis + 1:]

    def __call__(self, x, out, axis=None, y=None, wait_for=None):
        """Enqueues the reduction of one axis, or of all, and returns its event. `y` is the second
        operand of a dot product."""
        X, number = self._operand(x, axis, "x")
        Y = None if y is None else self._operand(y, axis, "y")[0]
        _require_dtype(out, self.result_dtype, "out")
        if out.shape != self.shape(x, axis) or not out.flags.c_contiguous:
            raise lib.ArgumentError(f"out must have the shape of the results without gaps: "
                                    f"{out.shape} given, {self.shape(x, axis)} expected")
        memory = out.base_data.int_ptr if out.base_data is not None else None
        return self._enqueue(
            "reduce_call",
            (byref(X), _pointer(Y), number, memory, out.offset // self.result_dtype.itemsize),
            (x,) if y is None else (x, y), out, wait_for)

    def explain(self, x, axis=None):
        """What such a call runs."""
        X, number = self._operand(x, axis, "x")
        return self._ask(byref(X), number)


class Transpose(_Operation):
    """Transpositions of matrices, and permutations of the axes of arrays."""

    _name = "transpose"

    def __init__(self, queue, dtype, *, policy=None, map=None):
        self.dtype = np.dtype(dtype)
        options = lib.TransposeOptions(_policy(policy), _text(map))
        super().__init__(queue, type_of(dtype, "a transposition"), byref(options))

    def __call__(self, a, out, conjugate=False, wait_for=None):
        """Enqueues out = a transposed, of a batch each matrix, and returns its event."""
        A, B = self._operands(a, out)
        A.op = 2 if conjugate else 0
        return self._enqueue("transpose_call", (byref(A), byref(B)), (a,), out, wait_for)

    def in_place(self, a, wait_for=None):
        """The same in a's own memory; of a rectangle the result follows without gaps."""
        _require_dtype(a, self.dtype, "a")
        return self._enqueue("transpose_in_place", (byref(matrix(a, "a")),), (), a, wait_for)

    def permute(self, x, axes, out, wait_for=None):
        """Enqueues out = x with its axes in this order and returns its event."""
        for name, array in (("x", x), ("out", out)):
            _require_dtype(array, self.dtype, name)
        order = [_axis(a, x.ndim) for a in axes]
        if len(order) != x.ndim or out.ndim != x.ndim:
            raise lib.ArgumentError(f"the order must name each axis: {len(order)} given for an "
                                    f"array of {x.ndim} axes and one of {out.ndim}")
        X, Y = strided(x, "x"), strided(out, "out")
        return self._enqueue("transpose_permute",
                             (byref(X), (c_int * len(order))(*order), byref(Y)), (x,), out,
                             wait_for)

    def _operands(self, a, out):
        for name, array in (("a", a), ("out", out)):
            _require_dtype(array, self.dtype, name)
        return matrix(a, "a"), matrix(out, "out")

    def explain(self, a, out):
        """What such a call runs."""
        return self._ask(*map(byref, self._operands(a, out)))


BORDERS = {"constant": 0, "nearest": 1, "reflect": 2, "mirror": 3, "wrap": 4}
EXTENTS = {"same": 0, "valid": 1, "full": 2}


class Convolve(_Operation):
    """Filters of signals, images and volumes. `boundary` is named as in scipy.ndimage: constant,
    nearest, reflect, mirror, wrap; `mode` is same, valid or full; with `flip` the filter is
    mirrored, as convolution has it, without it is correlation."""

    _name = "convolve"

    def __init__(self, queue, dtype, out_dtype=None, *, mode="same", boundary="constant", cval=0,
                 flip=False, stride=(1, 1, 1), dilation=(1, 1, 1), find_separable=False,
                 channels=False, policy=None, map=None):
        for what, given, known in (("mode", mode, EXTENTS), ("boundary", boundary, BORDERS)):
            if given not in known:
                raise lib.ArgumentError(f"{what} must be one that clprim has: '{given}' given, one "
                                        f"of {', '.join(known)}")
        self.dtype = np.dtype(dtype)
        self.out_dtype = self.dtype if out_dtype is None else np.dtype(out_dtype)
        self.mode, self.channels = mode, channels
        three = c_int * 3
        options = lib.ConvolveOptions(_policy(policy), _text(map), BORDERS[boundary], cval,
                                      EXTENTS[mode], int(flip), three(*stride), three(*dilation),
                                      int(find_separable))
        super().__init__(queue, type_of(dtype, "the input"),
                         type_of(self.out_dtype, "the output"), byref(options))

    def _filter(self, weights, axes):
        separable = isinstance(weights, (tuple, list)) and np.ndim(weights[0]) == 1
        if separable:  # along the slowest axis first, as arrays have it
            parts = [np.asarray(w, dtype=np.float64) for w in weights][::-1]
            taps, flat = [p.size for p in parts], np.concatenate(parts)
        else:
            dense = np.ascontiguousarray(weights, dtype=np.float64)
            taps, flat = list(dense.shape)[::-1], dense.reshape(-1)
        if len(taps) != axes:
            raise lib.ArgumentError(f"the weights must have the axes of what they filter: "
                                    f"{len(taps)} given, {axes} expected")
        taps += [1] * (3 - axes)
        f = lib.Filter(flat.ctypes.data_as(ctypes.POINTER(c_double)), (c_int * 3)(*taps),
                       int(separable))
        if self.mode == "same" and any(n % 2 == 0 for n in taps):
            f.anchored, f.anchor = 1, (c_int * 3)(*(n // 2 for n in taps))
        f.kept = flat  # as long as the structure lives
        return f

    def _operands(self, x, weights):
        _require_dtype(x, self.dtype, "the input")
        return (image(x, self.channels, "the input"),
                self._filter(weights, x.ndim - int(self.channels)))

    def shape(self, x, weights):
        """That of the output."""
        found = (c_int64 * 3)()
        lib.CALLS["convolve_extent"](self._handle, *map(byref, self._operands(x, weights)), found)
        axes = x.ndim - int(self.channels)
        return tuple(found[:axes][::-1]) + (x.shape[-1:] if self.channels else ())

    def __call__(self, x, weights, out, wait_for=None):
        """Enqueues the convolution and returns its event; weights are on the host."""
        _require_dtype(out, self.out_dtype, "the output")
        X, f = self._operands(x, weights)
        Y = image(out, self.channels, "the output")
        return self._enqueue("convolve_call", (byref(X), byref(f), byref(Y)), (x,), out, wait_for)

    def explain(self, x, weights, out):
        """What such a call runs."""
        X, f = self._operands(x, weights)
        return self._ask(byref(X), byref(f), byref(image(out, self.channels, "the output")))


KINDS = {"fourier": 0, "dct2": 1, "dct3": 2, "dct4": 3, "dst2": 4, "dst3": 5, "dst4": 6, "dct1": 7,
         "dst1": 8}


class FFT(_Operation):
    """Fourier transforms of the last `axes` axes, computed in float32 or float64; real where the
    arrays are. `load` and `store` are bodies of functions of `value` and `index`."""

    _name = "fft"

    def __init__(self, queue, dtype=np.float32, *, axes=1, forward_scale=1.0, inverse_scale=1.0,
                 lengths=(), kind="fourier", policy=None, load=None, store=None):
        if kind not in KINDS:
            raise lib.ArgumentError(f"kind must be one that clprim has: '{kind}' given, one of "
                                    f"{', '.join(KINDS)}")
        self.dtype = np.dtype(dtype)
        six = (c_int64 * 6)(*lengths)
        options = lib.FFTOptions(_policy(policy), _text(load), _text(store), axes, forward_scale,
                                 inverse_scale, KINDS[kind], six)
        super().__init__(queue, type_of(dtype, "a transform"), byref(options))

    @staticmethod
    def _operands(x, y, order, extents):
        X, Y = strided(x, "x", order), strided(y, "y", order)
        for a, n in enumerate(extents or ()):  # of an input that is longer, its beginning
            X.extents[X.axes - len(extents) + a] = min(n, X.extents[X.axes - len(extents) + a])
        return type_of(x.dtype, "x"), byref(X), type_of(y.dtype, "y"), byref(Y)

    def forward(self, x, y, wait_for=None, order=None, extents=None):
        """Enqueues y = F(x) and returns its event; `order` names the axes anew, the transformed
        ones last, and `extents` says how much of x is read along these."""
        return self._enqueue("fft_forward", self._operands(x, y, order, extents), (x,), y, wait_for)

    def inverse(self, x, y, wait_for=None, order=None, extents=None):
        """The same backwards."""
        return self._enqueue("fft_inverse", self._operands(x, y, order, extents), (x,), y, wait_for)

    def explain(self, x, y, backwards=False):
        """What such a call runs."""
        return self._ask(*self._operands(x, y, None, None), int(backwards))


class Copy(_Operation):
    """Copies that convert, or map by the body of a function of `x0` and `index`."""

    _name = "copy"

    def __init__(self, queue, dtype, out_dtype=None, *, policy=None, map=None):
        self.dtype = np.dtype(dtype)
        self.out_dtype = self.dtype if out_dtype is None else np.dtype(out_dtype)
        options = lib.CopyOptions(_policy(policy), _text(map))
        super().__init__(queue, type_of(dtype, "the input"),
                         type_of(self.out_dtype, "the output"), byref(options))

    def _operands(self, x, out):
        _require_dtype(x, self.dtype, "the input")
        _require_dtype(out, self.out_dtype, "the output")
        if x.shape != out.shape or (x.ndim > 1 and x.flags.c_contiguous != out.flags.c_contiguous):
            raise lib.ArgumentError(f"the output must have the shape and order of the input: "
                                    f"{out.shape} given, {x.shape} expected")
        return vector(x, "the input"), vector(out, "the output")

    def __call__(self, x, out, wait_for=None):
        """Enqueues the copy and returns its event."""
        return self._enqueue("copy_call", tuple(map(byref, self._operands(x, out))), (x,), out,
                             wait_for)

    def explain(self, x, out):
        """What such a call runs."""
        return self._ask(*map(byref, self._operands(x, out)))


def _require_dtype(array, dtype, what):
    if not isinstance(array, cl.array.Array):
        raise lib.ArgumentError(f"{what} must be a pyopencl.array.Array: {type(array).__name__} "
                                "given")
    if array.dtype != dtype:
        raise lib.ArgumentError(f"the type of {what} must be that of the operation: {array.dtype} "
                                f"given, {dtype} expected")


def _axis(axis, count):
    if not -count <= axis < count:
        raise lib.ArgumentError(f"the axis must be one of the array's: {axis} given, "
                                f"{-count} to {count - 1}")
    return axis % count


def _result_dtype(dtype, op):
    """What the results of a reduction are in memory (clprim.h)."""
    real = np.dtype(f"float{dtype.itemsize * 4}") if dtype.kind == "c" else dtype
    as_float = np.dtype("float32" if real.kind == "f" and real.itemsize <= 4 else "float64")
    wide = {"i": np.dtype("int64"), "u": np.dtype("uint64"), "c": dtype}.get(dtype.kind, as_float)
    one = as_float
    if dtype.kind in "iu":
        one = np.promote_types(dtype, "int32" if dtype.kind == "i" else "uint32")
    if op in ("sum", "product", "dot", "dotc"):
        return wide
    if op == "mean":
        return dtype if dtype.kind == "c" else as_float
    if op in ("norm1", "norm2", "norm_max"):
        return as_float
    if op in ("min", "max"):
        return one
    if op == "variance":
        return np.dtype([("mean", as_float), ("variance", as_float)])
    if op == "min_max":
        return np.dtype([("min", one), ("max", one)])
    if op in ("argmin", "argmax"):
        return np.dtype({"names": ["value", "index"], "formats": [one, np.int64],
                         "offsets": [0, 8], "itemsize": 16})
    return np.dtype("int64" if op == "count" else "int32")
