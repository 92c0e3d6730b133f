/* The C interface of clprim: matrix products, reductions, transpositions, convolutions, Fourier
 * transforms and copies on OpenCL devices. C99; link with -lclprim -lOpenCL.
 *
 *     clprim_gemm* multiply;
 *     clprim_gemm_create(queue, CLPRIM_FLOAT, NULL, &multiply);
 *     clprim_matrix A = {.memory = a, .rows = m, .cols = k}, B = …, C = …;
 *     clprim_gemm_call(multiply, NULL, &A, &B, NULL, &C, 0, NULL, &done);    C = 1 A B + 0 C
 *     clprim_gemm_destroy(multiply);
 *
 * Rules that hold for all of it:
 *
 * - A function returns CLPRIM_SUCCESS or what went wrong; `clprim_last_error()` then has the
 *   sentence. A call that fails before the device is reached has enqueued nothing.
 * - An object is made once for a queue and called often; it is for one thread at a time and retains
 *   the queue. Buffers are the caller's and are not retained.
 * - Calls enqueue and return. They run after the `waits` events of `wait_list`, and give their last
 *   command's event where `event` is not NULL; the caller releases it.
 * - Sizes, distances and offsets are counted in elements, not bytes.
 * - In the structures zero is the usual choice, so naming the members that matter is enough:
 *   `(clprim_matrix){.memory = a, .rows = 3, .cols = 4}`.
 * - Texts that are passed in are OpenCL C and as trusted as the program's own.
 */
#ifndef CLPRIM_H
#define CLPRIM_H

#include <stddef.h>
#include <stdint.h>

#ifndef CL_TARGET_OPENCL_VERSION
#define CL_TARGET_OPENCL_VERSION 120
#endif
#include <CL/cl.h>

#if defined(_WIN32) && defined(CLPRIM_MAKES_LIBRARY)
#define CLPRIM_API __declspec(dllexport)
#elif defined(_WIN32)
#define CLPRIM_API __declspec(dllimport)
#else
#define CLPRIM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* ---- What went wrong ------------------------------------------------------------------------- */

typedef int clprim_status;
enum {
  CLPRIM_SUCCESS = 0,
  CLPRIM_ARGUMENT_ERROR = 1, /* an operand or option breaks a constraint */
  CLPRIM_POLICY_ERROR = 2,   /* a policy breaks a rule, or does not fit the device */
  CLPRIM_DEVICE_ERROR = 3,   /* no such device, or it lacks what is asked for */
  CLPRIM_BUILD_ERROR = 4,    /* a program does not build: the text has the compiler's log */
  CLPRIM_OPENCL_ERROR = 5,   /* a call of OpenCL failed; see clprim_last_opencl_code */
  CLPRIM_OUT_OF_MEMORY = 6,  /* of the host */
  CLPRIM_OTHER_ERROR = 7
};

/* The sentence of this thread's last failed call; lives until its next one. */
CLPRIM_API const char* clprim_last_error(void);
/* The cl_int of this thread's last failure with CLPRIM_OPENCL_ERROR. */
CLPRIM_API int clprim_last_opencl_code(void);
/* "CLPRIM_ARGUMENT_ERROR" and the like. */
CLPRIM_API const char* clprim_status_name(clprim_status status);
/* The library's version, "0.1.0". */
CLPRIM_API const char* clprim_version(void);

/* A queue of the best device, or of the one that CLPRIM_DEVICE names; the caller releases it. */
CLPRIM_API clprim_status clprim_open_queue(cl_command_queue* queue);

/* ---- Operands -------------------------------------------------------------------------------- */

