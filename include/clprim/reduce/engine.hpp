#pragma once
// What a reduction asks of its engine; reduce/operation.hpp has what that does.

#include <cstddef>
#include <string>
#include <vector>

#include <clprim/reduce/options.hpp>
#include <clprim/reduce/problem.hpp>
#include <clprim/reduce/schedule.hpp>
#include <clprim/runtime/engine.hpp>

namespace clprim::detail {

/// Plans of reductions; types are known by what is reduced only. Each function is
/// reduce_operation's.
class reduce_engine : public engine {
 public:
  reduce_engine(const cl::CommandQueue& queue, reduce_options options, reduction what);

  const reduction& what() const;
  cl::Event run(const checked_input& in, const footprint& results, wait_list waits,
                argument_list arguments);
  std::vector<std::byte> read(const checked_input& in, std::size_t each, wait_list waits,
                              argument_list arguments);
  void prepare(const reduce_problem& p);
  std::size_t workspace_bytes(const reduce_problem& p) const;
  reduce_schedule schedule(const reduce_problem& p) const;
  std::string explain(const reduce_problem& p);
  std::string source(const reduce_problem& p) const;
};

}  // namespace clprim::detail

#ifndef CLPRIM_COMPILED
#include <clprim/reduce/operation.hpp>
#endif
