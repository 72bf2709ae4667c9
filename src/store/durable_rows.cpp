#include "tact/store/detail/durable_rows.hpp"

#include "tact/failure.hpp"

namespace tact::detail {

namespace {

// A key has two of them and a number.
constexpr std::size_t name_bytes_max = 200;

void append_name(std::string& key, std::string_view name) { key.append(name).push_back('\0'); }
void append_number(std::string& key, std::uint64_t number) {
  for (int shift = 56; shift >= 0; shift -= 8) key.push_back(static_cast<char>(number >> shift & 255));
}

}  // namespace

durable_tables::durable_tables(disk& file)
    : actors(file.table("tact.actors")),
      entries(file.table("tact.entries")),
      inbox(file.table("tact.inbox")),
      timers(file.table("tact.timers")),
      aside(file.table("tact.aside")) {}

std::string row_key(std::string_view name) {
  std::string key;
  append_name(key, name);
  return key;
}
std::string row_key(std::string_view name, std::string_view part) {
  std::string key = row_key(name);
  append_name(key, part);
  return key;
}
std::string row_key(std::string_view name, std::uint64_t number) {
  std::string key = row_key(name);
  append_number(key, number);
  return key;
}
std::string row_key(std::string_view receiver, std::string_view sender, std::uint64_t number) {
  std::string key = row_key(receiver, sender);
  append_number(key, number);
  return key;
}

std::string behind(std::string row) {
  row.back() = '\1';
  return row;
}

inbox_place inbox_place_of(std::string_view row) {
  const std::size_t begin = row.find('\0') + 1;
  const std::size_t end = row.find('\0', begin);
  inbox_place p{row.substr(begin, end - begin), 0};
  for (const char c : row.substr(end + 1)) p.number = p.number << 8 | static_cast<unsigned char>(c);
  return p;
}

std::string row_of_message(std::string_view type, std::string_view bytes) {
  std::string row;
  row.reserve(type.size() + 1 + bytes.size());
  append_name(row, type);
  row.append(bytes);
  return row;
}

typed_bytes message_in_row(std::string_view row) {
  const std::size_t end = row.find('\0');
  if (end == std::string_view::npos) throw store_error(store_problem::unreadable, "tact: a row without a message");
  return {row.substr(0, end), row.substr(end + 1)};
}

void check_durable_name(std::string_view name) {
  if (!name.empty() && name.size() <= name_bytes_max && name.find('\0') == std::string_view::npos) return;
  throw usage_error("tact::durable: a name of " + std::to_string(name.size()) +
                    " bytes: the name of a durable actor has 1 to " + std::to_string(name_bytes_max) +
                    " bytes, none of them zero");
}

}  // namespace tact::detail
