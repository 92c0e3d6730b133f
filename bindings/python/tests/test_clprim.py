"""What the package computes, beside NumPy and SciPy:  python3 -m unittest discover -s tests"""

import threading
import unittest

import clprim
import numpy as np
import pyopencl as cl
import pyopencl.array as cl_array
import scipy.fft
import scipy.ndimage
import scipy.signal

QUEUE = clprim.open_queue()
RANDOM = np.random.default_rng(1)


def on_device(values):
    return cl_array.to_device(QUEUE, values)


def drawn(*shape, dtype=np.float32):
    dtype = np.dtype(dtype)
    if dtype.kind == "c":
        return (RANDOM.standard_normal(shape) + 1j * RANDOM.standard_normal(shape)).astype(dtype)
    if dtype.kind in "iu":
        return RANDOM.integers(0, 100, shape).astype(dtype)
    return RANDOM.standard_normal(shape).astype(dtype)


class Case(unittest.TestCase):
    def close(self, got, expected, terms=1):
        """Within what rounding of that many terms allows."""
        got = got.get() if isinstance(got, cl_array.Array) else got
        expected = np.asarray(expected)
        self.assertEqual(got.shape, expected.shape)
        if got.dtype.kind in "iu":
            np.testing.assert_array_equal(got, expected)
            return
        size = max(1.0, float(np.max(np.abs(expected), initial=0)))
        bound = 4 * (terms + 2) * np.finfo(got.dtype).eps * size
        self.assertLessEqual(float(np.max(np.abs(got - expected), initial=0)), bound)


class Products(Case):
    def test_every_type(self):
        for dtype in (np.float16, np.float32, np.float64, np.complex64, np.complex128):
            with self.subTest(dtype=dtype):
                a, b = drawn(33, 17, dtype=dtype), drawn(17, 21, dtype=dtype)
                self.close(clprim.gemm(on_device(a), on_device(b)), a.astype(np.complex128) @ b
                           if a.dtype.kind == "c" else a.astype(np.float64) @ b, 40)

    def test_alpha_beta_out_and_views(self):
        a, b, c = drawn(40, 30), drawn(30, 20), drawn(20, 40)
        # [gemm]
        A, B, C = (cl_array.to_device(QUEUE, x) for x in (a, b, c))  # of NumPy's
        clprim.gemm(B.T, A.T, out=C, alpha=2, beta=-1)  # transposed views cost no copy
        # [end]
        self.close(C, 2 * (b.T @ a.T) - c, 60)
        part = A[3:23, 5:20]
        self.close(clprim.gemm(part, on_device(np.ascontiguousarray(b[:15]))),
                   a[3:23, 5:20] @ b[:15], 30)
        fortran = on_device(np.asfortranarray(a))
        self.close(clprim.gemm(fortran, B), a @ b, 60)

    def test_precision(self):
        a, b = drawn(70, 90), drawn(90, 50)
        for precision in ("split_half", "split_tf32"):
            self.close(clprim.gemm(on_device(a), on_device(b), precision=precision), a @ b, 90)
        with self.assertRaisesRegex(clprim.ArgumentError, "full, split_half, split_tf32 or tf32"):
            clprim.gemm(on_device(a), on_device(b), precision="half")

    def test_batches(self):
        a, b = drawn(5, 8, 6), drawn(5, 6, 7)
        self.close(clprim.gemm(on_device(a), on_device(b)), a @ b, 12)
        self.close(clprim.gemm(on_device(a), on_device(b[0])), a @ b[0], 12)

    def test_epilogue_policy_and_explanation(self):
        a, b = drawn(64, 16), drawn(16, 64)
        A, B = on_device(a), on_device(b)
        relu = clprim.gemm(A, B, epilogue="return fmax(value, 0.0f);")
        self.close(relu, np.maximum(a @ b, 0), 32)
        mine = {"tile_m": 64, "tile_n": 64, "tile_k": 8, "per_item_m": 4, "per_item_n": 4}
        multiply = clprim.Gemm(QUEUE, np.float32, policy=mine)
        out = cl_array.zeros(QUEUE, (64, 64), np.float32)
        event = multiply(A, B, out)
        self.assertIsInstance(event, cl.Event)
        self.close(out, a @ b, 32)
        self.assertIn("tile_m = 64", multiply.explain(A, B, out))
        self.close(clprim.gemm(A, B, policy=mine), a @ b, 32)


