#include <complex>
#include <cstdint>
#include <limits>
#include <string>

#include <doctest/doctest.h>

#include <clprim/runtime/device.hpp>
#include <clprim/runtime/view.hpp>

using namespace clprim;

namespace {

constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();

const cl::Buffer& buffer_of_1024_bytes() {
  static const session s = open_session();
  static const cl::Buffer buffer(s.context, CL_MEM_READ_WRITE, 1024);
  return buffer;
}

// What is wrong with a view of the 1024-byte buffer, by the sentence of its check.
template <class T> std::string complaint(const matrix_view<T>& view) {
  try {
    (void)check_output(view, "A");
  } catch (const argument_error& e) {
    return e.what();
  }
  return "none";
}

template <class T = float> matrix_view<T> view(std::int64_t rows, std::int64_t cols) {
  return matrix<T>(buffer_of_1024_bytes(), rows, cols);
}

}  // namespace

TEST_CASE("a view is built step by step") {
  const auto v = view(3, 5).ld(8).at(2).batch(4, 24);
  CHECK(v.memory == buffer_of_1024_bytes()());
  CHECK(v.rows == 3);
  CHECK(v.cols == 5);
  CHECK(v.leading == 8);
  CHECK(v.offset == 2);
  CHECK(v.batch_count == 4);
  CHECK(v.batch_stride == 24);
  CHECK(v.order == layout::row_major);
  CHECK(v.lines() == 3);
  CHECK(v.line_length() == 5);
  CHECK(v.column_major().lines() == 5);
  CHECK(v.column_major().line_length() == 3);
}

TEST_CASE("the leading dimension follows the layout until it is given") {
  CHECK(view(3, 5).leading == 5);
  CHECK(view(3, 5).column_major().leading == 3);
  CHECK(view(3, 5).column_major().row_major().leading == 5);
  CHECK(view(3, 5).ld(5).column_major().leading == 5);
  CHECK(view(3, 5).column_major().ld(7).leading == 7);
}

TEST_CASE("transposition is noted, undone by itself, and the same as conjugation for reals") {
  const auto v = view(3, 5);
  CHECK(transposed(v).op == transposition::transpose);
  CHECK(transposed(v).rows == 3);
  CHECK(transposed(v).op_rows() == 5);
  CHECK(transposed(v).op_cols() == 3);
  CHECK(transposed(transposed(v)).op == transposition::none);
  CHECK(conjugated(v).op == transposition::transpose);
  CHECK(conjugated(transposed(v)).op == transposition::none);

  const auto z = view<std::complex<float>>(3, 5);
  CHECK(conjugated(z).op == transposition::conjugate);
  CHECK(conjugated(z).op_rows() == 5);
  CHECK(conjugated(conjugated(z)).op == transposition::none);
  CHECK_THROWS_AS(conjugated(transposed(z)), argument_error);
  CHECK_THROWS_AS(transposed(conjugated(z)), argument_error);
}

TEST_CASE("a view that fits its buffer to the last byte passes, and one element more does not") {
  CHECK(complaint(view(16, 16)) == "none");
  CHECK(complaint(view(1, 256)) == "none");
  CHECK(complaint(view(256, 1)) == "none");
  CHECK(complaint(view<double>(8, 16)) == "none");
  CHECK(complaint(view<half>(16, 32)) == "none");
  CHECK(complaint(view<std::complex<double>>(8, 8)) == "none");
  CHECK(complaint(view(15, 16).at(16)) == "none");
  CHECK(complaint(view(2, 6).ld(250)) == "none");  // the gap after the last row is not needed
  CHECK(complaint(view(2, 6).ld(250).column_major()) != "none");
  CHECK(complaint(view(4, 4).batch(16, 16)) == "none");

  const std::string head = "buffer of A must hold every element addressed: 1024 bytes given, ";
  CHECK(complaint(view(1, 257)) == head + "at least 1028 bytes");
  CHECK(complaint(view(257, 1)) == head + "at least 1028 bytes");
  CHECK(complaint(view(16, 16).at(1)) == head + "at least 1028 bytes");
  CHECK(complaint(view(2, 6).ld(251)) == head + "at least 1028 bytes");
  CHECK(complaint(view(4, 4).at(1).batch(16, 16)) == head + "at least 1028 bytes");
  CHECK(complaint(view(4, 4).batch(17, 16)) == head + "at least 1088 bytes");
  CHECK(complaint(view<std::complex<double>>(8, 8).at(1)) == head + "at least 1040 bytes");
}

