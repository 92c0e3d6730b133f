// Every shape of generated kernel once, on sizes that no tile likes, for Oclgrind to watch: data
// races, accesses out of bounds (the buffers end with the last element), uninitialised reads.

#include <array>
#include <complex>
#include <deque>
#include <string>

#include <doctest/doctest.h>

#include <clprim/gemm.hpp>

#include "gemm/product.hpp"
#include "support/device.hpp"

using namespace clprim;
using namespace support;

namespace {

/// Groups of eight items, four outputs each: tiles of 4 x 8, steps of 4.
constexpr gemm_policy small{.tile_m = 4,
                            .tile_n = 8,
                            .tile_k = 4,
                            .per_item_m = 2,
                            .per_item_n = 2,
                            .lanes_m = 2,
                            .lanes_n = 2,
                            .vector = 2,
                            .vector_m = 2,
                            .vector_n = 2};

constexpr gemm_policy overlapped = [] {
  gemm_policy p = small;
  p.buffer = buffering::registers;
  p.stages = 2;
  return p;
}();

/// One item that computes 2 x 2 blocks of 2 x 4.
constexpr gemm_policy single_item{.tile_m = 4,
                                  .tile_n = 8,
                                  .tile_k = 4,
                                  .per_item_m = 2,
                                  .per_item_n = 4,
                                  .blocks_m = 2,
                                  .blocks_n = 2,
                                  .lanes_m = 1,
                                  .lanes_n = 1,
                                  .vector = 4,
                                  .vector_m = 1,
                                  .vector_n = 4,
                                  .order = local_order::stored,
                                  .unaligned = true,
                                  .unroll = 1};

/// An object that is never destroyed, for the sake of its workspace (see guarded_buffer).
template <class T> gemm<T>& kept(const session& s, const gemm_options& options) {
  static auto* const all = new std::deque<gemm<T>>;
  return all->emplace_back(s.queue, options);
}

template <class T> void watch(const gemm_policy& policy, product p) {
  const session& s = device_session();
  gemm<T>& multiply =
      kept<T>(s, {.policy = policy, .epilogue = epilogue_of<product_output_t<T>>(p.epilogue)});
  CAPTURE(to_string(policy));
  CAPTURE(replay_text<T>(p));
  CHECK(complaint_about<T>(s, multiply, p, {.around = surroundings::nothing, .twice = false}) ==
        "");
}

constexpr product ragged{.m = 9, .n = 13, .k = 7, .beta = {0.5, 0}};

template <class T> void every_type() {
  for (const gemm_policy& policy : {small, overlapped, single_item}) watch<T>(policy, ragged);
  gemm_policy in_parts = overlapped;
  in_parts.split_k = 2;
  product deep = ragged;
  deep.k = 19;
  watch<T>(in_parts, deep);
}

}  // namespace

TEST_SUITE_BEGIN("oclgrind");

TEST_CASE("kernels of float touch what is theirs") { every_type<float>(); }
TEST_CASE("kernels of double touch what is theirs") { every_type<double>(); }
TEST_CASE("kernels of half touch what is theirs") { every_type<half>(); }
TEST_CASE("kernels of int8 touch what is theirs") { every_type<std::int8_t>(); }
TEST_CASE("kernels of float8 touch what is theirs") { every_type<float8_e4m3>(); }
TEST_CASE("kernels of complex float touch what is theirs") { every_type<std::complex<float>>(); }
TEST_CASE("kernels of complex double touch what is theirs") { every_type<std::complex<double>>(); }

TEST_CASE("every staging and order of tiles touches what is its own") {
  for (const staging a : {staging::global, staging::local}) {
    for (const staging b : {staging::global, staging::local}) {
      for (const local_order order :
           {local_order::plain, local_order::padded, local_order::stored}) {
        const bool both = a == staging::local && b == staging::local;
        if (!both && order != local_order::plain) continue;
        gemm_policy p = small;
        p.stage_a = a, p.stage_b = b, p.order = order;
        if (order == local_order::stored) p.vector_m = 1;
        watch<float>(p, ragged);
      }
    }
  }
}

