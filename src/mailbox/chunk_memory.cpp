#include "mailbox/chunk_memory.hpp"

#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <mutex>
#include <new>
#include <span>

#include "base/blocks.hpp"
#include "base/reserve.hpp"

namespace tact::mailbox {
namespace {

constexpr std::size_t mapping_bytes = 64 * chunk::bytes;
constexpr unsigned kept_mappings = 4;  // wholly free mappings that stay while a load goes up and down
constexpr std::size_t page_bytes = 4096;
constexpr std::size_t reserve_chunks = 64;
constexpr unsigned most_at_once = 16;
// A chunk that is not pooled is found by the upper bits of each place in it, its end included.
constexpr std::align_val_t unpooled_alignment{2 * chunk::bytes};

// A header, and 63 chunks of 4 KiB. A chunk takes up one line more than its size. So the first lines of chunks, which
// are touched most, do not all fall into the same set of a cache.
struct mapping {
  static constexpr std::size_t stride_bytes = chunk::bytes + 64;
  static constexpr unsigned capacity_chunks = (mapping_bytes - 64) / stride_bytes;
  static constexpr std::uint64_t all_free = (std::uint64_t{1} << capacity_chunks) - 1;

  mapping* next = nullptr;  // in the list of mappings with room
  mapping* previous = nullptr;
  std::uint64_t free = all_free;  // a bit for each chunk
  std::uint64_t given_back = 0;   // free chunks whose pages the system has got back
  std::uint64_t bytes_given_back = 0;
  bool is_bound = false;  // its pages lie where a binder has said; written before the first chunk is handed out

  [[nodiscard]] std::byte* place(unsigned i) noexcept {
    return reinterpret_cast<std::byte*>(this) + 64 + i * stride_bytes;
  }
  [[nodiscard]] unsigned index_of(const void* in_chunk) noexcept {
    return static_cast<unsigned>(static_cast<std::size_t>(static_cast<const std::byte*>(in_chunk) - place(0)) /
                                 stride_bytes);
  }
  static mapping& of(void* in_chunk) noexcept {
    return *reinterpret_cast<mapping*>(reinterpret_cast<std::uintptr_t>(in_chunk) & ~(mapping_bytes - 1));
  }
};
static_assert(sizeof(mapping) <= 64);
static_assert(mapping::capacity_chunks < 64);

mapping* map(base::page_binder bind) {
  auto* const made = new (base::map_aligned(mapping_bytes, bind)) mapping;
  made->is_bound = bind != nullptr;
  return made;
}

// Takes memory by `take`, or a piece of the reserve where nothing may fail. `is_permitted`: no simulation refuses the
// memory.
template <class Take>
void* take_or_use_reserve(Take take, base::reserve<reserve_chunks>& kept, bool is_permitted) {
  if (!base::may_use_reserve::here()) {
    if (!is_permitted) throw std::bad_alloc();
    kept.fill(take);
    return take();
  }
  try {
    if (is_permitted) return take();
  } catch (const std::bad_alloc&) {
    // The chunk comes out of the reserve instead.
  }
  void* const place = kept.take();
  if (place == nullptr) base::reserve_is_used_up();
  return place;
}

class memory {
 public:
  // `bind` is null for all that is taken here, or for nothing.
  void* take_place(bool is_permitted, base::page_binder bind) {
    const std::lock_guard lock(mutex_);
    return take_or_use_reserve([&] { return take(bind); }, kept_, is_permitted);
  }
  // Returns how many places it has written to `places`: at least one, unless it throws.
  std::size_t take_places(bool is_permitted, std::span<void*> places, base::page_binder bind) {
    const std::lock_guard lock(mutex_);
    std::size_t taken = 0;
    places[taken++] = take_or_use_reserve([&] { return take(bind); }, kept_, is_permitted);
    try {
      while (is_permitted && taken < places.size()) {
        void* const place = take(bind);
        places[taken++] = place;
      }
    } catch (const std::bad_alloc&) {
      // One is enough.
    }
    return taken;
  }
  void fill_reserve(base::page_binder bind) {
    const std::lock_guard lock(mutex_);
    kept_.fill([&] { return take(bind); });
  }

