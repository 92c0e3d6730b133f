// What other devices get, run here: the choice by their facts, the portable text.

#include "support/other_devices.hpp"

#include <array>
#include <complex>
#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/sequence.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

template <class T> void any_turn_elsewhere(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = sequence_session(d.chance(70));
    const device_facts facts = drawn_device(d, facts_of(s.device));
    const assume_device as_if(facts);
    const std::int64_t most = d.chance(20) ? 4 * most_elements(s) : most_elements(s);
    const std::int64_t batch = d.one_of({1, 1, 3}), rows = log_uniform(d, most);
    const std::int64_t cols = log_uniform(d, std::max<std::int64_t>(1, most / rows));
    const placed a = draw_place(d, rows, cols, batch), b = draw_place(d, cols, rows, batch);
    transpose<T> turn(s.queue);
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    if (complaint.empty()) return {};
    return complaint + "\nA " + text_of(a) + "\nB " + text_of(b) + "\n" + describe(facts);
  });
}

template <class T> void any_turn_in_place_elsewhere(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = sequence_session(d.chance(70));
    const device_facts facts = drawn_device(d, facts_of(s.device));
    const assume_device as_if(facts);
    const std::int64_t most = most_elements(s), batch = d.one_of({1, 1, 3});
    std::int64_t rows = log_uniform(d, most);
    std::int64_t cols = log_uniform(d, std::max<std::int64_t>(1, most / rows));
    if (d.chance(40)) rows = cols = std::min(rows, cols);
    placed a = draw_place(d, rows, cols, batch), turned = a;
    const auto dense = [](placed& p) {
      p.leading = p.order == layout::row_major ? p.cols : p.rows;
      p.stride = p.rows * p.cols;
    };
    if (rows != cols) dense(a);
    turned = a;
    std::swap(turned.rows, turned.cols);
    if (rows != cols) dense(turned);
    const std::vector<T> from = random_array<T>(d, a.size());
    guarded_buffer<T> A(s, from, random_bits_of<T>(d));
    transpose<T> turn(s.queue);
    const auto view = a.template view<T>(A.buffer());
    if (d.chance(50)) turn.prepare_in_place(view);
    const std::size_t held = turn.workspace_held();
    wait_for(turn.in_place(view));
    std::vector<T> expected = from;
    for (std::int64_t n = 0; n < batch; ++n)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) expected[turned.at(n, c, r)] = from[a.at(n, r, c)];
    const std::vector<T> got = A.read();
    const std::string what = text_of(a) + "\n" + turn.explain_in_place(view);
    if (held > 0 && held != turn.workspace_bytes_in_place(view))
      return "prepare holds another workspace\n" + what;
    if (turn.workspace_held() != turn.workspace_bytes_in_place(view))
      return "a call holds another workspace\n" + what;
    if (!A.intact()) return "a guard zone was written\n" + what;
    for (std::size_t i = 0; i < got.size(); ++i)
      if (!same_bits(got[i], expected[i])) return "element " + std::to_string(i) + "\n" + what;
    return {};
  });
}

