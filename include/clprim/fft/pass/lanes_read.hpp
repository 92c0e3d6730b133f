#pragma once
// How a pass by lanes reads its points into local memory.

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include <clprim/fft/pass/lanes.hpp>

namespace clprim {
namespace fft_text {

/// How the lanes meet memory: tiles of points and lanes turned in registers where points are
/// neighbours, vectors across the lanes where transforms are, else element by element.
enum class lane_access { tiles, vectors, elements };

inline lane_access lane_input(const fft_pass& p) {
  const fft_axis& first = p.outer.front();
  const bool uniform = first.in_place == 0 || (p.in_points == 0 && p.in_factor == no_table);
  const bool pairs = p.input == fft_input::real_pairs;
  if (!plain_input(p) || !uniform || (pairs && p.in_points % 2 != 0)) return lane_access::elements;
  if (p.along.in_step == (pairs ? 2 : 1)) return lane_access::tiles;
  return !pairs && first.in_step == 1 ? lane_access::vectors : lane_access::elements;
}
inline lane_access lane_output(const fft_pass& p) {
  const fft_axis& first = p.outer.front();
  const bool uniform = first.out_place == 0 || (p.out_points == 0 && p.out_factor == no_table);
  const bool pairs = p.output == fft_output::real_pairs;
  if (!plain_output(p) || !uniform || (pairs && p.out_points % 2 != 0))
    return lane_access::elements;
  if (p.along.out_step == (pairs ? 2 : 1)) return lane_access::tiles;
  return !pairs && first.out_step == 1 ? lane_access::vectors : lane_access::elements;
}

/// The text that loads a block of transforms, and what the whole kernel shares.
class lane_loader {
 public:
  lane_loader(const fft_pass& pass, const fft_policy& policy, fft_tables& tables)
    : p_(pass),
      g_(lane_geometry_of(pass, policy)),
      tables_(tables),
      lanes_(policy.lanes),
      ahead_(policy.ahead),
      streams_(policy.streaming == fft_streaming::stores ||
               policy.streaming == fft_streaming::both) {
    tile_ = std::min(lanes_, p_.is_double ? 4 : 8);
  }

  const lane_geometry& geometry() const { return g_; }

 protected:
  std::string slot_of_input(const std::string& n) const {
    return p_.method == fft_method::rader ? cat("places[", rader_in_, " + ", n, "]")
                                          : cat("SLOT(", n, ")");
  }
  /// Statements that put the vectors `re`, `im` of point n.
  std::string put(const std::string& n, std::string re, std::string im) const {
    if (p_.swap_in) std::swap(re, im);
    const std::string s = cat("2 * ", slot_of_input(n));
    if (p_.in_factor == no_table)
      return cat("    { __local RV *to = work + ", s, "; to[0] = ", re, "; to[1] = ", im, "; }\n");
    return cat("    { __local RV *to = work + ", s, "; const R2 f = factors[", p_.in_factor,
               " + in_place + (", n, ") * (long)", p_.along.in_place, "]; to[0] = ", re,
               " * f.x - ", im, " * f.y; to[1] = ", re, " * f.y + ", im, " * f.x; }\n");
  }
  std::string complex_vector(int size) const {
    return cat(p_.is_double ? "double" : "float", 2 * size);
  }
  /// A run of a tile at any address, in halves: PoCL warns of 16 floats that pass between functions
  /// on processors whose registers hold 8.
  std::string load_run(const std::string& p) const {
    return cat("(", complex_vector(tile_), ")(vload", tile_, "(0, ", p, "), vload", tile_, "(1, ",
               p, "))");
  }
  std::string store_run(const std::string& v, const std::string& p) const {
    if (streams_)
      return cat("STREAM(", v, ".lo, ", p, "); STREAM(", v, ".hi, (", p, ") + ", tile_, ");");
    return cat("vstore", tile_, "(", v, ".lo, 0, ", p, "); vstore", tile_, "(", v, ".hi, 1, ", p,
               ");");
  }

