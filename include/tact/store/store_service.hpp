// tact::store_service: an actor for a table of a store.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <optional>
#include <string>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/store/store.hpp"
#include "tact/store/transacting.hpp"

namespace tact {

// Asks for the value of a key.
template <class K, class V>
struct store_find {
  using reply = std::optional<V>;
  K key;
};
// Gives a key a value. It is answered when that is durable.
template <class K, class V>
struct store_put {
  using reply = void;
  K key;
  V value;
};
// Takes an entry out. The answer says whether it was there; it comes when it is durable that it is not.
template <class K>
struct store_erase {
  using reply = bool;
  K key;
};
// Asks for the value of a key, and gives it this one if it has none.
template <class K, class V>
struct store_find_or_put {
  using reply = V;
  K key;
  V value;
};
// From the answer on `to` is told each change of an entry, when it is durable, until it ends.
template <class K, class V>
struct store_watch {
  using reply = void;
  ref<store_changed<K, V>> to;
  std::optional<K> from{};    // the first key of which it is told; without, the first one of all
  std::optional<K> before{};  // the first key of which it is not told; without, there is none
};

// The protocol of a store_service.
template <class K, class V>
struct store_protocol : protocol<request<store_find<K, V>>, request<store_put<K, V>>, request<store_erase<K>>,
                                 request<store_find_or_put<K, V>>, request<store_watch<K, V>>> {};

namespace detail {

template <class K, class V>
struct table_service {
  using self_type = self<store_protocol<K, V>>;

  void operator()(self_type& self, const request<store_find<K, V>>& m) const { self.reply(m, table.find(m.body.key)); }
  void operator()(self_type& self, const request<store_put<K, V>>& m) const {
    begin(self, m, [table = table, q = m.body](store_view& view) { view.put(table, q.key, q.value); });
  }
  void operator()(self_type& self, const request<store_erase<K>>& m) const {
    begin(self, m, [table = table, q = m.body](store_view& view) { return view.erase(table, q.key); });
  }
  void operator()(self_type& self, const request<store_find_or_put<K, V>>& m) const {
    begin(self, m, [table = table, q = m.body](store_view& view) {
      auto found = view.find(table, q.key);
      if (found) return std::move(*found);
      view.put(table, q.key, q.value);
      return q.value;
    });
  }
  void operator()(self_type& self, const request<store_watch<K, V>>& m) const {
    const auto bytes = [](const std::optional<K>& k) {
      return k ? std::optional<std::string>(key_bytes(*k)) : std::nullopt;
    };
    auto w = make_watch(table, m.body.to, bytes(m.body.from).value_or(std::string()), bytes(m.body.before));
    self.send(store_access::core_of(table).writer(), request<watch_changes>{m.customer, std::move(w)});
    self.defer(m);
  }
  template <class Q, class F>
  void begin(self_type& self, const request<Q>& m, F f) const {
    begin_transaction(self, m, store_access::shared_core_of(table), 0, std::move(f));
  }

  store<K, V> table;
};

}  // namespace detail

// const auto desk = engine.create(tact::store_service(accounts), tact::parallel);
// self.ask(desk, tact::store_put<std::string, account>{"Ada", {10}}, ...);
//
// Finds and writes for those who ask: for handlers, which must not wait. A request fails with the text of a store_error
// if the store refuses it or has stopped. With tact::parallel several finds are made at a time.
template <class K, class V>
[[nodiscard]] behavior<store_protocol<K, V>> store_service(const store<K, V>& table) {
  return detail::table_service<K, V>{table};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
