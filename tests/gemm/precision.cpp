// Products of float that may be split, or cut to TF32: what the copies hold, what is chosen, and
// how exact the result is on the device of the test.

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <limits>
#include <string>
#include <tuple>
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
  std::vector<std::byte> bytes;
  packed_lines lines;
  cl_uint mark = 0;
  std::vector<cl_int> scales;  ///< of the lines, where they are scaled

  template <class E> E at(std::int64_t i) const {
    E one;
    std::memcpy(&one, bytes.data() + static_cast<std::size_t>(i) * sizeof(E), sizeof(E));
    return one;
  }
};
turned_copy turn(const std::vector<float>& from, int lines, int k, bool along_k, int batch,
                 gemm_precision precision) {
  const session& s = device_session();
  gemm_kind kind;
  kind.m = kind.n = lines, kind.k = k, kind.batch = batch;
  kind.a = {.along_k = along_k, .leading = along_k ? k : lines};
  const scalar copied = multiplied_type(scalar::float_, precision);
  const packed_lines to =
      packed_lines_of(kind.a, lines, kind, copied, copies_of(copied, precision, true));
  const bool split = parts_of(precision) == 2;
  const gemm_pack_variant v{.group = finish_group_of(facts_of(s.device)),
                            .turned = true,
                            .same_way = along_k,
                            .split = split ? precision : gemm_precision::full,
                            .inline_ptx = facts_of(s.device).inline_ptx};
  const gemm_pack_plan plan = build_pack_plan(v, s.context, s.device);
  const cl::Buffer source = device_copy(s, from);
  const std::size_t bytes =
      static_cast<std::size_t>(to.elements()) * static_cast<std::size_t>(facts_of(copied).bytes);
  const cl::Buffer into = device_copy(s, std::vector<std::byte>(bytes, std::byte{0xee}));
  const cl::Buffer unsafe = device_copy(s, std::vector{0.f});
  const auto all_lines = static_cast<std::size_t>(lines * batch);
  const cl::Buffer scales = device_copy(s, std::vector<cl_int>(all_lines * 9, -77));
  gemm_matrix x{.memory = source(), .leading = kind.a.leading};
  x.stride = std::int64_t{lines} * k;
  const gemm_matrix packed = detail::packed_matrix(x, to, into(), 0);
  const detail::line_places places = detail::places_of(to, k, scales(), 0);
  if (scales_lines(precision)) {
    const gemm_measure_variant m{.along_k = along_k, .group = v.group};
    const gemm_measure_plan measuring = build_measure_plan(m, s.context, s.device);
    detail::set_measuring(measuring.measure(), x, to, places);
    enqueue(s.queue(), measuring.measure(), gemm_measure_launch(to, m, k), {}, completion::none);
    detail::set_lines(plan.pack(), detail::gemm_pack_arguments + 2, places);
  }
  detail::set_packing(plan.pack(), x, to, packed);
  if (split) detail::set_way(plan.pack(), detail::gemm_pack_arguments, {unsafe(), 5});
  enqueue(s.queue(), plan.pack(), gemm_pack_launch(to, v), {}, completion::none);
  return {read<std::byte>(s, into, bytes), to, read<cl_uint>(s, unsafe, 1)[0],
          read<cl_int>(s, scales, all_lines)};
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

/// Operands along k and across it that squares do not fit; the last one's lines are `longest`.
template <class Check> void each_operand(int longest, Check check) {
  for (const bool along_k : {true, false}) {
    for (const std::array<int, 3>& shape :
         {std::array{1, 1, 1}, {33, 31, 2}, {64, 64, 1}, {5, longest, 3}}) {
      const int lines = shape[0], k = shape[1], batch = shape[2];
      CAPTURE(along_k);
      CAPTURE(lines);
      CAPTURE(k);
      check(along_k, lines, k, batch);
    }
  }
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
  each_operand(97, [](bool along_k, int lines, int k, int batch) {
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
        const std::int64_t first = at * copy.lines.pitch + i / 16 * 32 + i % 16;
        wrong += copy.at<float>(first) == tf32(x) ? 0u : 1u;
        wrong += copy.at<float>(first + 16) == tf32(x - tf32(x)) ? 0u : 1u;
      }
    }
    CHECK(wrong == 0);
  });
}

