// Shows what a worker holds while a handler runs, to the workers that free memory meanwhile. docs/protocols/epochs.md.
#pragma once

#include <cstdint>

#include "sync/policy.hpp"

namespace tact::dispatch {

// Between two handlers a worker may hold whatever it finds in the shared words that it reads. While a handler runs it
// reads no such word, and of all that it found before it uses two things only: the handler's closure, and the cell to
// which the closure belongs. Here it shows these two. That takes two plain stores a message; they are ordered by the
// barrier of the thread that looks, which acts on every thread of the process. Invariant: while an object is shown, the
// worker holds at most that object and its place.
//
// Thread safety: hold, let_go and rest by the worker; look by any thread. REQUIRES: the worker reads shared words only
// after let_go and before hold.
template <class Sync>
class hazard_slot {
 public:
  struct hands {
    const void* object = nullptr;  // null: the worker may hold anything that it has read
    const void* place = nullptr;
  };
  using port_word = typename Sync::template atomic<std::uint64_t>;

  // `port` is written before hold; `place_mask` says which of its bits are the address of the place.
  hazard_slot(const port_word& port, std::uint64_t place_mask) noexcept : port_(&port), place_mask_(place_mask) {}

  // Shows this object, which the worker has read from a shared word since let_go.
  // release: the port was written, and the word read, before.  pairs: hazard_slot.hold
  void hold(const void* object) noexcept { object_.store(object, std::memory_order_release); }
  void let_go() noexcept {
    if (Sync::planted(sync::fault::hazard_left)) return;
    // release: the uses of the object are over.  pairs: hazard_slot.hold
    object_.store(nullptr, std::memory_order_release);
    Sync::keep_order();  // before the next word is read
  }

  // Shows that the worker holds nothing, and reads no shared word until let_go.
  // release: as in let_go.  pairs: hazard_slot.hold
  void rest() noexcept { object_.store(this, std::memory_order_release); }

  [[nodiscard]] hands look() const noexcept {
    // acquire: the uses of what was held before are over, and the port is that of the object or of a later one.
    // pairs: hazard_slot.hold
    const void* const object = object_.load(std::memory_order_acquire);
    // relaxed: hint, if the port is that of a later message: then the worker has read that message's words after the
    // barrier.
    const std::uint64_t port = port_->load(std::memory_order_relaxed);
    return {object, reinterpret_cast<const void*>(static_cast<std::uintptr_t>(port & place_mask_))};
  }

 private:
  const port_word* port_;
  std::uint64_t place_mask_;
  // Null; or the object that the handler may use; or this, when the worker holds nothing. Written by the worker.
  typename Sync::template atomic<const void*> object_{this};
};

}  // namespace tact::dispatch
