// A day of trading as its feeds bring it: packets of records, made by a seed.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rules.hpp"

namespace market {

// Records that came together.
struct packet {
  std::string text{};
  std::vector<std::uint32_t> ends{};  // where in the text each record ends

  void add(std::string_view record) {
    text += record;
    ends.push_back(static_cast<std::uint32_t>(text.size()));
  }
  [[nodiscard]] std::uint32_t size() const noexcept { return static_cast<std::uint32_t>(ends.size()); }
  [[nodiscard]] std::string_view operator[](std::size_t at) const noexcept {
    const std::size_t begin = at == 0 ? 0 : ends[at - 1];
    return std::string_view(text).substr(begin, ends[at] - begin);
  }
};
using shared_packet = std::shared_ptr<const packet>;

struct session_options {
  std::uint64_t orders = 200'000;  // records, malformed ones included
  std::uint64_t seed = 1;
  unsigned packet_size = 48;  // records in a packet, on average, without bursts
  unsigned burst_size = 8;    // so many times as large is a packet in a burst; one of 16 is
  unsigned malformed_one_in = 2'000;
  unsigned strange_one_in = 500;  // orders: of no account, of no instrument, or with an old number
};

struct session {
  rules by{};                                       // with trading_rounds as they came out
  std::vector<std::vector<shared_packet>> feeds{};  // of each feed one packet for each round, the last ones empty
};

// The same options give the same session on every machine.
session make_session(rules by, const session_options& options);

}  // namespace market
