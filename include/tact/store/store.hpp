// tact::store: a table that lasts.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <cstdint>
#include <iterator>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "tact/store/detail/store_access.hpp"
#include "tact/store/detail/store_bytes.hpp"
#include "tact/store/store_file.hpp"
#include "tact/store/store_view.hpp"

namespace tact {

// Tells that the entry of a key has changed. Without a value it was erased.
template <class K, class V>
struct store_changed {
  K key;
  std::optional<V> value;
  std::uint64_t version;  // of the file, in which it is so
};

namespace detail {

// The order to tell an actor of changes.
template <class K, class V>
[[nodiscard]] watch_changes make_watch(const store<K, V>& of, ref<store_changed<K, V>> to, std::string from,
                                       std::optional<std::string> before);

}  // namespace detail

// The entries of a table in one snapshot, in the order of the keys: an input range of pairs. Thread safety: as the
// snapshot.
template <class K, class V>
class store_range {
 public:
  class iterator {
   public:
    using iterator_category = std::input_iterator_tag;
    using value_type = std::pair<K, V>;
    using difference_type = std::ptrdiff_t;
    using reference = value_type;
    using pointer = void;

    iterator() = default;
    value_type operator*() const { return {of_->key_from(at_->key()), of_->value_from(at_->value())}; }
    iterator& operator++() {
      if (!at_->next()) at_.reset();
      return *this;
    }
    void operator++(int) { ++*this; }
    friend bool operator==(const iterator& a, std::default_sentinel_t) noexcept { return a.at_ == nullptr; }

   private:
    friend class store_range;
    iterator(const store<K, V>& of, const detail::byte_reading& in, std::string_view from)
        : of_(std::addressof(of)),
          at_(std::make_shared<detail::layered_cursor>(in.in_file, in.accepted, detail::store_access::number_of(of))) {
      if (!at_->at_least(from)) at_.reset();
    }

    const store<K, V>* of_ = nullptr;
    std::shared_ptr<detail::layered_cursor> at_{};
  };

  [[nodiscard]] iterator begin() const { return iterator(of_, detail::store_access::reading_of(in_), from_); }
  [[nodiscard]] std::default_sentinel_t end() const noexcept { return {}; }

 private:
  friend class store<K, V>;
  store_range(const store<K, V>& of, store_snapshot in, std::string from)
      : of_(of), in_(std::move(in)), from_(std::move(from)) {}

  store<K, V> of_;
  store_snapshot in_;
  std::string from_;
};

// const tact::store<std::string, account> accounts(file, "accounts");
// accounts.put("Ada", {10});
// std::optional<account> ada = accounts.find("Ada");
//
// A table of a file: keys in their order, each with a value. This object is a handle, and is copied into actors. The
// reads see the last commit, and wait for nothing; several reads of one state are made in a snapshot, or in a
// transaction. The writes wait until they are durable, so they are for threads outside of handlers; in handlers ask
// an actor of tact::store_service or tact::transacting. K and V: docs/store/codecs.md.
// All calls throw store_error: damaged, unreadable, stopped; the writes also refused, unknown, and ask_error if the
// engine ends. Thread safety: any number of threads at once.
template <class K, class V>
class store {
 public:
  using key_type = K;
  using mapped_type = V;

  // The table of this name; makes it. Throws store_error, not_opened, if the file has no room for another table, or if
  // it is read only and has no such table.
  store(const store_file& file, std::string name)
      : core_(detail::store_access::shared_core_of(file)),
        name_(std::make_shared<std::string>(std::move(name))),
        number_(core_->front().file().table(*name_)) {}

  [[nodiscard]] const std::string& name() const noexcept { return *name_; }

  [[nodiscard]] std::optional<V> find(const K& key) const {
    return with_bytes(key, [&](const std::optional<std::string_view>& b) {
      return b ? std::optional<V>(value_from(*b)) : std::nullopt;
    });
  }
  [[nodiscard]] bool contains(const K& key) const {
    return with_bytes(key, [](const std::optional<std::string_view>& b) { return b.has_value(); });
  }

  // The same in a snapshot.
  [[nodiscard]] std::optional<V> find(const store_snapshot& in, const K& key) const {
    detail::byte_view view(reading_of(in).in_file, reading_of(in).accepted, false);
    const auto b = view.find(number_, detail::key_bytes(key));
    return b ? std::optional<V>(value_from(*b)) : std::nullopt;
  }
  // All entries of a snapshot, or those from the first one on whose key is not less than `from`.
  [[nodiscard]] store_range<K, V> in(const store_snapshot& s) const {
    (void)reading_of(s);
    return {*this, s, {}};
  }
  [[nodiscard]] store_range<K, V> in(const store_snapshot& s, const K& from) const {
    (void)reading_of(s);
    return {*this, s, detail::key_bytes(from)};
  }
  // How many entries it has. Takes the time of a find, and with store_options::durable_within that of the changes that
  // are not in the file yet.
  [[nodiscard]] std::size_t size() const {
    const detail::byte_reading now = core_->front().look();
    std::size_t n = now.in_file.size(number_);
    for (auto c = now.accepted.lower_bound(detail::table_key_view{number_, {}});
         c != now.accepted.end() && c->first.table == number_; ++c) {
      const bool was_there = now.in_file.find(number_, c->first.key).has_value();
      n = n + (c->second ? 1 : 0) - (was_there ? 1 : 0);
    }
    return n;
  }