class Reductions(Case):
    def test_against_numpy(self):
        x = drawn(13, 7, 5)
        X = on_device(x)
        exact = x.astype(np.float64)
        for axis in (0, 1, 2, -1, None):
            self.close(clprim.sum(X, axis), np.sum(exact, axis), 455)
        for axis in (None, 1):
            with self.subTest(axis=axis):
                for name in ("mean", "min", "max", "var", "argmin", "argmax"):
                    self.close(getattr(clprim, name)(X, axis), getattr(np, name)(exact, axis), 455)
                self.close(clprim.norm(X, axis=axis), np.sqrt(np.sum(exact**2, axis)), 455)
                self.close(clprim.norm(X, 1, axis), np.sum(np.abs(exact), axis), 455)
                self.close(clprim.norm(X, np.inf, axis), np.max(np.abs(exact), axis))
                self.close(clprim.count_nonzero(X, axis), np.count_nonzero(x, axis))
                self.close(clprim.all(X, axis), np.all(x, axis).astype(np.int32))
                self.close(clprim.any(X, axis), np.any(x, axis).astype(np.int32))

    def test_types(self):
        for dtype in (np.float16, np.float64, np.uint8, np.uint16, np.int32, np.uint32, np.int64,
                      np.uint64, np.complex64, np.complex128):
            with self.subTest(dtype=dtype):
                x = drawn(100, dtype=dtype)
                wide = x.astype(np.complex128 if x.dtype.kind == "c" else np.float64)
                got = clprim.sum(on_device(x)).get()
                self.assertAlmostEqual(complex(got) / complex(np.sum(wide)), 1, 4)
                if x.dtype.kind != "c":
                    self.assertEqual(float(clprim.max(on_device(x)).get()), float(np.max(x)))

    def test_dot_products(self):
        x, y = drawn(300, dtype=np.complex64), drawn(300, dtype=np.complex64)
        X, Y = on_device(x), on_device(y)
        self.close(clprim.dot(X, Y), np.sum(x * y), 300)
        self.close(clprim.vdot(X, Y), np.vdot(x, y), 300)

    def test_views_maps_and_nan(self):
        x = drawn(20, 30)
        X = on_device(x)
        self.close(clprim.sum(X[2:9, 4:11], axis=0), x[2:9, 4:11].astype(float).sum(0), 7)
        self.close(clprim.sum(X.T, axis=0), x.T.astype(float).sum(0), 30)
        self.close(clprim.sum(X.T), x.astype(float).sum(), 600)
        self.close(clprim.sum(X, map="return x > 0 ? 1.0f : 0.0f;"), np.float64(np.sum(x > 0)), 1)
        x[3, 4] = np.nan
        self.close(clprim.sum(on_device(x), axis=1, ignore_nan=True), np.nansum(x, 1), 60)


class Transpositions(Case):
    def test_against_numpy(self):
        for dtype in (np.float32, np.complex128, np.int8, np.uint16, np.int64):
            with self.subTest(dtype=dtype):
                a = drawn(31, 45, dtype=dtype)
                A = on_device(a)
                np.testing.assert_array_equal(clprim.transpose(A).get(), a.T)
                b = drawn(3, 4, 5, 6, dtype=dtype)
                np.testing.assert_array_equal(
                    clprim.transpose(on_device(b), (0, 3, 1, 2)).get(), b.transpose(0, 3, 1, 2))
                np.testing.assert_array_equal(clprim.transpose_in_place(A).get(), a.T)
        c = drawn(8, 9, dtype=np.complex64)
        np.testing.assert_array_equal(clprim.transpose(on_device(c), conjugate=True).get(),
                                      c.conj().T)


