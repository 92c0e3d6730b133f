#pragma once
// Everything.

#include <clprim/core/language.hpp>

#include <clprim/convolve.hpp>
#include <clprim/copy.hpp>
#include <clprim/fft.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>
#include <clprim/runtime/pinned.hpp>
#include <clprim/runtime/program_files.hpp>
#include <clprim/transpose.hpp>
