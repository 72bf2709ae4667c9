// Whom handlers ask, and how they are answered; for the tests of handlers that wait.
#pragma once

#include <sys/mman.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::parked_tests {

using namespace tact::support;

struct number {
  using reply = long;
  long n;
};
struct go {
  long n;
};
struct look {
  using reply = long;
};
struct wave {
  using reply = void;
};

struct oracle : protocol<request<number>, request<wave>> {};
struct caller : protocol<go, request<look>> {};

inline behavior<oracle> open_oracle() {
  return {[](auto& self, const request<number>& m) { self.reply(m, m.body.n * 2); },
          [](auto& self, const request<wave>& m) { self.reply(m); }};
}

// Keeps requests until it is told to answer them, in an order that chance decides.
struct answer_all {};
class keeping : public actor<keeping, request<number>, answer_all> {
 public:
  keeping(std::uint64_t seed, std::atomic<long>& came) : dice_(seed), came_(&came) {}
  void receive(self<keeping>& self, const request<number>& m) {
    self.defer(m);
    kept_.push_back(m);
    ++*came_;
  }
  void receive(self<keeping>& self, const answer_all&) {
    for (std::size_t i = kept_.size(); i > 1; --i)
      std::swap(kept_[i - 1], kept_[dice_.below(static_cast<unsigned>(i))]);
    for (const auto& m : kept_) self.reply(m, m.body.n * 2);
    kept_.clear();
  }

 private:
  dice dice_;
  std::atomic<long>* const came_;
  std::vector<request<number>> kept_;
};

// Adds up what it hears.
struct sum : protocol<long, request<look>> {};
inline behavior<sum> open_sum(long so_far) {
  return {[=](self<sum>& self, long n) { self.become(open_sum(so_far + n)); },
          [=](auto& self, const request<look>& m) { self.reply(m, so_far); }};
}

// Can the system guard a part of a mapping, so that a stack with its guard needs none of its own?
inline bool guards_are_cheap() {
  constexpr std::size_t bytes = 64 * 1024;
  constexpr int guard_install = 102;  // MADV_GUARD_INSTALL, since Linux 6.13
  void* const probe = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  REQUIRE(probe != MAP_FAILED);
  const bool can = ::madvise(probe, bytes, guard_install) == 0;
  ::munmap(probe, bytes);
  return can;
}

// The engine goes on meanwhile, also where it has no workers.
template <class Condition>
void wait_until(engine& e, Condition condition) {
  const auto until = std::chrono::steady_clock::now() + generous;
  while (!condition() && std::chrono::steady_clock::now() < until) (void)e.wait_idle(std::chrono::milliseconds(1));
  REQUIRE(condition());
}

}  // namespace tact::parked_tests
