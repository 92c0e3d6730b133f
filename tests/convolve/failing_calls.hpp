#pragma once
// Calls of OpenCL that fail when a test says so: of clCreateBuffer and clEnqueueNDRangeKernel, made
// by the test's executable itself (failing_calls.cpp stands in front of the library's).

namespace support {

/// Lets the n-th of these calls from now on fail, 0 the next one, until it is destroyed.
class failing_call {
 public:
  explicit failing_call(int n);
  ~failing_call();
  failing_call(const failing_call&) = delete;
  failing_call& operator=(const failing_call&) = delete;
  /// Whether it has failed.
  bool happened() const;
};

}  // namespace support
