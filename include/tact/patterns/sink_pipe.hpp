// tact::sink_pipe: services one behind the other, and an actor to which the last answer is sent as a plain message.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/service_ref.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/pipe.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

template <class... Qs>
auto sink_pipe_of(pipe_stages<Qs...> stages, ref<reply_message<typename pipe_stages<Qs...>::reply>> sink,
                  ref<failure> failures) {
  using first = typename pipe_stages<Qs...>::template query<0>;
  using R = reply_message<typename pipe_stages<Qs...>::reply>;
  return behavior<first>{[=](transaction& tx, const first& m) {
    tell_if_it_fails(tx, failures);
    const auto out = tx.beta(
        [=](transaction& later, R& answer) {
          tell_if_it_fails(later, failures);
          later.send(sink, std::move(answer));
        },
        [=](transaction& later, const failure& f) {
          const unfailing sure;
          tell_if_it_fails(later, failures);
          later.send(failures, as_far_as_memory_goes(f));
        });
    stages.template run<0>(tx, m, out);
  }};
}

// How many of the refs are services: those before the first that is none.
template <class... Refs>
consteval std::size_t services_among() {
  std::size_t count = 0;
  static_cast<void>(((is_service<Refs> && ++count != 0) && ...));
  return count;
}

template <class... Qs>
pipe_stages<Qs...> stages_of(std::tuple<ref<request<Qs>>...> services) {
  return {std::move(services)};
}

}  // namespace detail

// const auto count_lines = engine.create(tact::sink_pipe(reader, parser, ledger));
// engine.send(count_lines, file{"a.txt"});
//
// Takes messages Q, where `refs` are services, the first of them a ref<request<Q>>, and then `sink`. It asks the first
// service with the message, the next one with a query made of the answer, `Query{answer}`, and so on, and sends the
// answer of the last one to `sink`, as a plain message. A message that fails on the way, in a service or for want of
// memory, is told to the ref<tact::failure> behind `sink`, if there is one; otherwise the failure is a dead letter.
// Several messages are in the pipe at once, and may overtake each other: use a tact::stage where order or the number of
// those under way matters. A message with n services costs 2n + 2 messages and n actors made on the spot. With
// tact::parallel, several workers begin messages at once. Source: Lisp-Actors.
template <class... Refs>
[[nodiscard]] auto sink_pipe(Refs... refs) {
  constexpr std::size_t services = detail::services_among<Refs...>();
  static_assert(services >= 1 && (sizeof...(Refs) == services + 1 || sizeof...(Refs) == services + 2),
                "tact::sink_pipe: it takes refs of services, then the sink, and perhaps a ref<tact::failure>");
  const std::tuple all{refs...};
  const auto split = [&]<std::size_t... I>(std::index_sequence<I...>) {
    ref<failure> failures;
    if constexpr (sizeof...(Refs) == services + 2) failures = std::get<services + 1>(all);
    return detail::sink_pipe_of(detail::stages_of(std::tuple{std::get<I>(all)...}), std::get<services>(all), failures);
  };
  return split(std::make_index_sequence<services>());
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
