// The join that waits for all of its requests: for self.ask_all and tact::all_of.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/patterns/detail/join.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// What all joins of one call bring together. Each join writes outcomes of its own here; the last join that is complete
// calls `then`.
template <class R, class F, class G>
struct gathered {
  std::vector<outcome<R>> outcomes;
  std::atomic<std::size_t> open_joins;
  F then;
  G otherwise;  // called when the run of `then` has failed
};

// The join of at most 62 requests of a call; a call with more has several.
template <class Q, class F, class G, class R = typename request<Q>::reply>
struct gathering : join<gathering<Q, F, G>, R, request<Q>> {
  gathering(const context_node* in, counted<gathered<R, F, G>> a, std::size_t from, unsigned asked,
            const captures_looked_at& referred_to)
      : join<gathering<Q, F, G>, R, request<Q>>(in, asked), all(std::move(a)), first(from), captures(referred_to) {}

  void hear(unsigned index, R& answer) noexcept {
    try {
      put(index, outcome<R>(std::move(answer)));
    } catch (...) {
      hear(index, failure{failure_reason::handler_threw, {}});  // moving the answer threw; a text would need memory
    }
  }
  void hear(unsigned index, const failure& f) noexcept {
    if (index != join_limit_port) return put(index, outcome<R>(as_far_as_memory_goes(f)));
    for (unsigned i = 0; i != join_answers_max; ++i) {
      if (this->is_missing(i)) put(i, outcome<R>(as_far_as_memory_goes(f)));
    }
  }
  [[nodiscard]] bool has_enough() const noexcept { return this->missing == 0; }
  void conclude(transaction& tx) {
    is_last = all->open_joins.fetch_sub(1) == 1;
    if (!is_last) return;
    captures.template tell_if_dangling<F>();
    all->then(tx, std::move(all->outcomes));
  }
  void give_up(transaction& tx, const failure& f) {
    if (is_last) all->otherwise(tx, f);
  }
  [[nodiscard]] static constexpr port answers_to() noexcept { return 0; }  // it concludes when nothing is missing

  const counted<gathered<R, F, G>> all;
  const std::size_t first;
  bool is_last = false;
  [[no_unique_address]] const captures_looked_at captures;

 private:
  void put(unsigned index, outcome<R> o) noexcept { all->outcomes[first + index] = std::move(o); }
};

// Asks, and calls then(tx, outcomes) in the end. When that has failed, otherwise(tx, failure) runs.
template <class Refs, class Q, class F, class G>
void gather(transaction& tx, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
            F then, G otherwise) {
  using R = typename request<Q>::reply;
  const auto count = static_cast<std::size_t>(std::ranges::distance(to));
  const std::size_t joins = count == 0 ? 1 : (count - 1) / join_answers_max + 1;
  const auto referred_to = access::look_at_captures(tx, then);
  const context_node* const in = access::run_of(tx).context;
  const auto all =
      counted<gathered<R, F, G>>::make(std::vector<outcome<R>>(count), joins, std::move(then), std::move(otherwise));
  auto service = std::ranges::begin(to);
  for (std::size_t at = 0; at == 0 || at < count; at += join_answers_max) {
    const auto asked = static_cast<unsigned>(std::min<std::size_t>(count - at, join_answers_max));
    port customer = begin_join(tx, *box<gathering<Q, F, G>>(in, all, at, asked, referred_to).release(), limit);
    for (unsigned i = 0; i != asked; ++i, ++service) {
      tx.send(*service, request<Q>{access::make_ref<R>(customer++), query});
    }
  }
}

template <class Refs, class Q, class F>
void gather(transaction& tx, const Refs& to, const Q& query, const std::optional<std::chrono::nanoseconds>& limit,
            F then) {
  constexpr bool fits = std::is_invocable_v<F&, transaction&, std::vector<outcome<typename request<Q>::reply>>&&>;
  static_assert(
      fits, "tact: self.ask_all calls then(transaction&, std::vector<tact::outcome<R>>), where R is the reply's type");
  if constexpr (fits) gather(tx, to, query, limit, std::move(then), nothing_else{});
}

}  // namespace tact::detail
