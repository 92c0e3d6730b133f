// bench_convolve: convolution beside its peers and beside the copy, on one device, in one run.
//
// One channel of float. The filter is random, the border zero unless the row says otherwise.
// "literals" is the library told that the coefficients stay (filter_is_fixed), "reflect_101" the
// same work with another border, "direct" large filters without transforms.
// --sweep [ROW] as the first words times a list of policies for each row, fastest first, with the
// library's choice and the copy beside them.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve.hpp>
#include <clprim/copy.hpp>

#include "convolve/cudnn.hpp"
#include "convolve/host_loop.hpp"
#include "convolve/layers.hpp"
#include "convolve/opencv.hpp"
#include "convolve/shape.hpp"
#include "convolve/sweep.hpp"
#include "convolve/sweep_run.hpp"
#include "harness/random.hpp"
#include "harness/suite.hpp"

namespace {

using namespace clprim;
using bench::contestant;
using bench::role;

using shape = bench::filter_shape;

/// Operands of a row, in place.
class field {
 public:
  field(const bench::suite_place& place, const shape& s)
    : place_(place),
      shape_(s),
      pixels_(bench::random_values<float>(static_cast<std::size_t>(s.pixels()), 1)),
      column_(bench::random_values<float>(static_cast<std::size_t>(s.size), 2)),
      row_(bench::random_values<float>(static_cast<std::size_t>(s.size), 3)) {
    for (const float a : column_)
      for (const float b : row_) dense_.push_back(a * b);
    in_ = buffer(pixels_.data());
    out_ = buffer(nullptr);
  }

  filter<float> taps() const {
    const auto all = shape_.separable ? separable_filter<float>(column_, row_)
                                      : filter_2d<float>(shape_.size, shape_.size, dense_);
    return all.anchor(shape_.size / 2, shape_.size / 2);  // which an odd size has of itself
  }
  contestant ours(const std::string& name, role as, convolve_options options) const {
    options.completion = completion::none;  // as the CUDA peers' calls, which have no event either
    const auto run = std::make_shared<convolve<float>>(place_.session.queue, options);
    const auto f = std::make_shared<filter<float>>(taps());
    const auto in = image<float>(in_, shape_.height, shape_.width),
               out = image<float>(out_, shape_.height, shape_.width);
    const auto call = [=] { (*run)(in, *f, out); };
    contestant c{.name = name, .as = as};
    c.verify = [this, call, options] {
      poison();
      call();
      return complaint(read(), options.border.x.lower == border_mode::reflect_101);
    };
    c.time = [this, call](std::size_t warm, std::size_t calls) {
      return bench::time_opencl(place_.session.queue(), place_.clock, warm, calls,
                                [&](std::size_t) { call(); });
    };
    c.detail = [=] { return to_string(run->schedule(in, *f, out).passes.front().policy); };
    c.short_detail = [=] {
      const convolve_policy p = run->schedule(in, *f, out).passes.front().policy;
      return std::string(enum_names<convolve_method>::names[static_cast<std::size_t>(p.method)]) +
             " " + std::to_string(p.per_item_x) + "x" + std::to_string(p.per_item_y);
    };
    return c;
  }
  const cl::Buffer& out() const { return out_; }
  void poison() const {
    const cl_uint nan = 0x7fc00000;
    check(clEnqueueFillBuffer(place_.session.queue(), out_(), &nan, sizeof nan, 0,
                              pixels_.size() * sizeof(float), 0, nullptr, nullptr),
          "clEnqueueFillBuffer");
  }
  /// How far apart two right results may lie.
  float tolerance() const {
    double sum = 0;
    for (const float w : dense_) sum += std::fabs(static_cast<double>(w));
    return static_cast<float>(2 * (shape_.taps() + 3) * 0x1p-24 * sum);
  }

