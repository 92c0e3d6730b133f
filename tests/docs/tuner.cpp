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
  const std::string problem = clprim::problem_in(sum.explain(values));
  if (found.policy)
    clprim::tuning_file::add(path, sum.device(), problem, *found.policy, found.gain());
  clprim::use_tuning_file(path);        // or CLPRIM_TUNING_FILE, in a program as it is
  clprim::reduce<float> faster(queue);  // takes the policy for this problem
  const auto passed_over = clprim::tuning_complaints();  // sentences
  // [end]
  CHECK(faster.value(values) == n);
  CHECK(passed_over.empty());
  if (found.policy) CHECK(faster.schedule(values).policy == *found.policy);
  clprim::use_tuning_file("");
  std::filesystem::remove(path);
}
