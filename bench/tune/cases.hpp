#pragma once
// Drawn problems of every door as the tuner takes them.

#include <algorithm>
#include <complex>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve.hpp>
#include <clprim/fft.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>
#include <clprim/runtime/tuning_file.hpp>
#include <clprim/transpose.hpp>
#include <clprim/tuner.hpp>

#include "../convolve/shape.hpp"
#include "../fft/drawn.hpp"
#include "../gemm/drawn.hpp"
#include "../harness/random.hpp"
#include "../reduce/drawn.hpp"
#include "../transpose/drawn.hpp"

namespace bench {

/// Where a case runs, and how large it may be.
struct case_place {
  const clprim::session& on;
  clprim::device_facts device;
  /// The device without the rows of its own, as which a policy is chosen to be judged; none: its
  /// own choice is judged.
  std::optional<clprim::device_facts> stranger{};
  double most_bytes = 128e6;
  bool cpu() const { return device.kind == clprim::device_kind::cpu; }
};

/// The device as one of a maker that no row knows.
inline clprim::device_facts without_rows(clprim::device_facts d) {
  d.name = "a device without rows";
  d.vendor = clprim::vendor::unknown;
  d.compute_capability = 0;
  d.inline_ptx = d.async_copy = d.warp_group_products = false;
  return d;
}

inline cl::Buffer room(const case_place& at, std::size_t bytes, const void* from = nullptr) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(at.on.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
  clprim::check(code, "clCreateBuffer of an operand");
  if (from != nullptr)
    clprim::check(
        clEnqueueWriteBuffer(at.on.queue(), made(), CL_TRUE, 0, bytes, from, 0, nullptr, nullptr),
        "clEnqueueWriteBuffer");
  return made;
}
template <clprim::scalar_type T>
cl::Buffer random_buffer(const case_place& at, std::int64_t count, std::uint64_t stream) {
  const auto values = random_values<T>(static_cast<std::size_t>(count), stream);
  return room(at, values.size() * sizeof(T), values.data());
}

/// What is tuned, and the name under which the library looks it up.
template <clprim::policy P> struct tuned_case {
  clprim::tuning_task<P> task;
  std::string problem;
};

/// A task of a door. `call(object, policy…)` calls an object of Door; `chosen(object)` asks it for
/// the policy that it would take, `explained(object)` for what it tells.
template <class Door, clprim::policy P, class Options, class Call, class Chosen, class Explained>
tuned_case<P> task_of(const case_place& at, Options options, const cl::Buffer& result,
                      std::size_t bytes, Call call, Chosen chosen, Explained explained) {
  options.completion = clprim::completion::none;
  const auto queue = at.on.queue;
  const auto own = [&] {
    if (!at.stranger) return chosen(*std::make_shared<Door>(queue, options));
    const clprim::assume_device other(*at.stranger);
    return chosen(*std::make_shared<Door>(queue, options));
  }();
  const std::optional<P> judged = at.stranger ? std::optional<P>(own) : std::nullopt;
  Door named(queue, options);
  return {{.chosen = own,
           .make = [=](const std::optional<P>& policy) -> std::function<void()> {
             Options with = options;
             with.policy = policy ? policy : judged;
             const auto op = std::make_shared<Door>(queue, with);
             return [=] { call(*op); };
           },
           .result = result,
           .bytes = bytes},
          clprim::problem_in(explained(named))};
}

/// Draws a problem of a door and calls f(name, case). Throws clprim::error for a door that is none.
template <class F>
void with_case(const std::string& door, const case_place& at, problem_draw& draw, F f) {
  using namespace clprim;
  if (door == "reduce") {
    const drawn_reduction p = draw_reduction(draw, at.most_bytes / 4);
    const auto x = random_buffer<float>(at, p.rows * p.columns, 1);
    const auto out = room(at, std::size_t{8} << 20);
    const auto run = [&]<class Door>(const Door*, const reduce_view<float>& view, std::size_t bytes,
                                     bool exact) {
      auto task = task_of<Door, reduce_policy>(
          at, reduce_options{}, out, bytes, [=](Door& d) { d(view, out); },
          [&](Door& d) { return d.schedule(view).policy; },
          [&](Door& d) { return d.explain(view); });
      if (!exact) task.task.same = close_values<float>(1e-3);
      f(p.name(), task);
    };
    const reduce<float>* const sums = nullptr;
    const reduce<float, op::argmax>* const places = nullptr;
    const auto matrix_of = matrix<float>(x, p.rows, p.columns);
    switch (p.what) {
      case reduced::sum: return run(sums, whole<float>(x, p.columns), 4, false);
      case reduced::greatest:
        return run(places, whole<float>(x, p.columns), sizeof(located<float>), true);
      case reduced::rows:
        return run(sums, each_row(matrix_of), static_cast<std::size_t>(p.rows) * 4, false);
      case reduced::columns:
        return run(sums, each_column(matrix_of), static_cast<std::size_t>(p.columns) * 4, false);
    }
  }
  if (door == "transpose") {
    const double least = at.cpu() ? 1e6 : 16e6;
    const auto run = [&]<class T>(T) {
      using value = T;
      if (draw.chance(0.5)) {
        turn_problem p = drawn_turn(draw, true, least, at.most_bytes);
        const auto a = random_buffer<float>(
            at, static_cast<std::int64_t>(p.elements() * sizeof(T) + 3) / 4, 1);
        const auto b = room(at, p.elements() * sizeof(T));
        const auto A = matrix<value>(a, p.rows, p.cols), B = matrix<value>(b, p.cols, p.rows);
        using turn = clprim::transpose<value>;
        return f(std::to_string(sizeof(T)) + "-byte " + std::to_string(p.rows) + " " +
                     std::to_string(p.cols),
                 task_of<turn, transpose_policy>(
                     at, transpose_options{}, b, p.elements() * sizeof(T),
                     [=](turn& d) { d(A, B); }, [&](turn& d) { return d.schedule(A, B).policy; },
                     [&](turn& d) { return d.explain(A, B); }));
      }
      const permutation_problem p = drawn_permutation(draw, true, least, at.most_bytes);
      const auto in_steps = steps_of(p.extents, p.in_gap);
      const auto out_steps = steps_of(p.out_extents(), p.out_gap);
      const auto bytes = [&](std::int64_t step, std::int64_t extent) {
        return static_cast<std::size_t>(step * extent) * sizeof(T);
      };
      const auto a = random_buffer<float>(
          at, static_cast<std::int64_t>(bytes(in_steps.front(), p.extents.front()) + 3) / 4, 1);
      const std::size_t out_bytes = bytes(out_steps.front(), p.out_extents().front());
      const auto b = room(at, out_bytes);
      const auto X = array<value>(a, p.extents).with_strides(in_steps);
      const auto Y = array<value>(b, p.out_extents()).with_strides(out_steps);
      using turn = permute<value>;
      f(std::to_string(sizeof(T)) + "-byte as " + p.name,
        task_of<turn, transpose_policy>(
            at, transpose_options{}, b, out_bytes, [=](turn& d) { d(X, p.axes, Y); },
            [&](turn& d) { return d.schedule(X, p.axes, Y).policy; },
            [&](turn& d) { return d.explain(X, p.axes, Y); }));
    };
    switch (draw.between(0, 4)) {
      case 0: return run(std::uint8_t{});
      case 1: return run(clprim::half{});
      case 2: return run(float{});
      case 3: return run(double{});
      default: return run(std::complex<double>{});
    }
  }
  if (door == "convolve") {
    const filter_shape s =
        drawn_filter(draw, at.cpu() ? 1e6 : 2e6, std::max(4e6, at.most_bytes / 8));
    const auto pixels = static_cast<std::int64_t>(s.pixels());
    const auto in = random_buffer<float>(at, pixels, 1);
    const auto out = room(at, static_cast<std::size_t>(pixels) * 4);
    const auto column = random_values<float>(static_cast<std::size_t>(s.size), 2),
               line = random_values<float>(static_cast<std::size_t>(s.size), 3);
    std::vector<float> dense;
    for (const float a : column)
      for (const float b : line) dense.push_back(a * b);
    const auto taps =
        std::make_shared<filter<float>>((s.separable ? separable_filter<float>(column, line)
                                                     : filter_2d<float>(s.size, s.size, dense))
                                            .anchor(s.size / 2, s.size / 2));
    const auto I = image<float>(in, s.height, s.width), O = image<float>(out, s.height, s.width);
    using door_type = convolve<float>;
    const bool large = s.size > 7 || s.separable;
    auto task = task_of<door_type, convolve_policy>(
        at, convolve_options{.transforms = s.size > 31, .filter_is_fixed = large && !at.cpu()}, out,
        static_cast<std::size_t>(pixels) * 4, [=](door_type& d) { d(I, *taps, O); },
        [&](door_type& d) { return d.schedule(I, *taps, O).passes.front().policy; },
        [&](door_type& d) { return d.explain(I, *taps, O); });
    task.task.same = close_values<float>(1e-4);
    return f(s.name(), task);
  }
  if (door == "gemm") {
    gemm_problem_row p = drawn_product(draw, false, at.cpu() ? 64e6 : 2e8, at.cpu() ? 4e9 : 2e11);
    const std::int64_t batch = p.batch;
    const auto a = random_buffer<float>(at, batch * p.m * p.k, 1),
               b = random_buffer<float>(at, batch * p.k * p.n, 2);
    const std::size_t bytes = static_cast<std::size_t>(batch * p.m * p.n) * 4;
    const auto c = room(at, bytes);
    const auto view = [&](const cl::Buffer& of, int rows, int columns) {
      const auto v = matrix<float>(of, rows, columns);
      return p.batch == 1 ? v : v.batch(p.batch, std::int64_t{rows} * columns);
    };
    const auto A = view(a, p.m, p.k), B = view(b, p.k, p.n), C = view(c, p.m, p.n);
    using door_type = gemm<float>;
    auto task = task_of<door_type, gemm_policy>(
        at, gemm_options{}, c, bytes, [=](door_type& d) { d(1, A, B, 0, C); },
        [&](door_type& d) {
          const gemm_schedule s = d.schedule(A, B, C);
          gemm_policy policy = s.policy;
          policy.split_k = s.splits;
          return policy;
        },
        [&](door_type& d) { return d.explain(A, B, C); });
    task.task.same = close_values<float>(1e-4);
    return f("sgemm " + std::to_string(p.m) + "x" + std::to_string(p.n) + "x" +
                 std::to_string(p.k) + (p.batch > 1 ? " x" + std::to_string(p.batch) : ""),
             task);
  }
  if (door == "fft") {
    const std::int64_t n = drawn_length(draw, static_cast<double>(draw.log_uniform(8, 8192)));
    const std::int64_t batch =
        std::max<std::int64_t>(1, draw.log_uniform(1024, at.most_bytes / 8) / n);
    const auto x = random_buffer<std::complex<float>>(at, n * batch, 1);
    const std::size_t bytes = static_cast<std::size_t>(n * batch) * 8;
    const auto y = room(at, bytes);
    const auto X = array<std::complex<float>>(x, {batch, n}),
               Y = array<std::complex<float>>(y, {batch, n});
    using door_type = fft<float>;
    auto task = task_of<door_type, fft_policy>(
        at, fft_options{}, y, bytes, [=](door_type& d) { d.forward(X, Y); },
        [&](door_type& d) { return d.schedule(X, Y).front().policy; },
        [&](door_type& d) { return d.explain(X, Y); });
    task.task.same = close_values<float>(1e-4);
    return f("float " + std::to_string(n) + " *" + std::to_string(batch), task);
  }
  throw error("'" + door + "' is no door: gemm, fft, reduce, transpose or convolve");
}

}  // namespace bench
