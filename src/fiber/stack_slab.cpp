#include "fiber/stack_slab.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cerrno>
#include <new>
#include <utility>

namespace tact::fiber {
namespace {

// MADV_GUARD_INSTALL: the name is newer than the headers of Debian 12.
constexpr int madv_guard_install = 102;

}  // namespace

std::size_t page_bytes() noexcept {
  static const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

stack_slab::stack_slab(std::byte* first, const slab_shape& shape) noexcept
    : first_(first), shape_(shape), free_(all()) {}

stack_slab* stack_slab::map(slab_shape shape) noexcept {
  void* const room = ::operator new(sizeof(stack_slab), std::nothrow);
  if (room == nullptr) {
    errno = ENOMEM;
    return nullptr;
  }
  // Memory without access is none for the system's accounts, and is not filled where memory is locked.
  const int access = shape.how == guards::apart ? PROT_NONE : PROT_READ | PROT_WRITE;
  void* const mapped = ::mmap(nullptr, shape.bytes(), access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) {
    ::operator delete(room);
    return nullptr;
  }
  // A huge page would be as large as several stacks, of which most use a page or two.
  static_cast<void>(::madvise(mapped, shape.bytes(), MADV_NOHUGEPAGE));
  return ::new (room) stack_slab(static_cast<std::byte*>(mapped), shape);
}

void stack_slab::unmap(stack_slab* s) noexcept {
  ::munmap(s->first_, s->shape_.bytes());
  s->~stack_slab();
  ::operator delete(s);
}

bool stack_slab::guard(unsigned place) noexcept {
  const std::uint64_t bit = std::uint64_t{1} << place;
  if ((guarded_ & bit) != 0) return true;
  if (shape_.how == guards::cheapest && ::madvise(guard_of(place), shape_.guard_bytes, madv_guard_install) != 0)
    shape_.how = guards::apart;
  // One of the two calls changes nothing: which one depends on how the slab was mapped.
  if (shape_.how == guards::apart && (::mprotect(guard_of(place), shape_.guard_bytes, PROT_NONE) != 0 ||
                                      ::mprotect(stack_of(place), shape_.stack_bytes, PROT_READ | PROT_WRITE) != 0))
    return false;
  guarded_ |= bit;
  return true;
}

std::byte* stack_slab::take() noexcept {
  const auto place = static_cast<unsigned>(std::countr_zero(free_));
  if (!guard(place)) return nullptr;
  const std::uint64_t bit = std::uint64_t{1} << place;
  free_ &= ~bit;
  used_ |= bit;
  return stack_of(place);
}

void stack_slab::give(const std::byte* bottom) noexcept {
  const auto place = static_cast<std::size_t>(bottom - first_) / shape_.stride_bytes();
  free_ |= std::uint64_t{1} << place;
}

void stack_slab::release() noexcept {
  for (std::uint64_t left = free_ & used_; left != 0; left &= left - 1) {
    const auto place = static_cast<unsigned>(std::countr_zero(left));
    ::madvise(stack_of(place), shape_.stack_bytes, MADV_DONTNEED);
  }
  used_ &= ~free_;
}

}  // namespace tact::fiber
