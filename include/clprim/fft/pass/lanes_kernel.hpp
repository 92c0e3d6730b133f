#pragma once
// The kernel of a pass by lanes: points are loaded into local memory, transformed there, stored.

#include <string>
#include <vector>

#include <clprim/fft/pass/lanes_read.hpp>

namespace clprim {
namespace fft_text {

/// The text of one kernel by lanes, and the tables that it reads.
class lane_kernel : public lane_loader {
 public:
  using lane_loader::lane_loader;

  std::string body() {
    const std::int64_t turns = p_.turn == 0 ? 0 : 16 + (p_.length + 15) / 16;
    std::string text =
        cat("__kernel __attribute__((reqd_work_group_size(1, 1, 1))) void fft", kernel_parameters(),
            "\n{\n    __local RV work[", 2 * g_.slots, "];\n",
            turns > 0 ? cat("    __local RV turns[", 2 * turns, "];\n") : std::string(),
            "    const long last = min((long)(get_group_id(0) + 1) * ", g_.blocks,
            ", (long)BLOCKS);\n    for (long block = (long)get_group_id(0) * ", g_.blocks,
            "; block < last; ++block) {\n    long rest = block;\n");
    std::string inside = load() + lane_stages_text(g_, tables_, true, p_.is_double);
    if (p_.method != fft_method::direct)
      inside += product() + lane_stages_text(g_, tables_, false, p_.is_double);
    inside += store();
    return text + locate_text(p_, lanes_, inside) + inside + "    }\n}\n";
  }

  /// Definitions that stand before the kernel.
  void define(source_builder& out, bool prefetches) const {
    out.define("V", lanes_);
    out.define("RV", cat(p_.is_double ? "double" : "float", lanes_));
    out.define("SLOT(i)", g_.gaps ? "((i) + ((i) >> 6))" : "(i)");
    if (ahead_ > 0) out.define("PREFETCH(p)", prefetches ? "__builtin_prefetch(p)" : "");
    if (streams_) {
      const std::string vector = cat(p_.is_double ? "double" : "float", tile_),
                        plain = cat("vstore", tile_, "(v, 0, p)");
      out.line(cat("#define STREAM(v, p) ", plain,
                   "\n#ifdef __has_builtin\n#if __has_builtin(__builtin_nontemporal_store)\n"
                   "#undef STREAM\n#define STREAM(v, p) if (((size_t)(p) & (sizeof(",
                   vector, ") - 1)) == 0) __builtin_nontemporal_store(v, (__global ", vector,
                   " *)(p)); else ", plain, "\n#endif\n#endif"));
    }
    std::string blocks = "((extent + V - 1) / V)";
    for (std::size_t a = 1; a < p_.outer.size(); ++a) {
      if (a == 1) blocks = cat("(", (p_.outer[0].extent + lanes_ - 1) / lanes_, "L)");
      blocks = a + 1 == p_.outer.size() ? cat("(", blocks, " * extent)")
                                        : cat("(", blocks, " * ", p_.outer[a].extent, ")");
    }
    out.define("BLOCKS", blocks);
  }

 private:
  /// work *= the spectrum, in the order of the slots.
  std::string product() {
    const bool rader = p_.method == fft_method::rader;
    const std::vector<wide_complex> natural =
        rader ? rader_spectrum(p_.length)
              : bluestein_spectrum(bluestein_chirp(p_.length), g_.points);
    std::vector<wide_complex> spectrum(natural.size());
    for (std::int64_t k = 0; k < g_.points; ++k)
      spectrum[static_cast<std::size_t>(g_.reversed(k))] = natural[static_cast<std::size_t>(k)];
    const std::int64_t table = tables_.add(spectrum);
    std::string text;
    const std::int64_t extra = 2 * (g_.slot(g_.points) + 1);
    if (rader)
      text += cat("    const RV x0r = work[", extra, "], x0i = work[", extra + 1, "];\n    work[",
                  extra, "] = x0r + work[0];\n    work[", extra + 1, "] = x0i + work[1];\n");
    text += cat("    for (int n = 0; n < ", g_.points,
                "; ++n) {\n    __local RV *at = work + 2 * "
                "SLOT(n);\n    const R2 f = factors[",
                table,
                " + n];\n    const RV re = at[0], im = at[1];\n    at[0] = re * f.x - im * f.y;\n"
                "    at[1] = re * f.y + im * f.x;\n    }\n");
    if (rader) text += "    work[0] += x0r;\n    work[1] += x0i;\n";
    return text;
  }

