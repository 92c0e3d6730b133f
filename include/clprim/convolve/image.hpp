#pragma once
// Views of signals, images and volumes in buffers.
//
//   auto A = image<float>(buffer, height, width).channels(3).pitch(row).at(first);
//   blur(A.region(y, x, height, width), filter, B);      // what surrounds the region is its apron

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <string>

#include <clprim/convolve/element.hpp>
#include <clprim/convolve/object.hpp>
#include <clprim/runtime/view.hpp>

namespace clprim {

namespace detail {

/// a·b + c, or the end of the range that it passes: a view may hold anything until it is checked.
constexpr std::int64_t saturated(std::int64_t a, std::int64_t b, std::int64_t c = 0) {
  constexpr std::int64_t top = std::numeric_limits<std::int64_t>::max(), low = -top - 1;
  const bool negative = (a < 0) != (b < 0);
  const auto size = [](std::int64_t v) {
    const auto bits = static_cast<std::uint64_t>(v);
    return v < 0 ? 0 - bits : bits;
  };
  std::int64_t product = 0;
  if (b != 0 && size(a) > static_cast<std::uint64_t>(top) / size(b))
    product = negative ? low : top;
  else
    product = a * b;
  if (c > 0 && product > top - c) return top;
  if (c < 0 && product < low - c) return low;
  return product + c;
}

}  // namespace detail

/// Pixels of an image that exist beyond the part a view shows, per side.
struct image_surroundings {
  std::int64_t left = 0, right = 0;   ///< columns
  std::int64_t above = 0, below = 0;  ///< rows
  std::int64_t front = 0, back = 0;   ///< planes
  friend constexpr bool operator==(const image_surroundings&, const image_surroundings&) = default;
};

/// A signal (one row), an image or a volume in a buffer, or a batch of equal ones; or an image
/// object. Extents count
/// pixels, distances count elements: a pixel has as many elements, side by side, as channels. The
/// view does not own the buffer.
template <pixel_type T> struct image_view {
  cl_mem memory = nullptr;
  std::int64_t depth = 1;
  std::int64_t height = 1;
  std::int64_t width = 0;
  int channel_count = 1;         ///< 1 to 4, interleaved
  std::int64_t row_pitch = 0;    ///< from one row to the next
  std::int64_t slice_pitch = 0;  ///< from one plane to the next
  std::int64_t offset = 0;       ///< of the first element
  std::int64_t batch_count = 1;
  std::int64_t batch_stride = 0;  ///< from one image of the batch to the next
  image_surroundings around{};
  bool is_object = false;    ///< `memory` is an image object (cl::Image2D)
  bool tight_rows = true;    ///< `row_pitch` follows the width until `pitch` sets it
  bool tight_slices = true;  ///< `slice_pitch` follows the rows until `slices` sets it

  /// Whether no element is addressed.
  constexpr bool empty() const {
    return depth == 0 || height == 0 || width == 0 || batch_count == 0;
  }

  /// Interleaved channels: "rgbrgb…" for 3.
  constexpr image_view channels(int n) const {
    image_view v = *this;
    v.channel_count = n;
    return v.laid_out();
  }
  /// Sets the distance of rows.
  constexpr image_view pitch(std::int64_t elements) const {
    image_view v = *this;
    v.row_pitch = elements;
    v.tight_rows = false;
    return v.laid_out();
  }
  /// Sets the distance of the planes of a volume.
  constexpr image_view slices(std::int64_t elements) const {
    image_view v = *this;
    v.slice_pitch = elements;
    v.tight_slices = false;
    return v;
  }
  /// Sets the offset of the first element.
  constexpr image_view at(std::int64_t first) const {
    image_view v = *this;
    v.offset = first;
    return v;
  }
  /// A batch at equal distances: planes of a planar image, pictures of a film.
  constexpr image_view batch(std::int64_t count, std::int64_t stride) const {
    image_view v = *this;
    v.batch_count = count;
    v.batch_stride = stride;
    return v;
  }
  /// A part of the image, whose surroundings stay visible to a filter (OpenCV's default for a part
  /// of a matrix). Throws argument_error for a part that is not inside.
  constexpr image_view region(std::int64_t y, std::int64_t x, std::int64_t rows,
                              std::int64_t columns) const {
    return region(0, y, x, depth, rows, columns);
  }
  /// The same of a volume.
  constexpr image_view region(std::int64_t z, std::int64_t y, std::int64_t x, std::int64_t planes,
                              std::int64_t rows, std::int64_t columns) const {
    require_part("planes", z, planes, depth);
    require_part("rows", y, rows, height);
    require_part("columns", x, columns, width);
    image_view v = *this;
    v.offset = detail::saturated(
        z, slice_pitch,
        detail::saturated(y, row_pitch, detail::saturated(x, channel_count, offset)));
    const auto sum = [](std::int64_t a, std::int64_t b) { return detail::saturated(a, 1, b); };
    v.around = {sum(around.left, x),  sum(around.right, width - x - columns),
                sum(around.above, y), sum(around.below, height - y - rows),
                sum(around.front, z), sum(around.back, depth - z - planes)};
    v.depth = planes;
    v.height = rows;
    v.width = columns;
    v.tight_rows = v.tight_slices = false;
    return v;
  }
  /// The same pixels with nothing around them (OpenCV's BORDER_ISOLATED).
  constexpr image_view isolated() const {
    image_view v = *this;
    v.around = {};
    return v;
  }

 private:
  constexpr image_view laid_out() const {
    image_view v = *this;
    if (tight_rows) v.row_pitch = detail::saturated(width, channel_count);
    if (tight_slices) v.slice_pitch = detail::saturated(height, v.row_pitch);
    return v;
  }
  static constexpr void require_part(const char* what, std::int64_t first, std::int64_t count,
                                     std::int64_t all) {
    if (first >= 0 && count >= 0 && first <= all && count <= all - first) return;
    throw argument_error(std::string(what) + " of a region", "must lie inside the image",
                         std::to_string(count) + " from " + std::to_string(first) + " on",
                         "at most " + std::to_string(all));
  }
};

/// A view of a volume without gaps.
template <pixel_type T>
image_view<T> volume(memory_handle buffer, std::int64_t depth, std::int64_t height,
                     std::int64_t width) {
  return {.memory = buffer(),
          .depth = depth,
          .height = height,
          .width = width,
          .row_pitch = width,
          .slice_pitch = detail::saturated(height, width)};
}

/// A view of an image without gaps, of one channel.
template <pixel_type T>
image_view<T> image(memory_handle buffer, std::int64_t height, std::int64_t width) {
  return volume<T>(buffer, 1, height, width);
}

/// A view of an image object, or by `region` of a part of one: channels in the order R, RG or RGBA,
/// of T's own type; float reads half and normalised integers too. A sampler makes the border, so it
/// is constant 0, replicate, reflect or wrap, the same on all sides. Half is
/// stored by the implementation's rounding, to nearest or towards zero. Throws argument_error for
/// other channels.
template <pixel_type T> image_view<T> image(const cl::Image2D& picture) {
  const detail::image_object o = detail::checked_object(picture(), describe_element<T>());
  image_view<T> v{.memory = picture(),
                  .height = o.height,
                  .width = o.width,
                  .channel_count = o.channels,
                  .row_pitch = o.width * o.channels,
                  .slice_pitch = o.height * o.width * o.channels};
  v.is_object = true;
  return v;
}

/// A view of `count` samples of a signal.
template <pixel_type T> image_view<T> signal(memory_handle buffer, std::int64_t count) {
  return volume<T>(buffer, 1, 1, count);
}

namespace detail {

/// Elements along x that 32-bit indices of the kernels reach, with room for aprons and tiles.
inline constexpr std::int64_t most_elements = std::int64_t{1} << 29;

inline void require_pitch(std::int64_t actual, std::int64_t least, const char* what,
                          const std::string& name) {
  if (actual >= least) return;
  throw argument_error(std::string(what) + " of " + name,
                       "must be at least what lies in it, in elements", std::to_string(actual),
                       "at least " + std::to_string(least));
}

/// Width, height and depth of a view with its surroundings, in pixels. Throws argument_error for
/// extents, distances and channels that no view has.
template <pixel_type T>
std::array<std::int64_t, 3> whole_extents(const image_view<T>& v, const std::string& name) {
  require_at_least(v.depth, 0, "depth", name, "must not be negative");
  require_at_least(v.height, 0, "height", name, "must not be negative");
  require_at_least(v.width, 0, "width", name, "must not be negative");
  require_at_least(v.batch_count, 0, "batch count", name, "must not be negative");
  require_at_least(v.offset, 0, "offset", name, "must not be negative");
  require_at_least(v.batch_stride, 0, "batch stride", name, "must not be negative");
  require_at_least(v.slice_pitch, 0, "slice pitch", name, "must not be negative");
  if (v.channel_count < 1 || v.channel_count > 4) {
    throw argument_error("channels of " + name, "must be interleaved ones",
                         std::to_string(v.channel_count), "1 to 4; planes are a batch");
  }
  const auto whole = [&](std::int64_t a, std::int64_t before, std::int64_t after, const char* what,
                         std::int64_t most) {
    if (before < 0 || after < 0) {
      throw argument_error("surroundings of " + name, "must not be negative",
                           std::to_string(std::min(before, after)), "at least 0");
    }
    if (a <= most && before <= most && after <= most && a + before + after <= most)
      return a + before + after;
    throw argument_error(std::string(what) + " of " + name, "must stay within 32-bit indexing",
                         std::to_string(a), "at most " + std::to_string(most));
  };
  require_extent(v.batch_count, "batch count", name);
  return {whole(v.width, v.around.left, v.around.right, "width", most_elements / v.channel_count),
          whole(v.height, v.around.above, v.around.below, "height", most_elements),
          whole(v.depth, v.around.front, v.around.back, "depth", most_elements)};
}

}  // namespace detail

/// Checks a view and returns the bytes that it touches, of a region with its surroundings. Planes
/// and batch count as matrices of one batch where they lie at equal distances, else as what lies
/// between the first and the last. Throws argument_error for extents, pitches, channels or a buffer
/// that do not fit.
template <pixel_type T> footprint check_image(const image_view<T>& v, const std::string& name) {
  const auto [width, height, depth] = detail::whole_extents(v, name);
  const std::int64_t row = width * v.channel_count;
  if (v.is_object) {
    const detail::image_object o = detail::checked_object(v.memory, describe_element<T>());
    const bool entire = o.width == width && o.height == height && depth == 1 &&
                        v.batch_count == 1 && o.channels == v.channel_count && v.row_pitch == row &&
                        v.offset == v.around.above * row + v.around.left * v.channel_count;
    if (entire) return v.empty() ? footprint{} : detail::whole_object(v.memory);
    throw argument_error(
        name, "must be an image object or a region of one, with what surrounds it",
        "another view of " + std::to_string(o.height) + " x " + std::to_string(o.width) + " pixels",
        "no channels, pitch, offset, batch or isolation of its own");
  }
  if (height > 1) detail::require_pitch(v.row_pitch, row, "row pitch", name);
  if (v.empty()) return {};
  const std::int64_t to_row = std::max(v.row_pitch, row);
  const auto slice = detail::multiply_add(height - 1, to_row, row);
  if (!slice) detail::fail_too_far(name);
  if (depth > 1) detail::require_pitch(v.slice_pitch, *slice, "slice pitch", name);
  const auto box = detail::multiply_add(depth - 1, v.slice_pitch, *slice);
  if (!box) detail::fail_too_far(name);
  const std::int64_t before = v.around.front * v.slice_pitch + v.around.above * v.row_pitch +
                              v.around.left * v.channel_count;
  if (before > v.offset) {
    throw argument_error("surroundings of " + name, "must lie inside the buffer",
                         std::to_string(before) + " elements before the first",
                         "at most " + std::to_string(v.offset));
  }
  const bool as_slices = depth > 1 && v.batch_count == 1, planes = depth == 1;
  footprint f{v.memory, v.offset - before, 1, *box, *box, v.batch_count, v.batch_stride};
  if (planes || as_slices) {
    f.lines = height;
    f.length = row;
    f.pitch = to_row;
    if (as_slices) {
      f.count = depth;
      f.stride = v.slice_pitch;
    }
  }
  return detail::footprint_in_bytes<T>(f, name);
}

}  // namespace clprim
