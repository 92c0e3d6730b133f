// What must hold between convolutions: linearity in image and filter, shifts where images go on as
// they began, transposition of image and filter.

#include "support/relations.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "convolve/drawn.hpp"

using namespace clprim;
using namespace support;

namespace {

/// A convolution of the pixels of a whole image, by a drawn policy or the library's own. Nothing
/// but the taps' count of the drawn filter is used.
class drawn_filtering {
 public:
  drawn_filtering(draw& d, const drawn_convolution& what, convolve_method method)
    : s_(d.chance(20) ? &out_of_order_session() : &device_session()),
      what_(what),
      options_(options_of(what)) {
    for (std::size_t a = 0; a < 3; ++a) {
      in_[a] = what.axes[a].before + what.axes[a].inside + what.axes[a].after;
      out_[a] = static_cast<int>(first_taps(what, what.axes[a]).size());
    }
    if (!d.chance(20)) options_.policy = draw_convolve_policy(d, method);
    try {
      (void)(*this)(std::vector<float>(pixels(), 0), std::vector<float>(taps(), 0));
    } catch (const policy_error&) {
      options_.policy.reset();  // not for this filter, or more than the device has
      (void)(*this)(std::vector<float>(pixels(), 0), std::vector<float>(taps(), 0));
    }
  }
  std::size_t pixels() const { return elements(in_); }
  std::size_t taps() const {
    const auto& [x, y, z] = what_.axes;
    return static_cast<std::size_t>(what_.separable ? x.taps + y.taps + (z.taps > 1 ? z.taps : 0)
                                                    : x.taps * y.taps * z.taps);
  }

  /// Of batch, rows, pixels and channels, one after the other.
  std::vector<float> operator()(const std::vector<float>& image,
                                const std::vector<float>& coefficients) {
    const placed_image from = place(in_, what_.channels, what_.gap, what_.slice_gap, what_.offset),
                       to = place(out_, what_.channels, what_.out_gap, what_.slice_gap,
                                  what_.out_offset);
    std::vector<float> all(from.size(what_.batch) + 1, 777.F);  // which no sum may hold
    std::size_t i = 0;
    for_each(from, in_, [&](std::size_t at) { all[at] = image[i++]; });
    const guarded_buffer<float> a(*s_, all, 777.F);
    guarded_buffer<float> b(*s_, std::vector<float>(to.size(what_.batch) + 1, 5.F), 777.F);
    convolve<float> run(s_->queue, options_);
    const filter<float> f = filter_of(what_, coefficients);
    const auto in = view_of<float>(what_, from, a.buffer());
    const auto out = volume<float>(b.buffer(), out_[2], out_[1], out_[0])
                         .channels(what_.channels)
                         .pitch(to.pitch)
                         .slices(to.slice)
                         .at(to.offset)
                         .batch(what_.batch, to.stride);
    const auto pass = run.schedule(in, f, out).passes.front();
    if (pass.policy.method == convolve_method::fft)
      points_ = std::max(64.0, static_cast<double>(clprim::detail::tiling_of(pass).points()));
    wait_for(run(in, f, out));
    const std::vector<float> got = b.read();
    std::vector<float> results;
    for_each(to, out_, [&](std::size_t at) { results.push_back(got[at]); });
    return results;
  }

  linear_map<float> in_image(const std::vector<float>& coefficients) {
    return {pixels(), [=, this](const auto& image) { return (*this)(image, coefficients); },
            norm_of(coefficients), relative()};
  }
  linear_map<float> in_filter(const std::vector<float>& image) {
    return {taps(), [=, this](const auto& coefficients) { return (*this)(image, coefficients); },
            static_cast<long double>(taps()) * inexact(image).largest(), relative()};
  }
  std::string text() const {
    return "\n" + text_of(what_) + "\n" +
           (options_.policy ? to_string(*options_.policy) : "the tuned policy");
  }

 private:
  std::size_t elements(const std::array<int, 3>& extent) const {
    return static_cast<std::size_t>(extent[0] * extent[1] * extent[2] * what_.channels *
                                    what_.batch);
  }
  template <class F>
  void for_each(const placed_image& where, const std::array<int, 3>& extent, F f) const {
    for (int b = 0; b < what_.batch; ++b)
      for (int z = 0; z < extent[2]; ++z)
        for (int y = 0; y < extent[1]; ++y)
          for (int x = 0; x < extent[0]; ++x)
            for (int ch = 0; ch < what_.channels; ++ch) f(where.at(b, z, y, x, ch));
  }
  /// The sum of all coefficients' absolute values; of a separable filter the product of the axes'.
  long double norm_of(const std::vector<float>& coefficients) const {
    if (!what_.separable) {
      long double sum = 0;
      for (const float w : coefficients) sum += std::abs(w);
      return sum;
    }
    long double product = 1;
    std::size_t i = 0;
    for (const drawn_axis& axis : what_.axes) {
      long double sum = 0;
      for (int k = 0; k < axis.taps && i < coefficients.size(); ++k)
        sum += std::abs(coefficients[i++]);
      if (axis.taps > 1 || sum > 0) product *= sum;
    }
    return product;
  }
  /// As in convolve/reference.hpp. The error of transforms does not follow each sum: it is
  /// 12 u log2 N sqrt(N) of the filter's Euclidean norm, which is at most `norm_of` it.
  long double relative() const {
    const double sums = static_cast<double>(gamma<float>(static_cast<double>(taps()) + 2));
    if (points_ == 0) return sums;
    return std::max(sums, 12 * 0x1p-24 * std::log2(points_) * std::sqrt(points_));
  }

