// What one actor has done with each message, taken out of a trace.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "tact/inspect/trace.hpp"

namespace tact::inspect {

struct handled_message {
  event first{};                // where its handler began first, or where it was given up
  const event* last = nullptr;  // where it was over
  std::string from{};           // "teller@5f3#1", "outside"; empty: not known
  std::vector<std::string_view> notes{};
  unsigned sent = 0;
  unsigned created = 0;
  unsigned undone = 0;  // how often what was staged was thrown away
  unsigned waited = 0;
  unsigned went_home = 0;
  unsigned put_aside = 0;
  bool became = false;
  bool stopped = false;

  // "deposit 3.17 from teller@5f3#1: committed, became, sent 2".
  [[nodiscard]] std::string text() const;
};

// Finds the messages of one actor, of each trace that it is shown: each once, when it is over.
class handled_messages {
 public:
  explicit handled_messages(std::uint64_t actor) noexcept : actor_(actor) {}

  // Those that are over and were not found before, in the order in which they were over. They refer to the trace.
  [[nodiscard]] std::vector<handled_message> find(const trace& in);

 private:
  // What is told of the messages that the actor is at.
  using open_messages = std::unordered_map<std::uint64_t, handled_message>;

  static void look_at(const event& e, open_messages& open);

  const std::uint64_t actor_;
  std::unordered_set<std::uint64_t> found_;  // as far as they are in the trace that was seen last
};

}  // namespace tact::inspect
