// tact::encode and tact::decode: values to bytes and back, also by a program whose types have changed since.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/declaration.hpp"
#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/codable.hpp"
#include "tact/codec/detail/encoder.hpp"
#include "tact/codec/detail/message_head.hpp"
#include "tact/codec/detail/migration.hpp"
#include "tact/codec/detail/read_value.hpp"
#include "tact/codec/detail/shape_builder.hpp"
#include "tact/codec/shape.hpp"

namespace tact {

// What can be encoded: bool, integers and floating numbers of at most eight bytes, enumerations with an underlying
// type, std::string, std::optional, std::unique_ptr, std::variant, std::pair and std::tuple, std::array; durations, and
// times of std::chrono::system_clock; lists, sets and maps of any library that have value_type, size(), begin(), end()
// and push_back, insert or a transient, so those of tact, too; aggregates as they are; and what tact::codec declares.
// Types may be recursive, by containers and std::unique_ptr.
//
// Equal values are equal bytes on all machines; only 0.0 and -0.0 differ, and so do containers with an order that the
// program has given, where entries that are equal to it differ. All functions may be called by any number of threads at
// once, on different values and buffers. How types may change: docs/data/codec.md.

// The shape of T in this program; the same object each time. Throws std::length_error if T has more than 1,024 parts.
template <class T>
[[nodiscard]] const shape& shape_of() {
  if constexpr (detail::coding::is_codable<T>) {
    static const shape made = detail::coding::shape_access::made(detail::coding::shape_data_of<T>());
    return made;
  } else {
    detail::coding::complain<T>();
    __builtin_unreachable();
  }
}

namespace detail::coding {

template <class T>
const std::string& head_of_type() {
  static const std::string made = head_of(shape_data_of<T>());
  return made;
}
[[noreturn]] inline void fail_to_encode(const shape_data& shape, const char* why) {
  throw std::length_error("tact::encode: " + text_of_part(shape, shape.root) + ": " + why);
}
// Appends the value, or leaves all as it was.
template <class T>
void append_value(std::string& out, std::size_t size_before, const T& value, const codec_limits& limits) {
  try {
    write_value(out, value, limits);
    if (out.size() - size_before > limits.bytes)
      throw std::length_error("has more bytes than codec_limits::bytes allows");
  } catch (const std::length_error& e) {
    out.resize(size_before);
    fail_to_encode(shape_data_of<T>(), e.what());
  } catch (...) {
    out.resize(size_before);
    throw;
  }
}
template <class T>
[[nodiscard]] T read_migrated(const planned_migration& by, std::string_view body, std::size_t offset,
                              const codec_limits& limits) {
  const std::string own = migrated(by, body, offset, limits);
  return read_value<T>(shape_data_of<T>(), own, 0, limits);
}
template <class T>
kept_migrations& kept_migrations_of() {
  thread_local kept_migrations kept;
  return kept;
}
template <class T>
kept_migrations::kept migration_from(const shape_data& writer, const codec_limits& limits) {
  kept_migrations& kept = kept_migrations_of<T>();
  if (auto found = kept.find(writer.description)) return found;
  return kept.keep(std::make_shared<const planned_migration>(writer, shape_data_of<T>(), limits));
}

}  // namespace detail::coding

// Appends the value to `out`, its shape in front: whoever reads it needs nothing else. If it throws, `out` is as
// before: std::length_error if the value exceeds the limits, and what copying and `save` throw.
template <class T>
void encode_into(std::string& out, const T& value, const codec_limits& limits = {}) {
  if constexpr (detail::coding::is_codable<T>) {
    const std::size_t before = out.size();
    out += detail::coding::head_of_type<T>();
    detail::coding::append_value(out, before, value, limits);
  } else {
    detail::coding::complain<T>();
  }
}
template <class T>
[[nodiscard]] std::string encode(const T& value, const codec_limits& limits = {}) {
  std::string out;
  if constexpr (detail::coding::is_codable<T>) out.reserve(detail::coding::head_of_type<T>().size() + 64);
  encode_into(out, value, limits);
  return out;
}

// The value that tact::encode has written, in this program or in one whose T was another one. Throws tact::decode_error
// if the bytes are none, if they exceed the limits, or if a value or type does not fit. Whatever the bytes are, memory
// is taken as codec_limits says, and nothing else happens.
// A thread keeps how it has read the last eight other shapes of T.
template <class T>
[[nodiscard]] T decode(std::string_view bytes, const codec_limits& limits = {}) {
  if constexpr (detail::coding::is_codable<T>) {
    const detail::coding::shape_data& own = detail::coding::shape_data_of<T>();
    detail::coding::check_size(own, bytes, limits);
    const std::string& head = detail::coding::head_of_type<T>();
    if (bytes.starts_with(head)) {
      return detail::coding::read_value<T>(own, bytes.substr(head.size()), head.size(), limits);
    }
    const detail::coding::split_message parts = detail::coding::split(own, bytes);
    auto by = detail::coding::kept_migrations_of<T>().find(parts.description);
    if (by == nullptr) {
      const std::size_t offset = parts.body - parts.description.size();
      by = detail::coding::migration_from<T>(detail::coding::shape_parser(parts.description, offset).parse(), limits);
    }
    return detail::coding::read_migrated<T>(*by, bytes.substr(parts.body), parts.body, limits);
  } else {
    detail::coding::complain<T>();
  }
}

// The same with eight bytes in the place of the shape: its fingerprint. Who reads must get the shape in another way, as
// by a table beside the values.
template <class T>
void encode_compact_into(std::string& out, const T& value, const codec_limits& limits = {}) {
  if constexpr (detail::coding::is_codable<T>) {
    const std::size_t before = out.size();
    char bytes[detail::coding::fingerprint_bytes];
    detail::coding::store_little(bytes, detail::coding::shape_data_of<T>().fingerprint);
    out.append(bytes, sizeof bytes);
    detail::coding::append_value(out, before, value, limits);
  } else {
    detail::coding::complain<T>();
  }
}
template <class T>
[[nodiscard]] std::string encode_compact(const T& value, const codec_limits& limits = {}) {
  std::string out;
  encode_compact_into(out, value, limits);
  return out;
}

// The fingerprint in front of what encode_compact has written; none if there are too few bytes.
[[nodiscard]] inline std::uint64_t fingerprint_in(std::string_view bytes) noexcept {
  return bytes.size() < detail::coding::fingerprint_bytes ? 0
                                                          : detail::coding::load_little<std::uint64_t>(bytes.data());
}

// The value that encode_compact has written. `find` is called if the shape is not that of T here: with the fingerprint,
// and returns a pointer to the shape, or null if it is not known. Otherwise as decode.
template <class T, class Find>
  requires std::convertible_to<std::invoke_result_t<Find&, std::uint64_t>, const shape*>
[[nodiscard]] T decode_compact(std::string_view bytes, Find&& find, const codec_limits& limits = {}) {
  if constexpr (detail::coding::is_codable<T>) {
    const detail::coding::shape_data& own = detail::coding::shape_data_of<T>();
    detail::coding::check_size(own, bytes, limits);
    const std::uint64_t fingerprint = detail::coding::take_fingerprint(own, bytes);
    const std::string_view body = bytes.substr(detail::coding::fingerprint_bytes);
    if (fingerprint == own.fingerprint)
      return detail::coding::read_value<T>(own, body, detail::coding::fingerprint_bytes, limits);
    const shape* const writer = find(fingerprint);
    if (writer == nullptr || writer->fingerprint() != fingerprint) {
      detail::coding::fail_head(
          own, "expected a shape that is known, found the fingerprint " + std::to_string(fingerprint), 0);
    }
    const auto by = detail::coding::migration_from<T>(detail::coding::shape_access::data(*writer), limits);
    return detail::coding::read_migrated<T>(*by, body, detail::coding::fingerprint_bytes, limits);
  } else {
    detail::coding::complain<T>();
  }
}
// The same for bytes of one shape, which is given.
template <class T>
[[nodiscard]] T decode_compact(std::string_view bytes, const shape& writer, const codec_limits& limits = {}) {
  return decode_compact<T>(
      bytes, [&](std::uint64_t) { return std::addressof(writer); }, limits);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
