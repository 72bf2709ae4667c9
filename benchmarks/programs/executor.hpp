// Executor, for every runtime: actors in groups; each sends to the members of its group in turn, itself included,
// whenever it gets a message. Source: C∀.
#pragma once

#include <vector>

#include "programs/program.hpp"

namespace bench {

struct executor_setting {
  executor_setting(program& p, std::uint32_t ordinary_rounds)
      : executor_setting(p, static_cast<std::uint32_t>(p.number("actors", 40'000, 1000, "actors")), ordinary_rounds) {}
  executor_setting(program& p, std::uint32_t of_actors, std::uint32_t ordinary_rounds)
      : actors(of_actors),
        set(static_cast<std::uint32_t>(p.number("set", 100, 20, "actors of a group"))),
        rounds(static_cast<std::uint32_t>(p.number("rounds", ordinary_rounds, 10, "messages to each of the group"))),
        batch(static_cast<std::uint32_t>(p.number("batch", 1, 1, "messages sent at a time"))),
        limit(set * rounds),
        pairs(p.tiny() ? std::size_t{actors} * set : 0) {
    p.require(actors % set == 0, "--actors is a multiple of --set");
    p.require(std::uint64_t{set} * rounds == limit, "--set times --rounds is less than 2 to the 32");
    p.require(limit % batch == 0, "--set times --rounds is a multiple of --batch");
  }
  [[nodiscard]] std::uint64_t messages() const { return std::uint64_t{actors} * (limit + 1); }

  std::uint32_t actors;
  std::uint32_t set;
  std::uint32_t rounds;
  std::uint32_t batch;
  std::uint32_t limit;
  // In tiny runs: how many messages an actor got from each of its group. Each row is written by its actor alone.
  std::vector<std::uint32_t> pairs;
};

// What one actor did. A message carries its sender's place in the group; that of the main program carries `from_main`.
struct executor_record {
  static constexpr std::uint32_t from_main = ~0u;

  std::uint32_t received = 0;
  std::uint32_t sent = 0;
  std::uint64_t senders = 0;  // sum of their places

  void hear(executor_setting& setting, std::uint32_t actor, std::uint32_t from) {
    ++received;
    if (from == from_main) return;
    senders += from;
    if (!setting.pairs.empty()) [[unlikely]]
      ++setting.pairs[std::size_t{actor} * setting.set + from];
  }
};

inline void check_executor(program& p, const executor_setting& s, std::uint32_t actor, const executor_record& r) {
  const std::uint64_t places = std::uint64_t{s.set} * (s.set - 1) / 2;
  p.check_equal(r.received, std::uint64_t{s.limit} + 1, "messages that an actor received");
  p.check_equal(r.sent, s.limit, "messages that an actor sent");
  p.check_equal(r.senders, places * s.rounds, "sum of the senders' places");
  for (std::uint32_t from = 0; from < s.set && !s.pairs.empty(); ++from) {
    p.check_equal(s.pairs[std::size_t{actor} * s.set + from], s.rounds, "messages of one actor to another");
  }
}

}  // namespace bench
