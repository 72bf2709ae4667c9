// The join of which the first outcome, or the first answer, counts: for self.ask_first, self.ask_any, tact::first_of
// and any_ok.
#pragma once

#include <chrono>
#include <iterator>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/context.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/join.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// Why none of several requests was answered.
class failures_heard {
 public:
  void add(const failure& f) noexcept {
    last_ = f.reason;
    try {
      std::string text(to_string(f.reason));
      if (!f.what.empty()) text.append(": ").append(f.what);
      if (texts_.size() == failure_causes_max) texts_.pop_back();
      texts_.push_back(std::move(text));
    } catch (...) {
      // Without memory this failure is counted, and not described.
    }
  }
  [[nodiscard]] failure of_all(unsigned asked) noexcept {
    try {
      return {last_, "none of " + std::to_string(asked) + " requests was answered", std::move(texts_)};
    } catch (...) {
      return {last_, {}};
    }
  }

 private:
  failure_reason last_ = failure_reason::unanswered;
  std::vector<std::string> texts_{};
};

template <class R, class Asked, class F, class G>
struct racing : join<racing<R, Asked, F, G>, R, Asked> {
  racing(const context_node* in, unsigned count, race_rule r, const cancel_flag& of_losers, F f, G g,
         const captures_looked_at& referred_to)
      : join<racing, R, Asked>(in, count),
        asked(count),
        rule(r),
        losers(of_losers),
        then(std::move(f)),
        otherwise(std::move(g)),
        captures(referred_to) {}

  void hear(unsigned, R& answer) noexcept {
    decided = true;
    try {
      result = outcome<R>(std::move(answer));
    } catch (...) {
      result = outcome<R>(failure{failure_reason::handler_threw, {}});  // moving the answer threw
    }
  }
  void hear(unsigned index, const failure& f) noexcept {
    failures.add(f);
    if (index != join_limit_port && rule == race_rule::first_answer && this->missing != 0) return;
    decided = true;
    const bool is_of_all = index != join_limit_port && rule == race_rule::first_answer;
    result = outcome<R>(is_of_all ? failures.of_all(asked) : as_far_as_memory_goes(f));
  }
  [[nodiscard]] bool has_enough() const noexcept { return decided; }
  void conclude(transaction& tx) {
    losers.request_stop();
    captures.template tell_if_dangling<F>();
    then(tx, std::move(result));
  }
  void give_up(transaction& tx, const failure& f) { otherwise(tx, f); }
  [[nodiscard]] port answers_to() const noexcept { return otherwise.customer(); }

  const unsigned asked;
  const race_rule rule;
  bool decided = false;
  const cancel_flag losers;
  outcome<R> result{};
  failures_heard failures{};
  [[no_unique_address]] F then;
  [[no_unique_address]] G otherwise;  // called when the run of `then` has failed
  [[no_unique_address]] const captures_looked_at captures;
};

inline void refuse_long_race(std::size_t count) {
  if (count <= join_answers_max) return;
  throw usage_error("tact: at most 62 actors can race, and here are " + std::to_string(count) +
                    "; let groups of them race, each behind an actor of tact::first_of");
}

// Asks each of `to` in a context whose flag tells the losers that they have lost.
template <class Refs, class Q>
void ask_racers(transaction& tx, port customer, const context& among_losers, const Refs& to, const Q& query) {
  using R = typename request<Q>::reply;
  with_context(among_losers, [&] {
    for (const auto& service : to) tx.send(service, request<Q>{access::make_ref<R>(customer++), query});
  });
}

// Makes the join of a race, and lets `ask(customer)` ask, with customers from that port on, in a context whose flag
// tells the losers that they have lost. REQUIRES: it asks `count` requests.
template <class R, class Asked, class F, class G, class Ask>
void begin_race(transaction& tx, std::size_t count, const std::optional<std::chrono::nanoseconds>& limit,
                race_rule rule, F then, G otherwise, Ask ask) {
  refuse_long_race(count);
  const auto referred_to = access::look_at_captures(tx, then);
  const cancel_flag losers;
  const auto among_losers = tx.context().with_flag(losers);
  auto& made = *box<racing<R, Asked, F, G>>(access::run_of(tx).context, static_cast<unsigned>(count), rule, losers,
                                            std::move(then), std::move(otherwise), referred_to)
                    .release();
  const port customer = begin_join(tx, made, limit);
  with_context(among_losers, [&] { ask(customer); });
}

template <class Refs, class Q, class F, class G>
void race(transaction& tx, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
          race_rule rule, F then, G otherwise) {
  using R = typename request<Q>::reply;
  const auto count = static_cast<std::size_t>(std::ranges::distance(to));
  begin_race<R, request<Q>>(tx, count, limit, rule, std::move(then), std::move(otherwise), [&](port customer) {
    for (const auto& service : to) tx.send(service, request<Q>{access::make_ref<R>(customer++), query});
  });
}

template <class Refs, class Q, class F>
void race(transaction& tx, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
          race_rule rule, F then) {
  constexpr bool fits = std::is_invocable_v<F&, transaction&, outcome<typename request<Q>::reply>&&>;
  static_assert(
      fits, "tact: self.ask_first and ask_any call then(transaction&, tact::outcome<R>), where R is the reply's type");
  if constexpr (fits) race(tx, to, query, limit, rule, std::move(then), nothing_else{});
}

}  // namespace tact::detail
