// Mapping, reuse and unmapping of fiber stacks.
#include "fiber/stack_pool.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <new>
#include <utility>

#include "fiber/sanitizer.hpp"

namespace tact::fiber {
namespace {

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

std::size_t round_to_pages(std::size_t bytes) noexcept {
  const std::size_t page = page_bytes();
  return (bytes + page - 1) / page * page;
}

stack map_stack(std::size_t bytes) {
  const std::size_t whole = guard_bytes + bytes;
  void* mapped = ::mmap(nullptr, whole, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) throw std::bad_alloc();
  std::byte* const bottom = static_cast<std::byte*>(mapped) + guard_bytes;
  if (::mprotect(bottom, bytes, PROT_READ | PROT_WRITE) != 0) {
    ::munmap(mapped, whole);
    throw std::bad_alloc();
  }
  return {bottom, bytes};
}

void unmap_stack(stack s) noexcept { ::munmap(s.bottom - guard_bytes, guard_bytes + s.bytes); }

}  // namespace

stack_pool::stack_pool(std::size_t stack_bytes, std::size_t spare_kept) noexcept
    : stack_bytes_(round_to_pages(stack_bytes)), spare_kept_(spare_kept) {}

stack_pool::~stack_pool() { trim(); }

void stack_pool::trim() noexcept {
  spare* first;
  {
    const std::lock_guard guard(mutex_);
    first = std::exchange(spares_, nullptr);
    spare_count_ = 0;
  }
  while (first != nullptr) {
    std::byte* const top = reinterpret_cast<std::byte*>(first + 1);
    first = first->next;
    unmap_stack({top - stack_bytes_, stack_bytes_});
  }
}

stack stack_pool::take() {
  {
    const std::lock_guard guard(mutex_);
    most_ = std::max(most_, ++in_use_);
    if (spares_ != nullptr) {
      std::byte* const top = reinterpret_cast<std::byte*>(spares_ + 1);
      spares_ = spares_->next;
      --spare_count_;
      return {top - stack_bytes_, stack_bytes_};
    }
  }
  try {
    return map_stack(stack_bytes_);
  } catch (...) {
    const std::lock_guard guard(mutex_);
    --in_use_;
    throw;
  }
}

bool stack_pool::keeps_another() noexcept {
  if (++given_ >= std::max(lately, 4 * most_)) {  // waves of handlers wait longer, the more there are
    given_ = 0;
    most_before_ = std::exchange(most_, in_use_);
  }
  return spare_count_ < spare_kept_ || in_use_ + spare_count_ < std::max(most_, most_before_);
}

void stack_pool::give(stack s) noexcept {
  // A fiber that left for good has not unwound its last frames.
  sanitizer::forget_frames(s.bottom, s.bytes);
  {
    const std::lock_guard guard(mutex_);
    --in_use_;
    if (keeps_another()) {
      spares_ = new (s.bottom + s.bytes - sizeof(spare)) spare{spares_};
      ++spare_count_;
      return;
    }
  }
  unmap_stack(s);
}

std::size_t stack_pool::in_use() const noexcept {
  const std::lock_guard guard(mutex_);
  return in_use_;
}

std::size_t stack_pool::kept() const noexcept {
  const std::lock_guard guard(mutex_);
  return spare_count_;
}

}  // namespace tact::fiber
