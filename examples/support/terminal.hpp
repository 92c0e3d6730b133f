#pragma once
// What a person sees: colour on a terminal only, tables, numbers, and what is going on when that
// takes long.

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include <unistd.h>

namespace examples {

/// Whether standard output is a terminal that may be coloured (https://no-color.org).
inline bool colours() {
  static const bool yes = isatty(STDOUT_FILENO) != 0 && std::getenv("NO_COLOR") == nullptr;
  return yes;
}

inline std::string styled(std::string_view text, std::string_view code) {
  if (!colours()) return std::string(text);
  return "\033[" + std::string(code) + "m" + std::string(text) + "\033[0m";
}
inline std::string bold(std::string_view text) { return styled(text, "1"); }
inline std::string faint(std::string_view text) { return styled(text, "2"); }
inline std::string good(std::string_view text) { return styled(text, "32"); }
inline std::string bad(std::string_view text) { return styled(text, "1;31"); }

/// printf into a string, for numbers.
template <class... T> std::string format(const char* pattern, T... values) {
  char text[256];
  const int length = std::snprintf(text, sizeof text, pattern, values...);
  return std::string(text, length < 0 ? 0 : static_cast<std::size_t>(length));
}

/// Three digits that matter: 0.00123, 1.23, 123, 12345.
inline std::string short_number(double value) {
  const double size = value < 0 ? -value : value;
  return format(size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : size >= 0.1 ? "%.2f" : "%.3f", value);
}
/// A number that only its size matters of: 4.8e-05.
inline std::string magnitude(double value) { return value == 0 ? "0" : format("%.1e", value); }
inline std::string percent(double share) {
  return format(share < 0.0995 ? "%.1f %%" : "%.0f %%", 100 * share);
}
/// A time in the unit that suits it.
inline std::string duration(double seconds) {
  if (seconds >= 1) return short_number(seconds) + " s ";
  if (seconds >= 1e-3) return short_number(1e3 * seconds) + " ms";
  return short_number(1e6 * seconds) + " us";
}

/// Columns on the screen: UTF-8 characters, without escape sequences.
inline std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  bool escape = false;
  for (const char c : text) {
    if (c == '\033') escape = true;
    if (!escape && (static_cast<unsigned char>(c) & 0xc0u) != 0x80u) ++width;
    if (escape && c == 'm') escape = false;
  }
  return width;
}

/// A table that is as wide as its cells.
class table {
 public:
  enum class side { left, right };
  struct column {
    std::string name;
    side align = side::left;
  };

  explicit table(std::vector<column> columns) : columns_(std::move(columns)) {}

  void add(std::vector<std::string> cells) {
    cells.resize(columns_.size());
    rows_.push_back(std::move(cells));
  }

  void print() const {
    std::vector<std::string> names;
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < columns_.size(); ++i) {
      names.push_back(bold(columns_[i].name));
      std::size_t width = display_width(columns_[i].name);
      for (const auto& row : rows_) width = std::max(width, display_width(row[i]));
      widths.push_back(width);
    }
    print_row(names, widths);
    std::string line;
    for (const std::size_t width : widths) {
      if (!line.empty()) line += "  ";
      for (std::size_t i = 0; i < width; ++i) line += "─";
    }
    std::printf("%s\n", faint(line).c_str());
    for (const auto& row : rows_) print_row(row, widths);
  }

 private:
  void print_row(const std::vector<std::string>& row,
                 const std::vector<std::size_t>& widths) const {
    std::string line;
    for (std::size_t i = 0; i < row.size(); ++i) {
      const std::string blank(widths[i] - display_width(row[i]), ' ');
      line += columns_[i].align == side::right ? blank + row[i] : row[i] + blank;
      line += "  ";
    }
    line.erase(line.find_last_not_of(' ') + 1);
    std::printf("%s\n", line.c_str());
  }

  std::vector<column> columns_;
  std::vector<std::vector<std::string>> rows_;
};

/// Tells on standard error what is going on once that takes two seconds: on a terminal by a line
/// that is overwritten and leaves no trace, elsewhere by a line every ten seconds. A thread of its
/// own does so, because the compiler of a driver does not call back.
class progress {
 public:
  explicit progress(std::string what, int steps = 0)
    : what_(std::move(what)), steps_(steps), started_(clock::now()), thread_([this] { watch(); }) {}
  progress(const progress&) = delete;
  progress& operator=(const progress&) = delete;
  ~progress() {
    {
      const std::lock_guard lock(mutex_);
      done_ = true;
    }
    wake_.notify_all();
    thread_.join();
  }

  /// The next of the steps begins.
  void step(std::string what) {
    const std::lock_guard lock(mutex_);
    ++step_;
    now_ = std::move(what);
  }

 private:
  using clock = std::chrono::steady_clock;

  void watch() {
    const bool terminal = isatty(STDERR_FILENO) != 0;
    const std::chrono::milliseconds pause(terminal ? 200 : 10000);
    std::unique_lock lock(mutex_);
    bool shown = false;
    auto next = started_ + std::chrono::seconds(2);
    while (!wake_.wait_until(lock, next, [this] { return done_; })) {
      const double seconds = std::chrono::duration<double>(clock::now() - started_).count();
      std::string line = "… " + what_;
      if (steps_ > 0) line += ", " + std::to_string(step_) + " of " + std::to_string(steps_);
      if (!now_.empty()) line += ": " + now_;
      line += " (" + format("%.0f", seconds) + " s)";
      std::fprintf(stderr, terminal ? "\r\033[K%s" : "%s\n", line.c_str());
      std::fflush(stderr);
      shown = true;
      next = clock::now() + pause;
    }
    if (shown && terminal) std::fprintf(stderr, "\r\033[K");
  }

  std::string what_;
  int steps_;
  int step_ = 0;
  std::string now_;
  bool done_ = false;
  clock::time_point started_;
  std::mutex mutex_;
  std::condition_variable wake_;
  std::thread thread_;  // last: it uses all of the above
};

}  // namespace examples