TEST_CASE("sums that pass through local memory touch what is their own") {
  for (gemm_policy p : {small, overlapped}) {
    p.stage_c = staging::local;
    for (const int slices : {1, 2}) {
      p.slices_k = slices;
      watch<float>(p, ragged);
      watch<std::complex<float>>(p, ragged);
    }
    p.split_k = 2;
    product deep = ragged;
    deep.k = 40;
    watch<float>(p, deep);
  }
}

TEST_CASE("rows of C that are stored as one run of memory touch what is their own") {
  for (gemm_policy p : {small, overlapped}) {
    p.stage_c = staging::local;
    p.vector_m = 1;
    for (const int n : {1, 3, 7}) {
      product narrow{.m = 9, .n = n, .k = 7, .batch = 2, .beta = {n == 3 ? 0.5 : 0, 0}};
      narrow.c.offset = n;
      watch<float>(p, narrow);
      watch<half>(p, narrow);
    }
  }
}

TEST_CASE(
    "every direction of the operands is read within its bounds, walked singly or overlapped") {
  for (const gemm_policy& policy : {small, overlapped, single_item}) {
    for (const layout a : {layout::row_major, layout::column_major}) {
      for (const layout b : {layout::row_major, layout::column_major}) {
        product p = ragged;
        p.a.order = a, p.b.order = b;
        p.c.order = a;  // the transposed product too
        watch<float>(policy, p);
      }
    }
  }
}

TEST_CASE("transposed and conjugated operands are read within their bounds") {
  for (const transposition a : {transposition::transpose, transposition::conjugate}) {
    for (const transposition b : {transposition::none, transposition::conjugate}) {
      product p = ragged;
      p.a.op = a, p.b.op = b;
      p.beta = 0;
      watch<std::complex<float>>(small, p);
    }
  }
}

TEST_CASE("sizes just under, on and over a tile stay within their bounds") {
  for (const gemm_policy& policy : {small, overlapped, single_item}) {
    for (const auto& [m, n, k] :
         {std::array{1, 1, 1}, std::array{3, 7, 3}, std::array{4, 8, 4}, std::array{5, 9, 5},
          std::array{8, 16, 8}, std::array{1, 17, 9}, std::array{11, 1, 2}, std::array{5, 3, 0}}) {
      product p{.m = m, .n = n, .k = k};
      watch<float>(policy, p);
    }
  }
}

TEST_CASE("vectors of every width, aligned or at any element, stay within their bounds") {
  for (const int width : {1, 2, 4, 8}) {
    for (const bool unaligned : {false, true}) {
      gemm_policy p = small;
      p.tile_m = 2 * width, p.tile_n = 2 * width, p.tile_k = width > 4 ? 8 : 4;
      p.per_item_m = p.per_item_n = width;
      p.lanes_m = p.lanes_n = 1;
      p.vector = p.vector_m = p.vector_n = width;
      p.unaligned = unaligned;
      product even{.m = 3 * width, .n = 5 * width, .k = 2 * width, .beta = 1};
      watch<float>(p, even);  // whole vectors
      watch<half>(p, even);
      product odd = ragged;
      odd.a.ld_extra = 1, odd.b.offset = 3, odd.c.ld_extra = 2;
      watch<float>(p, odd);
    }
  }
}

TEST_CASE("packed operands are copied and read within their bounds") {
  for (gemm_policy policy : {small, overlapped}) {
    policy.packed = true;
    policy.vector = 4;
    policy.tile_k = 8;
    for (const layout a : {layout::row_major, layout::column_major}) {
      for (const layout b : {layout::row_major, layout::column_major}) {
        product odd = ragged;
        odd.m = 2 * policy.tile_m + 1, odd.n = 3 * policy.tile_n - 1;
        odd.a.order = a, odd.b.order = b;
        odd.a.offset = 1, odd.b.ld_extra = 2;
        watch<float>(policy, odd);
        watch<half>(policy, odd);
        odd.batch = 3;
        watch<double>(policy, odd);
      }
    }
  }
}

