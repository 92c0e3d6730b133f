// One object for many calls: transforms complex, real, cosine and sine, padded, in place, of every
// kind of length; convolutions with kernels that change.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"
#include "support/other_devices.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

/// The options and the facts of one sequence.
struct drawn_object {
  fft_options options;
  std::optional<device_facts> facts;

  template <class Object, class Options>
  std::unique_ptr<Object> make(const session& s, const Options& o) const {
    std::optional<assume_device> as_if;
    if (facts) as_if.emplace(*facts);
    return std::make_unique<Object>(s.queue, o);
  }
};

drawn_object draw_object(draw& d, const session& s) {
  drawn_object o;
  o.options.axes = d.one_of({1, 1, 2});
  o.options.inverse_scale = 0.5;
  if (d.chance(40)) o.facts = drawn_device(d, facts_of(s.device));
  if (!o.facts && d.chance(60)) o.options.policy = draw_item_policy(d);
  if (d.chance(15)) o.options.trigonometric = fft_trigonometric::dct2;
  if (d.chance(20)) o.options.load = {"return value * gain;", {value<float>("gain")}};
  if (&s == &sequence_session(true) && d.chance(20)) o.options.completion = completion::none;
  return o;
}

/// Most lengths are known ones: to build their kernels takes longer than to run them.
std::int64_t draw_length(draw& d, std::int64_t most) {
  const std::int64_t known = d.one_of({1, 8, 12, 16, 17, 19, 34, 64, 100, 128, 211, 256, 1000});
  if (known <= most && d.chance(95)) return known;
  return log_uniform(d, most);
}

using number = std::complex<float>;

/// A kind of call. A sequence has a few of them, which come again and again with other values.
struct drawn_kind {
  placed_array a, b;
  bool real_ends, real, inverse, in_place, wrong;
};

drawn_kind draw_kind(draw& d, const session& s, const drawn_object& o) {
  drawn_kind k;
  k.real_ends = o.options.trigonometric != fft_trigonometric::none;
  k.real = !k.real_ends && d.chance(40);
  k.inverse = d.chance(50);
  std::int64_t left = most_elements(s);
  std::vector<std::int64_t> extents{d.chance(5) ? 0 : std::int64_t{d.one_of({1, 2, 5, 17})}};
  left /= std::max<std::int64_t>(1, extents[0]);
  for (int a = 0; a < o.options.axes; ++a) {
    extents.push_back(draw_length(d, std::max<std::int64_t>(1, left)));
    left /= extents.back();
  }
  std::vector<std::int64_t> halves = extents;
  halves.back() = halves.back() / 2 + 1;
  const bool tight = d.chance(70);
  const auto lay = [&](const std::vector<std::int64_t>& e) {
    return tight ? tight_array(e) : draw_array(d, e);
  };
  const placed_array full = lay(extents), half = lay(halves);
  k.a = k.real && k.inverse ? half : full;
  k.b = k.real ? (k.inverse ? full : half) : lay(extents);
  k.in_place = !k.real && d.chance(25);
  k.wrong = d.chance(12) && extents[0] > 0;
  return k;
}

sequence_call<fft<float>> draw_transform(draw& d, const session& s, const drawn_object& o,
                                         const drawn_kind& kind) {
  std::vector<argument> arguments;
  if (!o.options.load.empty()) arguments.emplace_back(2.f);
  sequence_call<fft<float>> call;
  call.text = std::string(kind.inverse ? "inverse " : "forward ") + (kind.real ? "real " : "") +
              kind.a.text() + (kind.in_place ? " in place" : " to " + kind.b.text());
  // Of complex points or real ones, on either side.
  const auto finish = [&](auto in_example, auto out_example) {
    using In = decltype(in_example);
    using Out = decltype(out_example);
    std::vector<In> from(kind.a.size());
    for (In& v : from) v = random_element<In>(d);
    const auto X = std::make_shared<twin_buffers<In>>(s, from, In(7));
    const auto Y = std::make_shared<twin_buffers<Out>>(s, std::vector<Out>(kind.b.size()), Out(7));
    call.make = [=](fft<float>& transform, std::size_t set, wait_list waits) {
      const auto x = kind.a.template view<In>((*X)[set]);
      auto y = kind.b.template view<Out>((*Y)[set]);
      if (kind.wrong) y.extents[0] += 1;
      if constexpr (std::same_as<In, Out>) {
        if (kind.in_place && !kind.wrong)
          return kind.inverse ? transform.inverse(x, x, waits, arguments)
                              : transform.forward(x, x, waits, arguments);
      }
      return kind.inverse ? transform.inverse(x, y, waits, arguments)
                          : transform.forward(x, y, waits, arguments);
    };
    if (!kind.wrong) call.same = [=] { return X->same() && Y->same(); };
  };
  if (kind.real_ends)
    finish(float{}, float{});
  else if (!kind.real)
    finish(number{}, number{});
  else if (kind.inverse)
    finish(number{}, float{});
  else
    finish(float{}, number{});
  return call;
}

