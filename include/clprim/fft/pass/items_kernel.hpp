#pragma once
// The kernel of a pass by items: points loaded into registers, transformed by the group, stored.

#include <string>
#include <vector>

#include <clprim/fft/pass/items_write.hpp>

namespace clprim {
namespace fft_text {

/// The text of one kernel by items, and the tables that it reads.
class item_kernel : public item_storer {
 public:
  using item_storer::item_storer;

  /// The kernel; `constants` must stand before it.
  std::string body() {
    const std::string inside = statements(
        p_.backwards ? "(uint)(get_num_groups(0) - 1 - get_group_id(0))" : "(uint)get_group_id(0)");
    std::string head = cat("__kernel __attribute__((reqd_work_group_size(", g_.group(),
                           ", 1, 1))) void fft", kernel_parameters(), "\n{\n");
    if (g_.local_bytes > 0) {
      const char* const name = g_.pairs ? " plane[" : " plane_a[";
      head += cat("    ", s_.local_type(), name, g_.plane, "];\n");
      if (g_.planes && !g_.pairs)
        head += cat("    ", s_.local_type(), " plane_b[", g_.plane, "];\n");
    }
    return head + inside + "}\n";
  }

  /// The same as a function of the group's number and its local memory, for kernels that run
  /// several passes.
  std::string function(const std::string& name) {
    const std::string inside = statements("group"), local = s_.local_type();
    std::string planes =
        cat("    ", local, g_.pairs ? " *plane" : " *plane_a", " = (", local, " *)room");
    if (g_.planes && !g_.pairs) planes += cat(", *plane_b = plane_a + ", g_.plane);
    return cat("__attribute__((always_inline)) inline void ", name, "(const uint group, __local ",
               real(), "2 *room,\n", kernel_parameters().substr(1), "\n{\n", planes, ";\n", inside,
               "}\n");
  }

  std::string constants() const { return s_.constants; }
  std::string real() const { return s_.w.type(); }

 private:
  /// All that group number `group` does.
  std::string statements(const std::string& group) {
    load();
    std::vector<complex_name> y;
    {
      std::vector<complex_name> x;
      for (int e = 0; e < s_.variables(); ++e) x.push_back(item_stages_writer::variable(e));
      y = s_.run(g_.radices, false, x, reads_);
    }
    if (p_.method != fft_method::direct) y = convolved(y);
    store(y);
    const std::string text = s_.early + s_.w.text;
    return cat("    uint rest = ", group, ";\n", locate_text(p_, g_.together, text + s_.constants),
               "    const int lid = get_local_id(0);\n",
               reads_ == works_ ? std::string() : place_of(reads_, g_.in_rows),
               place_of(works_, g_.out_rows), s_.declare(), text);
  }

  /// The product with the spectrum, and the stages back.
  std::vector<complex_name> convolved(std::vector<complex_name> y) {
    writer& w = s_.w;
    const bool rader = p_.method == fft_method::rader;
    const int r = g_.radices.back(), count = s_.butterflies(r);
    std::vector<wide_complex> spectrum =
        rader ? rader_spectrum(p_.length)
              : bluestein_spectrum(bluestein_chirp(p_.length), g_.points);
    if (g_.coprime) spectrum = reordered(spectrum, coprime_order(g_.radices).frequency);
    const std::int64_t table = tables_.add(spectrum);
    if (rader) {  // item 0 has the sum of all points but the first
      w.line("const R total_re = first_point.x + ", y[0].re, ", total_im = first_point.y + ",
             y[0].im, ";");
      w.line("const R2 add = t == 0 ? first_point : (R2)(0, 0);");
    }
    for (int k = 0; k < count; ++k) {
      const std::string from = cat("s", k);
      w.line("const int ", from, " = ", s_.butterfly(r, k), ";");
      for (int m = 0; m < r; ++m) {
        complex_name& one = y[value_place(k, r, m)];
        const std::string f = cat(from, "_", m);
        w.line("const R2 ", f, " = factors[", table + m * (g_.points / r), " + ", from, "];");
        one = w.product(one, {f + ".x", f + ".y"});
        if (rader && k == 0 && m == 0) one = w.value(one.re + " + add.x", one.im + " + add.y");
      }
    }
    std::vector<int> back(g_.radices.rbegin(), g_.radices.rend());
    y.resize(static_cast<std::size_t>(s_.variables()), complex_name{"0", "0"});
    return s_.run(back, true, y);
  }
};

}  // namespace fft_text
}  // namespace clprim
