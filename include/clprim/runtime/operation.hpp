#pragma once
// What every operation object stands on: its queue, the memory it keeps, and the order of the
// commands of its calls.
//
//     check the problem ── choose ── plan (plan_cache) ── operands checked ── commands of the call
//                                                                            │
//       the caller's wait list ──> first ──> … ──> last ──> event, or none   │
//       the last call that used this object's memory ──┘ (out of order only) ┘

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <clprim/core/math_mode.hpp>
#include <clprim/runtime/argument.hpp>
#include <clprim/runtime/counters.hpp>
#include <clprim/runtime/engine.hpp>
#include <clprim/runtime/footprint.hpp>
#include <clprim/runtime/forked.hpp>
#include <clprim/runtime/handle.hpp>
#include <clprim/runtime/launch.hpp>
#include <clprim/runtime/move_only.hpp>
#include <clprim/runtime/profile.hpp>
#include <clprim/runtime/queue.hpp>
#include <clprim/runtime/tuning_file.hpp>
#include <clprim/runtime/wait_list.hpp>
#include <clprim/runtime/workspace.hpp>

namespace clprim {

/// Base of the operation objects; the library's own. For one thread at a time.
class operation : move_only {
 public:
  /// The facts of the device it runs on.
  const device_facts& device() const { return on_.facts; }
  /// Gives the object a buffer for what lies between the kernels of a call, in place of one of its
  /// own; what it holds is overwritten. On an out-of-order queue the caller sees to it that nothing
  /// else uses it. Throws argument_error for a null buffer, one of another context, one that
  /// kernels may not read and write, and one that another operation has; the object is then as
  /// before.
  void use_workspace(memory_handle buffer) {
    require_queue();
    workspace_.use(retained(buffer()), on_.context());
  }
  /// Bytes of workspace that the object holds now, its own or given.
  std::size_t workspace_held() const { return workspace_.bytes(); }

 protected:
  /// Throws argument_error for a queue without a handle, and for completion none out of order.
  explicit operation(const cl::CommandQueue& queue, completion wanted = completion::event,
                     math_mode math = math_mode::precise)
    : queue_(queue), on_(facts_of(queue)), completion_(wanted), math_(math) {
    require_order(wanted, on_.out_of_order);
  }
  operation(operation&&) noexcept = default;
  operation& operator=(operation&&) noexcept = default;
  ~operation() = default;

  const queue_facts& on() const { return on_; }
  const cl::CommandQueue& queue() const { return queue_; }
  cl::Context context() const { return on_.context; }
  math_mode math() const { return math_; }
  const workspace& held() const { return workspace_; }

  /// Throws argument_error for an object that was moved from, device_error in a forked process.
  void require_queue() const {
    detail::require_not_forked();
    if (queue_() == nullptr) detail::refuse_moved_from();
  }

  /// Checks what all calls must: operands of the queue's context that kernels may use so, buffers
  /// of the user function too, which may not be written either; and a workspace of the caller's
  /// that shares no byte with any of them, sub-buffers seen in their parents. Throws
  /// argument_error.
  void check_operands(std::span<const operand> all, std::span<const argument> of_user = {}) const {
    require_queue();
    for (const operand& one : all) {
      if (one.bytes.empty()) continue;
      detail::check_memory(one.bytes.memory, on_.context(),
                           one.written ? detail::access::write : detail::access::read, one.name);
      check_against_workspace(one.bytes, one.name);
      if (one.bytes.offsets == nullptr) continue;
      detail::check_memory(one.bytes.offsets, on_.context(), detail::access::read,
                           "the batch offsets of " + std::string(one.name));
      check_against_workspace(whole_buffer(one.bytes.offsets), "the batch offsets");
    }
    for (const argument& given : of_user) {
      if (!given.is_buffer()) continue;
      detail::check_memory(given.memory(), on_.context(), detail::access::read,
                           "a buffer of the user function");
      const footprint bytes = whole_buffer(given.memory());
      check_against_workspace(bytes, "a buffer of the user function");
      for (const operand& one : all) {
        if (!one.written || !overlaps(known_bytes(one.bytes), bytes)) continue;
        throw argument_error("a buffer of the user function", "must not be written by the call",
                             "memory of " + std::string(one.name), "separate memory");
      }
    }
  }