  void give(chunk* spare) noexcept {
    mapping& m = mapping::of(spare);
    const std::lock_guard lock(mutex_);
    if (m.free == 0) link(m);
    m.free |= std::uint64_t{1} << m.index_of(spare);
    if (m.free != mapping::all_free) return;
    if (++free_mappings_ > kept_mappings) drop(m);
  }

  void trim() noexcept {
    const std::lock_guard lock(mutex_);
    for (mapping* m = first_; m != nullptr;) {
      mapping& here = *m;
      m = m->next;
      here.free == mapping::all_free ? drop(here) : give_back(here);
    }
  }

  chunk_usage usage() noexcept {
    const std::lock_guard lock(mutex_);
    return usage_;
  }

  void hold() noexcept { mutex_.lock(); }
  void release() noexcept { mutex_.unlock(); }

 private:
  // REQUIRES: the caller has the mutex.
  void* take(base::page_binder bind) {
    if (first_ == nullptr) add(bind);
    mapping& m = *first_;
    if (m.free == mapping::all_free) --free_mappings_;
    const auto i = static_cast<unsigned>(std::countr_zero(m.free));
    const std::uint64_t bit = std::uint64_t{1} << i;
    m.free &= ~bit;
    if ((m.given_back & bit) != 0) reclaim(m);
    if (m.free == 0) unlink(m);
    return m.place(i);
  }
  void add(base::page_binder bind) {
    link(*map(bind));
    ++free_mappings_;
    ++usage_.allocations;
    usage_.bytes_held += mapping_bytes;
  }
  void drop(mapping& m) noexcept {
    unlink(m);
    --free_mappings_;
    usage_.bytes_held -= mapping_bytes - m.bytes_given_back;
    ::munmap(&m, mapping_bytes);
  }

  // Gives back the whole pages within each run of free chunks; the header's page stays.
  void give_back(mapping& m) noexcept {
    for (unsigned i = 0; i < mapping::capacity_chunks;) {
      const auto run = static_cast<unsigned>(std::countr_one(m.free >> i));
      if (run == 0) {
        ++i;
        continue;
      }
      const auto begin = (reinterpret_cast<std::uintptr_t>(m.place(i)) + page_bytes - 1) & ~(page_bytes - 1);
      const auto end = reinterpret_cast<std::uintptr_t>(m.place(i + run)) & ~(page_bytes - 1);
      const std::uint64_t bits = ((std::uint64_t{1} << run) - 1) << i;
      i += run;
      if (begin >= end || (m.given_back & bits) == bits) continue;
      if (::madvise(reinterpret_cast<void*>(begin), end - begin, MADV_DONTNEED) != 0) continue;
      m.given_back |= bits;
    }
    count_given_back(m);
  }
  // A chunk whose pages had been given back is in use again.
  void reclaim(mapping& m) noexcept {
    m.given_back &= m.free;
    count_given_back(m);
  }
  // The count is about right: a page that two chunks share counts for one of them.
  void count_given_back(mapping& m) noexcept {
    const std::uint64_t now = static_cast<std::uint64_t>(std::popcount(m.given_back)) * chunk::bytes;
    usage_.bytes_held += m.bytes_given_back;
    usage_.bytes_held -= now;
    m.bytes_given_back = now;
  }

  void link(mapping& m) noexcept {
    m.previous = nullptr;
    m.next = first_;
    if (first_ != nullptr) first_->previous = &m;
    first_ = &m;
  }
  void unlink(mapping& m) noexcept {
    (m.previous == nullptr ? first_ : m.previous->next) = m.next;
    if (m.next != nullptr) m.next->previous = m.previous;
  }

