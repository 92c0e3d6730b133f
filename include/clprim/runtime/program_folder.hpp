#pragma once
// Where programs are kept.

#include <cstdlib>
#include <filesystem>
#include <optional>
#include <string>

#if defined(__linux__)
#include <sys/auxv.h>
#elif !defined(_WIN32)
#include <unistd.h>
#endif

namespace clprim::detail {

/// Whether the program has rights that its caller has not (setuid, capabilities), so that the
/// caller's environment must not say where programs come from.
inline bool with_borrowed_rights() {
#if defined(_WIN32)
  return false;
#elif defined(__linux__)
  return ::getauxval(AT_SECURE) != 0;
#elif defined(__APPLE__) || defined(__FreeBSD__) || defined(__NetBSD__) || defined(__OpenBSD__)
  return ::issetugid() != 0;
#else
  return ::getuid() != ::geteuid() || ::getgid() != ::getegid();
#endif
}

/// The folder of this user, or why there is none.
struct program_place {
  std::optional<std::filesystem::path> folder;
  std::string why_none;
};

inline program_place program_place_of_user() {
  using std::filesystem::path;
  if (with_borrowed_rights())
    return {std::nullopt, "the program runs with other rights than its caller's (setuid)"};
  const auto below = [](const char* variable, const char* name) -> std::optional<path> {
    const char* const text = std::getenv(variable);
    if (text == nullptr || *text == '\0') return std::nullopt;
    return path(text) / name;
  };
  if (const char* const chosen = std::getenv("CLPRIM_CACHE_DIR")) {
    if (*chosen == '\0') return {std::nullopt, "CLPRIM_CACHE_DIR is empty"};
    return {path(chosen), ""};
  }
#if defined(_WIN32)
  if (auto place = below("LOCALAPPDATA", "clprim")) return {place, ""};
  return {std::nullopt, "neither CLPRIM_CACHE_DIR nor LOCALAPPDATA is set"};
#else
  if (auto place = below("XDG_CACHE_HOME", "clprim")) return {place, ""};
#if defined(__APPLE__)
  if (auto place = below("HOME", "Library/Caches/clprim")) return {place, ""};
#else
  if (auto place = below("HOME", ".cache/clprim")) return {place, ""};
#endif
  return {std::nullopt, "none of CLPRIM_CACHE_DIR, XDG_CACHE_HOME and HOME is set"};
#endif
}

}  // namespace clprim::detail

namespace clprim {

/// Where the platform keeps what can be made again: CLPRIM_CACHE_DIR, where it is set, else
/// XDG_CACHE_HOME/clprim, ~/Library/Caches/clprim (macOS), ~/.cache/clprim, or clprim in
/// LOCALAPPDATA (Windows). Nothing where none of these is known, CLPRIM_CACHE_DIR is empty
/// (switched off), or the program runs with other rights than its caller's, who sets the
/// environment.
inline std::optional<std::filesystem::path> program_folder() {
  return detail::program_place_of_user().folder;
}

}  // namespace clprim
