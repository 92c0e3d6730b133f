// One object for many calls: transpositions, in place and not, and permutations.

#include <array>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include "support/other_devices.hpp"
#include "support/sequence.hpp"
#include "transpose/turning.hpp"

using namespace clprim;
using namespace support;

namespace {

/// The options and the facts of one sequence.
struct drawn_object {
  transpose_options options;
  std::optional<device_facts> facts;

  template <class Object> std::unique_ptr<Object> make(const session& s) const {
    std::optional<assume_device> as_if;
    if (facts) as_if.emplace(*facts);
    return std::make_unique<Object>(s.queue, options);
  }
};

drawn_object draw_object(draw& d, const session& s, bool maps) {
  drawn_object o;
  if (d.chance(15)) o.facts = drawn_device(d, facts_of(s.device));
  const int group = (o.facts ? *o.facts : facts_of(s.device)).max_work_group;
  if (d.chance(50)) {
    const int strip = d.one_of({1, 4, 16});
    const int items = d.chance(30) ? 1 : strip * d.one_of({1, 4});
    o.options.in_place = in_place_policy{.items = items <= group ? items : 1,
                                         .strip = strip,
                                         .local = d.chance(40),
                                         .workspace_kib = d.one_of({1, 16})};
  }
  if (maps && d.chance(30))
    o.options.map = {"return value + shift + row;", {value<float>("shift")}};
  if (&s == &sequence_session(true) && d.chance(20)) o.options.completion = completion::none;
  return o;
}

placed draw_sequence_place(draw& d, std::int64_t rows, std::int64_t cols, std::int64_t batch) {
  placed p{.rows = rows, .cols = cols, .batch = batch};
  if (d.chance(30)) p.order = layout::column_major;
  p.leading = (p.order == layout::row_major ? cols : rows) + (d.chance(20) ? d.between(1, 4) : 0);
  p.offset = d.one_of({0, 0, 1, 16});
  p.stride = (p.order == layout::row_major ? rows : cols) * p.leading;
  return p;
}

template <class T> std::vector<argument> arguments_of(const drawn_object& o) {
  if (o.options.map.empty()) return {};
  return {argument(1.5f)};
}

template <class T>
sequence_call<transpose<T>> draw_turn(draw& d, const session& s, const drawn_object& o) {
  const std::int64_t most = most_elements(s), batch = d.one_of({1, 1, 1, 3});
  std::int64_t rows = log_uniform(d, most);
  std::int64_t cols = log_uniform(d, std::max<std::int64_t>(1, most / rows));
  const int kind = d.between(0, 99);
  const auto arguments = arguments_of<T>(o);
  const T guard = random_bits_of<T>(d);
  if (kind < 5) (d.chance(50) ? rows : cols) = 0;
  if (kind >= 60 && kind < 70) rows = cols = std::min(rows, cols);
  const placed a = [&] {
    placed p = draw_sequence_place(d, rows, cols, batch);
    if (kind < 70) return p;
    p.leading = p.order == layout::row_major ? cols : rows;  // a rectangle leaves no gap
    p.stride = rows * cols;
    return p;
  }();
  const auto A = std::make_shared<twin_buffers<T>>(s, random_array<T>(d, a.size()), guard);
  sequence_call<transpose<T>> call;
  call.text = "A " + text_of(a) + " kind " + std::to_string(kind);
  if (kind >= 60) {
    call.make = [=](transpose<T>& turn, std::size_t set, wait_list waits) {
      return turn.in_place(a.template view<T>((*A)[set]), waits, arguments);
    };
    call.same = [=] { return A->same(); };
    return call;
  }
  const placed b = draw_sequence_place(d, cols, rows, batch);
  call.text += "\nB " + text_of(b);
  const auto B = std::make_shared<twin_buffers<T>>(s, random_array<T>(d, b.size()), guard);
  if (kind >= 50) {  // wrong: another batch count, the same memory
    const bool same = d.chance(50) && a.rows * a.cols > 0;
    call.make = [=](transpose<T>& turn, std::size_t set, wait_list waits) {
      const auto x = a.template view<T>((*A)[set]), y = b.template view<T>((*B)[set]);
      return same ? turn(x, matrix<T>((*A)[set], cols, rows).at(a.offset).batch(batch, rows * cols),
                         waits, arguments)
                  : turn(x, y.batch(batch + 1, 0), waits, arguments);
    };
    return call;
  }
  const bool scaled = scalar_type<T> && d.chance(30),
             conjugate = describe_element<T>().is_complex && d.chance(30);
  call.make = [=](transpose<T>& turn, std::size_t set, wait_list waits) {
    auto x = a.template view<T>((*A)[set]);
    const auto y = b.template view<T>((*B)[set]);
    if constexpr (scalar_type<T>) {
      if (conjugate) x = conjugated(x);
      if (scaled) return turn(T(3), x, y, waits, arguments);
    }
    return turn(x, y, waits, arguments);
  };
  call.same = [=] { return A->same() && B->same(); };
  return call;
}

template <class T> void any_sequence_of_turns(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s, std::same_as<T, float>);
    return complaint_of_sequence(
        d, s, [&] { return o.make<transpose<T>>(s); },
        [&](draw& from, const session& on) { return draw_turn<T>(from, on, o); });
  });
}

