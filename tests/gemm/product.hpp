#pragma once
// A matrix product of the tests: how its operands lie, its reference, and the run that judges it.

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <sstream>
#include <string>
#include <vector>

#include <clprim/gemm.hpp>

#include "support/device.hpp"
#include "support/random.hpp"
#include "support/rounding.hpp"

namespace support {

/// How one operand lies in its buffer.
struct operand {
  clprim::layout order = clprim::layout::row_major;
  clprim::transposition op = clprim::transposition::none;
  int ld_extra = 0;    ///< leading dimension beyond the line
  int offset = 0;      ///< of the first element
  int gap = 0;         ///< elements between the matrices of a batch; -1: a stride of 0
  bool array = false;  ///< the batch is told by an array of offsets, shuffled
};

enum class epilogue_kind { none, row_bias, column_bias, slope, relu };

/// C = epilogue(alpha op(A) op(B) + beta C).
struct product {
  int m = 1, n = 1, k = 1;
  int batch = 1;
  operand a{}, b{}, c{};
  std::complex<double> alpha{1, 0}, beta{0, 0};
  epilogue_kind epilogue = epilogue_kind::none;
  int integers = 0;  ///< elements are integers up to this, so that every sum is exact; 0: reals
  std::uint64_t seed = 1;
};

/// An operand on the host: its elements, NaN everywhere around them, and its view.
template <clprim::product_type T> struct stored {
  operand how;
  std::int64_t rows = 0, cols = 0, ld = 0, batch = 1, stride = 0;
  std::vector<std::int64_t> starts;
  std::vector<T> host;

  stored(const operand& o, std::int64_t op_rows, std::int64_t op_cols, int count, draw& d)
    : how(o), batch(count) {
    const bool turned = o.op != clprim::transposition::none;
    rows = turned ? op_cols : op_rows;
    cols = turned ? op_rows : op_cols;
    const bool by_rows = o.order == clprim::layout::row_major;
    const std::int64_t lines = by_rows ? rows : cols, length = by_rows ? cols : rows;
    ld = length + o.ld_extra;
    const std::int64_t span = lines == 0 || length == 0 ? 0 : (lines - 1) * ld + length;
    stride = o.gap < 0 ? 0 : span + o.gap;
    for (int i = 0; i < count; ++i) starts.push_back(i * stride);
    if (o.array) {
      for (int i = count - 1; i > 0; --i)
        std::swap(starts[static_cast<std::size_t>(i)],
                  starts[static_cast<std::size_t>(d.between(0, i))]);
    }
    const std::int64_t last = starts.empty() ? 0 : *std::max_element(starts.begin(), starts.end());
    const bool none = span == 0 || count == 0;
    host.assign(none ? 0 : static_cast<std::size_t>(o.offset + last + span), not_a_number<T>());
  }

  std::size_t index(int i, std::int64_t row, std::int64_t col) const {
    const bool by_rows = how.order == clprim::layout::row_major;
    return static_cast<std::size_t>(how.offset + starts[static_cast<std::size_t>(i)] +
                                    (by_rows ? row * ld + col : col * ld + row));
  }
  /// Element of op(X), in the reference's type.
  wide<T> op_element(int i, std::int64_t row, std::int64_t col) const {
    if (how.op == clprim::transposition::none) return widened<T>(host[index(i, row, col)]);
    wide<T> x = widened<T>(host[index(i, col, row)]);
    if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
      if (how.op == clprim::transposition::conjugate) x = std::conj(x);
    }
    return x;
  }
  template <class F> void for_each(F f) const {
    for (int i = 0; i < batch && !host.empty(); ++i)
      for (std::int64_t r = 0; r < rows; ++r)
        for (std::int64_t c = 0; c < cols; ++c) f(i, r, c, index(i, r, c));
  }
  clprim::matrix_view<T> view(const cl::Buffer& buffer, const cl::Buffer& offsets) const {
    auto v = clprim::matrix<T>(buffer, rows, cols).ld(ld).at(how.offset);
    if (how.order == clprim::layout::column_major) v = v.column_major();
    v.op = how.op;
    // No buffer holds the offsets of no matrices.
    return how.array && batch > 0 ? v.batch(batch, offsets) : v.batch(batch, stride);
  }
};

