#pragma once
// Rows of bench_convolve: layers of ResNet-50 (K. He et al., "Deep residual learning", 2016), 32
// images at once, in float.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <clprim/convolve.hpp>

#include "../harness/random.hpp"
#include "../harness/suite.hpp"
#include "cudnn.hpp"
#include "layer_shape.hpp"

namespace bench {

/// Operands of a layer, in place.
class layer_field {
 public:
  layer_field(const suite_place& place, const layer_shape& l, clprim::gemm_precision precision)
    : place_(place),
      shape_(l),
      precision_(precision),
      x_(random_values<float>(l.in_count(), 1)),
      w_(random_values<float>(l.tap_count(), 2)),
      in_(made(x_.size(), x_.data())),
      taps_(made(w_.size(), w_.data())),
      out_(made(l.out_count(), nullptr)) {}

  contestant ours(const std::string& name, role as, clprim::channels_options options) const {
    using namespace clprim;
    options.stride = {.x = shape_.stride, .y = shape_.stride};
    options.padding = {shape_.padding, shape_.padding};
    options.precision = precision_;
    const auto run = std::make_shared<convolve_channels<float>>(place_.session.queue, options);
    const layer_shape& l = shape_;
    const auto in = nchw<float>(in_, l.images, l.inputs, l.height, l.width),
               taps = nchw<float>(taps_, l.outputs, l.inputs, l.size, l.size),
               out = nchw<float>(out_, l.images, l.outputs, l.out_height(), l.out_width());
    const auto call = [=] { (*run)(in, taps, out); };
    contestant c{.name = name, .as = as};
    c.verify = [this, call] {
      const cl_uint nan = 0x7fc00000;
      check(clEnqueueFillBuffer(place_.session.queue(), out_(), &nan, sizeof nan, 0,
                                shape_.out_count() * sizeof(float), 0, nullptr, nullptr),
            "clEnqueueFillBuffer");
      call();
      std::vector<float> got(shape_.out_count());
      check(clEnqueueReadBuffer(place_.session.queue(), out_(), CL_TRUE, 0,
                                got.size() * sizeof(float), got.data(), 0, nullptr, nullptr),
            "clEnqueueReadBuffer");
      return complaint(got);
    };
    c.time = [this, call](std::size_t warm, std::size_t calls) {
      return time_opencl(place_.session.queue(), place_.clock, warm, calls,
                         [&](std::size_t) { call(); });
    };
    c.detail = [=] {
      const channels_schedule s = run->schedule(in, taps, out);
      return s.ways.empty() ? to_string(s.policy) : to_string(s.ways.front().product.policy);
    };
    c.short_detail = [=] {
      const channels_schedule s = run->schedule(in, taps, out);
      if (s.ways.empty()) return std::string("direct");
      const gemm_policy& p = s.ways.front().product.policy;
      return "product " + std::to_string(p.tile_m) + "x" + std::to_string(p.tile_n);
    };
    return c;
  }
#if CLPRIM_HAS_CUDNN
  contestant cudnn() const {
    const auto run = std::make_shared<std::unique_ptr<cudnn_convolution>>();
    contestant c{.name = "cuDNN"};
    c.verify = [this, run] {
      *run = std::make_unique<cudnn_convolution>(place_.session.device, shape_, x_, w_,
                                                 precision_ == clprim::gemm_precision::tf32);
      (*run)->run();
      return complaint((*run)->out(), 8);  // its sums are not in our order
    };
    c.time = [run](std::size_t warm, std::size_t calls) {
      return time_cuda(warm, calls, [&](std::size_t) { (*run)->run(); });
    };
    c.detail = [run] { return *run ? (*run)->detail() : std::string(); };
    return c;
  }
#endif

