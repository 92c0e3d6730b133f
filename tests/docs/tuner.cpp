// The snippets of docs/tuning.md.

#include <filesystem>
#include <memory>
#include <string>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>
#include <clprim/runtime/tuning_file.hpp>
#include <clprim/tuner.hpp>

#include "docs/here.hpp"

TEST_CASE("the tuner for one problem, and its file") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const std::string path =
      (std::filesystem::temp_directory_path() / "clprim-docs-policies.txt").string();
  std::filesystem::remove(path);
  constexpr int n = 50000;
  const cl::Buffer x = docs::filled<float>(std::vector<float>(n, 1.f)),
                   out = docs::filled<char>(4, 0);
  // [tune]
  const auto values = clprim::whole<float>(x, n);
  const clprim::tuning_task<clprim::reduce_policy> task{
      .chosen = clprim::reduce<float>(queue).schedule(values).policy,
      .make =
          [&](const auto& policy) {
            const auto sum =
                std::make_shared<clprim::reduce<float>>(queue, clprim::reduce_options{policy});
            return [=] { (*sum)(values, out); };
          },
      .result = out,
      .bytes = sizeof(float),
      .same = clprim::close_values<float>(1e-5)};
  const auto found = clprim::tune(queue, task, {.seconds = 0.5});
  clprim::reduce<float> sum(queue, {.policy = found.policy});  // nothing found: as without one
  // [end]
  CHECK(sum.value(values) == n);
  CHECK(found.gain() >= 1);
  // [file]
  const clprim::device_facts& device = sum.device();
  if (found.policy) clprim::tuning_file::add(path, device, "my sum", *found.policy, found.gain());
  clprim::tuning_file mine(path);
  clprim::reduce<float> again(queue,
                              {.policy = mine.find<clprim::reduce_policy>(device, "my sum")});
  for (const std::string& sentence : mine.complaints()) MESSAGE(sentence);
  // [end]
  CHECK(again.value(values) == n);
  CHECK(mine.complaints().empty());
  std::filesystem::remove(path);
}
