// One object for many calls: copies and maps.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "support/campaign.hpp"
#include "support/other_devices.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

/// The options and the facts of one sequence.
struct drawn_object {
  copy_options options;
  std::optional<device_facts> facts;

  template <class Object> std::unique_ptr<Object> make(const session& s) const {
    std::optional<assume_device> as_if;
    if (facts) as_if.emplace(*facts);
    return std::make_unique<Object>(s.queue, options);
  }
};

drawn_object draw_object(draw& d, const session& s, const function& map) {
  drawn_object o{.options = {.map = map}, .facts = {}};
  if (d.chance(15)) o.facts = drawn_device(d, facts_of(s.device));
  if (d.chance(30)) {
    o.options.policy = copy_policy{.items = d.one_of({1, 8}),
                                   .vector = d.one_of({1, 4, 16}),
                                   .per_item = d.one_of({1, 3}),
                                   .walk = copy_walk::runs,
                                   .groups_per_unit = 3,
                                   .unaligned = d.chance(50)};
    if (o.facts && o.options.policy->items > o.facts->max_work_group) o.options.policy->items = 1;
  }
  if (&s == &sequence_session(true) && d.chance(20)) o.options.completion = completion::none;
  return o;
}

/// A view of a buffer of `elements` of them.
struct place {
  std::int64_t count = 0, stride = 1, offset = 0;
  std::size_t elements() const { return static_cast<std::size_t>(offset + count * stride + 1); }
  template <class T> vector_view<T> of(const cl::Buffer& b) const {
    return vector<T>(b, count).at(offset).with_stride(stride);
  }
};

place draw_place(draw& d, std::int64_t count) {
  return {count, d.chance(15) ? 3 : 1, d.one_of({0, 0, 1, 16})};
}

std::int64_t draw_count(draw& d, const session& s) {
  return d.chance(5) ? 0 : log_uniform(d, most_elements(s));
}

template <class T> std::vector<T> any_numbers(draw& d, const place& at) {
  std::vector<T> values(at.elements());
  for (T& x : values) x = static_cast<T>(d.between(-1000, 1000));
  return values;
}

template <class T> sequence_call<copy<T>> draw_copy(draw& d, const session& s) {
  const std::int64_t count = draw_count(d, s);
  const place from = draw_place(d, count), to = draw_place(d, count);
  const auto X = std::make_shared<twin_buffers<T>>(s, any_numbers<T>(d, from), T{1});
  const auto Y = std::make_shared<twin_buffers<T>>(s, any_numbers<T>(d, to), T{2});
  const bool wrong = d.chance(6);
  sequence_call<copy<T>> call;
  call.text = std::to_string(count) + " elements";
  call.make = [=](copy<T>& move, std::size_t set, wait_list waits) {
    auto x = from.of<T>((*X)[set]);
    x.count += wrong ? 1 : 0;
    return move(x, to.of<T>((*Y)[set]), waits);
  };
  if (!wrong) call.same = [=] { return X->same() && Y->same(); };
  return call;
}

using axpy = clprim::map<float, float, std::int16_t>;

/// y = a x0 + x1, y being x0 now and then.
sequence_call<axpy> draw_axpy(draw& d, const session& s) {
  const std::int64_t count = draw_count(d, s);
  const place a = draw_place(d, count), b = draw_place(d, count), to = draw_place(d, count);
  const auto A = std::make_shared<twin_buffers<float>>(s, any_numbers<float>(d, a), 1.f);
  const auto B = std::make_shared<twin_buffers<std::int16_t>>(s, any_numbers<std::int16_t>(d, b),
                                                              std::int16_t{3});
  const auto Y = std::make_shared<twin_buffers<float>>(s, any_numbers<float>(d, to), 2.f);
  const bool in_place = d.chance(30), wrong = d.chance(6);
  const float slope = static_cast<float>(d.between(-9, 9));
  sequence_call<axpy> call;
  call.text = std::to_string(count) + " elements" + (in_place ? " in place" : "");
  call.make = [=](axpy& run, std::size_t set, wait_list waits) {
    const auto x0 = a.of<float>((*A)[set]);
    const auto x1 = b.of<std::int16_t>((*B)[set]);
    if (wrong) return run({x0, x1}, x0, waits, {});
    return run({x0, x1}, in_place ? x0 : to.of<float>((*Y)[set]), waits, {slope});
  };
  if (!wrong) call.same = [=] { return A->same() && B->same() && Y->same(); };
  return call;
}

}  // namespace

CAMPAIGN("copies of one object: whatever came before") {
  run_campaign("sequences of copies", 2, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s, {});
    return complaint_of_sequence(
        d, s, [&] { return o.make<copy<float>>(s); }, draw_copy<float>);
  });
  run_campaign("sequences of copied shorts", 1, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s, {});
    return complaint_of_sequence(
        d, s, [&] { return o.make<copy<std::int16_t>>(s); }, draw_copy<std::int16_t>);
  });
}

CAMPAIGN("maps of one object: whatever came before") {
  run_campaign("sequences of maps", 2, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s, {"return a * x0 + x1;", {value<float>("a")}});
    return complaint_of_sequence(
        d, s, [&] { return o.make<axpy>(s); }, draw_axpy);
  });
}
