/* A C99 program that uses every function of clprim.h and checks what comes back. */
#include <clprim.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int failures = 0;
static cl_command_queue queue;
static cl_context context;

static void check(int ok, const char* what, int line) {
  if (ok) return;
  ++failures;
  printf("test.c:%d: %s\n    last error: %s\n", line, what, clprim_last_error());
}
#define CHECK(ok) check((ok) != 0, #ok, __LINE__)
#define DONE(call) CHECK((call) == CLPRIM_SUCCESS)

static cl_mem buffer(size_t bytes, const void* data) {
  cl_int code;
  const cl_mem_flags flags = CL_MEM_READ_WRITE | (data != NULL ? CL_MEM_COPY_HOST_PTR : 0u);
  union {
    const void* in;
    void* out;
  } host; /* clCreateBuffer copies, and takes no pointer to const */
  host.in = data;
  cl_mem memory = clCreateBuffer(context, flags, bytes, host.out, &code);
  if (code != CL_SUCCESS) {
    printf("clCreateBuffer: %d\n", code);
    exit(2);
  }
  return memory;
}
static void get(cl_mem memory, size_t bytes, void* to) {
  CHECK(clEnqueueReadBuffer(queue, memory, CL_TRUE, 0, bytes, to, 0, NULL, NULL) == CL_SUCCESS);
}

