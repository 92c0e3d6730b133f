// Products of float that may be split, or cut to TF32: what the copies hold, what is chosen, and
// how exact the result is on the device of the test.

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/other_devices.hpp"
#include "support/random.hpp"
#include "support/refusal.hpp"

using namespace clprim;
using support::device_copy;
using support::device_session;
using support::draw;

namespace {

constexpr float inf = std::numeric_limits<float>::infinity();

/// Rounded to TF32, ties away from zero: ten bits behind the leading one are left.
float tf32(float x) {
  return std::bit_cast<float>((std::bit_cast<std::uint32_t>(x) + 0x1000u) & 0xffffe000u);
}

template <class T> std::vector<T> read(const session& s, const cl::Buffer& from, std::size_t n) {
  std::vector<T> into(n);
  check(clEnqueueReadBuffer(s.queue(), from(), CL_TRUE, 0, n * sizeof(T), into.data(), 0, nullptr,
                            nullptr),
        "clEnqueueReadBuffer");
  return into;
}

/// An operand of lines x k elements, lines along k or across it, copied by the packing kernel.
struct turned_copy {
  std::vector<float> values;
  packed_lines lines;
  cl_uint mark = 0;
};
turned_copy turn(const std::vector<float>& from, int lines, int k, bool along_k, int batch,
                 gemm_precision precision) {
  const session& s = device_session();
  gemm_kind kind;
  kind.m = kind.n = lines, kind.k = k, kind.batch = batch;
  kind.a = {.along_k = along_k, .leading = along_k ? k : lines};
  const packed_lines to = packed_lines_of(kind.a, lines, kind, scalar::float_,
                                          copies_of(scalar::float_, precision, true));
  const gemm_pack_variant v{.group = finish_group_of(facts_of(s.device)),
                            .turned = true,
                            .same_way = along_k,
                            .parts = parts_of(precision)};
  const gemm_pack_plan plan = build_pack_plan(v, s.context, s.device);
  const cl::Buffer source = device_copy(s, from);
  const cl::Buffer into =
      device_copy(s, std::vector<float>(static_cast<std::size_t>(to.elements()), -7.f));
  const cl::Buffer unsafe = device_copy(s, std::vector{0.f});
  gemm_matrix x{.memory = source(), .leading = kind.a.leading};
  x.stride = std::int64_t{lines} * k;
  const gemm_matrix packed = detail::packed_matrix(x, to, into(), 0);
  detail::set_packing(plan.pack(), x, to, packed);
  if (v.parts == 2) detail::set_guard(plan.pack(), detail::gemm_pack_arguments, unsafe(), 5);
  enqueue(s.queue(), plan.pack(), gemm_pack_launch(to, v), {}, completion::none);
  return {read<float>(s, into, static_cast<std::size_t>(to.elements())), to,
          read<cl_uint>(s, unsafe, 1)[0]};
}

/// C of a product on the test's device, row-major operands.
std::vector<float> multiplied(const std::vector<float>& a, const std::vector<float>& b, int m,
                              int n, int k, const gemm_options& options) {
  const session& s = device_session();
  const cl::Buffer in_a = device_copy(s, a), in_b = device_copy(s, b),
                   out = device_copy(s, std::vector<float>(static_cast<std::size_t>(m * n), 9.f));
  gemm<float> multiply(s.queue, options);
  multiply(1, matrix<float>(in_a, m, k), matrix<float>(in_b, k, n), 0, matrix<float>(out, m, n));
  return read<float>(s, out, static_cast<std::size_t>(m * n));
}

/// The largest |C - C_ref| / (|A| |B|), in units of float's epsilon.
double worst_error(const std::vector<float>& a, const std::vector<float>& b,
                   const std::vector<float>& c, int m, int n, int k) {
  double worst = 0;
  for (int i = 0; i < m; ++i) {
    for (int j = 0; j < n; ++j) {
      double sum = 0, size = 0;
      for (int l = 0; l < k; ++l) {
        const double x = double{a[static_cast<std::size_t>(i * k + l)]} *
                         double{b[static_cast<std::size_t>(l * n + j)]};
        sum += x, size += std::abs(x);
      }
      const double error = std::abs(double{c[static_cast<std::size_t>(i * n + j)]} - sum);
      if (size > 0) worst = std::max(worst, error / size);
    }
  }
  return worst / 0x1p-23;
}

device_facts hopper() { return support::h200(); }

gemm_schedule scheduled(int m, int n, int k, const device_facts& device, gemm_precision precision,
                        std::size_t room = std::size_t{1} << 34) {
  gemm_kind kind;
  kind.m = m, kind.n = n, kind.k = k;
  kind.a = {.along_k = true, .leading = k, .alignment = 16};
  kind.b = {.leading = n, .alignment = 16};
  kind.c = {.leading = n, .alignment = 16};
  return schedule_for(kind, {}, false, room, sizeof(float), scalar::float_, device, precision);
}

}  // namespace