typedef int clprim_type;
enum {
  CLPRIM_HALF = 1,
  CLPRIM_FLOAT = 2,
  CLPRIM_DOUBLE = 3,
  CLPRIM_COMPLEX_FLOAT = 4, /* real part, imaginary part */
  CLPRIM_COMPLEX_DOUBLE = 5,
  CLPRIM_INT8 = 6,
  CLPRIM_UINT8 = 7,
  CLPRIM_INT16 = 8,
  CLPRIM_UINT16 = 9,
  CLPRIM_INT32 = 10,
  CLPRIM_UINT32 = 11,
  CLPRIM_INT64 = 12,
  CLPRIM_UINT64 = 13
};

enum { CLPRIM_AS_IT_IS = 0, CLPRIM_TRANSPOSED = 1, CLPRIM_CONJUGATED = 2 /* and transposed */ };

typedef struct clprim_matrix {
  cl_mem memory;
  int64_t rows, cols;   /* as stored, before `op` */
  int64_t ld;           /* from one line to the next; 0: without gaps */
  int64_t offset;       /* of the first element */
  int64_t batch_count;  /* 0 and 1: one matrix */
  int64_t batch_stride; /* from one matrix of the batch to the next; 0 reads one again and again */
  int column_major;     /* 1: columns of adjacent elements */
  int op;               /* CLPRIM_TRANSPOSED: a product or transposition reads it so */
} clprim_matrix;

typedef struct clprim_vector {
  cl_mem memory;
  int64_t count;
  int64_t stride; /* 0 and 1: adjacent elements */
  int64_t offset;
} clprim_vector;

typedef struct clprim_array {
  cl_mem memory;
  int axes; /* 1 to 6 */
  int64_t extents[6];
  int strided;        /* 0: without gaps, the last axis the fastest; 1: as `strides` say */
  int64_t strides[6]; /* from one element to the next, per axis */
  int64_t offset;
} clprim_array;

typedef struct clprim_image {
  cl_mem memory;
  int64_t width;
  int64_t height, depth; /* 0 and 1: a signal, an image */
  int64_t row_pitch;     /* from one row to the next; 0: without gaps */
  int64_t slice_pitch;   /* from one plane to the next; 0: without gaps */
  int64_t offset;
  int64_t batch_count; /* 0 and 1: one image */
  int64_t batch_stride;
  int channels; /* interleaved, 1 to 4; 0: 1 */
} clprim_image;

/* ---- Matrix products: C = epilogue(alpha op(A) op(B) + beta C) ------------------------------- */

typedef struct clprim_gemm clprim_gemm;
typedef struct clprim_gemm_options {
  const char* policy;   /* "{.tile_m = 64, …}"; NULL: the library chooses */
  const char* epilogue; /* body of a function of value, row, column; NULL: none */
  /* Of float: "split_half", "split_tf32" and "tf32" let matrix units compute it; NULL: "full" */
  const char* precision;
} clprim_gemm_options;

/* `type`: half, float, double, complex float, complex double. `options` may be NULL. */
CLPRIM_API clprim_status clprim_gemm_create(cl_command_queue queue, clprim_type type,
                                            const clprim_gemm_options* options,
                                            clprim_gemm** object);
CLPRIM_API void clprim_gemm_destroy(clprim_gemm* object);
/* alpha and beta point to one element of the type, of half to a float. NULL: alpha 1, beta 0, with
 * which C is not read. */
CLPRIM_API clprim_status clprim_gemm_call(clprim_gemm* object, const void* alpha,
                                          const clprim_matrix* A, const clprim_matrix* B,
                                          const void* beta, const clprim_matrix* C, cl_uint waits,
                                          const cl_event* wait_list, cl_event* event);
/* Builds what such a call needs, so that the first one does not. */
CLPRIM_API clprim_status clprim_gemm_prepare(clprim_gemm* object, const clprim_matrix* A,
                                             const clprim_matrix* B, const clprim_matrix* C);
/* What such a call runs, for a person; the text lives until the object's next explain. */
CLPRIM_API clprim_status clprim_gemm_explain(clprim_gemm* object, const clprim_matrix* A,
                                             const clprim_matrix* B, const clprim_matrix* C,
                                             const char** text);

