// Convolutions of signals, images and volumes.

#include <algorithm>
#include <memory>

#include <clprim/convolve.hpp>

#include "interface.hpp"

using namespace clprim::c;

/// One interface for every pair of types.
struct clprim_convolve : clprim::c::described {
  struct operands {
    const clprim_image* in;
    const clprim_filter* filter;
    const clprim_image* out;
  };
  virtual cl::Event call(const operands& on, const std::vector<cl::Event>& waits) = 0;
  virtual std::array<std::int64_t, 3> extent(const operands& on) = 0;
  virtual void prepare(const operands& on) = 0;
  virtual std::string explain(const operands& on) = 0;
};

namespace {

template <class T> clprim::image_view<T> image_of(const clprim_image* given, const char* name) {
  const clprim_image& i = needed(given, name);
  const auto at_least_one = [](std::int64_t n) { return n == 0 ? 1 : n; };
  auto v = clprim::volume<T>(i.memory, at_least_one(i.depth), at_least_one(i.height), i.width)
               .at(i.offset);
  if (i.channels != 0) v = v.channels(i.channels);
  if (i.row_pitch != 0) v = v.pitch(i.row_pitch);
  if (i.slice_pitch != 0) v = v.slices(i.slice_pitch);
  return i.batch_count == 0 ? v : v.batch(i.batch_count, i.batch_stride);
}

template <class Sum> clprim::filter<Sum> filter_of(const clprim_filter* given) {
  const clprim_filter& g = needed(given, "the filter");
  clprim::filter<Sum> f;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    f.taps.at(axis) = g.taps[axis] == 0 ? 1 : g.taps[axis];
    if (f.taps.at(axis) < 0) refuse_number("taps of the filter", g.taps[axis], "at least 0");
    if (g.anchored != 0) f.anchors.at(axis) = g.anchor[axis];
  }
  f.is_separable = g.separable != 0;
  const double* const first = &needed(g.coefficients, "the coefficients");
  f.coefficients.resize(static_cast<std::size_t>(f.size()));
  std::transform(first, first + f.size(), f.coefficients.begin(),
                 [](double w) { return static_cast<Sum>(w); });
  return f;
}

template <class T, class Out> class convolve_of final : public clprim_convolve {
  using sum = clprim::pixel_accumulator_t<T>;

 public:
  convolve_of(cl_command_queue queue, clprim::convolve_options options)
    : convolve_(queue, std::move(options)) {}

  cl::Event call(const operands& on, const std::vector<cl::Event>& waits) override {
    return convolve_(image_of<T>(on.in, "the input"), filter_of<sum>(on.filter),
                     image_of<Out>(on.out, "the output"), waits);
  }
  std::array<std::int64_t, 3> extent(const operands& on) override {
    return convolve_.extent(image_of<T>(on.in, "the input"), filter_of<sum>(on.filter));
  }
  void prepare(const operands& on) override {
    convolve_.prepare(image_of<T>(on.in, "the input"), filter_of<sum>(on.filter),
                      image_of<Out>(on.out, "the output"));
  }
  std::string explain(const operands& on) override {
    return convolve_.explain(image_of<T>(on.in, "the input"), filter_of<sum>(on.filter),
                             image_of<Out>(on.out, "the output"));
  }

 private:
  clprim::convolve<T, Out, sum> convolve_;
};

clprim::convolve_options options_of(const clprim_convolve_options& given) {
  clprim::convolve_options set;
  set.map = {text_of(given.map), {}};
  if (given.border < CLPRIM_BORDER_CONSTANT || given.border > CLPRIM_BORDER_WRAP)
    refuse_number("border", given.border, "0 to 4");
  set.border = static_cast<clprim::border_mode>(given.border);
  set.border_value = given.border_value;
  if (given.extent < CLPRIM_EXTENT_SAME || given.extent > CLPRIM_EXTENT_FULL)
    refuse_number("extent", given.extent, "0 to 2");
  set.extent = static_cast<clprim::output_extent>(given.extent);
  if (given.convolution != 0) set.direction = clprim::sliding::convolution;
  const auto steps = [](const int(&n)[3]) {
    const auto or_one = [](int k) { return k == 0 ? 1 : k; };
    return clprim::axis_steps{or_one(n[0]), or_one(n[1]), or_one(n[2])};
  };
  set.stride = steps(given.stride);
  set.dilation = steps(given.dilation);
  set.find_separable = given.find_separable != 0;
  if (given.policy != nullptr)
    set.policy = clprim::parse_policy<clprim::convolve_policy>(given.policy);
  return set;
}
static_assert(static_cast<int>(clprim::border_mode::wrap) == CLPRIM_BORDER_WRAP &&
              static_cast<int>(clprim::output_extent::full) == CLPRIM_EXTENT_FULL);

using pixels = types<typed<CLPRIM_HALF, clprim::half>, typed<CLPRIM_FLOAT, float>,
                     typed<CLPRIM_DOUBLE, double>, typed<CLPRIM_UINT8, std::uint8_t>,
                     typed<CLPRIM_UINT16, std::uint16_t>, typed<CLPRIM_INT16, std::int16_t>,
                     typed<CLPRIM_INT32, std::int32_t>>;

}  // namespace

clprim_status clprim_convolve_create(cl_command_queue queue, clprim_type in, clprim_type out,
                                     const clprim_convolve_options* options,
                                     clprim_convolve** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim::convolve_options set = options_of(given_or_none(options));
    with_type(pixels{}, in, "type of the input", [&]<class T>() {
      if (out == in)
        *object = std::make_unique<convolve_of<T, T>>(queue, set).release();
      else if (out == CLPRIM_FLOAT)
        *object = std::make_unique<convolve_of<T, float>>(queue, set).release();
      else
        refuse_number("type of the output", out, "that of the input, or CLPRIM_FLOAT");
    });
  });
}
void clprim_convolve_destroy(clprim_convolve* object) { delete object; }

clprim_status clprim_convolve_extent(clprim_convolve* object, const clprim_image* in,
                                     const clprim_filter* filter, int64_t extent[3]) {
  return guarded([&] {
    const auto found = needed(object, "the object").extent({in, filter, nullptr});
    std::copy(found.begin(), found.end(), &needed(extent, "the place for the extent"));
  });
}
clprim_status clprim_convolve_call(clprim_convolve* object, const clprim_image* in,
                                   const clprim_filter* filter, const clprim_image* out,
                                   cl_uint waits, const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event, clprim_convolve::operands{in, filter, out});
}
clprim_status clprim_convolve_prepare(clprim_convolve* object, const clprim_image* in,
                                      const clprim_filter* filter, const clprim_image* out) {
  return prepare_of(object, clprim_convolve::operands{in, filter, out});
}
clprim_status clprim_convolve_explain(clprim_convolve* object, const clprim_image* in,
                                      const clprim_filter* filter, const clprim_image* out,
                                      const char** text) {
  return explain_of(object, text, clprim_convolve::operands{in, filter, out});
}
