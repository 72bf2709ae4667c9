// What a worker holds while a handler runs, for whoever frees memory meanwhile. docs/protocols/epochs.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Between two handlers a worker holds whatever it finds in the words that it reads. While a handler runs it reads none,
// and of what it found before it goes on to use two things: the handler's closure, and the cell that this belongs to.
// That it shows here. Two plain stores a message; what orders them is the reader's barrier, which every thread of the
// process has part in.
//
// Thread safety: hold, let_go and rest by the worker; look by any thread. REQUIRES: words are read after let_go only.
template <class Sync>
class grip {
 public:
  struct hands {
    const void* object = nullptr;  // null: whatever it has read
    const void* place = nullptr;
  };
  using port_word = typename Sync::template atomic<std::uint64_t>;

  // `place_mask`: where in `port`, which is written before hold, the address of the place is.
  grip(const port_word& port, std::uint64_t place_mask) noexcept : port_(&port), place_mask_(place_mask) {}

  // The object was read from a shared word since let_go.
  // release: the port was written, and the word read, before.  pairs: grip.hold
  void hold(const void* object) noexcept { object_.store(object, std::memory_order_release); }
  void let_go() noexcept {
    if (Sync::planted(sync::fault::grip_kept)) return;
    // release: the uses of the object are over.  pairs: grip.hold
    object_.store(nullptr, std::memory_order_release);
    Sync::keep_order();  // before the next word is read
  }

  // Until let_go it reads no word, and holds nothing.
  // release: as in let_go.  pairs: grip.hold
  void rest() noexcept { object_.store(this, std::memory_order_release); }

  [[nodiscard]] hands look() const noexcept {
    // acquire: the uses of what was held before are over, and the port is that of the object or of a later one.
    // pairs: grip.hold
    const void* const object = object_.load(std::memory_order_acquire);
    // relaxed: hint, if it is of a later message; then the worker has read its words after the barrier.
    const std::uint64_t port = port_->load(std::memory_order_relaxed);
    return {object, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(port & place_mask_))};
  }

 private:
  const port_word* port_;
  std::uint64_t place_mask_;
  // Null, or what the handler that runs may use, or this: nothing. Written by the worker.
  typename Sync::template atomic<const void*> object_{this};
};

}  // namespace tact::dispatch
