#pragma once
// What a call waits for, however the caller has it: nothing, events by name, an array of them.

#include <concepts>
#include <initializer_list>
#include <span>

#include <clprim/runtime/opencl.hpp>

namespace clprim {

/// The events that a call waits for: `{}`, `{a, b}`, an array, a vector or a span of events. It
/// refers to them, so it is for parameters only; the call has passed them on when it returns.
class wait_list : public std::span<const cl::Event> {
 public:
  constexpr wait_list() = default;
  template <class Range>
  requires(std::convertible_to<const Range&, std::span<const cl::Event>>) constexpr wait_list(
      const Range& events)
    : std::span<const cl::Event>(events) {}
  wait_list(std::initializer_list<cl::Event> events)
    : std::span<const cl::Event>(events.begin(), events.size()) {}
};

}  // namespace clprim
