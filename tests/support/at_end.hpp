#pragma once
// What a test process does after its tests and before statics go, a driver's among them.

#include <functional>
#include <utility>
#include <vector>

namespace support {

class last_things {
 public:
  void add(std::function<void()> thing) { things_.push_back(std::move(thing)); }
  void run() {
    for (const auto& thing : things_) thing();
    things_.clear();
  }

 private:
  std::vector<std::function<void()>> things_;
};

inline last_things& at_end() {
  static last_things all;
  return all;
}

}  // namespace support
