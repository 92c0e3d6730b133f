// One object for many convolutions: whatever came before.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "convolve/reference.hpp"
#include "convolve/small_product.hpp"
#include "support/campaign.hpp"
#include "support/other_devices.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

/// What calls of one sequence have in common, so that few kernels serve many calls.
struct kind_of_call {
  int taps_x = 1, taps_y = 1, taps_z = 1;
  bool separable = false, in_buffer = false;
  int channels = 1, unit = 1;  ///< all distances are multiples of the unit
  std::array<std::vector<double>, 2> coefficients;
};

template <class T> struct drawn_sequence {
  convolve_options options;
  std::optional<device_facts> facts;
  std::vector<kind_of_call> kinds;

  std::unique_ptr<convolve<T>> make(const session& s) const {
    std::optional<assume_device> as_if;
    if (facts) as_if.emplace(*facts);
    return std::make_unique<convolve<T>>(s.queue, options);
  }
};

convolve_policy any_policy(draw& d) {
  const convolve_method method = d.one_of(
      {convolve_method::direct, convolve_method::tile, convolve_method::ring, convolve_method::rows,
       convolve_method::fft, convolve_method::fft, convolve_method::line_buffer});
  convolve_policy p{.method = method, .items_x = 8, .vector = d.one_of({1, 4})};
  p.per_item_x = p.vector;
  p.filter = d.one_of({filter_place::constant, filter_place::buffer});
  if (method == convolve_method::fft) {
    p.items_y = p.per_item_x = p.per_item_y = p.vector = 1;
    p.strip = p.columns = d.one_of({16, 64});
  }
  if (method == convolve_method::rows) p.items_x = p.items_y = 1;
  if (method == convolve_method::ring) p.items_y = p.per_item_y = 1;
  if (method == convolve_method::line_buffer) {
    p.items_y = p.vector = 1;
    p.per_item_y = d.one_of({2, 4});
  }
  return p;
}

template <class T> drawn_sequence<T> draw_sequence(draw& d, const session& s) {
  drawn_sequence<T> all;
  convolve_options& o = all.options;
  o.direction = d.one_of({sliding::correlation, sliding::convolution});
  o.extent = d.one_of(
      {output_extent::same, output_extent::same, output_extent::valid, output_extent::full});
  o.border = d.one_of({border_mode::constant, border_mode::replicate, border_mode::reflect,
                       border_mode::reflect_101, border_mode::wrap, border_mode::none});
  o.border_value = d.one_of({0, 2});
  o.find_separable = d.chance(20);
  o.filter_is_fixed = d.chance(15);
  if (d.chance(30)) {
    o.map = {"return value * slope + more[x & 3];", {value<float>("slope"), buffer<float>("more")}};
  }
  const bool own_policy = d.chance(40);
  if (own_policy) {
    o.policy = any_policy(d);
  } else {
    if (d.chance(60)) all.facts = drawn_device(d, facts_of(s.device));
    if (d.chance(20)) o.stride = {d.between(1, 2), d.between(1, 3), 1};
    if (d.chance(20)) o.dilation = {d.between(1, 2), d.between(1, 2), 1};
  }
  if (!facts_of(s.queue).out_of_order && d.chance(20)) o.completion = completion::none;
  const bool fft = own_policy && o.policy->method == convolve_method::fft;
  const bool flat = own_policy && o.policy->method != convolve_method::direct && !fft;
  const bool lines = own_policy && o.policy->method == convolve_method::line_buffer;
  for (int i = d.between(1, 4); i > 0; --i) {
    kind_of_call k{.taps_x = d.one_of({1, 3, 5, 9}),
                   .taps_y = d.one_of({1, 3, 5}),
                   .taps_z = !flat && d.chance(10) ? 3 : 1,
                   .separable = lines || (!fft && d.chance(35)),
                   .in_buffer = d.chance(25),
                   .channels = d.one_of({1, 1, 3, 4}),
                   .unit = d.one_of({1, 16}),
                   .coefficients = {}};
    if (!own_policy && d.chance(20)) k.taps_x = k.taps_y = d.one_of({11, 17});
    const int count = k.separable ? k.taps_x + k.taps_y + (k.taps_z > 1 ? k.taps_z : 0)
                                  : k.taps_x * k.taps_y * k.taps_z;
    const bool box = d.chance(30);  // of rank 1
    for (std::vector<double>& some : k.coefficients)
      for (int c = 0; c < count; ++c) some.push_back(box ? 0.25 : d.unit());
    all.kinds.push_back(k);
  }
  return all;
}