class Convolutions(Case):
    NAMES = ("constant", "nearest", "reflect", "mirror", "wrap")

    def test_borders_against_ndimage(self):
        x, w, even = drawn(24, 37), drawn(5, 3), drawn(4, 2)
        for boundary in self.NAMES:
            for weights in (w, even) if boundary == "reflect" else (w,):
                with self.subTest(boundary=boundary, taps=weights.shape):
                    self.close(clprim.correlate(on_device(x), weights, boundary=boundary),
                               scipy.ndimage.correlate(x.astype(float), weights, mode=boundary), 15)
                    self.close(clprim.convolve(on_device(x), weights, boundary=boundary),
                               scipy.ndimage.convolve(x.astype(float), weights, mode=boundary), 15)

    def test_extents_against_signal(self):
        for shape, taps in (((50,), (7,)), ((20, 30), (3, 5)), ((6, 7, 8), (3, 3, 3))):
            x, w = drawn(*shape), drawn(*taps)
            for mode in ("same", "valid", "full"):
                with self.subTest(shape=shape, mode=mode):
                    self.close(clprim.convolve(on_device(x), w, mode),
                               scipy.signal.convolve(x.astype(float), w, mode), 30)

    def test_separable_channels_and_pixels(self):
        x, u, v = drawn(30, 40), drawn(5), drawn(7)
        self.close(clprim.correlate(on_device(x), (u, v), boundary="reflect"),
                   scipy.ndimage.correlate(x.astype(float), np.outer(u, v), mode="reflect"), 35)
        rgb = RANDOM.integers(0, 256, (16, 20, 3)).astype(np.uint8)
        box = np.full((3, 3), 1 / 9)
        got = clprim.correlate(on_device(rgb), box, boundary="nearest", channels=True,
                               dtype=np.float32)
        expected = np.stack([scipy.ndimage.correlate(rgb[..., k].astype(float), box, mode="nearest")
                             for k in range(3)], axis=-1)
        self.close(got, expected, 9)
        self.close(clprim.correlate(on_device(rgb), np.ones((1, 1)), channels=True), rgb)


class Transforms(Case):
    def test_one_axis_against_numpy(self):
        for dtype in (np.complex64, np.float64):
            for n in (1, 12, 97):
                with self.subTest(dtype=dtype, n=n):
                    x = drawn(3, n, dtype=dtype)
                    X = on_device(x)
                    self.close(clprim.fft(X), np.fft.fft(x), 10)
                    self.close(clprim.ifft(X), np.fft.ifft(x), 10)
                    self.close(clprim.fft(X, axis=0, norm="ortho"), np.fft.fft(x, axis=0,
                                                                             norm="ortho"), 10)
                    if np.dtype(dtype).kind == "f":
                        self.close(clprim.rfft(X), np.fft.rfft(x), 10)
                        self.close(clprim.irfft(clprim.rfft(X), n), x, 10)

    def test_several_axes_and_lengths(self):
        x = drawn(6, 10, 9)
        z = x + 1j * drawn(6, 10, 9)
        self.close(clprim.fftn(on_device(z)), np.fft.fftn(z), 20)
        self.close(clprim.ifftn(on_device(z), axes=(0, 2)), np.fft.ifftn(z, axes=(0, 2)), 20)
        self.close(clprim.rfftn(on_device(x), axes=(1, 2)), np.fft.rfftn(x, axes=(1, 2)), 20)
        half = np.ascontiguousarray(np.fft.rfftn(x, axes=(1, 2)), dtype=np.complex64)
        self.close(clprim.irfftn(on_device(half), s=(10, 9), axes=(1, 2)), x, 20)
        self.close(clprim.fft(on_device(z), n=16), np.fft.fft(z, n=16), 20)
        self.close(clprim.fft(on_device(z), n=5), np.fft.fft(z, n=5), 20)
        self.close(clprim.rfft(on_device(x), n=5), np.fft.rfft(x, n=5), 20)

    def test_trigonometric_against_scipy(self):
        x = drawn(4, 20, dtype=np.float64)
        X = on_device(x)
        for kind in (1, 2, 4):
            with self.subTest(kind=kind):
                self.close(clprim.dct(X, kind), scipy.fft.dct(x, kind), 20)
                self.close(clprim.dst(X, kind), scipy.fft.dst(x, kind), 20)
                self.close(clprim.idct(clprim.dct(X, kind), kind), x, 20)
                self.close(clprim.idst(clprim.dst(X, kind), kind), x, 20)
        self.close(clprim.dct(X, axis=0), scipy.fft.dct(x, axis=0), 20)


