#include "actors/reclaimer.hpp"

#include <utility>

#include "actors/creations.hpp"
#include "actors/metadata.hpp"
#include "actors/this_thread.hpp"
#include "actors/transactor.hpp"

namespace tact::detail {

using actors::cell;

namespace {

void leave_for_good(cell& c) noexcept {
  actors::leave_scope(c);
  actors::cell_region::of(c).gate.load()->engine().cells().give_later(c);
}

void end_of_member(void* behavior, void* member) noexcept {
  auto& replaced = *static_cast<closure*>(behavior);
  replaced.type->destroy(replaced, allocation::delete_);
  if (cell& of = *static_cast<cell*>(member); actors::nothing_owed(of)) leave_for_good(of);
}

}  // namespace

void reclaimer::destroy_behavior(void* behavior, void*) noexcept {
  auto& ended = *static_cast<closure*>(behavior);
  ended.type->destroy(ended, allocation::delete_);
}

// To end a closure runs code of the user, which may end other actors.
void reclaimer::settle_all() noexcept {
  const bool is_unseen = run_.engine().workers().reclamation().is_only_one_online();
  const std::array<unlinked, aside_most> all = aside_;
  const unsigned count = std::exchange(count_aside_, 0);
  for (unsigned i = 0; i < count; ++i) {
    const unlinked& u = all[i];
    if (u.behavior != nullptr) {
      is_unseen ? end_unseen(run_, *u.behavior) : retire_shared(*u.behavior);
    } else {
      is_unseen ? cells_.give(*u.of) : retire_shared(*u.of);
    }
  }
}

void reclaimer::retire_shared(void* object, dispatch::epochs::finalizer fin, void* with) noexcept {
  auto& workers = run_.engine().workers();
  if (!run_.worker().is_blocking()) return workers.reclamation().retire(run_.worker().index(), object, fin, with);
  const actors::this_thread::callback outside;
  workers.retire_outside(object, fin, with);
}

void reclaimer::retire_shared(closure& old) noexcept {
  retire_shared(
      &old,
      [](void* object, void* engine) {
        auto& pins = static_cast<core*>(engine)->pins();
        if (!pins.put_off(*static_cast<closure*>(object), &destroy_behavior, nullptr))
          destroy_behavior(object, nullptr);
      },
      &run_.engine());
}

void reclaimer::retire_shared(cell& c) noexcept {
  retire_shared(
      &c,
      [](void* object, void* engine) {
        cell* const free = static_cast<cell*>(object);
        // Whichever worker frees the cell keeps it for the next actor that it creates.
        run* r = actors::this_thread::worker();
        r != nullptr ? transactor::of(*r).cells().give(*free) : static_cast<core*>(engine)->cells().give({&free, 1});
      },
      &run_.engine());
}

// Retires what a member of a scope was before. A thread that waits for the scope waits for that too.
void reclaimer::retire_of_member(cell& c, closure& old) noexcept {
  if (actors::scope_of(c) == nullptr) return retire_shared(old);
  actors::owe_behavior(c);
  retire_shared(
      &old,
      [](void* object, void* member) {
        auto& pins = actors::cell_region::of(*static_cast<cell*>(member)).gate.load()->engine().pins();
        if (!pins.put_off(*static_cast<closure*>(object), &end_of_member, member)) end_of_member(object, member);
      },
      &c);
  hasten();
}

void reclaimer::retire_with_metadata(cell& c, bool leaves_scope) noexcept {
  if (run_.is_alone()) return run_.engine().cells().give_later(c);
  if (!leaves_scope) {
    return retire_shared(
        &c,
        [](void* object, void* engine) { static_cast<core*>(engine)->cells().give_later(*static_cast<cell*>(object)); },
        &run_.engine());
  }
  retire_shared(
      &c,
      [](void* object, void*) {
        if (cell& of = *static_cast<cell*>(object); actors::nothing_owed(of)) leave_for_good(of);
      },
      nullptr);
  hasten();
}

// A thread may wait for what was retired, so it is to be freed soon.
void reclaimer::hasten() noexcept {
  if (!run_.worker().is_blocking()) run_.engine().workers().reclamation().hasten(run_.worker().index());
}

void reclaimer::give_up(cell& c, bool served) noexcept {
  // The waiter's cell of a handler has the home of that handler's actor, which may be a shard reserved for the actor:
  // it is still in use.
  if (!c.where().is_one_shot()) run_.engine().workers().homes().home_is_unused(c.where().shard());
  c.next_generation(served);
  retire(run_, c);
}

void reclaimer::adopt_withdrawn() noexcept {
  for (cell* c = run_.engine().creations().take_withdrawn(); c != nullptr;)
    retire_shared(*std::exchange(c, c->next_withdrawn()));
}

}  // namespace tact::detail
