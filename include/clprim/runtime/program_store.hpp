#pragma once
// Where binaries of programs live between processes: the interface.

#include <optional>
#include <string>
#include <vector>

namespace clprim {

/// What a stored binary belongs to: equal keys, equal binaries.
struct program_key {
  std::string source;
  std::string options;
  std::string platform;
  std::string device;
  std::string driver;
};

/// What a `program_store` keeps: the binary, and the log, which a build from a binary does not give
/// again.
struct stored_program {
  std::vector<unsigned char> binary;
  std::string log;
};

/// Keeps programs between processes. Calls come from several threads.
class program_store {
 public:
  program_store() = default;
  program_store(const program_store&) = delete;
  program_store& operator=(const program_store&) = delete;
  virtual ~program_store() = default;
  /// The program of this key, or nothing; one that does not build is built from source again.
  virtual std::optional<stored_program> load(const program_key& key) = 0;
  virtual void save(const program_key& key, const stored_program& program) = 0;
  /// Why it keeps nothing, in one sentence; empty where it does.
  virtual std::string complaint() const { return {}; }
};

}  // namespace clprim
