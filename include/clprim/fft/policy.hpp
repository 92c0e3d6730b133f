#pragma once
// The policy of Fourier transforms: how the points of a transform are spread over work-items, and
// which way they go between them. It changes speed, and the last bits of the rounding.

#include <array>
#include <string_view>

#include <clprim/core/policy.hpp>

namespace clprim {

/// Who holds the points of a transform.
enum class fft_shape {
  items,  ///< the work-items of a group, some points each, in registers (GPUs)
  lanes,  ///< one work-item several transforms, one per lane of its vectors (CPUs)
};

/// How the points change work-items between two stages (shape items).
enum class fft_exchange {
  halves,  ///< real parts, then imaginary parts, through one plane: half the local memory, four
           ///< barriers
  planes,  ///< a plane of real and one of imaginary parts, two barriers
  pairs,   ///< one plane of both parts together: half the accesses, and less text to build (where
           ///< Rader's points lie in chosen places, as planes)
};

/// Where the factors between the stages come from. Relative L2 error in float at 1024 points, on an
/// H200 (2026-11): table 1.1e-7, powers 2.1e-7, native 2.2e-7, native_powers 1.1e-6, sinpi 2.2e-7.
enum class fft_twiddles {
  table,          ///< every factor read from a table in global memory
  powers,         ///< the first factor read from the table, the others its powers
  literal,        ///< as powers, from a __constant table in the program's text
  native,         ///< every factor by native_cos and native_sin (float only)
  native_powers,  ///< the first factor by native_cos and native_sin, the others its powers
  sinpi,          ///< the first factor by cospi and sinpi, the others its powers
};

/// Which accesses of a pass go past the caches, where the compiler has such (NVIDIA).
/// The H200's passes by items go without: alone on the card `both` gains 0.1 to 1 %, but what
/// another kernel left in the L2 cache stays there then (evict-first lines leave before it), and
/// after cuFFT the same kernels lost 4 to 9 %, as they do with `loads`.
enum class fft_streaming {
  none,
  loads,
  stores,
  both,
  lines,  ///< past nothing: loads bring whole lines of 128 bytes into L2, where rows begin within
          ///< lines (H200: 1000 points 0.6 to 0.8 %, 2187 0.5 %, 1536 0.1 %, others lose)
};

/// The values that shape a transform. Volkov's ladder for 1024 points (2 to 16 outputs per thread)
/// is points = 2, 4, 8, 16.
struct fft_policy {
  fft_shape shape = fft_shape::items;
  int points = 16;  ///< items: points per work-item
  int lanes = 8;    ///< lanes: transforms side by side in a vector
  number_list<8>
      radices{};     ///< the stages, first to last, of passes of that many points; one alone
                     ///< is that of every stage; none: chosen
  int group = 128;   ///< items: work-items that a group has at least, where transforms allow it
  int columns = 16;  ///< items: transforms that lie side by side in memory and run in one group
  int staging = 16;  ///< items: rows worked on by fewer work-items than this go through local
                     ///< memory on their way in and out, so that runs of memory are long
  fft_exchange exchange = fft_exchange::planes;
  fft_twiddles twiddles = fft_twiddles::powers;
  bool padding = true;      ///< gaps in local memory against bank conflicts
  int one_pass = 8192;      ///< the longest transform of one pass, where local memory allows it
  int local_bytes = 0;      ///< of local memory that a group takes at most; 0: what the device has
  int pipeline_kib = 0;     ///< of intermediate results between two passes of one launch, where the
                            ///< second follows the first so closely; 0: a launch each
  bool transposed = false;  ///< items: the first of two axes is written so that the second finds
                            ///< its points together, in the workspace
  bool blocked = false;  ///< items: what lies between two passes, each with columns on one side, is
                         ///< laid in blocks, so that both move longer runs
  fft_streaming streaming = fft_streaming::none;  ///< items: elements as the arithmetic has them
  int registers = 0;  ///< of a work-item at most, where the compiler takes such a limit (NVIDIA)
  bool separate = false;  ///< items: transforms of a group wait for their own items alone, where
                          ///< these are whole sub-groups (NVIDIA)
  bool ordered = false;   ///< items: local memory is accessed in the order of the text (volatile),
                          ///< where a compiler's own order costs more than it gains
  int ahead = 0;  ///< lanes: blocks ahead whose points are fetched into the cache. (Groups by
                  ///< items: the H200's bulk prefetch into L2 cost 2 to 25 %.)

