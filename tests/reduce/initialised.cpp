// Small reductions of every kind: states of several members between groups, odd places, structures.
// Under Oclgrind too, which tells of races between groups and of words that nobody wrote.

#include <complex>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/reduce.hpp>

#include "reduce/reference.hpp"

using namespace clprim;
using namespace support;

namespace {

using padded = op::several<op::sum<>, op::argmax, op::variance<>, op::min_max, op::count>;

reduce_policy small(group_finish finish, group_method method = group_method::sequential) {
  return {
      .group = 8, .vector = 2, .method = method, .finish = finish, .least_steps = 1, .columns = 4};
}

/// Oclgrind 21.10 takes what lies where a buffer was released for uninitialised, even after a
/// kernel has written it; so workspaces here are never released.
template <class Op> void give_workspace(Op& op) {
  static auto* const all = new std::vector<cl::Buffer>;
  all->push_back(device_copy(device_session(), std::vector<float>(20000)));
  op.use_workspace(all->back());
}

std::vector<float> some_floats() {
  std::vector<float> x(120);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = static_cast<float>(i % 9);
  return x;
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("states of several members travel between groups and come out whole") {
  const session& s = device_session();
  const cl::Buffer a = device_copy(s, some_floats());
  for (const auto finish :
       {group_finish::second_kernel, group_finish::last_group, group_finish::last_started}) {
    reduce<float, padded> all(s.queue, {.policy = small(finish)});
    give_workspace(all);
    const auto [sum, best, moments, extreme, count] = all.value(whole<float>(a, 120));
    CHECK(sum == 471);
    CHECK(best == located<float>{8, 8});
    CHECK(extreme == extremes<float>{0, 8});
    CHECK(count == 106);
    CHECK(moments.mean == doctest::Approx(471.0 / 120));
    CHECK(all.schedule(whole<float>(a, 120)).parts > 1);
    const auto columns = all.values(along_axis<float>(a, {20, 6}, 0));
    CHECK(std::get<0>(columns[0]) == 60);
  }
}

TEST_CASE("rows, odd places, streams and ragged segments stay in bounds") {
  const session& s = device_session();
  const cl::Buffer a = device_copy(s, some_floats());
  reduce_policy p = small(group_finish::second_kernel, group_method::interleaved);
  p.loads = p.streams = 2;
  p.ragged_tile = 64;
  reduce<float, op::several<op::sum<>, op::argmin>> op(s.queue, {.policy = p});
  give_workspace(op);
  auto odd = segments<float>(a, 7, 17);
  odd.offset = 1;
  CHECK(op.values(odd).size() == 7);
  const cl::Buffer ends = device_copy(s, std::vector<std::int64_t>{0, 5, 5, 19, 117});
  auto view = ragged<float>(a, 117, ends, 4);
  view.offset = 3;
  CHECK(std::get<0>(op.values(view)[0]) == 25);
  const cl::Buffer short_ends =
      device_copy(s, std::vector<std::int64_t>{0, 2, 5, 5, 9, 14, 15, 19, 26});
  view = ragged<float>(a, 26, short_ends, 8);
  view.offset = 3;
  CHECK(op.schedule(view).variant.staged);
  CHECK(std::get<0>(op.values(view)[0]) == 7);
}

TEST_CASE("complex numbers, structures, dot products and any order") {
  const session& s = device_session();
  const cl::Buffer a = device_copy(s, some_floats());
  using C = std::complex<float>;
  const auto [sum, product] = reduce<C, op::several<op::sum<>, op::product<>>>(
                                  s.queue, {.policy = small(group_finish::last_group)})
                                  .value(whole<C>(a, 60));
  CHECK(sum.real() + sum.imag() == 471);
  CHECK(product != C(0, 0));
  CHECK(reduce<float, op::compensated<op::dot<>>>(s.queue,
                                                  {.policy = small(group_finish::last_group)})
            .value(whole<float>(a, 100), whole<float>(a, 100)) == 2244);
  if (facts_of(s.device).int64_atomics)
    CHECK(reduce<float, op::fastest<op::sum<>>>(s.queue, {.policy = small(group_finish::any_order)})
              .value(whole<float>(a, 120)) == 471);
  struct most {
    float value, index;
  };
  reduce<float, op::user<most>> greatest(
      s.queue, {.policy = small(group_finish::last_group),
                .map = {"most m = {x, (float)index}; return m;", {}},
                .user = {.declarations = "typedef struct { float value, index; } most;",
                         .state = "most",
                         .combine = "return b.value > a.value ? b : a;"}});
  CHECK(greatest.value(whole<float>(a, 120)).value == 8);
}

TEST_SUITE_END();
