// Small cases whose answer is known to the last bit, and what IEEE 754 asks of NaN and infinity.

#include <cmath>
#include <complex>
#include <limits>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/product.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Eight outputs per item, tiles of 16 x 16 x 8: every size below is around them.
constexpr gemm_policy small{.tile_m = 16,
                            .tile_n = 16,
                            .tile_k = 8,
                            .per_item_m = 2,
                            .per_item_n = 4,
                            .lanes_m = 2,
                            .lanes_n = 2,
                            .vector_m = 2};
/// One work-item of four register blocks.
constexpr gemm_policy single_item{.tile_m = 8,
                                  .tile_n = 16,
                                  .tile_k = 8,
                                  .per_item_m = 4,
                                  .per_item_n = 8,
                                  .blocks_m = 2,
                                  .blocks_n = 2,
                                  .lanes_m = 1,
                                  .lanes_n = 1,
                                  .vector_m = 1,
                                  .vector_n = 8,
                                  .order = local_order::stored,
                                  .unaligned = true};

/// C of floats on the device that the call writes; row-major, without gaps.
std::vector<float> run(gemm<float>& multiply, float alpha, const std::vector<float>& a,
                       const std::vector<float>& b, float beta, const std::vector<float>& c, int m,
                       int n, int k) {
  const session& s = device_session();
  guarded_buffer<float> A(s, a, 99.f), B(s, b, 99.f), C(s, c, 99.f);
  multiply(alpha, matrix<float>(A.buffer(), m, k), matrix<float>(B.buffer(), k, n), beta,
           matrix<float>(C.buffer(), m, n));
  std::vector<float> result = C.read();
  CHECK(C.intact());
  return result;
}

constexpr float not_number = std::numeric_limits<float>::quiet_NaN();
constexpr float infinity = std::numeric_limits<float>::infinity();

template <class T> void integers_are_exact() {
  for (const gemm_policy& policy : {small, single_item}) {
    gemm<T> multiply(device_session().queue, {.policy = policy});
    gemm_policy in_parts = policy;
    in_parts.split_k = 3;
    gemm<T> multiply_in_parts(device_session().queue, {.policy = in_parts});
    gemm_policy joined = in_parts;  // the second product finds the counts as the first left them
    joined.finish = gemm_finish::last_group_fenced;
    const bool joins = has_finish(joined, facts_of(device_session().device));
    gemm<T> multiply_joined(device_session().queue, {.policy = joins ? joined : in_parts});
    std::uint64_t seed = 1;
    for (const auto& [m, n, k] : {std::array{1, 1, 1}, std::array{15, 17, 9}, std::array{16, 16, 8},
                                  std::array{33, 5, 40}}) {
      for (const transposition op : {transposition::none, transposition::conjugate}) {
        product p{.m = m, .n = n, .k = k, .alpha = {2, -1}, .beta = {-1, 3}, .integers = 3};
        if (!facts_of(scalar_of<T>).is_complex) p.alpha = 2, p.beta = -1;
        p.a.op = p.b.op = op;
        p.seed = seed++;
        CHECK(complaint_about<T>(device_session(), multiply, p) == "");
        CHECK(complaint_about<T>(device_session(), multiply_in_parts, p) == "");
        CHECK(complaint_about<T>(device_session(), multiply_joined, p) == "");
      }
    }
  }
}

