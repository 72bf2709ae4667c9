// What only few actors have beside a behaviour: a name, a failure rule, a scope, and those who watch their end.
#pragma once

#include <memory>
#include <string>

#include "actors/cell_store.hpp"
#include "actors/members.hpp"
#include "actors/report_line.hpp"
#include "tact/detail/particulars.hpp"
#include "tact/ended.hpp"
#include "tact/engine_options.hpp"

namespace tact::actors {

// Those who watch one actor, linked by watcher::next; the first that came first. Thread safety: none.
class watcher_list {
 public:
  [[nodiscard]] bool empty() const noexcept { return first_ == nullptr; }
  [[nodiscard]] std::size_t size() const noexcept { return size_; }
  void add(detail::watcher& w) noexcept {
    w.next = nullptr;
    (last_ == nullptr ? first_ : last_->next) = &w;
    last_ = &w;
    ++size_;
  }
  // Null: there is none left.
  [[nodiscard]] detail::watcher* take_first() noexcept {
    detail::watcher* const taken = first_;
    if (taken == nullptr) return nullptr;
    first_ = taken->next;
    if (first_ == nullptr) last_ = nullptr;
    --size_;
    return taken;
  }
  // Those for which is_meant(watcher) holds go to the list that is returned; both keep their order.
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

// They belong to one actor, and stay in its cell until that is used again, for reports. A cell gets them before its
// actor exists, or later by transactor::watch. Thread safety: guarded by the lock of the cell's slab; the functions
// below take it, and call nothing of a user's under it.
struct papers {
  detail::port whose = 0;                            // with index 0
  std::shared_ptr<const detail::particulars> about;  // null: made for watchers
  detail::members::place place{};                    // in the scope, if there is one
  // In a scope: behaviours that the actor had before and that are not freed yet, and one for itself. Who takes the last
  // away lets it leave the scope.
  sync::atomic<unsigned> unfreed{1};
  watcher_list watchers{};
  std::size_t look_at = 8;  // when there are so many, those that have ended themselves are looked for

  // From the blocks of closures, and so from their reserve: see add_watcher.
  static void* operator new(std::size_t bytes) { return detail::allocate_block(bytes); }
  static void operator delete(void* block, std::size_t bytes) noexcept { detail::free_block(block, bytes); }
};

// Null: nothing is to be kept.
[[nodiscard]] std::unique_ptr<papers> draw_up(detail::particulars&& about);
// The actor that will be in the cell gets them. REQUIRES: nobody else knows the cell.
void file(cell& c, std::unique_ptr<papers> drawn_up) noexcept;
// Whom it belongs to; null if to no scope.
[[nodiscard]] detail::members* scope_of(const cell& c) noexcept;
// `exist()` makes the actor exist. REQUIRES: it belongs to a scope; the cell cannot be reused meanwhile.
template <class F>
void exist_in_scope(cell& c, F exist) noexcept {
  scope_of(c)->make_exist(c.its_papers()->place, exist);
}
// REQUIRES: the same, and it has ended.
void leave_scope(cell& c) noexcept;
// A behaviour of it was replaced, and is freed later. REQUIRES: it belongs to a scope and has not ended.
void owe_behavior(cell& c) noexcept;
// That was freed, or the actor itself has ended and nobody sees it. True: nothing of it is left; it leaves the scope.
[[nodiscard]] bool nothing_owed(cell& c) noexcept;
// Adds a watcher, and papers if there are none. REQUIRES: the cell cannot be reused meanwhile; a base::may_use_reserve
// lives.
void add_watcher(cell& c, detail::watcher& w) noexcept;
// False: it is not there any more, because the end was quicker.
[[nodiscard]] bool remove_watcher(cell& c, detail::watcher& w) noexcept;

// The actor has ended: whom that concerns. They are this caller's now.
struct farewell {
  watcher_list watchers;
  std::shared_ptr<const detail::particulars> about;
};
[[nodiscard]] farewell take_leave(cell& c) noexcept;
// The name that a user gave the actor and its type in brackets, else the type. In a handler of signals: it waits for
// nothing, and leaves the name out while somebody has the lock.
void write_name(report_line& line, detail::port p, std::string_view type) noexcept;
// Nobody needs them any more, or the actor never came to be.
void tear_up(cell& c) noexcept;

// What the creation said of the actor, also when it has ended; null if nothing is known.
[[nodiscard]] std::shared_ptr<const detail::particulars> particulars_of(detail::port p) noexcept;
[[nodiscard]] std::string given_name(detail::port p);
// What becomes of the actor: as its own rule says, else that of its scope, else that of the engine.
[[nodiscard]] failure_policy decide(detail::port p, detail::actor_kind kind, const engine_options& options,
                                    const failure_report& report) noexcept;

}  // namespace tact::actors
