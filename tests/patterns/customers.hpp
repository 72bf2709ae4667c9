// Customers of requests that count what they hear: exactly one answer or failure each is what every pattern promises.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <vector>

#include "patterns/trouble.hpp"

namespace tact::patterns_tests {

// Counts how often it is copied; a move is no copy.
struct copied {
  copied() noexcept = default;
  copied(const copied&) noexcept { ++times; }
  copied(copied&&) noexcept {}
  copied& operator=(const copied&) = delete;
  copied& operator=(copied&&) = delete;

  static inline std::atomic<long> times{0};
};

// What one customer has heard.
struct heard {
  std::atomic<int> answers{0};
  std::atomic<int> failures{0};
  std::atomic<bool> in_context{true};  // all of it came in the context of the request
  std::atomic<failure_reason> reason{failure_reason::unanswered};

  [[nodiscard]] int all() const noexcept { return answers + failures; }
};

template <class R>
struct hears : protocol<R, failure> {};

// Makes customers, and keeps what they hear until the test looks. The context of request n has the trace n.
template <class R>
class customers {
 public:
  explicit customers(std::size_t count) : heard_(count) {
    for (auto& one : heard_) one = std::make_shared<heard>();
  }

  // Makes the customers; `look(tx, n, answer)` is called with each answer.
  template <class F>
  void enter(engine& e, F look) {
    for (std::size_t n = 0; n != heard_.size(); ++n) {
      const auto mine = heard_[n];
      refs_.push_back(e.create(behavior<hears<R>>{[mine, n, look](transaction& tx, const R& answer) {
                                                    ++mine->answers;
                                                    if (tx.context().trace() != n + 1) mine->in_context = false;
                                                    look(tx, n, answer);
                                                  },
                                                  [mine, n](transaction& tx, const failure& f) {
                                                    ++mine->failures;
                                                    mine->reason = f.reason;
                                                    if (tx.context() && tx.context().trace() != n + 1)
                                                      mine->in_context = false;
                                                  }}));
    }
  }
  // Sends the query of customer n.
  template <class P, class Q>
  bool ask(const trouble& t, engine& e, ref<P> to, std::size_t n, Q query) {
    return ask_in(context(), t, e, to, n, std::move(query));
  }
  template <class P, class Q>
  bool ask_in(const context& in, const trouble& t, engine& e, ref<P> to, std::size_t n, Q query) {
    return t.tries([&] {
      with_context(in.with_trace(n + 1), [&] { e.send(to, request<Q>{refs_[n], std::move(query)}); });
      ++sent_;
    });
  }

  [[nodiscard]] const heard& operator[](std::size_t n) const noexcept { return *heard_[n]; }
  [[nodiscard]] ref<R> ref_of(std::size_t n) const noexcept { return refs_[n]; }
  [[nodiscard]] int answers() const noexcept {
    return sum([](const heard& h) { return h.answers.load(); });
  }
  [[nodiscard]] int failures() const noexcept {
    return sum([](const heard& h) { return h.failures.load(); });
  }
  // Everybody who has asked has heard once, in the context of the request. One run that throws, or memory that is
  // refused, fails one request at most.
  void check(simulation& sim, const trouble& t) const {
    for (const auto& h : heard_) {
      sim.check(h->all() <= 1, "a customer has heard twice");
      sim.check(h->in_context, "a customer has heard in another context");
    }
    sim.check(answers() + failures() == sent_, "a customer has heard nothing");
    if (t.is_none()) sim.check(std::size_t(sent_) == heard_.size(), "a request was not sent");
  }

 private:
  template <class F>
  [[nodiscard]] int sum(F f) const noexcept {
    int all = 0;
    for (const auto& h : heard_) all += f(*h);
    return all;
  }

  std::vector<std::shared_ptr<heard>> heard_;
  std::vector<ref<hears<R>>> refs_{};
  std::atomic<int> sent_{0};
};

}  // namespace tact::patterns_tests
