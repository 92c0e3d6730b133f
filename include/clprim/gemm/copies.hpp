#pragma once
// The copies of operands that a schedule wants: kernels kept, and enqueued before the product.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include <clprim/gemm/arguments.hpp>
#include <clprim/gemm/plan.hpp>
#include <clprim/gemm/problem.hpp>
#include <clprim/runtime/operation.hpp>
#include <clprim/runtime/plan_cache.hpp>

namespace clprim::detail {

/// The kernels of all copies that an operation object has made.
class operand_copies {
 public:
  /// Builds what the copies of a problem need on `on`. Throws build_error when the driver refuses a
  /// source.
  void prepare(const gemm_problem& p, const gemm_kind& kind, const gemm_schedule& s, scalar type,
               const queue_facts& on) {
    for (const operand& x : packed_of(p, kind, s)) {
      packing(*x.matrix, *x.kind, s, type, on);
      if (scales_lines(s.variant.precision)) measuring(*x.matrix, *x.kind, on);
    }
  }

  /// Enqueues the copies of the operands that a schedule packs, and makes them those of `p`. Those
  /// that are split mark their way where they do not hold an element.
  void enqueue(auto& commands, gemm_problem& p, const gemm_kind& kind, const gemm_schedule& s,
               scalar type, const gemm_spaces& at, cl_mem space, const way_marks& marks,
               const queue_facts& on) {
    const scalar copied = s.variant.type;
    const bool scaled = scales_lines(s.variant.precision),
               split = parts_of(s.variant.precision) > 1;
    for (const operand& x : packed_of(p, kind, s)) {
      const bool is_a = x.kind == &kind.a;
      gemm_matrix& matrix = is_a ? p.a : p.b;
      const packed_lines lines = packed_lines_of(*x.kind, x.outer, kind, copied, s.copies());
      const line_places places = places_of(lines, kind.k, space, is_a ? at.a_scales : at.b_scales);
      if (scaled) {
        const auto plan = measuring(matrix, *x.kind, on);
        set_measuring(plan->measure(), matrix, lines, places);
        commands.run(plan->measure(), gemm_measure_launch(lines, plan->variant, kind.k));
      }
      const auto plan = packing(matrix, *x.kind, s, type, on);
      const auto bytes = static_cast<std::size_t>(facts_of(copied).bytes);
      const gemm_matrix to = packed_matrix(matrix, lines, space,
                                           static_cast<std::int64_t>((is_a ? at.a : at.b) / bytes));
      set_packing(plan->pack(), matrix, lines, to);
      if (split) set_way(plan->pack(), gemm_pack_arguments, marks);
      if (scaled) set_lines(plan->pack(), gemm_pack_arguments + 2, places);
      commands.run(plan->pack(), gemm_pack_launch(lines, plan->variant));
      matrix = to;
    }
    if (split) p.k = p.a.leading;  // both parts of all elements
  }

  std::size_t programs() const { return packings_.size() + measurings_.size(); }

 private:
  struct operand {
    const gemm_matrix* matrix;
    const gemm_kind::operand* kind;
    int outer;
  };
  /// The operands that are packed.
  static std::vector<operand> packed_of(const gemm_problem& p, const gemm_kind& kind,
                                        const gemm_schedule& s) {
    std::vector<operand> packed;
    if (s.variant.a.packed) packed.push_back({&p.a, &kind.a, p.m});
    if (s.variant.b.packed) packed.push_back({&p.b, &kind.b, p.n});
    return packed;
  }

  std::shared_ptr<gemm_pack_plan> packing(const gemm_matrix& x, const gemm_kind::operand& kind,
                                          const gemm_schedule& s, scalar type,
                                          const queue_facts& on) {
    const gemm_copies how = s.copies();
    const bool turned = is_turned(kind, how), split = parts_of(how.precision) > 1;
    const gemm_pack_variant v{.type = type,
                              .batch = batch_of(x),
                              .group = finish_group_of(on.facts),
                              .turned = turned,
                              .same_way = turned && how.along_k && kind.along_k,
                              .split = split ? how.precision : gemm_precision::full,
                              .way = split ? s.variant.way : 0,
                              .inline_ptx = scales_lines(how.precision) && on.facts.inline_ptx};
    return packings_.find_or_make([&](const gemm_pack_plan& plan) { return plan.variant == v; },
                                  [&] { return build_pack_plan(v, on.context, on.device); });
  }
  std::shared_ptr<gemm_measure_plan> measuring(const gemm_matrix& x, const gemm_kind::operand& kind,
                                               const queue_facts& on) {
    const gemm_measure_variant v{
        .batch = batch_of(x), .along_k = kind.along_k, .group = finish_group_of(on.facts)};
    return measurings_.find_or_make(
        [&](const gemm_measure_plan& plan) { return plan.variant == v; },
        [&] { return build_measure_plan(v, on.context, on.device); });
  }

  plan_cache<gemm_pack_plan> packings_;
  plan_cache<gemm_measure_plan> measurings_;
};

}  // namespace clprim::detail
