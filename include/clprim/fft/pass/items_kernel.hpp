#pragma once
// The kernel of a pass by items, and that of two passes in one launch.

#include <algorithm>
#include <cstdint>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include <clprim/core/device_facts.hpp>
#include <clprim/core/source.hpp>
#include <clprim/fft/pass/items_points.hpp>
#include <clprim/fft/pass/items_stages.hpp>
#include <clprim/fft/pass/items_text.hpp>
#include <clprim/fft/pass/pair_text.hpp>
#include <clprim/fft/plan/geometry.hpp>
#include <clprim/fft/plan/step.hpp>

namespace clprim {
namespace fft_text {

/// Two rows of real values in the variables: each times a power of two by its largest one, and what
/// factor the points have.
inline void scale_rows(item_pass& k) {
  writer& w = k.s.w;
  const item_geometry& g = k.s.g;
  w.call("LOUDNESS", k.reads.transform);
  for (const complex_name& x : variables_of(g)) w.call("LOUDER", x.re, x.im);
  w.call("TELL_LOUDNESS", k.reads.transform, "most");
  if (k.is_rader()) when(w, "t == 0", [&] { w.call("FIRST_LOUDNESS", "c"); });
  w.line("barrier(CLK_LOCAL_MEM_FENCE);");
  w.call("ROW_SCALES", "by", k.reads.transform);
  for (const complex_name& x : variables_of(g)) w.call("SCALE_ROWS", x.re, x.im, "by");
  if (k.is_rader()) {
    w.call("ROW_SCALES", "first_by", "c");
    w.call("SCALE_ROWS", "first_point.x", "first_point.y", "first_by");
  }
  if (k.p.read.factor == no_table) return;
  each_leg(k, k.first_radix(), k.reads.item, false, [&](const leg& at) {
    if (at.first >= k.p.length) return;
    const std::string n = sum(k.reads.item, at.further);
    const complex_name x = variable(static_cast<int>(at.number()));
    when(w, at.guard(k, n), [&] { w.call("TIMES_FACTOR", x.re, x.im, n); });
  });
}

/// A convolution: the product with the spectrum, and the stages back.
inline std::vector<complex_name> convolved(item_pass& k, std::vector<complex_name> y) {
  stage_text& s = k.s;
  writer& w = s.w;
  const bool rader = k.is_rader(), own = k.p.spectrum != no_table;
  const int r = s.g.radices.back(), count = s.g.butterflies(r);
  std::int64_t table = k.p.spectrum;
  if (own) {
    tell_column(k);
  } else {
    std::vector<wide_complex> spectrum = spectrum_of(k.p);
    if (s.g.coprime) spectrum = reordered(spectrum, coprime_order(s.g.radices).frequency);
    table = s.tables.add(spectrum);
  }
  if (rader) w.call("TOTAL", y[0].re, y[0].im);
  for (int b = 0; b < count; ++b) {
    const std::string from = numbered("s", b);
    w.call("BUTTERFLY", from, butterfly(s.g, r, b));
    for (int m = 0; m < r; ++m) {
      complex_name& one = y[value_place(b, r, m)];
      const std::string f = cat(from, "_", m);
      w.call("SPECTRUM", f, table + m * (s.g.points / r), from);
      one = w.product(one, {f + ".x", f + ".y"});
      if (rader && b == 0 && m == 0) one = w.value(one.re + " + add.x", one.im + " + add.y");
    }
  }
  y.resize(static_cast<std::size_t>(s.g.variables()), complex_name{"0", "0"});
  y = write_stages(s, {s.g.radices.rbegin(), s.g.radices.rend()}, true, y);
  if (own) exchange_parts(y);
  return y;
}

/// The constants of a pass, as its texts name them.
inline void define_items(source_builder& out, const item_pass& k, std::int64_t turns) {
  const fft_pass& p = k.p;
  const item_geometry& g = k.s.g;
  out.define("GROUP", g.group());
  out.define("TOGETHER", g.together);
  out.define("PITCH", g.pitch);
  out.define("PLANE", g.plane);
  out.define("ORDERED", k.s.policy.ordered ? "volatile" : "");
  out.define("RE_IN", p.read.swapped ? "y" : "x");
  out.define("IM_IN", p.read.swapped ? "x" : "y");
  out.define("OUT_BLOCK", p.write.block);
  if (!p.axes.empty()) {
    std::string place;
    std::int64_t before = 1, step = p.length;
    for (const std::int64_t n : p.axes) {
      step /= n;
      const std::int64_t stride = step + (before == 1 ? g.gap : 0);
      append(place, before == 1 ? "((p)" : " + (p) / ", before == 1 ? std::string() : cat(before),
             step == 1 ? std::string() : cat(" % ", n), " * ", stride);
      before *= n;
    }
    out.define("AXES_PLACE(p)", place + ")");
    out.define("SLOWEST", p.length / p.axes.front());
    out.define("AXES_GAP", g.gap);
    out.define("ROW_KEPT", p.row());
  }
  define_turns(out, turns);
  if (is_native(k.s)) {  // H200, 1024 real points: 1.5 % faster than by the table
    const std::string angle = cat("(R)(k) * ", k.s.w.number(-std::numbers::pi_v<long double> /
                                                            static_cast<long double>(p.length)));
    out.define("PAIR_ROOT(k)", cat("(R2)(native_cos(", angle, "), native_sin(", angle, "))"));
  } else {
    out.define("PAIR_ROOT(k)", "factors[PAIR_ROOTS + (k)]");
  }
}

/// The pairs of reals that the exchange of a pass takes in local memory.
inline std::int64_t room_of(const item_geometry& g) {
  return g.planes ? g.plane : (g.plane + 1) / 2;
}

/// The seams and the frame of a pass, a kernel or a function of its own name, in this order: what
/// the texts name, the texts, what the group does.
inline void write_items(source_builder& out, const fft_pass& p, const fft_policy& policy,
                        const item_geometry& g, fft_tables& tables, const std::string& name) {
  item_pass k{p,
              {g, policy, tables, writer(p.is_double), name, p.aliased},
              g.in_rows == g.out_rows ? item_map{} : item_map{"t1", "c1"},
              add_rader_places(p, g, tables)};
  stage_text& s = k.s;
  read_points(k);
  if (p.read.kind == fft_form::real_rows) scale_rows(k);
  const std::string read = std::exchange(s.w.text, {});
  std::vector<complex_name> y = write_stages(s, g.radices, false, variables_of(g), k.reads);
  if (p.method != fft_method::direct) y = convolved(k, y);
  const std::string stages = std::exchange(s.w.text, {});
  const std::int64_t turns = p.turn == 0 ? 0 : add_roots(tables, p.turn);
  write_points(k, y);
  text_facts facts = facts_of(p, true);
  facts.insert(
      facts.end(),
      {fact(name == "pass", "own"), fact(p.aliased, "aliased"), fact(g.local_bytes > 0, "exchange"),
       g.pairs    ? "pairs"
       : g.planes ? "planes"
                  : "halves",
       fact(g.in_rows, "rows_in"), fact(!g.out_rows, "columns_out"), fact(g.staged_in, "staged_in"),
       fact(g.staged_in || g.staged_out, "staged"), fact(p.write.halves(), "makes_half")});
  replacements words{{"PASS", name}};
  define_items(out, k, turns);
  out.text(items_text, words, {}, facts);
  if (p.two_rows()) {
    out.define("ITEMS", g.items);
    out.define("ROWS_PLACE", room_of(g));
  }
  words.insert(words.end(), {{"ALONG", std::to_string(g.items)},
                             {"BESIDE", std::to_string(g.together)},
                             {"READER", k.reads.item},
                             {"READERS", k.reads.transform}});
  out.text(items_frame, words,
           {{"CONSTANTS", s.constants},
            {"BEGINNINGS", locate_text(p, g.together)},
            {"VARIABLES", declare(s) + s.early},
            {"READ", read},
            {"STAGES", stages},
            {"WRITE", s.w.text}},
           facts);
}

/// All of a pass's text, as a kernel of its own or the function `name`; its sizes. Throws
/// policy_error when it does not fit the device.
inline item_geometry write_pass(source_builder& out, const fft_pass& p, const fft_policy& policy,
                                const device_facts& device, fft_tables& tables,
                                const std::string& name = "pass") {
  item_geometry g = item_geometry_of(p, policy, device);
  if (g.items == 0) {
    throw policy_error(cat("transforms of ", p.points(), " points do not fit a group of ",
                           device.name, " with ", to_string(policy)));
  }
  const bool lines = policy.streaming == fft_streaming::lines,
             past = takes_ptx(device) &&
                    !(lines && (device.compute_capability < 80 || name != "pass"));
  define_prelude(out, p, pair_roots_of(p, tables), past ? policy.streaming : fft_streaming::none,
                 name);
  fft_policy used = policy;
  used.separate = policy.separate && takes_ptx(device);
  write_items(out, p, used, g, tables, name);
  if (name != "pass") out.undefine();  // another one follows
  return g;
}

/// Options of the compiler; `plain`: without optimisation.
inline std::string options_of(const device_facts& device, int registers, bool plain) {
  return plain                                ? "-cl-opt-disable"
         : takes_ptx(device) && registers > 0 ? "-cl-nv-maxrregcount=" + std::to_string(registers)
                                              : std::string();
}

}  // namespace fft_text

/// The source of a pass by items. Throws policy_error when it does not fit the device.
inline fft_kernel items_source(const fft_step& s, const device_facts& device, fft_tables& tables) {
  using namespace fft_text;
  source_builder out;
  out.banner(cat("clprim Fourier transforms of ", s.pass.length, " points\n", to_string(s.policy)));
  const item_geometry g = write_pass(out, s.pass, s.policy, device, tables);
  return {.source = out.str(),
          .options = options_of(device, s.policy.registers, device.loses_guards),
          .radices = g.radices,
          .side_by_side = g.together,
          .items = g.group(),
          .local_bytes = g.local_bytes + g.loudness_bytes};
}

/// The source of the kernel `fft` of a step whose second pass runs in the same launch.
inline fft_kernel pair_source(const fft_step& s, const fft_second& second,
                              const device_facts& device, fft_tables& tables) {
  using namespace fft_text;
  check_rules(second.policy);
  source_builder out;
  out.banner(cat("clprim Fourier transforms of ", s.pass.length, " points, and of ",
                 second.pass.length, " behind them\n", to_string(s.policy), "\n",
                 to_string(second.policy)));
  const item_geometry g1 = write_pass(out, s.pass, s.policy, device, tables, "first"),
                      g2 = write_pass(out, second.pass, second.policy, device, tables, "second");
  const auto room = [](const item_geometry& g) {
    return room_of(g) + (g.loudness_bytes > 0 ? g.together : 0);
  };
  const more_parameters load = more_of(s.pass, s.pass.read),
                        store = more_of(second.pass, second.pass.write);
  out.define("PIPELINE_ITEMS", g1.group());
  out.define("PIPELINE_IN", stored_type(s.pass.read));
  out.define("PIPELINE_MIDDLE", stored_type(s.pass.write));
  out.define("PIPELINE_OUT", stored_type(second.pass.write));
  out.define("PIPELINE_PAIR", real_type(s.pass.is_double) + "2");
  out.define("PIPELINE_ROOM", std::max<std::int64_t>({1, room(g1), room(g2)}));
  out.define("PIPELINE_PARAMETERS", load.declared + store.declared);
  out.define("LOAD_CALL", load.passed);
  out.define("STORE_CALL", store.passed);
  out.define("FIRST_EXTENT", second.first_extent);
  const auto number = [](std::int64_t n) { return std::to_string(n) + "u"; };
  out.define("FIRST_GROUPS", number(second.first_groups));
  out.define("SECOND_GROUPS", number(second.second_groups));
  out.define("LAG", number(second.lag));
  out.define("RING", second.ring > 0);
  out.define("SLOTS", number(std::max<std::int64_t>(1, second.ring)));
  out.define("UNIT", number(second.unit));
  out.define("STEP", std::to_string(second.step) + "L");
  out.text(pair_kernel, {}, {}, {takes_ptx(device) ? "ptx" : ""});
  // PoCL 3.1 (LLVM 14, AVX-512) loses the guards of stores between barriers that stand in a branch:
  // 34300 points to an output of stride 4 were written outside; right without optimisation. CPUs
  // have such kernels by a caller's policy only, as tests do.
  const int registers = std::max(s.policy.registers, second.policy.registers);
  return {.source = out.str(),
          .options = options_of(device, registers, !takes_ptx(device)),
          .radices = g1.radices,
          .side_by_side = g1.together,
          .items = g1.group(),
          .local_bytes =
              std::max(g1.local_bytes + g1.loudness_bytes, g2.local_bytes + g2.loudness_bytes) + 8,
          .then_radices = g2.radices,
          .then_side_by_side = g2.together};
}

}  // namespace clprim
