// tact::loop: actors that live on a thread of yours, which has an event loop of its own, in an engine with workers.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <utility>

#include "tact/creator.hpp"
#include "tact/detail/loops.hpp"
#include "tact/engine.hpp"
#include "tact/pumping.hpp"

namespace tact {

// A window's thread, say, is a place in an engine: actors that are made there with tact::on(loop) have their handlers
// run on that thread, when it calls pump, and nowhere else; so they may touch what belongs to it. All else is as for
// other actors: the same refs, laws, statistics and end; workers send to them, and they to workers. They handle one
// message at a time, in the order of each sender. What comes back to a self.ask of theirs is handled there too.
//
//   tact::loop loop(engine, [] { ... });              // makes the event loop call on_turn, from any thread
//   void on_turn() { if (loop.pump(1000, 2ms).more) ... }   // the same again
//   const auto view = engine.create(show_results(window), tact::on(loop));
//
// Nothing blocks the thread: while it has a loop each call that waits for actors, such as engine.ask, throws
// usage_error there, and what it sends to a full mailbox goes in beyond the limit. Ask from an actor of the loop
// instead. A loop belongs to the thread that made it, which pumps and destroys it, before the engine. It takes one of
// the places for blocking actors (engine_options::blocking_max) for good. Ready-made for an event loop:
// tact::gui::fltk_loop, tact::gui::qt_loop. How: docs/event_loops.md.
class loop {
 public:
  // on_wake: called once when something comes that the loop does not know of, and not again until a pump has said that
  // nothing is left. On the thread that sends, which it keeps waiting: it should do no more than post a task, and must
  // not wait for the loop's thread. Calls that pump or wait throw usage_error in it; what it throws is ignored.
  // Throws usage_error in a handler and when no place is left, std::bad_alloc.
  loop(engine& e, std::function<void()> on_wake)
      : place_(detail::open_loop(detail::access::core_of(e), std::move(on_wake))) {}
  loop(const loop&) = delete;
  loop& operator=(const loop&) = delete;
  // Ends its actors, here, before they handle what waits: that becomes dead letters, and what comes later does. When it
  // returns none of their handlers runs, and their behaviours are destroyed, but for those that a self.ask left to wait
  // for an answer: they go with the engine. In one of its own handlers it ends the process, with a word.
  ~loop() { detail::close_loop(place_); }

  // Runs handlers of its actors, so many messages at most; never sleeps. `more`: pump again, soon, because nobody will
  // call on_wake for what is left. Inside one of its own handlers, where a dialog may run an event loop of its own, it
  // does nothing. Throws usage_error on another thread.
  pumped pump(std::size_t max_messages = unlimited) { return detail::pump_loop(place_, max_messages, {}); }
  // The same for about so long: the time is looked at after each message.
  template <class Rep, class Period>
  pumped pump(std::size_t max_messages, std::chrono::duration<Rep, Period> budget) {
    return detail::pump_loop(place_, max_messages, detail::deadline_after(budget));
  }

 private:
  friend struct detail::access;
  friend class on;

  const detail::loop_place place_;
};

// Says where an actor lives: engine.create(show_results(window), tact::on(loop)), as tact::ordered otherwise. Throws
// usage_error for a loop of another engine, and for one that has ended; behind the end of the loop the object is of no
// use, but harmless while the engine lives.
class on {
 public:
  explicit on(const loop& l) noexcept : place_(l.place_) {}

 private:
  friend void note(detail::particulars& p, on& where) noexcept;

  detail::loop_place place_;
};
inline void note(detail::particulars& p, on& where) noexcept { p.loop = where.place_; }

namespace detail {

template <>
struct placed_by<on> {
  static constexpr placement where = placement::on_loop;
};

}  // namespace detail

}  // namespace tact
