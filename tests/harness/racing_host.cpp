// racing_host race|none: two threads add to one number, without and with a lock, to prove that the
// tests under ThreadSanitizer would fail for a race.
#include <mutex>
#include <string_view>
#include <thread>

int main(int count, char** arguments) {
  if (count != 2) return 2;
  const bool races = std::string_view(arguments[1]) == "race";
  int sum = 0;
  std::mutex mutex;
  const auto add = [&] {
    for (int i = 0; i < 1000; ++i) {
      std::unique_lock lock(mutex, std::defer_lock);
      if (!races) lock.lock();
      ++sum;
    }
  };
  std::thread other(add);
  add();
  other.join();
  return sum > 0 ? 0 : 1;
}
