#pragma once
// CLBlast with parameters for this machine, found in bounded time.
//
// Its own tuners are no help in a benchmark: Debian does not package the executables, and the API
// (clblast::TuneXgemm) has no bound, takes minutes on PoCL for a hundredth of its space and throws
// bad_alloc for less. So we search its space, and smaller work-groups besides, under the
// constraints of its tuner (src/tuning/kernels/xgemm.hpp of CLBlast 1.5), by timing whole
// clblast::Gemm calls: from its own parameters on, at random for half the time, then around the
// best. Slow candidates are dropped on a small product. The result is kept in a file of NAME=VALUE
// words, one line per precision.

#include <cstdint>
#include <fstream>
#include <limits>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "../harness/statistics.hpp"
#include "clblast.hpp"
#include "verify.hpp"

#if CLPRIM_HAS_CLBLAST
namespace bench {

using clblast_parameters = std::unordered_map<std::string, std::size_t>;

template <class T> constexpr clblast::Precision clblast_precision() {
  if constexpr (std::same_as<T, double>)
    return clblast::Precision::kDouble;
  else
    return clblast::Precision::kSingle;
}

/// From here on CLBlast's products in T use these, and its tiled kernel at every size.
template <class T>
bool use_clblast_parameters(cl_device_id device, const clblast_parameters& parameters) {
  const auto precision = clblast_precision<T>();
  return clblast::OverrideParameters(device, "Xgemm", precision, parameters) ==
             clblast::StatusCode::kSuccess &&
         clblast::OverrideParameters(device, "GemmRoutine", precision,
                                     {{"XGEMM_MIN_INDIRECT_SIZE", 1}}) ==
             clblast::StatusCode::kSuccess;
}

namespace detail {

struct clblast_range {
  const char* name;
  std::vector<std::size_t> values;
};
inline const std::vector<clblast_range>& clblast_space() {
  static const std::vector<clblast_range> space{
      {"GEMMK", {0, 1}},
      {"MWG", {16, 32, 64, 128}},
      {"NWG", {16, 32, 64, 128}},
      {"KWG", {1, 16, 32}},
      {"MDIMC", {1, 2, 4, 8, 16}},
      {"NDIMC", {1, 2, 4, 8, 16}},
      {"MDIMA", {1, 2, 4, 8, 16}},
      {"NDIMB", {1, 2, 4, 8, 16}},
      {"KWI", {1, 2}},
      {"VWM", {1, 2, 4, 8}},
      {"VWN", {1, 2, 4, 8}},
      {"STRM", {0, 1}},
      {"STRN", {0, 1}},
      {"SA", {0, 1}},
      {"SB", {0, 1}},
      {"KREG", {1, 2, 4, 8}},
  };
  return space;
}

inline bool clblast_allows(const clblast_parameters& p) {
  const auto at = [&](const char* name) { return p.at(name); };
  const auto divides = [](std::size_t part, std::size_t whole) { return whole % part == 0; };
  const std::size_t m = at("MWG"), n = at("NWG"), k = at("KWG"), vm = at("VWM"), vn = at("VWN");
  const std::size_t threads = at("MDIMC") * at("NDIMC");
  if (!divides(at("MDIMC") * vm, m) || !divides(at("NDIMC") * vn, n)) return false;
  if (!divides(at("MDIMA") * vm, m) || !divides(at("NDIMB") * vn, n)) return false;
  // The sums of a work-item are unrolled, by CLBlast's own preprocessor for GEMMK = 1: many of them
  // take PoCL tens of seconds to compile, and then spill.
  const std::size_t sums = m / at("MDIMC") * (n / at("NDIMC"));
  if (at("GEMMK") == 1) {
    return k == 1 && at("KWI") == 1 && at("MDIMA") == at("MDIMC") && at("NDIMB") == at("NDIMC") &&
           at("STRM") == 0 && at("STRN") == 0 && at("SA") == 0 && at("SB") == 0 &&
           divides(vn, at("KREG")) && sums <= 32;
  }
  if (sums > 128) return false;
  return k > 1 && at("KWI") == 2 && at("KREG") == 1 && divides(at("MDIMA"), threads) &&
         divides(at("NDIMB"), threads) && divides(threads / at("MDIMA"), k) &&
         divides(threads / at("NDIMB"), k);
}

/// A random point, or one that differs from `near` in up to three parameters.
inline clblast_parameters clblast_candidate(std::uint64_t& state, const clblast_parameters* near) {
  const auto draw = [&state](std::size_t below) { return random_bits(5, state++) % below; };
  for (;;) {
    clblast_parameters p = near != nullptr ? *near : clblast_parameters{};
    const auto& space = clblast_space();
    if (near == nullptr) {
      for (const clblast_range& r : space) p[r.name] = r.values[draw(r.values.size())];
    } else {
      for (std::size_t changes = 1 + draw(3); changes > 0; --changes) {
        const clblast_range& r = space[draw(space.size())];
        p[r.name] = r.values[draw(r.values.size())];
      }
      if (p == *near) continue;
    }
    if (clblast_allows(p)) return p;
  }
}

}  // namespace detail

inline std::string to_text(const clblast_parameters& p) {
  std::string text;
  for (const detail::clblast_range& r : detail::clblast_space())
    text += std::string(text.empty() ? "" : " ") + r.name + "=" + std::to_string(p.at(r.name));
  return text;
}

/// Searches for `seconds` on the products `small` and `large`, whose operands are the same; each
/// candidate's results are verified. Returns the best, in use from then on; empty when none works.
/// `say` is told of each improvement.
template <class T, class Say>
clblast_parameters tune_clblast(const std::shared_ptr<const opencl_operands<T>>& operands,
                                const std::vector<T>& a, const std::vector<T>& b,
                                const gemm_problem_row& small, const gemm_problem_row& large,
                                double seconds, Say say) {
  // What CLBlast would use now: its own parameters, or those of an earlier search.
  clblast_parameters best, own;
  clblast::RetrieveParameters(operands->session.device(), "Xgemm", clblast_precision<T>(), own);
  constexpr double never = std::numeric_limits<double>::infinity();
  double least = never, least_small = never;
  auto state = static_cast<std::uint64_t>(seconds_now() * 1e3);  // another walk each time
  int tried = 0;
  const double begin = seconds_now();
  const auto measured = [&](const gemm_problem_row& problem, double most, int calls) {
    clblast_gemm<T> who(operands, true);
    who.bind(problem, {});
    if (!verify<T>(problem, a, b, who.product()).ok()) return never;
    const double first = who.time(0, 1).seconds.front();
    return first > 1.5 * most ? never
                              : median(who.time(0, static_cast<std::size_t>(calls)).seconds);
  };
  for (double now = begin; now < begin + seconds; now = seconds_now(), ++tried) {
    const bool around = !best.empty() && now > begin + seconds / 2;
    const clblast_parameters candidate =
        tried == 0 ? own : detail::clblast_candidate(state, around ? &best : nullptr);
    if (!use_clblast_parameters<T>(operands->session.device(), candidate)) continue;
    try {
      const double screened = measured(small, least_small, 3);
      if (screened > 1.3 * least_small) continue;
      const double time = measured(large, least, 5);
      if (!(time < least)) continue;
      least = time;
      least_small = std::min(least_small, screened);
      best = candidate;
      say(fixed(now - begin, 0) + " s, candidate " + std::to_string(tried + 1) + ": " +
          fixed(large.flops() / time * 1e-9, 1) + " GFLOP/s  " + to_text(best));
    } catch (const std::exception&) {  // does not build, or does not fit the device: not this one
    }
  }
  say(std::to_string(tried) + " candidates in " + fixed(seconds_now() - begin, 0) + " s");
  if (!best.empty()) use_clblast_parameters<T>(operands->session.device(), best);
  return best;
}

/// Reads "float NAME=VALUE …" lines and has CLBlast use them; says whether there was one.
inline bool load_clblast_parameters(const std::string& path, cl_device_id device) {
  std::ifstream file(path);
  bool any = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string type;
    words >> type;
    clblast_parameters p;
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      if (equals != std::string::npos)
        p[word.substr(0, equals)] = std::stoul(word.substr(equals + 1));
    }
    if (type == "float") any = use_clblast_parameters<float>(device, p) || any;
    if (type == "double") any = use_clblast_parameters<double>(device, p) || any;
  }
  return any;
}

}  // namespace bench
#endif