/// C = alpha A B + beta C of 5 x 7, in bits, where nothing is multiplied: alpha is 0, or k.
template <class T>
std::vector<T> scaled(accumulator_t<T> alpha, accumulator_t<T> beta, std::vector<T> c, int k,
                      bool swapped, bool by_offsets) {
  const session& s = device_session();
  gemm<T> multiply(s.queue, {.policy = small});
  const std::size_t size = c.size();
  c.insert(c.end(), c.begin(), c.end());  // a batch of two
  guarded_buffer<T> A(s, std::vector<T>(70, not_a_number<T>()), T(9.f)), C(s, c, T(9.f));
  guarded_buffer<std::int64_t> starts(
      s, std::vector<std::int64_t>{static_cast<std::int64_t>(size), 0}, 0);
  auto out = matrix<T>(C.buffer(), 5, 7);
  if (swapped) out = out.column_major();
  out = by_offsets ? out.batch(2, starts.buffer()) : out.batch(2, static_cast<std::int64_t>(size));
  multiply(alpha, matrix<T>(A.buffer(), 5, k).batch(2, 0), matrix<T>(A.buffer(), k, 7).batch(2, 0),
           beta, out);
  std::vector<T> got = C.read();
  CHECK(C.intact());
  CHECK(same_bits(got.data(), got.data() + size, size));
  got.resize(size);
  return got;
}

template <class T> void nothing_multiplied() {
  using factor = accumulator_t<T>;
  draw d(3);
  std::vector<T> c(35);
  for (T& x : c) x = random_element<T>(d);
  c[0] = T(-0.f), c[1] = T(infinity), c[2] = not_a_number<T>();
  if constexpr (facts_of(scalar_of<T>).is_complex) c[3] = {-0.f, -1.f}, c[4] = {-infinity, -0.f};
  for (const bool swapped : {false, true}) {
    for (const bool by_offsets : {false, true}) {
      for (const auto& [alpha, k] : {std::pair{0.f, 3}, std::pair{infinity, 0},
                                     std::pair{not_number, 0}, std::pair{0.f, 0}}) {
        const std::vector<T> as_before =
            scaled<T>(factor(alpha), factor(1), c, k, swapped, by_offsets);
        CHECK(same_bits(as_before.data(), c.data(), c.size()));
        const std::vector<T> zero = scaled<T>(factor(alpha), factor(0), c, k, swapped, by_offsets),
                             zeros(35, T(0.f));
        CHECK(same_bits(zero.data(), zeros.data(), zeros.size()));
        const std::vector<T> half_of =
            scaled<T>(factor(alpha), factor(0.5f), c, k, swapped, by_offsets);
        for (std::size_t i = 5; i < c.size(); ++i)
          CHECK(within<T>(half_of[i], widened<T>(c[i]) / static_cast<wide_real<T>>(2),
                          stored_error<T>(std::abs(widened<T>(c[i])), 0)));
      }
    }
  }
}

}  // namespace

TEST_CASE("a product known by heart") {
  gemm<float> multiply(device_session().queue);
  CHECK(run(multiply, 1, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, 0, {0, 0, 0, 0}, 2, 2, 3) ==
        std::vector<float>{58, 64, 139, 154});
  CHECK(run(multiply, 2, {1, 2, 3, 4, 5, 6}, {7, 8, 9, 10, 11, 12}, -1, {1, 2, 3, 4}, 2, 2, 3) ==
        std::vector<float>{115, 126, 275, 304});
}

TEST_CASE("sums of small integers are exact in float") { integers_are_exact<float>(); }
TEST_CASE("sums of small integers are exact in double") { integers_are_exact<double>(); }
TEST_CASE("sums of small integers are exact in half") { integers_are_exact<half>(); }
TEST_CASE("sums of small integers are exact in int8") { integers_are_exact<std::int8_t>(); }
TEST_CASE("sums of small integers are exact in float8 e4m3") { integers_are_exact<float8_e4m3>(); }
TEST_CASE("sums of small integers are exact in float8 e5m2") { integers_are_exact<float8_e5m2>(); }
TEST_CASE("sums of small integers are exact in complex float") {
  integers_are_exact<std::complex<float>>();
}
TEST_CASE("sums of small integers are exact in complex double") {
  integers_are_exact<std::complex<double>>();
}

