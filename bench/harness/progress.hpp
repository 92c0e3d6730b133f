#pragma once
// One line that says what runs now, on a terminal only; a file keeps what was printed.

#include <cstddef>
#include <cstdio>
#include <string>

#include <unistd.h>

#include "machine.hpp"
#include "text.hpp"

namespace bench {

/// "[3/17, 42 s] sgemm 4096: round 2 of 4, CLBlast", written over itself on stderr.
class progress {
 public:
  explicit progress(std::size_t rows) : rows_(rows), terminal_(isatty(STDERR_FILENO) != 0) {}

  void next_row(const std::string& name) {
    ++row_;
    name_ = name;
    tell("getting ready");
  }
  void tell(const std::string& what) const {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\033[K[%zu/%zu, %.0f s] %s: %s", row_, rows_, seconds(), name_.c_str(),
                 what.c_str());
    std::fflush(stderr);
  }
  /// Makes room for a line of the table.
  void clear() const {
    if (!terminal_) return;
    std::fprintf(stderr, "\r\033[K");
    std::fflush(stderr);
  }
  /// Since the run began.
  double seconds() const { return seconds_now() - begin_; }

 private:
  std::size_t rows_;
  bool terminal_;
  std::size_t row_ = 0;
  std::string name_;
  double begin_ = seconds_now();
};

}  // namespace bench