  /// As many bytes, unchanged.
  contestant roof() const {
    const auto move = std::make_shared<copy<float>>(place_.session.queue,
                                                    copy_options{.completion = completion::none});
    const auto n = static_cast<std::int64_t>(pixels_.size());
    const auto call = [=, this] {
      (*move)(clprim::vector<float>(in_, n), clprim::vector<float>(out_, n));
    };
    contestant c{.name = "copy", .as = role::roof};
    c.verify = [this, call] {
      call();
      return read() == pixels_ ? std::string() : std::string("the copy differs");
    };
    c.time = [this, call](std::size_t warm, std::size_t calls) {
      return bench::time_opencl(place_.session.queue(), place_.clock, warm, calls,
                                [&](std::size_t) { call(); });
    };
    return c;
  }
  contestant loop() const {
    const auto run = std::make_shared<bench::host_convolution>(pixels_, shape_.height, shape_.width,
                                                               dense_, shape_.size);
    return by_wall(
        "host loop", [run] { run->run(); }, [run] { return run->out(); });
  }
#if CLPRIM_HAS_CUDNN
  contestant cudnn() const {
    const auto run = std::make_shared<std::unique_ptr<bench::cudnn_convolution>>();
    contestant c{.name = "cuDNN"};
    c.verify = [this, run] {
      *run = std::make_unique<bench::cudnn_convolution>(
          place_.session.device, pixels_, shape_.height, shape_.width, dense_, shape_.size);
      (*run)->run();
      return complaint((*run)->out(), false, 8);  // its sums are not in our order
    };
    c.time = [run](std::size_t warm, std::size_t calls) {
      return bench::time_cuda(warm, calls, [&](std::size_t) { (*run)->run(); });
    };
    c.detail = [run] { return *run ? (*run)->detail() : std::string(); };
    return c;
  }
#endif
#if CLPRIM_HAS_OPENCV
  contestant opencv() {
    opencv_out_.resize(pixels_.size());
    const auto call = [this] {
      const cv::Mat from(shape_.height, shape_.width, CV_32F, pixels_.data());
      cv::Mat to(shape_.height, shape_.width, CV_32F, opencv_out_.data());
      const cv::Mat dense =
          shape_.separable ? cv::Mat() : cv::Mat(shape_.size, shape_.size, CV_32F, dense_.data());
      bench::opencv_filter(from, to, cv::Mat(shape_.size, 1, CV_32F, column_.data()),
                           cv::Mat(1, shape_.size, CV_32F, row_.data()), dense);
    };
    return by_wall("OpenCV", call, [this] { return opencv_out_; });
  }
#endif

 private:
  template <class Call, class Result>
  contestant by_wall(const std::string& name, Call call, Result result) const {
    contestant c{.name = name};
    c.verify = [this, call, result] {
      call();
      return complaint(result(), false);
    };
    c.time = [call](std::size_t warm, std::size_t calls) {
      return bench::time_by_wall(warm, calls, [&](std::size_t) { call(); });
    };
    c.settle_ms = 20;
    return c;
  }

  cl::Buffer buffer(float* from) const {
    cl_int code = CL_SUCCESS;
    const cl_mem_flags copied = from == nullptr ? 0 : CL_MEM_COPY_HOST_PTR;
    cl::Buffer made(clCreateBuffer(place_.session.context(), CL_MEM_READ_WRITE | copied,
                                   pixels_.size() * sizeof(float), from, &code),
                    false);
    check(code, "clCreateBuffer");
    return made;
  }
  std::vector<float> read() const {
    std::vector<float> result(pixels_.size());
    check(clEnqueueReadBuffer(place_.session.queue(), out_(), CL_TRUE, 0,
                              result.size() * sizeof(float), result.data(), 0, nullptr, nullptr),
          "clEnqueueReadBuffer");
    return result;
  }
  /// No NaN anywhere, and corners, edges and 3000 places anywhere are right within the bound.
  std::string complaint(const std::vector<float>& got, bool reflect, double more = 1) const {
    const int h = shape_.height, w = shape_.width;
    for (const float x : got)
      if (std::isnan(x)) return "a pixel was not written";
    for (int k = 0; k < 3200; ++k) {
      const auto draw = bench::random_bits(9, static_cast<std::uint64_t>(k));
      const auto place = [&](std::uint64_t bits, int n) {
        const int near = static_cast<int>(bits % 20);
        return k < 200 ? (bits & 64 ? near : n - 1 - near)
                       : static_cast<int>((bits & 0xffffff) % static_cast<std::uint64_t>(n));
      };
      const int y = place(draw, h), x = k % 2 ? place(draw >> 32, w) : k * 37 % w;
      double sum = 0, size = 0;
      for (int ky = 0; ky < shape_.size; ++ky) {
        for (int kx = 0; kx < shape_.size; ++kx) {
          int iy = y + ky - shape_.size / 2, ix = x + kx - shape_.size / 2;
          if (reflect) {
            iy = iy < 0 ? -iy : iy >= h ? 2 * h - 2 - iy : iy;
            ix = ix < 0 ? -ix : ix >= w ? 2 * w - 2 - ix : ix;
          } else if (iy < 0 || ix < 0 || iy >= h || ix >= w) {
            continue;
          }
          const auto at = static_cast<std::size_t>(iy) * static_cast<std::size_t>(w) +
                          static_cast<std::size_t>(ix);
          const double product =
              static_cast<double>(dense_[static_cast<std::size_t>(ky * shape_.size + kx)]) *
              static_cast<double>(pixels_[at]);
          sum += product;
          size += std::fabs(product);
        }
      }
      const double u = 0x1p-24, n = shape_.taps() + 3;
      const auto at =
          static_cast<std::size_t>(y) * static_cast<std::size_t>(w) + static_cast<std::size_t>(x);
      const double error = std::fabs(static_cast<double>(got[at]) - sum);
      if (!(error <= more * n * u / (1 - n * u) * size + 1e-30))
        return "(" + std::to_string(y) + ", " + std::to_string(x) + ") is off by " +
               std::to_string(error);
    }
    return {};
  }

