// Actors that are to hear that they are idle; for the tests of self.idle_after.
#pragma once

#include <chrono>
#include <ostream>
#include <stdexcept>
#include <vector>

#include "simulation/office.hpp"

namespace tact::idle_tests {

using namespace tact::simulated_tests;
using std::chrono::nanoseconds;

struct idle {
  int number;
  tracked kept{};
};
// What a handler does, beside being one.
struct word {
  enum does {
    nothing,
    sets,
    takes_back,
    sets_and_throws,
    sets_and_discards,
    sets_twice,
    takes_back_and_sets,
    ends
  } what;
  nanoseconds after{0};
  int number = 0;
  bool becomes = false;
};
struct question {
  using reply = int;
};
struct watched : protocol<word, idle, request<question>> {};

struct heard {
  nanoseconds when;
  int number;
  friend bool operator==(const heard&, const heard&) = default;
  friend std::ostream& operator<<(std::ostream& out, const heard& h) {
    return out << h.number << " at " << h.when.count() << " ns";
  }
};
struct notes {
  simulation& sim;
  std::vector<heard> all{};
};

template <class Self>
void act(Self& self, const word& m) {
  if (m.what == word::takes_back || m.what == word::takes_back_and_sets) self.never_idle();
  if (m.what == word::sets_twice) self.idle_after(m.after / 2, idle{-1});
  if (m.what == word::ends) return self.stop();
  if (m.what >= word::sets && m.what != word::takes_back) self.idle_after(m.after, idle{m.number});
  if (m.what == word::sets_and_throws) throw std::runtime_error("refused");
  if (m.what == word::sets_and_discards) self.discard();
}

inline behavior<watched> open(notes& n) {
  return {[&n](self<watched>& self, const word& m) {
            if (m.becomes && m.number % 2 == 0) self.become(open(n));
            act(self, m);
            if (m.becomes && m.number % 2 != 0) self.become(open(n));
          },
          [&n](auto&, const idle& m) {
            n.all.push_back({n.sim.now(), m.number});
          },
          [](auto& self, const request<question>& m) { self.reply(m, 1); }};
}

class keeper : public tact::actor<keeper, watched> {
 public:
  explicit keeper(notes& n) : notes_(n) {}
  void receive(self<keeper>& self, const word& m) { act(self, m); }
  void receive(self<keeper>&, const idle& m) { notes_.all.push_back({notes_.sim.now(), m.number}); }
  void receive(self<keeper>& self, const request<question>& m) { self.reply(m, 1); }

 private:
  notes& notes_;
};

inline const failure_rule goes_on(failure_policy::go_on);

}  // namespace tact::idle_tests
