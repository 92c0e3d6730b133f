#pragma once
// Pictures as image objects of OpenCL.

#include <array>
#include <cstdint>
#include <vector>

#include <clprim/runtime/device.hpp>

#include "image.hpp"

namespace examples {

inline cl::Image2D make_image(const clprim::session& on, const image& picture) {
  const cl_image_format format{CL_RGBA, CL_UNSIGNED_INT8};
  cl_image_desc description{};
  description.image_type = CL_MEM_OBJECT_IMAGE2D;
  description.image_width = static_cast<std::size_t>(picture.width);
  description.image_height = static_cast<std::size_t>(picture.height);
  cl_int code = CL_SUCCESS;
  const cl_mem memory =
      clCreateImage(on.context(), CL_MEM_READ_WRITE, &format, &description, nullptr, &code);
  clprim::check(code, "clCreateImage");
  return cl::Image2D(memory, false);
}

/// Four bytes a pixel, the fourth opaque.
inline std::vector<std::uint8_t> with_alpha(const image& picture) {
  std::vector<std::uint8_t> rgba;
  for (std::size_t i = 0; i < picture.rgb.size(); i += 3) {
    rgba.insert(rgba.end(), {picture.rgb[i], picture.rgb[i + 1], picture.rgb[i + 2], 255});
  }
  return rgba;
}

/// Every pixel of an image object.
inline std::array<std::size_t, 3> all_of(const image& picture) {
  return {static_cast<std::size_t>(picture.width), static_cast<std::size_t>(picture.height), 1};
}
inline void write_image(const clprim::session& on, const cl::Image2D& to, const image& size,
                        const std::vector<std::uint8_t>& rgba) {
  const std::array<std::size_t, 3> origin{0, 0, 0}, region = all_of(size);
  clprim::check(clEnqueueWriteImage(on.queue(), to(), CL_TRUE, origin.data(), region.data(), 0, 0,
                                    rgba.data(), 0, nullptr, nullptr),
                "clEnqueueWriteImage");
}
inline std::vector<std::uint8_t> read_image(const clprim::session& on, const cl::Image2D& from,
                                            const image& size) {
  const std::array<std::size_t, 3> origin{0, 0, 0}, region = all_of(size);
  std::vector<std::uint8_t> rgba(4 * size.pixels());
  clprim::check(clEnqueueReadImage(on.queue(), from(), CL_TRUE, origin.data(), region.data(), 0, 0,
                                   rgba.data(), 0, nullptr, nullptr),
                "clEnqueueReadImage");
  return rgba;
}

}  // namespace examples
