// tact::pipe: services one behind the other, each of which is asked what the one before has answered.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/patterns/detail/relayed_answer.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

// The query of a pipe: that of its first service. R is the reply of its last one.
template <class Q, class R>
struct to_pipe {
  using reply = R;
  [[no_unique_address]] Q query{};
};

namespace detail {

template <class Q, class R>
concept query_made_of = requires(R&& r) { Q{std::move(r)}; };

// The refs of a pipe's services, and how a query goes through those from the Ith on to the customer. Each answer is
// handled by a beta, whose run owes the customer: if it fails, the customer is told.
template <class... Qs>
struct pipe_stages {
  static constexpr std::size_t size = sizeof...(Qs);
  template <std::size_t I>
  using query = std::tuple_element_t<I, std::tuple<Qs...>>;
  using reply = typename query<size - 1>::reply;
  using customer = ref<reply_message<reply>>;

  template <std::size_t... I>
  static consteval bool fit(std::index_sequence<I...>) {
    return (query_made_of<query<I + 1>, typename request<query<I>>::reply> && ...);
  }

  template <std::size_t I>
  void run(transaction& tx, query<I> q, customer to) const {
    const auto& stage = std::get<I>(stages);
    if constexpr (I + 1 == size) {
      tx.send(stage, request<query<I>>{to, std::move(q)});
    } else {
      using R = typename request<query<I>>::reply;
      settle_debt(access::run_of(tx), access::port_of(to));  // the beta will owe it
      tx.ask(
          stage, std::move(q),
          [all = *this, to](transaction& later, R& answer) {
            owe(access::run_of(later), access::port_of(to));
            all.template run<I + 1>(later, query<I + 1>{std::move(answer)}, to);
          },
          relayed_answer<reply_message<reply>>{to});
    }
  }

  std::tuple<ref<request<Qs>>...> stages;
};

}  // namespace detail

// const auto sum = engine.create(tact::pipe(reader, parser, adder));
// engine.ask(sum, tact::to_pipe<file, long>{{"a.txt"}})
//
// A service that asks `first` with the query, then the next service with a query made of the answer, `Query{answer}`,
// and so on. The answer of the last one goes to the customer directly. When one fails, the request fails with the same
// reason, and those behind it are not asked. A request with n services costs 2n messages and n - 1 betas. Several
// requests are in the pipe at once, and may overtake each other. Source: Lisp-Actors.
template <class First, class... Rest>
[[nodiscard]] auto pipe(ref<request<First>> first, ref<request<Rest>>... rest) {
  using stages = detail::pipe_stages<First, Rest...>;
  using asked = request<to_pipe<First, typename stages::reply>>;
  constexpr bool fit = stages::fit(std::index_sequence_for<Rest...>{});
  static_assert(fit, "tact::pipe: the query of each service is made of the answer of the one before: Query{answer}");
  if constexpr (fit) {
    return behavior<asked>{[all = stages{{first, rest...}}](transaction& tx, const asked& m) {
      all.template run<0>(tx, m.body.query, m.customer);
    }};
  } else {
    return behavior<asked>{};
  }
}

// Names of earlier versions; they go with the next one.
template <class Q, class R>
using piped [[deprecated("use tact::to_pipe")]] = to_pipe<Q, R>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
