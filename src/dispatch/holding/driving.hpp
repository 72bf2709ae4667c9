// A thread from outside that drives a worker context which has no thread of its own.
#pragma once

#include <cstdint>

namespace tact::dispatch {

class worker_context;

// While this object lives, the calling thread is the thread of the worker context, and may run messages there. This is
// the one way in for threads that pump an engine without workers (worker::drive), that help while they wait
// (helper::work), and that have an event loop (blocking_thread::run_some).
//
// Thread safety: the calling thread only. Invariant: the thread takes part in the epochs from before its first message
// until after its last one, unless the worker context takes no part in them; and all that it sent and counted is
// published before it leaves. REQUIRES: no other thread drives this worker context.
class driving {
 public:
  explicit driving(worker_context& driven) noexcept;
  ~driving();
  driving(const driving&) = delete;
  driving& operator=(const driving&) = delete;

  // The number of messages that were handled since this object was made.
  [[nodiscard]] std::uint64_t handled() const noexcept;

 private:
  worker_context& driven_;
  std::uint64_t handled_before_;
};

}  // namespace tact::dispatch