TEST_CASE("sizes that are wrong are named with their numbers") {
  CHECK(complaint(view(-1, 4)) == "rows of A must not be negative: -1 given, at least 0");
  CHECK(complaint(view(4, -1)) == "columns of A must not be negative: -1 given, at least 0");
  CHECK(complaint(view(1LL << 31, 1)) ==
        "rows of A must fit 32 bits: 2147483648 given, at most 2147483647");
  CHECK(complaint(view(1, 1LL << 31)) ==
        "columns of A must fit 32 bits: 2147483648 given, at most 2147483647");
  CHECK(complaint(view(3, 5).ld(4)) ==
        "leading dimension of A must be at least its columns: 4 given, at least 5");
  CHECK(complaint(view(5, 3).column_major().ld(4)) ==
        "leading dimension of A must be at least its rows: 4 given, at least 5");
  CHECK(complaint(view(1, 5).ld(0)) ==
        "leading dimension of A must be at least its columns: 0 given, at least 5");
  CHECK(complaint(view(3, 5).ld(-5)) ==
        "leading dimension of A must be at least its columns: -5 given, at least 5");
  CHECK(complaint(view(3, 5).at(-1)) == "offset of A must not be negative: -1 given, at least 0");
  CHECK(complaint(view(3, 5).batch(-1, 15)) ==
        "batch count of A must not be negative: -1 given, at least 0");
  CHECK(complaint(view(3, 5).batch(2, -15)) ==
        "batch stride of A must not be negative: -15 given, at least 0");
}

TEST_CASE("a view without elements needs no buffer, but sensible sizes") {
  CHECK(complaint(matrix<float>(cl::Buffer(), 0, 5)) == "none");
  CHECK(complaint(matrix<float>(cl::Buffer(), 5, 0)) == "none");
  CHECK(complaint(matrix<float>(cl::Buffer(), 5, 5).batch(0, 25)) == "none");
  CHECK(complaint(matrix<float>(cl::Buffer(), 0, 5).ld(most).at(most)) == "none");
  CHECK(complaint(matrix<float>(cl::Buffer(), 0, 5).ld(4)) != "none");
  CHECK(complaint(matrix<float>(cl::Buffer(), 1, 1)) ==
        "buffer of A must be a buffer: a null handle given, at least 4 bytes");
}

TEST_CASE("extents past 64 bits are refused, not wrapped") {
  const std::string sentence =
      "last element of A must have an address that fits 64 bits: a place past 9223372036854775807 "
      "bytes given, at most 9223372036854775807 bytes";
  CHECK(complaint(view(2, 2).ld(most)) == sentence);
  CHECK(complaint(view(3, 2).ld(most / 2)) == sentence);
  CHECK(complaint(view(2, 2).ld(most / 4)) == sentence);
  CHECK(complaint(view(2, 2).at(most)) == sentence);
  CHECK(complaint(view(2, 2).batch(2, most)) == sentence);
  CHECK(complaint(view(2, 2).batch(2147483647, most / 2147483646)) == sentence);
  CHECK(complaint(view(1, 2).ld(most)) == "none");  // one line never leaves its start
  CHECK(complaint(view(2, 2).batch(1, most)) == "none");
}

