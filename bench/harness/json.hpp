#pragma once
// Google Benchmark's JSON under a head of our own (its own names the host and the executable), so
// that its tools/compare.py reads our results.

#include <fstream>
#include <string>
#include <vector>

#include <benchmark/benchmark.h>

#include <clprim/core/error.hpp>

#include "machine.hpp"

namespace bench {

inline std::string json_text(const std::string& text) {
  std::string result = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') result += '\\';
    result += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return result + "\"";
}

/// Throws error when the file cannot be written. An empty path writes nothing.
inline void write_file(const std::string& path, const std::string& text) {
  if (path.empty()) return;
  std::ofstream file(path);
  file << text;
  if (!file.flush()) throw clprim::error("'" + path + "' cannot be written");
}

/// Writes each run as it comes, so an interrupted run leaves what it had.
class json_file : public benchmark::JSONReporter {
 public:
  /// Throws error when the file cannot be written. An empty path writes nothing.
  json_file(const std::string& path, facts_list head) : head_(std::move(head)) {
    if (path.empty()) return;
    file_.open(path);
    if (!file_) throw clprim::error("'" + path + "' cannot be written");
    SetOutputStream(&file_);
  }
  bool ReportContext(const Context&) override {
    if (!file_.is_open()) return true;
    file_ << "{\n  \"context\": {\n";
    for (std::size_t i = 0; i < head_.size(); ++i) {
      file_ << "    " << json_text(head_[i].first) << ": " << json_text(head_[i].second)
            << (i + 1 < head_.size() ? ",\n" : "\n");
    }
    file_ << "  },\n  \"benchmarks\": [\n" << std::flush;
    return true;
  }
  void ReportRuns(const std::vector<Run>& runs) override {
    if (!file_.is_open()) return;
    JSONReporter::ReportRuns(runs);
    file_ << std::flush;
  }
  void Finalize() override {
    if (file_.is_open()) JSONReporter::Finalize();
  }

 private:
  std::ofstream file_;
  facts_list head_;
};

/// Runs all registered benchmarks; people read what these print themselves.
inline void run_registered(json_file& json) {
  std::string name = "bench";
  char* arguments[] = {name.data(), nullptr};
  int count = 1;
  benchmark::Initialize(&count, arguments);
  benchmark::RunSpecifiedBenchmarks(&json, "all");
  benchmark::Shutdown();
}

}  // namespace bench
