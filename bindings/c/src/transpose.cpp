// Transpositions of matrices and permutations of arrays.

#include <memory>
#include <optional>
#include <span>

#include <clprim/transpose.hpp>

#include "interface.hpp"

using namespace clprim::c;

/// One interface for every type.
struct clprim_transpose : clprim::c::described {
  using events = std::vector<cl::Event>;
  virtual cl::Event call(const clprim_matrix* a, const clprim_matrix* b, const events& waits) = 0;
  virtual cl::Event in_place(const clprim_matrix* a, const events& waits) = 0;
  virtual cl::Event permute(const clprim_array* x, std::span<const int> order,
                            const clprim_array* y, const events& waits) = 0;
  virtual void prepare(const clprim_matrix* a, const clprim_matrix* b) = 0;
  virtual std::string explain(const clprim_matrix* a, const clprim_matrix* b) = 0;
};

namespace {

template <class T> class transpose_of final : public clprim_transpose {
 public:
  transpose_of(cl_command_queue queue, clprim::transpose_options options)
    : queue_(queue, true), options_(options), turn_(queue, std::move(options)) {}

  cl::Event call(const clprim_matrix* a, const clprim_matrix* b, const events& waits) override {
    return turn_(view_of<T>(a, "A"), view_of<T>(b, "B"), waits);
  }
  cl::Event in_place(const clprim_matrix* a, const events& waits) override {
    return turn_.in_place(view_of<T>(a, "A"), waits);
  }
  cl::Event permute(const clprim_array* x, std::span<const int> order, const clprim_array* y,
                    const events& waits) override {
    if (!permute_) permute_.emplace(queue_, options_);
    return (*permute_)(view_of<T>(x, "X"), order, view_of<T>(y, "Y"), waits);
  }
  void prepare(const clprim_matrix* a, const clprim_matrix* b) override {
    turn_.prepare(view_of<T>(a, "A"), view_of<T>(b, "B"));
  }
  std::string explain(const clprim_matrix* a, const clprim_matrix* b) override {
    return turn_.explain(view_of<T>(a, "A"), view_of<T>(b, "B"));
  }

 private:
  cl::CommandQueue queue_;
  clprim::transpose_options options_;
  clprim::transpose<T> turn_;
  std::optional<clprim::permute<T>> permute_;  // made where it is asked for
};

}  // namespace

clprim_status clprim_transpose_create(cl_command_queue queue, clprim_type type,
                                      const clprim_transpose_options* options,
                                      clprim_transpose** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim_transpose_options given = given_or_none(options);
    clprim::transpose_options set{.map = {text_of(given.map), {}}};
    if (given.policy != nullptr) {
      set.policy = clprim::parse_policy<clprim::transpose_policy>(given.policy);
    }
    with_type(all_types{}, type, "type of a transposition", [&]<class T>() {
      *object = std::make_unique<transpose_of<T>>(queue, set).release();
    });
  });
}
void clprim_transpose_destroy(clprim_transpose* object) { delete object; }

clprim_status clprim_transpose_call(clprim_transpose* object, const clprim_matrix* A,
                                    const clprim_matrix* B, cl_uint waits,
                                    const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event, A, B);
}
clprim_status clprim_transpose_in_place(clprim_transpose* object, const clprim_matrix* A,
                                        cl_uint waits, const cl_event* wait_list, cl_event* event) {
  return guarded([&] {
    hand_over(needed(object, "the object").in_place(A, events_of(waits, wait_list)), event);
  });
}
clprim_status clprim_transpose_permute(clprim_transpose* object, const clprim_array* X,
                                       const int* order, const clprim_array* Y, cl_uint waits,
                                       const cl_event* wait_list, cl_event* event) {
  return guarded([&] {
    const int* const axes = &needed(order, "the order of the axes");
    const std::size_t rank = extents_of(needed(X, "X"), "X").size();
    hand_over(needed(object, "the object").permute(X, {axes, rank}, Y, events_of(waits, wait_list)),
              event);
  });
}
clprim_status clprim_transpose_prepare(clprim_transpose* object, const clprim_matrix* A,
                                       const clprim_matrix* B) {
  return prepare_of(object, A, B);
}
clprim_status clprim_transpose_explain(clprim_transpose* object, const clprim_matrix* A,
                                       const clprim_matrix* B, const char** text) {
  return explain_of(object, text, A, B);
}