  void put(const K& key, const V& value) const {
    write("store::put", {number_, detail::key_bytes(key), value_bytes(value)});
  }
  // Returns whether it was there.
  bool erase(const K& key) const {
    detail::refuse_inside_handler("store::erase", "ask tact::store_service");
    const auto all = [&](store_view& view) { return view.erase(*this, key); };
    return detail::transact(*core_, 0, all);
  }
  // The value that is there, or this one, which is there then.
  [[nodiscard]] V find_or_put(const K& key, const V& value) const {
    detail::refuse_inside_handler("store::find_or_put", "ask tact::store_service");
    const auto all = [&](store_view& view) {
      auto found = view.find(*this, key);
      if (found) return std::move(*found);
      view.put(*this, key, value);
      return value;
    };
    return detail::transact(*core_, 0, all);
  }

  // Sends store_changed<K, V> to `to` for each key whose entry changes from now on, when that is durable, in the order
  // of the commits, until that actor ends. For threads outside of handlers.
  void watch(ref<store_changed<K, V>> to) const { watch_range(to, {}, {}); }
  // As the call above, for the keys from `from` to before `before`.
  void watch(ref<store_changed<K, V>> to, const K& from, const K& before) const {
    watch_range(to, detail::key_bytes(from), detail::key_bytes(before));
  }

  // For the parts of the store, as the two below: a value as bytes, and values and keys of bytes.
  [[nodiscard]] std::string value_bytes(const V& value) const { return detail::value_bytes(value); }
  [[nodiscard]] V value_from(std::string_view bytes) const {
    return detail::readable(core_->front(), *name_, [&] { return detail::value_from<V>(core_->front(), bytes); });
  }
  [[nodiscard]] K key_from(std::string_view bytes) const {
    return detail::readable(core_->front(), *name_, [&] { return detail::key_from<K>(bytes); });
  }

 private:
  friend struct detail::store_access;

  template <class F>
  auto with_bytes(const K& key, F f) const {
    const std::string bytes = detail::key_bytes(key);
    if (!core_->front().answers_early()) return f(core_->front().file().read().find(number_, bytes));
    const detail::byte_reading now = core_->front().look();
    detail::byte_view view(now.in_file, now.accepted, false);
    return f(view.find(number_, bytes));
  }
  [[nodiscard]] const detail::byte_reading& reading_of(const store_snapshot& s) const {
    if (std::addressof(detail::store_access::core_of(s)) != core_.get()) {
      throw usage_error("tact::store: the table '" + *name_ + "' and the snapshot are of two files");
    }
    return detail::store_access::reading_of(s);
  }
  void write(const char* call, detail::byte_change change) const {
    detail::plain_write all;
    detail::add_shape<V>(core_->front(), all.changes);
    all.changes.push_back(std::move(change));
    detail::look_at(*core_, detail::ask_writer(*core_, std::move(all), call, "ask tact::store_service"));
  }
  void watch_range(ref<store_changed<K, V>> to, std::string from, std::optional<std::string> before) const {
    detail::ask_writer(*core_, detail::make_watch(*this, to, std::move(from), std::move(before)), "store::watch",
                       "ask tact::store_service");
  }

  std::shared_ptr<detail::store_core> core_;
  std::shared_ptr<const std::string> name_;
  detail::table_number number_;
};

namespace detail {

template <class K, class V>
watch_changes make_watch(const store<K, V>& of, ref<store_changed<K, V>> to, std::string from,
                         std::optional<std::string> before) {
  watch_changes w;
  w.table = store_access::number_of(of);
  w.from = std::move(from);
  w.to = std::move(before);
  // Not the table itself, whose core would live as long as its writer then.
  w.tell = [to, in = std::addressof(store_access::core_of(of).front())](transaction& tx, const byte_change& c,
                                                                        std::uint64_t version) {
    tx.send(to, store_changed<K, V>{detail::key_from<K>(c.key),
                                    c.value ? std::optional<V>(detail::value_from<V>(*in, *c.value)) : std::nullopt,
                                    version});
  };
  w.guard = [to](transaction& tx, watch_over over, ref<watch_over> writer) { tx.monitor(to, writer, over); };
  return w;
}

}  // namespace detail
}  // namespace tact

#include "tact/detail/end.hpp"  // last
