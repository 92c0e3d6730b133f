#pragma once
// The policy of convolution: how the output is cut up, how apron and filter reach the arithmetic.
// It changes speed only, and the order in which a sum is rounded.

#include <array>
#include <string_view>

#include <clprim/core/policy.hpp>

namespace clprim {

/// Where an item finds the neighbours of its outputs.
enum class convolve_method {
  direct,  ///< in memory and its caches: a window in registers, no local memory (small filters)
  tile,    ///< in a tile with its apron in local memory
  ring,    ///< a group marches down a strip; each input row is added to all unfinished outputs
  rows,    ///< one item marches down a strip of wide vectors (CPUs)
  fft,     ///< tiles are transformed: the arithmetic hardly grows with the filter
  image,   ///< in an image object (cl::Image2D): a sampler makes the border, no local memory
  /// Separable filters: a group marches down a strip, and the rows of sums that the pass along x
  /// makes stay in local memory for the one along y.
  line_buffer,
};

/// How the tile and its apron are loaded (method tile): the three solutions of the lecture "OpenCL
/// optimization techniques".
enum class apron_load {
  item_per_pixel,  ///< an item for each pixel of tile and apron; those of the apron only load
  several_loads,   ///< `loads` pixels per item, a group apart
  block_per_item,  ///< a block of pixels per item: nobody is idle
};

/// Where the coefficients are.
enum class filter_place {
  value,     ///< a structure by value: kernel arguments, no copy; at least 160 floats fit
  constant,  ///< __constant memory
  buffer,    ///< __global memory
  literals,  ///< in the source: the fastest, and a build for each new set
};

/// The values that cut a convolution up. Widths count elements: a pixel has as many as channels.
///
///     direct, tile,   a group of items_x * items_y items makes
///     image           items_x per_item_x  by  items_y per_item_y  outputs
///     ring            items_x items make a strip of items_x * vector columns, `strip` rows long
///     line_buffer     items_x items make a strip of items_x / per_item_y * per_item_x columns,
///                     `strip` rows long, per_item_y rows a step
///     fft             tiles of at least columns x strip points, or the whole image; groups of
///                     items_x * items_y items cut and join them
///     rows            one item makes a strip of `columns` columns, `strip` rows long, by blocks of
///                     per_item_x columns and per_item_y rows in registers
struct convolve_policy {
  convolve_method method = convolve_method::direct;
  int items_x = 32;    ///< work-items that compute, side by side
  int items_y = 4;     ///< and below each other
  int per_item_x = 4;  ///< outputs of an item side by side
  int per_item_y = 2;  ///< and below each other
  int vector = 4;      ///< elements per access, where alignment allows it
  int strip = 64;      ///< ring, rows, line_buffer: output rows of a strip; fft: points along y
  int columns = 512;   ///< rows: output columns of a strip; fft: points of a tile along x
  int in_flight = 4;   ///< ring: input rows loaded while as many are computed
  int unroll = 0;      ///< ring: rows that the code holds one after the other; 0: chosen
  apron_load apron = apron_load::several_loads;
  int loads = 2;  ///< several_loads: pixels per item
  filter_place filter = filter_place::value;
  int registers = 0;  ///< NVIDIA: that an item may take at most; 0: what the compiler likes
  /// Separable filters: the passes of a plane in one kernel (ring, rows, line_buffer, and direct
  /// where the filter is narrow: at most 40 multiply-adds along x for each output).
  bool fused = true;
  bool staged = true;      ///< rows: input rows pass through local memory, converted once
  bool unaligned = false;  ///< vectors may start at any element (free on a CPU)
  bool async = false;      ///< ring: rows are copied past the registers, where the types allow it
  bool streaming = false;  ///< rows: stores go past the caches, where compiler and alignment allow

