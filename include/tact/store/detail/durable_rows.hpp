// The tables of a file in which durable actors are, and the keys of their rows.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "tact/store/detail/store_core.hpp"

namespace tact::detail {

struct durable_tables {
  explicit durable_tables(disk& file);

  table_number actors;   // actor, member -> its value; actor -> durable_head
  table_number entries;  // actor, member, key of the member's table -> value
  table_number inbox;    // receiver, sender, number -> message
  table_number timers;   // actor, number -> when, message
  table_number aside;    // what a handler has failed to take: key as in the inbox or in timers -> message
};

// The row of an actor itself.
struct durable_head {
  std::uint64_t sent = 0;    // how many messages it has sent to durable actors: the number of the last one
  std::uint64_t timers = 0;  // how many timers it has set
  bool has_ended = false;    // it has stopped, and only its numbers are left
};

// Names end with a zero byte in keys, so that no name is the beginning of another one. Numbers are as in key_bytes.
[[nodiscard]] std::string row_key(std::string_view name);
[[nodiscard]] std::string row_key(std::string_view name, std::string_view part);
[[nodiscard]] std::string row_key(std::string_view name, std::uint64_t number);
[[nodiscard]] std::string row_key(std::string_view receiver, std::string_view sender, std::uint64_t number);
// The first key behind all that begin with this one, which ends with a zero byte.
[[nodiscard]] std::string behind(std::string row);

struct inbox_place {
  std::string_view sender;
  std::uint64_t number = 0;
};
[[nodiscard]] inbox_place inbox_place_of(std::string_view row);

// A message in a row: the name of its type, and its bytes.
struct typed_bytes {
  std::string_view type;
  std::string_view bytes;
};
[[nodiscard]] std::string row_of_message(std::string_view type, std::string_view bytes);
[[nodiscard]] typed_bytes message_in_row(std::string_view row);

// Throws usage_error for a name that no durable actor can have.
void check_durable_name(std::string_view name);

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