template <class T>
sequence_call<permute<T>> draw_permutation(draw& d, const session& s, const drawn_object& o) {
  const int rank = d.between(1, 6);
  std::vector<int> axes;
  std::vector<std::int64_t> x, y;
  std::int64_t left = most_elements(s);
  for (int k = 0; k < rank; ++k) {
    axes.insert(axes.begin() + d.between(0, k), k);
    x.push_back(d.chance(2) ? 0 : std::min<std::int64_t>(log_uniform(d, left), 5000));
    left = std::max<std::int64_t>(1, left / std::max<std::int64_t>(1, x.back()));
  }
  std::int64_t count = 1;
  for (const int axis : axes) {
    y.push_back(x[static_cast<std::size_t>(axis)]);
    count *= y.back();
  }
  const auto elements = static_cast<std::size_t>(count);
  const T guard = random_bits_of<T>(d);
  const auto X = std::make_shared<twin_buffers<T>>(s, random_array<T>(d, elements), guard);
  const auto Y = std::make_shared<twin_buffers<T>>(s, random_array<T>(d, elements), guard);
  const auto arguments = arguments_of<T>(o);
  sequence_call<permute<T>> call;
  for (const int axis : axes)
    call.text +=
        std::to_string(x[static_cast<std::size_t>(axis)]) + "/" + std::to_string(axis) + " ";
  const bool wrong = d.chance(6) && count > 0;
  call.make = [=](permute<T>& order, std::size_t set, wait_list waits) {
    return order(array<T>((*X)[set], x), axes, array<T>((*Y)[set], y).at(wrong ? 1 : 0), waits,
                 arguments);
  };
  if (!wrong) call.same = [=] { return X->same() && Y->same(); };
  return call;
}

template <class T> void any_sequence_of_permutations(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s, std::same_as<T, float>);
    return complaint_of_sequence(
        d, s, [&] { return o.make<permute<T>>(s); },
        [&](draw& from, const session& on) { return draw_permutation<T>(from, on, o); });
  });
}

}  // namespace

CAMPAIGN("transpositions of one object, float: whatever came before") {
  any_sequence_of_turns<float>("sequences of float", 1);
}
CAMPAIGN("transpositions of one object, bytes: whatever came before") {
  any_sequence_of_turns<std::uint8_t>("sequences of bytes", 1);
}
CAMPAIGN("transpositions of one object, complex: whatever came before") {
  any_sequence_of_turns<std::complex<float>>("sequences of complex", 1);
}
CAMPAIGN("transpositions of one object, 16-byte structs: whatever came before") {
  any_sequence_of_turns<sixteen>("sequences of 16 bytes", 1);
}
CAMPAIGN("permutations of one object: whatever came before") {
  any_sequence_of_permutations<float>("sequences of permutations", 1);
  any_sequence_of_permutations<std::uint16_t>("sequences of permuted shorts", 1);
}

TEST_CASE("a rectangle in place works after one whose wait list failed, in order and not") {
  for (const bool in_order : {true, false}) {
    const session* const s = &sequence_session(in_order);
    if (!waits_may_fail(*s)) continue;
    const std::vector<float> from{1, 2, 3, 4, 5, 6};
    guarded_buffer<float> A(*s, from, 0);
    const auto a = matrix<float>(A.buffer(), 2, 3);
    transpose<float> turn(s->queue, {.in_place = in_place_policy{.local = false}});
    const cl::Event doomed = user_event(*s);
    const kept_events until_over;
    turn.in_place(a, {doomed});
    check(clSetUserEventStatus(doomed(), -1), "clSetUserEventStatus");
    clFinish(s->queue());
    CHECK(A.read() == from);
    wait_for(turn.in_place(a));
    CHECK(A.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
  }
}

TEST_CASE("a rectangle in place takes the caller's workspace, and one that is large enough") {
  const session& s = device_session();
  guarded_buffer<float> A(s, std::vector<float>{1, 2, 3, 4, 5, 6}, 0);
  guarded_buffer<char> small(s, std::vector<char>(8), 0), large(s, std::vector<char>(1 << 16), 0);
  const auto a = matrix<float>(A.buffer(), 2, 3);
  transpose<float> turn(s.queue, {.in_place = in_place_policy{.local = false, .workspace_kib = 1}});
  CHECK(turn.workspace_bytes_in_place(a) > 8);
  CHECK(turn.workspace_bytes_in_place(a) <= 1 << 16);
  turn.use_workspace(small.buffer());
  CHECK_THROWS_AS(turn.in_place(a), argument_error);
  CHECK(A.read() == std::vector<float>{1, 2, 3, 4, 5, 6});
  CHECK_THROWS_WITH_AS(turn.use_workspace(cl::Buffer{}), doctest::Contains("null"), argument_error);
  turn.use_workspace(large.buffer());
  CHECK(turn.workspace_held() == 1 << 16);
  turn.in_place(a);
  CHECK(A.read() == std::vector<float>{1, 4, 2, 5, 3, 6});
  CHECK(turn.workspace_held() == 1 << 16);
  turn.use_workspace(A.buffer());  // nobody can tell yet
  CHECK_THROWS_WITH_AS(turn.in_place(a), doctest::Contains("must not share memory with A"),
                       argument_error);
}
