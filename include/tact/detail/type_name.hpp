// The name of a type as people write it: without namespaces, and the same with every compiler as far as they agree.
#pragma once

#include <cstddef>
#include <string_view>

namespace tact::detail {

template <class T>
constexpr std::string_view spelled() noexcept {
  return __PRETTY_FUNCTION__;
}

// What the compiler prints around the name of the type, learnt from a known one.
inline constexpr std::string_view spelled_int = spelled<int>();
inline constexpr std::size_t spelled_before = spelled_int.find("T = int") + 4;
inline constexpr std::size_t spelled_around = spelled_int.size() - 3;

template <std::size_t Max>
struct short_text {
  char text[Max + 1] = {};
  std::size_t size = 0;
};

constexpr bool opens(char c) noexcept { return c == '<' || c == '(' || c == '{' || c == '['; }
constexpr bool closes(char c) noexcept { return c == '>' || c == ')' || c == '}' || c == ']'; }

// Copies `name`, dropping at each "::" what the current name has so far. Brackets nest: the qualifier before "::" may
// be a template, a function or "(anonymous namespace)".
template <std::size_t Max>
constexpr short_text<Max> shorten(std::string_view name) noexcept {
  short_text<Max> out;
  std::size_t begins[Max + 1] = {};  // where the current name begins, one per open bracket
  std::size_t depth = 0;
  for (std::size_t i = 0; i < name.size(); ++i) {
    const char c = name[i];
    const char next = i + 1 < name.size() ? name[i + 1] : ' ';
    if (c == ':' && next == ':') {
      out.size = begins[depth];
      ++i;
      continue;
    }
    if (c == ' ' && (closes(next) || next == '[')) continue;  // "> >", "f() [with T = int]"
    out.text[out.size++] = c;
    if (opens(c)) begins[++depth] = out.size;
    if (closes(c) && depth != 0) --depth;
    if (c == ' ' || c == ',') begins[depth] = out.size;
  }
  return out;
}

// Returns the part of `full`, of `size` characters, that is the name without namespaces; null if it is not enough to
// leave out everything before the last "::". It uses bare pointers, because each message type costs this when it is
// compiled.
constexpr const char* last_part(const char* full, std::size_t size) noexcept {
  const char* begin = full;
  for (const char* c = full; c != full + size; ++c) {
    if (opens(*c) || *c == ' ') return nullptr;
    if (*c == ':') begin = c + 1;
  }
  return begin;
}
template <std::size_t Size>
constexpr short_text<Size> copy(const char* name) noexcept {
  short_text<Size> out;
  for (; out.size != Size; ++out.size) out.text[out.size] = name[out.size];
  return out;
}

// The name as the compiler spells it, with namespaces and with the functions around it.
template <class T>
inline constexpr std::string_view name_with_scope{spelled<T>().data() + spelled_before,
                                                  spelled<T>().size() - spelled_around};

template <class T>
consteval auto find_name() noexcept {
  constexpr const char* full = spelled<T>().data() + spelled_before;
  constexpr std::size_t size = spelled<T>().size() - spelled_around;
  constexpr const char* part = last_part(full, size);
  if constexpr (part != nullptr) {
    return copy<static_cast<std::size_t>(full + size - part)>(part);
  } else {
    return shorten<size>({full, size});
  }
}

template <class T>
inline constexpr auto text_of_name = find_name<T>();
// The name of T, for people. Types with the same last name have the same: type_key.hpp tells types apart.
template <class T>
inline constexpr std::string_view type_name{text_of_name<T>.text, text_of_name<T>.size};

}  // namespace tact::detail
