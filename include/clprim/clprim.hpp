#pragma once
// Everything. Beside the compiled library the doors alone: what is no door has its own header.

#include <clprim/core/language.hpp>

#include <clprim/convolve.hpp>
#include <clprim/copy.hpp>
#include <clprim/fft.hpp>
#include <clprim/gemm.hpp>
#include <clprim/reduce.hpp>
#include <clprim/transpose.hpp>
#ifndef CLPRIM_COMPILED
#include <clprim/runtime/pinned.hpp>
#include <clprim/runtime/program_files.hpp>
#endif
