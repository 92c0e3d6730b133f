#pragma once
// What the stages of a group are written with: values in variables, factors, barriers.

#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/policy.hpp>
#include <clprim/fft/codelet/codelet.hpp>
#include <clprim/fft/pass/items.hpp>
#include <clprim/fft/plan/tables.hpp>
#include <clprim/fft/policy.hpp>

namespace clprim {
namespace fft_text {

/// Which item of which transform a work-item of a group is, by the names of two variables: where
/// points are rows on one side of a pass and columns on the other, this differs between reading
/// and all that follows the first exchange.
struct item_map {
  std::string item = "t";
  std::string transform = "c";
  friend bool operator==(const item_map&, const item_map&) = default;
};

/// The text of a group's stages. Values live in the variables x0r, x0i, x1r, …, in the order of
/// the butterflies of the next stage.
class stage_writer {
 public:
  stage_writer(const item_geometry& g, const fft_policy& policy, bool is_double, fft_tables& tables)
    : w(is_double ? "double" : "float", is_double), g_(g), policy_(policy), tables_(tables) {}

  writer w;
  std::string constants;  ///< __constant tables that the text reads, and its macros
  /// Reads of tables that stand before all else, so that nobody waits for them after a barrier:
  /// where one group fills a unit nothing hides that (H200: 10007 points 4 %, 4096 x 4096 0.5 %;
  /// no others but 2^16, -0.2 %).
  std::string early;

  /// Whether all factors come from native functions.
  bool native() const { return policy_.twiddles == fft_twiddles::native; }
  /// Whether the policy has loads go past the caches, or by whole lines.
  bool streams_loads() const {
    return policy_.streaming != fft_streaming::none && policy_.streaming != fft_streaming::stores;
  }
  /// The type of a value in local memory: a real number, or with pairs both parts.
  std::string local_type() const {
    return cat(policy_.ordered ? "__local volatile " : "__local ", w.type(), g_.pairs ? "2" : "");
  }
  int butterflies(int r) const {
    return static_cast<int>((g_.points / r + g_.items - 1) / g_.items);
  }
  /// Variables that the stages need.
  int variables() const {
    int most = 1;
    for (const int r : g_.radices) most = std::max(most, butterflies(r) * r);
    return most;
  }
  std::string declare() const {
    std::string text = cat("    ", w.type(), " ");
    for (int e = 0; e < variables(); ++e)
      text += cat(e > 0 ? ", x" : "x", e, "r = 0, x", e, "i = 0");
    return text + ";\n";
  }
  static complex_name variable(int e) { return {cat("x", e, "r"), cat("x", e, "i")}; }

  /// A condition that butterfly k exists, empty where it always does.
  std::string exists(int r, int k, const std::string& t) const {
    const std::int64_t all = g_.points / r;
    return (k + 1) * std::int64_t{g_.items} <= all ? std::string()
                                                   : cat(t, " + ", k * g_.items, " < ", all);
  }

  /// The number of item t's butterfly k, or where it does not exist, of the first.
  std::string butterfly(int r, int k) const {
    const std::string guard = exists(r, k, "t"),
                      j = k == 0 ? std::string("t") : cat("t + ", k * g_.items);
    return guard.empty() ? j : cat("(", guard, " ? ", j, " : 0)");
  }

  /// A statement that puts a value at a place of local memory.
  std::string put(const std::string& at, const std::string& re, const std::string& im) const {
    return g_.pairs ? cat("plane[", at, "] = (", w.type(), "2)(", re, ", ", im, ");")
                    : cat("plane_a[", at, "] = ", re, "; plane_b[", at, "] = ", im, ";");
  }
  /// The value at a place, and its two parts.
  std::string pair_at(const std::string& at) const {
    return g_.pairs ? cat("plane[", at, "]")
                    : cat("(", w.type(), "2)(plane_a[", at, "], plane_b[", at, "])");
  }
  complex_name parts_at(const std::string& at) const {
    return g_.pairs ? complex_name{cat("plane[", at, "].x"), cat("plane[", at, "].y")}
                    : complex_name{cat("plane_a[", at, "]"), cat("plane_b[", at, "]")};
  }
  void barrier() { w.line("barrier(CLK_LOCAL_MEM_FENCE);"); }
  /// For the items of a transform among themselves: a barrier of its own, number 0 being that of
  /// the group (bar.sync a, b: PTX ISA, 9.7.13.1).
  void own_barrier() {
    const bool own = policy_.separate && g_.in_rows && g_.out_rows && g_.rows &&
                     g_.items % 32 == 0 && g_.together > 1 && g_.together < 16;
    if (!own) return barrier();
    w.line("asm volatile(\"bar.sync %0, ", g_.items, ";\" :: \"r\"(c + 1) : \"memory\");");
  }
  /// Before a transform writes its local memory again.
  void free_local() {
    if (used_) own_barrier();
    used_ = true;
  }

 protected:
  /// Legs 1, 2, … times their factors: that of leg m by `root(m)`, or as a power of that of leg 1.
  /// `factors` keeps them for butterflies that have the same; those that it holds are not made.
  template <class Root>
  void turn_by(std::vector<complex_name>& legs, std::vector<complex_name>& factors, Root root) {
    factors.resize(legs.size());
    for (std::size_t m = 1; m < legs.size(); ++m) {
      if (factors[m].re.empty())
        factors[m] = each_by_root() || m == 1 ? root(static_cast<int>(m))
                                              : w.product(factors[m / 2], factors[m - m / 2]);
      legs[m] = w.product(legs[m], factors[m]);
    }
  }
  bool each_by_root() const {
    return policy_.twiddles == fft_twiddles::table || policy_.twiddles == fft_twiddles::native;
  }
  /// The factor of `number` times an angle by these functions.
  complex_name spun(const char* cosine, const char* sine, const std::string& number,
                    const std::string& angle) {
    const std::string a = w.fresh();
    complex_name y{w.fresh(), w.fresh()};
    w.line("const ", w.type(), " ", a, " = (", w.type(), ")", number, " * ", angle, ", ", y.re,
           " = ", cosine, "(", a, "), ", y.im, " = ", sine, "(", a, ");");
    return y;
  }
  /// Throws policy_error where the arithmetic has not the functions that the policy wants.
  void check_twiddles() const {
    if (w.is_double() && (policy_.twiddles == fft_twiddles::native ||
                          policy_.twiddles == fft_twiddles::native_powers)) {
      throw policy_error(
          "twiddles native and native_powers are for float: double has no native_cos");
    }
  }

  item_geometry g_;
  fft_policy policy_;
  fft_tables& tables_;
  int names_ = 0;
  bool used_ = false;
};

}  // namespace fft_text
}  // namespace clprim