  std::mutex mutex_;
  mapping* first_ = nullptr;  // the list of mappings with room; the one that last got a chunk back is the first
  unsigned free_mappings_ = 0;
  base::reserve<reserve_chunks> kept_;
  chunk_usage usage_{};
};

// One for chunks whose pages are bound, and one for the others. Never destroyed: chunks may come back after main has
// ended.
std::array<memory, 2>& memories() {
  static auto* both = new std::array<memory, 2>;
  return *both;
}
memory& memory_for(base::page_binder bind) { return memories()[bind != nullptr]; }

// Where chunks are not pooled they are counted here.
struct unpooled {
  std::mutex mutex;
  base::reserve<reserve_chunks> kept;
  chunk_usage usage{};

  // REQUIRES: the caller has the mutex.
  void* take() {
    void* const place = ::operator new(sizeof(chunk), unpooled_alignment);
    ++usage.allocations;
    usage.bytes_held += chunk::bytes;
    return place;
  }
};
unpooled& the_unpooled() {
  static auto* only = new unpooled;
  return *only;
}

}  // namespace

chunk* allocate_chunk(base::page_binder bind, bool is_permitted) {
  if (base::pooling) return new (memory_for(bind).take_place(is_permitted, bind)) chunk;
  unpooled& from = the_unpooled();
  const std::lock_guard lock(from.mutex);
  return new (take_or_use_reserve([&] { return from.take(); }, from.kept, is_permitted)) chunk;
}

unsigned allocate_chunks(unsigned count, chunk*& first, base::page_binder bind, bool is_permitted) {
  if (!base::pooling) {
    first = allocate_chunk(bind, is_permitted);
    first->next = nullptr;
    return 1;
  }
  std::array<void*, most_at_once> places;
  const std::size_t taken =
      memory_for(bind).take_places(is_permitted, std::span(places).first(std::min(count, most_at_once)), bind);
  first = nullptr;
  for (std::size_t i = taken; i-- != 0;) {
    chunk* const made = new (places[i]) chunk;
    made->next = first;
    first = made;
  }
  return static_cast<unsigned>(taken);
}

void free_chunk(chunk* spare) noexcept {
  if (base::pooling) return memories()[mapping::of(spare).is_bound].give(spare);
  spare->~chunk();
  ::operator delete(spare, unpooled_alignment);
  const std::lock_guard lock(the_unpooled().mutex);
  the_unpooled().usage.bytes_held -= chunk::bytes;
}

chunk& chunk_of(std::byte* place) noexcept {
  if (!base::pooling) {
    const auto aligned = ~(static_cast<std::uintptr_t>(unpooled_alignment) - 1);
    return *reinterpret_cast<chunk*>(reinterpret_cast<std::uintptr_t>(place) & aligned);
  }
  mapping& in = mapping::of(place);
  return *reinterpret_cast<chunk*>(in.place(in.index_of(place)));
}

void fill_chunk_reserve(base::page_binder bind) {
  if (base::pooling) return memory_for(bind).fill_reserve(bind);
  const std::lock_guard lock(the_unpooled().mutex);
  the_unpooled().kept.fill([] { return the_unpooled().take(); });
}

void trim_chunks() noexcept {
  for (memory& m : memories()) m.trim();
}

chunk_usage read_chunk_usage() noexcept {
  if (base::pooling) {
    const chunk_usage a = memories()[0].usage();
    const chunk_usage b = memories()[1].usage();
    return {a.allocations + b.allocations, a.bytes_held + b.bytes_held};
  }
  const std::lock_guard lock(the_unpooled().mutex);
  return the_unpooled().usage;
}

void hold_chunks() noexcept {
  for (memory& m : memories()) m.hold();
  the_unpooled().mutex.lock();
}

void release_chunks() noexcept {
  the_unpooled().mutex.unlock();
  for (memory& m : memories()) m.release();
}

}  // namespace tact::mailbox
