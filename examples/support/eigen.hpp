#pragma once
// Eigenvalues and eigenvectors of a small symmetric matrix on the host.

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace examples {

/// The largest value first; a vector is a row.
struct eigen_system {
  std::vector<float> values;
  std::vector<float> vectors;
};

/// By Jacobi's rotations (Golub and Van Loan, "Matrix Computations", 8.5), each of which makes one
/// element off the diagonal zero; sweeps until they are small.
inline eigen_system eigen_of(const std::vector<float>& matrix, int size) {
  const auto n = static_cast<std::size_t>(size);
  std::vector<double> a(matrix.begin(), matrix.end()), v(n * n);
  for (std::size_t i = 0; i < n; ++i) v[i * n + i] = 1;
  for (int sweep = 0; sweep < 50; ++sweep) {
    double off = 0;
    for (std::size_t p = 0; p < n; ++p)
      for (std::size_t q = p + 1; q < n; ++q) {
        off += a[p * n + q] * a[p * n + q];
        if (std::fabs(a[p * n + q]) < 1e-14) continue;
        const double tau = (a[q * n + q] - a[p * n + p]) / (2 * a[p * n + q]);
        const double t = (tau < 0 ? -1 : 1) / (std::fabs(tau) + std::hypot(1, tau));
        const double c = 1 / std::hypot(1, t), s = t * c;
        const auto turn = [&](double& x, double& y) {
          const double old = x;
          x = c * old - s * y;
          y = s * old + c * y;
        };
        for (std::size_t k = 0; k < n; ++k) turn(a[k * n + p], a[k * n + q]);
        for (std::size_t k = 0; k < n; ++k) turn(a[p * n + k], a[q * n + k]);
        for (std::size_t k = 0; k < n; ++k) turn(v[p * n + k], v[q * n + k]);
      }
    if (off < 1e-20) break;
  }
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(),
            [&](std::size_t i, std::size_t j) { return a[i * n + i] > a[j * n + j]; });
  eigen_system found;
  for (const std::size_t i : order) {
    found.values.push_back(static_cast<float>(a[i * n + i]));
    for (std::size_t k = 0; k < n; ++k) found.vectors.push_back(static_cast<float>(v[i * n + k]));
  }
  return found;
}

}  // namespace examples
