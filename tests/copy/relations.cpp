// What must hold between copies and maps: there and back, in parts and whole, linearity.

#include "support/relations.hpp"

#include <cstdint>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/copy.hpp>

#include "copy/draw_policy.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

copy_options draw_options(draw& d) {
  copy_options options;
  if (!d.chance(25)) options.policy = draw_policy(d);
  return options;
}
std::string text_of(const copy_options& options) {
  return options.policy ? "\n  " + to_string(*options.policy) : "\n  the tuned policy";
}

/// Elements that lie in a buffer with steps between them.
struct drawn_steps {
  std::int64_t step, offset;
  explicit drawn_steps(draw& d) : step(d.one_of({1, 1, 2, 3})), offset(d.one_of({0, 0, 1, 16})) {}
  std::size_t at(std::size_t i) const {
    return static_cast<std::size_t>(offset) + i * static_cast<std::size_t>(step);
  }
  template <class T> std::vector<T> spread(const std::vector<T>& x) const {
    std::vector<T> all(at(x.size()), T{7});
    for (std::size_t i = 0; i < x.size(); ++i) all[at(i)] = x[i];
    return all;
  }
  template <class T> std::vector<T> gathered(const std::vector<T>& all, std::size_t count) const {
    std::vector<T> x;
    for (std::size_t i = 0; i < count; ++i) x.push_back(all[at(i)]);
    return x;
  }
  /// Elements first … first + count - 1.
  template <class T>
  vector_view<T> view(const cl::Buffer& b, std::size_t first, std::size_t count) const {
    return vector<T>(b, static_cast<std::int64_t>(count))
        .at(static_cast<std::int64_t>(at(first)))
        .with_stride(step);
  }
};

template <class T> void related_copies(const char* name, int cases) {
  run_campaign(std::string("relations of copies of ") + name, cases, [](draw& d) {
    const session& s = device_session();
    const auto n = static_cast<std::size_t>(d.between(1, d.one_of({5, 100, 5000})));
    const auto cut = static_cast<std::size_t>(d.between(0, static_cast<int>(n)));
    std::vector<T> x(n);
    for (T& one : x) one = static_cast<T>(d.between(0, 250));
    const drawn_steps from(d), between(d), to(d);
    const copy_options first = draw_options(d), second = draw_options(d);
    const guarded_buffer<T> a(s, from.spread(x), 9), b(s, between.spread(std::vector<T>(n)), 9);
    guarded_buffer<T> c(s, to.spread(std::vector<T>(n)), 9);
    copy<T> there(s.queue, first), back(s.queue, second);
    there(from.view<T>(a.buffer(), 0, n), between.view<T>(b.buffer(), 0, n));
    back(between.view<T>(b.buffer(), 0, cut), to.view<T>(c.buffer(), 0, cut));
    back(between.view<T>(b.buffer(), cut, n - cut), to.view<T>(c.buffer(), cut, n - cut));
    const std::string complaint =
        difference("there whole, back in two parts", inexact(to.gathered(c.read(), n)), inexact(x));
    return complaint.empty() && c.intact() ? std::string()
                                           : complaint + text_of(first) + text_of(second);
  });
}

}  // namespace

CAMPAIGN("copies of bytes there and back, whole and in parts, are what they were") {
  related_copies<std::uint8_t>("bytes", 10);
}

CAMPAIGN("copies of float there and back, whole and in parts, are what they were") {
  related_copies<float>("float", 10);
}

CAMPAIGN("a map that multiplies and adds is linear") {
  run_campaign("linear maps", 10, [](draw& d) {
    const session& s = d.chance(20) ? out_of_order_session() : device_session();
    const auto n = static_cast<std::size_t>(d.between(1, d.one_of({5, 100, 3000})));
    copy_options options = draw_options(d);
    options.map = {"return a * x0 - 0.5f * x1;", {value<float>("a")}};
    const float a = static_cast<float>(d.between(-16, 16)) / 8;
    const drawn_steps first(d), second(d), to(d);
    // Of both inputs, one after the other.
    const linear_map<float> f{
        .inputs = 2 * n,
        .call =
            [&](const std::vector<float>& x) {
              const auto half = x.begin() + static_cast<std::ptrdiff_t>(n);
              const guarded_buffer<float> p(s, first.spread(std::vector<float>(x.begin(), half)),
                                            9),
                  q(s, second.spread(std::vector<float>(half, x.end())), 9);
              guarded_buffer<float> r(s, to.spread(std::vector<float>(n)), 9);
              map<float, float, float> add(s.queue, options);
              add({first.view<float>(p.buffer(), 0, n), second.view<float>(q.buffer(), 0, n)},
                  to.view<float>(r.buffer(), 0, n), {}, {a});
              return to.gathered(r.read(), n);
            },
        .norm = std::abs(a) + 0.5F,
        .relative = static_cast<long double>(gamma<float>(2))};
    const std::string complaint = complaint_of_linearity(d, f);
    return complaint.empty() ? complaint : complaint + text_of(options);
  });
}