  /// The commands of one call, each after the one before; the first after the caller's wait list
  /// and, where the call uses memory of the object's own, after the last call that did.
  ///
  ///     command_chain commands(*this, waits);
  ///     const cl_mem space = commands.workspace(bytes);
  ///     commands.run(first, launch_of_first);
  ///     return commands.run_last(second, launch_of_second);
  ///
  /// A chain that is given up (an exception) leaves an object that works: nothing that its commands
  /// may have left behind is believed.
  class command_chain {
   public:
    /// Throws argument_error for events that are null or have failed already, which some drivers
    /// wait for without end, and where the call is to be profiled and the queue does not.
    command_chain(operation& owner, wait_list waits)
      : owner_(owner), waits_(waits), record_(detail::command_record::current()) {
      owner_.require_queue();
      for (std::size_t i = 0; i < waits.size(); ++i) {
        const bool null = waits[i]() == nullptr;
        const cl_int status = null ? CL_COMPLETE : detail::status_of(waits[i]);
        if (!null && status >= CL_COMPLETE) continue;
        throw argument_error(
            "event " + std::to_string(i) + " of the wait list", "must be one that can complete",
            null ? "a null event" : "one that ended with " + std::to_string(status),
            "an event of this context");
      }
      if (record_ == nullptr || owner_.on_.profiles) return;
      throw argument_error("a call to be profiled", "must have a queue that tells times",
                           "a queue without CL_QUEUE_PROFILING_ENABLE", "one with it");
    }
    ~command_chain() {
      if (ended_ || !shares_) return;
      if (counts_ && started_) owner_.counters_.distrust();
      if (started_ && last_() != nullptr) owner_.busy_ = last_;
    }
    command_chain(const command_chain&) = delete;
    command_chain& operator=(const command_chain&) = delete;

    /// Memory for what lies between the commands, with anything in it; with 0 bytes none, and null.
    /// Throws as workspace::require.
    cl_mem workspace(std::size_t bytes) {
      if (bytes == 0) return nullptr;
      owner_.workspace_.require(owner_.on_.context(), bytes);
      share();
      return owner_.workspace_.memory();
    }
    /// So many words by which groups count each other; see runtime/counters.hpp for what the call
    /// finds in them and must leave.
    cl_mem counters(std::size_t words) {
      owner_.counters_.require(owner_.on_.context(), words);
      counts_ = true;
      share();
      return owner_.counters_.memory();
    }
    /// The number of this call among those that mark words with it: 1 to `most`. Before `counters`.
    cl_uint turn(cl_uint most = 0xffffffffu) { return owner_.counters_.next_turn(most); }

    /// What the next command waits for.
    wait_list waits() const { return waits_; }
    /// Enqueues a kernel that another command of the call follows. Throws opencl_error.
    void run(cl_kernel kernel, const launch& l) { enqueue_one(kernel, l, between()); }
    /// Enqueues the last kernel of the call; its event, or null where none is wanted.
    cl::Event run_last(cl_kernel kernel, const launch& l) {
      enqueue_one(kernel, l, owner_.completion_);
      return end();
    }
    /// What an operation inside this one has enqueued, with its event, goes before what follows.
    void after(const cl::Event& done) { follow(done); }
    /// Ends a call whose last command another operation has enqueued, or an empty one, which gets a
    /// marker: it completes after the wait list.
    cl::Event end() {
      if (!started_) {
        if (owner_.completion_ == completion::none) return {};
        last_ = marker(owner_.queue_(), waits_);
        if (record_ != nullptr) record_->commands.emplace_back("marker", last_);
      }
      ended_ = true;
      if (shares_) owner_.busy_ = owner_.on_.out_of_order ? last_ : cl::Event{};
      return owner_.completion_ == completion::none ? cl::Event{} : last_;
    }
    /// How an operation inside this one is set up, so that its commands can be followed.
    static completion between(const queue_facts& on) {
      return on.out_of_order ? completion::event : completion::none;
    }

   private:
    completion between() const { return between(owner_.on_); }
    bool wants(completion wanted) const {
      return wanted == completion::event || record_ != nullptr;
    }
    /// The object's memory is in use from the first command on; what used it before must be over.
    void share() {
      if (shares_) return;
      shares_ = true;
      if (!owner_.on_.out_of_order || !owner_.is_busy()) return;
      own_.assign(waits_.begin(), waits_.end());
      own_.push_back(owner_.busy_);
      waits_ = own_;
    }
    void enqueue_one(cl_kernel kernel, const launch& l, completion wanted) {
      cl::Event done = enqueue(owner_.queue_(), kernel, l, waits_,
                               wants(wanted) ? completion::event : completion::none);
      if (record_ != nullptr) record_->commands.emplace_back(detail::name_of(kernel), done);
      follow(std::move(done));
    }
    void follow(cl::Event done) {
      started_ = true;
      last_ = std::move(done);
      waits_ = last_() != nullptr ? wait_list(std::span<const cl::Event>(&last_, 1)) : wait_list{};
    }