TEST_CASE("a split copy holds each float as two TF32 numbers, in lines along k" *
          doctest::test_suite("oclgrind")) {
  for (const bool along_k : {true, false}) {
    for (const std::array<int, 3>& shape :
         {std::array{1, 1, 1}, {33, 31, 2}, {64, 64, 1}, {5, 97, 3}}) {
      const int lines = shape[0], k = shape[1], batch = shape[2];
      CAPTURE(along_k);
      CAPTURE(lines);
      CAPTURE(k);
      draw d(7);
      std::vector<float> from(static_cast<std::size_t>(lines * k * batch));
      for (float& x : from)
        x = std::ldexp(static_cast<float>(d.between(-99999, 99999)), d.between(-60, 60));
      const turned_copy copy = turn(from, lines, k, along_k, batch, gemm_precision::split_tf32);
      REQUIRE(copy.lines.pitch == (k + 15) / 16 * 32);
      CHECK(copy.mark == 0);
      std::size_t wrong = 0;
      for (int at = 0; at < batch * lines; ++at) {
        for (int i = 0; i < copy.lines.pitch / 2; ++i) {
          const int line = at % lines, matrix = at / lines;
          const int place = matrix * lines * k + (along_k ? line * k + i : i * lines + line);
          const float x = i < k ? from[static_cast<std::size_t>(place)] : 0;
          const auto first = static_cast<std::size_t>(at * copy.lines.pitch + i / 16 * 32 + i % 16);
          wrong += copy.values[first] == tf32(x) ? 0u : 1u;
          wrong += copy.values[first + 16] == tf32(x - tf32(x)) ? 0u : 1u;
        }
      }
      CHECK(wrong == 0);
    }
  }
}

TEST_CASE("a copy for TF32 turns lines across k, elements as they are" *
          doctest::test_suite("oclgrind")) {
  const int lines = 45, k = 70;
  std::vector<float> from(static_cast<std::size_t>(lines * k));
  for (std::size_t i = 0; i < from.size(); ++i) from[i] = 1 + static_cast<float>(i) * 0x1p-20f;
  from[3] = inf, from[4] = -0.f, from[5] = std::numeric_limits<float>::denorm_min();
  const turned_copy copy = turn(from, lines, k, false, 1, gemm_precision::tf32);
  REQUIRE(copy.lines.before == 2);  // whole accesses of four elements, counted from k's end
  std::size_t wrong = 0;
  for (int line = 0; line < lines; ++line) {
    for (int i = 0; i < copy.lines.pitch; ++i) {
      const int l = i - 2;
      const float x = l >= 0 && l < k ? from[static_cast<std::size_t>(l * lines + line)] : 0;
      const float got = copy.values[static_cast<std::size_t>(line * copy.lines.pitch + i)];
      wrong += std::bit_cast<std::uint32_t>(got) == std::bit_cast<std::uint32_t>(x) ? 0u : 1u;
    }
  }
  CHECK(wrong == 0);
}

TEST_CASE("a copy marks the call where an element is none that two TF32 numbers hold" *
          doctest::test_suite("oclgrind")) {
  const float last = std::nextafter(0x1p127f, 0.f), first = 0x1p-100f;
  const struct {
    float value;
    bool marked;
  } cases[] = {{0, false},        {-0.f, false},      {1, false},
               {last, false},     {-last, false},     {first, false},
               {-first, false},   {0x1p127f, true},   {-0x1.8p127f, true},
               {inf, true},       {-inf, true},       {std::nanf(""), true},
               {0x1p-149f, true}, {-0x1p-126f, true}, {std::nextafter(first, 0.f), true}};
  for (const auto& one : cases) {
    const float value = one.value;
    CAPTURE(value);
    for (const std::size_t at : {std::size_t{0}, std::size_t{70 * 40 - 1}, std::size_t{1234}}) {
      std::vector<float> from(70 * 40, 1.f);
      from[at] = value;
      CHECK(turn(from, 70, 40, true, 1, gemm_precision::split_tf32).mark == (one.marked ? 5u : 0u));
    }
  }
}

