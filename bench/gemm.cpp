// bench_gemm: matrix products beside their peers, on one device, in one run.
//
// See bench/results/README.md for what is timed and how, and --help for what may be asked.

#include <algorithm>
#include <cstdio>
#include <fstream>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "gemm/arena.hpp"
#include "gemm/clblast_tuning.hpp"
#include "gemm/drawn.hpp"
#include "harness/suite.hpp"

namespace {

struct gemm_options {
  bench::gemm_settings settings;
  std::string clblast_file;
  double tune_clblast = 0;
};

/// Gives each row its contestants; keeps the operands of one type at a time.
class arenas {
 public:
  arenas(bench::suite_place place, std::vector<bench::gemm_problem_row> problems,
         bench::gemm_settings settings)
    : place_(std::move(place)), problems_(std::move(problems)), settings_(std::move(settings)) {}

  std::vector<bench::contestant> enter(const bench::gemm_problem_row& row) {
    switch (row.type) {
      case clprim::scalar::half_: return enter_as<clprim::half>(row);
      case clprim::scalar::bfloat16_: return enter_as<clprim::bfloat16>(row);
      case clprim::scalar::float_: return enter_as<float>(row);
      case clprim::scalar::double_: return enter_as<double>(row);
      case clprim::scalar::complex_float: return enter_as<std::complex<float>>(row);
      case clprim::scalar::complex_double: return enter_as<std::complex<double>>(row);
      case clprim::scalar::int8_: return enter_as<std::int8_t>(row);
      case clprim::scalar::e4m3_: return enter_as<clprim::float8_e4m3>(row);
      case clprim::scalar::e5m2_: return enter_as<clprim::float8_e5m2>(row);
      case clprim::scalar::int32_: break;
    }
    throw clprim::error("unknown element type");
  }

 private:
  using entrance = std::function<std::vector<bench::contestant>(const bench::gemm_problem_row&)>;

  template <class T> std::vector<bench::contestant> enter_as(const bench::gemm_problem_row& row) {
    if (!current_ || type_ != row.type) {
      current_ = nullptr;  // first the old operands go
      const auto arena = std::make_shared<const bench::gemm_arena<T>>(
          place_.session, place_.device, place_.clock, problems_, settings_);
      current_ = [arena](const bench::gemm_problem_row& r) { return arena->enter(r); };
      type_ = row.type;
    }
    return current_(row);
  }