/* ---- Reductions ------------------------------------------------------------------------------ */

typedef int clprim_operator;
enum {
  CLPRIM_SUM = 1,      /* of integers in 64 bits */
  CLPRIM_PRODUCT = 2,  /* the same */
  CLPRIM_MEAN = 3,     /* of integers a double */
  CLPRIM_NORM1 = 4,    /* sum of magnitudes */
  CLPRIM_NORM2 = 5,    /* root of the sum of squares */
  CLPRIM_NORM_MAX = 6, /* largest magnitude */
  CLPRIM_VARIANCE = 7, /* {mean, variance}, divided by n */
  CLPRIM_DOT = 8,      /* sum of x y */
  CLPRIM_DOTC = 9,     /* sum of conj(x) y */
  CLPRIM_MIN = 10,     /* of integers in at least 32 bits */
  CLPRIM_MAX = 11,
  CLPRIM_MIN_MAX = 12, /* {least, greatest} */
  CLPRIM_ARGMIN = 13,  /* {value, int64 index}: 16 bytes */
  CLPRIM_ARGMAX = 14,
  CLPRIM_ANY = 15, /* int32: whether one is not zero */
  CLPRIM_ALL = 16,
  CLPRIM_COUNT = 17 /* int64: how many are not zero */
};
#define CLPRIM_ALL_AXES (-1)

typedef struct clprim_reduce clprim_reduce;
typedef struct clprim_reduce_options {
  const char* policy;
  const char* map; /* body of a function of x (dot: x and y) and index; NULL: none */
  int ignore_nan;  /* 1: NaN does not count */
} clprim_reduce_options;

/* `type`: float, double, half, the integers but int8 and int16; of complex numbers those operators
 * that need no order. */
CLPRIM_API clprim_status clprim_reduce_create(cl_command_queue queue, clprim_type type,
                                              clprim_operator op,
                                              const clprim_reduce_options* options,
                                              clprim_reduce** object);
CLPRIM_API void clprim_reduce_destroy(clprim_reduce* object);
/* Bytes of one result. */
CLPRIM_API size_t clprim_reduce_result_bytes(const clprim_reduce* object);
/* Reduces one axis of x, or all of them (CLPRIM_ALL_AXES), into `out` from result `out_offset` on;
 * the results lie as x without that axis, and without gaps. `y` is the second operand of a dot
 * product, else NULL. */
CLPRIM_API clprim_status clprim_reduce_call(clprim_reduce* object, const clprim_array* x,
                                            const clprim_array* y, int axis, cl_mem out,
                                            int64_t out_offset, cl_uint waits,
                                            const cl_event* wait_list, cl_event* event);
/* The same to the host, into `bytes` bytes at `results`; waits for them. */
CLPRIM_API clprim_status clprim_reduce_values(clprim_reduce* object, const clprim_array* x,
                                              const clprim_array* y, int axis, void* results,
                                              size_t bytes, cl_uint waits,
                                              const cl_event* wait_list);
CLPRIM_API clprim_status clprim_reduce_prepare(clprim_reduce* object, const clprim_array* x,
                                               int axis);
CLPRIM_API clprim_status clprim_reduce_explain(clprim_reduce* object, const clprim_array* x,
                                               int axis, const char** text);

/* ---- Transpositions and permutations --------------------------------------------------------- */

typedef struct clprim_transpose clprim_transpose;
typedef struct clprim_transpose_options {
  const char* policy;
  const char* map; /* body of a function of value (row, column of a matrix); NULL: none */
} clprim_transpose_options;

CLPRIM_API clprim_status clprim_transpose_create(cl_command_queue queue, clprim_type type,
                                                 const clprim_transpose_options* options,
                                                 clprim_transpose** object);
CLPRIM_API void clprim_transpose_destroy(clprim_transpose* object);
/* B = A transposed; A with CLPRIM_CONJUGATED: its conjugate transpose. */
CLPRIM_API clprim_status clprim_transpose_call(clprim_transpose* object, const clprim_matrix* A,
                                               const clprim_matrix* B, cl_uint waits,
                                               const cl_event* wait_list, cl_event* event);