TEST_CASE("a copy in halves holds each float of a scaled line, in lines along k" *
          doctest::test_suite("oclgrind")) {
  each_operand(1097, [](bool along_k, int lines, int k, int batch) {
    draw d(7);
    std::vector<float> from(static_cast<std::size_t>(lines * k * batch));
    const auto place = [&](int at, int i) {
      const int line = at % lines, matrix = at / lines;
      return static_cast<std::size_t>(matrix * lines * k +
                                      (along_k ? line * k + i : i * lines + line));
    };
    for (int at = 0; at < batch * lines; ++at) {
      const int range = d.between(-95, 120);  // of the line
      for (int i = 0; i < k; ++i)
        from[place(at, i)] =
            std::ldexp(static_cast<float>(d.between(-99999, 99999)), range - d.between(0, 10) - 17);
    }
    const turned_copy copy = turn(from, lines, k, along_k, batch, gemm_precision::split_half);
    REQUIRE(copy.lines.pitch == (k + 31) / 32 * 64);
    CHECK(copy.mark == 0);
    std::size_t wrong = 0, far = 0;
    for (int at = 0; at < batch * lines; ++at) {
      float greatest = 0;
      for (int i = 0; i < k; ++i) greatest = std::max(greatest, std::abs(from[place(at, i)]));
      const int scale = copy.scales[static_cast<std::size_t>(at)];
      const float scaled = std::ldexp(greatest, scale);
      wrong += greatest == 0 || (scaled >= 0x1p14f && scaled < 0x1p15f) ? 0u : 1u;
      for (int i = 0; i < copy.lines.pitch / 2; ++i) {
        const double x = i < k ? std::ldexp(double{from[place(at, i)]}, scale) : 0;
        const std::int64_t first = at * copy.lines.pitch + i / 32 * 64 + i % 32;
        const double greater = float(copy.at<half>(first)),
                     lesser = float(copy.at<half>(first + 32));
        wrong += std::abs(x - greater) <= std::abs(x) * 0x1p-11 + 0x1p-25 ? 0u : 1u;
        far += std::abs(x - greater - lesser * 0x1p-12) <= std::abs(x) * 0x1p-23 ? 0u : 1u;
      }
    }
    CHECK(wrong == 0);
    CHECK(far == 0);
  });
}

