#pragma once
// Image objects (cl::Image2D) as operands of a convolution: what they hold, and which fit a type.

#include <cstdint>
#include <string>

#include <clprim/core/element.hpp>
#include <clprim/core/error.hpp>
#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/opencl.hpp>

namespace clprim::detail {

/// An image object as it reports itself.
struct image_object {
  std::int64_t width = 0;
  std::int64_t height = 0;
  int channels = 0;            ///< 1, 2 or 4; 0 for an order of channels that is not read
  cl_channel_type type = 0;    ///< of a channel
  std::int64_t row_bytes = 0;  ///< of its pixels side by side
};

inline image_object describe_object(cl_mem memory) {
  const auto ask = [&](auto value, cl_image_info what, const char* call) {
    check(clGetImageInfo(memory, what, sizeof value, &value, nullptr), call);
    return value;
  };
  const auto format = ask(cl_image_format{}, CL_IMAGE_FORMAT, "clGetImageInfo(CL_IMAGE_FORMAT)");
  image_object o{.type = format.image_channel_data_type};
  const cl_channel_order order = format.image_channel_order;
  o.channels = order == CL_R ? 1 : order == CL_RG ? 2 : order == CL_RGBA ? 4 : 0;
  o.width = static_cast<std::int64_t>(
      ask(std::size_t{}, CL_IMAGE_WIDTH, "clGetImageInfo(CL_IMAGE_WIDTH)"));
  o.height = static_cast<std::int64_t>(
      ask(std::size_t{}, CL_IMAGE_HEIGHT, "clGetImageInfo(CL_IMAGE_HEIGHT)"));
  o.row_bytes = o.width * static_cast<std::int64_t>(ask(std::size_t{}, CL_IMAGE_ELEMENT_SIZE,
                                                        "clGetImageInfo(CL_IMAGE_ELEMENT_SIZE)"));
  return o;
}

/// Whether pixels of an element's type are read from channels of a type: float from whatever
/// read_imagef makes numbers of, the others from their own.
inline bool reads_as(const element& e, cl_channel_type type) {
  if (e.is_half) return type == CL_HALF_FLOAT;
  if (e.name == "uchar") return type == CL_UNSIGNED_INT8;
  if (e.name == "ushort") return type == CL_UNSIGNED_INT16;
  if (e.name == "short") return type == CL_SIGNED_INT16;
  if (e.name == "int") return type == CL_SIGNED_INT32;
  return e.name == "float" &&
         (type == CL_FLOAT || type == CL_HALF_FLOAT || type == CL_UNORM_INT8 ||
          type == CL_UNORM_INT16 || type == CL_SNORM_INT8 || type == CL_SNORM_INT16);
}

/// Throws argument_error for an image object whose channels are not read as `e`.
inline image_object checked_object(cl_mem memory, const element& e) {
  if (memory == nullptr)
    throw argument_error("image object", "must be one", "a null handle", "a cl::Image2D");
  const image_object o = describe_object(memory);
  if (o.channels == 0) {
    throw argument_error("channels of an image object", "must be in an order that is read",
                         "another order", "CL_R, CL_RG or CL_RGBA");
  }
  if (!reads_as(e, o.type)) {
    throw argument_error("channels of an image object",
                         "must be of a type that pixels of " +
                             std::string(e.is_half ? "half" : e.name) + " are read from",
                         "channel type " + std::to_string(o.type),
                         "its own type; float also from half and normalised integers");
  }
  return o;
}

/// The bytes of an image object, all of them.
inline footprint whole_object(cl_mem memory) {
  const image_object o = describe_object(memory);
  return {memory, 0, o.height, o.row_bytes, o.row_bytes};
}

}  // namespace clprim::detail
