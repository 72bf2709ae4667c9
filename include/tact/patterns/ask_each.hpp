// tact::ask_each and tact::par_map: many queries, each to be asked once, of which at most so many are under way.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <chrono>
#include <cstddef>
#include <iosfwd>
#include <limits>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/mapping.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

// How many queries are under way at a time, and for how long each of them.
struct ask_each_options {
  // At most so many queries are under way at a time.
  std::size_t at_once = 16;
  // A query that has not ended within this time, counted from when it was asked, has failed with timed_out.
  std::optional<std::chrono::nanoseconds> limit{};
};
std::ostream& operator<<(std::ostream&, const ask_each_options&);

// tact::ask_each(self, store, std::move(pages), {.at_once = 8}, [m](auto& tx, std::vector<tact::outcome<text>> all) {
//   tx.reply(m, joined(all));
// });
// self.defer(m);
//
// Asks each of `queries`, a std::vector<Q>, and goes on: `options.at_once` of them at first, and whenever one has
// been answered or has failed the next one. When all have, then(tx, std::vector<tact::outcome<R>>) runs once, with the
// outcomes in the order of the queries: no failure is lost. R is the type of the reply, tact::done if that is void.
// `to` is a ref that takes request<Q>, or a std::vector of them: then each has an equal part of what may be under way,
// and one that is slow is asked less. So a memory or a machine that can do k things at once is given k, however long
// the list is.
//
// `then` runs in the context of the caller, as the continuation of self.ask_all; when it throws, that is reported, and
// it is not called again. What a service says after it has answered is a dead letter. Each query is copied when it is
// asked; one whose copy throws has failed with handler_threw. Costs: a message and an actor for each query beside its
// answer, as self.ask. Throws usage_error when there is no service, or when options.at_once is 0, and std::bad_alloc.
// Source: par-map of Lisp-Actors; the limit is that of mapAsync in Akka Streams.
template <class To, class Q, class F>
void ask_each(transaction& tx, const To& to, std::vector<Q> queries, const ask_each_options& options, F then) {
  detail::begin_mapping(tx, detail::services_of<Q>(to), std::move(queries), options, detail::goes_through{},
                        std::move(then), detail::nothing_else{});
}

// As the call above, but no further query is asked when until(outcome) has returned true for one of them. Those that
// are under way are cancelled: a flag of the context in which they were asked is set (tact::cancel_flag), and `then`
// runs when they have ended. What was not asked has no answer, with failure_reason::unanswered. `until` takes a const
// tact::outcome<R>&; several threads may call it at once. When it throws, the outcome is a failure, handler_threw.
template <class To, class Q, class U, class F>
void ask_each(transaction& tx, const To& to, std::vector<Q> queries, const ask_each_options& options, U until, F then) {
  static_assert(std::is_invocable_r_v<bool, const U&, const outcome<typename request<Q>::reply>&>,
                "tact::ask_each: until(const tact::outcome<R>&) returns whether to stop; R is the type of the reply");
  detail::begin_mapping(tx, detail::services_of<Q>(to), std::move(queries), options, std::move(until), std::move(then),
                        detail::nothing_else{});
}

// The query of a service made by par_map: many of one kind, and the outcomes in their order.
template <class Q>
struct query_batch {
  using reply = std::vector<outcome<typename request<Q>::reply>>;
  std::vector<Q> queries;
};

// const auto shops = engine.create(tact::par_map<quote>({near, far}, {.at_once = 8}), tact::parallel);
// for (const auto& price : engine.ask(shops, tact::query_batch<quote>{{{"tea"}, {"milk"}}})) if (price) ...
//
// A service that asks each query of a batch, as tact::ask_each does; at_once is the limit of one batch. When the run
// that answers fails, so does the request. Batches do not wait for each other. Throws usage_error as ask_each. Source:
// par-map of Lisp-Actors.
template <class Q>
[[nodiscard]] behavior<request<query_batch<Q>>> par_map(std::vector<ref<request<Q>>> services,
                                                        ask_each_options options = {}) {
  using outcomes = typename query_batch<Q>::reply;
  detail::look_at_mapping(services.size(), options);
  const auto shared = detail::counted<std::vector<ref<request<Q>>>>::make(std::move(services));
  return {[shared, options](transaction& tx, const request<query_batch<Q>>& m) {
    const auto answer = [to = m.customer](transaction& later, outcomes&& all) { later.send(to, std::move(all)); };
    detail::begin_mapping(tx, shared, m.body.queries, options, detail::goes_through{}, answer,
                          detail::failing_customer<outcomes>{m.customer});
    tx.defer(m);
  }};
}

// Names of earlier versions; they go with the next one.
template <class Q>
using batch [[deprecated("use tact::query_batch")]] = query_batch<Q>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