/// alpha and beta in the type that the call takes.
template <clprim::product_type T> clprim::accumulator_t<T> scale_factor(std::complex<double> x) {
  using factor = clprim::accumulator_t<T>;
  if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex) {
    using real = typename factor::value_type;
    return {static_cast<real>(x.real()), static_cast<real>(x.imag())};
  } else {
    return static_cast<factor>(x.real());
  }
}

inline constexpr double slope_value = 0.75;

template <clprim::product_type T> clprim::function epilogue_of(epilogue_kind kind) {
  using element = clprim::accumulator_t<T>;
  using real = std::conditional_t<clprim::facts_of(clprim::scalar_of<T>).needs_fp64, double, float>;
  switch (kind) {
    case epilogue_kind::none: return {};
    case epilogue_kind::row_bias:
      return {"return value + bias[row];", {clprim::buffer<element>("bias")}};
    case epilogue_kind::column_bias:
      return {"return value + bias[column];", {clprim::buffer<element>("bias")}};
    case epilogue_kind::slope: return {"return value * slope;", {clprim::value<real>("slope")}};
    case epilogue_kind::relu: return {"return fmax(value, 0);", {}};
  }
  return {};
}

/// What the epilogue makes of a value, and of its error.
template <clprim::product_type T>
void apply_epilogue(epilogue_kind kind, wide<T>& x, wide_real<T>& error, const wide<T>& bias) {
  const wide_real<T> u = unit_roundoff<T>();
  switch (kind) {
    case epilogue_kind::none: return;
    case epilogue_kind::row_bias:
    case epilogue_kind::column_bias:
      x += bias;
      error += u * (std::abs(x) + error);
      return;
    case epilogue_kind::slope:
      x *= static_cast<wide_real<T>>(slope_value);
      error = error * static_cast<wide_real<T>>(slope_value) + u * (std::abs(x) + error);
      return;
    case epilogue_kind::relu:
      if constexpr (clprim::facts_of(clprim::scalar_of<T>).is_complex)
        x = {std::max<wide_real<T>>(x.real(), 0), std::max<wide_real<T>>(x.imag(), 0)};
      else
        x = std::max<wide<T>>(x, 0);
      return;
  }
}

/// The problem as C++ to paste.
template <clprim::product_type T> std::string replay_text(const product& p) {
  std::ostringstream out;
  const auto describe = [&](const char* name, const operand& o, int op_rows, int op_cols) {
    draw d(1);
    const stored<T> x(o, op_rows, op_cols, p.batch, d);
    const bool turned = o.op != clprim::transposition::none;
    out << "  const auto " << name << " = "
        << (!turned                                    ? ""
            : o.op == clprim::transposition::transpose ? "transposed("
                                                       : "conjugated(")
        << "matrix<" << clprim::facts_of(clprim::scalar_of<T>).name << ">(buffer_" << name << ", "
        << x.rows << ", " << x.cols << ")"
        << (o.order == clprim::layout::column_major ? ".column_major()" : "") << ".ld(" << x.ld
        << ").at(" << o.offset << ")";
    if (o.array && p.batch > 0)
      out << ".batch(" << p.batch << ", offsets_" << name << ")";
    else
      out << ".batch(" << p.batch << ", " << x.stride << ")";
    out << (turned ? ");" : ";") << "  // " << x.host.size() << " elements\n";
  };
  describe("A", p.a, p.m, p.k);
  describe("B", p.b, p.k, p.n);
  describe("C", p.c, p.m, p.n);
  const auto number = [&](std::complex<double> x) {
    if (x.imag() == 0) {
      out << x.real();
    } else {
      out << "{" << x.real() << ", " << x.imag() << "}";
    }
  };
  out << "  multiply(";
  number(p.alpha);
  out << ", A, B, ";
  number(p.beta);
  out << ", C);  // m " << p.m << ", n " << p.n << ", k " << p.k << ", epilogue '"
      << epilogue_of<clprim::product_output_t<T>>(p.epilogue).body << "', data seed " << p.seed
      << "\n";
  return out.str();
}

