// The state of a durable actor as rows: a row for each member, and for each entry of a member that is a table. So a
// commit writes what has changed.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/data/map.hpp"
#include "tact/store/detail/byte_view.hpp"
#include "tact/store/detail/durable_rows.hpp"
#include "tact/store/detail/store_bytes.hpp"

namespace tact::detail {

// A table of tact, two versions of which can be compared in the time of what differs.
template <class M>
concept kept_by_entry = requires(const M& m) {
  typename M::key_type;
  { m.is_same_as(m) } -> std::same_as<bool>;
};
template <class M>
concept kept_as_map = kept_by_entry<M> && requires { typename M::mapped_type; };

// Where the rows of an actor are.
struct durable_place {
  store_front* front;
  const durable_tables* tables;
  std::string_view actor;
};

template <class M>
void write_member(const durable_place& at, std::string_view member, const M& before, const M& after,
                  std::vector<byte_change>& changes) {
  if constexpr (kept_by_entry<M>) {
    if (after.is_same_as(before)) return;
    const std::string row = row_key(at.actor, member);
    diff(before, after, [&](const auto& d) {
      const auto* const entry = d.after != nullptr ? d.after : d.before;
      byte_change c{at.tables->entries, row, std::nullopt};
      if constexpr (kept_as_map<M>) {
        c.key += key_bytes(entry->first);
        if (d.after != nullptr) c.value = value_bytes(d.after->second);
      } else {
        c.key += key_bytes(*entry);
        if (d.after != nullptr) c.value.emplace();
      }
      changes.push_back(std::move(c));
    });
  } else {
    if constexpr (std::equality_comparable<M>) {
      if (before == after) return;
    }
    changes.push_back({at.tables->actors, row_key(at.actor, member), value_bytes(after)});
  }
}

// Leaves `m` as it is if there is no row of it.
template <class M>
void read_member(const durable_place& at, byte_view& view, std::string_view member, M& m) {
  const std::string row = row_key(at.actor, member);
  if constexpr (kept_by_entry<M>) {
    auto all = M().transient();
    view.walk(at.tables->entries, row, [&](std::string_view key, std::string_view value) {
      if (!key.starts_with(row)) return false;
      key.remove_prefix(row.size());
      if constexpr (kept_as_map<M>) {
        all.insert_or_assign(key_from<typename M::key_type>(key), value_from<typename M::mapped_type>(value));
      } else {
        all.insert(key_from<typename M::key_type>(key));
      }
      return true;
    });
    m = std::move(all).persistent();
  } else if (const auto bytes = view.find(at.tables->actors, row)) {
    m = value_from<M>(*bytes);
  }
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
