// How a thread with an event loop of its own learns that its place has messages, and how it begins and ends a pump.
#pragma once

#include <utility>

#include "dispatch/visitors/pump_word.hpp"
#include "sync/rundown.hpp"

namespace tact::dispatch {

// The loop is called once when a message comes of which it does not know, and not again before a pump has said that
// nothing is left: see pump_word. This class adds the end: after close no thread is in `call`, so what `call` refers to
// may be destroyed.
//
// Thread safety: announce from any thread, after a seq_cst change of what a pump looks at; the rest by the loop's
// thread. Invariant: a thread that calls the loop was counted before it rang, and close waits, with the word closed,
// until the count is 0; a thread that is counted later finds the word closed, and does not call. Protocol page:
// docs/protocols/loop.md.
template <class Sync, class Call>
class loop_call {
 public:
  explicit loop_call(Call call) : call_(std::move(call)) {}

  void announce() noexcept {
    calling_.enter();
    const bool calls = word_.ring();
    if (Sync::planted(sync::fault::loop_called_outside)) calling_.leave();
    if (calls) call_();
    if (!Sync::planted(sync::fault::loop_called_outside)) calling_.leave();
  }

  // Begins a pump. False: the loop's thread is in the middle of a pump already, or the loop has ended.
  [[nodiscard]] bool enter() noexcept { return word_.try_drive() == pump_word<Sync>::entry::entered; }
  // Ends a pump. True: something is left, and no thread will call the loop for it.
  template <class Anything>
  [[nodiscard]] bool leave(Anything anything) noexcept {
    if (!anything()) return word_.leave(anything);
    word_.leave_told();
    return true;
  }

  // After this no thread calls the loop. False: the caller is in the middle of a pump.
  [[nodiscard]] bool close() noexcept {
    if (!word_.try_close()) return false;
    calling_.wait();
    return true;
  }

 private:
  const Call call_;
  pump_word<Sync> word_;
  sync::rundown<Sync> calling_;
};

}  // namespace tact::dispatch