  const session* s_;
  drawn_convolution what_;
  convolve_options options_;
  std::array<int, 3> in_{}, out_{};
  double points_ = 0;  ///< of transforms, where the method is theirs
};

drawn_convolution draw_problem(draw& d, convolve_method method, bool cyclic, bool separable) {
  while (true) {
    drawn_convolution c = draw_convolution(d, {.taps = 5, .separable = separable});
    c.border_value = 0;  // else it is no linear map
    if (walks_strips(method)) c.axes[0].stride = 1;
    if (method == convolve_method::line_buffer) c.axes[1].stride = 1;
    if (method == convolve_method::ring) c.axes[1].stride = c.axes[1].dilation = 1;
    if (cyclic) {
      c.extent = output_extent::same;
      for (drawn_axis& a : c.axes) {
        a.before = a.after = 0;
        a.stride = 1;
        a.border = border_mode::wrap;
        if (a.taps % 2 == 0 && !a.anchor) a.anchor = a.taps / 2;
      }
    }
    if (has_outputs(c)) return c;
  }
}

/// The places of an image of rows x cols pixels in the order in which its transpose lies, or one
/// that is shifted cyclically.
template <class Place>
std::vector<std::size_t> places_of(const drawn_convolution& c, int rows, int cols, Place place) {
  std::vector<std::size_t> places;
  for (int b = 0; b < c.batch; ++b)
    for (int y = 0; y < rows; ++y)
      for (int x = 0; x < cols; ++x)
        for (int ch = 0; ch < c.channels; ++ch)
          places.push_back(
              static_cast<std::size_t>((b * rows * cols + place(y, x)) * c.channels + ch));
  return places;
}
std::vector<std::size_t> turned_places(const drawn_convolution& c, int rows, int cols) {
  return places_of(c, cols, rows, [=](int y, int x) { return x * cols + y; });
}

std::vector<float> random_floats(draw& d, std::size_t count) {
  std::vector<float> all(count);
  for (float& x : all) x = random_element<float>(d);
  return all;
}

std::string complaint_of_relation(draw& d, convolve_method method) {
  const bool lines = method == convolve_method::line_buffer;  // for separable filters alone
  const int relation = lines ? d.one_of({0, 2, 3}) : d.between(0, 3);
  const bool cyclic = relation == 2, separable = lines || (relation != 1 && d.chance(30));
  const drawn_convolution c = draw_problem(d, method, cyclic, separable);
  drawn_filtering run(d, c, method);
  const std::vector<float> image = random_floats(d, run.pixels()),
                           taps = random_floats(d, run.taps());
  const auto extent = [](const drawn_axis& a) { return a.before + a.inside + a.after; };
  const auto outputs = [&](const drawn_axis& a) {
    return static_cast<int>(first_taps(c, a).size());
  };
  const int cols = extent(c.axes[0]), rows = extent(c.axes[1]);
  std::string complaint, other;
  switch (relation) {
    case 0: complaint = complaint_of_linearity(d, run.in_image(taps)); break;
    case 1: complaint = complaint_of_linearity(d, run.in_filter(image)); break;
    case 2: {
      const int down = d.between(0, rows - 1), right = d.between(0, cols - 1);
      const auto shifted = places_of(c, rows, cols, [=](int y, int x) {
        return (y + rows - down) % rows * cols + (x + cols - right) % cols;
      });
      const linear_map<float> f = run.in_image(taps);
      complaint = difference("shifted by " + std::to_string(down) + ", " + std::to_string(right),
                             f(inexact(image).at(shifted)), f(inexact(image)).at(shifted));
      break;
    }
    default: {
      drawn_convolution other_way = c;
      std::swap(other_way.axes[0], other_way.axes[1]);
      drawn_filtering turned(d, other_way, convolve_method::direct);
      other = turned.text();
      std::vector<float> turned_taps = taps;
      const int wide = c.axes[0].taps, high = c.axes[1].taps;
      if (separable) {
        std::rotate(turned_taps.begin(), turned_taps.begin() + wide,
                    turned_taps.begin() + wide + high);
      } else {
        const auto places =
            transposed_places(static_cast<std::size_t>(high), static_cast<std::size_t>(wide));
        for (std::size_t i = 0; i < places.size(); ++i) turned_taps[i] = taps[places[i]];
      }
      complaint =
          difference("transposed",
                     turned.in_image(turned_taps)(inexact(image).at(turned_places(c, rows, cols))),
                     run.in_image(taps)(inexact(image))
                         .at(turned_places(c, outputs(c.axes[1]), outputs(c.axes[0]))));
    }
  }
  return complaint.empty() ? complaint : complaint + run.text() + other;
}

void related_convolutions(const char* name, convolve_method method, int cases) {
  run_campaign(std::string("relations, ") + name, cases,
               [=](draw& d) { return complaint_of_relation(d, method); });
}

}  // namespace

CAMPAIGN("convolutions by windows are linear, and turn and shift with their images") {
  related_convolutions("direct", convolve_method::direct, 4);
}
CAMPAIGN("convolutions by tiles are linear, and turn and shift with their images") {
  related_convolutions("tile", convolve_method::tile, 3);
}
CAMPAIGN("convolutions by rings are linear, and turn and shift with their images") {
  related_convolutions("ring", convolve_method::ring, 3);
}
CAMPAIGN("convolutions by line buffers are linear, and turn and shift with their images") {
  related_convolutions("line_buffer", convolve_method::line_buffer, 3);
}
CAMPAIGN("convolutions by rows are linear, and turn and shift with their images") {
  related_convolutions("rows", convolve_method::rows, 3);
}
CAMPAIGN("convolutions by transforms are linear, and turn and shift with their images") {
  related_convolutions("fft", convolve_method::fft, 2);
}
