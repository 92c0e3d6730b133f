#pragma once
// How transforms are set up; and the caller's arrays -> a checked transform: axes, lengths, kinds,
// places of every element.

#include <clprim/core/language.hpp>

#include <algorithm>
#include <array>
#include <complex>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include <clprim/core/axes.hpp>
#include <clprim/core/function.hpp>
#include <clprim/core/math_mode.hpp>
#include <clprim/core/scalar.hpp>
#include <clprim/core/smooth.hpp>
#include <clprim/fft/plan/pass.hpp>
#include <clprim/fft/policy.hpp>
#include <clprim/runtime/array.hpp>
#include <clprim/runtime/launch.hpp>

namespace clprim {

/// A complex number stored as two halves and computed in float.
struct complex_half {
  half re;
  half im;
  friend constexpr bool operator==(const complex_half&, const complex_half&) = default;
};

/// Which kind of transform a call is.
enum class fft_kind {
  automatic,  ///< real where forward's input, or inverse's output, has real elements
  complex,    ///< complex to complex
  real,       ///< between real values and half a spectrum
};

/// In which order a spectrum lies, forward's output and inverse's input.
enum class fft_order {
  natural,  ///< value k at place k
  digits,  ///< as the passes of a long transform leave it, which then need not turn it round: value
           ///< k1 + n1 k2 at place k1 n2 + k2, n1 and n2 being what `fft::digits` tells
};

/// How an operation object is set up; every member may be left out.
struct fft_options {
  /// How many axes are transformed: the last ones of the arrays, 1 to 3 of them and more.
  int axes = 1;
  /// Points of each transformed axis. Empty: the extents of the array that is not half a spectrum.
  /// An input that is shorter is padded with zeros, an output that is shorter is cut off.
  std::vector<std::int64_t> lengths{};
  /// What lies past an input that is shorter than `lengths`, one per transformed axis; empty:
  /// zeros. For forward transforms of complex or real values.
  std::vector<fft_outside> outside{};
  double forward_scale = 1;
  double inverse_scale = 1;  ///< 1 / N makes inverse undo forward
  /// The policy; without one the library chooses per length (fft/tuned.hpp).
  std::optional<fft_policy> policy{};
  /// Text applied to each element as it is read: the body of a function that sees `value` (in its
  /// arithmetic type), `index` (long: its place in the array without gaps, the last axis fastest)
  /// and its own parameters, and returns the element to transform: float or double for a real
  /// transform's input, else float2 or double2.
  function load{};
  /// The same for each element of the output: sees `value` (float2, double2; for real outputs of a
  /// real transform float, double), `index` and its own parameters, returns what is stored.
  function store{};
  fft_kind kind = fft_kind::automatic;
  /// In place of a Fourier transform one of these; input and output are real and equally large.
  fft_trigonometric trigonometric = fft_trigonometric::none;
  /// The order of the spectrum; digits: for complex transforms of one axis without padding.
  fft_order order = fft_order::natural;
  /// Whether two real rows may be one transform, where rows are not made of pairs of their own
  /// values, as those of odd lengths are not. Each row is scaled by itself: its error stays small
  /// beside its own values, whatever the other row has, and NaN and Inf stay in their row. But its
  /// last bits depend on the other row, and a row with NaN or Inf is NaN all over. Empty: where
  /// that was measured to be faster, on GPUs by Bluestein's convolution, and forward of many rows.
  std::optional<bool> pair_rows{};
  /// Whether calls return an event.
  clprim::completion completion = clprim::completion::event;
  /// How exactly the kernels must compute (core/math_mode.hpp has the bounds).
  math_mode math = math_mode::precise;
};

/// Complex numbers whose real and imaginary parts are arrays of their own, of the same extents and
/// strides.
template <element_type T> struct split_view { array_view<T> re, im; };
/// Both parts as one operand of a transform.
template <element_type T> split_view<T> split(array_view<T> re, array_view<T> im) {
  return {std::move(re), std::move(im)};
}

/// One array of a checked transform; strides and offset in its elements. Split ones are told by
/// their real parts, as if elements were complex, and where the imaginary ones lie.
struct fft_operand {
  cl_mem memory = nullptr;
  std::int64_t offset = 0;
  std::vector<std::int64_t> extents;
  std::vector<std::int64_t> strides;
  element type{};
  footprint bytes{};
  bool split = false;
  cl_mem imaginary = nullptr;
  std::int64_t imaginary_offset = 0;
  footprint imaginary_bytes{};
};

/// A checked transform.
struct fft_problem {
  fft_operand in, out;
  int axes = 1;
  std::vector<std::int64_t> lengths;  ///< points of the transformed axes
  bool inverse = false;
  bool real = false;
  bool in_place = false;
  fft_trigonometric trigonometric = fft_trigonometric::none;
  fft_order order = fft_order::natural;

