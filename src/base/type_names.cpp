// Which types of two libraries are one type: tact/detail/type_key.hpp.
#include <cxxabi.h>

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cstdlib>
#include <memory>
#include <string_view>

#include "tact/detail/type_key.hpp"

namespace tact::detail {
namespace {

// Does a mangled name begin here with a scope that is a function with C linkage? Such a scope is Z, the length of the
// function's name, that name, and E; of a function with C++ linkage the parameters follow before the E.
bool begins_with_c_function(std::string_view mangled) noexcept {
  std::size_t length = 0;
  const char* const end = mangled.data() + mangled.size();
  const auto [name, error] = std::from_chars(mangled.data() + 1, end, length);
  if (error != std::errc{} || length >= static_cast<std::size_t>(end - name) || name[length] != 'E') return false;
  const std::string_view function(name, length);
  const bool is_name =
      std::ranges::all_of(function, [](unsigned char c) { return std::isalnum(c) != 0 || c == '_' || c == '$'; });
  return is_name && function.find_first_not_of('E') != function.npos;  // else these are the ends of other scopes
}

// Is this mangled name that of a type which each library has for itself? GCC marks such types itself; clang does not.
bool is_local(std::string_view mangled) noexcept {
  if (mangled.find("_GLOBAL__N_") != mangled.npos) return true;  // in an anonymous namespace
  auto at = mangled.find('Z');                                   // the beginning of a function's scope, or of nothing
  if (at == mangled.npos) return false;
  for (; at != mangled.npos; at = mangled.find('Z', at + 1)) {
    if (begins_with_c_function(mangled.substr(at))) return true;
  }
  int status = 0;
  const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(mangled.data(), nullptr, nullptr, &status),
                                                         &std::free);
  if (text == nullptr) return true;
  const std::string_view words(text.get());
  for (const std::string_view scope : {")::", ") const::", ") volatile::", "&::"}) {
    if (words.find(scope) != words.npos) return true;
  }
  return false;
}

}  // namespace

const std::type_info& type_of_caught() noexcept { return *abi::__cxa_current_exception_type(); }

bool have_same_name(const type_key& a, const type_key& b) noexcept {
  const std::type_info& of_a = a.info();
  const std::type_info& of_b = b.info();
  if (&of_a == &of_b) return true;
  const std::string_view name = of_a.name();
  if (name != of_b.name()) return false;
#if defined(__GLIBCXX__)
  if (of_a != of_b) return false;  // GCC has marked them
#endif
  return !is_local(name);
}

}  // namespace tact::detail
