// The snippets of docs/operations.md, docs/views.md, docs/errors.md and docs/occupancy.md.

#include <iostream>
#include <sstream>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>
#include <clprim/runtime/launch_advice.hpp>

#include "docs/here.hpp"

using docs::filled;

TEST_CASE("calls follow each other by events") {
  const clprim::session& on = support::device_session();
  const cl::CommandQueue& queue = on.queue;
  const cl::Buffer a = filled<float>(16, 1), b = filled<float>(16, 2), c = filled<float>(16, 0),
                   totals = filled<float>(4, 0);
  const auto A = clprim::matrix<float>(a, 4, 4), B = clprim::matrix<float>(b, 4, 4),
             C = clprim::matrix<float>(c, 4, 4);
  clprim::reduce<float> sum(queue);
  // [chain]
  clprim::gemm<float> multiply(queue);
  cl::Event product = multiply(1, A, B, 0, C);  // nothing waits
  cl::Event sums = sum(clprim::each_row(C), totals, 0, {product});
  // [end]
  CHECK(docs::read<float>(totals, 1)[0] == 32);
  std::ostringstream out;
  clprim::device_facts facts = clprim::facts_of(on.device);
  // [assumed]
  facts.compute_units = 64;  // as another device has it, within this one's limits
  const clprim::assume_device as_if(facts);
  out << clprim::gemm<float>(queue).source(A, B, C);
  // [end]
  CHECK(out.str().find("__kernel") != std::string::npos);
}

TEST_CASE("what an exception tells") {
  const cl::CommandQueue& queue = support::device_session().queue;
  const cl::Buffer a = filled<float>(16, 1);
  std::ostringstream log;
  // [catch]
  try {
    clprim::gemm<float> multiply(queue);
    const auto A = clprim::matrix<float>(a, 4, 4);
    multiply(1, A, A.ld(3), 0, A);
  } catch (const clprim::argument_error& wrong) {  // the program's mistake
    log << wrong.what() << '\n' << wrong.argument << ", " << wrong.allowed;
  } catch (const clprim::error& other) {  // all that the library throws
    log << other.what();
  }
  // [end]
  INFO(log.str());
  CHECK(log.str().find("at least 4") != std::string::npos);
}

TEST_CASE("advice for a kernel of one's own") {
  const auto& [device, context, queue] = support::device_session();
  const std::string source = "__kernel void scale(__global float *x) { x[get_global_id(0)] *= 2; }";
  constexpr int n = 1 << 14;
  const cl::Buffer x = filled<float>(n, 1);
  std::ostringstream out;
  // [advice]
  const auto program = clprim::build(context, device, source);
  const cl::Kernel kernel = clprim::make_kernel(*program, "scale");
  clprim::set_args(kernel(), x);
  const auto taken = clprim::resources_of(*program, kernel, "scale", device);
  const auto advice = clprim::advise_launch(
      clprim::facts_of(device), taken, {.problem_items = n, .work = {.operations = 1, .bytes = 8}});
  clprim::enqueue(queue(), kernel(), advice.range);
  out << clprim::explain(advice);
  // [end]
  CHECK(docs::read<float>(x, n)[n - 1] == 2);
  CHECK(out.str().size() > 100);
}
