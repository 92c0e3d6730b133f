#pragma once
// CLBlast's transposition with parameters for this machine, as gemm/clblast_tuning.hpp has it for
// products: every point of the spaces of its tuners (src/tuning/kernels/transpose_fast.hpp and
// transpose_pad.hpp of CLBlast 1.5) in random order until the time is up, by whole omatcopy calls,
// verified. Kept in a file of lines "Transpose NAME=VALUE …".

#include <algorithm>
#include <cstdint>
#include <fstream>
#include <limits>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

#include "arena.hpp"

#if CLPRIM_HAS_CLBLAST
namespace bench {

using turn_parameters = std::unordered_map<std::string, std::size_t>;

inline bool use_turn_parameters(cl_device_id device, const std::string& kernel,
                                const turn_parameters& p) {
  return clblast::OverrideParameters(device, kernel, clblast::Precision::kSingle, p) ==
         clblast::StatusCode::kSuccess;
}

inline std::string to_text(const turn_parameters& p) {
  std::string text;
  for (const auto& [name, value] : std::map<std::string, std::size_t>(p.begin(), p.end()))
    text += " " + name + "=" + std::to_string(value);
  return text;
}

/// The kernel for whole tiles, and the one for any matrix.
inline std::vector<turn_parameters> turn_space(bool padded) {
  std::vector<turn_parameters> space;
  for (const std::size_t wide : {1u, 2u, 4u, 8u, 16u})
    for (const std::size_t tile : {4u, 8u, 16u, 32u, 64u})
      for (const std::size_t pad : {0u, 1u})
        for (const std::size_t shuffle : {0u, 1u}) {
          if (padded && (shuffle > 0 || tile < 8)) continue;
          // CLBlast's preprocessor unrolls these loops: PoCL takes tens of seconds for the largest.
          if (wide * tile > 256) continue;
          if (padded)
            space.push_back({{"PADTRA_WPT", wide}, {"PADTRA_TILE", tile}, {"PADTRA_PAD", pad}});
          else
            space.push_back(
                {{"TRA_DIM", tile}, {"TRA_WPT", wide}, {"TRA_PAD", pad}, {"TRA_SHUFFLE", shuffle}});
        }
  return space;
}

inline bool load_turn_parameters(const std::string& path, cl_device_id device);

inline void tune_clblast_turns(const suite_place& place, double seconds, const std::string& path) {
  load_turn_parameters(path, place.session.device());  // an earlier search is gone on with
  std::ofstream file;
  if (!path.empty()) file.open(path);
  for (const bool padded : {false, true}) {
    const std::string kernel = padded ? "Padtranspose" : "Transpose";
    const turn_problem p{"tuning", 4, padded ? 2001 : 2048, padded ? 1999 : 2048};
    const auto arena = std::make_shared<turn_arena<float>>(place, p);
    std::vector<turn_parameters> space = turn_space(padded);
    auto state = static_cast<std::uint64_t>(seconds_now() * 1e3);
    for (std::size_t i = space.size(); i-- > 1;)
      std::swap(space[i], space[random_bits(5, state++) % (i + 1)]);
    turn_parameters own;
    clblast::RetrieveParameters(place.session.device(), kernel, clblast::Precision::kSingle, own);
    space.insert(space.begin(), own);
    double least = std::numeric_limits<double>::infinity();
    turn_parameters best;
    std::size_t tried = 0;
    const double begin = seconds_now();
    for (; tried < space.size() && seconds_now() < begin + seconds / 2; ++tried) {
      if (!use_turn_parameters(place.session.device(), kernel, space[tried])) continue;
      try {
        arena->poison();
        clblast_turn<float>(place.session, p, arena->a(), arena->b());
        if (!arena->wrong(arena->b()).empty()) continue;
        const timing t = time_opencl(place.session.queue(), place.clock, 1, 5, [&](std::size_t) {
          clblast_turn<float>(place.session, p, arena->a(), arena->b());
        });
        if (median(t.seconds) >= least) continue;
        least = median(t.seconds);
        best = space[tried];
        std::printf("  %s: %.1f GB/s%s\n", kernel.c_str(), p.work() / least * 1e-9,
                    to_text(best).c_str());
      } catch (const std::exception&) {  // does not build, or does not fit: not this one
      }
    }
    std::printf("  %zu of %zu candidates in %.0f s\n", tried, space.size(), seconds_now() - begin);
    std::fflush(stdout);
    if (best.empty()) continue;
    use_turn_parameters(place.session.device(), kernel, best);
    if (file.is_open()) file << kernel << to_text(best) << std::endl;
  }
}

/// Has CLBlast use what a file holds; says whether there was anything.
inline bool load_turn_parameters(const std::string& path, cl_device_id device) {
  std::ifstream file(path);
  bool any = false;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    std::string kernel;
    words >> kernel;
    turn_parameters p;
    for (std::string word; words >> word;) {
      const auto equals = word.find('=');
      if (equals != std::string::npos)
        p[word.substr(0, equals)] = std::stoul(word.substr(equals + 1));
    }
    any = (!p.empty() && use_turn_parameters(device, kernel, p)) || any;
  }
  return any;
}

}  // namespace bench
#endif
