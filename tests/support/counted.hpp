// A message that knows how many of it are alive, for tests on one thread.
#pragma once

namespace tact::support {

struct counted {
  explicit counted(int n) noexcept : number(n) { ++alive; }
  counted(counted&& other) noexcept : number(other.number) { ++alive; }
  ~counted() { --alive; }
  int number;
  static inline int alive = 0;
};

}  // namespace tact::support
