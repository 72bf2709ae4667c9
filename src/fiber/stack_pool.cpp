// Reuse of fiber stacks, and of the slabs that they are in.
#include "fiber/stack_pool.hpp"

#include <algorithm>
#include <cerrno>
#include <new>
#include <utility>

#include "base/sanitized.hpp"
#include "base/stack_guard.hpp"
#include "fiber/no_stack.hpp"
#include "fiber/sanitizer.hpp"
#include "fiber/valgrind.hpp"

namespace tact::fiber {
namespace {

constexpr std::size_t slab_bytes_max = 32 * 1024 * 1024;  // without guards; but one stack at least
constexpr unsigned first_places = 4;                      // then as many as there are, so their number doubles
constexpr std::size_t share_of_addresses = 16;  // guards are narrower when stacks take up more than one of them

std::size_t round_to_pages(std::size_t bytes) noexcept {
  const std::size_t page = page_bytes();
  return (bytes + page - 1) / page * page;
}

}  // namespace

stack_pool::stack_pool(std::size_t stack_bytes, std::size_t spare_kept, guards how) noexcept
    : stack_bytes_(round_to_pages(stack_bytes)), spare_kept_(spare_kept), how_(how) {}

stack_pool::~stack_pool() { trim(); }

stack stack_pool::take() {
  const std::lock_guard guard(mutex_);
  const stack taken = spares_ != nullptr ? take_spare() : take_fresh();
  most_ = std::max(most_, ++in_use_);
  return taken;
}

stack stack_pool::take_spare() noexcept {
  std::byte* const top = reinterpret_cast<std::byte*>(spares_ + 1);
  stack_slab* const slab = spares_->slab;
  spares_ = spares_->next;
  --spare_count_;
  return {top - stack_bytes_, stack_bytes_, slab};
}

stack stack_pool::take_fresh() {
  stack_slab* const first = open_ != nullptr ? open_ : add_slab();
  const bool is_wide = first != nullptr && first->shape().guard_bytes == base::wide_guard_bytes;
  std::byte* bottom = take_of(first);
  if (bottom == nullptr && is_wide) {  // the process has no mappings left
    is_narrow_ = true;
    bottom = take_of(add_slab());
  }
  if (bottom == nullptr) throw no_stack(in_use_, how_, errno);
  stack_slab* const slab = open_;
  if (slab->is_full()) {
    unlink(*slab, open_);
    link(*slab, full_);
  }
  return {bottom, stack_bytes_, slab};
}

// REQUIRES: the slab, if any, is the first of the open ones. Null: the system refuses, errno says why.
std::byte* stack_pool::take_of(stack_slab* s) noexcept {
  if (s == nullptr) return nullptr;
  std::byte* const bottom = s->take();
  if (s->shape().guard_bytes != base::wide_guard_bytes) how_ = s->shape().how;
  if (bottom == nullptr && s->is_unused()) {
    const int why = errno;
    stack_slab::unmap(release(*s));
    errno = why;
  }
  return bottom;
}

// Null: the system refuses, errno says why.
stack_slab* stack_pool::add_slab() noexcept {
  const std::size_t fit = std::max<std::size_t>(slab_bytes_max / stack_bytes_, 1);
  const auto wanted = static_cast<unsigned>(
      std::min({fit, std::size_t{stack_slab::places_max}, std::max<std::size_t>(places_, first_places)}));
  stack_slab* added = nullptr;
  if (!is_narrow_ && wide_ < wide_max) added = map_with(base::wide_guard_bytes, wanted);
  if (added == nullptr) added = map_with(base::usual_guard_bytes, wanted);
  if (added == nullptr) added = map_with(base::least_guard_bytes, wanted);
  if (added == nullptr) added = map_with(base::least_guard_bytes, 1);  // there may be room for one
  if (added == nullptr) return nullptr;
  ++allocations_;
  count_added(added->shape());
  link(*added, open_);
  return added;
}

// Null: the system refuses, or it is better not to ask, because others need addresses too. A sanitizer is one of them:
// it keeps tables of all that is mapped, and has its own means against overflows.
stack_slab* stack_pool::map_with(std::size_t guard_bytes, unsigned places) const noexcept {
  const bool is_wide = guard_bytes == base::wide_guard_bytes;
  if (is_wide && (base::under_asan || base::under_tsan)) return nullptr;
  const slab_shape shape{stack_bytes_, guard_bytes, places, is_wide ? guards::apart : how_};
  const bool is_much = addresses_ + shape.bytes() > base::addresses_allowed() / share_of_addresses;
  return is_much && guard_bytes != base::least_guard_bytes ? nullptr : stack_slab::map(shape);
}

void stack_pool::count_added(const slab_shape& shape) noexcept {
  places_ += shape.places;
  addresses_ += shape.bytes();
  if (shape.guard_bytes == base::wide_guard_bytes) wide_ += shape.places;
}

void stack_pool::count_removed(const slab_shape& shape) noexcept {
  places_ -= shape.places;
  addresses_ -= shape.bytes();
  if (shape.guard_bytes == base::wide_guard_bytes) wide_ -= shape.places;
}

bool stack_pool::keeps_another() noexcept {
  if (++given_ >= std::max(lately, 4 * most_)) {  // the more handlers wait, the longer a wave of them lasts
    given_ = 0;
    most_before_ = std::exchange(most_, in_use_);
  }
  return spare_count_ < spare_kept_ || in_use_ + spare_count_ < std::max(most_, most_before_);
}

void stack_pool::give(stack s) noexcept {
  // A fiber that left for good has not unwound its last frames.
  sanitizer::forget_frames(s.bottom, s.bytes);
  forget_frames_on_valgrind(s.bottom, s.bytes);
  stack_slab* unused = nullptr;
  {
    const std::lock_guard guard(mutex_);
    --in_use_;
    if (keeps_another()) {
      spares_ = new (s.bottom + s.bytes - sizeof(spare)) spare{spares_, s.slab};
      ++spare_count_;
      return;
    }
    put(s);
    unused = release(*s.slab);
  }
  if (unused != nullptr) stack_slab::unmap(unused);
}

void stack_pool::trim() noexcept {
  stack_slab* unused = nullptr;
  {
    const std::lock_guard guard(mutex_);
    if (spares_ == nullptr) return;
    while (spares_ != nullptr) put(take_spare());
    for (stack_slab* s = open_; s != nullptr;) {
      stack_slab* const gone = release(*std::exchange(s, s->next));
      if (gone != nullptr) gone->next = std::exchange(unused, gone);
    }
  }
  while (unused != nullptr) stack_slab::unmap(std::exchange(unused, unused->next));
}

// Marks the stack as free in its slab.
void stack_pool::put(const stack& s) noexcept {
  if (s.slab->is_full()) {
    unlink(*s.slab, full_);
    link(*s.slab, open_);
  }
  s.slab->give(s.bottom);
}

// Gives the pages of the free stacks in a slab back to the system, and returns null. If all of its stacks are free, it
// takes the slab out of the pool and returns it: the caller unmaps it without the lock, because that takes long when
// there are many.
stack_slab* stack_pool::release(stack_slab& s) noexcept {
  if (!s.is_unused()) {
    s.release();
    return nullptr;
  }
  unlink(s, open_);
  count_removed(s.shape());
  return &s;
}

void stack_pool::link(stack_slab& s, stack_slab*& list) noexcept {
  s.previous = nullptr;
  s.next = list;
  if (list != nullptr) list->previous = &s;
  list = &s;
}

void stack_pool::unlink(stack_slab& s, stack_slab*& list) noexcept {
  (s.previous == nullptr ? list : s.previous->next) = s.next;
  if (s.next != nullptr) s.next->previous = s.previous;
}

std::size_t stack_pool::in_use() const noexcept {
  const std::lock_guard guard(mutex_);
  return in_use_;
}

std::size_t stack_pool::kept() const noexcept {
  const std::lock_guard guard(mutex_);
  return spare_count_;
}

std::size_t stack_pool::bytes_held() const noexcept {
  const std::lock_guard guard(mutex_);
  return (in_use_ + spare_count_) * page_bytes();
}

std::size_t stack_pool::allocations() const noexcept {
  const std::lock_guard guard(mutex_);
  return allocations_;
}

}  // namespace tact::fiber
