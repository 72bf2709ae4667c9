// tact::all_of: a service that asks several services, and answers with what came of each.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/patterns/detail/gathering.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

// The query of a service made by all_of: the one that each of its services is asked, and the outcomes in their order.
template <class Q>
struct to_all {
  using reply = std::vector<outcome<typename request<Q>::reply>>;
  [[no_unique_address]] Q query{};
};

// The query of a service made by all_of of services that differ: one for each of them, and the outcomes in their order.
template <class... Qs>
struct to_each {
  using reply = std::tuple<outcome<typename request<Qs>::reply>...>;
  std::tuple<Qs...> queries;
};

namespace detail {

// The join of one request to services that differ: its ports have answers of different types.
template <class... Qs>
struct gathering_of_each : joining<gathering_of_each<Qs...>> {
  using outcomes = typename to_each<Qs...>::reply;
  static constexpr unsigned size = sizeof...(Qs);
  static_assert(size <= join_answers_max, "tact::all_of: at most 62 services; put some of them behind an all_of");
  template <unsigned I>
  using reply_of = typename request<std::tuple_element_t<I, std::tuple<Qs...>>>::reply;
  template <unsigned I>
  using index = std::integral_constant<unsigned, I>;

  gathering_of_each(const context_node* in, ref<outcomes> to)
      : joining<gathering_of_each>(type_of_join, in, size), customer(to) {}

  template <unsigned I>
  void hear(index<I>, reply_of<I>& answer) noexcept {
    try {
      std::get<I>(all) = outcome<reply_of<I>>(std::move(answer));
    } catch (...) {
      std::get<I>(all) = failure{failure_reason::handler_threw, "moving the answer threw", {}};
    }
  }
  void hear(unsigned at, const failure& f) noexcept {
    const auto note = [&]<unsigned... I>(std::integer_sequence<unsigned, I...>) { (note_of<I>(at, f), ...); };
    note(std::make_integer_sequence<unsigned, size>{});
  }
  [[nodiscard]] bool has_enough() const noexcept { return this->missing == 0; }
  void conclude(transaction& tx) { tx.send(customer, std::move(all)); }
  void give_up(transaction& tx, const failure& f) { tx.fail(customer, as_far_as_memory_goes(f)); }
  [[nodiscard]] static constexpr port answers_to() noexcept { return 0; }  // it concludes when nothing is missing

 private:
  template <unsigned I>
  void note_of(unsigned at, const failure& f) noexcept {
    if (at == I || (at == join_limit_port && this->is_missing(I))) std::get<I>(all) = as_far_as_memory_goes(f);
  }
  template <unsigned I>
  static void answered(closure& c, run& r, void* message) {
    joining<gathering_of_each>::go_on(c, r, index<I>{}, *static_cast<reply_of<I>*>(message));
  }
  // A port that belongs to no service hears failures only.
  static void not_asked(closure&, run&, void*) noexcept {}

  template <class Sequence>
  struct ports;
  template <unsigned... I>
  struct ports<std::integer_sequence<unsigned, I...>> {
    static consteval std::array<entry, messages_max> make() {
      std::array<entry, messages_max> all{};
      all.fill(&not_asked);
      ((all[I] = &answered<I>), ...);
      return all;
    }
    static consteval std::array<std::string_view, messages_max> make_names() {
      std::array<std::string_view, messages_max> all{};
      all.fill(type_name<failure>);
      ((all[I] = type_name<reply_of<I>>), ...);
      return all;
    }
    static constexpr std::array<entry, messages_max> entries = make();
    static constexpr std::array<std::string_view, messages_max> names = make_names();
  };
  using all_ports = ports<std::make_integer_sequence<unsigned, size>>;
  static const behavior_type type_of_join;