TEST_CASE("a copy in halves marks the call where a line reaches further than they do") {
  // The greatest element of a line is in [1, 2) and scaled by 2^14. Of k elements two halves hold
  // those of 2^-28 and more, or an eighth of k times less, 2^8 at most.
  const auto marked = [](float value, int k, std::size_t at) {
    std::vector<float> from(static_cast<std::size_t>(70 * k), 1.f);
    from[at] = value;
    return turn(from, 70, k, true, 1, gemm_precision::split_half).mark == 5u;
  };
  for (const auto& [elements, lowest] : {std::pair{12, 28}, {40, 30}, {64, 31}, {3000, 36}}) {
    const int k = elements, reach = lowest;  // CAPTURE takes no structured binding
    CAPTURE(k);
    const auto last = static_cast<std::size_t>(70 * k) - 1;
    for (const std::size_t at : {std::size_t{0}, last, std::size_t{123}}) {
      CHECK(!marked(std::ldexp(1.f, -reach), k, at));
      CHECK(marked(std::nextafter(std::ldexp(1.f, -reach), 0.f), k, at));
      CHECK(!marked(0, k, at));
      CHECK(!marked(-0.f, k, at));
      CHECK(marked(0x1p-149f, k, at));
      for (const float special : {inf, -inf, std::nanf("")}) CHECK(marked(special, k, at));
      CHECK(marked(std::ldexp(1.f, reach + 1), k, at));
    }
  }
  // Whole lines may be anywhere.
  for (const float value : {0x1p-126f, 0x1p-112f, 0x1p120f, 0x1.8p127f, 0.f}) {
    CAPTURE(value);
    const std::vector<float> from(70 * 40, value);
    CHECK(turn(from, 70, 40, false, 1, gemm_precision::split_half).mark == 0);
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
      const auto got = copy.at<float>(line * copy.lines.pitch + i);
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
  for (const gemm_precision wish : {split_half, split_tf32, tf32}) {
    CHECK(of(scheduled(4096, 4096, 4096, hopper(), wish)) == wish);
    CHECK(of(scheduled(8192, 8192, 8192, hopper(), wish)) == wish);
    CHECK(of(scheduled(32, 32, 32, hopper(), wish)) == full);
    CHECK(of(scheduled(4096, 4096, 4096, hopper(), wish, 1000)) == full);
    CHECK(of(scheduled(4096, 4096, 4096, support::a100(), wish)) ==
          (wish == split_half ? split_half : full));  // by mma.sync
  }
  CHECK(of(scheduled(4096, 4096, 4096, hopper(), full)) == full);
  const gemm_schedule split = scheduled(4096, 4096, 1000, hopper(), split_tf32);
  CHECK(split.variant.a.along_k);
  CHECK(split.variant.b.along_k);
  CHECK(is_one_of_ways(split.variant));
  CHECK(split.policy.tile_k == 32);
  const gemm_schedule halves = scheduled(4096, 4096, 1000, hopper(), split_half);
  CHECK(halves.variant.type == scalar::half_);
  CHECK(halves.variant.output() == scalar::float_);
  CHECK(halves.policy.tile_k == 64);
  // Launches weigh more than products: as exact, and fewer of them.
  CHECK(of(scheduled(1024, 1024, 1024, hopper(), split_half)) == split_tf32);
}

TEST_CASE("behind a product of halves stands that of TF32, and one in full behind both") {
  using enum gemm_precision;
  const gemm_kind kind{.m = 4096,
                       .n = 4096,
                       .k = 4096,
                       .a = {.along_k = true, .leading = 4096, .alignment = 16},
                       .b = {.leading = 4096, .alignment = 16},
                       .c = {.leading = 4096, .alignment = 16}};
  const auto behind = [&](const gemm_schedule& before, std::size_t room) {
    return way_behind(before, kind, false, room, scalar::float_, hopper());
  };
  constexpr std::size_t much = std::size_t{1} << 34;
  const gemm_schedule halves = scheduled(4096, 4096, 4096, hopper(), split_half);
  const gemm_schedule second = behind(halves, much), third = behind(second, much);
  CHECK(second.variant.precision == split_tf32);
  CHECK(second.variant.way == 1);
  CHECK(third.variant.precision == full);
  CHECK(third.variant.way == 2);
  CHECK(third.splits == 1);  // it needs no workspace
  CHECK(behind(halves, std::size_t{140} << 20).variant.precision == full);
}

TEST_CASE("a precision that no unit serves leaves the choice of the plain product alone") {
  device_facts plain = hopper();
  plain.warp_group_products = false;
  plain.compute_capability = 75;
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
      using enum gemm_precision;
      for (const gemm_precision one : {split_half, split_tf32, tf32})
        CHECK((chosen(one) == chosen(gemm_precision::full)));
    }
  }
}

