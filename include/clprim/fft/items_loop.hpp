#pragma once
// Stages of one radix as a loop: a driver's compiler takes its time by the length of a kernel.
//
//     Every stage finds points t + e T in its variables, T being the items of a transform, and
//     leaves such points to the next, so that one text serves all: legs e = k + m P / r of
//     butterfly k of an item's P points, outputs (t - q) r + q + m Ns with q = t mod Ns.

#include <cstddef>
#include <cstdint>
#include <numbers>
#include <string>
#include <vector>

#include <clprim/fft/items_stages.hpp>

namespace clprim {
namespace fft_text {

/// Writes the stages of a geometry that run in a loop.
class stage_loop_writer : public stage_writer {
 public:
  using stage_writer::stage_writer;

 protected:
  /// The first g.looped stages on the variables; returns where the inputs of the next one are.
  std::vector<complex_name> looped() {
    check_twiddles();
    const int r = g_.radices.front(), count = butterflies(r);
    std::int64_t all = 1;  // points that hang together after the last of them
    for (int s = 0; s < g_.looped; ++s) all *= r;
    w.line("// radix ", r, ", ", count, " of ", g_.points / r, " butterflies, ", g_.looped,
           " times; turns are counted in ", all, "ths");
    w.line("int ns = 1, q = 0, scale = ", all / r, ";");
    w.text += "#pragma unroll 1\n";
    w.line("for (int stage = 0; stage < ", g_.looped, "; ++stage) {");
    const std::vector<complex_name> y = butterflies_of(r, count, all);
    exchange_of(y, r, count);
    w.line("}");
    return inputs_of(g_.radices[static_cast<std::size_t>(g_.looped)], r);
  }

 private:
  std::vector<complex_name> butterflies_of(int r, int count, std::int64_t all) {
    std::vector<complex_name> y(static_cast<std::size_t>(r * count)), factors;
    w.line("const int turned = q * scale;");
    for (int k = 0; k < count; ++k) {
      std::vector<complex_name> legs;
      for (int m = 0; m < r; ++m) legs.push_back(variable(k * r + m));
      if (k == 0) {
        factors = turn_by(legs, [&](int m) { return root(m, all, r); });
      } else {
        for (std::size_t m = 1; m < legs.size(); ++m) legs[m] = w.product(legs[m], factors[m]);
      }
      legs = w.transform(legs);
      for (int m = 0; m < r; ++m) y[value_place(k, r, m)] = legs[static_cast<std::size_t>(m)];
    }
    return y;
  }

  /// exp(-2 pi i turned m / all), for turned < all / r
  complex_name root(int m, std::int64_t all, int r) {
    const auto part = static_cast<long double>(m) / static_cast<long double>(all);
    switch (policy_.twiddles) {
      case fft_twiddles::native:
      case fft_twiddles::native_powers:
        return spun("native_cos", "native_sin", "turned",
                    w.number(-2 * std::numbers::pi_v<long double> * part));
      case fft_twiddles::sinpi: return spun("cospi", "sinpi", "turned", w.number(-2 * part));
      default: {
        std::vector<wide_complex> table;
        for (int leg = 1; leg < (each_by_root() ? r : 2); ++leg)
          for (std::int64_t i = 0; i < all / r; ++i) table.push_back(wide_root(leg * i % all, all));
        const std::int64_t at = tables_.add(table) + (m - 1) * (all / r);
        const std::string f = cat("f", ++names_);
        w.line("const ", w.type(), "2 ", f, " = factors[", at, " + turned];");
        return {f + ".x", f + ".y"};
      }
    }
  }

  /// Values y change hands; a gap after every r Ns points while these are few.
  void exchange_of(const std::vector<complex_name>& y, int r, int count) {
    const bool gaps = detail::loop_has_gaps(policy_, r);
    const int items = g_.items;
    w.line("const bool gap = ", gaps ? cat("ns < ", detail::local_banks) : std::string("false"),
           ";");
    w.line("const int spread = gap ? ", r + 1, " : ", r, ", to = c * ", g_.pitch,
           " + (t - q) * spread + q;");
    w.line("const int far = ns;");
    w.line("ns *= ", r, ";");
    w.line("scale /= ", r, ";");
    w.line("q = ", remainder(r), ";");
    w.line("const int from = c * ", g_.pitch, " + t + (gap ? (t - q) / ", r,
           " : 0), apart = gap ? ", items + items / r, " : ", items, ";");
    const auto write = [&](const char* plane, bool real) {
      for (int k = 0; k < count; ++k)
        for (int m = 0; m < r; ++m) {
          const complex_name& one = y[value_place(k, r, m)];
          w.line(plane, "[to + ", k * items, " * spread + ", m,
                 " * far] = ", real ? one.re : one.im, ";");
        }
    };
    const auto read = [&](const char* plane, bool real) {
      for (int k = 0; k < count; ++k)
        for (int m = 0; m < r; ++m) {
          const complex_name x = variable(k * r + m);
          w.line(real ? x.re : x.im, " = ", plane, "[from + ", k + m * count, " * apart];");
        }
    };
    own_barrier();
    used_ = true;
    write("plane_a", true);
    if (g_.planes) write("plane_b", false);
    own_barrier();
    read("plane_a", true);
    if (g_.planes) return read("plane_b", false);
    own_barrier();
    write("plane_a", false);
    own_barrier();
    read("plane_a", false);
  }

  /// t mod Ns; by a constant in every stage where Ns is no power of two.
  std::string remainder(int r) const {
    if ((r & (r - 1)) == 0) return "t & (ns - 1)";
    std::string text;
    std::int64_t ns = r;
    for (int s = 0; s < g_.looped; ++s, ns *= r)
      text += s + 1 < g_.looped ? cat("stage == ", s, " ? t % ", ns, " : ") : cat("t % ", ns);
    return text;
  }

  /// The variables as radix r leaves them, in the order of the butterflies of radix `next`.
  std::vector<complex_name> inputs_of(int next, int r) const {
    const int held = static_cast<int>(g_.points / g_.items), count = held / next;
    std::vector<complex_name> x(static_cast<std::size_t>(held));
    for (int k = 0; k < count; ++k)
      for (int m = 0; m < next; ++m) {
        const int e = k + m * count;
        x[value_place(k, next, m)] = variable(e % (held / r) * r + e / (held / r));
      }
    return x;
  }
};

}  // namespace fft_text
}  // namespace clprim
