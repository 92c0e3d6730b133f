// bench_transpose: transposition beside its peers and beside the copy, on one device, in one run.
//
// GB/s count one read and one write of every element. --sweep times many policies instead: what
// the rows of transpose/tuned.hpp are chosen from.

#include <complex>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "harness/suite.hpp"
#include "transpose/arena.hpp"
#include "transpose/clblast_tuning.hpp"
#include "transpose/drawn.hpp"
#include "transpose/permutation.hpp"
#include "transpose/sweep.hpp"

namespace {

struct turn_options {
  bench::turn_settings settings;
  std::string clblast_file;
  double tune_clblast = 0;
};

template <class T>
std::vector<bench::contestant> enter(const bench::suite_place& place, const bench::turn_problem& p,
                                     const bench::turn_settings& how) {
  return std::make_shared<bench::turn_arena<T>>(place, p)->enter(how);
}

std::vector<bench::contestant> enter_any(const bench::suite_place& place,
                                         const bench::turn_problem& p,
                                         const bench::turn_settings& how) {
  switch (p.bytes) {
    case 1: return enter<std::uint8_t>(place, p, how);
    case 2: return enter<clprim::half>(place, p, how);
    case 8: return enter<double>(place, p, how);
    case 16: return enter<std::complex<double>>(place, p, how);
    default: return enter<float>(place, p, how);
  }
}

void read_options(bench::command_line& line, turn_options& o) {
  if (const auto text = line.text("policy", "TEXT", "our policy, as its initialiser, for all rows"))
    o.settings.policy = clprim::parse_policy<clprim::transpose_policy>(*text);
  o.clblast_file =
      line.text("clblast-parameters", "FILE", "CLBlast's parameters for this machine").value_or("");
  o.tune_clblast =
      line.number("tune-clblast", 0, "seconds to search for them first (kept in that file)");
}

bench::bench_row row_of(const bench::suite_place& place, const bench::turn_problem& p,
                        const bench::turn_settings& how) {
  return {.name = p.name,
          .work = p.work(),
          .bars = p.bars,
          .quick = p.quick,
          .enter = [&place, &how, p] { return enter_any(place, p, how); },
          .numbers = {{"rows", static_cast<double>(p.rows)},
                      {"cols", static_cast<double>(p.cols)},
                      {"bytes", static_cast<double>(p.bytes)}},
          .kind = std::to_string(p.bytes) + "-byte"};
}

bench::bench_row row_of(const bench::suite_place& place, const bench::permutation_problem& p) {
  return {.name = p.name,
          .work = p.work(),
          .enter =
              [&place, p] {
                switch (p.bytes) {
                  case 1: return bench::permutation_arena<std::uint8_t>::enter(place, p);
                  case 2: return bench::permutation_arena<clprim::half>::enter(place, p);
                  case 8: return bench::permutation_arena<double>::enter(place, p);
                  case 16: return bench::permutation_arena<std::complex<double>>::enter(place, p);
                  default: return bench::permutation_arena<float>::enter(place, p);
                }
              },
          .kind = "permutation"};
}

/// Half of the drawn problems are matrices without gaps, which peers can transpose too.
bench::bench_row drawn_row(const bench::suite_place& place, bench::problem_draw& draw,
                           const bench::turn_settings& how) {
  const bool fp64 = place.device.fp64;
  const double least = place.cpu() ? 1e6 : 16e6, most = place.cpu() ? 64e6 : 1e9;
  return draw.chance(0.5) ? row_of(place, bench::drawn_turn(draw, fp64, least, most), how)
                          : row_of(place, bench::drawn_permutation(draw, fp64, least, most));
}

bench::suite_rows turn_rows(const bench::suite_place& place, turn_options& o) {
#if CLPRIM_HAS_CLBLAST
  if (o.tune_clblast > 0) bench::tune_clblast_turns(place, o.tune_clblast, o.clblast_file);
  if (!o.clblast_file.empty())
    o.settings.clblast_tuned = bench::load_turn_parameters(o.clblast_file, place.session.device());
#endif
  const std::string clblast = o.settings.clblast_tuned ? "CLBlast tuned" : "CLBlast";
  bench::suite_rows all;
  all.columns.emplace_back("copy");
  all.peer(CLPRIM_HAS_CLBLAST != 0, clblast);
  if (place.cpu()) all.peer(CLPRIM_HAS_OPENBLAS != 0, "OpenBLAS");
  if (place.nvidia()) all.peer(CLPRIM_HAS_CUBLAS != 0, "cuBLAS");
  if (place.nvidia()) all.peer(CLPRIM_HAS_CUBLAS != 0, "cudaMemcpy");
  for (const bench::turn_problem& p : place.cpu() ? bench::cpu_turns(clblast) : bench::gpu_turns())
    all.rows.push_back(row_of(place, p, o.settings));
  return all;
}

/// bench_transpose --sweep [--device NAME]
int sweep(const std::string& device) {
  const clprim::session s = clprim::open_session(device);
  const bench::suite_place place{.session = s, .device = clprim::facts_of(s.device)};
  bench::sweep_all(place);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--sweep") {
    try {
      return sweep(argc > 3 ? argv[3] : "");
    } catch (const std::exception& e) {
      std::fprintf(stderr, "bench_transpose: %s\n", e.what());
      return 2;
    }
  }
  turn_options options;
  return bench::run_suite(
      {.name = "transpose",
       .what = "transposition beside its peers, in one run (--sweep first: many policies).",
       .options = [&](bench::command_line& line) { read_options(line, options); },
       .rows = [&](const bench::suite_place& place) { return turn_rows(place, options); },
       .drawn = [&](const bench::suite_place& place,
                    bench::problem_draw& draw) { return drawn_row(place, draw, options.settings); },
       .judged_by = "copy",
       .gpu_pause_ms = 100,
       .show_kernels = true},
      argc, argv);
}
