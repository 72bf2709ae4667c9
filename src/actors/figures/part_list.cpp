#include "actors/figures/part_list.hpp"

#include <algorithm>
#include <utility>

#include "sync/system.hpp"
#include "sync/thread_state.hpp"

namespace tact::actors {

namespace {

// The same for all threads of a simulation, so that a seed gives the same list.
unsigned number_of_this_thread() noexcept {
  if (sync::director::current() != nullptr) return 0;
  const auto address = reinterpret_cast<std::uintptr_t>(sync::thread_state::identity());
  return static_cast<unsigned>((address * 0x9E37'79B9'7F4A'7C15) >> 32);
}

}  // namespace

// -- a shelf

void part_shelf::enter(part& p) noexcept {
  const sync::locked lock(lock_);
  row& r = rows_[static_cast<unsigned>(p.kind)];
  p.shelf = this;
  p.next_listed = nullptr;
  p.listed_before = std::exchange(r.last, &p);
  (p.listed_before == nullptr ? r.first : p.listed_before->next_listed) = &p;
  ++r.count;
}

void part_shelf::leave(part& p) noexcept {
  bool is_over = false;
  {
    const sync::locked lock(lock_);
    row& r = rows_[static_cast<unsigned>(p.kind)];
    (p.listed_before == nullptr ? r.first : p.listed_before->next_listed) = p.next_listed;
    (p.next_listed == nullptr ? r.last : p.next_listed->listed_before) = p.listed_before;
    p.shelf = nullptr;
    --r.count;
    is_over = is_given_up_ && is_empty();
  }
  if (is_over) delete this;
}

std::uint64_t part_shelf::tell(part_kind k, detail::structure_found& to, const std::function<bool()>& goes_on) {
  const sync::locked lock(lock_);
  const row& r = rows_[static_cast<unsigned>(k)];
  for (const part* p = r.first; p != nullptr && goes_on(); p = p->next_listed) p->tell(*p, to);
  return r.count;
}

void part_shelf::give_up() noexcept {
  bool is_over = false;
  {
    const sync::locked lock(lock_);
    is_given_up_ = true;
    is_over = is_empty();
  }
  if (is_over) delete this;
}

bool part_shelf::is_empty() const noexcept {
  return std::all_of(rows_.begin(), rows_.end(), [](const row& r) { return r.count == 0; });
}

// -- all of them

part_list::part_list() {
  try {
    for (part_shelf*& s : all_) s = new part_shelf;
  } catch (...) {
    for (part_shelf* const s : all_) {
      if (s != nullptr) s->give_up();
    }
    throw;
  }
}

part_list::~part_list() {
  for (part_shelf* const s : all_) s->give_up();
}

void part_list::enter(part& p) noexcept { all_[number_of_this_thread() % shelves]->enter(p); }

std::uint64_t part_list::tell(part_kind k, detail::structure_found& to, const std::function<bool()>& goes_on) {
  std::uint64_t count = 0;
  for (part_shelf* const s : all_) count += s->tell(k, to, goes_on);
  return count;
}

detail::structure_found part_list::tell() {
  detail::structure_found to;
  to.scopes_open = tell(part_kind::scope, to, [&] { return to.scopes.size() < structure::scopes_most; });
  to.supervision_trees =
      tell(part_kind::supervisor, to, [&] { return to.supervised.size() < structure::supervised_most; });
  to.topics_alive = tell(part_kind::topic, to, [&] { return to.topics.size() < structure::topics_most; });
  return to;
}

}  // namespace tact::actors

namespace tact::detail {

void leave_engine(part& p) noexcept {
  if (p.shelf != nullptr) p.shelf->leave(p);
}

}  // namespace tact::detail
