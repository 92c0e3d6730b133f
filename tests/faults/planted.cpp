// The sweep must object to each of these, or it proves nothing.

#include <vector>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::fault_case;

namespace {

enum class mistake { swallows, believes, leaks };

/// Fills `out` with sevens by way of a buffer of its own, with a mistake. The buffer begins as
/// zeros: drivers hand out memory again, and it could hold the sevens of the object before.
class careless {
 public:
  careless(const cl::CommandQueue& queue, const cl::Buffer& out, mistake made)
    : queue_(queue),
      out_(out),
      sevens_(support::device_copy(support::device_session(), std::vector<int>(16))),
      mistake_(made) {}

  void call() {
    cl_event filled = nullptr;
    if (!filled_) {
      filled_ = mistake_ == mistake::believes;  // before it is so
      const int seven = 7;
      const cl_int code = clEnqueueFillBuffer(queue_(), sevens_(), &seven, sizeof seven, 0, 64, 0,
                                              nullptr, &filled);
      if (mistake_ != mistake::swallows) check(code, "clEnqueueFillBuffer");
      filled_ = code == CL_SUCCESS;
    }
    const cl::Event kept(mistake_ == mistake::leaks ? nullptr : filled, false);
    check(clEnqueueCopyBuffer(queue_(), sevens_(), out_(), 0, 0, 64, 0, nullptr, nullptr),
          "clEnqueueCopyBuffer");
    if (mistake_ == mistake::leaks && filled != nullptr) clReleaseEvent(filled);
  }

 private:
  cl::CommandQueue queue_;
  cl::Buffer out_, sevens_;
  mistake mistake_;
  bool filled_ = false;
};

void sweep(mistake made) {
  const cl::Buffer out = support::small_integers(support::device_session(), 16);
  check_faults<careless>({"careless",
                          [=](const cl::CommandQueue& queue) { return careless(queue, out, made); },
                          [](careless& object) { object.call(); },
                          {out}});
}

}  // namespace

TEST_CASE("a failure that is swallowed is found" * doctest::should_fail()) {
  sweep(mistake::swallows);
}
TEST_CASE("an object that believes what failed is found" * doctest::should_fail()) {
  sweep(mistake::believes);
}
TEST_CASE("an event that is left is found" * doctest::should_fail()) { sweep(mistake::leaks); }
