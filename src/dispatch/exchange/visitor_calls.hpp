// What workers ask of threads that are no workers.
#pragma once

#include <cstdint>

namespace tact::dispatch {

// The dispatcher knows those threads. Thread safety: any thread may call it.
class visitor_calls {
 public:
  // A shard that is reserved for a blocking actor or for a loop has messages.
  virtual void call_reserved(std::uint32_t shard) noexcept = 0;
  // An engine without worker threads has messages: a thread should pump.
  virtual void call_pump() noexcept = 0;
  // All workers are idle: the places that no thread has taken give their memory back.
  virtual void trim_places() noexcept = 0;

 protected:
  ~visitor_calls() = default;
};

}  // namespace tact::dispatch