  std::string slot_of_output(const std::string& k) const {
    return p_.method == fft_method::convolution ? cat("SLOT(", k, ")")
                                                : cat("places[", places_out_, " + ", k, "]");
  }
  /// Statements that make the vectors `re` and `im` of output k.
  std::string get(const std::string& k, const std::string& re, const std::string& im) const {
    std::string text;
    std::string a = "y.x", b = "y.y";
    if (p_.output == fft_output::half_of_pairs) {
      const std::int64_t m = p_.length;
      text +=
          cat("    { const int kp = ", k, "; __local const RV *a = work + 2 * ",
              slot_of_output(cat("(kp == ", m, " ? 0 : kp)")), ", *b = work + 2 * ",
              slot_of_output(cat("(kp == 0 ? 0 : ", m, " - kp)")),
              ";\n    const R2 w = factors[PAIR_ROOTS + kp];\n    const RV sr = a[0] + b[0], si = "
              "a[1] - b[1], dr = a[0] - b[0], di = a[1] + b[1];\n    ",
              re, " = ((R)0.5) * (sr + (w.x * di + w.y * dr));\n    ", im,
              " = ((R)0.5) * (si - (w.x * dr - w.y * di)); }\n");
    } else {
      text += cat("    { __local const RV *from = work + 2 * ", slot_of_output(k), "; ", re,
                  " = from[0]; ", im, " = from[1]; }\n");
    }
    const auto times = [&](const std::string& f) {
      text += cat("    { ", f, " const RV s = ", re, " * fx - ", im, " * fy; ", im, " = ", re,
                  " * fy + ", im, " * fx; ", re, " = s; }\n");
    };
    if (p_.turn != 0)
      times(
          cat("__local const RV *f1 = turns + 2 * ((", k, ") & 15), *f2 = turns + 32 + 2 * ((", k,
              ") >> 4); const RV fx = f1[0] * f2[0] - f1[1] * f2[1], fy = f1[0] * f2[1] + f1[1] * "
              "f2[0];"));
    if (p_.out_factor != no_table && p_.outer.front().out_place != 0) {
      const std::string limit =
          std::to_string(p_.out_points > 0 ? p_.out_points : p_.length * p_.along.out_place);
      times(
          cat("R gx[V], gy[V]; for (int l = 0; l < V; ++l) { const long g = out_place + min(l, "
              "here - 1) * ",
              p_.outer.front().out_place, "L + (", k, ") * (long)", p_.along.out_place,
              "; const R2 f = g < ", limit, " ? factors[", p_.out_factor,
              " + g] : (R2)(0, 0); gx[l] = f.x; gy[l] = f.y; } const RV fx = vload", lanes_,
              "(0, gx), fy = vload", lanes_, "(0, gy);"));
    } else if (p_.out_factor != no_table)
      times(cat("const R2 f = factors[", p_.out_factor, " + out_place + (", k, ") * (long)",
                p_.along.out_place, "]; const RV fx = f.x, fy = f.y;"));
    if (p_.swap_out)
      text += cat("    { const RV s = ", re, "; ", re, " = ", im, "; ", im, " = s; }\n");
    if (p_.scale != 1) {
      const std::string scale = literal(static_cast<long double>(p_.scale), p_.is_double);
      text += cat("    ", re, " *= ", scale, "; ", im, " *= ", scale, ";\n");
    }
    return text;
  }

