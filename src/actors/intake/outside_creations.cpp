#include "actors/intake/outside_creations.hpp"

#include <string>

#include "actors/pressure/limited_mailbox.hpp"
#include "base/blocks.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

std::optional<std::uint32_t> outside_creations::reserved_home(placement where, const loop_place& loop) {
  if (where == placement::on_loop) return home_on(loop);
  if (where == placement::heavy) return workers_.homes().take_heavy();
  if (where != placement::blocking) return {};
  if (const auto home = workers_.homes().take_blocking()) return home;
  throw usage_error("tact::blocking: this engine has engine_options.blocking_max = " + std::to_string(blocking_max_) +
                    " blocking actors already; let some of them end before, or allow more");
}

port outside_creations::reserve(mailbox::route::kind kind, placement where, const loop_place& loop, bool has_mailbox) {
  if (where < placement::heavy && kind == mailbox::route::kind::exclusive && !has_mailbox) return reserve_in_run();
  cell* one;
  cells_.take({&one, 1});
  cell& c = *one;
  try {
    if (has_mailbox) prepare_mailbox(c);
    const auto home = reserved_home(where, loop);
    c.set_where({home ? *home : next_shard(), identity_.number(), kind});
  } catch (...) {
    cells_.give({&one, 1});
    throw;
  }
  return port_of(c);
}

// A closure is made before its actor gets a shard; so where the next one will lie is said here.
std::uint32_t outside_creations::next_shard() noexcept {
  dispatch::posting& posting = workers_.posting();
  const std::uint32_t home = posting.next_shard();
  base::place_closures_outside(base::place_of_worker(posting.likely_next_worker()));
  return home;
}

port outside_creations::reserve_in_run() {
  const std::uint32_t home = next_shard();
  const mailbox::route r(home, identity_.number(), mailbox::route::kind::exclusive);
  cell* one;
  cells_.take_in(r, workers_.mail().shard_at(home).office, {&one, 1});
  one->set_where_in_run(r);
  return port_of(*one);
}

void outside_creations::create(cell& c, closure& first) noexcept {
  if (first.type->kind == actor_kind::asker) {
    counted_.asked.fetch_add(1);
  } else if (!c.where().is_one_shot()) {
    counted_.created.fetch_add(1);
  }
  const std::uint32_t home = c.where().shard();  // read before: once installed, the actor may end at any moment
  c.install(first);
  workers_.homes().home_is_used(home);
}

bool outside_creations::withdraw(port asker, detail::trace_sink* recorded) noexcept {
  cell& c = cell_of(asker);
  const auto seen = c.word.load();
  if (!is_current(asker) || seen.is_ended() || !c.word.try_end(seen)) return false;
  counted_.asks_over.fetch_add(1);
  if (recorded != nullptr) recorded->give_up(asker);
  c.next_generation_served();
  put_withdrawn(c);
  return true;
}

void outside_creations::abandon(cell& c) noexcept {
  c.next_generation();
  put_withdrawn(c);
}

void outside_creations::put_withdrawn(cell& c) noexcept {
  // relaxed: re-checked by the next CAS.
  cell* head = withdrawn_.load(std::memory_order_relaxed);
  do {
    c.set_next_withdrawn(head);
    // release: publishes next_withdrawn. pairs: core.withdrawn
    // relaxed on failure: re-checked by the next CAS.
  } while (!withdrawn_.compare_exchange_weak(head, &c, std::memory_order_release, std::memory_order_relaxed));
  workers_.quiet_event().notify();  // a thread may wait for a scope whose last actor this was
}

cell* outside_creations::take_withdrawn() noexcept {
  // relaxed: hint; a worker that misses a cell finds it the next time.
  if (withdrawn_.load(std::memory_order_relaxed) == nullptr) return nullptr;
  // acquire: observes next_withdrawn. pairs: core.withdrawn
  return withdrawn_.exchange(nullptr, std::memory_order_acquire);
}

std::optional<std::uint32_t> outside_creations::home_on(const loop_place& loop) {
  if (loop.engine_serial != identity_.serial()) {
    throw usage_error("tact::on_loop: the loop is a place in another engine; give each engine a tact::loop of its own");
  }
  if (!workers_.homes().loop_at(loop.shard).is_open_loop()) {
    throw usage_error("tact::on_loop: the tact::loop has ended, and nobody runs handlers on its thread any more");
  }
  return loop.shard;
}

}  // namespace tact::actors