  /// What a call reads and writes.
  std::array<operand, 4> operands() const {
    return {{{"the input", in.bytes, false},
             {"the imaginary parts of the input", in.imaginary_bytes, false},
             {"the output", out.bytes, true},
             {"the imaginary parts of the output", out.imaginary_bytes, true}}};
  }
  /// Whether there is nothing to write.
  bool empty() const { return std::ranges::count(out.extents, 0) > 0; }
  /// Transforms of all axes together.
  std::int64_t batch() const {
    return product_of(
        std::span(out.extents).first(out.extents.size() - static_cast<std::size_t>(axes)));
  }
  double points() const { return product_of<double>(lengths); }
};

namespace detail {

template <element_type T> constexpr element fft_element() {
  if constexpr (std::is_same_v<T, complex_half>) {
    return {.bytes = 4, .name = "float2", .is_half = true, .is_complex = true};
  } else {
    static_assert(describe_element<T>().has_arithmetic(),
                  "an element to be transformed must be a number");
    return describe_element<T>();
  }
}

inline std::int64_t half_of(std::int64_t n) { return n / 2 + 1; }

#ifndef CLPRIM_COMPILED
/// Throws where elements are neither what the transform has there nor made so by a function.
/// Integers are read, but not made by rounding; real values are read as complex ones too.
inline void check_fft_elements(const element& in, const element& out, bool load, bool store,
                               bool real_in, bool real_out) {
  const auto is_real = [](const element& e) { return e.name == "float" || e.name == "double"; };
  const auto refuse = [](const char* which, bool real, const element& e, const char* function) {
    throw argument_error(std::string("elements of the ") + which,
                         real ? "must be real numbers" : "must be complex numbers",
                         std::string(e.name), std::string("those, or a ") + function + " function");
  };
  const char last = in.name.back();
  const bool vector = last >= '0' && last <= '9';
  if (!load && vector && (real_in || !in.is_complex)) refuse("input", real_in, in, "load");
  if (!store && (real_out ? !is_real(out) : !out.is_complex))
    refuse("output", real_out, out, "store");
}

/// Throws where `outside` has more places than lie between the end of an input of `given` elements
/// and that of its transform of n, or places without values.
inline void check_fft_outside(const fft_outside& outside, std::int64_t n, std::int64_t given,
                              const std::string& axis) {
  const std::int64_t gap = n - given;
  if (outside.before < 0 || outside.after < 0 || outside.before > gap ||
      outside.after > gap - outside.before) {
    throw argument_error("what lies outside " + axis,
                         "must fit between the end of the input and that of the transform",
                         std::to_string(outside.before) + " places before and " +
                             std::to_string(outside.after) + " after",
                         "0 to " + std::to_string(gap) + " together");
  }
  require_values(outside.sides, "what lies outside " + axis);
}

/// Axes from `first` to before `end`: throws where a stride is no longer than what the shorter ones
/// reach, `apart` being what that would make meet.
inline void check_fft_strides(const fft_operand& o, const std::string& name, std::size_t first,
                              std::size_t end, const char* apart) {
  const auto of = [&](const std::vector<std::int64_t>& all) {
    return std::span(all).subspan(first, end - first);
  };
  const std::optional<short_step> meeting = meeting_axis(of(o.extents), of(o.strides));
  if (!meeting) return;
  const std::size_t a = first + meeting->axis;
  throw argument_error("strides of " + name, std::string("must keep ") + apart + " apart",
                       "stride " + std::to_string(o.strides[a]) + " of axis " + std::to_string(a),
                       "at least " + std::to_string(meeting->reach + 1));
}

/// Whether the arrays are one: complex to complex the same elements; real to half spectrum the same
/// rows, the spectrum's first element on the first real one.
inline bool fft_in_place(const fft_operand& x, const fft_operand& y) {
  if (x.memory != y.memory || x.split != y.split || x.imaginary != y.imaginary ||
      x.imaginary_offset != y.imaginary_offset)
    return false;
  const int bx = x.type.bytes, by = y.type.bytes;
  if (x.offset * bx != y.offset * by) return false;
  const std::size_t last = x.strides.size() - 1;
  for (std::size_t a = 0; a < last; ++a)
    if (x.extents[a] > 1 && x.strides[a] * bx != y.strides[a] * by) return false;
  return x.strides[last] == y.strides[last] || (x.strides[last] == 1 && y.strides[last] == 1);
}

#endif

/// An array of a transform; throws argument_error for one that is none, or not in its memory.
template <element_type T>
fft_operand fft_operand_of(const array_view<T>& v, const std::string& name) {
  return {.memory = v.memory,
          .offset = v.offset,
          .extents = v.extents,
          .strides = v.strides,
          .type = fft_element<T>(),
          .bytes = check_array(v, name)};
}
template <element_type T>
fft_operand fft_operand_of(const split_view<T>& v, const std::string& name) {
  fft_operand o = fft_operand_of(v.re, name);
  const std::string parts = "the imaginary parts of " + name;
  o.imaginary_bytes = check_array(v.im, parts);
  if (v.im.extents != v.re.extents || v.im.strides != v.re.strides)
    throw argument_error(parts, "must lie as the real parts do", "other extents or strides",
                         "the same ones");
  if constexpr (std::is_same_v<T, float> || std::is_same_v<T, double>)
    o.type = fft_element<std::complex<T>>();
  else if constexpr (std::is_same_v<T, half>)
    o.type = fft_element<complex_half>();
  else
    throw argument_error("elements of " + name, "must be real numbers where parts are apart",
                         std::string(o.type.name), "half, float or double");
  o.split = true;
  o.imaginary = v.im.memory;
  o.imaginary_offset = v.im.offset;
  return o;
}

}  // namespace detail

/// The same of arrays whose own memory is checked.
fft_problem checked_fft(fft_operand input, fft_operand output, const fft_options& o, bool inverse);

/// Checks y = F(x), or its inverse. Throws argument_error for a length of 0, elements, axes or
/// extents that do not fit, half a spectrum of the wrong size, strides by which elements of y,
/// points of one transform of x, or the first points of two are the same element, buffers that are
/// too small, arrays that overlap without being one. Transforms of x may overlap, as frames do.
template <class In, class Out>
fft_problem checked_fft(const In& input, const Out& output, const fft_options& o, bool inverse) {
  return checked_fft(detail::fft_operand_of(input, "the input"),
                     detail::fft_operand_of(output, "the output"), o, inverse);
}

#ifndef CLPRIM_COMPILED
CLPRIM_INLINE fft_problem checked_fft(fft_operand input, fft_operand output, const fft_options& o,
                                      bool inverse) {
  using namespace detail;
  fft_problem p{.in = std::move(input),
                .out = std::move(output),
                .axes = o.axes,
                .lengths = o.lengths,
                .inverse = inverse};
  const fft_operand &x = p.in, &y = p.out;
  const std::size_t rank = x.extents.size(), axes = static_cast<std::size_t>(o.axes);
  const auto refuse = [](const std::string& what, const std::string& must, std::int64_t actual,
                         const std::string& allowed) {
    throw argument_error(what, must, std::to_string(actual), allowed);
  };
  if (o.axes < 1 || axes > rank)
    refuse("axes to transform", "must be axes of the input", o.axes,
           "1 to " + std::to_string(rank));
  if (y.extents.size() != rank)
    refuse("axes of the output", "must be as many as those of the input",
           static_cast<std::int64_t>(y.extents.size()), std::to_string(rank) + " expected");
  const element& real_side = inverse ? p.out.type : p.in.type;
  p.trigonometric = inverse ? inverse_of(o.trigonometric) : o.trigonometric;
  const bool plain = p.trigonometric == fft_trigonometric::none;
  if (!plain && (p.in.type.is_complex || p.out.type.is_complex || !o.lengths.empty())) {
    throw argument_error(
        "a cosine or sine transform", "is of real values without padding",
        p.in.type.is_complex || p.out.type.is_complex ? "complex values" : "lengths",
        "real input and output of one size");
  }
  p.real = plain &&
           (o.kind == fft_kind::real || (o.kind == fft_kind::automatic && !real_side.is_complex &&
                                         (!inverse || o.store.empty())));
  check_fft_elements(p.in.type, p.out.type, !o.load.empty(), !o.store.empty(),
                     !plain || (p.real && !inverse), !plain || (p.real && inverse));
  p.order = o.order;
  if (o.order == fft_order::digits && (p.real || !plain || o.axes != 1 || !o.lengths.empty()))
    throw argument_error("a spectrum in the order of its digits",
                         "is of complex values along one axis, without padding",
                         p.real || !plain ? "real values"
                         : o.axes != 1    ? "several axes"
                                          : "lengths",
                         "natural order for others");
  const fft_operand& full = p.real && inverse ? p.out : p.in;
  if (p.lengths.empty()) {
    p.lengths.assign(full.extents.end() - o.axes, full.extents.end());
  } else if (p.lengths.size() != axes) {
    refuse("lengths", "must be one per transformed axis",
           static_cast<std::int64_t>(p.lengths.size()), std::to_string(axes) + " expected");
  }
  if (!o.outside.empty() && o.outside.size() != axes)
    refuse("what lies outside", "must be told per transformed axis",
           static_cast<std::int64_t>(o.outside.size()), std::to_string(axes) + " expected");
  for (std::size_t a = 0; a < rank; ++a) {
    const std::string axis = "axis " + std::to_string(a);
    if (a + axes < rank) {
      if (y.extents[a] != x.extents[a])
        refuse("extent of " + axis + " of the output", "must equal that of the input", y.extents[a],
               std::to_string(x.extents[a]) + " expected");
      continue;
    }
    const std::int64_t n = p.lengths[a + axes - rank];
    if (n < 1) refuse("length of " + axis, "must be positive", n, "at least 1");
    if (n < 2 && p.trigonometric == fft_trigonometric::dct1)
      refuse("length of " + axis, "must have two ends for a DCT of type I", n, "at least 2");
    if (n > (std::int64_t{1} << 30))
      refuse("length of " + axis, "must stay within 32-bit indexing", n, "at most 2^30");
    const bool halved = p.real && a + 1 == rank;
    const std::int64_t in = halved && inverse ? half_of(n) : n,
                       out = halved && !inverse ? half_of(n) : n;
    const bool given = !o.lengths.empty();
    const auto fits = [&](std::int64_t actual, std::int64_t wanted, const char* which) {
      if (given ? actual > wanted || actual < 1 : actual != wanted)
        refuse("extent of " + axis + " of the " + which,
               halved ? "must fit half a spectrum or its real values" : "must fit the length",
               actual, std::to_string(wanted) + (given ? " at most, 1 at least" : " expected"));
    };
    fits(x.extents[a], in, "input");
    fits(y.extents[a], out, "output");
    if (!o.outside.empty() && !inverse)
      check_fft_outside(o.outside[a + axes - rank], in, x.extents[a], axis);
  }
  if (p.empty()) return p;
  // Transforms may share points that are only read, as the frames of a spectrogram do; two points
  // of one transform, or two transforms, that are one and the same are a mistake.
  check_fft_strides(p.out, "the output", 0, rank, "its elements");
  check_fft_strides(p.in, "the input", rank - axes, rank, "the points of a transform");
  check_fft_strides(p.in, "the input", 0, rank - axes, "the beginnings of its transforms");
  p.in_place = fft_in_place(p.in, p.out);
  const auto meet = [&](const footprint& to) {
    return overlaps(to, x.bytes) || overlaps(to, x.imaginary_bytes);
  };
  if (!p.in_place && (meet(y.bytes) || meet(y.imaginary_bytes))) {
    throw argument_error("the output", "must be the input itself or apart from it",
                         "overlapping arrays", "one array, or separate memory");
  }
  if (overlaps(y.bytes, y.imaginary_bytes))
    throw argument_error("the imaginary parts of the output", "must be apart from the real ones",
                         "overlapping arrays", "separate memory");
  return p;
}
#endif

}  // namespace clprim