  const bench::suite_place& place_;
  shape shape_;
  std::vector<float> pixels_, column_, row_, dense_;
#if CLPRIM_HAS_OPENCV
  std::vector<float> opencv_out_;
#endif
  cl::Buffer in_, out_;
};

bench::bench_row row_of(const bench::suite_place& place, const shape& s) {
  const bool moves = s.size <= 5 || s.separable;  // bound by memory
  bench::bench_row row{.name = s.name()};
  row.work = moves && !place.cpu() ? 8 * s.pixels() : 2 * s.taps() * s.pixels();
  row.unit = moves && !place.cpu() ? "GB/s" : "GFLOP/s";
  row.roof = moves && !place.cpu() ? "copy" : "fma float";
  row.quick = s.size == 3 || s.size == 9 || s.separable;
  row.flops_per_byte = 2 * s.taps() / 8;  // a pixel in, a pixel out
  row.numbers = {{"height", s.height}, {"width", s.width}, {"size", s.size}};
  row.enter = [&place, s] {
    const auto data = std::make_shared<field>(place, s);
    const bool large = s.size > 7 || s.separable;
    std::vector<contestant> who{
        data->ours("clprim", role::ours,
                   {.transforms = s.size > 31, .filter_is_fixed = large && !place.cpu()})};
    who.push_back(data->ours("reflect_101", role::variant,
                             {.border = border_mode::reflect_101,
                              .transforms = s.size > 31,
                              .filter_is_fixed = large && !place.cpu()}));
    if (large && !place.cpu()) {
      who.push_back(data->ours("new taps", role::variant, {.transforms = s.size > 31}));
      if (s.size > 31)
        who.push_back(
            data->ours("direct", role::variant, {.transforms = false, .filter_is_fixed = false}));
    }
    who.push_back(data->roof());
#if CLPRIM_HAS_CUDNN
    // Its search for an algorithm takes tens of seconds at larger filters; its estimate, taken in
    // the run of 2026-11-22, chose one that is eight times slower (3x3: 115 GB/s instead of 939).
    if (place.nvidia() && s.size <= 5 && s.size % 2 == 1) who.push_back(data->cudnn());
#endif
    if (place.cpu()) {
#if CLPRIM_HAS_OPENCV
      who.push_back(data->opencv());
#endif
      if (!s.separable) who.push_back(data->loop());
    }
    for (contestant& c : who) {  // the operands live as long as those who use them
      c.verify = [data, verify = c.verify] { return verify(); };
    }
    return who;
  };
  // What the issue that asked for this kernel wants, where it is bound to a roof or a peer.
  if (!place.cpu() && s.height == 8192) {
    if (s.size == 3) row.bars = {{"copy", 0.97}};
    if (s.size == 5) row.bars = {{"copy", 0.93}};
    if (s.separable) row.bars = {{"copy", 0.86}};
    if (!s.separable && s.size == 9) row.bars = {{"rate", 48000}};
    if (!s.separable && s.size == 17) row.bars = {{"rate", 52000}};
    if (s.size == 31) row.bars = {{"rate", 50000}};
    if (s.size == 63) row.bars = {{"direct", 1.0}};
    row.bars.push_back({"reflect_101", 0.97, true});
  }
  // NPP's 6.9 us, measured on an H200 of another day.
  if (!place.cpu() && s.height == 1080 && s.size == 3) row.bars = {{"rate", 2404}};
  if (place.cpu() && !s.separable && s.size <= 9) row.bars = {{"OpenCV", 1.0}};
  if (place.cpu() && s.separable) row.bars = {{"OpenCV", 1.5}};
  if (place.cpu() && !s.separable && s.size == 17) row.bars = {{"best peer", 1.0}};
  return row;
}

bench::suite_rows rows(const bench::suite_place& place) {
  bench::suite_rows all;
  if (place.cpu()) {
    all.peer(CLPRIM_HAS_OPENCV != 0, "OpenCV");
    all.columns.emplace_back("host loop");
  } else {
    all.columns.emplace_back("new taps");
    all.columns.emplace_back("direct");
    if (place.nvidia()) {
      all.peer(CLPRIM_HAS_CUDNN != 0, "cuDNN");
      all.missing.emplace_back("NPP");
    }
  }
  all.columns.emplace_back("reflect_101");
  all.columns.emplace_back("copy");
  const int large = place.cpu() ? 4096 : 8192;
  for (const bool full : {true, false}) {
    const int height = full ? large : 1080, width = full ? large : 1920;
    for (const int size : {3, 5, 9, 17})
      all.rows.push_back(row_of(place, {height, width, size, false}));
    if (full && !place.cpu())
      for (const int size : {31, 63})
        all.rows.push_back(row_of(place, {height, width, size, false}));
    all.rows.push_back(row_of(place, {height, width, 17, true}));
  }
  bench::add_layer_rows(place, all.rows);
  return all;
}

/// The contestants of a drawn row: the library as it comes with this border, and the others but for
/// its variants. Peers know zeros alone.
std::vector<contestant> judged(const std::vector<contestant>& all, bool reflected) {
  std::vector<contestant> kept;
  for (contestant c : all) {
    if (reflected && c.name == "reflect_101") {
      c.name = "clprim";
      c.as = role::ours;
    } else if (c.as == role::variant || (reflected && c.as != role::roof)) {
      continue;
    }
    kept.push_back(c);
  }
  return kept;
}

/// A filter for --random; of three one has the border reflect_101, the others zeros.
bench::bench_row drawn_row(const bench::suite_place& place, bench::problem_draw& draw) {
  const double least = place.cpu() ? 1e6 : 2e6, most = place.cpu() ? 8e6 : 128e6;
  const shape s = bench::drawn_filter(draw, least, most);
  bench::bench_row row = row_of(place, s);
  const bool reflected = draw.chance(1. / 3);
  if (reflected) row.name += " reflect_101";
  row.enter = [enter = row.enter, reflected] { return judged(enter(), reflected); };
  row.bars = {};
  row.kind = s.separable ? "separable" : "dense";
  return row;
}

/// The rows of a sweep and what they try.
std::vector<std::pair<shape, std::vector<convolve_policy>>> sweep_rows(const std::string& wanted) {
  std::vector<std::pair<shape, std::vector<convolve_policy>>> all;
  const auto add = [&](const shape& s, const std::vector<convolve_policy>& tried) {
    if (s.name().find(wanted) != std::string::npos) all.emplace_back(s, tried);
  };
  for (const bool full : {true, false}) {
    const int height = full ? 8192 : 1080, width = full ? 8192 : 1920;
    for (const int size : {3, 5, 9, 17, 31, 63}) {
      if (!full && size > 17) continue;
      add({height, width, size, false}, !full       ? bench::image_candidates(size, false)
                                        : size <= 5 ? bench::small_candidates()
                                                    : bench::large_candidates(size));
    }
    add({height, width, 17, true},
        full ? bench::separable_candidates() : bench::image_candidates(17, true));
  }
  return all;
}

/// The coefficients of a row.
filter<float> taps_of(const shape& s) {
  const auto column = bench::random_values<float>(static_cast<std::size_t>(s.size), 2),
             row = bench::random_values<float>(static_cast<std::size_t>(s.size), 3);
  if (s.separable) return separable_filter<float>(column, row);
  std::vector<float> dense;
  for (const float a : column)
    for (const float b : row) dense.push_back(a * b);
  return filter_2d<float>(s.size, s.size, dense);
}

/// Registers and spills of a candidate; afterwards the driver's cache has its program.
std::string built(const shape& s, const convolve_policy& p) {
  static const session on = open_session({}, 0);  // of a process that only builds
  cl_int code = CL_SUCCESS;
  const auto bytes = static_cast<std::size_t>(s.pixels()) * sizeof(float);
  const cl::Buffer a(clCreateBuffer(on.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false),
      b(clCreateBuffer(on.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
  check(code, "clCreateBuffer");
  convolve<float> run(on.queue, {.policy = p});
  const std::string text = run.explain(image<float>(a, s.height, s.width), taps_of(s),
                                       image<float>(b, s.height, s.width));
  const auto at = text.find("  kernel     ") + 13;
  return text.substr(at, text.find(" bytes of local", at) - at);
}

/// One row: candidates compared with the library's choice, which is verified on the host.
void sweep_row(const shape& s, const std::vector<convolve_policy>& tried,
               const std::vector<std::string>& kernels) {
  const session on = open_session({});
  const bench::suite_place place{.session = on, .device = facts_of(on.device)};
  const field data(place, s);
  bench::device_comparison comparison(on);
  cl_int code = CL_SUCCESS;
  const auto count = static_cast<std::size_t>(s.pixels());
  const cl::Buffer right(
      clCreateBuffer(on.context(), CL_MEM_READ_WRITE, count * sizeof(float), nullptr, &code),
      false);
  check(code, "clCreateBuffer");
  struct line {
    double seconds;
    std::string text;
  };
  std::vector<line> lines;
  const auto time = [&](const contestant& c, const std::string& text) {
    const double one = c.time(1, 2).seconds.back();
    const auto calls = static_cast<std::size_t>(std::clamp(8e-3 / one, 4.0, 1000.0));
    bench::pause_ms(20);
    const bench::timing t = c.time(2, calls);
    lines.push_back({bench::median(t.seconds), text});
  };
  const contestant roof = data.roof(),
                   first = data.ours("clprim", role::ours, {.filter_is_fixed = s.size > 7});
  roof.verify();
  time(roof, "copy");
  const std::string wrong = first.verify();
  time(first, "clprim " + first.short_detail() + " " + wrong);
  check(clEnqueueCopyBuffer(on.queue(), data.out()(), right(), 0, 0, count * sizeof(float), 0,
                            nullptr, nullptr),
        "clEnqueueCopyBuffer");
  for (std::size_t i = 0; i < tried.size(); ++i) {
    std::string text = bench::short_text(tried[i]) + ": " + kernels[i];
    try {
      const contestant c = data.ours("", role::variant, {.policy = tried[i]});
      data.poison();
      c.time(0, 1);
      const int bad = comparison.differing(right, data.out(), count, data.tolerance());
      if (bad > 0) text += " WRONG: " + std::to_string(bad);
      time(c, text);
    } catch (const std::exception& e) {
      std::printf("%s: %s\n", text.c_str(), e.what());
    }
  }
  std::sort(lines.begin(), lines.end(),
            [](const line& a, const line& b) { return a.seconds < b.seconds; });
  std::printf("%s\n%10s %9s %9s\n", s.name().c_str(), "us", "GB/s", "GFLOP/s");
  for (const line& l : lines) {
    std::printf("%10.2f %9.0f %9.0f  %s\n", 1e6 * l.seconds, 8e-9 * s.pixels() / l.seconds,
                2e-9 * s.taps() * s.pixels() / l.seconds, l.text.c_str());
  }
  std::fflush(stdout);
}

/// bench_convolve --sweep [ROW]
void sweep(const std::string& wanted) {
  const auto all = sweep_rows(wanted);
  std::vector<std::pair<std::size_t, std::size_t>> jobs;
  for (std::size_t r = 0; r < all.size(); ++r)
    for (std::size_t i = 0; i < all[r].second.size(); ++i) jobs.emplace_back(r, i);
  const double begin = bench::seconds_now();
  const std::vector<std::string> said = bench::ask_in_processes(jobs.size(), [&](std::size_t k) {
    const auto& [s, tried] = all[jobs[k].first];
    return built(s, tried[jobs[k].second]);
  });
  std::printf("built %zu candidates in %.1f s\n", jobs.size(), bench::seconds_now() - begin);
  std::size_t next = 0;
  for (const auto& [s, tried] : all) {
    sweep_row(s, tried,
              {said.begin() + static_cast<std::ptrdiff_t>(next),
               said.begin() + static_cast<std::ptrdiff_t>(next + tried.size())});
    next += tried.size();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc > 1 && std::string(argv[1]) == "--sweep") {
    try {
      sweep(argc > 2 ? argv[2] : "");
      return 0;
    } catch (const std::exception& e) {
      std::fprintf(stderr, "bench_convolve: %s\n", e.what());
      return 2;
    }
  }
  return bench::run_suite(
      {.name = "convolve",
       .what = "convolution beside its peers and the copy (--sweep first: many policies)",
       .rows = rows,
       .drawn = drawn_row,
       .judged_by = "roof"},
      argc, argv);
}