TEST_CASE("with k = 0 or alpha = 0 the product is beta C, and A and B are not read") {
  for (const gemm_policy& policy : {small, single_item}) {
    gemm<float> multiply(device_session().queue, {.policy = policy});
    CHECK(run(multiply, 5, {}, {}, 2, {1, 2, 3, 4, 5, 6}, 2, 3, 0) ==
          std::vector<float>{2, 4, 6, 8, 10, 12});
    CHECK(run(multiply, 5, {}, {}, 0,
              {not_number, not_number, not_number, not_number, not_number, not_number}, 2, 3,
              0) == std::vector<float>(6));
    CHECK(run(multiply, 0, {not_number, infinity}, {not_number, not_number}, 2, {1, 2, 3, 4}, 2, 2,
              1) == std::vector<float>{2, 4, 6, 8});
    CHECK(run(multiply, 0, {not_number, infinity}, {not_number, not_number}, 0,
              {not_number, not_number, not_number, not_number}, 2, 2, 1) == std::vector<float>(4));
  }
}

TEST_CASE("as BLAS has it, C = beta C where alpha or k is 0: float") {
  nothing_multiplied<float>();
}
TEST_CASE("as BLAS has it, C = beta C where alpha or k is 0: half") { nothing_multiplied<half>(); }
TEST_CASE("as BLAS has it, C = beta C where alpha or k is 0: double") {
  nothing_multiplied<double>();
}
TEST_CASE("as BLAS has it, C = beta C where alpha or k is 0: complex float") {
  nothing_multiplied<std::complex<float>>();
}
TEST_CASE("as BLAS has it, C = beta C where alpha or k is 0: complex double") {
  nothing_multiplied<std::complex<double>>();
}

TEST_CASE("alpha = 0 and beta = 1 leave -0 as it is, and the wait list is waited for") {
  gemm<float> multiply(device_session().queue);
  const std::vector<float> c = run(multiply, 0, {1.f}, {1.f}, 1, {-0.f}, 1, 1, 1);
  CHECK(std::signbit(c[0]));
  const std::vector<float> inf = run(multiply, infinity, {}, {}, 2, {3.f}, 1, 1, 0);
  CHECK(inf[0] == 6);
}

TEST_CASE("a product without elements does nothing, and its event completes") {
  const session& s = device_session();
  gemm<float> multiply(s.queue);
  const std::vector<float> before{1, 2, 3, 4};
  guarded_buffer<float> X(s, before, 99.f);
  const auto x = [&](int rows, int cols) { return matrix<float>(X.buffer(), rows, cols); };
  const auto none = [](int rows, int cols) { return matrix<float>(cl::Buffer(), rows, cols); };
  wait_for(multiply(1, none(0, 2), x(2, 2), 0, none(0, 2)));
  wait_for(multiply(1, x(2, 2), none(2, 0), 0, none(2, 0)));
  wait_for(multiply(1, none(0, 0), none(0, 0), 0, none(0, 0)));
  wait_for(multiply(1, x(2, 2).batch(0, 4), x(2, 2).batch(0, 4), 0, none(2, 2).batch(0, 4)));
  CHECK(X.read() == before);
  const std::string nothing = multiply.explain(none(0, 2), x(2, 2), none(0, 2)),
                    no_steps = multiply.explain(x(2, 0), x(0, 2), x(2, 2));
  CHECK(nothing.starts_with("gemm of float, C 0 x 2, k 2, batch 1, "));
  CHECK(nothing.find(": nothing to do, C has no element\n") != std::string::npos);
  CHECK(no_steps.starts_with("gemm of float, C 2 x 2, k 0, batch 1, "));
  CHECK(no_steps.find(": nothing to multiply, C = beta C") != std::string::npos);
  CHECK(multiply.workspace_bytes(none(0, 2), x(2, 2), none(0, 2)) == 0);
  CHECK_NOTHROW(multiply.prepare(none(0, 2), x(2, 2), none(0, 2)));
}