/* The same in A's own memory; of a rectangle the result follows without gaps. */
CLPRIM_API clprim_status clprim_transpose_in_place(clprim_transpose* object, const clprim_matrix* A,
                                                   cl_uint waits, const cl_event* wait_list,
                                                   cl_event* event);
/* Axis k of Y is axis order[k] of X; `order` has as many entries as X has axes. */
CLPRIM_API clprim_status clprim_transpose_permute(clprim_transpose* object, const clprim_array* X,
                                                  const int* order, const clprim_array* Y,
                                                  cl_uint waits, const cl_event* wait_list,
                                                  cl_event* event);
CLPRIM_API clprim_status clprim_transpose_prepare(clprim_transpose* object, const clprim_matrix* A,
                                                  const clprim_matrix* B);
CLPRIM_API clprim_status clprim_transpose_explain(clprim_transpose* object, const clprim_matrix* A,
                                                  const clprim_matrix* B, const char** text);

/* ---- Convolutions ---------------------------------------------------------------------------- */

enum {
  CLPRIM_BORDER_CONSTANT = 0, /* border_value outside */
  CLPRIM_BORDER_REPLICATE = 1,
  CLPRIM_BORDER_REFLECT = 2,     /* ba|abcd|dc */
  CLPRIM_BORDER_REFLECT_101 = 3, /* cb|abcd|cb */
  CLPRIM_BORDER_WRAP = 4
};
enum { CLPRIM_EXTENT_SAME = 0, CLPRIM_EXTENT_VALID = 1, CLPRIM_EXTENT_FULL = 2 };

typedef struct clprim_convolve clprim_convolve;
typedef struct clprim_convolve_options {
  const char* policy;
  const char* map; /* body of a function of value, x, y, z, channel, batch; NULL: none */
  int border;
  double border_value;
  int extent;         /* of the output */
  int convolution;    /* 0: w[k] x[i + k - anchor], as OpenCV; 1: mirrored, as mathematics has it */
  int stride[3];      /* along x, y, z; 0: 1 */
  int dilation[3];    /* the same, of taps */
  int find_separable; /* 1: dense filters of rank 1 run as separable ones */
} clprim_convolve_options;

/* A filter; zeros in `taps` are 1. Dense coefficients lie row by row, plane by plane; of a
 * separable one those along x, along y, along z follow each other. */
typedef struct clprim_filter {
  const double* coefficients; /* on the host; copied before the call returns */
  int taps[3];                /* along x, y, z */
  int separable;
  int anchored; /* 0: the middle tap lies on the output's place; 1: tap `anchor` */
  int anchor[3];
} clprim_filter;

/* in: half, float, double, uint8, uint16, int16, int32; out: the same, or float. */
CLPRIM_API clprim_status clprim_convolve_create(cl_command_queue queue, clprim_type in,
                                                clprim_type out,
                                                const clprim_convolve_options* options,
                                                clprim_convolve** object);
CLPRIM_API void clprim_convolve_destroy(clprim_convolve* object);
/* Width, height and depth of the output for an input and a filter. */
CLPRIM_API clprim_status clprim_convolve_extent(clprim_convolve* object, const clprim_image* in,
                                                const clprim_filter* filter, int64_t extent[3]);
CLPRIM_API clprim_status clprim_convolve_call(clprim_convolve* object, const clprim_image* in,
                                              const clprim_filter* filter, const clprim_image* out,
                                              cl_uint waits, const cl_event* wait_list,
                                              cl_event* event);
CLPRIM_API clprim_status clprim_convolve_prepare(clprim_convolve* object, const clprim_image* in,
                                                 const clprim_filter* filter,
                                                 const clprim_image* out);