  friend constexpr bool operator==(const fft_policy&, const fft_policy&) = default;
};

template <> struct enum_names<fft_shape> {
  static constexpr std::string_view type = "clprim::fft_shape";
  static constexpr std::array<std::string_view, 2> names{"items", "lanes"};
};
template <> struct enum_names<fft_exchange> {
  static constexpr std::string_view type = "clprim::fft_exchange";
  static constexpr std::array<std::string_view, 3> names{"halves", "planes", "pairs"};
};
template <> struct enum_names<fft_twiddles> {
  static constexpr std::string_view type = "clprim::fft_twiddles";
  static constexpr std::array<std::string_view, 6> names{"table",  "powers",        "literal",
                                                         "native", "native_powers", "sinpi"};
};
template <> struct enum_names<fft_streaming> {
  static constexpr std::string_view type = "clprim::fft_streaming";
  static constexpr std::array<std::string_view, 5> names{"none", "loads", "stores", "both",
                                                         "lines"};
};

template <> struct policy_traits<fft_policy> {
  static constexpr std::string_view name = "clprim::fft_policy";
  static constexpr auto fields = field_list{
      field{"shape", &fft_policy::shape},
      field{"points", &fft_policy::points},
      field{"lanes", &fft_policy::lanes},
      field{"radices", &fft_policy::radices},
      field{"group", &fft_policy::group},
      field{"columns", &fft_policy::columns},
      field{"staging", &fft_policy::staging},
      field{"exchange", &fft_policy::exchange},
      field{"twiddles", &fft_policy::twiddles},
      field{"padding", &fft_policy::padding},
      field{"one_pass", &fft_policy::one_pass},
      field{"local_bytes", &fft_policy::local_bytes},
      field{"pipeline_kib", &fft_policy::pipeline_kib},
      field{"transposed", &fft_policy::transposed},
      field{"blocked", &fft_policy::blocked},
      field{"streaming", &fft_policy::streaming},
      field{"registers", &fft_policy::registers},
      field{"separate", &fft_policy::separate},
      field{"ordered", &fft_policy::ordered},
      field{"ahead", &fft_policy::ahead},
  };
};
static_assert(fields_complete<fft_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const fft_policy& p) {
  rule(p.points >= 2 && p.points <= 32, "points must be in 2 to 32");
  rule(p.lanes == 4 || p.lanes == 8 || p.lanes == 16, "lanes must be 4, 8 or 16");
  rule(p.group >= 1 && p.group <= 1024, "group must be in 1 to 1024");
  rule(p.columns >= 1 && p.columns <= 64, "columns must be in 1 to 64");
  rule(p.staging >= 0 && p.staging <= 1024, "staging must be in 0 to 1024");
  rule(p.one_pass >= 16 && p.one_pass <= 32768, "one_pass must be in 16 to 32768");
  rule(p.local_bytes >= 0, "local_bytes must not be negative");
  rule(p.pipeline_kib >= 0, "pipeline_kib must not be negative");
  rule(p.ahead >= 0, "ahead must not be negative");
  rule(p.ahead == 0 || p.shape == fft_shape::lanes, "ahead is for shape lanes");
  rule(p.registers == 0 || (p.registers >= 24 && p.registers <= 255),
       "registers must be 0 or in 24 to 255");
  for (std::size_t i = 0; i < p.radices.size(); ++i) {
    const int r = p.radices[i];
    if (r == 0) {
      rule(i + 1 == p.radices.size() || p.radices[i + 1] == 0, "radices must stand before zeros");
      continue;
    }
    rule((r >= 2 && r <= 32 && r != 22) || r == 36 || r == 37,
         "radices must be 2 to 21, 23 to 32, 36 or 37");
    rule(p.shape != fft_shape::lanes || r <= 16, "shape lanes takes radices to 16");
  }
  const bool by_native =
      p.twiddles == fft_twiddles::native || p.twiddles == fft_twiddles::native_powers;
  rule(p.shape != fft_shape::lanes || (!by_native && p.twiddles != fft_twiddles::sinpi),
       "shape lanes takes its factors from a table");
}

}  // namespace clprim
