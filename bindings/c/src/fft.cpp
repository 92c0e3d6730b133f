// Fourier, cosine and sine transforms.

#include <algorithm>
#include <memory>

#include <clprim/fft.hpp>

#include "interface.hpp"

using namespace clprim::c;

/// One interface for float and double.
struct clprim_fft : clprim::c::described {
  struct operands {
    clprim_type x_type;
    const clprim_array* x;
    clprim_type y_type;
    const clprim_array* y;
    bool backwards;
  };
  virtual cl::Event call(const operands& on, const std::vector<cl::Event>& waits) = 0;
  virtual void prepare(const operands& on) = 0;
  virtual std::string explain(const operands& on) = 0;
};

namespace {

template <class T> class fft_of final : public clprim_fft {
 public:
  fft_of(cl_command_queue queue, clprim::fft_options options)
    : transform_(queue, std::move(options)) {}

  cl::Event call(const operands& on, const std::vector<cl::Event>& waits) override {
    cl::Event done;
    with_views(on, [&](const auto& x, const auto& y) {
      done = on.backwards ? transform_.inverse(x, y, waits) : transform_.forward(x, y, waits);
    });
    return done;
  }
  void prepare(const operands& on) override {
    with_views(on, [&](const auto& x, const auto& y) { transform_.prepare(x, y, on.backwards); });
  }
  std::string explain(const operands& on) override {
    std::string text_;
    with_views(
        on, [&](const auto& x, const auto& y) { text_ = transform_.explain(x, y, on.backwards); });
    return text_;
  }

 private:
  static constexpr bool is_double = std::is_same_v<T, double>;
  using own =
      types<typed<is_double ? CLPRIM_DOUBLE : CLPRIM_FLOAT, T>,
            typed<is_double ? CLPRIM_COMPLEX_DOUBLE : CLPRIM_COMPLEX_FLOAT, std::complex<T>>>;

  template <class F> static void with_views(const operands& on, F&& f) {
    with_type(own{}, on.x_type, "type of x", [&]<class In>() {
      with_type(own{}, on.y_type, "type of y",
                [&]<class Out>() { f(view_of<In>(on.x, "x"), view_of<Out>(on.y, "y")); });
    });
  }
  clprim::fft<T> transform_;
};

clprim::fft_options options_of(const clprim_fft_options& given) {
  const auto or_one = [](double scale) { return scale == 0 ? 1.0 : scale; };
  clprim::fft_options set;
  set.axes = given.axes == 0 ? 1 : given.axes;
  set.forward_scale = or_one(given.forward_scale);
  set.inverse_scale = or_one(given.inverse_scale);
  set.load = {text_of(given.load), {}};
  set.store = {text_of(given.store), {}};
  if (given.kind < CLPRIM_FOURIER || given.kind > CLPRIM_DST1)
    refuse_number("kind of a transform", given.kind, "0 to 8");
  set.trigonometric = static_cast<clprim::fft_trigonometric>(given.kind);
  if (given.policy != nullptr) set.policy = clprim::parse_policy<clprim::fft_policy>(given.policy);
  const auto* const first = given.lengths;
  if (std::any_of(first, first + 6, [](std::int64_t n) { return n != 0; })) {
    if (set.axes < 1 || set.axes > 6) refuse_number("axes of a transform", set.axes, "1 to 6");
    set.lengths.assign(first, first + set.axes);
  }
  return set;
}
static_assert(static_cast<int>(clprim::fft_trigonometric::dct2) == CLPRIM_DCT2 &&
              static_cast<int>(clprim::fft_trigonometric::dst1) == CLPRIM_DST1);

}  // namespace

clprim_status clprim_fft_create(cl_command_queue queue, clprim_type type,
                                const clprim_fft_options* options, clprim_fft** object) {
  return guarded([&] {
    needed(object, "the place for the object");
    const clprim::fft_options set = options_of(given_or_none(options));
    using computed = types<typed<CLPRIM_FLOAT, float>, typed<CLPRIM_DOUBLE, double>>;
    with_type(computed{}, type, "type of a transform",
              [&]<class T>() { *object = std::make_unique<fft_of<T>>(queue, set).release(); });
  });
}
void clprim_fft_destroy(clprim_fft* object) { delete object; }

clprim_status clprim_fft_forward(clprim_fft* object, clprim_type x_type, const clprim_array* x,
                                 clprim_type y_type, const clprim_array* y, cl_uint waits,
                                 const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event,
                 clprim_fft::operands{x_type, x, y_type, y, false});
}
clprim_status clprim_fft_inverse(clprim_fft* object, clprim_type x_type, const clprim_array* x,
                                 clprim_type y_type, const clprim_array* y, cl_uint waits,
                                 const cl_event* wait_list, cl_event* event) {
  return call_of(object, waits, wait_list, event, clprim_fft::operands{x_type, x, y_type, y, true});
}
clprim_status clprim_fft_prepare(clprim_fft* object, clprim_type x_type, const clprim_array* x,
                                 clprim_type y_type, const clprim_array* y, int backwards) {
  return prepare_of(object, clprim_fft::operands{x_type, x, y_type, y, backwards != 0});
}
clprim_status clprim_fft_explain(clprim_fft* object, clprim_type x_type, const clprim_array* x,
                                 clprim_type y_type, const clprim_array* y, int backwards,
                                 const char** text) {
  return explain_of(object, text, clprim_fft::operands{x_type, x, y_type, y, backwards != 0});
}