static void products(void) {
  const float a[6] = {1, 2, 3, 4, 5, 6}, b[6] = {1, 0, 2, 1, 3, 2};
  float c[4];
  cl_mem ma = buffer(sizeof a, a), mb = buffer(sizeof b, b), mc = buffer(sizeof c, NULL);
  clprim_gemm* multiply = NULL;
  /* [product] */
  DONE(clprim_gemm_create(queue, CLPRIM_FLOAT, NULL, &multiply));
  clprim_matrix A = {.memory = ma, .rows = 2, .cols = 3};
  clprim_matrix B = {.memory = mb, .rows = 3, .cols = 2};
  clprim_matrix C = {.memory = mc, .rows = 2, .cols = 2};
  cl_event done;
  DONE(clprim_gemm_call(multiply, NULL, &A, &B, NULL, &C, 0, NULL, &done)); /* C = A B */
  /* [end] */
  get(mc, sizeof c, c);
  CHECK(c[0] == 14 && c[1] == 8 && c[2] == 32 && c[3] == 17);

  const float two = 2, one = 1;
  A.op = CLPRIM_TRANSPOSED; /* (3 x 2) (2 x 3) would not fit C: B as 2 x 2 of its buffer */
  clprim_matrix small = {.memory = mb, .rows = 2, .cols = 2};
  clprim_matrix C3 = {.memory = buffer(6 * sizeof(float), b), .rows = 3, .cols = 2};
  DONE(clprim_gemm_prepare(multiply, &A, &small, &C3));
  DONE(clprim_gemm_call(multiply, &two, &A, &small, &one, &C3, 1, &done, NULL));
  float c3[6];
  get(C3.memory, sizeof c3, c3);
  CHECK(c3[0] == 2 * (1 * 1 + 4 * 2) + 1 && c3[1] == 2 * 4 + 0 && c3[5] == 2 * 6 + 2);
  clReleaseEvent(done);
  const char* text = NULL;
  DONE(clprim_gemm_explain(multiply, &A, &small, &C3, &text));
  CHECK(text != NULL && strstr(text, "policy") != NULL);
  clReleaseMemObject(C3.memory);

  /* What goes wrong is a code and a sentence, and the object lives on. */
  A.op = CLPRIM_AS_IT_IS;
  clprim_matrix wrong = A;
  wrong.ld = 2;
  CHECK(clprim_gemm_call(multiply, NULL, &wrong, &B, NULL, &C, 0, NULL, NULL) ==
        CLPRIM_ARGUMENT_ERROR);
  CHECK(strstr(clprim_last_error(), "leading dimension of A") != NULL);
  CHECK(clprim_gemm_call(multiply, NULL, NULL, &B, NULL, &C, 0, NULL, NULL) ==
        CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_gemm_call(NULL, NULL, &A, &B, NULL, &C, 0, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_gemm_call(multiply, NULL, &A, &B, NULL, &C, 3, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  DONE(clprim_gemm_call(multiply, NULL, &A, &B, NULL, &C, 0, NULL, NULL));
  clprim_gemm_destroy(multiply);

  clprim_gemm* other = NULL;
  CHECK(clprim_gemm_create(queue, CLPRIM_INT32, NULL, &other) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_gemm_create(queue, CLPRIM_FLOAT, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_gemm_create(NULL, CLPRIM_FLOAT, NULL, &other) == CLPRIM_ARGUMENT_ERROR);
  const clprim_gemm_options broken = {.policy = "{.tile_m = 33, .per_item_m = 4}"};
  CHECK(clprim_gemm_create(queue, CLPRIM_FLOAT, &broken, &other) == CLPRIM_POLICY_ERROR);
  CHECK(strstr(clprim_last_error(), "tile_m must be a multiple") != NULL);
  CHECK(other == NULL);
  const clprim_gemm_options mine = {.policy =
                                        "{.tile_m = 64, .tile_n = 64, .tile_k = 8, "
                                        ".per_item_m = 4, .per_item_n = 4}",
                                    .epilogue = "return value > 20 ? 20 : value;"};
  DONE(clprim_gemm_create(queue, CLPRIM_FLOAT, &mine, &other));
  DONE(clprim_gemm_call(other, NULL, &A, &B, NULL, &C, 0, NULL, NULL));
  get(mc, sizeof c, c);
  CHECK(c[0] == 14 && c[1] == 8 && c[2] == 20 && c[3] == 17);
  clprim_gemm_destroy(other);
  const clprim_gemm_options unknown = {.precision = "half"}, split = {.precision = "split_tf32"};
  CHECK(clprim_gemm_create(queue, CLPRIM_FLOAT, &unknown, &other) == CLPRIM_ARGUMENT_ERROR);
  CHECK(strstr(clprim_last_error(), "full, split_half, split_tf32 or tf32") != NULL);
  CHECK(clprim_gemm_create(queue, CLPRIM_DOUBLE, &split, &other) == CLPRIM_ARGUMENT_ERROR);
  DONE(clprim_gemm_create(queue, CLPRIM_FLOAT, &split, &other));
  DONE(clprim_gemm_call(other, NULL, &A, &B, NULL, &C, 0, NULL, NULL));
  get(mc, sizeof c, c);
  CHECK(c[0] == 14 && c[1] == 8 && c[2] == 32 && c[3] == 17);
  clprim_gemm_destroy(other);
  const clprim_gemm_options no_text = {.epilogue = "return value +;"};
  DONE(clprim_gemm_create(queue, CLPRIM_FLOAT, &no_text, &other));
  CHECK(clprim_gemm_call(other, NULL, &A, &B, NULL, &C, 0, NULL, NULL) == CLPRIM_BUILD_ERROR);
  clprim_gemm_destroy(other);
  clReleaseMemObject(ma);
  clReleaseMemObject(mb);
  clReleaseMemObject(mc);
}

static void reductions(void) {
  const float x[6] = {3, -1, 2, 5, 0, 4};
  cl_mem mx = buffer(sizeof x, x), out = buffer(16 * 6, NULL);
  const clprim_array X = {.memory = mx, .axes = 2, .extents = {2, 3}};
  struct {
    clprim_operator op;
    double expected; /* the first number of the result over all */
  } const all[] = {{CLPRIM_SUM, 13},    {CLPRIM_PRODUCT, 0},       {CLPRIM_MEAN, 13. / 6},
                   {CLPRIM_NORM1, 15},  {CLPRIM_NORM2, sqrt(55.)}, {CLPRIM_NORM_MAX, 5},
                   {CLPRIM_MIN, -1},    {CLPRIM_MAX, 5},           {CLPRIM_MIN_MAX, -1},
                   {CLPRIM_ARGMIN, -1}, {CLPRIM_ARGMAX, 5},        {CLPRIM_VARIANCE, 13. / 6}};
  for (size_t i = 0; i < sizeof all / sizeof *all; ++i) {
    clprim_reduce* object = NULL;
    DONE(clprim_reduce_create(queue, CLPRIM_FLOAT, all[i].op, NULL, &object));
    char result[32];
    const size_t bytes = clprim_reduce_result_bytes(object);
    CHECK(bytes >= sizeof(float) && bytes <= sizeof result);
    DONE(clprim_reduce_values(object, &X, NULL, CLPRIM_ALL_AXES, result, bytes, 0, NULL));
    float first;
    memcpy(&first, result, sizeof first);
    CHECK(fabs(first - all[i].expected) < 1e-5);
    if (all[i].op == CLPRIM_ARGMAX) {
      int64_t at;
      memcpy(&at, result + 8, sizeof at);
      CHECK(at == 3);
    }
    clprim_reduce_destroy(object);
  }
  const clprim_operator whole[] = {CLPRIM_ANY, CLPRIM_ALL, CLPRIM_COUNT};
  const int64_t expected[] = {1, 0, 5};
  for (size_t i = 0; i < 3; ++i) {
    clprim_reduce* object = NULL;
    DONE(clprim_reduce_create(queue, CLPRIM_FLOAT, whole[i], NULL, &object));
    int64_t result = 0; /* little-endian: an int32 fills its first half */
    DONE(clprim_reduce_values(object, &X, NULL, CLPRIM_ALL_AXES, &result,
                              clprim_reduce_result_bytes(object), 0, NULL));
    CHECK(result == expected[i]);
    clprim_reduce_destroy(object);
  }

  /* [rows] */
  clprim_reduce* sum = NULL;
  DONE(clprim_reduce_create(queue, CLPRIM_FLOAT, CLPRIM_SUM, NULL, &sum));
  DONE(clprim_reduce_call(sum, &X, NULL, 1, out, 0, 0, NULL, NULL)); /* one result per row */
  /* [end] */
  float sums[3];
  get(out, 2 * sizeof(float), sums);
  CHECK(sums[0] == 4 && sums[1] == 9);
  DONE(clprim_reduce_prepare(sum, &X, 0));
  cl_event done;
  DONE(clprim_reduce_call(sum, &X, NULL, 0, out, 1, 0, NULL, &done));
  clReleaseEvent(done);
  float four[4];
  get(out, sizeof four, four);
  CHECK(four[0] == 4 && four[1] == 8 && four[2] == -1 && four[3] == 6);
  const clprim_array gaps = {
      .memory = mx, .axes = 2, .extents = {2, 2}, .strided = 1, .strides = {3, 1}};
  CHECK(clprim_reduce_values(sum, &gaps, NULL, CLPRIM_ALL_AXES, four, 4, 0, NULL) ==
        CLPRIM_ARGUMENT_ERROR);
  DONE(clprim_reduce_values(sum, &gaps, NULL, 1, four, 8, 0, NULL));
  CHECK(four[0] == 2 && four[1] == 5);
  CHECK(clprim_reduce_values(sum, &X, NULL, 2, four, 8, 0, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_reduce_values(sum, &X, NULL, -7, four, 8, 0, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_reduce_values(sum, &X, NULL, 1, four, 4, 0, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_reduce_values(sum, &X, &X, 1, four, 8, 0, NULL) == CLPRIM_ARGUMENT_ERROR);
  const char* text = NULL;
  DONE(clprim_reduce_explain(sum, &X, 1, &text));
  CHECK(text != NULL && strstr(text, "reduction") != NULL);
  clprim_reduce_destroy(sum);

  clprim_reduce* dot = NULL;
  DONE(clprim_reduce_create(queue, CLPRIM_FLOAT, CLPRIM_DOT, NULL, &dot));
  DONE(clprim_reduce_values(dot, &X, &X, CLPRIM_ALL_AXES, four, 4, 0, NULL));
  CHECK(four[0] == 55);
  clprim_reduce_destroy(dot);

  const clprim_reduce_options squares = {.map = "return x * x;"};
  DONE(clprim_reduce_create(queue, CLPRIM_FLOAT, CLPRIM_SUM, &squares, &sum));
  DONE(clprim_reduce_values(sum, &X, NULL, CLPRIM_ALL_AXES, four, 4, 0, NULL));
  CHECK(four[0] == 55);
  clprim_reduce_destroy(sum);
  sum = NULL;
  CHECK(clprim_reduce_create(queue, CLPRIM_COMPLEX_FLOAT, CLPRIM_MAX, NULL, &sum) ==
        CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_reduce_create(queue, CLPRIM_INT8, CLPRIM_MAX, NULL, &sum) == CLPRIM_ARGUMENT_ERROR);

  const uint8_t bytes[4] = {200, 100, 255, 1};
  cl_mem mb = buffer(sizeof bytes, bytes);
  const clprim_array B = {.memory = mb, .axes = 1, .extents = {4}};
  DONE(clprim_reduce_create(queue, CLPRIM_UINT8, CLPRIM_SUM, NULL, &sum));
  uint64_t total = 0;
  DONE(clprim_reduce_values(sum, &B, NULL, 0, &total, sizeof total, 0, NULL));
  CHECK(total == 556);
  clprim_reduce_destroy(sum);
  clReleaseMemObject(mb);
  clReleaseMemObject(mx);
  clReleaseMemObject(out);
}

static void transpositions(void) {
  const int16_t x[6] = {1, 2, 3, 4, 5, 6};
  int16_t y[6];
  cl_mem mx = buffer(sizeof x, x), my = buffer(sizeof y, NULL);
  clprim_transpose* turn = NULL;
  DONE(clprim_transpose_create(queue, CLPRIM_INT16, NULL, &turn));
  clprim_matrix A = {.memory = mx, .rows = 2, .cols = 3}, B = {.memory = my, .rows = 3, .cols = 2};
  DONE(clprim_transpose_prepare(turn, &A, &B));
  cl_event done;
  DONE(clprim_transpose_call(turn, &A, &B, 0, NULL, &done));
  get(my, sizeof y, y);
  CHECK(y[0] == 1 && y[1] == 4 && y[2] == 2 && y[5] == 6);
  DONE(clprim_transpose_in_place(turn, &B, 1, &done, NULL));
  clReleaseEvent(done);
  get(my, sizeof y, y);
  CHECK(memcmp(x, y, sizeof y) == 0);
  const clprim_array X = {.memory = mx, .axes = 3, .extents = {1, 2, 3}};
  const clprim_array Y = {.memory = my, .axes = 3, .extents = {3, 1, 2}};
  const int order[3] = {2, 0, 1}, twice[3] = {2, 2, 1};
  DONE(clprim_transpose_permute(turn, &X, order, &Y, 0, NULL, NULL));
  get(my, sizeof y, y);
  CHECK(y[0] == 1 && y[1] == 4 && y[2] == 2 && y[5] == 6);
  CHECK(clprim_transpose_permute(turn, &X, twice, &Y, 0, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_transpose_permute(turn, &X, NULL, &Y, 0, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  const char* text = NULL;
  DONE(clprim_transpose_explain(turn, &A, &B, &text));
  CHECK(text != NULL && strlen(text) > 0);
  clprim_transpose_destroy(turn);
  clReleaseMemObject(mx);
  clReleaseMemObject(my);
}

static void convolutions(void) {
  const float x[5] = {1, 2, 3, 4, 5};
  const double taps[3] = {1, 0, -1};
  float y[7];
  cl_mem mx = buffer(sizeof x, x), my = buffer(sizeof y, NULL);
  const clprim_convolve_options full = {.extent = CLPRIM_EXTENT_FULL, .convolution = 1};
  const clprim_convolve_options near = {.border = CLPRIM_BORDER_REPLICATE};
  clprim_convolve* object = NULL;
  DONE(clprim_convolve_create(queue, CLPRIM_FLOAT, CLPRIM_FLOAT, &full, &object));
  const clprim_filter f = {.coefficients = taps, .taps = {3, 1, 1}};
  const clprim_image in = {.memory = mx, .width = 5};
  clprim_image out = {.memory = my, .width = 7};
  int64_t extent[3] = {0, 0, 0};
  DONE(clprim_convolve_extent(object, &in, &f, extent));
  CHECK(extent[0] == 7 && extent[1] == 1 && extent[2] == 1);
  DONE(clprim_convolve_prepare(object, &in, &f, &out));
  cl_event done;
  DONE(clprim_convolve_call(object, &in, &f, &out, 0, NULL, &done));
  clReleaseEvent(done);
  get(my, sizeof y, y);
  CHECK(y[0] == 1 && y[1] == 2 && y[2] == 2 && y[5] == -4 && y[6] == -5);
  out.width = 6;
  CHECK(clprim_convolve_call(object, &in, &f, &out, 0, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  clprim_convolve_destroy(object);
  out.width = 5;
  DONE(clprim_convolve_create(queue, CLPRIM_FLOAT, CLPRIM_FLOAT, &near, &object));
  DONE(clprim_convolve_call(object, &in, &f, &out, 0, NULL, NULL));
  get(my, 5 * sizeof(float), y);
  CHECK(y[0] == -1 && y[1] == -2 && y[4] == -1);
  const char* text = NULL;
  DONE(clprim_convolve_explain(object, &in, &f, &out, &text));
  CHECK(text != NULL && strlen(text) > 0);
  clprim_convolve_destroy(object);
  object = NULL;
  CHECK(clprim_convolve_create(queue, CLPRIM_FLOAT, CLPRIM_UINT8, NULL, &object) ==
        CLPRIM_ARGUMENT_ERROR);
  const clprim_convolve_options odd = {.border = 9};
  CHECK(clprim_convolve_create(queue, CLPRIM_FLOAT, CLPRIM_FLOAT, &odd, &object) ==
        CLPRIM_ARGUMENT_ERROR);
  clReleaseMemObject(mx);
  clReleaseMemObject(my);
}

static void transforms(void) {
  enum { n = 12 };
  float x[n], back[n], y[2 * (n / 2 + 1)];
  for (int i = 0; i < n; ++i) x[i] = (float)(i % 5) - 1;
  cl_mem mx = buffer(sizeof x, x), my = buffer(sizeof y, NULL), mb = buffer(sizeof back, NULL);
  const clprim_fft_options options = {.inverse_scale = 1. / n};
  clprim_fft* transform = NULL;
  DONE(clprim_fft_create(queue, CLPRIM_FLOAT, &options, &transform));
  const clprim_array X = {.memory = mx, .axes = 1, .extents = {n}};
  const clprim_array Y = {.memory = my, .axes = 1, .extents = {n / 2 + 1}};
  const clprim_array B = {.memory = mb, .axes = 1, .extents = {n}};
  const clprim_type real = CLPRIM_FLOAT, complex = CLPRIM_COMPLEX_FLOAT;
  DONE(clprim_fft_prepare(transform, real, &X, complex, &Y, 0));
  cl_event done;
  DONE(clprim_fft_forward(transform, real, &X, complex, &Y, 0, NULL, &done));
  DONE(clprim_fft_inverse(transform, complex, &Y, real, &B, 1, &done, NULL));
  clReleaseEvent(done);
  get(my, sizeof y, y);
  for (int k = 0; k <= n / 2; ++k) {
    double re = 0, im = 0;
    for (int i = 0; i < n; ++i) {
      re += x[i] * cos(2 * 3.14159265358979323846 * i * k / n);
      im -= x[i] * sin(2 * 3.14159265358979323846 * i * k / n);
    }
    CHECK(fabs(y[2 * k] - re) < 1e-5 && fabs(y[2 * k + 1] - im) < 1e-5);
  }
  get(mb, sizeof back, back);
  for (int i = 0; i < n; ++i) CHECK(fabsf(back[i] - x[i]) < 1e-6f);
  const char* text = NULL;
  DONE(clprim_fft_explain(transform, real, &X, complex, &Y, 0, &text));
  CHECK(text != NULL && strlen(text) > 0);
  CHECK(clprim_fft_forward(transform, CLPRIM_DOUBLE, &X, complex, &Y, 0, NULL, NULL) ==
        CLPRIM_ARGUMENT_ERROR);
  CHECK(clprim_fft_forward(transform, real, &X, complex, &B, 0, NULL, NULL) ==
        CLPRIM_ARGUMENT_ERROR);
  clprim_fft_destroy(transform);
  const clprim_fft_options cosines = {.kind = CLPRIM_DCT2};
  DONE(clprim_fft_create(queue, CLPRIM_FLOAT, &cosines, &transform));
  DONE(clprim_fft_forward(transform, real, &X, real, &B, 0, NULL, NULL));
  get(mb, sizeof back, back);
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i];
  CHECK(fabs(back[0] - 2 * sum) < 1e-5);
  clprim_fft_destroy(transform);
  clReleaseMemObject(mx);
  clReleaseMemObject(my);
  clReleaseMemObject(mb);
}

static void copies(void) {
  const float x[4] = {1.5f, 2.5f, 300, -4};
  uint8_t y[4];
  cl_mem mx = buffer(sizeof x, x), my = buffer(sizeof y, NULL);
  const clprim_vector from = {.memory = mx, .count = 4}, to = {.memory = my, .count = 4};
  clprim_copy* convert = NULL;
  DONE(clprim_copy_create(queue, CLPRIM_FLOAT, CLPRIM_UINT8, NULL, &convert));
  DONE(clprim_copy_prepare(convert, &from, &to));
  cl_event done;
  DONE(clprim_copy_call(convert, &from, &to, 0, NULL, &done));
  clReleaseEvent(done);
  get(my, sizeof y, y);
  CHECK(y[0] == 2 && y[1] == 2 && y[2] == 255 && y[3] == 0);
  const char* text = NULL;
  DONE(clprim_copy_explain(convert, &from, &to, &text));
  CHECK(text != NULL && strlen(text) > 0);
  clprim_copy_destroy(convert);
  const clprim_copy_options twice = {.map = "return 2 * x0 + index;"};
  DONE(clprim_copy_create(queue, CLPRIM_FLOAT, CLPRIM_FLOAT, &twice, &convert));
  DONE(clprim_copy_call(convert, &from, &from, 0, NULL, NULL));
  float z[4];
  get(mx, sizeof z, z);
  CHECK(z[0] == 3 && z[1] == 6 && z[2] == 602 && z[3] == -5);
  const clprim_vector past = {.memory = mx, .count = 5};
  CHECK(clprim_copy_call(convert, &past, &past, 0, NULL, NULL) == CLPRIM_ARGUMENT_ERROR);
  CHECK(strstr(clprim_last_error(), "16 bytes given, at least 20") != NULL);
  clprim_copy_destroy(convert);
  clReleaseMemObject(mx);
  clReleaseMemObject(my);
}

int main(void) {
  CHECK(strlen(clprim_version()) >= 5);
  CHECK(strcmp(clprim_status_name(CLPRIM_POLICY_ERROR), "CLPRIM_POLICY_ERROR") == 0);
  CHECK(clprim_open_queue(NULL) == CLPRIM_ARGUMENT_ERROR);
  DONE(clprim_open_queue(&queue));
  if (queue == NULL) return 1;
  clGetCommandQueueInfo(queue, CL_QUEUE_CONTEXT, sizeof context, &context, NULL);
  products();
  reductions();
  transpositions();
  convolutions();
  transforms();
  copies();
  clReleaseCommandQueue(queue);
  printf("%d failures\n", failures);
  return failures == 0 ? 0 : 1;
}