template <class T>
sequence_call<convolve<T>> draw_call(draw& d, const session& s, const drawn_sequence<T>& all) {
  const kind_of_call& k = all.kinds[d.bits() % all.kinds.size()];
  const std::int64_t pixels = log_uniform(d, most_elements(s));
  const std::int64_t width = d.chance(3) ? 0 : log_uniform(d, pixels), depth = k.taps_z;
  const std::int64_t height = std::max<std::int64_t>(1, pixels / std::max<std::int64_t>(1, width));
  const std::int64_t batch = d.one_of({1, 1, 1, 2});
  const auto up = [&](std::int64_t n) { return (n + k.unit - 1) / k.unit * k.unit; };
  const std::int64_t pitch = up(width * k.channels) + k.unit * d.between(0, 1),
                     slice = pitch * height, offset = k.unit * d.between(0, 2);
  filter<float> f{.taps = {k.taps_x, k.taps_y, k.taps_z}, .is_separable = k.separable};
  for (const double c : k.coefficients[d.bits() % 2])
    f.coefficients.push_back(static_cast<float>(c));
  const auto F = std::make_shared<guarded_buffer<float>>(s, f.coefficients, 9.f);
  const auto more = std::make_shared<guarded_buffer<float>>(
      s, std::vector<float>{1, 2, 3, static_cast<float>(d.between(4, 9))}, 9.f);
  std::vector<T> contents(static_cast<std::size_t>(offset + slice * depth * batch + 1));
  for (T& p : contents) p = random_pixel<T>(d, true);
  const auto X = std::make_shared<guarded_buffer<T>>(s, contents, T{1});
  const auto view = [=](const cl::Buffer& b) {
    return volume<T>(b, depth, height, width)
        .channels(k.channels)
        .pitch(pitch)
        .slices(slice)
        .at(offset)
        .batch(batch, slice * depth);
  };
  image_view<T> in = view(X->buffer());
  if (width > 4 && height > 4 && d.chance(20)) in = in.region(1, 2, height - 3, width - 3);
  const auto [w, h, z] = convolved_extent(in, f, all.options);
  const std::int64_t out_pitch = up(w * k.channels), out_slice = out_pitch * h;
  const auto Y = std::make_shared<twin_buffers<T>>(
      s, std::vector<T>(static_cast<std::size_t>(out_slice * z * batch + 1)), T{2});
  if (k.in_buffer) {
    f.coefficients.clear();
    f.memory = F->buffer()();
  }
  const bool wrong = d.chance(6);
  const int mistake = d.between(0, 2);
  const float slope = static_cast<float>(d.between(-3, 3));
  const bool mapped = !all.options.map.empty(), prepared = d.chance(10);
  sequence_call<convolve<T>> call;
  call.text = std::to_string(width) + " x " + std::to_string(height) + " of " +
              std::to_string(k.channels) + " channels, " + std::to_string(k.taps_x) + " x " +
              std::to_string(k.taps_y) + " x " + std::to_string(k.taps_z) +
              (k.separable ? " separable" : "") + (k.in_buffer ? " in a buffer" : "") + " taps" +
              (all.facts ? "\n" + describe(*all.facts) : "") +
              (all.options.policy ? "\n" + to_string(*all.options.policy) : "");
  call.make = [=, w = w, h = h, z = z](convolve<T>& run, std::size_t set, wait_list waits) {
    const auto keep_alive = std::pair(F, X);
    image_view<T> out = volume<T>((*Y)[set], z, h, w)
                            .channels(k.channels)
                            .pitch(out_pitch)
                            .slices(out_slice)
                            .batch(batch, out_slice * z);
    filter<float> used = f;
    if (wrong && mistake == 0) ++out.width;
    if (wrong && mistake == 1) used.taps[0] = 0;
    if (wrong && mistake == 2) return run(in, used, out, waits, {1, 2, 3});
    if (prepared) run.prepare(in, used, out);
    const auto values =
        mapped ? std::vector<argument>{slope, more->buffer()} : std::vector<argument>{};
    return run(in, used, out, waits, values);
  };
  if (!wrong) call.same = [=] { return Y->same(); };
  return call;
}

template <class T> void sequences(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    const drawn_sequence<T> all = draw_sequence<T>(d, s);
    return complaint_of_sequence(
        d, s, [&] { return all.make(s); },
        [&](draw& more, const session& on) { return draw_call<T>(more, on, all); });
  });
}

