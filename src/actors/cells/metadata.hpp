// Metadata: the name, the failure rule, the scope and the watchers that only few actors have besides a behaviour.
#pragma once

#include <memory>
#include <string>

#include "actors/cells/cell_region.hpp"
#include "actors/cells/members.hpp"
#include "actors/common/report_line.hpp"
#include "tact/detail/creation_options.hpp"
#include "tact/ended.hpp"

namespace tact::actors {

// The watchers of one actor, linked in both directions, in the order in which they came. Thread safety: none.
class watcher_list {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void add(detail::watcher& w) noexcept {
    w.next = nullptr;
    w.before = last_;
    (last_ == nullptr ? first_ : last_->next) = &w;
    last_ = &w;
    ++size_;
  }
  // REQUIRES: it is one of them.
  void remove(detail::watcher& w) noexcept {
    (w.before == nullptr ? first_ : w.before->next) = w.next;
    (w.next == nullptr ? last_ : w.next->before) = w.before;
    --size_;
  }
  // Null: no watcher is left.
  [[nodiscard]] detail::watcher* take_first() noexcept {
    detail::watcher* const taken = first_;
    if (taken != nullptr) remove(*taken);
    return taken;
  }
  // Is it one of them? Looks at those who came last first. Compares addresses only: `w` may be gone.
  [[nodiscard]] bool has(const detail::watcher& w) const noexcept {
    const detail::watcher* at = last_;
    while (at != nullptr && at != &w) at = at->before;
    return at != nullptr;
  }
  // Moves the watchers for which is_meant(watcher) holds to the list that is returned; both lists keep their order.
  template <class F>
  [[nodiscard]] watcher_list take_out(F is_meant) noexcept {
    watcher_list left;
    watcher_list out;
    while (detail::watcher* const w = take_first()) (is_meant(*w) ? out : left).add(*w);
    *this = left;
    return out;
  }

 private:
  detail::watcher* first_ = nullptr;
  detail::watcher* last_ = nullptr;
  std::size_t size_ = 0;
};

// Metadata belong to one actor. They stay in its cell until the cell is used again, because reports need them. A cell
// gets metadata before its actor exists, or later by lifecycle::watch. Invariant: each watcher is told or dropped once,
// by the caller that has taken it out of the metadata (docs/protocols/lifetime.md). Thread safety: guarded by the lock
// of the cell's slab; the functions below take it, and call no code of a user's under it.
struct metadata {
  detail::port whose = 0;                                 // the actor, with index 0
  std::shared_ptr<const detail::creation_options> about;  // null: the metadata were made for watchers only
  detail::members::place place{};                         // in the scope, if the actor has one
  // For a member of a scope: how many of its former behaviours are not freed yet, and one more for the actor itself.
  // The caller that takes the last one away lets the actor leave the scope.
  sync::atomic<unsigned> unfreed{1};
  watcher_list watchers{};
  std::uint64_t restarts = 0;                   // how often it was made anew
  std::shared_ptr<const std::string> reason{};  // that a pill gave for the end of the actor; null: none
  std::size_t look_at = 8;  // with so many watchers, those whose own actors have ended are looked for

  // metadata is allocated like closures, and so from the reserve of closures: see add_watcher.
  static void* operator new(std::size_t bytes) { return detail::allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { detail::free_block(block, bytes); }
};

// Null: the actor needs no metadata.
[[nodiscard]] std::unique_ptr<metadata> draw_up(detail::creation_options&& about);
// Gives the metadata to the actor that will be in the cell. REQUIRES: no other thread knows the cell.
void file(cell& c, std::unique_ptr<metadata> drawn_up) noexcept;
// The scope of the actor; null if it belongs to none.
[[nodiscard]] detail::members* scope_of(const cell& c) noexcept;
// `exist()` makes the actor exist. REQUIRES: it belongs to a scope; the cell cannot be reused meanwhile.
template <class F>
void exist_in_scope(cell& c, F exist) noexcept {
  scope_of(c)->make_exist(c.its_papers()->place, exist);
}
// REQUIRES: the same, and the actor has ended.
void leave_scope(cell& c) noexcept;
// A behaviour of the actor was replaced, and is freed later. REQUIRES: it belongs to a scope and has not ended.
void owe_behavior(cell& c) noexcept;
// Such a behaviour was freed; or the actor itself has ended and no worker sees it. True: nothing of it is left, and the
// caller lets it leave the scope.
[[nodiscard]] bool nothing_owed(cell& c) noexcept;
// Adds a watcher, and metadata if there are none. REQUIRES: the cell cannot be reused meanwhile; a
// base::may_use_reserve lives.
void add_watcher(cell& c, detail::watcher& w) noexcept;
// False: the watcher is not there any more, because the end of the actor was quicker, or an order to forget it.
[[nodiscard]] bool remove_watcher(cell& c, detail::watcher& w) noexcept;
// Nobody is interested any more in the end of the actor `at`, which is or was in this cell: takes the watcher out, or
// sees to it that it is not added when the order to watch comes. Gives up no share but that of the list.
void forget_watcher(cell& c, detail::port at, detail::watcher& w) noexcept;

// The watchers and the creation_options of an actor that has ended; they belong to the caller now.
struct farewell {
  watcher_list watchers;
  std::shared_ptr<const detail::creation_options> about;
};
[[nodiscard]] farewell take_leave(cell& c) noexcept;
// Writes the name that a user gave the actor and its type in brackets, or else the type alone. Called in a handler of
// signals: it waits for nothing, and leaves the name out while another thread has the lock.
void write_name(report_line& line, detail::port p, const detail::behavior_type& type) noexcept;
// Frees the metadata: no report needs them any more, or the actor was never installed.
void tear_up(cell& c) noexcept;

// How often the actor in the cell was made anew in its place. REQUIRES: the cell cannot be reused meanwhile.
[[nodiscard]] std::uint64_t times_restarted(cell& c) noexcept;
// REQUIRES: the same, and the actor has metadata, as each has that can be restarted.
void note_restart(cell& c) noexcept;

// The creation_options that the creation gave the actor, also when it has ended; null if none are known.
[[nodiscard]] std::shared_ptr<const detail::creation_options> particulars_of(detail::port p) noexcept;
[[nodiscard]] std::string given_name(detail::port p);
// Keeps the reason that a pill gave for the end of an actor, and metadata for it if there are none; without memory it
// is forgotten. REQUIRES: the actor has just ended, and its cell is still the caller's.
void remember_reason(cell& c, const std::string& reason) noexcept;
// The reason, as long as it is known; else empty. Without memory it is empty, too.
[[nodiscard]] std::string reason_of_end(detail::port p) noexcept;

}  // namespace tact::actors