CLPRIM_API clprim_status clprim_convolve_explain(clprim_convolve* object, const clprim_image* in,
                                                 const clprim_filter* filter,
                                                 const clprim_image* out, const char** text);

/* ---- Fourier transforms ---------------------------------------------------------------------- */

enum {
  CLPRIM_FOURIER = 0,
  CLPRIM_DCT2 = 1,
  CLPRIM_DCT3 = 2,
  CLPRIM_DCT4 = 3,
  CLPRIM_DST2 = 4,
  CLPRIM_DST3 = 5,
  CLPRIM_DST4 = 6,
  CLPRIM_DCT1 = 7,
  CLPRIM_DST1 = 8
};

typedef struct clprim_fft clprim_fft;
typedef struct clprim_fft_options {
  const char* policy;
  const char* load;     /* body of a function of value, index, applied as elements are read */
  const char* store;    /* the same as they are written */
  int axes;             /* how many of the last axes are transformed; 0: 1 */
  double forward_scale; /* 0: 1 */
  double inverse_scale; /* 0: 1; 1 / N makes inverse undo forward */
  int kind;             /* CLPRIM_FOURIER, or a cosine or sine transform of real values */
  int64_t lengths[6];   /* points of each transformed axis; all 0: the arrays' extents */
} clprim_fft_options;

/* `type`: float or double, in which is computed. */
CLPRIM_API clprim_status clprim_fft_create(cl_command_queue queue, clprim_type type,
                                           const clprim_fft_options* options, clprim_fft** object);
CLPRIM_API void clprim_fft_destroy(clprim_fft* object);
/* y = F(x). Each is real (CLPRIM_FLOAT) or complex (CLPRIM_COMPLEX_FLOAT), of the object's type:
 * complex to complex, real to half a spectrum (n / 2 + 1 values along the last axis), or back. */
CLPRIM_API clprim_status clprim_fft_forward(clprim_fft* object, clprim_type x_type,
                                            const clprim_array* x, clprim_type y_type,
                                            const clprim_array* y, cl_uint waits,
                                            const cl_event* wait_list, cl_event* event);
CLPRIM_API clprim_status clprim_fft_inverse(clprim_fft* object, clprim_type x_type,
                                            const clprim_array* x, clprim_type y_type,
                                            const clprim_array* y, cl_uint waits,
                                            const cl_event* wait_list, cl_event* event);
CLPRIM_API clprim_status clprim_fft_prepare(clprim_fft* object, clprim_type x_type,
                                            const clprim_array* x, clprim_type y_type,
                                            const clprim_array* y, int backwards);
CLPRIM_API clprim_status clprim_fft_explain(clprim_fft* object, clprim_type x_type,
                                            const clprim_array* x, clprim_type y_type,
                                            const clprim_array* y, int backwards,
                                            const char** text);

/* ---- Copies ---------------------------------------------------------------------------------- */

typedef struct clprim_copy clprim_copy;
typedef struct clprim_copy_options {
  const char* policy;
  const char* map; /* body of a function of x0 and index; NULL: the element, converted */
} clprim_copy_options;

/* Without a map an integer output is rounded to nearest even and saturates. */
CLPRIM_API clprim_status clprim_copy_create(cl_command_queue queue, clprim_type in, clprim_type out,
                                            const clprim_copy_options* options,
                                            clprim_copy** object);
CLPRIM_API void clprim_copy_destroy(clprim_copy* object);
CLPRIM_API clprim_status clprim_copy_call(clprim_copy* object, const clprim_vector* from,
                                          const clprim_vector* to, cl_uint waits,
                                          const cl_event* wait_list, cl_event* event);
CLPRIM_API clprim_status clprim_copy_prepare(clprim_copy* object, const clprim_vector* from,
                                             const clprim_vector* to);
CLPRIM_API clprim_status clprim_copy_explain(clprim_copy* object, const clprim_vector* from,
                                             const clprim_vector* to, const char** text);

#ifdef __cplusplus
}
#endif
#endif