/// A kernel is told and used in one call: what a fresh object needs to know is then with the call.
struct drawn_sizes {
  std::int64_t h, w, kh, kw;
};

sequence_call<fft_convolution<float>> draw_convolution(draw& d, const session& s,
                                                       const drawn_sizes& sizes) {
  const auto [h, w, kh, kw] = sizes;
  const std::int64_t batch = d.chance(5) ? 0 : d.one_of({1, 3});
  const bool wrong_kernel = d.chance(15), wrong_call = d.chance(10), in_place = d.chance(20);
  const auto random = [&](std::int64_t n) {
    std::vector<float> v(static_cast<std::size_t>(n));
    for (float& one : v) one = static_cast<float>(d.unit());
    return v;
  };
  const auto X = std::make_shared<twin_buffers<float>>(s, random(batch * h * w), 7.F),
             K = std::make_shared<twin_buffers<float>>(s, random(kh * kw), 7.F),
             Y = std::make_shared<twin_buffers<float>>(
                 s, std::vector<float>(static_cast<std::size_t>(batch * h * w)), 7.F);
  sequence_call<fft_convolution<float>> call;
  call.text = std::to_string(batch) + " of " + std::to_string(h) + " x " + std::to_string(w) +
              " by " + std::to_string(kh) + " x " + std::to_string(kw);
  call.make = [=](fft_convolution<float>& run, std::size_t set, wait_list waits) {
    const auto k = array<float>((*K)[set], {sizes.kh, sizes.kw});
    run.set_kernel(k, {sizes.h, sizes.w});
    if (wrong_kernel) {  // refused: the kernel is the one before
      bool refused = false;
      try {
        run.set_kernel(k, {sizes.h, 0});
      } catch (const argument_error&) {
        refused = true;
      }
      if (!refused) return cl::Event{};
    }
    const auto x = array<float>((*X)[set], {batch, sizes.h, sizes.w}),
               y = in_place
                       ? x
                       : array<float>((*Y)[set], {batch, sizes.h + (wrong_call ? 1 : 0), sizes.w});
    return run(x, y, waits);
  };
  if (!wrong_call || in_place) call.same = [=] { return X->same() && Y->same(); };
  return call;
}

}  // namespace

CAMPAIGN("any sequence of transforms on one object gives what fresh objects give") {
  run_campaign("sequences of transforms", 3, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_object o = draw_object(d, s);
    std::vector<drawn_kind> kinds;
    for (int i = d.between(2, 5); i > 0; --i) kinds.push_back(draw_kind(d, s, o));
    std::string complaint;
    try {
      complaint = complaint_of_sequence(
          d, s, [&] { return o.make<fft<float>>(s, o.options); },
          [&](draw& from, const session& on) {
            const int which = from.between(0, static_cast<int>(kinds.size()) - 1);
            return draw_transform(from, on, o, kinds[static_cast<std::size_t>(which)]);
          });
    } catch (const policy_error& e) {  // a drawn policy need not suit every length
      const std::string why = e.what();
      if (!o.options.policy || why.find("has no factor that one pass takes") == why.npos) throw;
    }
    if (complaint.empty()) return complaint;
    return complaint + (o.options.policy ? ", " + to_string(*o.options.policy) : "") +
           (o.facts ? ", as " + o.facts->name : "");
  });
}
CAMPAIGN("any sequence of convolutions by transforms gives what fresh objects give") {
  run_campaign("sequences of convolutions by transforms", 1, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    fft_convolution_options o{.axes = 2, .correlation = d.chance(50)};
    if (d.chance(30)) o.border_value = 1.5;
    if (&s == &sequence_session(true) && d.chance(20)) o.completion = completion::none;
    std::vector<drawn_sizes> sizes;
    for (int i = d.between(1, 3); i > 0; --i)
      sizes.push_back(
          {d.one_of({5, 9, 16}), d.one_of({7, 16, 33}), d.one_of({1, 3, 4}), d.one_of({2, 3, 5})});
    return complaint_of_sequence(
        d, s, [&] { return std::make_unique<fft_convolution<float>>(s.queue, o); },
        [&](draw& from, const session& on) {
          const int which = from.between(0, static_cast<int>(sizes.size()) - 1);
          return draw_convolution(from, on, sizes[static_cast<std::size_t>(which)]);
        });
  });
}
