// Where threads of others stand while they are in a part of the engine.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// The part that has one does not go before everybody is out: so it is its last member. All who were inside are on their
// way out by then; what is waited for are the last steps of the slowest. Thread safety: any thread.
class lobby {
 public:
  lobby() = default;
  lobby(const lobby&) = delete;
  lobby& operator=(const lobby&) = delete;
  ~lobby() {
    while (inside_.load() != 0) sync::real::pause();
  }

  // A thread is inside as long as it lives.
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