TEST_CASE("the matrices of an output must keep apart, those of an input need not") {
  CHECK(complaint(view(2, 4).batch(3, 0)) ==
        "batch stride of A must keep the matrices of an output apart: 0 given, a stride at which "
        "they share no element");
  CHECK(complaint(view(2, 4).batch(3, 7)) != "none");
  CHECK(complaint(view(2, 4).batch(3, 8)) == "none");
  CHECK(complaint(view(2, 4).ld(12).batch(3, 4)) == "none");  // side by side in wide rows
  CHECK(complaint(view(2, 4).ld(12).batch(4, 4)) != "none");  // the fourth is the first, a row on
  CHECK(complaint(view(1, 4).batch(3, 4)) == "none");
  CHECK(complaint(view(2, 4).batch(1, 0)) == "none");
  CHECK_NOTHROW(check_matrix(view(2, 4).batch(3, 0), "A"));
  CHECK_NOTHROW(check_matrix(view(2, 4).batch(3, 1), "A"));
}

TEST_CASE("an offset array must have an entry for each matrix, and the base must fit") {
  static const session s = open_session();
  const cl::Buffer offsets(s.context, CL_MEM_READ_ONLY, 4 * sizeof(std::int64_t));
  CHECK(complaint(view(4, 4).batch(4, offsets)) == "none");
  CHECK(complaint(view(4, 4).batch(5, offsets)) ==
        "batch offsets of A must hold every element addressed: 32 bytes given, at least 40 bytes");
  CHECK(complaint(view(16, 16).at(1).batch(4, offsets)) != "none");
  CHECK(complaint(view(4, 4).batch(0, offsets)) == "none");
  CHECK(view(4, 4).batch(4, offsets).batch(2, 16).batch_offsets == nullptr);
}

TEST_CASE("vectors are checked the same way") {
  const auto v = vector<float>(buffer_of_1024_bytes(), 256);
  CHECK(check_vector(v, "x").end() == 1024);
  CHECK_THROWS_WITH_AS(
      check_vector(vector<float>(buffer_of_1024_bytes(), 257), "x"),
      "buffer of x must hold every element addressed: 1024 bytes given, at least 1028 bytes",
      argument_error);
  vector_view<float> strided = v;
  strided.count = 3;
  strided.stride = 100;
  CHECK(check_vector(strided, "x").end() == 804);
  strided.offset = 56;
  CHECK_THROWS_AS(check_vector(strided, "x"), argument_error);
  strided.stride = 0;
  CHECK_THROWS_WITH_AS(check_vector(strided, "x"),
                       "stride of x must be positive: 0 given, at least 1", argument_error);
  CHECK_THROWS_AS(check_vector(vector<float>(buffer_of_1024_bytes(), -1), "x"), argument_error);
  CHECK(check_vector(vector<float>(cl::Buffer(), 0), "x").empty());
}

TEST_CASE("views overlap by their bytes, whatever layout, transposition and type") {
  const auto whole = view(16, 16);
  const auto left = view(16, 8).ld(16);
  const auto right = left.at(8);
  const auto top = view(8, 16);
  const auto bottom = top.at(128);
  CHECK(overlaps(whole, left));
  CHECK_FALSE(overlaps(left, right));
  CHECK_FALSE(overlaps(left, transposed(right)));
  CHECK_FALSE(overlaps(top, bottom));
  CHECK(overlaps(left, bottom));
  CHECK(overlaps(left, left));
  // The right half again, as the transpose that column-major reading makes of it.
  const auto right_by_columns = view(8, 16).column_major().ld(16).at(8);
  CHECK_FALSE(overlaps(left, right_by_columns));
  CHECK(overlaps(right, right_by_columns));
  // The left half as halves: rows of 16 halves, 32 apart.
  const auto left_as_halves = view<half>(16, 16).ld(32);
  CHECK(overlaps(left, left_as_halves));
  CHECK_FALSE(overlaps(right, left_as_halves));
}
