// Who watches an actor, and what happens when one with papers ends: docs/protocols/lifetime.md.
#include <utility>

#include "actor/failures.hpp"
#include "actor/notices.hpp"
#include "actor/papers.hpp"
#include "actor/this_thread.hpp"
#include "actor/transactor.hpp"

namespace tact::detail {

using actor::cell;
using mailbox::envelope;

// Where others may end the actor meanwhile, the word is committed to what it was: whoever ends it after that looks into
// its papers. If somebody was quicker, the watcher is taken back, unless it was told already.
transactor::outcome transactor::watch(envelope& e, cell& c, cell::word_value seen) {
  watcher& w = actor::take_watcher(e);
  actor::add_watcher(c, w);
  if (!nobody_else_changes(seen) && !c.word.commit(seen, seen.closure()) && actor::remove_watcher(c, w)) {
    actor::put_watcher(e, w);
    return outcome::again;
  }
  finish<false>(e);
  return outcome::done;
}

// Notices are staged behind what the run has sent, and leave with it.
void transactor::tell_watcher(watcher& w, ended&& notice) noexcept {
  const port to = actor::or_nobody(w.to);
  const bool is_elsewhere = actor::is_current(to) && !lives_in(to, *engine_);
  const actor::this_thread::callback outside;
  const port debt = std::exchange(debt_, 0);  // a notice is no answer
  w.tell(w, is_elsewhere ? nullptr : this, std::move(notice));
  debt_ = debt;
}

void transactor::bid_farewell(cell& c, ending how, const std::string* what) noexcept {
  if (what == nullptr && how.why == end_reason::failed) what = pill_text_;
  const actor::farewell all = actor::take_leave(c);
  for (watcher* w : all.watchers) tell_watcher(*w, actor::notice_of_end(actor::last_port_of(c), how.why, what));
  retire_with_papers(c);
}

void transactor::retire_with_papers(cell& c) noexcept {
  if (alone_) return engine_->cells().give_later(c);
  retire_shared(
      &c,
      [](void* object, void* engine) { static_cast<core*>(engine)->cells().give_later(*static_cast<cell*>(object)); },
      engine_);
}

void watch(run& r, port target, watcher& w) {
  try {
    ::new (stage(r, target, actor::watch_message)) watcher*(&w);
  } catch (...) {
    w.drop(w);
    throw;
  }
}

void watch(core& engine, port target, watcher& w) noexcept {
  target = actor::or_nobody(target);
  if (!actor::is_current(target)) return w.tell(w, nullptr, actor::gone(target));
  watcher* payload = &w;
  send(engine, target, actor::watch_message, &payload);
}

}  // namespace tact::detail
