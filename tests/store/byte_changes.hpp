// What tests of the file in bytes have in common.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tact/store/detail/disk.hpp"

namespace tact::support {

inline detail::byte_change put(detail::table_number t, std::string key, std::string value) {
  return {t, std::move(key), std::move(value)};
}
inline detail::byte_change erase(detail::table_number t, std::string key) { return {t, std::move(key), std::nullopt}; }

using entries = std::vector<std::pair<std::string, std::string>>;
inline entries all_of(const detail::byte_snapshot& s, detail::table_number t) {
  entries all;
  detail::byte_cursor at(s, t);
  for (bool more = at.first(); more; more = at.next()) all.emplace_back(at.key(), at.value());
  return all;
}

// Of the error that the call throws; none: it throws nothing.
template <class Call>
std::optional<store_problem> problem_of(Call call, std::string* what = nullptr) {
  try {
    call();
    return std::nullopt;
  } catch (const store_error& e) {
    if (what != nullptr) *what = e.what();
    return e.problem();
  }
}

}  // namespace tact::support
