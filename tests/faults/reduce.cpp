#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include <clprim/reduce.hpp>

#include "faults/sweep.hpp"

using namespace clprim;
using support::check_faults, support::small_integers;

TEST_CASE("a sum in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  constexpr std::int64_t n = 60'000;
  const cl::Buffer x = small_integers(s, n), y = small_integers(s, 500);
  using sum = reduce<float>;
  const auto make = [](const cl::CommandQueue& q) { return sum(q); };
  check_faults<sum>({"whole", make, [&](sum& add) { add(whole<float>(x, n), y); }, {y}});
  check_faults<sum>(
      {"rows", make, [&](sum& add) { add(each_row(matrix<float>(x, 300, 200)), y); }, {y}});
  check_faults<sum>(
      {"columns", make, [&](sum& add) { add(each_column(matrix<float>(x, 300, 200)), y); }, {y}});
  for (const group_finish finish : {group_finish::second_kernel, group_finish::last_group}) {
    reduce_options options;
    options.policy = reduce_policy{.finish = finish};
    check_faults<sum>({"whole, finished by way " + std::to_string(static_cast<int>(finish)),
                       [=](const cl::CommandQueue& q) { return sum(q, options); },
                       [&](sum& add) { add(whole<float>(x, n), y); },
                       {y}});
  }
  using any_sum = reduce<float, op::fastest<op::sum<>>>;
  if (!facts_of(s.device).int64_atomics) return;
  check_faults<any_sum>({"whole, in any order",
                         [](const cl::CommandQueue& q) {
                           reduce_options options;
                           options.policy = reduce_policy{.finish = group_finish::any_order};
                           return any_sum(q, options);
                         },
                         [&](any_sum& add) { add(whole<float>(x, n), y); },
                         {y}});
}

TEST_CASE("a sum for the host in whose calls something fails throws, and is right the next time") {
  const session& s = support::device_session();
  constexpr std::int64_t n = 60'000;
  const cl::Buffer x = small_integers(s, n);
  reduce<float> other(s.queue);
  const float expected = other.value(whole<float>(x, n));
  check_faults<reduce<float>>({"value",
                               [](const cl::CommandQueue& q) { return reduce<float>(q); },
                               [&](reduce<float>& add) {
                                 if (add.value(whole<float>(x, n)) != expected)
                                   throw std::logic_error("a wrong sum");
                               },
                               {x}});
}

TEST_CASE("other reductions in whose calls something fails throw, and are right the next time") {
  const session& s = support::device_session();
  constexpr std::int64_t n = 6000;
  const cl::Buffer x = small_integers(s, n), y = small_integers(s, 500);
  using largest = reduce<float, op::argmax>;
  check_faults<largest>({"place of the largest",
                         [](const cl::CommandQueue& q) { return largest(q); },
                         [&](largest& find) { find(whole<float>(x, n), y); },
                         {y}});
  using several = reduce<float, op::several<op::sum<>, op::max>>;
  check_faults<several>({"several of each row",
                         [](const cl::CommandQueue& q) { return several(q); },
                         [&](several& both) { both(each_row(matrix<float>(x, 60, 100)), y); },
                         {y}});
  std::vector<std::int64_t> ends{0, 10, 10, 700, 5000, n};
  cl_int code = CL_SUCCESS;
  const cl::Buffer offsets(clCreateBuffer(s.context(), CL_MEM_READ_ONLY | CL_MEM_COPY_HOST_PTR,
                                          ends.size() * sizeof(std::int64_t), ends.data(), &code),
                           false);
  check(code, "clCreateBuffer");
  check_faults<reduce<float>>({"ragged segments, by tiles",
                               [](const cl::CommandQueue& q) {
                                 return reduce<float>(
                                     q, {.policy = reduce_policy{.group = 16, .ragged_tile = 512}});
                               },
                               [&](reduce<float>& add) { add(ragged<float>(x, n, offsets, 5), y); },
                               {y}});
  reduce<float> other(s.queue);
  const auto rows = each_row(matrix<float>(x, 60, 100));
  const std::vector<float> expected = other.values(rows);
  check_faults<reduce<float>>({"values of each row",
                               [](const cl::CommandQueue& q) { return reduce<float>(q); },
                               [&](reduce<float>& add) {
                                 if (add.values(rows) != expected)
                                   throw std::logic_error("wrong sums");
                               },
                               {x}});
}
