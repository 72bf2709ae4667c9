#include "inspect/page/checked_options.hpp"

#include <arpa/inet.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <ostream>
#include <system_error>

#include "base/struct_text.hpp"

namespace tact::inspect {

namespace {

constexpr std::size_t token_length_least = 16;
constexpr std::size_t token_length_most = 128;
constexpr std::string_view digits = "0123456789";
constexpr std::string_view word_letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

bool consists_of(std::string_view text, std::initializer_list<std::string_view> sets) {
  return std::all_of(text.begin(), text.end(), [&](char c) {
    return std::any_of(sets.begin(), sets.end(), [&](std::string_view s) { return s.find(c) != s.npos; });
  });
}

[[noreturn]] void refuse(std::string_view option, const std::string& value, std::string_view remedy) {
  throw option_error("live_page_options." + std::string(option) + " = " + value + ": " + std::string(remedy));
}

void check_number(std::string_view option, std::size_t value, std::size_t least, std::size_t most) {
  if (value >= least && value <= most) return;
  refuse(option, std::to_string(value), "give a number from " + std::to_string(least) + " to " + std::to_string(most));
}

bool is_v6(const std::string& address) { return address.find(':') != std::string::npos; }

bool is_address(const std::string& text) {
  std::array<unsigned char, 16> bytes{};
  return ::inet_pton(is_v6(text) ? AF_INET6 : AF_INET, text.c_str(), bytes.data()) == 1;
}

bool is_loopback(const std::string& address) { return address == "::1" || address.starts_with("127."); }

// "name", "name:80", "[::1]", "[::1]:80"
bool is_host(std::string_view text) {
  const auto colon = text.rfind(':');
  const bool has_port = colon != text.npos && text.find(']', colon) == text.npos;
  const std::string_view name = has_port ? text.substr(0, colon) : text;
  const std::string_view port = has_port ? text.substr(colon + 1) : "1";
  const bool is_number = !port.empty() && port.size() <= 5 && consists_of(port, {digits});
  if (name.starts_with('['))
    return is_number && name.ends_with(']') && is_address(std::string(name.substr(1, name.size() - 2)));
  return is_number && !name.empty() && consists_of(name, {digits, word_letters, ".-_"});
}

std::string in_lower_case(std::string text) {
  for (char& c : text) {
    if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
  }
  return text;
}

std::string random_token() {
  std::array<unsigned char, 16> bytes{};
  if (::getentropy(bytes.data(), bytes.size()) != 0)
    throw std::system_error(errno, std::generic_category(), "no random token for a live page");
  std::string text;
  for (const unsigned char b : bytes) {
    text += "0123456789abcdef"[b >> 4U];
    text += "0123456789abcdef"[b & 0xFU];
  }
  return text;
}

}  // namespace

live_page_options checked(live_page_options given) {
  const auto in_quotes = [](const std::string& text) { return '"' + text + '"'; };
  if (!is_address(given.address))
    refuse("address", in_quotes(given.address), "give an address in numbers, such as 127.0.0.1 or ::1");
  if (!is_loopback(given.address) && given.hosts.empty())
    refuse("address", in_quotes(given.address),
           "an address beyond this machine needs live_page_options.hosts, the names by which browsers reach it");
  for (const std::string& h : given.hosts) {
    if (!is_host(h)) refuse("hosts", in_quotes(h), "give a name such as build7.example, or with its port :9000");
  }
  if (given.token.empty()) given.token = random_token();
  const std::size_t length = given.token.size();
  if (length < token_length_least || length > token_length_most ||
      !consists_of(given.token, {digits, word_letters, "-_"}))
    refuse("token", "(secret)", "give 16 to 128 letters, digits, - and _, or none for a random one");
  check_number("clients", given.clients, 1, 1000);
  check_number("message_bytes", given.message_bytes, 256, 65536);
  check_number("messages_per_second", given.messages_per_second, 1, 1000);
  if (given.time_limit < std::chrono::milliseconds(100) || given.time_limit > std::chrono::minutes(10))
    refuse("time_limit", std::to_string(given.time_limit.count()) + "ms", "give a time from 100ms to 600000ms");
  check_number("snapshots_per_second", given.snapshots_per_second, 1, 60);
  return given;
}

std::vector<std::string> hosts_of(const live_page_options& o, unsigned port) {
  std::vector<std::string> names = o.hosts;
  names.push_back(is_v6(o.address) ? '[' + o.address + ']' : o.address);
  if (is_loopback(o.address)) names.emplace_back("localhost");
  std::vector<std::string> all;
  for (const std::string& n : names) {
    const bool has_port = n.find(':', n.find(']') == n.npos ? 0 : n.find(']')) != n.npos;
    all.push_back(in_lower_case(has_port ? n : n + ':' + std::to_string(port)));
    if (!has_port && port == 80) all.push_back(in_lower_case(n));  // browsers leave the usual port away
  }
  return all;
}

std::string place_of(const live_page_options& o, unsigned port) {
  const std::string name = is_loopback(o.address) ? (is_v6(o.address) ? '[' + o.address + ']' : o.address) : o.hosts[0];
  const bool has_port = name.find(':', name.find(']') == name.npos ? 0 : name.find(']')) != name.npos;
  return "http://" + name + (has_port ? "" : ':' + std::to_string(port)) + '/';
}

bool same_token(std::string_view given, std::string_view right) noexcept {
  unsigned difference = given.size() == right.size() ? 0 : 1;
  for (std::size_t i = 0; i != right.size(); ++i) {
    const auto a = static_cast<unsigned char>(i < given.size() ? given[i] : '\0');
    difference |= static_cast<unsigned>(a ^ static_cast<unsigned char>(right[i]));
  }
  return difference == 0;
}

std::ostream& operator<<(std::ostream& out, const live_page_options& o) {
  std::string hosts;
  for (const std::string& h : o.hosts) hosts += (hosts.empty() ? "\"" : ", \"") + h + '"';
  // The token is a secret, and what is printed may go to a log.
  return out << base::struct_text("live_page_options")
                    .with("address", o.address)
                    .with("port", o.port)
                    .with("hosts", base::code{'{' + hosts + '}'})
                    .with("token", base::code{o.token.empty() ? "{}" : "(secret)"})
                    .with("allow_control", o.allow_control)
                    .with("clients", o.clients)
                    .with("message_bytes", o.message_bytes)
                    .with("messages_per_second", o.messages_per_second)
                    .with("time_limit", o.time_limit)
                    .with("snapshots_per_second", o.snapshots_per_second)
                    .text();
}

}  // namespace tact::inspect
