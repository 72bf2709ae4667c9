// What a thread outside remembers of the shard to which it sent last: messages that may go anywhere stay together.
#pragma once

#include <cstdint>

#include "mailbox/inbox.hpp"

namespace tact::dispatch {

class dispatcher;

// Every change of shard moves cache lines from worker to worker, so a thread stays with one while that shard's worker
// keeps up. It is a preference and nothing else: a shard that belongs to another engine by now, or to no worker that
// has time, costs time, not messages. Thread safety: the thread's own.
struct outside_sender {
  const dispatcher* to = nullptr;  // never followed: the engine may be gone
  std::uint32_t shard = 0;
  std::uint64_t behind_ns = 0;  // how far that shard was behind after the last message

  [[nodiscard]] static outside_sender& of_this_thread() noexcept;
};

}  // namespace tact::dispatch
