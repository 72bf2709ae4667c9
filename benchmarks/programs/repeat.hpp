// Repeat, for every runtime: one client sends two messages to each of many servers, which send them back, round after
// round. Source: C∀.
#pragma once

#include <array>
#include <bit>
#include <cstdint>

#include "programs/program.hpp"

namespace bench {

struct repeat_setting {
  repeat_setting(program& p, std::uint32_t ordinary_rounds, std::uint32_t ordinary_servers = 100'000)
      : servers(static_cast<std::uint32_t>(p.number("servers", ordinary_servers, 1000, "servers"))),
        rounds(static_cast<std::uint32_t>(p.number("rounds", ordinary_rounds, 5, "rounds"))) {}
  [[nodiscard]] std::uint64_t replies() const { return std::uint64_t{servers} * 2 * rounds; }
  // Requests and replies, one start of each round, one stop for each server.
  [[nodiscard]] std::uint64_t messages() const { return replies() * 2 + rounds + servers; }

  std::uint32_t servers;
  std::uint32_t rounds;
};

using repeat_text = std::array<char, 8>;
inline constexpr repeat_text repeat_answer{'X', 'Y', 'Z'};

// The client counts. A reply of another round, or with another content, is a wrong one.
struct repeat_record {
  std::uint64_t round_replies = 0;
  std::uint64_t replies = 0;
  std::uint64_t numbers = 0;
  std::uint64_t wrong = 0;
  std::uint32_t rounds = 0;

  void hear_number(long value) {
    ++numbers;
    hear(value == 7);
  }
  void hear_text(const repeat_text& value) { hear(bits_of(value) == bits_of(repeat_answer)); }
  // True once, when the round is over.
  [[nodiscard]] bool ends_round(const repeat_setting& s) {
    if (round_replies != std::uint64_t{s.servers} * 2) return false;
    wrong += numbers != std::uint64_t{s.servers} * ++rounds;
    round_replies = 0;
    return true;
  }

 private:
  // Compared as one number: no call.
  static constexpr std::uint64_t bits_of(const repeat_text& t) { return std::bit_cast<std::uint64_t>(t); }
  void hear(bool right) {
    ++round_replies;
    ++replies;
    wrong += !right;
  }
};

inline void check_repeat(program& p, const repeat_setting& s, const repeat_record& r) {
  p.check_equal(r.replies, s.replies(), "replies");
  p.check_equal(r.rounds, s.rounds, "rounds");
  p.check_equal(r.wrong, 0, "replies with a wrong content, or rounds with too few numbers");
}

}  // namespace bench
