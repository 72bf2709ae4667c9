#include "actors/common/page_placement.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include "base/blocks.hpp"
#include "sync/system.hpp"
#include "topology/machine.hpp"

namespace tact::actors {
namespace {

bool interleave(void* first, std::size_t bytes) noexcept {
  sync::system* const s = sync::system::current();
  if (s == nullptr) return topology::interleave(first, bytes);
  s->interleave(first, bytes);
  return true;
}

unsigned count_memories(memory_placement wish) {
  if (wish == memory_placement::local) return 0;
  if (const sync::system* const s = sync::system::current()) return s->memories();
  return topology::usable_memories();
}

// Does the system do what is asked of it? It is tried with a page, because what is mapped later cannot report it: there
// a refusal is no failure.
bool does_bind(base::page_binder bind) noexcept {
  const auto bytes = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
  void* const page = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (page == MAP_FAILED) return false;
  const bool done = bind(page, bytes);
  ::munmap(page, bytes);
  return done;
}

}  // namespace

// Under AddressSanitizer memory is not mapped, but comes from malloc.
page_placement::page_placement(memory_placement wish, base::page_binder bind, unsigned memories) noexcept
    : bind_(bind),
      nodes_(wish == memory_placement::interleaved && base::pooling && memories > 1 && does_bind(bind) ? memories : 0) {
}

page_placement::page_placement(memory_placement wish) : page_placement(wish, &interleave, count_memories(wish)) {}

}  // namespace tact::actors