template <class T> void sequences_of_layers(const char* name, int cases) {
  run_campaign(name, cases, [](draw& d) {
    const session& s = sequence_session(d.chance(60));
    std::optional<device_facts> facts;
    channels_options o{.groups = d.one_of({1, 1, 2})};
    if (d.chance(30)) {
      o.product = small_product;
    } else if (d.chance(70)) {
      facts = drawn_device(d, facts_of(s.device));
    }
    o.stride = {.x = d.between(1, 2), .y = d.between(1, 2)};
    o.padding = {d.between(0, 2), d.between(0, 2)};
    if (!facts_of(s.queue).out_of_order && d.chance(20)) o.completion = completion::none;
    const bool many = d.chance(40);  // enough for tiles
    const int inputs[] = {many ? 16 : d.between(1, 4), d.between(1, 4)},
              outputs[] = {many ? 32 : d.between(1, 6), d.between(1, 6)}, taps = d.one_of({1, 3});
    const auto make = [&] {
      std::optional<assume_device> as_if;
      if (facts) as_if.emplace(*facts);
      return std::make_unique<convolve_channels<T>>(s.queue, o);
    };
    const auto probe = make();
    const auto draw_layer = [&](draw& more, const session& on) {
      const int which = more.between(0, 1);
      const std::int64_t pixels = log_uniform(more, most_elements(on) / 16),
                         width = log_uniform(more, pixels), height = pixels / width,
                         images = more.one_of({0, 1, 1, 1, 2, 3});
      channels_view<T> in{nullptr, images, inputs[which] * o.groups,
                          height,  width,  more.one_of({0, 0, 1, 4})},
          w{nullptr, outputs[which] * o.groups, inputs[which], taps, taps, 0};
      const auto [oh, ow] = probe->extent(in, w);
      channels_view<T> out{nullptr, images, outputs[which] * o.groups,
                           oh,      ow,     more.one_of({0, 0, 1, 4})};
      const auto numbers = [&](std::int64_t n) {
        std::vector<T> v(static_cast<std::size_t>(n));
        for (T& x : v) x = random_element<T>(more);
        return v;
      };
      const auto X =
          std::make_shared<guarded_buffer<T>>(on, numbers(in.size() + in.offset), T(1.f));
      const auto W = std::make_shared<guarded_buffer<T>>(on, numbers(w.size()), T(2.f));
      const auto Y =
          std::make_shared<twin_buffers<T>>(on, numbers(out.size() + out.offset), T(3.f));
      const bool wrong = more.chance(6);
      sequence_call<convolve_channels<T>> call;
      call.text = std::to_string(images) + " images of " + std::to_string(height) + " x " +
                  std::to_string(width) + ", " + std::to_string(in.channels) + " to " +
                  std::to_string(out.channels) + " channels";
      call.make = [=](convolve_channels<T>& layer, std::size_t set, wait_list waits) mutable {
        in.memory = X->buffer()();
        w.memory = W->buffer()();
        out.memory = (*Y)[set]();
        auto to = out;
        if (wrong) ++to.channels;
        return layer(in, w, to, waits);
      };
      if (!wrong) call.same = [=] { return Y->same(); };
      return call;
    };
    return complaint_of_sequence(d, s, make, draw_layer);
  });
}

}  // namespace

CAMPAIGN("convolutions of one object: whatever came before") {
  sequences<float>("sequences of convolutions", 2);
  sequences<std::uint8_t>("sequences of convolutions of bytes", 1);
}

CAMPAIGN("convolutions of channels of one object: whatever came before") {
  sequences_of_layers<float>("sequences of layers", 2);
  sequences_of_layers<half>("sequences of layers of half", 1);
}

TEST_CASE("more kinds of convolutions than an object keeps") {
  const unoptimised_builds quickly;
  const session& s = device_session();
  guarded_buffer<float> a(s, std::vector<float>(16, 1.0f), 0), b(s, std::vector<float>(16), 0);
  const auto in = image<float>(a.buffer(), 4, 4), out = image<float>(b.buffer(), 4, 4);
  convolve<float> run(s.queue, {.policy = convolve_policy{.items_x = 1,
                                                          .items_y = 1,
                                                          .per_item_x = 1,
                                                          .per_item_y = 1,
                                                          .vector = 1,
                                                          .filter = filter_place::literals}});
  for (int i = 0; i < 67; ++i) {
    wait_for(run(in, filter_1d<float>({static_cast<float>(i)}), out));
    CHECK(b.read()[5] == static_cast<float>(i));
  }
  CHECK(run.explain(in, filter_1d<float>({0}), out).find("; 64 plans kept") != std::string::npos);
}