class Copies(Case):
    def test_conversion_and_map(self):
        x = np.array([0.5, 1.5, 300, -7, np.nan], np.float32)
        np.testing.assert_array_equal(clprim.copy(on_device(x), np.uint8).get(), [0, 2, 255, 0, 0])
        y = drawn(12, 5)
        self.close(clprim.copy(on_device(y), map="return x0 * x0 + index;"),
                   y * y + np.arange(60).reshape(12, 5), 2)
        np.testing.assert_array_equal(clprim.copy(on_device(y)[:, 2]).get(), y[:, 2])


class Failures(Case):
    def test_sentences(self):
        a, b = on_device(drawn(4, 5)), on_device(drawn(4, 6))
        with self.assertRaisesRegex(clprim.ArgumentError, "must"):
            clprim.gemm(a, b)
        with self.assertRaisesRegex(clprim.ArgumentError, "Array"):
            clprim.sum(np.zeros(3))
        with self.assertRaisesRegex(clprim.PolicyError, "tile_m must be a multiple"):
            clprim.Gemm(QUEUE, np.float32, policy="{.tile_m = 33, .per_item_m = 4}")
        with self.assertRaisesRegex(clprim.ArgumentError, "one of tile_m"):
            clprim.Gemm(QUEUE, np.float32, policy={"tile": 33})
        with self.assertRaises(clprim.BuildError):
            clprim.copy(a, map="return x0 +;")
        with self.assertRaisesRegex(ValueError, "axis"):
            clprim.sum(a, axis=2)
        with self.assertRaisesRegex(clprim.ArgumentError, "without gaps"):
            clprim.sum(a[:, 1:3])
        with self.assertRaisesRegex(clprim.ArgumentError, "overlap|share"):
            clprim.gemm(a[:, :4], a[:, :4], out=a[:, :4])

    def test_arrays_without_elements(self):
        empty = cl_array.empty(QUEUE, (0, 4), np.float32)
        self.close(clprim.sum(empty, axis=0), np.zeros(4), 1)
        self.assertEqual(clprim.gemm(empty, on_device(drawn(4, 3))).shape, (0, 3))


class Queues(Case):
    def test_out_of_order(self):
        properties = cl.command_queue_properties.OUT_OF_ORDER_EXEC_MODE_ENABLE
        queue = cl.CommandQueue(QUEUE.context, properties=properties)
        a = drawn(64, 64)
        x = cl_array.to_device(queue, a)
        y = x
        for _ in range(5):
            y = clprim.transpose(clprim.copy(y, map="return x0 + 1;"))
        self.close(y, a.T + 5, 5)

    def test_threads(self):
        a = drawn(50, 50)
        wrong = []

        def work():
            queue = cl.CommandQueue(QUEUE.context)
            x = cl_array.to_device(queue, a)
            for _ in range(10):
                if not np.allclose(clprim.gemm(x, x).get(), a @ a, atol=1e-3):
                    wrong.append(1)

        threads = [threading.Thread(target=work) for _ in range(4)]
        for t in threads:
            t.start()
        for t in threads:
            t.join()
        self.assertEqual(wrong, [])


if __name__ == "__main__":
    unittest.main()
