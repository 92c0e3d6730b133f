// Sequences of calls on one object: whatever came before, each result is that of a fresh object.

#include <algorithm>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/draw_problem.hpp"
#include "gemm/product.hpp"
#include "support/campaign.hpp"
#include "support/device.hpp"
#include "support/sequence.hpp"

using namespace clprim;
using namespace support;

namespace {

/// The operands of a call, twice: for the object under test and for a fresh one.
template <class T> struct operands {
  product p;
  stored<T> A, B, C;
  guarded_buffer<T> a, b;
  twin_buffers<T> c;
  guarded_buffer<std::int64_t> a_starts, b_starts, c_starts;
  guarded_buffer<accumulator_t<T>> bias;
  std::size_t given = 0;  ///< bytes of the workspace that the object had been given

  operands(const session& s, const product& x, draw d)
    : p(x),
      A(p.a, p.m, p.k, p.batch, d),
      B(p.b, p.k, p.n, p.batch, d),
      C(p.c, p.m, p.n, p.batch, d),
      a(s, filled(A, d), T(9.f)),
      b(s, filled(B, d), T(9.f)),
      c(s, filled(C, d), T(9.f)),
      a_starts(s, A.starts, 0),
      b_starts(s, B.starts, 0),
      c_starts(s, C.starts, 0),
      bias(s,
           std::vector<accumulator_t<T>>(static_cast<std::size_t>(std::max(p.m, p.n)) + 1,
                                         accumulator_t<T>(0.25)),
           accumulator_t<T>(9)) {}

  static const std::vector<T>& filled(stored<T>& x, draw& d) {
    for (T& one : x.host) one = random_element<T>(d);
    return x.host;
  }
  cl::Event call(gemm<T>& multiply, std::size_t set, wait_list waits) {
    std::vector<argument> arguments;
    if (p.epilogue == epilogue_kind::column_bias) arguments.emplace_back(bias.buffer());
    return multiply(scale_factor<T>(p.alpha), A.view(a.buffer(), a_starts.buffer()),
                    B.view(b.buffer(), b_starts.buffer()), scale_factor<T>(p.beta),
                    C.view(c[set], c_starts.buffer()), waits, arguments);
  }
  /// A question, or a preparation, about this product.
  void ask(gemm<T>& multiply, int what) {
    const auto x = A.view(a.buffer(), a_starts.buffer()), y = B.view(b.buffer(), b_starts.buffer()),
               z = C.view(c[0], c_starts.buffer());
    if (what == 0) multiply.prepare(x, y, z);
    if (what == 1) multiply.explain(x, y, z);
    if (what == 2) multiply.source(x, y, z);
    if (what == 3) multiply.workspace_bytes(x, y, z);
  }
};

cl::Buffer workspace_of(const session& s, std::size_t bytes) {
  cl_int code = CL_SUCCESS;
  cl::Buffer made(clCreateBuffer(s.context(), CL_MEM_READ_WRITE, bytes, nullptr, &code), false);
  check(code, "clCreateBuffer");
  return made;
}

/// Options of one of a few kinds, so that kernels are built once for many sequences.
template <class T> gemm_options draw_options(draw& d, const session& s) {
  gemm_options options;
  options.epilogue =
      epilogue_of<T>(d.chance(60) ? epilogue_kind::none : epilogue_kind::column_bias);
  options.workspace_limit = d.one_of<std::size_t>({0, 20000, std::size_t{1} << 26});
  if (s.queue() == device_session().queue() && d.chance(20)) options.completion = completion::none;
  if (std::same_as<T, float> && d.chance(30)) {
    options.precision =
        d.one_of({gemm_precision::split_half, gemm_precision::split_tf32, gemm_precision::tf32});
    if (d.chance(50)) options.workspace_limit.reset();
  }
  if (d.chance(30)) return options;
  const device_facts facts = facts_of(s.device);
  draw pool(static_cast<std::uint64_t>(d.between(1, 6)));
  while (!options.policy) {
    gemm_policy p = draw_policy_for(pool, scalar_of<T>, facts);
    p.vector_m = std::min(p.vector_m, 8), p.vector_n = std::min(p.vector_n, 8);
    if (p.group_size() <= facts.max_work_group &&
        most_local_bytes(p, scalar_of<T>) <= facts.local_bytes)
      options.policy = p;
  }
  return options;
}

/// How the operands of a product lie: of few kinds, too, aligned whatever their sizes or never.
product draw_kind(draw& d, const gemm_options& options) {
  draw pool(static_cast<std::uint64_t>(d.between(100, 105)));
  product p = draw_product(pool, options.policy.value_or(gemm_policy{}));
  p.a.offset = p.b.offset = p.c.offset = d.one_of({1, 16});
  p.a.ld_extra = p.b.ld_extra = p.c.ld_extra = p.a.offset == 16 ? 16 : 3;
  p.epilogue = options.epilogue.empty() ? epilogue_kind::none : epilogue_kind::column_bias;
  return p;
}

/// A product of this kind, of any size.
product draw_call(draw& d, product p, bool is_gpu) {
  const int unit = p.a.offset == 16 ? 16 : 1, least = d.chance(5) ? 0 : 1;
  p.m = unit * d.between(least, 70 / unit);
  p.n = unit * d.between(least, 70 / unit);
  p.k = unit * d.between(0, d.chance(20) ? 400 / unit : 64 / unit);
  if (is_gpu && d.chance(30)) {
    const auto size = [&] { return ((1 << d.between(6, 10)) + d.between(0, 63)) / unit * unit; };
    p.m = size(), p.n = size(), p.k = size(), p.batch = std::min(p.batch, 2);
  }
  const auto factor = [&] { return d.one_of<std::complex<double>>({0, 1, 0.5, -2}); };
  p.alpha = factor(), p.beta = factor();
  return p;
}

template <class T> std::string sequence(draw& d) {
  const session& s = sequence_session(d.chance(50));
  const gemm_options options = draw_options<T>(d, s);
  const bool is_gpu = facts_of(s.device).kind == device_kind::gpu;
  const std::vector<product> kinds{draw_kind(d, options), draw_kind(d, options)};
  std::vector<product> again;  // problems that come again: what is kept of them is used
  for (int i = 0; i < 3; ++i) again.push_back(draw_call(d, kinds[0], is_gpu));
  const auto given = std::make_shared<std::size_t>(0);  // bytes that the object under test has
  const auto draw_one = [&, given](draw& one, const session&) {
    product p = draw_call(one, kinds[static_cast<std::size_t>(one.between(0, 1))], is_gpu);
    if (one.chance(60)) p = again[static_cast<std::size_t>(one.between(0, 2))];
    const auto x = std::make_shared<operands<T>>(s, p, draw(one.bits()));
    if (one.chance(10)) {
      return sequence_call<gemm<T>>{.make =
                                        [x](gemm<T>& multiply, std::size_t, wait_list waits) {
                                          return multiply(
                                              accumulator_t<T>(1), matrix<T>(x->a.buffer(), 3, 4),
                                              matrix<T>(x->b.buffer(), 5, 2), accumulator_t<T>(0),
                                              matrix<T>(x->c[0], 3, 2), waits);
                                        },
                                    .text = "shapes that do not fit"};
    }
    const int question = one.chance(15) ? one.between(0, 3) : -1;
    const auto room = static_cast<std::size_t>(one.chance(8) ? one.one_of({1, 3, 10}) * 4096 : 0);
    return sequence_call<gemm<T>>{
        .make =
            [=, &s](gemm<T>& multiply, std::size_t set, wait_list waits) {
              if (set == 0) {
                if (room > 0) {
                  multiply.use_workspace(workspace_of(s, room));
                  *given = room;
                }
                if (question >= 0) x->ask(multiply, question);
                x->given = *given;
              } else if (x->given > 0) {  // which decides how far k is split
                multiply.use_workspace(workspace_of(s, x->given));
              }
              return x->call(multiply, set, waits);
            },
        .same = [x] { return x->c.same(); },
        .text = (options.policy ? to_string(*options.policy) : "the tuned policy") + "\n" +
                replay_text<T>(p)};
  };
  return complaint_of_sequence(
      d, s, [&] { return std::make_unique<gemm<T>>(s.queue, options); }, draw_one);
}

}  // namespace

CAMPAIGN("any sequence of products of float has the results of fresh objects, bit for bit") {
  run_campaign("sequences of float", 2, [](draw& d) { return sequence<float>(d); });
}

CAMPAIGN("any sequence of products of the other types has the results of fresh objects") {
  run_campaign("sequences of other types", 1, [](draw& d) {
    switch (d.between(0, 3)) {
      case 0: return sequence<half>(d);
      case 1: return sequence<double>(d);
      case 2: return sequence<std::complex<float>>(d);
      default: return sequence<std::complex<double>>(d);
    }
  });
}
