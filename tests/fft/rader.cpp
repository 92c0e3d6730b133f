// Primes by Rader's method where transforms are rows on one side and columns on the other.

#include <cstdint>
#include <cstdlib>
#include <string>
#include <vector>

#include "fft/reference.hpp"
#include "fft/some_policies.hpp"

using namespace clprim;
using namespace support;

namespace {

using number = std::complex<float>;

/// Rows or columns: where the points, and the transforms, of an array of transforms x points lie.
placed_array laid(std::int64_t transforms, std::int64_t points, bool rows) {
  placed_array a = tight_array({transforms, points});
  if (!rows) a.strides = {1, transforms};
  return a;
}

struct way {
  bool in_rows, out_rows;
};

/// One axis of n points, `transforms` of them; real: to half a spectrum and back.
std::string complaint_of(std::int64_t n, std::int64_t transforms, way w, const fft_policy& policy,
                         surroundings kind = surroundings::zones) {
  const session& s = device_session();
  const placed_array a = laid(transforms, n, w.in_rows), b = laid(transforms, n, w.out_rows),
                     h = laid(transforms, n / 2 + 1, w.out_rows);
  draw d(static_cast<std::uint64_t>(n));
  const auto from = random_complex<float>(d, a.size());
  std::vector<float> reals(a.size());
  for (float& v : reals) v = static_cast<float>(d.unit());
  guarded_buffer<number> X(s, from, {7, 7}, kind), Y(s, from, {7, 7}, kind),
      H(s, std::vector<number>(h.size()), {7, 7}, kind);
  guarded_buffer<float> R(s, reals, 7, kind), B(s, reals, 7, kind);
  fft<float> transform(s.queue, {.inverse_scale = 1 / static_cast<double>(n), .policy = policy});
  const auto x = a.view<number>(X.buffer()), y = b.view<number>(Y.buffer());
  wait_for(transform.forward(x, y));
  wait_for(transform.forward(a.view<float>(R.buffer()), h.view<number>(H.buffer())));
  wait_for(transform.inverse(h.view<number>(H.buffer()), a.view<float>(B.buffer())));
  wide_values wide, real, half;
  std::vector<number> got, halves, back;
  const auto all = Y.read(), spectrum = H.read();
  const auto again = B.read();
  for (std::int64_t i = 0; i < a.count(); ++i) {
    wide.emplace_back(from[a.at(i)]);
    real.emplace_back(reals[a.at(i)]);
    got.push_back(all[b.at(i)]);
    back.emplace_back(again[a.at(i)]);
  }
  for (std::int64_t i = 0; i < h.count(); ++i) halves.push_back(spectrum[h.at(i)]);
  const wide_values of_real = reference_transform(real, {transforms, n}, 1);
  for (std::int64_t i = 0; i < a.count(); ++i)
    if (i % n <= n / 2) half.push_back(of_real[static_cast<std::size_t>(i)]);
  const long double e1 = relative_error(got, reference_transform(wide, {transforms, n}, 1)),
                    e2 = relative_error(halves, half), e3 = relative_error(back, real),
                    bound = error_bound<float>({n});
  if (e1 <= bound && e2 <= bound && e3 <= 2 * bound && Y.intact() && H.intact() && B.intact())
    return {};
  return std::to_string(n) + " points, " + std::to_string(transforms) + " transforms, " +
         (w.in_rows ? "rows to " : "columns to ") + (w.out_rows ? "rows" : "columns") +
         ": errors " + std::to_string(static_cast<double>(e1)) + ", real " +
         std::to_string(static_cast<double>(e2)) + ", back " +
         std::to_string(static_cast<double>(e3)) + ", " + to_string(policy);
}

constexpr fft_policy groups{.points = 8, .group = 32, .columns = 4};

}  // namespace

TEST_CASE("Rader's transforms read columns and write rows, or the reverse") {
  int which = 0;
  std::vector<std::int64_t> lengths{41, 61, 97, 1009};
  if (std::getenv("CLPRIM_CAMPAIGN") != nullptr)
    for (const std::int64_t n : {43, 53, 71, 101, 127, 211, 257}) lengths.push_back(n);
  for (const std::int64_t n : lengths) {
    const way w = which++ % 2 == 0 ? way{false, true} : way{true, false};
    const std::string complaint = complaint_of(n, 5, w, groups);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
CAMPAIGN("Rader's transforms change direction under any policy") {
  run_campaign("rader", 2, [](draw& d) {
    fft_policy p = draw_item_policy(d);
    p.one_pass = std::max(p.one_pass, 512);
    const auto n = d.one_of({41, 43, 53, 61, 71, 79, 97, 101, 127, 131, 211, 331});
    return complaint_of(n, d.one_of({1, 3, 6, 17}), {d.chance(40), d.chance(40)}, p);
  });
}
TEST_CASE("Rader's transforms change direction without races" * doctest::test_suite("oclgrind")) {
  for (const bool rows : {false, true}) {
    const std::string complaint = complaint_of(
        41, 3, {rows, !rows}, {.points = 4, .group = 8, .columns = 2}, surroundings::nothing);
    CHECK_MESSAGE(complaint.empty(), complaint);
  }
}