 private:
  cl::Buffer made(std::size_t count, float* from) const {
    cl_int code = CL_SUCCESS;
    const cl_mem_flags copied = from == nullptr ? 0 : CL_MEM_COPY_HOST_PTR;
    cl::Buffer b(clCreateBuffer(place_.session.context(), CL_MEM_READ_WRITE | copied,
                                count * sizeof(float), from, &code),
                 false);
    clprim::check(code, "clCreateBuffer");
    return b;
  }
  /// No NaN anywhere, and 2000 places anywhere are right within the bound.
  std::string complaint(const std::vector<float>& got, double more = 1) const {
    const layer_shape& l = shape_;
    for (const float v : got)
      if (std::isnan(v)) return "an output was not written";
    for (std::size_t draw = 0; draw < 2000; ++draw) {
      const std::size_t at = random_bits(9, draw) % got.size();
      const auto place = static_cast<std::int64_t>(at);
      const std::int64_t x0 = place % l.out_width(), y0 = place / l.out_width() % l.out_height(),
                         k = place / l.out_width() / l.out_height() % l.outputs,
                         n = place / l.out_width() / l.out_height() / l.outputs;
      double sum = 0, size = 0;
      for (std::int64_t c = 0; c < l.inputs; ++c)
        for (std::int64_t ky = 0; ky < l.size; ++ky)
          for (std::int64_t kx = 0; kx < l.size; ++kx) {
            const std::int64_t y = y0 * l.stride + ky - l.padding,
                               x = x0 * l.stride + kx - l.padding;
            if (y < 0 || x < 0 || y >= l.height || x >= l.width) continue;
            const double product =
                static_cast<double>(x_[static_cast<std::size_t>(
                    ((n * l.inputs + c) * l.height + y) * l.width + x)]) *
                static_cast<double>(
                    w_[static_cast<std::size_t>(((k * l.inputs + c) * l.size + ky) * l.size + kx)]);
            sum += product;
            size += std::fabs(product);
          }
      const double terms = l.inputs * l.size * l.size + 3.0, u = 0x1p-24;
      const double error = std::fabs(static_cast<double>(got[at]) - sum);
      // TF32 cuts both factors, matrix units the sums.
      const double cut = precision_ == clprim::gemm_precision::tf32 ? 2.5 * 0x1p-10 : 0;
      if (!(error <= (cut + more * terms * u / (1 - terms * u)) * size + 1e-30))
        return "output " + std::to_string(at) + " is off by " + std::to_string(error);
    }
    return {};
  }

  const suite_place& place_;
  layer_shape shape_;
  clprim::gemm_precision precision_;
  std::vector<float> x_, w_;
  cl::Buffer in_, taps_, out_;
};

inline void add_layer_rows(const suite_place& place, std::vector<bench_row>& rows) {
  const int images = place.cpu() ? 1 : 32;
  using enum clprim::gemm_precision;
  for (const layer_shape& l : {layer_shape{images, 64, 56, 56, 64, 3, 1, 1},
                               layer_shape{images, 256, 14, 14, 256, 3, 1, 1},
                               layer_shape{images, 64, 56, 56, 256, 1, 1, 0}}) {
    for (const clprim::gemm_precision precision : {full, split_tf32, tf32}) {
      if (precision != full && place.cpu()) continue;  // nothing but what is in full
      bench_row row{.name = l.name()};
      if (precision != full) row.name += " " + std::string(to_string(precision));
      row.work = l.flops();
      row.unit = "GFLOP/s";
      row.roof = "fma float";
      row.flops_per_byte =
          l.flops() / (4.0 * static_cast<double>(l.in_count() + l.tap_count() + l.out_count()));
      row.numbers = {{"images", l.images}, {"inputs", l.inputs}, {"outputs", l.outputs}};
      if (precision != full) row.bars = {{"cuDNN", 1.0}};
      row.enter = [&place, l, precision] {
        const auto data = std::make_shared<layer_field>(place, l, precision);
        std::vector<contestant> who{data->ours("clprim", role::ours, {})};
        if (precision == full) {
          clprim::channels_options direct;
          direct.policy = clprim::tuned_direct_channels(place.device, 4, l.outputs);
          who.push_back(data->ours("direct", role::variant, direct));
        }
#if CLPRIM_HAS_CUDNN
        if (place.nvidia()) who.push_back(data->cudnn());
#endif
        for (contestant& c : who) {  // the operands live as long as those who use them
          c.verify = [data, verify = c.verify] { return verify(); };
        }
        return who;
      };
      rows.push_back(std::move(row));
    }
  }
}

}  // namespace bench