  bench::suite_place place_;
  std::vector<bench::gemm_problem_row> problems_;
  bench::gemm_settings settings_;
  clprim::scalar type_ = clprim::scalar::float_;
  entrance current_;
};

#if CLPRIM_HAS_CLBLAST
/// Tunes on square products, screened at 256 and timed at 1024, in float and double, and keeps what
/// it finds.
void tune_clblast(const bench::suite_place& place, double seconds, const std::string& path) {
  bench::load_clblast_parameters(path,
                                 place.session.device());  // an earlier search is gone on with
  std::ofstream file;
  if (!path.empty()) file.open(path);
  const auto one = [&]<class T>(T, const char* type) {
    std::printf("tuning CLBlast for %s, at most %.0f s\n", type, seconds / 2);
    const bench::gemm_problem_row small{"screening", clprim::scalar_of<T>, 256, 256, 256};
    const bench::gemm_problem_row large{"tuning", clprim::scalar_of<T>, 1024, 1024, 1024};
    const auto a = bench::random_values<T>(large.a_elements(), 1);
    const auto b = bench::random_values<T>(large.b_elements(), 2);
    const auto operands = std::make_shared<const bench::opencl_operands<T>>(
        place.session, place.device, place.clock, a, b, large.c_elements());
    const bench::clblast_parameters best = bench::tune_clblast<T>(
        operands, a, b, small, large, seconds / 2, [](const std::string& line) {
          std::printf("  %s\n", line.c_str());
          std::fflush(stdout);
        });
    if (!best.empty() && file.is_open()) file << type << " " << bench::to_text(best) << std::endl;
  };
  one(float{}, "float");
  if (place.device.fp64) one(double{}, "double");
}
#endif

std::optional<clprim::gemm_policy> parsed(const std::optional<std::string>& text) {
  if (!text) return std::nullopt;
  return clprim::parse_policy<clprim::gemm_policy>(*text);
}

void read_options(bench::command_line& line, gemm_options& o) {
  o.settings.rotate = line.flag("rotate", "operands rotate through twice the last-level cache");
  o.settings.pedantic = line.flag("pedantic", "cuBLAS in its pedantic mode");
  o.settings.policy =
      parsed(line.text("policy", "TEXT", "our policy, as its initialiser, for all rows"));
  o.settings.async_policy =
      parsed(line.text("async-policy", "TEXT", "our policy for the rows named async"));
  o.clblast_file =
      line.text("clblast-parameters", "FILE", "CLBlast's parameters for this machine").value_or("");
  o.tune_clblast =
      line.number("tune-clblast", 0, "seconds to search for them first (kept in that file)");
}

bench::bench_row row_of(const bench::gemm_problem_row& p, const std::shared_ptr<arenas>& where) {
  const auto number = [](int n) { return static_cast<double>(n); };
  return {.name = p.name,
          .work = p.flops(),
          .unit = "GFLOP/s",
          .roof = clprim::facts_of(p.type).compute == "double" ? "fma double" : "fma float",
          .bars = p.bars,
          .quick = p.quick,
          .flops_per_byte = p.flops() / static_cast<double>(p.bytes()),
          .enter = [where, p] { return where->enter(p); },
          .numbers = {{"m", number(p.m)},
                      {"n", number(p.n)},
                      {"k", number(p.k)},
                      {"batch", number(p.batch)}},
          .kind = std::string(bench::blas_letter(p.type)) + "gemm"};
}

/// Its operands are its own, and gone with its arena.
bench::bench_row drawn_row(const bench::suite_place& place, const bench::gemm_settings& settings,
                           bench::problem_draw& draw) {
  const bench::gemm_problem_row p = place.cpu()
                                        ? bench::drawn_product(draw, place.device.fp64, 64e6, 4e9)
                                        : bench::drawn_product(draw, place.device.fp64, 1e9, 2e12);
  bench::bench_row row = row_of(p, nullptr);
  row.enter = [place, settings, p] {
    return std::make_shared<arenas>(place, std::vector{p}, settings)->enter(p);
  };
  return row;
}

bench::suite_rows gemm_rows(const bench::suite_place& place, gemm_options& o) {
#if CLPRIM_HAS_CLBLAST
  if (o.tune_clblast > 0) tune_clblast(place, o.tune_clblast, o.clblast_file);
  if (!o.clblast_file.empty()) {
    o.settings.clblast_tuned =
        bench::load_clblast_parameters(o.clblast_file, place.session.device());
  }
#endif
  bench::suite_rows all;
  all.peer(CLPRIM_HAS_CLBLAST != 0, o.settings.clblast_tuned ? "CLBlast tuned" : "CLBlast");
  if (place.cpu()) all.peer(CLPRIM_HAS_OPENBLAS != 0, "OpenBLAS");
  if (place.nvidia()) all.peer(CLPRIM_HAS_CUBLAS != 0, "cuBLAS");

  std::vector<bench::gemm_problem_row> problems =
      place.cpu() ? bench::cpu_gemm_problems() : bench::gpu_gemm_problems();
  std::erase_if(problems, [&](const bench::gemm_problem_row& p) {
    return (p.ours == bench::wish::async && !place.device.async_copy) ||
           (!place.device.fp64 && clprim::facts_of(p.type).needs_fp64);
  });
  const auto entrances = std::make_shared<arenas>(place, problems, o.settings);
  for (const bench::gemm_problem_row& p : problems) all.rows.push_back(row_of(p, entrances));
  return all;
}

}  // namespace

int main(int argc, char** argv) {
  gemm_options options;
  return bench::run_suite(
      {.name = "gemm",
       .what = "matrix products beside their peers, in one run.",
       .options = [&](bench::command_line& line) { read_options(line, options); },
       .rows = [&](const bench::suite_place& place) { return gemm_rows(place, options); },
       .drawn =
           [&](const bench::suite_place& place, bench::problem_draw& draw) {
             return drawn_row(place, options.settings, draw);
           }},
      argc, argv);
}
