#include "actors/cells/metadata.hpp"

#include <algorithm>
#include <utility>

#include "actors/common/this_thread.hpp"
#include "base/blocks.hpp"

namespace tact::actors {
namespace {

using slab_lock = sync::locked<sync::lock<sync::real>>;

sync::lock<sync::real>& lock_of(const cell& c) noexcept { return cell_region::annex_of(c).papers_lock; }

// Takes out the watchers whose own actors have ended.
watcher_list take_stale(metadata& p) noexcept {
  if (p.watchers.size() < p.look_at) return {};
  watcher_list stale = p.watchers.take_out([](detail::watcher& w) {
    w.is_listed = is_current(or_nobody(w.to));
    return !w.is_listed;
  });
  p.look_at = std::max<std::size_t>(8, 2 * p.watchers.size());
  return stale;
}

void drop_all(watcher_list& all) noexcept {
  while (detail::watcher* const w = all.take_first()) w->drop(*w);
}

}  // namespace

std::unique_ptr<metadata> draw_up(detail::creation_options&& about) {
  if (!about.are_kept()) return nullptr;
  base::look_for_memory();
  std::unique_ptr<metadata> fresh(new metadata);
  if (about.scope != nullptr) fresh->place.make();
  fresh->about = std::make_shared<const detail::creation_options>(std::move(about));
  return fresh;
}

void file(cell& c, std::unique_ptr<metadata> drawn_up) noexcept {
  drawn_up->whose = port_of(c);
  if (drawn_up->about->scope != nullptr) drawn_up->about->scope->enter(drawn_up->place, port_of(c));
  const slab_lock lock(lock_of(c));
  c.set_papers(drawn_up.release());
}

detail::members* scope_of(const cell& c) noexcept {
  if (!c.has_metadata()) return nullptr;
  const slab_lock lock(lock_of(c));
  const metadata* p = c.its_papers();
  return p == nullptr || p->about == nullptr ? nullptr : p->about->scope.get();
}

void leave_scope(cell& c) noexcept { scope_of(c)->leave(c.its_papers()->place); }

void owe_behavior(cell& c) noexcept {
  // relaxed: counter; the part of the actor itself keeps it above 0.
  c.its_papers()->unfreed.fetch_add(1, std::memory_order_relaxed);
}

bool nothing_owed(cell& c) noexcept { return c.its_papers()->unfreed.fetch_sub(1) == 1; }

void add_watcher(cell& c, detail::watcher& w) noexcept {
  watcher_list unwanted;
  {
    const slab_lock lock(lock_of(c));
    if (w.is_forgotten) {
      unwanted.add(w);
    } else {
      if (!c.has_metadata()) c.set_papers(new metadata{.whose = port_of(c), .about = {}});
      unwanted = take_stale(*c.its_papers());
      c.its_papers()->watchers.add(w);
      w.is_listed = true;
    }
  }
  const this_thread::callback outside;
  drop_all(unwanted);
}

bool remove_watcher(cell& c, detail::watcher& w) noexcept {
  const slab_lock lock(lock_of(c));
  metadata* p = c.its_papers();
  if (p == nullptr || !p->watchers.has(w)) return false;
  p->watchers.remove(w);
  w.is_listed = false;
  if (p->watchers.empty() && p->about == nullptr && p->reason == nullptr) {
    c.set_papers(nullptr);
    delete p;
  }
  return true;
}

// The list of an actor that has ended may be in the hands of the thread that ends it, which tells all who are in it.
// That thread makes the port out of date before it takes the list, under this lock.
void forget_watcher(cell& c, detail::port at, detail::watcher& w) noexcept {
  {
    const slab_lock lock(lock_of(c));
    w.is_forgotten = true;
    if (!w.is_listed || !is_current(at)) return;
    c.its_papers()->watchers.remove(w);
    w.is_listed = false;
  }
  const this_thread::callback outside;
  w.drop(w);
}

std::uint64_t times_restarted(cell& c) noexcept {
  if (!c.has_metadata()) return 0;
  const slab_lock lock(lock_of(c));
  const metadata* const p = c.its_papers();
  return p == nullptr ? 0 : p->restarts;
}

void note_restart(cell& c) noexcept {
  const slab_lock lock(lock_of(c));
  ++c.its_papers()->restarts;
}

farewell take_leave(cell& c) noexcept {
  const slab_lock lock(lock_of(c));
  metadata* p = c.its_papers();
  if (p == nullptr) return {};
  return {std::exchange(p->watchers, {}), p->about};
}

void tear_up(cell& c) noexcept {
  std::unique_ptr<metadata> old;
  {
    const slab_lock lock(lock_of(c));
    old.reset(c.its_papers());
    c.set_papers(nullptr);
  }
  if (old == nullptr) return;
  if (old->about != nullptr && old->about->scope != nullptr) old->about->scope->leave(old->place);
  const this_thread::callback outside;
  drop_all(old->watchers);
  old.reset();
}

void write_name(report_line& line, detail::port p, const detail::behavior_type& its) noexcept {
  const cell& c = cell_of(or_nobody(p));
  const std::string_view type = its.name;
  if (its.is_of_ask) {  // as name_of, which allocates
    line << "answer to " << type;
    if (const detail::behavior_type* const asked_by = c.asked_by()) line << ", asked by " << asked_by->name;
    return;
  }
  if (!c.has_metadata() || !lock_of(c).try_enter()) {
    line << type;
    return;
  }
  const metadata* of = c.its_papers();
  const bool is_its = of != nullptr && of->about != nullptr && detail::same_actor(of->whose, p);
  const std::string_view given = is_its ? std::string_view(of->about->name) : std::string_view();
  line << given << (given.empty() ? "" : " (") << type << (given.empty() ? "" : ")");
  lock_of(c).leave();
}

std::shared_ptr<const detail::creation_options> particulars_of(detail::port p) noexcept {
  const cell& c = cell_of(or_nobody(p));
  if (!c.has_metadata()) return {};
  const slab_lock lock(lock_of(c));
  const metadata* of = c.its_papers();
  return of != nullptr && detail::same_actor(of->whose, p) ? of->about : nullptr;
}

std::string given_name(detail::port p) {
  const auto about = particulars_of(p);
  return about == nullptr ? std::string() : about->name;
}

// Another worker may carry out an order to watch at the same time, which finds that the actor has ended.
void remember_reason(cell& c, const std::string& reason) noexcept {
  try {
    auto text = std::make_shared<const std::string>(reason);
    std::unique_ptr<metadata> fresh(new metadata{.whose = last_port_of(c), .about = {}});
    const slab_lock lock(lock_of(c));
    if (!c.has_metadata()) c.set_papers(fresh.release());
    c.its_papers()->reason = std::move(text);
  } catch (const std::bad_alloc&) {
    // Whoever asks later is told that the actor has ended, and no more.
  }
}

std::string reason_of_end(detail::port p) noexcept {
  const cell& c = cell_of(or_nobody(p));
  if (!c.has_metadata()) return {};
  std::shared_ptr<const std::string> reason;
  {
    const slab_lock lock(lock_of(c));
    const metadata* of = c.its_papers();
    if (of != nullptr && detail::same_actor(of->whose, p)) reason = of->reason;
  }
  try {
    return reason == nullptr ? std::string() : *reason;
  } catch (const std::bad_alloc&) {
    return {};
  }
}

}  // namespace tact::actors
