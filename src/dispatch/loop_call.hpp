// How a thread with an event loop of its own learns that its place has messages, and how it takes its turn there.
#pragma once

#include <utility>

#include "dispatch/presence.hpp"
#include "dispatch/pump_word.hpp"

namespace tact::dispatch {

// The loop is called once when something comes that it does not know of, and not again until a pump has said that
// nothing is left: pump_word. What is new here is the end: after close nobody is in `call`, so what it refers to may
// go.
//
// Thread safety: announce from any thread, after a seq_cst change of what a pump looks at; the rest by the loop's
// thread. Invariant: who calls the loop has entered before it rang, and close waits, with the word closed, until
// everybody has left; who enters later finds the word closed. Protocol page: docs/protocols/loop.md.
template <class Sync, class Call>
class loop_call {
 public:
  explicit loop_call(Call call) : call_(std::move(call)) {}

  void announce() noexcept {
    static_cast<void>(calling_.enter([] { return false; }));
    const bool calls = word_.ring();
    if (Sync::planted(sync::fault::loop_called_outside)) calling_.leave();
    if (calls) call_();
    if (!Sync::planted(sync::fault::loop_called_outside)) calling_.leave();
  }

  // False: the loop's thread is in the middle of a pump, which goes on; or the loop has ended.
  [[nodiscard]] bool enter() noexcept { return word_.try_drive() == pump_word<Sync>::entry::entered; }
  // True: something is left, and nobody will call for it.
  template <class Anything>
  [[nodiscard]] bool leave(Anything anything) noexcept {
    if (!anything()) return word_.leave(anything);
    word_.leave_told();
    return true;
  }

  // Nobody is called any more. False: in the middle of a pump.
  [[nodiscard]] bool close() noexcept {
    if (!word_.try_close()) return false;
    while (calling_.anybody()) Sync::pause();
    return true;
  }

 private:
  const Call call_;
  pump_word<Sync> word_;
  presence<Sync> calling_;
};

}  // namespace tact::dispatch
