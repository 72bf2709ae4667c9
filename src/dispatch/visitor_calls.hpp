// How threads that are no workers are told of messages.
#pragma once

#include <cstdint>

namespace tact::dispatch {

// The announcer calls it; the dispatcher knows those threads. Thread safety: any thread may call it.
class visitor_calls {
 public:
  // A shard that is reserved for a blocking actor or for a loop has messages.
  virtual void call_reserved(std::uint32_t shard) noexcept = 0;
  // An engine without worker threads has messages: a thread should pump.
  virtual void call_pump() noexcept = 0;

 protected:
  ~visitor_calls() = default;
};

}  // namespace tact::dispatch