TEST_CASE("beta = 0 does not let NaN or infinity of C through, beta != 0 does") {
  for (const gemm_policy& policy : {small, single_item}) {
    for (const int splits : {1, 2, -2}) {
      gemm_policy p = policy;
      p.split_k = std::abs(splits);
      if (splits < 0) p.finish = gemm_finish::last_group_fenced;
      if (!has_finish(p, facts_of(device_session().device))) continue;
      gemm<float> multiply(device_session().queue, {.policy = p});
      const std::vector<float> a(20, 1.f), b(20, 1.f);  // two steps along k
      CHECK(run(multiply, 1, a, b, 0, {not_number}, 1, 1, 20) == std::vector<float>{20});
      CHECK(run(multiply, 1, a, b, 0, {-infinity}, 1, 1, 20) == std::vector<float>{20});
      CHECK(run(multiply, 1, a, b, -0.f, {not_number}, 1, 1, 20) == std::vector<float>{20});
      CHECK(std::isnan(run(multiply, 1, a, b, 1, {not_number}, 1, 1, 20)[0]));
      CHECK(run(multiply, 1, a, b, 1, {-infinity}, 1, 1, 20)[0] == -infinity);
      CHECK(std::isnan(run(multiply, 1, a, b, not_number, {1}, 1, 1, 20)[0]));
      CHECK(std::isnan(run(multiply, not_number, a, b, 0, {1}, 1, 1, 20)[0]));
      CHECK(run(multiply, infinity, a, b, 0, {1}, 1, 1, 20)[0] == infinity);
    }
  }
}

TEST_CASE("NaN and infinity of A and B reach their row and column of C, and nothing else") {
  constexpr int m = 19, n = 21, k = 11;
  for (const gemm_policy& policy : {small, single_item}) {
    for (const int splits : {1, 2, -2}) {
      gemm_policy p = policy;
      p.split_k = std::abs(splits);
      if (splits < 0) p.finish = gemm_finish::last_group_fenced;
      if (!has_finish(p, facts_of(device_session().device))) continue;
      gemm<float> multiply(device_session().queue, {.policy = p});
      for (const float odd : {not_number, infinity}) {
        for (const int at : {0, 2, 10}) {  // in the short first step, and in the last
          std::vector<float> a(m * k, 1.f), b(k * n, 2.f);
          a[static_cast<std::size_t>(18 * k + at)] = odd;
          b[static_cast<std::size_t>(at * n + 20)] = odd;
          const std::vector<float> c =
              run(multiply, 1, a, b, 0, std::vector<float>(m * n, 0.f), m, n, k);
          int wrong = 0;
          for (int i = 0; i < m; ++i) {
            for (int j = 0; j < n; ++j) {
              const float x = c[static_cast<std::size_t>(i * n + j)];
              const bool hit = i == 18 || j == 20;
              const bool right = !hit              ? x == 2 * k
                                 : std::isnan(odd) ? std::isnan(x)
                                                   : x == infinity;
              wrong += right ? 0 : 1;
            }
          }
          CHECK(wrong == 0);
        }
      }
      // 0 times infinity is NaN, not a zero that somebody skipped
      CHECK(std::isnan(run(multiply, 1, {0.f}, {infinity}, 0, {0.f}, 1, 1, 1)[0]));
    }
  }
}

TEST_CASE("half overflows to infinity, and keeps subnormals") {
  const session& s = device_session();
  gemm<half> multiply(s.queue);
  const auto one = [&](float a, float b, float alpha) {
    const std::vector<half> A{half(a)}, B{half(b)}, C{half(0.f)};
    guarded_buffer<half> x(s, A, half(1.f)), y(s, B, half(1.f)), z(s, C, half(1.f));
    multiply(alpha, matrix<half>(x.buffer(), 1, 1), matrix<half>(y.buffer(), 1, 1), 0,
             matrix<half>(z.buffer(), 1, 1));
    return static_cast<float>(z.read()[0]);
  };
  CHECK(one(60000.f, 2.f, 1.f) == infinity);
  CHECK(one(60000.f, 2.f, 0.5f) == static_cast<float>(half(60000.f)));  // the sum is a float
  CHECK(one(0x1p-12f, 0x1p-12f, 1.f) == 0x1p-24f);
  CHECK(one(0x1p-13f, 0x1p-12f, 1.f) == 0.f);               // a tie, to even
  CHECK(one(1.f, 1.f, 1.f + 0x1p-11f) == 1.f);              // likewise
  CHECK(one(1.f, 1.f, 1.f + 0x1.8p-10f) == 1.f + 0x1p-9f);  // likewise, upwards
}