TEST_CASE("matrix units multiply floats where they are allowed to, and it pays") {
  const auto of = [](const gemm_schedule& s) { return s.variant.precision; };
  using enum gemm_precision;
  for (const gemm_precision wish : {split_tf32, tf32}) {
    CHECK(of(scheduled(4096, 4096, 4096, hopper(), wish)) == wish);
    CHECK(of(scheduled(8192, 8192, 8192, hopper(), wish)) == wish);
    CHECK(of(scheduled(32, 32, 32, hopper(), wish)) == full);
    CHECK(of(scheduled(4096, 4096, 4096, hopper(), wish, 1000)) == full);
    CHECK(of(scheduled(4096, 4096, 4096, support::a100(), wish)) == full);
  }
  CHECK(of(scheduled(4096, 4096, 4096, hopper(), full)) == full);
  const gemm_schedule split = scheduled(4096, 4096, 1000, hopper(), split_tf32);
  CHECK(split.variant.a.along_k);
  CHECK(split.variant.b.along_k);
  CHECK(split.variant.guard == gemm_guard::safe);
  CHECK(split.policy.tile_k == 32);
}

TEST_CASE("a precision that no unit serves leaves the choice of the plain product alone") {
  device_facts plain = hopper();
  plain.warp_group_products = false;
  for (const bool along_k : {false, true}) {
    for (const int size : {65, 1000, 4096}) {
      const gemm_kind kind{.m = size,
                           .n = size,
                           .k = size,
                           .a = {.along_k = along_k, .leading = size, .alignment = 1},
                           .b = {.along_k = !along_k, .leading = size, .alignment = 1},
                           .c = {.leading = size, .alignment = 1}};
      const auto chosen = [&](gemm_precision precision) {
        return schedule_for(kind, {}, false, std::size_t{1} << 30, 4, scalar::float_, plain,
                            precision);
      };
      for (const gemm_precision one : {gemm_precision::split_tf32, gemm_precision::tf32})
        CHECK((chosen(one) == chosen(gemm_precision::full)));
    }
  }
}

TEST_CASE("every row of matrix units for float keeps the rules, and its text is written") {
  using enum gemm_precision;
  for (const gemm_precision precision : {split_tf32, tf32}) {
    for (const gemm_row& row : gemm_table_of(hopper(), scalar::float_, precision).rows) {
      CAPTURE(to_string(row.policy));
      REQUIRE_NOTHROW(check_rules(row.policy));
      REQUIRE_NOTHROW(check_device_rules(row.policy, scalar::float_, hopper(), precision));
      gemm_variant v{.precision = precision};
      v.a = v.b = {.along_k = true, .alignment = 4, .packed = true};
      const std::string text = gemm_source(row.policy, v);
      CHECK(text.find("f32.tf32.tf32") != std::string::npos);
      CHECK((text.find("#define SUMS_STEPS 1") != std::string::npos) == (precision == split_tf32));
    }
  }
}

TEST_CASE("a precision is for float, and a policy of wgmma for the precision it needs") {
  const session& s = device_session();
  CHECK(support::refused([&] {
          gemm<double>(s.queue, {.precision = gemm_precision::split_tf32});
        }) == "the precision of a product of double must be full: split_tf32 given, full");
  CHECK_THROWS_AS(gemm<float>(s.queue, {.policy = gemm_tables::wgmma_float(128, 128, 3)}),
                  policy_error);
}

TEST_CASE("explain says why a precision is not used") {
  const session& s = device_session();
  const cl::Buffer memory = device_copy(s, std::vector<float>(64 * 64, 1.f)),
                   out = device_copy(s, std::vector<float>(64 * 64, 1.f));
  const auto X = matrix<float>(memory, 64, 64), C = matrix<float>(out, 64, 64);
  const auto told = [&](gemm_options options) {
    return gemm<float>(s.queue, std::move(options)).explain(X, X, C);
  };
  CHECK(told({}).find("precision") == std::string::npos);
  CHECK(told({.policy = gemm_policy{}, .precision = gemm_precision::tf32})
            .find("precision  tf32 is not used: the policy's instruction is not wgmma") !=
        std::string::npos);
  CHECK(told({.portable = true, .precision = gemm_precision::split_tf32})
            .find("precision  split_tf32 is not used: nothing but OpenCL C is asked for") !=
        std::string::npos);
  CHECK(told({.precision = gemm_precision::split_tf32}).find("split_tf32 is not used: ") !=
        std::string::npos);
}

