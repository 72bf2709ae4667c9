// The places in an engine for actors that live on the thread of an event loop. Protocol page: docs/protocols/loop.md.
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "actors/cell_store.hpp"
#include "actors/core.hpp"
#include "actors/this_thread.hpp"
#include "base/reserve.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/loops.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/pumping.hpp"

namespace tact::detail {

using actors::cell;

std::uint32_t core::open_loop(std::function<void()> wake) {
  look_whether_left_behind("tact::loop");
  const auto place = dispatcher_.open_loop([this, call = std::move(wake)] { call_loop(call); });
  if (place) return *place;
  throw usage_error("tact::loop: each takes one of the places for blocking actors, and this engine has " +
                    std::to_string(options_.blocking_max) +
                    " (engine_options.blocking_max), which are all in use; allow more");
}

std::optional<std::uint32_t> core::home_on(const loop_place& loop) {
  if (loop.engine != this) {
    throw usage_error("tact::on: the loop is a place in another engine; give each engine a tact::loop of its own");
  }
  if (!dispatcher_.loop_at(loop.shard).is_open_loop()) {
    throw usage_error("tact::on: the tact::loop has ended, and nobody runs handlers on its thread any more");
  }
  return loop.shard;
}

dispatch::pump::amount core::pump_loop(std::uint32_t place, std::uint64_t most, deadline until) noexcept {
  return dispatcher_.loop_at(place).run_some(most, until);
}

void core::close_loop(std::uint32_t place) noexcept {
  const base::may_use_reserve sure;
  auto& loop = dispatcher_.loop_at(place);
  loop.refuse_actors();
  actors::cell_store::place next;
  const auto lives_there = [&](const cell& c) {
    return !c.word.load().is_ended() && !c.where().is_one_shot() && c.where().shard() == place;
  };
  while (cell* const c = cells_.find(next, lives_there)) order_end(actors::port_of(*c), end_reason::loop_ended);
  // The first pump handles the orders and all messages that wait, the next pump what these have sent. While others send
  // there is always more, so the time is limited: the thread of the place buries the rest.
  const auto enough = sync::clock::now() + std::chrono::milliseconds(100);
  while (loop.run_some(dispatch::turn::unlimited, {}).more && sync::clock::now() < enough) {
  }
  if (!loop.close()) {
    std::fputs(
        "tact: a tact::loop is destroyed in a handler that it runs; let the handler make the event loop return, and "
        "destroy it behind that\n",
        stderr);
    std::abort();
  }
  if (!dispatcher_.stopping()) dispatcher_.close_loop(place);
}

loop_place open_loop(core& engine, std::function<void()> wake) {
  auto& me = sync::thread_state::of_this_thread();
  if (me.worker != nullptr || me.never_waits) {
    throw usage_error("tact::loop: not on a thread of an engine; make it on the thread that runs the event loop");
  }
  if (!wake) {
    throw usage_error("tact::loop: give it a function that makes the event loop call pump, or nobody would");
  }
  const std::uint32_t place = engine.open_loop(std::move(wake));
  ++me.loops;
  return {&engine, place, me.identity()};
}

pumped pump_loop(const loop_place& at, std::size_t most, deadline until) {
  const auto& me = sync::thread_state::of_this_thread();
  if (at.thread != me.identity()) {
    throw usage_error("loop.pump: on another thread than the one that made the tact::loop, where its actors live");
  }
  if (me.in_wake) throw usage_error("loop.pump in on_wake: only tell the event loop there, and let that pump");
  const auto done = at.engine->pump_loop(at.shard, most, until);
  return {static_cast<std::size_t>(done.handled), done.more};
}

void close_loop(const loop_place& at) noexcept {
  at.engine->close_loop(at.shard);
  --sync::thread_state::of_this_thread().loops;
}

}  // namespace tact::detail
