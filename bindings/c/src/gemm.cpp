// Matrix products.

#include <memory>

#include <clprim/gemm.hpp>

#include "interface.hpp"

using namespace clprim::c;

/// One interface for the products of every type.
struct clprim_gemm : clprim::c::described {
  struct operands {
    const clprim_matrix *a, *b, *c;
  };
  virtual cl::Event call(const void* alpha, const void* beta, const operands& on,
                         const std::vector<cl::Event>& waits) = 0;
  virtual void prepare(const operands& on) = 0;
  virtual std::string explain(const operands& on) = 0;
};

namespace {

template <class T> class gemm_of final : public clprim_gemm {
 public:
  gemm_of(cl_command_queue queue, clprim::gemm_options options)
    : multiply_(queue, std::move(options)) {}

  cl::Event call(const void* alpha, const void* beta, const operands& on,
                 const std::vector<cl::Event>& waits) override {
    using number = clprim::accumulator_t<T>;
    const auto or_else = [](const void* given, number otherwise) {
      return given != nullptr ? *static_cast<const number*>(given) : otherwise;
    };
    return multiply_(or_else(alpha, number(1)), A(on), B(on), or_else(beta, number{}), C(on),
                     waits);
  }
  void prepare(const operands& on) override { multiply_.prepare(A(on), B(on), C(on)); }
  std::string explain(const operands& on) override {
    return multiply_.explain(A(on), B(on), C(on));
  }

 private:
  static auto A(const operands& on) { return view_of<T>(on.a, "A"); }
  static auto B(const operands& on) { return view_of<T>(on.b, "B"); }
  static auto C(const operands& on) { return view_of<T>(on.c, "C"); }
  clprim::gemm<T> multiply_;
};

}  // namespace

clprim_status clprim_gemm_create(cl_command_queue queue, clprim_type type,
                                 const clprim_gemm_options* options, clprim_gemm** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim_gemm_options given = given_or_none(options);
    clprim::gemm_options set{.epilogue = {text_of(given.epilogue), {}}};
    if (given.policy != nullptr) {
      set.policy = clprim::parse_policy<clprim::gemm_policy>(given.policy);
    }
    if (given.precision != nullptr) set.precision = clprim::parse_precision(given.precision);
    with_type(scalars{}, type, "type of a product",
              [&]<class T>() { *object = std::make_unique<gemm_of<T>>(queue, set).release(); });
  });
}
void clprim_gemm_destroy(clprim_gemm* object) { delete object; }

clprim_status clprim_gemm_call(clprim_gemm* object, const void* alpha, const clprim_matrix* A,
                               const clprim_matrix* B, const void* beta, const clprim_matrix* C,
                               cl_uint waits, const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event, alpha, beta, clprim_gemm::operands{A, B, C});
}
clprim_status clprim_gemm_prepare(clprim_gemm* object, const clprim_matrix* A,
                                  const clprim_matrix* B, const clprim_matrix* C) {
  return prepare_of(object, clprim_gemm::operands{A, B, C});
}
clprim_status clprim_gemm_explain(clprim_gemm* object, const clprim_matrix* A,
                                  const clprim_matrix* B, const clprim_matrix* C,
                                  const char** text) {
  return explain_of(object, text, clprim_gemm::operands{A, B, C});
}
