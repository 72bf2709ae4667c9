// Counts the threads from outside that are in a part of the engine, and keeps that part until they have left.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// The part of the engine that has a lobby is not destroyed before all threads have left it. So the lobby is the part's
// last member, whose destructor runs first. At that time all threads inside are on their way out, so the destructor
// waits only for the last steps of the slowest. Thread safety: any thread.
class lobby {
 public:
  lobby() = default;
  lobby(const lobby&) = delete;
  lobby& operator=(const lobby&) = delete;
  ~lobby() {
    while (inside_.load() != 0) sync::real::pause();
  }

  // A thread is inside as long as its guest object lives.
  class guest {
   public:
    explicit guest(lobby& in) noexcept : inside_(&in.inside_) { inside_->fetch_add(1); }
    guest(const guest&) = delete;
    guest& operator=(const guest&) = delete;
    ~guest() { inside_->fetch_sub(1); }

   private:
    sync::atomic<std::uint32_t>* const inside_;
  };

 private:
  sync::atomic<std::uint32_t> inside_{0};
};

}  // namespace tact::dispatch
