// tact::store_view: what a transaction of a store reads and changes.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/failure.hpp"
#include "tact/store/detail/byte_view.hpp"
#include "tact/store/detail/store_access.hpp"
#include "tact/store/detail/store_bytes.hpp"

namespace tact {

template <class K, class V>
class store;

// One state of the file, with what this transaction has changed in it. It is handed to the function of a transaction,
// and is there as long as that runs. The calls throw store_error: damaged, unreadable, refused, stopped. Thread safety:
// one thread at a time.
class store_view {
 public:
  store_view(const store_view&) = delete;
  store_view& operator=(const store_view&) = delete;

  template <class K, class V>
  [[nodiscard]] std::optional<V> find(const store<K, V>& in, const std::type_identity_t<K>& key) {
    const auto bytes = bytes_->find(number_of(in), detail::key_bytes(key));
    if (!bytes) return std::nullopt;
    return in.value_from(*bytes);
  }
  template <class K, class V>
  [[nodiscard]] bool contains(const store<K, V>& in, const std::type_identity_t<K>& key) {
    return bytes_->find(number_of(in), detail::key_bytes(key)).has_value();
  }
  template <class K, class V>
  void put(const store<K, V>& in, const std::type_identity_t<K>& key, const std::type_identity_t<V>& value) {
    const detail::table_number table = number_of(in);
    detail::put_shape<V>(detail::store_access::core_of(in).front(),
                         [&](detail::table_number shapes, std::string fingerprint, std::string description) {
                           bytes_->put(shapes, std::move(fingerprint), std::move(description));
                         });
    bytes_->put(table, detail::key_bytes(key), in.value_bytes(value));
  }
  // Returns whether it was there.
  template <class K, class V>
  bool erase(const store<K, V>& in, const std::type_identity_t<K>& key) {
    std::string bytes = detail::key_bytes(key);
    if (!bytes_->find(number_of(in), bytes)) return false;
    bytes_->erase(number_of(in), std::move(bytes));
    return true;
  }
  // Calls f(key, value) for each entry, in the order of the keys, until it returns false, if it returns a bool. The
  // table is that of the beginning of the call, whatever f changes.
  template <class K, class V, class F>
  void for_each(const store<K, V>& in, F f) {
    walk(in, {}, f);
  }
  // As the call above, from the first entry on whose key is not less than `from`.
  template <class K, class V, class F>
  void for_each(const store<K, V>& in, const std::type_identity_t<K>& from, F f) {
    walk(in, detail::key_bytes(from), f);
  }

 private:
  friend struct detail::store_access;
  store_view(detail::byte_view& bytes, const detail::store_core& of) noexcept
      : bytes_(std::addressof(bytes)), of_(std::addressof(of)) {}

  template <class K, class V>
  [[nodiscard]] detail::table_number number_of(const store<K, V>& in) const {
    if (std::addressof(detail::store_access::core_of(in)) != of_) {
      throw usage_error("tact::store_view: the table '" + std::string(in.name()) +
                        "' is one of another file: a transaction is about one file");
    }
    return detail::store_access::number_of(in);
  }
  template <class K, class V, class F>
  void walk(const store<K, V>& in, std::string_view from, F& f) {
    bytes_->walk(number_of(in), from, [&](std::string_view k, std::string_view v) {
      if constexpr (std::is_void_v<std::invoke_result_t<F&, K, V>>) {
        f(in.key_from(k), in.value_from(v));
        return true;
      } else {
        return static_cast<bool>(f(in.key_from(k), in.value_from(v)));
      }
    });
  }

  detail::byte_view* bytes_;
  const detail::store_core* of_;
};

}  // namespace tact

#include "tact/detail/end.hpp"  // last
