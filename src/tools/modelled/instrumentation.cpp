// What the compiler calls: with -fsanitize=thread before each access to memory and in the place of each atomic
// operation, with -fsanitize-coverage=trace-pc in each stretch of instructions without a jump. The names are those of
// the runtimes that usually take these calls; a program in a model is linked with none of them.
#include <cstddef>
#include <cstdint>

#include "base/prefetch.hpp"
#include "tools/modelled/memory.hpp"
#include "tools/modelled/running.hpp"
#include "tools/modelled/touch.hpp"
#include "tools/modelled/world.hpp"

namespace tact::modelled {
namespace {

[[gnu::noinline]] void take_long_way(std::uintptr_t address, use how, std::uintptr_t place) {
  const outside_of_model mine;
  spend(here.memory->reach(here.core, address, how, here.now, place));
}
[[gnu::noinline]] void pass() { world::current()->scheduler().pass(); }

template <use how>
[[gnu::always_inline]] inline void touch(std::uintptr_t address, std::uintptr_t place) {
  if (!here.is_active) return;
  here.now += how == use::update ? here.update : here.access;
  ++here.accesses;
  if (!here.memory->has(here.core, address, how)) [[unlikely]]
    take_long_way(address, how, place);
  if (here.now > here.horizon) [[unlikely]]
    pass();
}

template <use how>
void touch_range(std::uintptr_t first, std::size_t bytes, std::uintptr_t place) {
  if (!here.is_active || bytes == 0) return;
  constexpr std::uintptr_t line_bytes = 64;
  for (std::uintptr_t at = first & ~(line_bytes - 1); at < first + bytes; at += line_bytes) touch<how>(at, place);
}

void fetch(const void* at, use how, std::uintptr_t place) noexcept {
  if (!here.is_active || at == nullptr) return;
  const auto address = reinterpret_cast<std::uintptr_t>(at);
  here.now += here.access;
  if (here.memory->has(here.core, address, how)) return;
  const outside_of_model mine;
  here.memory->fetch(here.core, address, how, here.now, place);
}

}  // namespace

void prefetch(const void* address) noexcept {
  fetch(address, use::read, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}
void prefetch_to_write(const void* address) noexcept {
  fetch(address, use::write, reinterpret_cast<std::uintptr_t>(__builtin_return_address(0)));
}

void touch_read(const void* first, std::size_t bytes, std::uintptr_t place) {
  touch_range<use::read>(reinterpret_cast<std::uintptr_t>(first), bytes, place);
}
void touch_write(const void* first, std::size_t bytes, std::uintptr_t place) {
  touch_range<use::write>(reinterpret_cast<std::uintptr_t>(first), bytes, place);
}

}  // namespace tact::modelled

using tact::modelled::here;
using tact::modelled::touch;
using tact::modelled::use;

#define TACT_PLACE reinterpret_cast<std::uintptr_t>(__builtin_return_address(0))
#define TACT_ADDRESS(p) reinterpret_cast<std::uintptr_t>(p)

extern "C" {

void __tsan_init() {}
void __tsan_func_entry(void*) {}
void __tsan_func_exit() {}
void __sanitizer_cov_trace_pc() {
  if (here.is_active) here.now += here.block;
}

#define TACT_PLAIN(bytes)                                                                       \
  void __tsan_read##bytes(void* p) { touch<use::read>(TACT_ADDRESS(p), TACT_PLACE); }           \
  void __tsan_write##bytes(void* p) { touch<use::write>(TACT_ADDRESS(p), TACT_PLACE); }         \
  void __tsan_unaligned_read##bytes(void* p) { touch<use::read>(TACT_ADDRESS(p), TACT_PLACE); } \
  void __tsan_unaligned_write##bytes(void* p) { touch<use::write>(TACT_ADDRESS(p), TACT_PLACE); }
TACT_PLAIN(1)
TACT_PLAIN(2)
TACT_PLAIN(4)
TACT_PLAIN(8)
TACT_PLAIN(16)
void __tsan_read_range(void* p, std::size_t bytes) { tact::modelled::touch_read(p, bytes, TACT_PLACE); }
void __tsan_write_range(void* p, std::size_t bytes) { tact::modelled::touch_write(p, bytes, TACT_PLACE); }
void __tsan_vptr_update(void* p, void*) { touch<use::write>(TACT_ADDRESS(p), TACT_PLACE); }
void __tsan_vptr_read(void* p) { touch<use::read>(TACT_ADDRESS(p), TACT_PLACE); }

// All operations are seq_cst, because only one thread runs. Another one goes on before an operation, never within it.
#define TACT_FETCH(bits, type, name)                                       \
  type __tsan_atomic##bits##_fetch_##name(volatile type* p, type v, int) { \
    touch<use::update>(TACT_ADDRESS(p), TACT_PLACE);                       \
    return __atomic_fetch_##name(p, v, __ATOMIC_SEQ_CST);                  \
  }
#define TACT_COMPARE(bits, type, strength)                                                             \
  int __tsan_atomic##bits##_compare_exchange_##strength(volatile type* p, type* c, type v, int, int) { \
    touch<use::update>(TACT_ADDRESS(p), TACT_PLACE);                                                   \
    return __atomic_compare_exchange_n(p, c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);            \
  }
#define TACT_ATOMIC(bits, type)                                                                 \
  type __tsan_atomic##bits##_load(const volatile type* p, int) {                                \
    touch<use::read>(TACT_ADDRESS(p), TACT_PLACE);                                              \
    return __atomic_load_n(p, __ATOMIC_SEQ_CST);                                                \
  }                                                                                             \
  void __tsan_atomic##bits##_store(volatile type* p, type v, int order) {                       \
    order == __ATOMIC_SEQ_CST ? touch<use::update>(TACT_ADDRESS(p), TACT_PLACE)                 \
                              : touch<use::write>(TACT_ADDRESS(p), TACT_PLACE);                 \
    __atomic_store_n(p, v, __ATOMIC_SEQ_CST);                                                   \
  }                                                                                             \
  type __tsan_atomic##bits##_exchange(volatile type* p, type v, int) {                          \
    touch<use::update>(TACT_ADDRESS(p), TACT_PLACE);                                            \
    return __atomic_exchange_n(p, v, __ATOMIC_SEQ_CST);                                         \
  }                                                                                             \
  TACT_FETCH(bits, type, add)                                                                   \
  TACT_FETCH(bits, type, sub)                                                                   \
  TACT_FETCH(bits, type, and)                                                                   \
  TACT_FETCH(bits, type, or)                                                                    \
  TACT_FETCH(bits, type, xor)                                                                   \
  TACT_FETCH(bits, type, nand)                                                                  \
  TACT_COMPARE(bits, type, strong)                                                              \
  TACT_COMPARE(bits, type, weak)                                                                \
  type __tsan_atomic##bits##_compare_exchange_val(volatile type* p, type c, type v, int, int) { \
    touch<use::update>(TACT_ADDRESS(p), TACT_PLACE);                                            \
    __atomic_compare_exchange_n(p, &c, v, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);           \
    return c;                                                                                   \
  }
TACT_ATOMIC(8, std::uint8_t)
TACT_ATOMIC(16, std::uint16_t)
TACT_ATOMIC(32, std::uint32_t)
TACT_ATOMIC(64, std::uint64_t)
void __tsan_atomic_thread_fence(int) {
  if (here.is_active) here.now += here.update;
}
void __tsan_atomic_signal_fence(int) {}

}  // extern "C"
