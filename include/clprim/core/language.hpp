#pragma once
// What the compiler must speak, said in one sentence before anything fails for want of it.

#if (defined(_MSVC_LANG) && _MSVC_LANG < 202002L) || (!defined(_MSVC_LANG) && __cplusplus < 202002L)
// An #error does not stop g++ and clang, a missing file does: what would follow are 1,963 lines.
#error clprim needs C++20: compile with -std=c++20, or link clprim::clprim by CMake
#include "clprim_needs_cxx20"
#endif

// In front of a function that the compiled library has. Where that is linked, CLPRIM_COMPILED (set
// by clprim::compiled) leaves its definition out; the library's own sources emit it.
#ifdef CLPRIM_SOURCES
#define CLPRIM_INLINE [[gnu::used]] inline
#else
#define CLPRIM_INLINE inline
#endif
