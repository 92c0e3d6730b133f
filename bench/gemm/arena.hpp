#pragma once
// Everyone who multiplies in one element type, on the same operands.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "clblast.hpp"
#include "cublas.hpp"
#include "cublaslt.hpp"
#include "openblas.hpp"
#include "ours.hpp"
#include "verify.hpp"

namespace bench {

struct gemm_settings {
  bool rotate = false;    ///< operands out of the last-level cache
  bool pedantic = false;  ///< cuBLAS in its pedantic mode
  bool clblast_tuned = false;
  bool portable = false;  ///< ours without cp.async
  std::optional<clprim::gemm_policy> policy{};
  std::optional<clprim::gemm_policy> async_policy{};
};

/// Copies of the operands so that a round trip through them is twice the cache; one without
/// rotation.
inline placement placement_of(const gemm_problem_row& p, bool rotate, std::size_t cache) {
  const auto rounded = [](std::size_t elements) { return (elements + 1023) / 1024 * 1024; };
  placement where{.a_step = rounded(p.a_elements()),
                  .b_step = rounded(p.b_elements()),
                  .c_step = rounded(p.c_elements())};
  if (rotate && p.bytes() < 2 * cache)
    where.copies = std::min<std::size_t>(256, 2 * cache / p.bytes() + 2);
  return where;
}

/// Who computes one product in T, verified against `a` and `b`.
template <clprim::product_type T>
contestant product_entrant(const std::shared_ptr<gemm_contestant<T>>& one,
                           const gemm_problem_row& problem, const placement& where,
                           const std::shared_ptr<std::vector<T>>& a,
                           const std::shared_ptr<std::vector<T>>& b) {
  const auto error = std::make_shared<double>(0);
  return {.name = one->name(),
          .as = one->name() == "clprim" ? role::ours : role::peer,
          .verify =
              [=] {
                one->bind(problem, where);
                const verdict v = verify<T>(problem, *a, *b, one->product());
                *error = v.error;
                return v.wrong;
              },
          .time = [one](std::size_t warm, std::size_t calls) { return one->time(warm, calls); },
          .short_detail = [one] { return one->short_detail(); },
          .detail = [one] { return one->detail(); },
          .settle_ms = one->settle_ms(),
          .facts =
              [error] {
                return std::vector<std::pair<std::string, double>>{{"error_epsilons", *error}};
              }};
}

/// Everyone who computes in T, with operands that are large enough for all rows of T.
template <clprim::product_type T> class gemm_arena {
 public:
  gemm_arena(const clprim::session& session, const clprim::device_facts& device, clock_kind clock,
             const std::vector<gemm_problem_row>& problems, gemm_settings settings)
    : settings_(std::move(settings)), cache_(cache_bytes(session.device)) {
    std::size_t a = 1, b = 1, c = 1;
    for (const gemm_problem_row& p : problems) {
      if (p.type != clprim::scalar_of<T>) continue;
      const placement where = placement_of(p, settings_.rotate, cache_);
      a = std::max(a, where.copies * where.a_step);
      b = std::max(b, where.copies * where.b_step);
      c = std::max(c, where.copies * where.c_step);
    }
    a_ = std::make_shared<std::vector<T>>(random_values<T>(a, 1));
    b_ = std::make_shared<std::vector<T>>(random_values<T>(b, 2));
    const auto buffers =
        std::make_shared<const opencl_operands<T>>(session, device, clock, *a_, *b_, c);
    add("clprim", [&] {
      return std::make_shared<our_gemm<T>>(buffers, settings_.policy, settings_.async_policy,
                                           settings_.portable);
    });
    constexpr clprim::scalar type = clprim::scalar_of<T>;
    constexpr bool is_byte = clprim::is_byte(type);
    [[maybe_unused]] constexpr bool known_to_blas = !is_byte && type != clprim::scalar::bfloat16_;
#if CLPRIM_HAS_CLBLAST
    if constexpr (known_to_blas)
      add("CLBlast",
          [&] { return std::make_shared<clblast_gemm<T>>(buffers, settings_.clblast_tuned); });
#endif
#if CLPRIM_HAS_OPENBLAS
    if constexpr (known_to_blas)
      if (device.kind == clprim::device_kind::cpu)
        add("OpenBLAS", [&] { return std::make_shared<openblas_gemm<T>>(a_, b_, c); });
#endif
#if CLPRIM_HAS_CUBLAS
    if (device.vendor == clprim::vendor::nvidia) {
      add("cuBLAS", [&] {
        if constexpr (is_byte)
          return std::make_shared<cublaslt_gemm<T>>(session.device, *a_, *b_, c);
        else
          return std::make_shared<cublas_gemm<T>>(session.device, *a_, *b_, c, settings_.pedantic);
      });
    }
#endif
  }

  /// Everyone for one product.
  std::vector<contestant> enter(const gemm_problem_row& problem) const {
    std::vector<contestant> who;
    for (const auto& one : all_) {
      who.push_back(product_entrant<T>(one, problem,
                                       placement_of(problem, settings_.rotate, cache_), a_, b_));
    }
    who.insert(who.end(), absent_.begin(), absent_.end());
    return who;
  }

 private:
  /// Who cannot be made still stands in every row, with the reason.
  template <class Make> void add(const std::string& name, Make make) {
    try {
      all_.push_back(make());
    } catch (const std::exception& e) {
      absent_.push_back(absent(name, e.what()));
    }
  }

  gemm_settings settings_;
  std::size_t cache_;
  std::shared_ptr<std::vector<T>> a_, b_;
  std::vector<std::shared_ptr<gemm_contestant<T>>> all_;
  std::vector<contestant> absent_;
};

}  // namespace bench
