// tact::next_solution: the query for the next of several solutions.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <optional>
#include <type_traits>

#include "tact/protocol.hpp"
#include "tact/request.hpp"

namespace tact {

// while (const auto s = engine.ask(puzzle, tact::next_solution<floors>{})) ...
//
// A request<next_solution<T>> is answered with a solution that was not given before, or with none when there are no
// more: then, and whenever it is asked again. An actor that answers it is a source for tact::choices_for_each and
// tact::such_that.
template <class T>
struct next_solution {
  using reply = std::optional<T>;
};

namespace detail {

// The type of the solutions that an actor with these messages gives; void if it gives none.
template <class Messages>
struct solution_among : std::type_identity<void> {};
template <class M, class... Rest>
struct solution_among<list<M, Rest...>> : solution_among<list<Rest...>> {};
template <class T, class... Rest>
struct solution_among<list<request<next_solution<T>>, Rest...>> : std::type_identity<T> {};
template <class P>
using solution_of = typename solution_among<messages_of<P>>::type;

template <class P>
concept source_of_solutions = !std::is_void_v<solution_of<P>>;

}  // namespace detail

}  // namespace tact

#include "tact/detail/end.hpp"  // last
