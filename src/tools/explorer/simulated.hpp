// The policy of the schedule explorer: every operation is a point where another thread may go first, and stores weaker
// than seq_cst wait in a buffer, as on x86. Outside the threads of a scenario the operations are plain memory accesses.
#pragma once

#include <bit>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <optional>
#include <type_traits>

#include "sync/fault.hpp"
#include "sync/policy.hpp"
#include "tools/explorer/scheduler.hpp"

namespace tact::explorer {

// The untyped part of a simulated atomic. It notices a use after its end, as long as the storage stays.
class atomic_cell {
 protected:
  explicit atomic_cell(std::uint64_t bits) noexcept { cell_.bits = bits; }
  ~atomic_cell() { alive_ = false; }

  [[nodiscard]] std::uint64_t read() const noexcept;
  void write(std::uint64_t bits) noexcept;  // the store may stay in the thread's buffer
  void write_at_once(std::uint64_t bits) noexcept;
  // Before a read-modify-write: other threads may go first, then all stores in the thread's own buffer go out.
  void begin_update() noexcept;
  // For the trace.
  void note(const char* what) const noexcept;
  void note(const char* what, std::uint64_t before) const noexcept;
  [[nodiscard]] static bool fails_spuriously() noexcept;

  cell cell_;

 private:
  void look() const noexcept;

  volatile bool alive_ = true;  // volatile: so that the compiler keeps the store in the destructor
};

template <class T>
class atomic : private atomic_cell {
  static_assert(std::is_trivially_copyable_v<T> && sizeof(T) <= sizeof(std::uint64_t));

 public:
  using order = std::memory_order;

  atomic() noexcept : atomic(T{}) {}
  atomic(T value) noexcept : atomic_cell(to_bits(value)) {}
  atomic(const atomic&) = delete;
  atomic& operator=(const atomic&) = delete;

  [[nodiscard]] T load(order = order::seq_cst) const noexcept { return to_value(read()); }
  void store(T value, order o = order::seq_cst) noexcept {
    o == order::seq_cst ? write_at_once(to_bits(value)) : write(to_bits(value));
  }

  T exchange(T value, order = order::seq_cst) noexcept {
    return update("exchange", [value](T) { return value; });
  }
  bool compare_exchange_strong(T& expected, T wanted, order = order::seq_cst, order = order::seq_cst) noexcept {
    begin_update();
    return compare_exchange(expected, wanted);
  }
  bool compare_exchange_weak(T& expected, T wanted, order = order::seq_cst, order = order::seq_cst) noexcept {
    begin_update();
    if (!fails_spuriously()) return compare_exchange(expected, wanted);
    expected = to_value(cell_.bits);
    note("compare_exchange (fails for no reason)");
    return false;
  }
  T fetch_add(T n, order = order::seq_cst) noexcept {
    return update("fetch_add", [n](T v) { return static_cast<T>(v + n); });
  }
  T fetch_sub(T n, order = order::seq_cst) noexcept {
    return update("fetch_sub", [n](T v) { return static_cast<T>(v - n); });
  }
  T fetch_or(T n, order = order::seq_cst) noexcept {
    return update("fetch_or", [n](T v) { return static_cast<T>(v | n); });
  }
  T fetch_and(T n, order = order::seq_cst) noexcept {
    return update("fetch_and", [n](T v) { return static_cast<T>(v & n); });
  }
  T fetch_xor(T n, order = order::seq_cst) noexcept {
    return update("fetch_xor", [n](T v) { return static_cast<T>(v ^ n); });
  }

 private:
  template <class Change>
  T update(const char* what, Change change) noexcept {
    begin_update();
    const std::uint64_t before = cell_.bits;
    cell_.bits = to_bits(change(to_value(before)));
    note(what, before);
    return to_value(before);
  }
  bool compare_exchange(T& expected, T wanted) noexcept {
    const std::uint64_t before = cell_.bits;
    if (before == to_bits(expected)) {
      cell_.bits = to_bits(wanted);
      note("compare_exchange", before);
      return true;
    }
    note("compare_exchange (failed)");
    expected = to_value(cell_.bits);
    return false;
  }
  static std::uint64_t to_bits(T value) noexcept {
    std::uint64_t bits = 0;
    std::memcpy(&bits, &value, sizeof value);
    return bits;
  }
  static T to_value(std::uint64_t bits) noexcept {
    T value;
    std::memcpy(&value, &bits, sizeof value);
    return value;
  }
};

class mutex {
 public:
  void lock() noexcept;
  [[nodiscard]] bool try_lock() noexcept;
  void unlock() noexcept;

 private:
  bool locked_ = false;
};

struct simulated {
  template <class T>
  using atomic = explorer::atomic<T>;
  using mutex = explorer::mutex;

  static void pause() noexcept;
  static bool futex_wait(const atomic<std::uint32_t>& word, std::uint32_t expected, sync::deadline until = {}) noexcept;
  static void futex_wake(const atomic<std::uint32_t>& word, int threads) noexcept;
  [[nodiscard]] static bool barrier_for_all() noexcept;
  static void keep_order() noexcept {}
  [[nodiscard]] static bool planted(sync::fault f) noexcept { return f == active_fault; }

  static inline sync::fault active_fault = sync::fault::none;  // set by the explorer
};

}  // namespace tact::explorer