TEST_CASE("a product that may be split is as exact as one of float, whatever it is made of") {
  draw d(11);
  for (const std::array<int, 3>& shape :
       {std::array{160, 200, 700}, {129, 64, 33}, {64, 257, 1025}, {300, 300, 32}}) {
    const int m = shape[0], n = shape[1], k = shape[2];
    for (const char* const of : {"random", "graded", "cancelling", "scaled"}) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(of);
      std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
      const auto any = [&] { return static_cast<float>(d.between(-1000000, 1000000)) * 0x1p-20f; };
      for (float& x : a) x = any();
      for (float& x : b) x = any();
      for (int l = 0; l < k; ++l) {
        const int shift = std::string(of) == "graded" ? l % 61 - 30 : 0;
        for (int i = 0; i < m; ++i) {
          float& x = a[static_cast<std::size_t>(i * k + l)];
          x = std::ldexp(x, shift);
          if (std::string(of) == "cancelling" && l % 2 == 1)
            x = -a[static_cast<std::size_t>(i * k + l - 1)];
          if (std::string(of) == "scaled") x = std::ldexp(x, i % 100 - 50);
        }
        for (int j = 0; j < n; ++j) {
          float& x = b[static_cast<std::size_t>(l * n + j)];
          x = std::ldexp(x, -shift);
          if (std::string(of) == "cancelling" && l % 2 == 1)
            x = b[static_cast<std::size_t>((l - 1) * n + j)];
        }
      }
      const gemm_precision split = gemm_precision::split_tf32;
      const double plain = worst_error(a, b, multiplied(a, b, m, n, k, {}), m, n, k);
      const double units =
          worst_error(a, b, multiplied(a, b, m, n, k, {.precision = split}), m, n, k);
      // Each of six products of 16 elements cuts off an epsilon, splitting costs one and a half,
      // and every 16 elements of k are added up with half of one more.
      const double bound = 7.5 + k / 32.0;
      CHECK(units <= std::max(plain, bound));
      // The plain kernel adds up parts of k as well, as many as suit the device.
      if (k >= 256) CHECK(units <= 1.5 * plain);
      if (!facts_of(device_session().device).warp_group_products) continue;
      // All of k one after the other, both.
      gemm_policy whole = gemm_tables::wgmma_float(64, 64, 3), of_items;
      whole.split_k = of_items.split_k = 1;
      const double alone = worst_error(
          a, b, multiplied(a, b, m, n, k, {.policy = whole, .precision = split}), m, n, k);
      CHECK(alone <= bound);
      if (k >= 256)
        CHECK(alone <= worst_error(a, b, multiplied(a, b, m, n, k, {.policy = of_items}), m, n, k));
      const gemm_options demanded{.policy = gemm_tables::wgmma_float(64, 64, 4),
                                  .precision = gemm_precision::tf32};
      CHECK(worst_error(a, b, multiplied(a, b, m, n, k, demanded), m, n, k) <= 2.25 * 0x1p13);
    }
  }
}

TEST_CASE("elements that cannot be split are multiplied in full") {
  const int m = 150, n = 130, k = 300;
  draw d(5);
  std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
  for (float& x : a) x = static_cast<float>(d.between(-100, 100));
  for (float& x : b) x = static_cast<float>(d.between(-100, 100));
  gemm_options options{.precision = gemm_precision::split_tf32};
  if (facts_of(device_session().device).warp_group_products)
    options.policy = gemm_tables::wgmma_float(128, 128, 3);
  const std::vector<float> safe = multiplied(a, b, m, n, k, options);
  for (const float special : {inf, -inf, std::nanf(""), 0x1.8p127f, 0x1p-149f, 0x1p-120f}) {
    CAPTURE(special);
    std::vector<float> other = a;
    other[7 * 300 + 11] = special;
    const std::vector<float> c = multiplied(other, b, m, n, k, options);
    const std::vector<float> plain = multiplied(other, b, m, n, k, {});
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < c.size(); ++i) {
      const bool nan = std::isnan(c[i]) && std::isnan(plain[i]);
      // Sums of whole numbers are exact, in whichever order.
      wrong += nan || c[i] == plain[i] || (i / 130 == 7 && std::abs(c[i] / plain[i] - 1) < 1e-5f)
                   ? 0u
                   : 1u;
      if (i / 130 != 7) wrong += c[i] == safe[i] ? 0u : 1u;
    }
    CHECK(wrong == 0);
  }
}