/// How a product is run besides what it is.
struct run_options {
  surroundings around = usual_surroundings();
  bool given_workspace = false;
  bool twice = true;  ///< and the results compared bit by bit
  clprim::gemm_precision precision = clprim::gemm_precision::full;  ///< of the operation
};

/// Roundings, by half an epsilon, that a sum of k products may pass through (docs/matrix_units.md).
/// Whether matrix units compute it is the library's choice.
inline double roundings_of(clprim::gemm_precision precision, double k) {
  switch (precision) {
    case clprim::gemm_precision::full: return k;
    case clprim::gemm_precision::split_half: return std::max(k, 12 + k * 18 / 32);
    case clprim::gemm_precision::split_tf32: return std::max(k, 20 + k / 16);
    case clprim::gemm_precision::tf32: return 2 * k + 2.01 * 0x1p14;  // two operands cut at 2^-10
  }
  return k;
}

/// The same for what matrix units may cut off sums of float8: of 32 products and what they are
/// added to each all that is below 2^-13 of the greatest.
template <clprim::product_type T> double cut_by_units(const clprim::device_facts& device) {
  return clprim::is_float8(clprim::scalar_of<T>) && device.warp_group_products ? 33 * 0x1p11 : 0;
}

/// Whether two runs of bytes are equal, whatever NaN they hold.
template <class T> bool same_bits(const T* a, const T* b, std::size_t count) {
  return count == 0 || std::memcmp(a, b, count * sizeof(T)) == 0;
}

