// What fails once, at a call that a test chooses: memory that is refused, and functions of the user that throw.
#pragma once

#include <new>
#include <stdexcept>

#include "base/blocks.hpp"

namespace tact::data_tests {

// Counts down; refuses or throws once.
struct failing {
  static inline long calls_left = -1;  // below 0: nothing fails
  static bool is_due() { return calls_left >= 0 && calls_left-- == 0; }
};
struct thrown : std::runtime_error {
  thrown() : std::runtime_error("planted") {}
};
struct refused_once final : base::allocation_watch {
  explicit refused_once(long n) : left(n) { base::watch_allocations(this); }
  ~refused_once() { base::watch_allocations(nullptr); }
  refused_once(const refused_once&) = delete;
  refused_once& operator=(const refused_once&) = delete;
  bool permits_allocation() noexcept override { return left-- != 0; }
  long left;
};

// A key whose copies, moves and comparisons may throw. Its entries are shared by the nodes.
struct touchy {
  explicit touchy(int n) : number(n) { ++alive; }
  touchy(const touchy& o) : number(o.number) {
    if (failing::is_due()) throw thrown();
    ++alive;
  }
  touchy(touchy&& o) : touchy(static_cast<const touchy&>(o)) {}
  touchy& operator=(const touchy&) = default;
  ~touchy() { --alive; }
  int number;
  static inline long alive = 0;

  friend bool operator<(const touchy& a, const touchy& b) {
    if (failing::is_due()) throw thrown();
    return a.number < b.number;
  }
  friend bool operator==(const touchy& a, const touchy& b) {
    if (failing::is_due()) throw thrown();
    return a.number == b.number;
  }
};

// Calls f while the allocation number n is refused. Returns whether it failed for that.
template <class F>
bool fails_without_memory(long n, F f) {
  const refused_once refusal(n);
  try {
    f();
    return false;
  } catch (const std::bad_alloc&) {
    return true;
  }
}
// Calls f while the call number n of a function of `touchy` throws. Returns whether it failed for that.
template <class F>
bool fails_by_throwing(long n, F f) {
  failing::calls_left = n;
  bool failed = false;
  try {
    f();
  } catch (const thrown&) {
    failed = true;
  }
  failing::calls_left = -1;
  return failed;
}

}  // namespace tact::data_tests