TEST_CASE("every row of matrix units for float keeps the rules, and its text is written") {
  using enum gemm_precision;
  for (const gemm_precision precision : {split_half, split_tf32, tf32}) {
    const scalar unit = multiplied_type(scalar::float_, precision);
    for (const gemm_row& row : gemm_table_of(hopper(), unit, precision).rows) {
      CAPTURE(to_string(row.policy));
      REQUIRE_NOTHROW(check_rules(row.policy));
      REQUIRE_NOTHROW(check_device_rules(row.policy, unit, hopper(), precision));
      gemm_variant v{.type = unit, .out = scalar::float_, .precision = precision};
      v.a = v.b = {.along_k = true, .alignment = 4, .packed = true};
      const std::string text = gemm_source(row.policy, v);
      const char* const formats = precision == split_half ? "f32.f16.f16" : "f32.tf32.tf32";
      CHECK(text.find(formats) != std::string::npos);
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
            .find("precision  tf32 is not used: the policy's instruction is fma") !=
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
    for (const char* const of : {"random", "graded", "less graded", "cancelling", "scaled"}) {
      CAPTURE(m);
      CAPTURE(n);
      CAPTURE(k);
      CAPTURE(of);
      std::vector<float> a(static_cast<std::size_t>(m * k)), b(static_cast<std::size_t>(k * n));
      const auto any = [&] { return static_cast<float>(d.between(-1000000, 1000000)) * 0x1p-20f; };
      for (float& x : a) x = any();
      for (float& x : b) x = any();
      for (int l = 0; l < k; ++l) {
        const int shift = std::string(of) == "graded"        ? l % 61 - 30
                          : std::string(of) == "less graded" ? l % 13 - 6
                                                             : 0;
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
      const double plain = worst_error(a, b, multiplied(a, b, m, n, k, {}), m, n, k);
      // Splitting costs four epsilons. Of TF32 each of six products of 16 elements cuts off one
      // more, and every 16 elements of k are added up with half of one more; of halves it is two
      // products of 32 elements (by mma.sync one of 16), and what is allowed to elements far below
      // the greatest.
      const double bound_of_tf32 = 10 + k / 32.0;
      const double bound_of_halves = std::string(of) == "graded"        ? bound_of_tf32
                                     : std::string(of) == "less graded" ? 6 + k / 4.0 + k / 30.0
                                                                        : 6 + k / 30.0;
      for (const auto& [precision, bound, one] :
           {std::tuple{gemm_precision::split_tf32, bound_of_tf32,
                       gemm_tables::wgmma_float(64, 64, 3)},
            {gemm_precision::split_half, bound_of_halves, gemm_tables::wgmma(64, 64, 3)},
            {gemm_precision::split_half, bound_of_halves,
             gemm_tables::mma(64, 64, 64, 4, 8, 8, buffering::async, 3)}}) {
        const gemm_precision split = precision;  // CAPTURE takes no structured binding
        CAPTURE(to_string(split));
        const double units =
            worst_error(a, b, multiplied(a, b, m, n, k, {.precision = split}), m, n, k);
        CHECK(units <= std::max(plain, bound));
        // The plain kernel adds up parts of k as well, as many as suit the device.
        if (k >= 256) CHECK(units <= 1.5 * plain);
        if (!facts_of(device_session().device).warp_group_products) continue;
        // All of k one after the other, both.
        gemm_policy whole = one, of_items;
        whole.split_k = of_items.split_k = 1;
        const double alone = worst_error(
            a, b, multiplied(a, b, m, n, k, {.policy = whole, .precision = split}), m, n, k);
        CHECK(alone <= bound);
        if (k >= 256)
          CHECK(alone <=
                worst_error(a, b, multiplied(a, b, m, n, k, {.policy = of_items}), m, n, k));
      }
      if (!facts_of(device_session().device).warp_group_products) continue;
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
  const bool units = facts_of(device_session().device).warp_group_products;
  gemm_options of_tf32{.precision = gemm_precision::split_tf32},
      of_halves{.precision = gemm_precision::split_half};
  if (units) of_tf32.policy = gemm_tables::wgmma_float(128, 128, 3);
  if (units) of_halves.policy = gemm_tables::wgmma(128, 128, 3);
  for (const gemm_options& options : {of_tf32, of_halves})
    for (const float special :
         {inf, -inf, std::nanf(""), 0x1.8p127f, 0x1p60f, 0x1p-149f, 0x1p-120f, 0x1p-60f}) {
      CAPTURE(to_string(options.precision));
      CAPTURE(special);
      const std::vector<float> safe = multiplied(a, b, m, n, k, options);
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