/// Runs a product on an operation object whose epilogue is `epilogue_of<Out>(p.epilogue)`, and says
/// what is wrong with it: "" when every element lies within the error bound (support/rounding.hpp),
/// nothing outside C was written, A and B are as before, and a second run gives the same bits.
/// Around A and B, in C where beta is 0, and in A and B where alpha is 0 there is NaN.
template <clprim::product_type T, clprim::product_type Out = clprim::product_output_t<T>>
std::string complaint_about(const clprim::session& s, clprim::detail::gemm_engine<T, Out>& multiply,
                            const product& p, run_options how = {}) {
  using factor = clprim::accumulator_t<Out>;
  draw d(p.seed);
  stored<T> A(p.a, p.m, p.k, p.batch, d), B(p.b, p.k, p.n, p.batch, d);
  stored<Out> C(p.c, p.m, p.n, p.batch, d);
  const factor alpha = scale_factor<Out>(p.alpha), beta = scale_factor<Out>(p.beta);
  const auto element = [&]<class U>(U& x) {
    x = p.integers == 0 ? random_element<U>(d) : random_integer<U>(d, p.integers);
  };
  if (alpha != factor{}) {
    A.for_each([&](int, auto, auto, std::size_t at) { element(A.host[at]); });
    B.for_each([&](int, auto, auto, std::size_t at) { element(B.host[at]); });
  }
  if (beta != factor{}) C.for_each([&](int, auto, auto, std::size_t at) { element(C.host[at]); });

  const T nan = not_a_number<T>();
  guarded_buffer<T> a(s, A.host, nan, how.around), b(s, B.host, nan, how.around);
  const Out no_output = not_a_number<Out>();
  guarded_buffer<Out> c(s, C.host, no_output, how.around), again(s, C.host, no_output, how.around);
  const std::int64_t nowhere = std::int64_t{1} << 40;
  guarded_buffer<std::int64_t> a_starts(s, A.starts, nowhere, how.around),
      b_starts(s, B.starts, nowhere, how.around), c_starts(s, C.starts, nowhere, how.around);
  const auto a_view = A.view(a.buffer(), a_starts.buffer()),
             b_view = B.view(b.buffer(), b_starts.buffer());
  const auto c_view = C.view(c.buffer(), c_starts.buffer()),
             again_view = C.view(again.buffer(), c_starts.buffer());

  const bool by_row = p.epilogue == epilogue_kind::row_bias,
             by_column = p.epilogue == epilogue_kind::column_bias;
  // One element at least: a null buffer is refused even where nothing reads it.
  std::vector<factor> bias(static_cast<std::size_t>(by_row      ? std::max(p.m, 1)
                                                    : by_column ? std::max(p.n, 1)
                                                                : 0));
  for (factor& x : bias) x = random_element<factor>(d);
  guarded_buffer<factor> bias_buffer(s, bias, not_a_number<factor>(), how.around);
  std::vector<clprim::argument> arguments;
  if (by_row || by_column) arguments.emplace_back(bias_buffer.buffer());
  if (p.epilogue == epilogue_kind::slope) {
    if constexpr (clprim::facts_of(clprim::scalar_of<Out>).needs_fp64)
      arguments.emplace_back(slope_value);
    else
      arguments.emplace_back(static_cast<float>(slope_value));
  }

  std::vector<factor> workspace;
  if (how.given_workspace)
    workspace.assign(multiply.workspace_bytes(a_view, b_view, c_view) / sizeof(factor),
                     not_a_number<factor>());
  guarded_buffer<factor> partial(s, workspace, not_a_number<factor>(), how.around);
  if (!workspace.empty()) multiply.use_workspace(partial.buffer());

  multiply(alpha, a_view, b_view, beta, c_view, {}, arguments);
  if (how.twice) multiply(alpha, a_view, b_view, beta, again_view, {}, arguments);

  std::ostringstream out;
  const std::vector<Out> got = c.read();
  if (how.twice) {
    const std::vector<Out> second = again.read();
    if (!same_bits(got.data(), second.data(), got.size()))
      out << "the same product twice differs in a bit\n";
  }
  if (!c.intact() || !again.intact()) out << "written before or behind the buffer of C\n";
  const std::vector<T> a_after = a.read(), b_after = b.read();
  if (!same_bits(a_after.data(), A.host.data(), A.host.size()) || !a.intact())
    out << "A is written\n";
  if (!same_bits(b_after.data(), B.host.data(), B.host.size()) || !b.intact())
    out << "B is written\n";
  partial.read();
  if (!partial.intact()) out << "written before or behind the workspace\n";

  const double cut = cut_by_units<T>(clprim::facts_of(s.device));
  std::vector<bool> inside(got.size());
  int wrong = 0;
  const auto wide_alpha = widened<T>(alpha), wide_beta = widened<T>(beta);
  C.for_each([&](int i, std::int64_t row, std::int64_t col, std::size_t at) {
    inside[at] = true;
    wide<T> x{};
    wide_real<T> size = 0;
    for (int l = 0; l < p.k && alpha != factor{}; ++l) {
      const wide<T> x_a = A.op_element(i, row, l), x_b = B.op_element(i, l, col);
      x += x_a * x_b;
      size += std::abs(x_a) * std::abs(x_b);
    }
    // alpha and beta: for complex a product of two products each, then one addition.
    const double steps = clprim::facts_of(clprim::scalar_of<T>).is_complex ? 3 : 2;
    x *= wide_alpha;
    const double roundings = roundings_of(how.precision, real_products<T>(p.k)) + cut;
    wide_real<T> error = (gamma<T>(roundings) + gamma<Out>(steps)) * std::abs(wide_alpha) * size;
    if (beta != factor{}) {
      const wide<T> scaled = wide_beta * widened<T>(C.host[at]);
      x += scaled;
      error += gamma<Out>(steps) * std::abs(wide_beta) * std::abs(widened<T>(C.host[at]));
    }
    const wide<T> own_bias = by_row      ? widened<T>(bias[static_cast<std::size_t>(row)])
                             : by_column ? widened<T>(bias[static_cast<std::size_t>(col)])
                                         : wide<T>{};
    apply_epilogue<Out>(p.epilogue, x, error, own_bias);
    if (p.integers > 0 && p.epilogue == epilogue_kind::none)
      error = 0;  // small integers: every operation is exact
    else
      error = stored_error<Out>(std::abs(x), error);
    if (within<Out>(got[at], x, error)) return;
    if (++wrong > 3) return;
    out << "C(" << row << ", " << col << ") of matrix " << i << " is " << widened<T>(got[at])
        << ", not " << x << " within " << error << "\n";
  });
  if (wrong > 3) out << "and " << wrong - 3 << " more elements\n";
  for (std::size_t at = 0; at < got.size(); ++at) {
    if (!inside[at] && !same_bits(&got[at], &C.host[at], 1)) {
      out << "element " << at << " of the buffer, which is not of C, is written\n";
      break;
    }
  }
  return out.str();
}

}  // namespace support
