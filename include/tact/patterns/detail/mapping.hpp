// Many queries of which at most so many are under way: for tact::ask_each and tact::par_map.
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/detail/counted.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/join.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact::detail {

// Stands for the predicate of a mapping that asks all.
struct goes_through {};

template <class Q>
using counted_services = counted<std::vector<ref<request<Q>>>>;

template <class Q, class To>
counted_services<Q> services_of(const To& to) {
  if constexpr (std::is_convertible_v<To, ref<request<Q>>>) {
    return counted_services<Q>::make(std::vector<ref<request<Q>>>{to});
  } else {
    return counted_services<Q>::make(std::vector<ref<request<Q>>>(to.begin(), to.end()));
  }
}

// What the lanes of one call share. A lane asks one query at a time, and takes the next one when that has ended. Each
// outcome is written by one lane, and the lane that is the last to end reads all.
template <class Q, class U, class F, class G>
struct mapped {
  using R = typename request<Q>::reply;

  counted_services<Q> services;
  const std::vector<Q> queries;
  const std::optional<std::chrono::nanoseconds> limit;
  U until;
  F then;
  G otherwise;  // called when the run of `then` has failed
  context asked_in;
  cancel_flag under_way{};
  std::vector<outcome<R>> outcomes{};
  std::atomic<std::size_t> next{0};
  std::atomic<std::size_t> open_lanes{0};
  std::atomic<bool> is_over{false};  // no further query is asked
};

// One query of a lane, as a join of one request. So a second answer is not heard, and a run that fails where it should
// have asked the next query is followed by another run.
template <class Q, class U, class F, class G>
struct mapping : join<mapping<Q, U, F, G>, typename request<Q>::reply, request<Q>> {
  using shared = counted<mapped<Q, U, F, G>>;
  using R = typename request<Q>::reply;

  // asked: 0 for a lane of a call without queries.
  mapping(const context_node* in, shared a, std::size_t l, std::size_t i, unsigned asked,
          const captures_looked_at& referred_to)
      : join<mapping, R, request<Q>>(in, asked), all(std::move(a)), lane(l), index(i), captures(referred_to) {}

  void hear(unsigned, R& answer) noexcept {
    try {
      put(outcome<R>(std::move(answer)));
    } catch (...) {
      put(failure{failure_reason::handler_threw, {}});  // moving the answer threw; a text would need memory
    }
  }
  void hear(unsigned, const failure& f) noexcept {
    if (!all->queries.empty()) put(as_far_as_memory_goes(f));
  }
  [[nodiscard]] bool has_enough() const noexcept { return this->missing == 0; }
  void conclude(transaction& tx) { go_on(tx); }
  // The run that should have asked the next query has failed, or the run of `then`, which is not called again.
  void give_up(transaction& tx, const failure& f) {
    if (!has_called) return go_on(tx);
    all->otherwise(tx, f);
  }
  [[nodiscard]] static constexpr port answers_to() noexcept { return 0; }  // it concludes when nothing is missing

  // Asks query `i` by this lane. REQUIRES: the caller goes on if memory is refused.
  static void ask(transaction& tx, const shared& all, std::size_t lane, std::size_t i, Q query,
                  const captures_looked_at& referred_to) {
    const context_node* const in = access::run_of(tx).context;
    const port customer = begin_join(tx, *box<mapping>(in, all, lane, i, 1U, referred_to).release(), all->limit);
    const auto& services = *all->services;
    request<Q> asked{access::make_ref<R>(customer), std::move(query)};
    with_context(all->asked_in, [&] { tx.send(services[lane % services.size()], std::move(asked)); });
  }

  const shared all;
  const std::size_t lane;
  const std::size_t index;

 private:
  void put(outcome<R> o) noexcept {
    all->outcomes[index] = std::move(o);
    if constexpr (!std::is_same_v<U, goes_through>) {
      try {
        if (!static_cast<bool>(all->until(std::as_const(all->outcomes[index])))) return;
        all->is_over = true;
        all->under_way.request_stop();
      } catch (...) {
        all->outcomes[index] = failure{failure_reason::handler_threw, {}};
      }
    }
  }
  // A run that fails is followed by another that does the same, so the query that was taken stays taken.
  void go_on(transaction& tx) {
    {
      const unfailing sure;
      while (takes_next()) {
        if (const auto query = copy_of_next()) return ask(tx, all, lane, *taken, std::move(*query), captures);
        taken.reset();
      }
    }
    if (!has_ended) is_last = all->open_lanes.fetch_sub(1) == 1;
    has_ended = true;
    if (!is_last) return;
    has_called = true;
    captures.template tell_if_dangling<F>();
    all->then(tx, std::move(all->outcomes));
  }
  [[nodiscard]] bool takes_next() noexcept {
    if (taken) return true;
    if (has_ended || all->is_over) return false;
    const std::size_t i = all->next.fetch_add(1);
    if (i < all->queries.size()) taken = i;
    return taken.has_value();
  }
  // Returns nothing when the copy threw; then the outcome of the query says so.
  [[nodiscard]] std::optional<Q> copy_of_next() noexcept {
    failure why{failure_reason::handler_threw, {}};
    try {
      return all->queries[*taken];
    } catch (const std::exception& e) {
      note_text(why, e.what());
    } catch (...) {
      note_text(why, "copying the query threw an exception that is no std::exception");
    }
    all->outcomes[*taken] = std::move(why);
    return {};
  }
  static void note_text(failure& why, const char* text) noexcept {
    try {
      why.what = text;
    } catch (...) {
      why.what.clear();
    }
  }

  std::optional<std::size_t> taken{};  // the query that this lane asks next
  bool has_ended = false;              // nothing was left to ask
  bool is_last = false;                // and all other lanes have ended
  bool has_called = false;             // `then`
  [[no_unique_address]] const captures_looked_at captures;
};

template <class Options>
void look_at_mapping(std::size_t services, const Options& options) {
  if (services == 0) throw usage_error("tact::ask_each, par_map: give one service at least");
  if (options.at_once == 0) throw usage_error("tact::ask_each, par_map: at_once is 0, so nothing could be asked");
}

// Asks, and calls then(tx, outcomes) in the end. When that has failed, otherwise(tx, failure) runs.
template <class Q, class Options, class U, class F, class G>
void begin_mapping(transaction& tx, counted_services<Q> services, std::vector<Q> queries, const Options& options,
                   U until, F then, G otherwise) {
  using R = typename request<Q>::reply;
  using link = mapping<Q, U, F, G>;
  static_assert(std::is_copy_constructible_v<Q>, "tact::ask_each, par_map: a query is copied, so Q must be copyable");
  static_assert(std::is_invocable_v<F&, transaction&, std::vector<outcome<R>>&&>,
                "tact::ask_each calls then(transaction&, std::vector<tact::outcome<R>>); R is the reply's type");
  look_at_mapping(services->size(), options);
  const auto referred_to = access::look_at_captures(tx, then);
  const std::size_t count = queries.size();
  const std::size_t lanes = std::min(options.at_once, count);
  const auto all = link::shared::make(std::move(services), std::move(queries), options.limit, std::move(until),
                                      std::move(then), std::move(otherwise), tx.context());
  if constexpr (!std::is_same_v<U, goes_through>) all->asked_in = tx.context().with_flag(all->under_way);
  all->outcomes.resize(count);
  all->next = lanes;
  all->open_lanes = std::max<std::size_t>(lanes, 1);
  for (std::size_t i = 0; i != lanes; ++i) link::ask(tx, all, i, i, all->queries[i], referred_to);
  if (count != 0) return;
  const context_node* const in = access::run_of(tx).context;
  static_cast<void>(begin_join(tx, *box<link>(in, all, 0U, 0U, 0U, referred_to).release(), {}));
}

}  // namespace tact::detail
