// Those that are told of the changes of a file.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "tact/store/detail/byte_view.hpp"
#include "tact/store/detail/store_core.hpp"

namespace tact::store {

// A watch is of a range of keys, and each change of its table is compared with it. One of all keys that begin with a
// name, which ends with a zero byte, is found by that name: each durable actor has one. Thread safety: none.
class watch_list {
 public:
  std::uint64_t add(detail::watch_changes w) {
    const detail::table_key at{w.table, is_of_name(w) ? w.from : std::string()};
    places_.emplace(++last_, at);
    of_[at].push_back({last_, std::move(w)});
    return last_;
  }
  void erase(std::uint64_t number) {
    const auto place = places_.find(number);
    if (place == places_.end()) return;
    const auto all = of_.find(place->second);
    std::erase_if(all->second, [&](const watch& w) { return w.number == number; });
    if (all->second.empty()) of_.erase(all);
    places_.erase(place);
  }
  // Calls f with each watch that the change is for.
  template <class F>
  void for_each(const detail::byte_change& c, F f) const {
    if (of_.empty()) return;
    const auto call = [&](std::string_view name) {
      const auto all = of_.find(detail::table_key_view{c.table, name});
      if (all == of_.end()) return;
      for (const watch& w : all->second) {
        if (c.key >= w.what.from && (!w.what.to || c.key < *w.what.to)) f(w.what);
      }
    };
    call({});
    const std::size_t end = c.key.find('\0');
    if (end != std::string::npos) call(std::string_view(c.key).substr(0, end + 1));
  }

 private:
  struct watch {
    std::uint64_t number;
    detail::watch_changes what;
  };

  // From a name to before the first key behind all that begin with it.
  [[nodiscard]] static bool is_of_name(const detail::watch_changes& w) {
    if (w.from.empty() || w.from.find('\0') + 1 != w.from.size() || !w.to) return false;
    return std::string_view(*w.to).substr(0, w.to->size() - 1) ==
               std::string_view(w.from).substr(0, w.from.size() - 1) &&
           w.to->size() == w.from.size() && w.to->back() == '\1';
  }

  std::map<detail::table_key, std::vector<watch>, detail::table_key_less> of_{};
  std::unordered_map<std::uint64_t, detail::table_key> places_{};
  std::uint64_t last_ = 0;
};

}  // namespace tact::store