template <class T> void any_permutation_elsewhere(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) -> std::string {
    const session& s = sequence_session(d.chance(70));
    const device_facts facts = drawn_device(d, facts_of(s.device));
    const assume_device as_if(facts);
    std::array<std::int64_t, 4> x{}, step{};
    std::int64_t left = most_elements(s);
    for (std::int64_t& n : x) {
      n = std::min<std::int64_t>(log_uniform(d, left), 3000);
      left = std::max<std::int64_t>(1, left / n);
    }
    std::array<int, 4> axes{0, 1, 2, 3};
    for (std::size_t i = 4; i-- > 1;)
      std::swap(axes[i], axes[static_cast<std::size_t>(d.between(0, static_cast<int>(i)))]);
    const auto axis = [&](std::size_t k) { return static_cast<std::size_t>(axes[k]); };
    const std::vector<std::int64_t> y{x[axis(0)], x[axis(1)], x[axis(2)], x[axis(3)]};
    for (std::size_t k = 4, n = 1; k-- > 0;) {  // of axis k of X in Y
      step[axis(k)] = static_cast<std::int64_t>(n);
      n *= static_cast<std::size_t>(y[k]);
    }
    const auto count = static_cast<std::size_t>(x[0] * x[1] * x[2] * x[3]);
    const std::vector<T> from = random_array<T>(d, count);
    std::vector<T> expected(count);
    guarded_buffer<T> X(s, from, random_bits_of<T>(d)), Y(s, expected, random_bits_of<T>(d));
    permute<T> order(s.queue);
    const auto in = array<T>(X.buffer(), {x[0], x[1], x[2], x[3]}), out = array<T>(Y.buffer(), y);
    wait_for(order(in, axes, out));
    std::size_t at = 0;
    for (std::int64_t i = 0; i < x[0]; ++i)
      for (std::int64_t j = 0; j < x[1]; ++j)
        for (std::int64_t k = 0; k < x[2]; ++k)
          for (std::int64_t l = 0; l < x[3]; ++l)
            expected[static_cast<std::size_t>(i * step[0] + j * step[1] + k * step[2] +
                                              l * step[3])] = from[at++];
    const std::vector<T> got = Y.read();
    for (std::size_t i = 0; i < count; ++i)
      if (!same_bits(got[i], expected[i]))
        return "element " + std::to_string(i) + " is wrong\n" + order.explain(in, axes, out);
    return Y.intact() ? "" : "a guard zone was written";
  });
}

}  // namespace

CAMPAIGN("transpositions as other devices get them are exact") {
  any_turn_elsewhere<float>("float elsewhere", 1);
  any_turn_elsewhere<std::uint8_t>("bytes elsewhere", 1);
  any_turn_elsewhere<half>("half elsewhere", 1);
  any_turn_elsewhere<std::complex<float>>("complex elsewhere", 1);
  any_turn_elsewhere<sixteen>("16 bytes elsewhere", 1);
}
CAMPAIGN("transpositions in place as other devices get them are exact") {
  any_turn_in_place_elsewhere<float>("float in place elsewhere", 1);
  any_turn_in_place_elsewhere<std::uint8_t>("bytes in place elsewhere", 1);
  any_turn_in_place_elsewhere<sixteen>("16 bytes in place elsewhere", 1);
}
CAMPAIGN("permutations as other devices get them are exact") {
  any_permutation_elsewhere<float>("permuted float elsewhere", 1);
  any_permutation_elsewhere<std::uint8_t>("permuted bytes elsewhere", 1);
  any_permutation_elsewhere<double>("permuted double elsewhere", 1);
}

TEST_CASE("lines that go on along an axis of which a box has one place are not rounded up") {
  const session& s = device_session();
  const device_facts host = facts_of(s.device);
  const auto gathered = [&]<class T>(T, const device_facts& facts, std::int64_t n) {
    const assume_device as_if(portable(facts, host));
    const placed a{.rows = n, .cols = 1, .leading = 17, .batch = 3, .stride = 17 * n},
        b{.rows = 1, .cols = n, .leading = n, .batch = 3, .stride = n};
    draw d(static_cast<std::uint64_t>(n));
    transpose<T> turn(s.queue);
    const std::string complaint = complaint_of_turn(d, s, turn, a, b);
    CHECK_MESSAGE(complaint.empty(), complaint, "\n", describe(facts));
  };
  for (const std::int64_t n : {5004, 6004, 8004}) {
    gathered(half{}, h200(), n);
    gathered(std::uint8_t{}, h200(), n);
    gathered(half{}, mi300x(), n);
  }
  gathered(half{}, apple_m2(), 4004);
  for (const std::int64_t n : {428, 500}) gathered(half{}, small_gpu(32, 12), n);
}
