// What tests of relays share: a service, customers of whom each asks once, and the check that each was told once.
#pragma once

#include <array>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "patterns/trouble.hpp"

namespace tact::patterns_tests {

// What the service does with a question.
enum class fate : unsigned char { answers, throws, is_silent };

struct question {
  using reply = int;
  int number = 0;
  fate then = fate::answers;
  tracked instance{};
};

inline behavior<request<question>> service(const std::shared_ptr<std::atomic<int>>& asked) {
  return {[asked](auto& self, const request<question>& m) {
    ++*asked;
    if (m.body.then == fate::throws) throw std::runtime_error("no " + std::to_string(m.body.number));
    m.body.then == fate::answers ? self.reply(m, m.body.number) : self.defer(m);
  }};
}

// What a customer was told. It is no one-shot customer, so it hears whatever is sent to it.
struct told {
  std::atomic<int> answers{0};
  std::atomic<int> failures{0};
  std::atomic<int> answer{-1};
  std::atomic<failure_reason> reason{failure_reason::answered_already};
};
struct customer : protocol<int, failure> {};
inline behavior<customer> hears(const std::shared_ptr<told>& what) {
  return {
      [what](auto&, int answer) {
        what->answer = answer;
        ++what->answers;
      },
      [what](auto&, const failure& f) {
        what->reason = f.reason;
        ++what->failures;
      },
  };
}

// An owner of a relay that takes questions; as far as the program sees, its protocol is request<question>.
struct relay {
  ref<request<question>> to;
  std::function<void()> end;
};
template <class P>
relay owned_relay(owner<P> o) {
  const auto kept = std::make_shared<owner<P>>(std::move(o));
  return {kept->ref(), [kept] { kept->reset(); }};
}

struct customers_of_one_relay {
  bool relay_ends = false;        // while requests are under way
  std::array<fate, 4> fates{};    // of the questions
  std::chrono::seconds time{60};  // after which each was told
};

// Four customers ask through a relay, from two threads. Each is told exactly once, whatever fails; and with the
// customer's own answer if nothing does and the service answers.
template <class Make>
void each_is_told_once(simulation& sim, const trouble& t, const customers_of_one_relay& how, const Make& make) {
  auto& engine = sim.engine(quiet_options(3));
  const auto asked = std::make_shared<std::atomic<int>>(0);
  const relay r = make(engine, engine.create(service(asked)));
  std::array<std::shared_ptr<told>, 4> all;
  std::array<ref<customer>, 4> customers;
  std::array<bool, 4> is_sent{};
  for (std::size_t i = 0; i < 4; ++i) customers[i] = engine.create(hears(all[i] = std::make_shared<told>()));
  t.begin();
  for (std::size_t thread = 0; thread < 2; ++thread) {
    sim.start_thread([&, thread] {
      for (const std::size_t i : {thread, thread + 2}) {
        is_sent[i] = t.tries([&] {
          engine.send(r.to, request<question>{customers[i], {static_cast<int>(i), how.fates[i]}});
        });
      }
    });
  }
  if (how.relay_ends) sim.start_thread(r.end);
  sim.run();
  sim.advance(how.time);
  for (std::size_t i = 0; i < 4; ++i) {
    const int times = all[i]->answers + all[i]->failures;
    sim.check(times <= 1, "a customer was told twice");
    sim.check(times == 1 || !is_sent[i], "a customer was not told");
    sim.check(all[i]->answers == 0 || all[i]->answer == static_cast<int>(i), "the answer of another customer");
    sim.check(all[i]->answers == 1 || how.fates[i] != fate::answers || how.relay_ends || !t.is_none(),
              "the service has answered, and the customer has not heard it");
  }
  sim.end();
}

}  // namespace tact::patterns_tests