TEST_CASE("matrices of a batch may lie side by side in wide rows") {
  const session& s = device_session();
  gemm<float> multiply(s.queue, {.policy = small});
  constexpr int m = 5, n = 3, k = 2, count = 4;
  std::vector<float> a(m * k * count), b(k * n * count), c(m * n * count, not_number);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = static_cast<float>(i % 7);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = static_cast<float>(i % 5);
  guarded_buffer<float> A(s, a, not_number), B(s, b, not_number), C(s, c, not_number);
  multiply(1, matrix<float>(A.buffer(), m, k).ld(k * count).batch(count, k),
           matrix<float>(B.buffer(), k, n).ld(n * count).batch(count, n), 0,
           matrix<float>(C.buffer(), m, n).ld(n * count).batch(count, n));
  const std::vector<float> got = C.read();
  for (std::size_t q = 0; q < count; ++q) {
    for (std::size_t i = 0; i < m; ++i) {
      for (std::size_t j = 0; j < n; ++j) {
        float sum = 0;
        for (std::size_t l = 0; l < k; ++l)
          sum += a[i * k * count + q * k + l] * b[l * n * count + q * n + j];
        CHECK(got[i * n * count + q * n + j] == sum);
      }
    }
  }
}

TEST_CASE("slices of k that cut the vectors of the padded tile read the right rows") {
  for (const auto& [slices, tile_k, vector] :
       {std::array{4, 8, 4}, std::array{3, 12, 4}, std::array{2, 24, 8}, std::array{4, 8, 8}}) {
    gemm_policy policy = small;
    policy.slices_k = slices;
    policy.tile_k = tile_k;
    policy.vector = vector;
    for (const buffering buffer : {buffering::single, buffering::registers}) {
      policy.buffer = buffer;
      policy.stages = buffer == buffering::single ? 1 : 2;
      gemm<float> multiply(device_session().queue, {.policy = policy});
      product p{.m = 32, .n = 32, .k = 72, .integers = 3};
      p.b.order = layout::column_major;  // both operands along k
      CAPTURE(to_string(policy));
      CHECK(complaint_about<float>(device_session(), multiply, p) == "");
    }
  }
}

namespace {

template <class T, class Out = T> void rows_lie_flat() {
  const gemm_policy flat{.tile_m = 32,
                         .tile_n = 16,
                         .tile_k = 8,
                         .per_item_m = 4,
                         .per_item_n = 4,
                         .lanes_m = 4,
                         .lanes_n = 2,
                         .vector_m = 1,
                         .vector_n = 2,
                         .stage_c = staging::local};
  for (const epilogue_kind epilogue : {epilogue_kind::none, epilogue_kind::column_bias}) {
    gemm<T, tuned_policy, Out> multiply(device_session().queue,
                                        {.policy = flat, .epilogue = epilogue_of<T>(epilogue)});
    // Rows of up to the tile's width, tiles that are moved inside and cut, each place in a word.
    for (const int n : {1, 3, 7, 13, 15}) {
      for (const int m : {1, 5, 32, 37, 70}) {
        product p{.m = m, .n = n, .k = 9, .batch = 3, .epilogue = epilogue, .integers = 3};
        p.c.offset = (m + n) % 9;
        p.c.gap = n % 3;
        p.beta = m == 37 ? 0.5 : 0;
        CAPTURE(m);
        CAPTURE(n);
        CHECK(complaint_about<T>(device_session(), multiply, p) == "");
      }
    }
  }
}

}  // namespace

TEST_CASE("rows of C that lie one after another are stored as one run of memory") {
  rows_lie_flat<float>();
  rows_lie_flat<half>();
  rows_lie_flat<half, float>();
  rows_lie_flat<bfloat16>();
}