    operation& owner_;
    wait_list waits_;
    std::vector<cl::Event> own_;
    cl::Event last_;
    detail::command_record* record_;
    bool started_ = false;
    bool ended_ = false;
    bool shares_ = false;
    bool counts_ = false;
  };

  /// What `make` makes of a policy: of the one that the options name, else of the one that the
  /// process's file has for the problem of this title, where it fits, else of none, so that the
  /// library chooses.
  template <policy P, class Title, class Make>
  auto by_policy(const std::optional<P>& given, Title title, Make make) const {
    detail::own_policies& own = detail::own_policies::of_process();
    if (given || !own.any()) return make(given);
    const std::string problem = title();
    std::string place;
    if (const std::optional<P> found = own.find<P>(device(), problem, place)) {
      try {
        return make(found);
      } catch (const error& e) {
        own.refuse(problem, place, e.what());
      }
    }
    return make(given);
  }

  /// The head of `explain`: what is done, on which device, and what memory the object keeps.
  std::string explain_head(const std::string& what, std::size_t workspace_bytes, std::size_t plans,
                           std::int64_t table_bytes = 0) const {
    std::string text = what + "\n  device     " + describe(on_.facts) + "\n  memory     " +
                       std::to_string(workspace_bytes) + " bytes of workspace, " +
                       std::to_string(workspace_.bytes()) +
                       (workspace_.is_given() ? " given" : " held") + ", " +
                       std::to_string(counters_.bytes()) + " bytes of counters; " +
                       std::to_string(plans) + (plans == 1 ? " plan" : " plans") + " kept";
    if (table_bytes > 0) text += ", " + std::to_string(table_bytes) + " bytes of tables";
    if (math_ != math_mode::precise) text += std::string("\n  math       ") + to_string(math_);
    if (const std::string note = detail::own_policies::of_process().note(what); !note.empty())
      text += "\n  tuning     " + note;
    return text + "\n";
  }

 private:
  /// Bytes that a batch by offsets touches are known to the device only: all of its buffer.
  static footprint known_bytes(const footprint& f) {
    return f.offsets == nullptr ? f : whole_buffer(f.memory);
  }
  void check_against_workspace(const footprint& bytes, std::string_view name) const {
    if (!workspace_.is_given() || !overlaps(workspace_.given(), known_bytes(bytes))) return;
    throw argument_error("the workspace", "must not share memory with " + std::string(name),
                         "overlapping buffers", "a buffer of its own");
  }
  /// Whether the last call that used the object's memory may still do. One that ended, in whatever
  /// way, is forgotten: a call that waits for an event that failed fails with it.
  bool is_busy() {
    if (busy_() == nullptr) return false;
    cl_int status = CL_COMPLETE;
    check(
        clGetEventInfo(busy_(), CL_EVENT_COMMAND_EXECUTION_STATUS, sizeof status, &status, nullptr),
        "clGetEventInfo(CL_EVENT_COMMAND_EXECUTION_STATUS)");
    if (status > CL_COMPLETE) return true;
    busy_ = cl::Event{};
    return false;
  }

  cl::CommandQueue queue_;
  queue_facts on_;
  completion completion_;
  math_mode math_;
  workspace workspace_;
  counters counters_;
  cl::Event busy_;  // of the last call that uses workspace or counters; out of order only
};

namespace detail {

CLPRIM_INLINE engine::engine(std::shared_ptr<operation> made) : operation_(std::move(made)) {}
CLPRIM_INLINE operation& engine::behind() const {
  if (operation_ == nullptr) refuse_moved_from();
  return *operation_;
}
CLPRIM_INLINE const device_facts& engine::device() const { return behind().device(); }
CLPRIM_INLINE void engine::use_workspace(memory_handle buffer) { behind().use_workspace(buffer); }
CLPRIM_INLINE std::size_t engine::workspace_held() const { return behind().workspace_held(); }

}  // namespace detail
}  // namespace clprim