  ref<outcomes> customer;
  outcomes all{};
};

template <class... Qs>
constexpr behavior_type gathering_of_each<Qs...>::type_of_join{
    all_ports::entries.data(),        messages_max,     &joining<gathering_of_each>::failed,
    &joining<gathering_of_each>::end, actor_kind::join, type_name<to_each<Qs...>>,
    all_ports::names.data(),          large_block,      true};

template <class... Qs>
behavior<request<to_each<Qs...>>> service_of_each(std::optional<std::chrono::nanoseconds> limit,
                                                  ref<request<Qs>>... services) {
  static_assert((std::is_copy_constructible_v<Qs> && ...),
                "tact::all_of: each service is sent a copy of its query, so queries must be copyable");
  return {[all = std::tuple{services...}, limit](transaction& tx, const request<to_each<Qs...>>& m) {
    auto& made = *box<gathering_of_each<Qs...>>(access::run_of(tx).context, m.customer).release();
    const port customer = begin_join(tx, made, limit);
    const auto ask = [&]<std::size_t... I>(std::index_sequence<I...>) {
      (tx.send(std::get<I>(all),
               request<Qs>{access::make_ref<typename request<Qs>::reply>(customer + I), std::get<I>(m.body.queries)}),
       ...);
    };
    ask(std::index_sequence_for<Qs...>{});
    tx.defer(m);
  }};
}

template <class Q>
behavior<request<to_all<Q>>> gathering_service(std::vector<ref<request<Q>>> services,
                                               std::optional<std::chrono::nanoseconds> limit) {
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::all_of: each service is sent a copy of the query, so Q must be copyable");
  using outcomes = typename to_all<Q>::reply;
  return {[services = std::move(services), limit](transaction& tx, const request<to_all<Q>>& m) {
    const auto answer = [to = m.customer](transaction& later, outcomes&& all) { later.send(to, std::move(all)); };
    gather(tx, services, m.body.query, limit, answer, failing_customer<outcomes>{m.customer});
    tx.defer(m);
  }};
}

}  // namespace detail

// const auto shops = engine.create(tact::all_of<quote>({near, far}));
// for (const auto& price : engine.ask(shops, tact::to_all<quote>{{"tea"}})) if (price) ...
//
// A service that sends each request to all of `services`, and answers when each of them has answered or failed, with a
// std::vector<tact::outcome<R>> in their order. So a failure of one of them is a part of the answer. A request costs
// its requests, their answers, the answer, and one actor for 62 services. With tact::parallel, several workers begin
// requests at once. Source: the fork of Lisp-Actors, which keeps only one value of each answer, and waits for ever for
// a service that does not answer.
template <class Q>
[[nodiscard]] behavior<request<to_all<Q>>> all_of(std::vector<ref<request<Q>>> services) {
  return detail::gathering_service<Q>(std::move(services), {});
}
// As all_of(services), but a service that has not answered within `limit` has failed, with timed_out.
template <class Q, class Rep, class Period>
[[nodiscard]] behavior<request<to_all<Q>>> all_of(std::vector<ref<request<Q>>> services,
                                                  std::chrono::duration<Rep, Period> limit) {
  return detail::gathering_service<Q>(std::move(services), std::chrono::nanoseconds(detail::whole_ns(limit)));
}

// As all_of, for services that differ: the answer is a std::tuple of outcomes in the order of `services`.
//
// const auto visit = engine.create(tact::all_of(weather, trains), tact::parallel);
// const auto [sky, train] = engine.ask(visit, tact::to_each<forecast, timetable>{{forecast{"Rome"}, timetable{9}}});
template <class... Qs>
[[nodiscard]] behavior<request<to_each<Qs...>>> all_of(ref<request<Qs>>... services) {
  return detail::service_of_each<Qs...>({}, services...);
}
// As the call above, but a service that has not answered within `limit` has failed, with timed_out.
template <class Rep, class Period, class... Qs>
[[nodiscard]] behavior<request<to_each<Qs...>>> all_of(std::chrono::duration<Rep, Period> limit,
                                                       ref<request<Qs>>... services) {
  return detail::service_of_each<Qs...>(std::chrono::nanoseconds(detail::whole_ns(limit)), services...);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
