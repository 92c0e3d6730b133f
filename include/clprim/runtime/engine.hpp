#pragma once
// Where the work of a door is done: behind a pointer and functions that are only declared here, so
// that a program which links the compiled library (CLPRIM_COMPILED) need not read how.

#include <clprim/core/language.hpp>

#include <cstddef>
#include <memory>
#include <utility>

#include <clprim/core/device_facts.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/device.hpp>
#include <clprim/runtime/handle.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/wait_list.hpp>

namespace clprim {

class operation;

namespace detail {

[[noreturn]] inline void refuse_moved_from() {
  throw argument_error("the operation", "must not have been moved from",
                       "an object without a queue", "the one that it was moved to");
}

/// Base of the engines: an operation, of which only its name is known here.
class engine : move_only {
 public:
  const device_facts& device() const;
  void use_workspace(memory_handle buffer);
  std::size_t workspace_held() const;

 protected:
  explicit engine(std::shared_ptr<operation> made);
  /// Throws argument_error for an object that was moved from.
  operation& behind() const;
  template <class Operation> Operation& as() const { return static_cast<Operation&>(behind()); }

 private:
  std::shared_ptr<operation> operation_;
};

}  // namespace detail

/// A door: what every one offers besides its call, for the engine that does its work.
template <class Engine> class door {
 public:
  /// The facts of the device it runs on.
  const device_facts& device() const { return engine_.device(); }
  /// See operation::use_workspace.
  void use_workspace(memory_handle buffer) { engine_.use_workspace(buffer); }
  /// Bytes of workspace that the object holds now, its own or given.
  std::size_t workspace_held() const { return engine_.workspace_held(); }

 protected:
  template <class... Rest>
  explicit door(const cl::CommandQueue& queue, Rest&&... rest)
    : engine_(queue, std::forward<Rest>(rest)...) {}

  Engine engine_;
};

}  // namespace clprim

#ifndef CLPRIM_COMPILED
#include <clprim/runtime/operation.hpp>
#endif
