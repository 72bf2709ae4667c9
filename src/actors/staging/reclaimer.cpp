#include "actors/staging/reclaimer.hpp"

#include <utility>

#include "actors/cells/metadata.hpp"
#include "actors/common/this_thread.hpp"

namespace tact::actors {

namespace {

// The disposal is that of the engine of its scope, which lives on: only threads of the engine come here.
void leave_for_good(cell& c) noexcept {
  cell_store& cells = scope_of(c)->disposal().cells;
  leave_scope(c);
  cells.give_later(c);
}

void end_of_member(void* behavior, void* member) noexcept {
  auto& replaced = *static_cast<closure*>(behavior);
  replaced.type->destroy(replaced, allocation::delete_);
  if (cell& of = *static_cast<cell*>(member); nothing_owed(of)) leave_for_good(of);
}

}  // namespace

void reclaimer::destroy_behavior(void* behavior, void*) noexcept {
  auto& ended = *static_cast<closure*>(behavior);
  ended.type->destroy(ended, allocation::delete_);
}

// To end a closure runs code of the user, which may end other actors.
void reclaimer::settle_all() noexcept {
  const bool is_unseen = run_.workers().reclamation().is_only_one_online();
  const std::array<unlinked, aside_most> all = aside_;
  const unsigned count = std::exchange(count_aside_, 0);
  for (unsigned i = 0; i < count; ++i) {
    const unlinked& u = all[i];
    if (u.behavior != nullptr) {
      is_unseen ? end_unseen(*u.behavior) : retire_shared(*u.behavior);
    } else {
      is_unseen ? cells_.give(*u.of) : retire_shared(*u.of);
    }
  }
}

void reclaimer::retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept {
  auto& workers = run_.workers();
  if (!run_.worker().is_blocking()) return workers.reclamation().retire(run_.worker().index(), object, fin, with);
  const this_thread::callback outside;
  workers.retire_outside(object, fin, with);
}

void reclaimer::retire_shared(closure& old) noexcept {
  retire_shared(
      &old,
      [](void* object, void* pins) {
        if (!static_cast<pinned_closures*>(pins)->put_off(*static_cast<closure*>(object), &destroy_behavior, nullptr))
          destroy_behavior(object, nullptr);
      },
      &pins_);
}

void reclaimer::retire_shared(cell& c) noexcept {
  retire_shared(
      &c,
      [](void* object, void* cells) {
        cell* const free = static_cast<cell*>(object);
        auto& store = *static_cast<cell_store*>(cells);
        // Whichever worker of the engine frees the cell keeps it for the next actor that it creates.
        run* const r = this_thread::worker();
        const bool keeps = r != nullptr && run_state::of(*r).cells().is_of(store);
        keeps ? run_state::of(*r).cells().give(*free) : store.give({&free, 1});
      },
      &store_);
}

// Retires what a member of a scope was before. A thread that waits for the scope waits for that too.
void reclaimer::retire_of_member(cell& c, closure& old) noexcept {
  if (scope_of(c) == nullptr) return retire_shared(old);
  owe_behavior(c);
  retire_shared(
      &old,
      [](void* object, void* member) {
        auto& pins = scope_of(*static_cast<cell*>(member))->disposal().pins;
        if (!pins.put_off(*static_cast<closure*>(object), &end_of_member, member)) end_of_member(object, member);
      },
      &c);
  hasten();
}

void reclaimer::retire_with_metadata(cell& c, bool leaves_scope) noexcept {
  if (run_.is_alone()) return store_.give_later(c);
  if (!leaves_scope) {
    return retire_shared(
        &c, [](void* object, void* cells) { static_cast<cell_store*>(cells)->give_later(*static_cast<cell*>(object)); },
        &store_);
  }
  retire_shared(
      &c,
      [](void* object, void*) {
        if (cell& of = *static_cast<cell*>(object); nothing_owed(of)) leave_for_good(of);
      },
      nullptr);
  hasten();
}

// A thread may wait for what was retired, so it is to be freed soon.
void reclaimer::hasten() noexcept {
  if (!run_.worker().is_blocking()) run_.workers().reclamation().hasten(run_.worker().index());
}

// The waiter's cell of a handler, which is a one-shot, has the home of that handler's actor. That may be a shard
// reserved for the actor, and is still in use.
void reclaimer::give_up(cell& c) noexcept {
  if (!c.where().is_one_shot()) run_.workers().homes().home_is_unused(c.where().shard());
  c.next_generation();
  retire(run_, c);
}

void reclaimer::give_up_served(cell& c) noexcept {
  c.next_generation_served();
  retire(run_, c);
}

void reclaimer::adopt_withdrawn() noexcept {
  for (cell* c = outside_.take_withdrawn(); c != nullptr;) retire_shared(*std::exchange(c, c->next_withdrawn()));
}

}  // namespace tact::actors
