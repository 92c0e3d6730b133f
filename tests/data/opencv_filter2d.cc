// Makes opencv-filter2d.txt, which tests/convolve/opencv.cpp reads and explains. No build compiles
// this: it needs OpenCV (Debian: libopencv-dev), and its results are kept.
//
//   g++ -std=c++17 opencv_filter2d.cc $(pkg-config --cflags --libs opencv4) -o /tmp/make &&
//     /tmp/make > opencv-filter2d.txt

#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>

namespace {

struct pixel_type {
  const char* name;
  int depth;
  int lowest, highest;
};
constexpr pixel_type uint8{"uint8", CV_8U, 0, 255}, uint16{"uint16", CV_16U, 0, 65535},
    int16{"int16", CV_16S, -32768, 32767}, real{"float", CV_32F, -300, 300},
    twice{"double", CV_64F, -300, 300};

struct border {
  const char* name;
  int flag;
};
constexpr border borders[]{{"constant", cv::BORDER_CONSTANT},
                           {"replicate", cv::BORDER_REPLICATE},
                           {"reflect", cv::BORDER_REFLECT},
                           {"reflect_101", cv::BORDER_REFLECT_101},
                           {"wrap", cv::BORDER_WRAP}};

std::mt19937 bits(20261122);
int between(int low, int high) { return std::uniform_int_distribution<int>(low, high)(bits); }

/// Multiples of 1/8 whose magnitudes add up to less than `sum`: sums of pixels are exact in float.
cv::Mat coefficients(int rows, int cols, double sum) {
  cv::Mat taps(rows, cols, CV_64F);
  const int most = std::max(1, std::min(20, static_cast<int>(8 * sum / (rows * cols))));
  for (int i = 0; i < rows * cols; ++i)
    taps.at<double>(i / cols, i % cols) = between(-most, most) / 8.0;
  return taps;
}

void write_line(const cv::Mat& m) {
  cv::Mat wide;
  m.convertTo(wide, CV_64F);
  for (int y = 0; y < wide.rows; ++y)
    for (int x = 0; x < wide.cols * wide.channels(); ++x)
      std::printf("%.17g ", wide.ptr<double>(y)[x]);
}

void one(const pixel_type& in, const pixel_type& out, const border& b, bool separable) {
  const int channels = between(1, 10) > 6 ? between(2, 4) : 1;
  const int height = between(1, 12), width = between(1, 14);
  cv::Mat image(height, width, CV_MAKETYPE(CV_64F, channels));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width * channels; ++x)
      image.ptr<double>(y)[x] = between(in.lowest, in.highest);
  image.convertTo(image, in.depth);
  cv::Rect part(0, 0, width, height);
  if (between(0, 1) == 1) {
    part.x = between(0, width - 1), part.y = between(0, height - 1);
    part.width = between(1, width - part.x), part.height = between(1, height - part.y);
  }
  const bool isolated = between(0, 1) == 1;
  const int ky = between(1, between(0, 2) == 0 ? 9 : 5),
            kx = between(1, between(0, 2) == 0 ? 9 : 5);
  const int ay = between(0, ky - 1), ax = between(0, kx - 1);
  const bool large = in.highest > 1000;
  const cv::Mat dense = coefficients(ky, kx, large ? 30 : 500),
                column = coefficients(ky, 1, large ? 2.4 : 5),
                row = coefficients(1, kx, large ? 2.4 : 5);
  // cv::filter2D has no wrap: the image, or the region that is isolated, is extended before.
  cv::Mat whole = image, source = image(part);
  cv::Rect where = part;
  int flag = b.flag;
  if (b.flag == cv::BORDER_WRAP) {
    cv::Mat extended;
    cv::copyMakeBorder(isolated ? source.clone() : whole, extended, ky, ky, kx, kx,
                       cv::BORDER_WRAP);
    where = isolated ? cv::Rect(kx, ky, part.width, part.height)
                     : cv::Rect(part.x + kx, part.y + ky, part.width, part.height);
    source = extended(where);
    flag = cv::BORDER_REPLICATE;
  } else if (isolated) {
    flag |= cv::BORDER_ISOLATED;
  }
  cv::Mat result;
  const cv::Point anchor(ax, ay);
  if (separable)
    cv::sepFilter2D(source, result, out.depth, row, column, anchor, 0, flag);
  else
    cv::filter2D(source, result, out.depth, dense, anchor, 0, flag);
  std::printf("%s %s %s %s %d %d %d %d %d %d %d %d %d %d %d %d\n", separable ? "separable" : "case",
              in.name, out.name, b.name, channels, height, width, part.y, part.x, part.height,
              part.width, isolated ? 1 : 0, ky, kx, ay, ax);
  if (separable) {
    write_line(column);
    write_line(row);
  } else {
    write_line(dense);
  }
  std::printf("\n");
  write_line(image);
  std::printf("\n");
  write_line(result);
  std::printf("\n");
}

}  // namespace

int main() {
  cv::setNumThreads(1);
  std::printf("# cv::filter2D and cv::sepFilter2D of OpenCV %s; see tests/convolve/opencv.cpp\n",
              CV_VERSION);
  struct pair {
    pixel_type in, out;
    int cases;
  };
  for (const pair& p : {pair{uint8, uint8, 2},
                        {uint8, int16, 1},
                        {uint8, real, 1},
                        {uint16, uint16, 1},
                        {uint16, real, 1},
                        {int16, int16, 1},
                        {int16, real, 1},
                        {real, real, 2},
                        {twice, twice, 1}})
    for (const border& b : borders)
      for (int i = 0; i < p.cases; ++i) one(p.in, p.out, b, false);
  for (const pair& p : {pair{uint8, int16, 1}, {int16, real, 1}, {real, real, 1}})
    for (const border& b : borders) one(p.in, p.out, b, true);
}
