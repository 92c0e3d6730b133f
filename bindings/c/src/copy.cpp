// Copies that convert, and maps of one array.

#include <memory>

#include <clprim/copy.hpp>

#include "interface.hpp"

using namespace clprim::c;

/// One interface for every pair of types.
struct clprim_copy : clprim::c::described {
  virtual cl::Event call(const clprim_vector* from, const clprim_vector* to,
                         const std::vector<cl::Event>& waits) = 0;
  virtual void prepare(const clprim_vector* from, const clprim_vector* to) = 0;
  virtual std::string explain(const clprim_vector* from, const clprim_vector* to) = 0;
};

namespace {

template <class Out, class In> class copy_of final : public clprim_copy {
 public:
  copy_of(cl_command_queue queue, clprim::copy_options options) : map_(queue, std::move(options)) {}

  cl::Event call(const clprim_vector* from, const clprim_vector* to,
                 const std::vector<cl::Event>& waits) override {
    return map_({view_of<In>(from, "the input")}, view_of<Out>(to, "the output"), waits);
  }
  void prepare(const clprim_vector* from, const clprim_vector* to) override {
    map_.prepare({view_of<In>(from, "the input")}, view_of<Out>(to, "the output"));
  }
  std::string explain(const clprim_vector* from, const clprim_vector* to) override {
    return map_.explain({view_of<In>(from, "the input")}, view_of<Out>(to, "the output"));
  }

 private:
  clprim::map<Out, In> map_;
};

}  // namespace

clprim_status clprim_copy_create(cl_command_queue queue, clprim_type in, clprim_type out,
                                 const clprim_copy_options* options, clprim_copy** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim_copy_options given = given_or_none(options);
    clprim::copy_options set{.map = {text_of(given.map), {}}};
    if (given.policy != nullptr) {
      set.policy = clprim::parse_policy<clprim::copy_policy>(given.policy);
    }
    with_type(all_types{}, in, "input type of a copy", [&]<class In>() {
      with_type(all_types{}, out, "output type of a copy", [&]<class Out>() {
        *object = std::make_unique<copy_of<Out, In>>(queue, set).release();
      });
    });
  });
}
void clprim_copy_destroy(clprim_copy* object) { delete object; }

clprim_status clprim_copy_call(clprim_copy* object, const clprim_vector* from,
                               const clprim_vector* to, cl_uint waits, const cl_event* wait_list,
                               cl_event* event) {
  return call_of(object, waits, wait_list, event, from, to);
}
clprim_status clprim_copy_prepare(clprim_copy* object, const clprim_vector* from,
                                  const clprim_vector* to) {
  return prepare_of(object, from, to);
}
clprim_status clprim_copy_explain(clprim_copy* object, const clprim_vector* from,
                                  const clprim_vector* to, const char** text) {
  return explain_of(object, text, from, to);
}
