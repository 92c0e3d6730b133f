// A transform inside one's own kernel: clprim writes the function, the kernel around it is ours.
//
// Each group loads 1024 samples, transforms them, keeps the power of each frequency and adds it to
// the running mean: Welch's method (IEEE Trans. Audio Electroacoust. 15, 1967) in one kernel, the
// spectra never leaving the registers.

#include <cmath>
#include <exception>
#include <iostream>
#include <numbers>
#include <string>
#include <vector>

#include <clprim/fft.hpp>

#include "support/device.hpp"
#include "support/usage.hpp"

int main(int argc, char** argv) try {
  if (examples::told_usage(argc, argv, "A transform inside a kernel of one's own: Welch's method."))
    return 0;
  constexpr int points = 1024, segments = 64;
  const clprim::session on = clprim::open_session();
  const clprim::fft_group_function f = clprim::fft_group_text(points);
  const std::string source =
      f.text + "__kernel __attribute__((reqd_work_group_size(" + std::to_string(f.items) +
      ", 1, 1)))\nvoid welch(__global const float *samples, __global float *power)\n{\n"
      "    __local float room[" +
      std::to_string(f.local_reals) + "];\n    const int t = get_local_id(0);\n    float sum[" +
      std::to_string(f.points_per_item) + "] = {0};\n    for (int s = 0; s < " +
      std::to_string(segments) + "; ++s) {\n        float2 x[" + std::to_string(f.points_per_item) +
      "];\n        for (int e = 0; e < " + std::to_string(f.points_per_item) +
      "; ++e)\n            x[e] = (float2)(samples[s * " + std::to_string(points) + " + t + e * " +
      std::to_string(f.items) +
      "], 0);\n        fft_group(x, t, room);\n        barrier(CLK_LOCAL_MEM_FENCE);\n"
      "        for (int e = 0; e < " +
      std::to_string(f.points_per_item) +
      "; ++e) sum[e] += dot(x[e], x[e]);\n    }\n    for (int e = 0; e < " +
      std::to_string(f.points_per_item) + "; ++e) power[t + e * " + std::to_string(f.items) +
      "] = sum[e];\n}\n";

  // A tone of frequency 100 in noise that is ten times louder.
  examples::random_numbers noise(1);
  std::vector<float> samples(points * segments);
  for (std::size_t i = 0; i < samples.size(); ++i)
    samples[i] = static_cast<float>(
        0.3 * std::sin(2 * std::numbers::pi * 100.0 * static_cast<double>(i) / points) +
        3 * noise.next());
  const cl::Buffer X = examples::upload(on, samples), P = examples::make_buffer<float>(on, points);
  const auto program = clprim::build(on.context, on.device, source);
  const cl::Kernel welch = clprim::make_kernel(*program, "welch");
  clprim::set_args(welch(), X, P);
  const auto items = static_cast<std::size_t>(f.items);
  clprim::enqueue(on.queue(), welch(), {1, {items, 1, 1}, {items, 1, 1}});
  const std::vector<float> power = examples::download<float>(on, P, points);
  std::size_t loudest = 1;
  for (std::size_t k = 1; k < points / 2; ++k)
    if (power[k] > power[loudest]) loudest = k;
  std::cout << f.items << " work-items, " << f.points_per_item << " points each, "
            << f.local_reals * 4 << " bytes of local memory\n"
            << "the loudest frequency is 100: " << loudest << "\n";
  return loudest == 100 ? 0 : 1;
} catch (const std::exception& error) {
  std::cerr << error.what() << '\n';
  return 1;
}
