#pragma once
// Reductions of every type and operator behind one interface. Each type is made in a source of its
// own kind, for the compiler takes a third of a second for each operator of it.

#include <concepts>
#include <cstring>
#include <memory>
#include <optional>

#include <clprim/reduce.hpp>

#include "interface.hpp"

struct clprim_reduce : clprim::c::described {
  struct operands {
    const clprim_array *x, *y;
    int axis;
  };
  virtual std::size_t result_bytes() const = 0;
  virtual cl::Event call(const operands& on, cl_mem out, std::int64_t offset,
                         const std::vector<cl::Event>& waits) = 0;
  virtual void values(const operands& on, void* results, std::size_t bytes,
                      const std::vector<cl::Event>& waits) = 0;
  virtual void prepare(const operands& on) = 0;
  virtual std::string explain(const operands& on) = 0;
};

namespace clprim::c {

struct reduce_request {
  cl_command_queue queue;
  clprim_operator op;
  clprim::reduce_options options;
};

/// The object for elements of T; null for an operator that T does not have.
template <class T> std::unique_ptr<clprim_reduce> make_reduce(const reduce_request& wanted);

namespace detail {

template <class T> reduce_view<T> reduced(const clprim_array* given, int axis, const char* name) {
  const array_view<T> v = view_of<T>(given, name);
  if (axis != CLPRIM_ALL_AXES) {
    // A negative axis becomes one that no array has, which is refused with its range.
    return along_axis<T>(v.memory, v.extents, v.strides, static_cast<std::size_t>(axis), v.offset);
  }
  const auto joined = clprim::detail::joined_axes(v.extents, v.strides, v.extents.size());
  if (joined.size() > 1) {
    throw argument_error(std::string(name), "must be without gaps to be reduced along all axes",
                         std::to_string(joined.size()) + " axes that cannot be joined",
                         "one axis at a time, or a copy without gaps");
  }
  if (joined.empty()) return whole(vector<T>(v.memory, 1).at(v.offset));
  return whole(vector<T>(v.memory, joined[0].extent)
                   .with_stride(std::max<std::int64_t>(1, joined[0].stride))
                   .at(v.offset));
}

template <class T, class Op> class reduce_of final : public clprim_reduce {
  static constexpr bool two = op::detail::is_dot<Op>;

 public:
  reduce_of(cl_command_queue queue, clprim::reduce_options options)
    : reduce_(queue, std::move(options)) {}

  std::size_t result_bytes() const override { return reduce_.result_bytes; }
  cl::Event call(const operands& on, cl_mem out, std::int64_t offset,
                 const std::vector<cl::Event>& waits) override {
    const auto x = x_of(on);
    if constexpr (two)
      return reduce_(x, reduced<T>(on.y, on.axis, "y"), out, offset, waits);
    else
      return reduce_(x, out, offset, waits);
  }
  void values(const operands& on, void* results, std::size_t bytes,
              const std::vector<cl::Event>& waits) override {
    const auto x = x_of(on);
    const auto count = static_cast<std::size_t>(std::max<std::int64_t>(0, x.results()));
    if (bytes != count * reduce_.result_bytes) {
      throw argument_error("bytes of the results", "must be those of all results",
                           std::to_string(bytes),
                           std::to_string(count * reduce_.result_bytes) + " expected");
    }
    std::vector<typename clprim::reduce<T, Op>::result> got;
    if constexpr (two)
      got = reduce_.values(x, reduced<T>(on.y, on.axis, "y"), waits);
    else
      got = reduce_.values(x, waits);
    if (bytes > 0)
      std::memcpy(&needed(static_cast<char*>(results), "the results"), got.data(), bytes);
  }
  void prepare(const operands& on) override { reduce_.prepare(reduced<T>(on.x, on.axis, "x")); }
  std::string explain(const operands& on) override {
    return reduce_.explain(reduced<T>(on.x, on.axis, "x"));
  }

 private:
  static auto x_of(const operands& on) {
    if (!two && on.y != nullptr) {
      throw argument_error("y", "must be left out", "a second operand",
                           "NULL; dot products alone have one");
    }
    return reduced<T>(on.x, on.axis, "x");
  }
  clprim::reduce<T, Op> reduce_;
};

}  // namespace detail

template <class T> std::unique_ptr<clprim_reduce> make_reduce(const reduce_request& wanted) {
  std::unique_ptr<clprim_reduce> made;
  const auto one = [&]<class Op>(clprim_operator number, std::type_identity<Op>) {
    if (number == wanted.op)
      made = std::make_unique<detail::reduce_of<T, Op>>(wanted.queue, wanted.options);
  };
  one(CLPRIM_SUM, std::type_identity<op::sum<>>{});
  one(CLPRIM_PRODUCT, std::type_identity<op::product<>>{});
  one(CLPRIM_MEAN, std::type_identity<op::mean<>>{});
  one(CLPRIM_NORM1, std::type_identity<op::norm1<>>{});
  one(CLPRIM_NORM2, std::type_identity<op::norm2<>>{});
  one(CLPRIM_NORM_MAX, std::type_identity<op::norm_max>{});
  one(CLPRIM_DOT, std::type_identity<op::dot<>>{});
  if constexpr (clprim::detail::is_complex<T>) {
    one(CLPRIM_DOTC, std::type_identity<op::dotc<>>{});
  } else {
    one(CLPRIM_DOTC, std::type_identity<op::dot<>>{});  // numbers that are their own conjugates
    one(CLPRIM_VARIANCE, std::type_identity<op::variance<>>{});
    one(CLPRIM_MIN, std::type_identity<op::min>{});
    one(CLPRIM_MAX, std::type_identity<op::max>{});
    one(CLPRIM_MIN_MAX, std::type_identity<op::min_max>{});
    one(CLPRIM_ARGMIN, std::type_identity<op::argmin>{});
    one(CLPRIM_ARGMAX, std::type_identity<op::argmax>{});
    one(CLPRIM_ANY, std::type_identity<op::any>{});
    one(CLPRIM_ALL, std::type_identity<op::all>{});
    one(CLPRIM_COUNT, std::type_identity<op::count>{});
  }
  return made;
}

}  // namespace clprim::c
