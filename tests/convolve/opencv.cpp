// Borders, anchors, regions and rounding are those of OpenCV: results of cv::filter2D and
// cv::sepFilter2D in data/opencv-filter2d.txt, made by data/opencv_filter2d.cc. Each case there is
// four lines:
//
//   case (or separable) IN OUT BORDER, channels, height, width, the region's y, x, height, width,
//        whether it is isolated, taps along y and x, anchor along y and x
//   the coefficients (of separable ones the column, then the row)
//   the whole image
//   the region's output
//
// cv::filter2D has no wrap: there the image was extended by cv::copyMakeBorder before. Coefficients
// are multiples of 1/8 and pixels are integers, so that sums are exact, and many of them ties.

#include <cstdint>
#include <fstream>
#include <locale>
#include <sstream>
#include <string>
#include <vector>

#include <doctest/doctest.h>

#include <clprim/convolve.hpp>

#include "support/builds.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

struct opencv_case {
  std::string in, out, border;
  int channels = 1, height = 0, width = 0, y = 0, x = 0, rows = 0, columns = 0, isolated = 0;
  int ky = 1, kx = 1, ay = 0, ax = 0;
  bool separable = false;
  std::vector<double> taps, pixels, expected;
};

std::vector<double> numbers(std::istream& file) {
  std::string line;
  std::getline(file, line);
  std::istringstream words(line);
  words.imbue(std::locale::classic());
  std::vector<double> all;
  for (double x = 0; words >> x;) all.push_back(x);
  return all;
}

std::vector<opencv_case> cases() {
  std::ifstream file("data/opencv-filter2d.txt");
  std::vector<opencv_case> all;
  for (std::string line; std::getline(file, line);) {
    std::istringstream words(line);
    words.imbue(std::locale::classic());
    std::string kind;
    words >> kind;
    if (kind != "case" && kind != "separable") continue;
    opencv_case c;
    c.separable = kind == "separable";
    words >> c.in >> c.out >> c.border >> c.channels >> c.height >> c.width >> c.y >> c.x >>
        c.rows >> c.columns >> c.isolated >> c.ky >> c.kx >> c.ay >> c.ax;
    c.taps = numbers(file);
    c.pixels = numbers(file);
    c.expected = numbers(file);
    all.push_back(c);
  }
  return all;
}

border_mode mode_of(const std::string& name) {
  for (std::size_t i = 0; i < enum_names<border_mode>::names.size(); ++i)
    if (name == enum_names<border_mode>::names[i]) return static_cast<border_mode>(i);
  FAIL("a border that is not known: " << name);
  return border_mode::constant;
}

template <class T, class Out> void compare(const opencv_case& c) {
  const session& s = device_session();
  using sum = pixel_accumulator_t<T>;
  std::vector<T> pixels;
  for (const double p : c.pixels) pixels.push_back(static_cast<T>(p));
  std::vector<sum> taps;
  for (const double w : c.taps) taps.push_back(static_cast<sum>(w));
  const std::vector<Out> before(c.expected.size());
  guarded_buffer<T> A(s, pixels, T{});
  guarded_buffer<Out> B(s, before, Out{});
  auto in = image<T>(A.buffer(), c.height, c.width)
                .channels(c.channels)
                .region(c.y, c.x, c.rows, c.columns);
  if (c.isolated != 0) in = in.isolated();
  convolve<T, Out> run(s.queue, {.border = mode_of(c.border)});
  const auto middle = taps.begin() + (c.separable ? c.ky : 0);
  const filter<sum> f = c.separable
                            ? separable_filter<sum>({taps.begin(), middle}, {middle, taps.end()})
                            : filter_2d<sum>(c.ky, c.kx, taps);
  wait_for(run(in, f.anchor(c.ay, c.ax),
               image<Out>(B.buffer(), c.rows, c.columns).channels(c.channels)));
  const std::vector<Out> got = B.read();
  for (std::size_t i = 0; i < got.size(); ++i) {
    if (static_cast<double>(got[i]) == c.expected[i]) continue;
    FAIL_CHECK((c.separable ? "separable, " : "")
               << c.in << " to " << c.out << ", " << c.border << ", " << c.height << " x "
               << c.width << ", taps " << c.ky << " x " << c.kx << ": element " << i << " is "
               << static_cast<double>(got[i]) << ", OpenCV's is " << c.expected[i]);
    return;
  }
}

void compare_all(const std::string& in) {
  int compared = 0;
  for (const opencv_case& c : cases()) {
    if (c.in != in) continue;
    ++compared;
    if (c.in == "uint8" && c.out == "uint8") compare<std::uint8_t, std::uint8_t>(c);
    if (c.in == "uint8" && c.out == "int16") compare<std::uint8_t, std::int16_t>(c);
    if (c.in == "uint8" && c.out == "float") compare<std::uint8_t, float>(c);
    if (c.in == "uint16" && c.out == "uint16") compare<std::uint16_t, std::uint16_t>(c);
    if (c.in == "uint16" && c.out == "float") compare<std::uint16_t, float>(c);
    if (c.in == "int16" && c.out == "int16") compare<std::int16_t, std::int16_t>(c);
    if (c.in == "int16" && c.out == "float") compare<std::int16_t, float>(c);
    if (c.in == "float") compare<float, float>(c);
    if (c.in == "double") compare<double, double>(c);
  }
  CHECK(compared >= 5);
}

}  // namespace

TEST_CASE("bytes are filtered as by OpenCV") {
  const unoptimised_builds quickly;
  compare_all("uint8");
}
TEST_CASE("integers of 16 bits are filtered as by OpenCV") {
  const unoptimised_builds quickly;
  compare_all("uint16");
  compare_all("int16");
}
TEST_CASE("float and double are filtered as by OpenCV") {
  compare_all("float");
  if (facts_of(device_session().device).fp64) compare_all("double");
}