  friend constexpr bool operator==(const convolve_policy&, const convolve_policy&) = default;
};

/// Whether a method's groups, or its items, walk down strips of the image (`strip` rows long).
constexpr bool walks_strips(convolve_method m) {
  return m == convolve_method::ring || m == convolve_method::rows ||
         m == convolve_method::line_buffer;
}

/// Whether the items of a group pass each other a strip's rows, one after the other.
constexpr bool passes_rows(convolve_method m) {
  return walks_strips(m) && m != convolve_method::rows;
}

template <> struct enum_names<convolve_method> {
  static constexpr std::string_view type = "clprim::convolve_method";
  static constexpr std::array<std::string_view, 7> names{"direct", "tile",  "ring",       "rows",
                                                         "fft",    "image", "line_buffer"};
};
template <> struct enum_names<apron_load> {
  static constexpr std::string_view type = "clprim::apron_load";
  static constexpr std::array<std::string_view, 3> names{"item_per_pixel", "several_loads",
                                                         "block_per_item"};
};
template <> struct enum_names<filter_place> {
  static constexpr std::string_view type = "clprim::filter_place";
  static constexpr std::array<std::string_view, 4> names{"value", "constant", "buffer", "literals"};
};

template <> struct policy_traits<convolve_policy> {
  static constexpr std::string_view name = "clprim::convolve_policy";
  static constexpr auto fields = field_list{
      field{"method", &convolve_policy::method},
      field{"items_x", &convolve_policy::items_x},
      field{"items_y", &convolve_policy::items_y},
      field{"per_item_x", &convolve_policy::per_item_x},
      field{"per_item_y", &convolve_policy::per_item_y},
      field{"vector", &convolve_policy::vector},
      field{"strip", &convolve_policy::strip},
      field{"columns", &convolve_policy::columns},
      field{"in_flight", &convolve_policy::in_flight},
      field{"unroll", &convolve_policy::unroll},
      field{"apron", &convolve_policy::apron},
      field{"loads", &convolve_policy::loads},
      field{"filter", &convolve_policy::filter},
      field{"registers", &convolve_policy::registers},
      field{"fused", &convolve_policy::fused},
      field{"staged", &convolve_policy::staged},
      field{"unaligned", &convolve_policy::unaligned},
      field{"async", &convolve_policy::async},
      field{"streaming", &convolve_policy::streaming},
  };
};
static_assert(fields_complete<convolve_policy>());

/// Throws policy_error, with the rule as its sentence, when `p` cannot be built for any device.
constexpr void check_rules(const convolve_policy& p) {
  rule(p.items_x > 0 && p.items_y > 0, "items_x and items_y must be positive");
  rule(p.items_x <= 4096 && p.items_y <= 4096, "items_x and items_y must be at most 4096");
  rule(p.vector == 1 || p.vector == 2 || p.vector == 4 || p.vector == 8 || p.vector == 16,
       "vector must be 1, 2, 4, 8 or 16");
  rule(p.per_item_x > 0 && p.per_item_x <= 64, "per_item_x must be 1 to 64");
  rule(p.per_item_y > 0 && p.per_item_y <= 32, "per_item_y must be 1 to 32");
  rule(p.per_item_x % p.vector == 0, "per_item_x must be a multiple of vector");
  rule(p.strip > 0 && p.strip <= 65536, "strip must be 1 to 65536");
  rule(p.columns > 0 && p.columns <= 65536, "columns must be 1 to 65536");
  rule(p.in_flight > 0 && p.in_flight <= 16, "in_flight must be 1 to 16");
  rule(p.unroll >= 0 && p.unroll <= p.in_flight, "unroll must be 0 to in_flight");
  rule(p.registers == 0 || (p.registers >= 24 && p.registers <= 255),
       "registers must be 0 or 24 to 255");
  rule(p.loads > 0 && p.loads <= 64, "loads must be 1 to 64");
  const bool ring = p.method == convolve_method::ring, rows = p.method == convolve_method::rows;
  rule(!ring || (p.items_y == 1 && p.per_item_y == 1),
       "method ring needs items_y = 1 and per_item_y = 1: the strip is its height");
  rule(!ring || p.per_item_x == p.vector, "method ring needs per_item_x = vector");
  const bool lines = p.method == convolve_method::line_buffer;
  rule(!lines || (p.items_y == 1 && p.items_x % p.per_item_y == 0),
       "method line_buffer needs items_y = 1 and items_x to be a multiple of per_item_y");
  rule(
      !lines || (p.vector == 1 && p.fused),
      "method line_buffer needs vector = 1 and fused = true: it reads single elements in one pass");
  rule(!rows || (p.items_x == 1 && p.items_y == 1),
       "method rows needs items_x = 1 and items_y = 1: one item per group");
  rule(!rows || p.columns % p.per_item_x == 0,
       "method rows needs columns to be a multiple of per_item_x");
  rule(!rows || p.strip % p.per_item_y == 0,
       "method rows needs strip to be a multiple of per_item_y");
  rule(p.method != convolve_method::fft ||
           (p.filter != filter_place::value && p.filter != filter_place::literals),
       "method fft needs filter = constant or buffer: its coefficients are transformed");
  rule(rows || !p.streaming, "streaming is for method rows");
  rule(ring || !p.async, "async is for method ring");
}

}  // namespace clprim
