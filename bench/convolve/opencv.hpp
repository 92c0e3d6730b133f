#pragma once
// OpenCV's own CPU filters on both halves of an image at a time: cv::filter2D runs on one core.

#if CLPRIM_HAS_OPENCV
#include <vector>

#include <opencv2/imgproc.hpp>

namespace bench {

/// Correlates with a border of zeros. Each band sees the other's rows as its surroundings.
inline void opencv_filter(const cv::Mat& from, cv::Mat& to, const cv::Mat& column,
                          const cv::Mat& row, const cv::Mat& dense) {
  const int bands = cv::getNumThreads();
  cv::parallel_for_(
      cv::Range(0, bands),
      [&](const cv::Range& mine) {
        for (int b = mine.start; b < mine.end; ++b) {
          const int begin = from.rows * b / bands, end = from.rows * (b + 1) / bands;
          const cv::Mat source = from.rowRange(begin, end);
          cv::Mat target = to.rowRange(begin, end);
          if (dense.empty())
            cv::sepFilter2D(source, target, CV_32F, row, column, cv::Point(-1, -1), 0,
                            cv::BORDER_CONSTANT);
          else
            cv::filter2D(source, target, CV_32F, dense, cv::Point(-1, -1), 0, cv::BORDER_CONSTANT);
        }
      },
      bands);
}

}  // namespace bench
#endif
