// tact::loop: actors that live on a thread of the user's, which has an event loop of its own, in an engine with
// workers.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

#include "tact/creator.hpp"
#include "tact/detail/loops.hpp"
#include "tact/engine.hpp"
#include "tact/pumped.hpp"

namespace tact {

// A place in an engine for actors that must run on one thread, such as the thread of a window. Actors made with
// tact::on_loop(loop) have their handlers run on that thread, when it calls pump, and nowhere else; so they may touch
// what belongs to it. All else is as for other actors: they have the same refs, laws, statistics and end; workers send
// to them, and they send to workers. They handle one message at a time, in the order of each sender. The answer to a
// self.ask of theirs is handled on that thread too.
//
//   tact::loop loop(engine, [] { ... });              // makes the event loop call on_turn, from any thread
//   void on_turn() { if (loop.pump(1000, 2ms).more) ... }   // the same again
//   const auto view = engine.create(show_results(window), tact::on_loop(loop));
//
// The library never blocks this thread: while it has a loop, each call that waits for actors, such as engine.ask,
// throws usage_error there, and its sends to a full mailbox go in beyond the limit. Let an actor of the loop ask
// instead. The destructors of scopes and supervisors cannot refuse: outside of handlers they wait for the members, and
// pump all loops of the thread meanwhile, so that members which live there can end. A loop belongs to the thread that
// made it: this thread pumps it and destroys it, before the engine. A loop takes one of the places for blocking actors
// (engine_options::blocking_max) for good. Ready-made for an event loop: tact::gui::fltk_loop, tact::gui::qt_loop. How
// to write one: docs/event_loops.md.
class loop {
 public:
  // on_wake is called once when something comes that the loop does not know of, and not again until a pump has said
  // that nothing is left. It runs on the thread that sends, and keeps it waiting: it should do no more than post a task
  // to the event loop, and must not wait for the loop's thread. Calls that pump or wait throw usage_error in it; an
  // exception that it throws is ignored.
  // Throws usage_error in a handler and when no place is left, and std::bad_alloc.
  loop(engine& e, std::function<void()> on_wake)
      : place_(detail::open_loop(detail::access::core_of(e), std::move(on_wake))) {}
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;
  // Ends the loop's actors, on this thread, before they handle what still waits: that becomes dead letters, and so do
  // messages that come later. On return none of their handlers runs, and their behaviours are destroyed, except those
  // whose handlers wait for an answer in self.ask: these go with the engine. The destructor must not run in a handler
  // of the loop: it ends the process there, with a line that says so. Behind the end of its engine there is nothing to
  // do any more, and a line on stderr says so, because what the actors held has gone without this thread.
  ~loop() { detail::close_loop(place_); }

  // Runs handlers of the loop's actors, for max_messages messages at most; never sleeps. `more` of the result: pump
  // again, soon, because on_wake will not be called for what is left. Inside one of its own handlers, where a dialog
  // may run an event loop of its own, it does nothing. Throws usage_error on another thread, and when the engine has
  // gone.
  pumped pump(std::size_t max_messages = unlimited) { return detail::pump_loop(place_, max_messages, {}); }
  // Runs handlers as the call above does, but stops when about `budget` has passed, which is checked after each
  // message.
  template <class Rep, class Period>
  pumped pump(std::size_t max_messages, std::chrono::duration<Rep, Period> budget) {
    return detail::pump_loop(place_, max_messages, detail::deadline_after(budget));
  }

 private:
  friend struct detail::access;
  friend class on_loop;

  const detail::loop_place place_;
};

// A tag of creation: engine.create(show_results(window), tact::on_loop(loop)) makes an actor that lives on the loop,
// and is like any other one otherwise. The creation throws usage_error for a loop of another engine, and for one that
// has ended. When the loop has ended this object is of no use, but harmless as long as the engine lives.
class on_loop {
 public:
  explicit on_loop(const loop& l) noexcept : place_(l.place_) {}

 private:
  friend void note(detail::creation_options& p, on_loop& where) noexcept;

  detail::loop_place place_;
};
inline void note(detail::creation_options& p, on_loop& where) noexcept { p.loop = where.place_; }

namespace detail {

template <>
struct placed_by<on_loop> {
  static constexpr placement where = placement::on_loop;
};

}  // namespace detail

// Names of earlier versions; they go with the next one.
using on [[deprecated("use tact::on_loop")]] = on_loop;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