TEST_CASE("slices along k add up without a race") {
  for (const int slices : {2, 3, 4}) {
    gemm_policy p = small;
    p.slices_k = slices;
    p.tile_k = 4 * slices;
    watch<float>(p, ragged);
    p.buffer = buffering::registers, p.stages = 2;
    product deep = ragged;
    deep.k = 3 * p.tile_k - 1;
    watch<float>(p, deep);
  }
}

TEST_CASE("deeper rings of local buffers overlap without a race") {
  for (const int stages : {3, 4}) {
    gemm_policy p = overlapped;
    p.stages = stages;
    product deep = ragged;
    deep.k = 23;
    watch<float>(p, deep);
  }
}

TEST_CASE("split products write and add their parts without a race") {
  for (const gemm_policy& policy : {small, overlapped, single_item}) {
    for (const int splits :
         {2, 3, 20}) {  // 20: several items share an element in the second kernel
      gemm_policy p = policy;
      p.split_k = splits;
      product deep = ragged;
      deep.k = splits == 20 ? 163 : 29;
      deep.m = 5;
      watch<float>(p, deep);
      deep.n = 12;  // runs of several elements in the second kernel
      watch<float>(p, deep);
    }
  }
}

TEST_CASE("batches, strided or by offsets, stay within their bounds") {
  for (const bool array : {false, true}) {
    for (const int splits : {1, 2}) {
      gemm_policy policy = small;
      policy.split_k = splits;
      product p{.m = 5, .n = 9, .k = 10, .batch = 3};
      p.a.array = p.b.array = p.c.array = array;
      p.c.gap = 2;
      if (!array) p.b.gap = -1;
      watch<float>(policy, p);
    }
  }
}

TEST_CASE("what is left where nothing is multiplied stays within C") {
  for (const bool array : {false, true}) {
    product p{.m = 5, .n = 9, .k = 4, .batch = 3, .alpha = 0, .beta = 0.5};
    p.c.array = array, p.c.ld_extra = 1;
    p.epilogue = epilogue_kind::column_bias;
    watch<float>(small, p);
    watch<std::complex<float>>(small, p);
  }
}

TEST_CASE("epilogues read their buffers within bounds, split or not") {
  for (const epilogue_kind kind : {epilogue_kind::row_bias, epilogue_kind::column_bias,
                                   epilogue_kind::slope, epilogue_kind::relu}) {
    for (const int splits : {1, 2}) {
      gemm_policy policy = small;
      policy.split_k = splits;
      product p = ragged;
      p.epilogue = kind;
      p.c.order = splits == 1 ? layout::column_major : layout::row_major;
      watch<float>(policy, p);
    }
  }
}

TEST_CASE("bands of tiles of every height touch what is theirs") {
  for (const int raster : {1, 2, 100}) {
    gemm_policy p = small;
    p.raster = raster;
    watch<float>(p, {.m = 19, .n = 17, .k = 3});
  }
}

TEST_CASE("what the library chooses touches what is its own") {
  const session& s = device_session();
  const auto tuned = [&]<class T>(T, const product& p) {
    gemm<T>& multiply = kept<T>(s, {});
    CAPTURE(replay_text<T>(p));
    CHECK(complaint_about<T>(s, multiply, p, {.around = surroundings::nothing, .twice = false}) ==
          "");
  };
  tuned(0.f, {.m = 17, .n = 19, .k = 18});
  tuned(0.f, {.m = 1, .n = 33, .k = 5});
  tuned(0., {.m = 17, .n = 19, .k = 18});
  tuned(half(), {.m = 17, .n = 19, .k = 18});
  tuned(std::complex<float>(), {.m = 17, .n = 19, .k = 18});
  tuned(std::complex<double>(), {.m = 17, .n = 19, .k = 18});
}

TEST_SUITE_END();
