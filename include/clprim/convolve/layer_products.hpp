#pragma once
// Layers as products: kernels kept, copies and products enqueued, told of.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <clprim/convolve/channels_product.hpp>
#include <clprim/convolve/channels_view.hpp>
#include <clprim/core/function.hpp>
#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/window_lines.hpp>
#include <clprim/runtime/explain_kernel.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>
#include <clprim/runtime/program.hpp>

namespace clprim::detail {

/// What a layer reads and writes.
template <class T> struct layer_operands {
  const channels_view<T>& in;
  const channels_view<T>& filter;
  const channels_view<T>& out;
};

/// The kernels of all layers that an operation object has run by method product.
template <class T> class layer_products {
 public:
  /// Builds what a way needs. Throws build_error when the driver refuses a source.
  void prepare(const layer_way& way, const function& map, const queue_facts& on, math_mode math) {
    product_of(way, map, on, math);
    if (!way.in_place()) lines_of(way.lines, on);
  }

  /// Enqueues all ways of a layer, each with its copies, on workspace of `bytes` bytes. The device
  /// takes the first whose copies hold every element; the kernels of the others return at once.
  cl::Event enqueue(auto& commands, const std::vector<layer_way>& ways, std::size_t bytes,
                    const layer_operands<T>& x, const function& map, argument_list arguments,
                    const queue_facts& on, math_mode math) {
    using real = accumulator_t<T>;
    for (const layer_way& way : ways) prepare(way, map, on, math);  // before anything is enqueued
    const bool several = ways.size() > 1;
    const cl_mem space = commands.workspace(bytes);
    way_marks marks;
    if (several) {
      marks.turn = commands.turn();
      marks.unsafe = commands.counters(ways.size() - 1);
    }
    cl::Event end;
    for (const layer_way& way : ways) {
      const layer_spaces at = layer_spaces_of(way);
      if (!way.in_place()) copy(commands, way, at, space, x, several ? &marks : nullptr, on);
      const auto built = product_of(way, map, on, math);
      const cl_kernel kernel = built->multiply();
      set_operands(kernel, problem_of(way, at, space, x), real(1), real(0));
      if (several) set_way(kernel, gemm_arguments, marks);
      const cl_uint next = gemm_arguments + (several ? 2 : 0);
      set_arguments(kernel, set_tiles(kernel, next, way.kind, way.product, space, at.maps),
                    arguments);
      const launch l = gemm_launch(way.kind, way.product, built->geometry);
      if (&way == &ways.back())
        end = commands.run_last(kernel, l);
      else
        commands.run(kernel, l);
    }
    return end;
  }

  /// The lines of `explain` about one way.
  std::string explain(const layer_way& way, const function& map, const queue_facts& on,
                      math_mode math) {
    std::string text;
    const auto tell = [&](const std::string& what, const built_program& program,
                          const cl::Kernel& kernel, const char* name, const launch& l,
                          std::int64_t local_bytes) {
      text += what + explain_kernel(on.facts, l, "", resources_of(program, kernel, name, on.device),
                                    local_bytes, local_bytes > 0);
    };
    if (way.product.variant.way > 0) text += "  where those copies do not hold an element\n";
    if (!way.in_place()) {
      const auto copies = lines_of(way.lines, on);
      tell("  filter and images as lines of channels\n", *copies->program, copies->kernel,
           "gather_lines", window_lines_launch(way.lines, way.squares()),
           window_lines_bytes(way.lines.type));
    }
    const auto built = product_of(way, map, on, math);
    tell("  product of " + std::to_string(way.kind.m) + " x " + std::to_string(way.kind.n) + " x " +
             std::to_string(way.kind.k) + ", precision " +
             std::string(to_string(way.product.variant.precision)) + "\n    " +
             to_string(built->policy) + "\n",
         *built->program, built->multiply, "gemm",
         gemm_launch(way.kind, way.product, built->geometry), built->geometry.local_bytes);
    return text;
  }

  std::size_t programs() const { return products_.size() + lines_.size(); }

 private:
  struct lines_plan {
    window_lines_variant variant;
    std::shared_ptr<const built_program> program;
    cl::Kernel kernel;
  };

  /// Copies filter and images as the product of a way reads them.
  void copy(auto& commands, const layer_way& way, const layer_spaces& at, cl_mem space,
            const layer_operands<T>& x, const way_marks* marks, const queue_facts& on) {
    const auto copies = lines_of(way.lines, on);
    set_args(copies->kernel(), x.filter.memory, static_cast<cl_long>(x.filter.offset),
             static_cast<cl_uint>(x.filter.images), static_cast<cl_uint>(way.filter_positions()),
             x.in.memory, static_cast<cl_long>(x.in.offset), static_cast<cl_uint>(x.in.images),
             static_cast<cl_uint>(way.image_positions()), space,
             static_cast<cl_long>(at.images / sizeof(T)),
             static_cast<cl_uint>(way.filter_squares()), static_cast<cl_uint>(way.squares()));
    if (marks != nullptr) set_way(copies->kernel(), 12, *marks);
    commands.run(copies->kernel(), window_lines_launch(way.lines, way.squares()));
  }
  /// The products of a way: one for each group of channels, or for each image in place.
  static gemm_problem problem_of(const layer_way& way, const layer_spaces& at, cl_mem space,
                                 const layer_operands<T>& x) {
    const gemm_kind& kind = way.kind;
    gemm_problem p{.m = kind.m, .n = kind.n, .k = kind.k, .batch = kind.batch};
    p.c = {.memory = x.out.memory,
           .offset = x.out.offset,
           .leading = kind.c.leading,
           .stride = kind.windows.output_last ? kind.m : std::int64_t{kind.m} * kind.c.leading};
    if (way.in_place()) {
      p.a = {.memory = x.filter.memory, .offset = x.filter.offset, .leading = kind.a.leading};
      p.b = {.memory = x.in.memory,
             .offset = x.in.offset,
             .leading = kind.b.leading,
             .stride = std::int64_t{kind.k} * kind.b.leading};
      return p;
    }
    p.a = {.memory = space,
           .leading = kind.a.leading,
           .stride = std::int64_t{kind.m} * kind.a.leading};
    p.b = {.memory = space,
           .offset = static_cast<std::int64_t>(at.images / sizeof(T)),
           .leading = kind.b.leading,
           .stride = kind.windows.inputs};
    return p;
  }

  std::shared_ptr<gemm_plan> product_of(const layer_way& way, const function& map,
                                        const queue_facts& on, math_mode math) {
    return products_.find_or_make(
        [&](const gemm_plan& one) {
          return one.policy == way.product.policy && one.variant == way.product.variant;
        },
        [&] { return build_gemm_plan(way.product, map, on.context, on.device, on.facts, math); });
  }
  std::shared_ptr<lines_plan> lines_of(const window_lines_variant& v, const queue_facts& on) {
    return lines_.find_or_make([&](const lines_plan& one) { return one.variant == v; },
                               [&] {
                                 lines_plan made{v, {}, {}};
                                 made.program =
                                     build(on.context, on.device, window_lines_source(v));
                                 made.kernel = make_kernel(*made.program, "gather_lines");
                                 return made;
                               });
  }

  plan_cache<gemm_plan> products_;
  plan_cache<lines_plan> lines_;
};

}  // namespace clprim::detail
