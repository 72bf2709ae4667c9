// Choices with backtracking: tact::choices, tact::choices_between, tact::choices_for_each and tact::such_that.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/branching.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/next_solution.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/transaction.hpp"

namespace tact {

// The protocol of an and_then. Users send request<next_solution<B>>; the rest is its own, and no limit holds for that.
template <class B>
struct choices_for_each_protocol
    : protocol<request<next_solution<B>>, detail::own_words<request<detail::expanded<B>>>, failure> {};

namespace detail {

template <class T>
struct listed_choices {
  using self_type = self<request<next_solution<T>>>;

  void operator()(self_type& self, const request<next_solution<T>>& m) const {
    if (at == all->value.size()) return self.reply(m, std::nullopt);
    self.reply(m, all->value[at]);
    self.become(listed_choices{all, at + 1});
  }

  kept<std::vector<T>> all;
  std::size_t at = 0;
};

template <class T>
struct counted_choices {
  using self_type = self<request<next_solution<T>>>;

  void operator()(self_type& self, const request<next_solution<T>>& m) const {
    if (!next) return self.reply(m, std::nullopt);
    self.reply(m, next);
    self.become(counted_choices{*next < last ? std::optional<T>(static_cast<T>(*next + 1)) : std::nullopt, last});
  }

  std::optional<T> next;
  T last;
};

// Asks for solutions until one holds.
template <class T, class Holds>
struct sieve {
  ref<request<next_solution<T>>> source;
  Holds holds;

  static void look(const counted<const sieve>& by, transaction& asks, ref<std::optional<T>> customer) {
    const auto judge = [by, customer](transaction& tx, std::optional<T>& s) {
      run& r = access::run_of(tx);
      owe(r, access::port_of(customer));  // it hears if this run fails
      if (!s || by->holds(std::as_const(*s))) return tx.send(customer, std::move(s));
      settle_debt(r, access::port_of(customer));
      look(by, tx, customer);
    };
    const auto give_up = [customer](transaction& tx, const failure& f) {
      owe(access::run_of(tx), access::port_of(customer));
      tx.fail(customer, as_far_as_memory_goes(f));
    };
    asks.ask(by->source, next_solution<T>{}, judge, give_up);
  }
};

}  // namespace detail

// const auto floor = engine.create(tact::choices(std::vector{1, 2, 3}));
//
// Gives each of the alternatives once, in their order. A request is one message and its answer. Thread safety: any
// placement; one that is tact::parallel gives each once, too. Source of the idea of all of them: the amb of McCarthy;
// Lisp-Actors, where a generator is asked by `next`.
template <class T>
[[nodiscard]] behavior<request<next_solution<T>>> choices(std::vector<T> all) {
  static_assert(std::is_copy_constructible_v<T>,
                "tact::choices: a solution is copied to who asks, so T must be copyable");
  return detail::listed_choices<T>{detail::kept<std::vector<T>>::make(std::move(all))};
}
// Gives each whole number from `first` to `last`, both included, once, in their order. A number is made when it is
// asked for.
template <std::integral T>
[[nodiscard]] behavior<request<next_solution<T>>> choices_between(T first, std::type_identity_t<T> last) {
  return detail::counted_choices<T>{first <= last ? std::optional<T>(first) : std::nullopt, last};
}

// const auto pairs = engine.create(tact::choices_for_each(floor, [](int baker) { return pairs_with(baker); }));
//
// A further choice, which may depend on the earlier ones: for each solution of `source` all alternatives that `expand`
// returns for it, a std::vector, in their order. Depth first, and as late as possible: the source is asked for its next
// solution when the alternatives of the last one have been given, so it does what backtracking does. Chains of them are
// as deep as there are variables, and no call goes deeper for that. `expand` runs on any worker, several at once when
// several such actors share it, and may run again for the same solution only if that is given again.
// Requests wait while the source is asked, and are answered in the order in which they came; when this actor ends, they
// fail (target_ended). When `expand` throws, or a run fails otherwise, or the source fails, one of the requests that
// wait fails, and the search goes on with the next solution of the source. A source that answers a request twice is
// heard once.
// A solution is one message and its answer; each solution of the source costs its request and answer, and, unless it
// has no alternatives, one word and two notes for the request that has waited. Thread safety: as choices.
template <detail::source_of_solutions P, class F>
[[nodiscard]] auto choices_for_each(ref<P> source, F expand) {
  using A = detail::solution_of<P>;
  static_assert(std::is_invocable_v<const F&, const A&>,
                "tact::choices_for_each: expand takes a solution of the source, const A&, and is const-callable");
  using list = std::remove_cvref_t<std::invoke_result_t<const F&, const A&>>;
  using B = typename list::value_type;
  static_assert(std::is_same_v<list, std::vector<B>>,
                "tact::choices_for_each: expand returns the alternatives as a std::vector");
  using by = detail::expansion<A, B, F>;
  return behavior<choices_for_each_protocol<B>>(
      detail::branching<A, B, F>{detail::counted<const by>::make(source, std::move(expand))});
}

// const auto apart = engine.create(tact::such_that(pairs, [](const pair& p) { return p.first != p.second; }));
//
// Gives those solutions of `source` for which `holds` is true, in their order. It keeps nothing: for one request it
// sends the source as many as it takes to find a solution, each in a run of its own, so other actors go on meanwhile.
// Several that ask at once are given different solutions. When `holds` throws for a solution, or the source fails, the
// request for which that happens fails, and the next request is given the next solution. Requests that were taken
// before the actor ends are answered all the same. Thread safety: any placement.
template <detail::source_of_solutions P, class F>
[[nodiscard]] behavior<request<next_solution<detail::solution_of<P>>>> such_that(ref<P> source, F holds) {
  using T = detail::solution_of<P>;
  static_assert(std::is_invocable_r_v<bool, const F&, const T&>,
                "tact::such_that: holds takes a solution, const T&, returns bool and is const-callable");
  using sieve = detail::sieve<T, F>;
  return {[by = detail::counted<const sieve>::make(source, std::move(holds))](self<request<next_solution<T>>>& self,
                                                                              const request<next_solution<T>>& m) {
    self.defer(m);
    sieve::look(by, self, m.customer);
  }};
}

// Names of earlier versions; they go with the next one.
template <class B>
using branched [[deprecated("use tact::choices_for_each_protocol")]] = choices_for_each_protocol<B>;
template <class P, class F>
[[deprecated("use tact::choices_for_each")]] [[nodiscard]] auto and_then(ref<P> source, F expand) {
  return choices_for_each(source, std::move(expand));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
