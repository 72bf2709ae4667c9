// Actors that hand a token on: each handler sends one message. Classic, transactional, and becoming.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "micro/engine_run.hpp"

namespace tact::bench {

// A token; it goes on while `left` is not 0, so one that starts with n makes n + 1 messages.
struct hop {
  std::uint64_t left;
};
struct total {
  using reply = std::uint64_t;
};

class classic_relay : public tact::actor<classic_relay, hop> {
 public:
  void receive(tact::self<classic_relay>& self, const hop& m) {
    ++handled;
    if (m.left != 0) self.send(next, hop{m.left - 1});
  }
  tact::ref<classic_relay> next;
  std::uint64_t handled = 0;
};

// The ref of the next one is read through a pointer: a ring is made before its refs are known.
struct relay : tact::protocol<hop, tact::request<total>> {};

// Counts outside of the actor: one worker, so no other thread counts there at that time.
inline behavior<relay> pass_on(const ref<relay>* next, std::uint64_t* handled) {
  return {
      [=](tact::self<relay>& self, const hop& m) {
        ++*handled;
        if (m.left != 0) self.send(*next, hop{m.left - 1});
      },
      [=](auto& self, const tact::request<total>& m) { self.reply(m, *handled); },
  };
}

// Counts in the behaviour: every message is a become.
inline behavior<relay> count_and_pass_on(const ref<relay>* next, std::uint64_t handled) {
  return {
      [=](tact::self<relay>& self, const hop& m) {
        if (m.left != 0) self.send(*next, hop{m.left - 1});
        self.become(count_and_pass_on(next, handled + 1));
      },
      [=](auto& self, const tact::request<total>& m) { self.reply(m, handled); },
  };
}

// Rings are made before their engine, which looks at attached actors until it has ended.
class classic_ring {
 public:
  explicit classic_ring(unsigned actors) : actors_(actors) {}
  void enter(engine& e) {
    for (auto& a : actors_) refs.push_back(e.attach(a));
    for (std::size_t i = 0; i < refs.size(); ++i) actors_[i].next = refs[(i + 1) % refs.size()];
  }
  // REQUIRES: the engine is idle.
  [[nodiscard]] std::uint64_t handled(engine&) const {
    std::uint64_t sum = 0;
    for (const auto& a : actors_) sum += a.handled;
    return sum;
  }
  std::vector<ref<classic_relay>> refs;

 private:
  std::vector<classic_relay> actors_;
};

// The last two are parallel.
enum class kind { ordered, transactional, becoming };

template <kind Kind>
class ring {
 public:
  explicit ring(unsigned actors) : refs(actors), counts_(actors) {}
  void enter(engine& e) {
    for (std::size_t i = 0; i < refs.size(); ++i) {
      const auto* next = &refs[(i + 1) % refs.size()];
      auto b = Kind == kind::becoming ? count_and_pass_on(next, 0) : pass_on(next, &counts_[i]);
      refs[i] = Kind == kind::ordered ? e.create(std::move(b)) : e.create(std::move(b), parallel);
    }
  }
  [[nodiscard]] std::uint64_t handled(engine& e) const {
    std::uint64_t sum = 0;
    for (const auto r : refs) sum += e.ask(r, total{});
    return sum;
  }
  std::vector<ref<relay>> refs;

 private:
  std::vector<std::uint64_t> counts_;
};

}  // namespace tact::bench