  std::string load() {
    const std::int64_t n = p_.length;
    if (p_.method == fft_method::rader) add_rader();
    const lane_access access = lane_input(p_);
    std::string text;
    if (access != lane_access::elements) {
      const std::int64_t each = p_.along.in_place;
      text = p_.in_points > 0
                 ? cat("    const int valid = (int)clamp((", p_.in_points, " - in_place + ",
                       each - 1, ") / ", each, ", 0L, (long)", n, ");\n")
                 : cat("    const int valid = ", n, ";\n");
    }
    const std::string step = cat("((long)", p_.outer[0].in_step, ")");
    const std::string real = p_.is_double ? "double" : "float";
    if (access == lane_access::tiles) {
      for (int l = 0; l < lanes_; ++l)
        text += cat("    __global const R *in", l, " = (__global const R *)(in + in_at + min(", l,
                    ", here - 1) * ", step, ");\n");
      text += cat("    for (int n = 0; n + ", tile_, " <= valid; n += ", tile_, ") {\n");
      std::vector<std::vector<std::string>> blocks;
      for (int b = 0; b < lanes_ / tile_; ++b) {
        writer w(real, p_.is_double);
        std::vector<std::string> rows;
        for (int l = 0; l < tile_; ++l) {
          rows.push_back(cat("t", l, "b", b));
          w.line("const ", complex_vector(tile_), " ", rows.back(), " = ",
                 load_run(cat("in", b * tile_ + l, " + 2 * n")), ";");
        }
        blocks.push_back(turned_tile(w, rows));
        text += w.text;
      }
      for (int e = 0; e < tile_; ++e)
        text += put(cat("n + ", e), joined(blocks, e, ".even"), joined(blocks, e, ".odd"));
      text += cat("    }\n    for (int n = valid / ", tile_, " * ", tile_, "; n < valid; ++n) {\n");
      text += put("n", lane_list("2 * n"), lane_list("2 * n + 1")) + "    }\n";
    } else if (access == lane_access::vectors) {
      text +=
          cat("    if (here == V) {\n    for (int n = 0; n < valid; ++n) {\n    __global const R "
              "*from = (__global const R *)(in + in_at + n * IN_STEP);\n");
      if (ahead_ > 0)
        for (int b = 0; b < 2 * lanes_; b += 16 / (p_.is_double ? 2 : 1))
          text += cat("    PREFETCH(from + ", 2 * lanes_ * ahead_ + b, ");\n");
      std::string re = "(RV)(", im = "(RV)(";
      for (int b = 0; b < lanes_ / tile_; ++b) {
        text += cat("    const ", complex_vector(tile_), " c", b, " = ",
                    load_run(cat("from + ", 2 * tile_ * b)), ";\n");
        re += cat(b > 0 ? ", c" : "c", b, ".even");
        im += cat(b > 0 ? ", c" : "c", b, ".odd");
      }
      text += put("n", re + ")", im + ")") + "    }\n    } else {\n";
      for (int l = 0; l < lanes_; ++l)
        text += cat("    __global const R *in", l, " = (__global const R *)(in + in_at + min(", l,
                    ", here - 1) * ", step, ");\n");
      text += "    for (int n = 0; n < valid; ++n) {\n    const long at = 2 * n * IN_STEP;\n" +
              put("n", lane_list("at"), lane_list("at + 1")) + "    }\n    }\n";
    } else {
      text += load_elements("0");
    }
    const bool rader = p_.method == fft_method::rader;
    if (access != lane_access::elements && p_.in_points > 0 && p_.outside.any())
      text += load_elements("valid");
    else if (access != lane_access::elements && p_.in_points > 0)
      text += cat("    for (int n = valid; n < ", n, "; ++n) {\n    __local RV *to = work + 2 * ",
                  slot_of_input("n"), ";\n    to[0] = to[1] = 0;\n    }\n");
    if (!rader && g_.points > n)
      text += cat("    for (int n = ", n, "; n < ", g_.points,
                  "; ++n) work[2 * SLOT(n)] = work[2 * SLOT(n) + 1] = 0;\n");
    return text;
  }

  /// Points from `first` on, one lane after the other.
  std::string load_elements(const char* first) const {
    const fft_axis& a = p_.outer[0];
    return cat("    for (int n = ", first, "; n < ", p_.length,
               "; ++n) {\n    __local R *to = (__local R *)(work + 2 * ", slot_of_input("n"),
               ");\n    for (int l = 0; l < V; ++l) {\n    const long o = min(l, here - 1);\n"
               "    const R2 x = read_point(in, in_at + o * ((long)",
               a.in_step, "), in_place + o * ", a.in_place, ", in_index + o * ", a.in_index,
               ", n, factors LOAD_ARGUMENTS);\n    to[l] = x.x;\n    to[V + l] = x.y;\n    }\n"
               "    }\n");
  }

  /// (RV)(in0[at], in1[at], …)
  std::string lane_list(const std::string& at) const {
    std::string text = "(RV)(";
    for (int l = 0; l < lanes_; ++l) text += cat(l > 0 ? ", in" : "in", l, "[", at, "]");
    return text + ")";
  }
  static std::string joined(const std::vector<std::vector<std::string>>& blocks, int e,
                            const char* part) {
    std::string text = "(RV)(";
    for (std::size_t b = 0; b < blocks.size(); ++b)
      text += (b > 0 ? ", " : "") + blocks[b][static_cast<std::size_t>(e)] + part;
    return text + ")";
  }

  void add_rader() {
    const rader_order order(p_.length);
    std::vector<std::int32_t> in, out;
    const std::int64_t m = g_.points;
    const auto extra = static_cast<std::int32_t>(g_.slot(m) + 1);
    for (std::int64_t n = 0; n < p_.length; ++n) {
      const std::int64_t q = order.position[static_cast<std::size_t>(n)];
      in.push_back(n == 0 ? extra : static_cast<std::int32_t>(g_.slot(q)));
      out.push_back(n == 0 ? extra : static_cast<std::int32_t>(g_.slot((m - q) % m)));
    }
    rader_in_ = tables_.add(in);
    places_out_ = tables_.add(out);
  }

  fft_pass p_;
  lane_geometry g_;
  fft_tables& tables_;
  int lanes_;
  int ahead_ = 0;         ///< blocks ahead whose points are fetched
  bool streams_ = false;  ///< whole lines are written past the caches
  int tile_ = 8;
  std::int64_t rader_in_ = 0;
  std::int64_t places_out_ = 0;
};

}  // namespace fft_text
}  // namespace clprim