  /// Powers of exp(-2 pi i o / turn), o being the lane's transform: k < 16, and multiples of 16.
  /// Each is one of the first lane times one of a table for the lane: a power made of powers is
  /// wrong by as many roundings (2^22 points: 0.71 eps log2 N that way, 0.06 this way).
  std::string turns() {
    const std::int64_t roots = add_roots(tables_, p_.turn);
    const std::int64_t mask = (std::int64_t{1} << root_bits) - 1;
    // Lanes that a last block lacks do again what the one before them does.
    const bool whole = p_.outer.size() > 1 && p_.outer[0].extent % lanes_ == 0;
    const std::string last =
        whole ? std::string()
              : cat("    if (here < V) {\n    R r[V], i[V];\n    for (int l = 0; l < V; ++l) {\n"
                    "    r[l] = lane[min(l, here - 1)];\n    i[l] = lane[V + min(l, here - 1)];\n"
                    "    }\n    re = vload",
                    lanes_, "(0, r);\n    im = vload", lanes_, "(0, i);\n    }\n");
    std::string text;
    const auto powers = [&](std::int64_t at, std::int64_t count, std::int64_t times) {
      std::vector<long double> lanes;  // vectors of real, then of imaginary parts
      for (std::int64_t k = 0; k < count; ++k) {
        for (int l = 0; l < lanes_; ++l) lanes.push_back(wide_root(k * times * l, p_.turn).real());
        for (int l = 0; l < lanes_; ++l) lanes.push_back(wide_root(k * times * l, p_.turn).imag());
      }
      std::vector<wide_complex> part;
      for (std::size_t i = 0; i < lanes.size(); i += 2) part.emplace_back(lanes[i], lanes[i + 1]);
      const std::string to = cat("    turns[", at, " + 2 * k");
      // first * times * k < turn
      text += cat("    for (int k = 0; k < ", count, "; ++k) {\n    const long q = first * ", times,
                  " * k;\n    const R2 a = factors[", roots, " + (q & ", mask, ")], b = factors[",
                  roots + mask + 1, " + (q >> ", root_bits,
                  ")];\n    const R c = a.x * b.x - a.y * b.y, s = a.x * b.y + a.y * b.x;\n"
                  "    __global const R *lane = (__global const R *)(factors + ",
                  tables_.add(part), ") + 2 * V * k;\n    RV re = vload", lanes_,
                  "(0, lane), im = vload", lanes_, "(1, lane);\n", last, to,
                  "] = c * re - s * im;\n", to, " + 1] = c * im + s * re;\n    }\n");
    };
    powers(0, std::min<std::int64_t>(16, p_.length), 1);
    powers(32, (p_.length + 15) / 16, 16);
    return text;
  }

