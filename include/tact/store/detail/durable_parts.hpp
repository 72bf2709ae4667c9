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
void add_entry_shape(store_front& in, std::vector<byte_change>& changes) {
  if constexpr (kept_as_map<M>) add_shape<typename M::mapped_type>(in, changes);
}

// Adds what makes the rows of the member those of `after`. Without `before` there are none.
template <class M>
void write_member(const durable_place& at, std::string_view member, const M* before, const M& after,
                  std::vector<byte_change>& changes) {
  if constexpr (kept_by_entry<M>) {
    const M none{};
    const M& old = before == nullptr ? none : *before;
    if (after.is_same_as(old)) return;
    add_entry_shape<M>(*at.front, changes);
    const std::string row = row_key(at.actor, member);
    diff(old, after, [&](const auto& d) {
      const auto* const entry = d.after != nullptr ? d.after : d.before;
      byte_change c{at.tables->entries, row, std::nullopt};
      if constexpr (kept_as_map<M>) {
        encode_key_into(c.key, entry->first);
        if (d.after != nullptr) c.value = value_bytes(d.after->second);
      } else {
        encode_key_into(c.key, *entry);
        if (d.after != nullptr) c.value.emplace();
      }
      changes.push_back(std::move(c));
    });
  } else {
    std::string bytes = value_bytes(after);
    if (before != nullptr && bytes == value_bytes(*before)) return;
    add_shape<M>(*at.front, changes);
    changes.push_back({at.tables->actors, row_key(at.actor, member), std::move(bytes)});
  }
}

template <class M>
void erase_member(const durable_place& at, std::string_view member, const M& m, std::vector<byte_change>& changes) {
  if constexpr (kept_by_entry<M>) {
    const M none{};
    write_member(at, member, std::addressof(m), none, changes);
  } else {
    changes.push_back({at.tables->actors, row_key(at.actor, member), std::nullopt});
  }
}

// Without a row the member stays as it is: it was added to the type since.
template <class M>
void read_member(const durable_place& at, byte_view& view, std::string_view member, M& m) {
  const std::string row = row_key(at.actor, member);
  if constexpr (kept_by_entry<M>) {
    auto all = M().transient();
    view.walk(at.tables->entries, row, [&](std::string_view key, std::string_view value) {
      if (!key.starts_with(row)) return false;
      key.remove_prefix(row.size());
      if constexpr (kept_as_map<M>) {
        all.insert_or_assign(key_from<typename M::key_type>(key),
                             value_from<typename M::mapped_type>(*at.front, value));
      } else {
        all.insert(key_from<typename M::key_type>(key));
      }
      return true;
    });
    m = std::move(all).persistent();
  } else if (const auto bytes = view.find(at.tables->actors, row)) {
    m = value_from<M>(*at.front, *bytes);
  }
}

// Calls f(name, member) for each member of a record, or with an empty name for a state that is none, or that says how
// it is written as a whole.
template <class S>
inline constexpr bool has_parts = coding::kind_of<S> == coding::codec_kind::record &&
                                  !requires { codec<S>::version; } && !requires { codec<S>::renamed; };
template <class S, class F>
void for_each_part(S& state, F f) {
  using value = std::remove_const_t<S>;
  if constexpr (has_parts<value>) {
    coding::with_members(state, [&](auto&... m) {
      std::size_t n = 0;
      (f(coding::member_names<value>.names[n++], m), ...);
    });
  } else {
    f(std::string_view(), state);
  }
}
// Calls f(name, pointer to the member of `before`, member of `after`).
template <class S, class F>
void for_each_part(const S* before, const S& after, F f) {
  if constexpr (has_parts<S>) {
    coding::with_members(after, [&](const auto&... m) {
      std::size_t n = 0;
      if (before == nullptr) return (f(coding::member_names<S>.names[n++], decltype(std::addressof(m)){}, m), ...);
      coding::with_members(
          *before, [&](const auto&... old) { (f(coding::member_names<S>.names[n++], std::addressof(old), m), ...); });
    });
  } else {
    f(std::string_view(), before, after);
  }
}

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
