#pragma once
// Filters: coefficients on the host or in a buffer, dense or separable, and where their anchor is.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <clprim/convolve/element.hpp>
#include <clprim/runtime/handle.hpp>

namespace clprim {

/// A filter of one, two or three dimensions. A dense one has its coefficients row by row, plane by
/// plane; a separable one is a product of one-dimensional ones, w(z, y, x) = z[z] y[y] x[x], whose
/// coefficients follow each other: those along x, along y, along z.
template <tap_type A> struct filter {
  std::array<int, 3> taps{1, 1, 1};  ///< along x, y, z
  bool is_separable = false;
  std::vector<A> coefficients{};  ///< on the host, or empty:
  cl_mem memory = nullptr;        ///< in a buffer, read at each call
  std::int64_t offset = 0;        ///< of the first one in the buffer
  /// The tap that lies on the output's own place, per axis; without one the middle of an odd size.
  std::array<std::optional<int>, 3> anchors{};

  /// How many coefficients there are.
  constexpr std::int64_t size() const {
    const std::int64_t x = taps[0], y = taps[1], z = taps[2];
    return is_separable ? x + y + (z > 1 ? z : 0) : x * y * z;
  }
  /// Sets the anchor along x.
  filter anchor(int x) const { return anchored({x, anchors[1], anchors[2]}); }
  /// Along y and x.
  filter anchor(int y, int x) const { return anchored({x, y, anchors[2]}); }
  /// Along z, y and x.
  filter anchor(int z, int y, int x) const { return anchored({x, y, z}); }

 private:
  filter anchored(std::array<std::optional<int>, 3> where) const {
    filter f = *this;
    f.anchors = where;
    return f;
  }
};

/// A filter of `taps` coefficients for signals.
template <tap_type A> filter<A> filter_1d(std::vector<A> coefficients) {
  const int n = static_cast<int>(coefficients.size());
  return {.taps = {n, 1, 1}, .coefficients = std::move(coefficients)};
}
/// A filter of rows x columns coefficients, row by row.
template <tap_type A> filter<A> filter_2d(int rows, int columns, std::vector<A> coefficients) {
  return {.taps = {columns, rows, 1}, .coefficients = std::move(coefficients)};
}
/// A filter of planes x rows x columns coefficients.
template <tap_type A>
filter<A> filter_3d(int planes, int rows, int columns, std::vector<A> coefficients) {
  return {.taps = {columns, rows, planes}, .coefficients = std::move(coefficients)};
}
/// A filter of rows x columns coefficients in a buffer, which may change from call to call.
template <tap_type A>
filter<A> device_filter_2d(int rows, int columns, memory_handle buffer, std::int64_t offset = 0) {
  return {.taps = {columns, rows, 1}, .memory = buffer(), .offset = offset};
}
/// The filter w(y, x) = column[y] row[x].
template <tap_type A> filter<A> separable_filter(std::vector<A> column, std::vector<A> row) {
  const int columns = static_cast<int>(row.size()), rows = static_cast<int>(column.size());
  filter<A> f{.taps = {columns, rows, 1}, .is_separable = true, .coefficients = std::move(row)};
  f.coefficients.insert(f.coefficients.end(), column.begin(), column.end());
  return f;
}
/// The filter w(z, y, x) = deep[z] column[y] row[x].
template <tap_type A>
filter<A> separable_filter(const std::vector<A>& deep, std::vector<A> column, std::vector<A> row) {
  filter<A> f = separable_filter(std::move(column), std::move(row));
  f.taps[2] = static_cast<int>(deep.size());
  if (deep.size() != 1) {
    f.coefficients.insert(f.coefficients.end(), deep.begin(), deep.end());
  } else {  // one coefficient is a factor of the others
    for (int k = 0; k < f.taps[0]; ++k) f.coefficients[static_cast<std::size_t>(k)] *= deep[0];
  }
  return f;
}

}  // namespace clprim
