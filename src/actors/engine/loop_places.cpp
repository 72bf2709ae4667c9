#include "actors/engine/loop_places.hpp"

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "actors/common/this_thread.hpp"
#include "actors/failure/failure_notices.hpp"
#include "base/reserve.hpp"
#include "sync/thread_state.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

namespace {

// Marks the calling thread while it calls the user's function that tells an event loop to pump.
class inside_wake {
 public:
  inside_wake() noexcept : was_(sync::thread_state::of_this_thread().in_wake) {
    sync::thread_state::of_this_thread().in_wake = true;
  }
  inside_wake(const inside_wake&) = delete;
  inside_wake& operator=(const inside_wake&) = delete;
  ~inside_wake() { sync::thread_state::of_this_thread().in_wake = was_; }

 private:
  const bool was_;
};

}  // namespace

void loop_places::call(const std::function<void()>& wake) noexcept {
  if (!wake) return;
  try {
    const hosted here(host_);
    const this_thread::callback outside;
    const inside_wake waking;
    wake();
  } catch (...) {
    // The message is in its shard all the same: the next pump finds it.
  }
}

std::uint32_t loop_places::open(std::function<void()> wake) {
  workers_.look_whether_left_behind("tact::loop");
  const auto place = workers_.homes().open_loop([this, wake = std::move(wake)] { call(wake); });
  if (place) return *place;
  throw usage_error("tact::loop: each takes one of the places for blocking actors, and this engine has " +
                    std::to_string(blocking_max_) + " (engine_options.blocking_max), which are all in use; allow more");
}

dispatch::pump::amount loop_places::pump(std::uint32_t place, std::uint64_t most, deadline until) noexcept {
  return workers_.homes().loop_at(place).run_some(most, until);
}

void loop_places::close(std::uint32_t place) noexcept {
  const base::may_use_reserve sure;
  auto& loop = workers_.homes().loop_at(place);
  loop.refuse_actors();
  cell_store::place next;
  const auto lives_there = [&](const cell& c) {
    return !c.word.load().is_ended() && !c.where().is_one_shot() && c.where().shard() == place;
  };
  while (cell* const c = cells_.find(next, lives_there)) order_end(port_of(*c), end_reason::loop_ended);
  tell_continuations(place);
  // The first pump handles the orders and all messages that wait, the next pump what these have sent. While others send
  // there is always more, so the time is limited: the thread of the place buries the rest.
  const auto enough = sync::clock::now() + std::chrono::milliseconds(100);
  while (loop.run_some(dispatch::drive_limit::unlimited, {}).more && sync::clock::now() < enough) {
  }
  if (!loop.close()) {
    std::fputs(
        "tact: a tact::loop is destroyed in a handler that it runs; let the handler make the event loop return, and "
        "destroy it behind that\n",
        stderr);
    std::abort();
  }
  if (!workers_.stopping()) workers_.homes().close_loop(place);
}

// Continuations that wait for an answer hear that it will not come, so that they can tell those to whom they owe one.
// For one that hears no failure, the customer is told in its place.
void loop_places::tell_continuations(std::uint32_t place) noexcept {
  const auto waits_there = [&](const cell& c) {
    return !c.word.load().is_ended() && c.where().is_one_shot() && c.where().shard() == place && c.type()->may_owe;
  };
  cell_store::place next;
  while (cell* const c = cells_.find(next, waits_there)) {
    const bool hears = c->type()->on_failure != nullptr;
    const port told = hears ? port_of(*c) : std::exchange(static_cast<owing&>(*c->word.load().closure()).owed, 0);
    if (told == 0 || !is_current(told)) continue;
    tell_outside(told,
                 notice_of(failure_reason::target_ended, "the tact::loop on which the answer was awaited has ended"));
  }
}

}  // namespace tact::actors
