#pragma once
// What takes part in a row of products: our GEMM or a peer's, on operands of its own kind of
// memory.

#include <cstddef>
#include <string>
#include <vector>

#include <clprim/core/error.hpp>

#include "../harness/timing.hpp"
#include "problems.hpp"

namespace bench {

/// Where the operands of one problem lie: with rotation, call i uses copy i % copies, the copies
/// being parts of one large random array, so that operands come from memory and not from the last
/// call's cache.
struct placement {
  std::size_t copies = 1;
  std::size_t a_step = 0;  ///< elements from a copy to the next
  std::size_t b_step = 0;
  std::size_t c_step = 0;

  std::size_t a(std::size_t call) const { return call % copies * a_step; }
  std::size_t b(std::size_t call) const { return call % copies * b_step; }
  std::size_t c(std::size_t call) const { return call % copies * c_step; }
};

template <class T> class gemm_contestant {
 public:
  gemm_contestant() = default;
  gemm_contestant(const gemm_contestant&) = delete;
  gemm_contestant& operator=(const gemm_contestant&) = delete;
  virtual ~gemm_contestant() = default;

  virtual std::string name() const = 0;
  /// Gets ready for a problem: builds, allocates. Throws clprim::error when it cannot take part.
  virtual void bind(const gemm_problem_row& problem, const placement& where) = 0;
  /// How it does it, in short and in full; after `bind`.
  virtual std::string short_detail() const { return {}; }
  virtual std::string detail() const { return {}; }
  /// Fills C with NaN, runs once and returns C.
  virtual std::vector<clprim::product_output_t<T>> product() = 0;
  /// Runs `warm` calls, then `calls` that count.
  virtual timing time(std::size_t warm, std::size_t calls) = 0;
  /// Milliseconds that others must wait after it: its threads may still spin.
  virtual double settle_ms() const { return 0; }
};

}  // namespace bench