  std::string store() {
    const std::int64_t count = p_.output == fft_output::half_of_pairs ? p_.length + 1 : p_.length;
    if (p_.method == fft_method::direct) {
      std::vector<std::int32_t> out;
      for (std::int64_t k = 0; k < p_.length; ++k)
        out.push_back(static_cast<std::int32_t>(g_.slot(g_.reversed(k))));
      places_out_ = tables_.add(out);
    }
    std::string text = p_.turn != 0 ? turns() : std::string();
    const lane_access access = lane_output(p_);
    text += cat("    int wanted = ", count, ";\n");
    // What is not written has no factor either.
    const bool alike = access != lane_access::elements || p_.outer.front().out_place == 0;
    if (alike && p_.out_points > 0) {
      const std::int64_t each = p_.along.out_place;
      text += cat("    wanted = (int)clamp((", p_.out_points, " - out_place + ", each - 1, ") / ",
                  each, ", 0L, (long)", count, ");\n");
    }
    const std::string step = cat("((long)", p_.outer[0].out_step, ")");
    const std::string one =
        cat("    for (int l = 0; l < V; ++l) {\n    __global R *to = (__global R "
            "*)(out + out_at + min(l, here - 1) * ",
            step, ")");
    if (access == lane_access::tiles) {
      for (int l = 0; l < lanes_; ++l)
        text += cat("    __global R *out", l, " = (__global R *)(out + out_at + min(", l,
                    ", here - 1) * ", step, ");\n");
      text += cat("    for (int k = 0; k + ", tile_, " <= wanted; k += ", tile_, ") {\n");
      for (int e = 0; e < tile_; ++e) {
        text += cat("    RV r", e, ", i", e, ";\n");
        text += get(cat("k + ", e), cat("r", e), cat("i", e));
      }
      for (int b = 0; b < lanes_ / tile_; ++b) {
        writer w(p_.is_double ? "double" : "float", p_.is_double);
        std::vector<std::string> rows;
        for (int e = 0; e < tile_; ++e) {
          rows.push_back(cat("t", e, "b", b));
          std::string parts;
          for (int l = b * tile_; l < (b + 1) * tile_; ++l) {
            const std::string lane = cat(".s", std::string(1, "0123456789abcdef"[l]));
            parts += cat(parts.empty() ? "" : ", ", "r", e, lane, ", i", e, lane);
          }
          w.line("const ", complex_vector(tile_), " ", rows.back(), " = (", complex_vector(tile_),
                 ")(", parts, ");");
        }
        rows = turned_tile(w, rows);
        for (int l = 0; l < tile_; ++l)
          w.line(
              store_run(rows[static_cast<std::size_t>(l)], cat("out", b * tile_ + l, " + 2 * k")));
        text += w.text;
      }
      text += cat("    }\n    for (int k = wanted / ", tile_, " * ", tile_,
                  "; k < wanted; ++k) {\n    RV r, i;\n", get("k", "r", "i"),
                  "    R re[V], im[V];\n    vstore", lanes_, "(r, 0, re);\n    vstore", lanes_,
                  "(i, 0, im);\n", one,
                  " + 2 * k;\n    to[0] = re[l];\n    to[1] = im[l];\n    }\n", "    }\n");
      return text;
    }
    text += "    for (int k = 0; k < wanted; ++k) {\n    RV r, i;\n" + get("k", "r", "i");
    const std::string arrays = cat("    R re[V], im[V];\n    vstore", lanes_,
                                   "(r, 0, re);\n    vstore", lanes_, "(i, 0, im);\n");
    if (access == lane_access::vectors) {
      text +=
          "    if (here == V) {\n    __global R *to = (__global R *)(out + out_at + k * "
          "OUT_STEP);\n";
      for (int b = 0; b < lanes_ / tile_; ++b) {
        std::string parts;
        for (int l = b * tile_; l < (b + 1) * tile_; ++l) {
          const std::string lane = cat(".s", std::string(1, "0123456789abcdef"[l]));
          parts += cat(parts.empty() ? "r" : ", r", lane, ", i", lane);
        }
        text += cat("    { const ", complex_vector(tile_), " run = (", complex_vector(tile_), ")(",
                    parts, "); ", store_run("run", cat("to + ", 2 * tile_ * b)), " }\n");
      }
      return text + "    } else {\n" + arrays + one +
             " + 2 * k * OUT_STEP;\n    to[0] = re[l];\n    to[1] = im[l];\n    }\n    }\n    }\n";
    }
    return text + arrays +
           cat("    for (int l = 0; l < here; ++l)\n    write_point(out, out_at + l * ", step,
               ", out_place + (long)l * ", p_.outer[0].out_place, ", out_index + (long)l * ",
               p_.outer[0].out_index,
               ", k, (R2)(re[l], im[l]), factors STORE_ARGUMENTS);\n    }\n");
  }
};

}  // namespace fft_text
}  // namespace clprim
