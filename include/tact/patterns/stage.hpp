// tact::stage: one stage of a pipeline, which takes no more items than it has room for.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <iosfwd>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/counted.hpp"
#include "tact/ended.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/service_ref.hpp"
#include "tact/patterns/detail/stage_gate.hpp"
#include "tact/patterns/detail/stage_work.hpp"
#include "tact/patterns/inlet.hpp"
#include "tact/protocol.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"

namespace tact {

// How a stage is set up.
struct stage_options {
  std::size_t window = 16;         // at most so many items are in the stage
  std::size_t parallel = 1;        // it works on so many at once; with 1 they keep their order
  ref<item_failed> failures = {};  // is told of items that do not get through; null: those are dead letters
};
std::ostream& operator<<(std::ostream&, const stage_options&);

// The protocol of a stage that takes items of type T. Sources, and the stage before it, use its inlet<T>; no limit
// holds for what the next stage answers, nor for the rest that is its own.
template <class T>
struct stage_protocol : protocol<inlet<T>, detail::own_words<done, ended>, failure> {};

namespace detail {

template <class In, class Work>
behavior<stage_protocol<In>> stage_of(Work work, ref<request<end_of_stream>> next, const stage_options& o) {
  static_assert(std::is_copy_constructible_v<In>, "tact::stage<In, Out>: an item is copied into a stage once");
  if (o.window == 0 || o.parallel == 0) throw usage_error("tact::stage: window and parallel are at least 1");
  using gate = stage_gate<In, Work>;
  using setup = typename gate::setup;
  return gate(counted<setup>::make(std::move(work), next, o.window, o.parallel, o.failures));
}
template <class Out>
void refuse_nobody(const ref<inlet<Out>>& next) {
  if (!next) throw usage_error("tact::stage: the next stage is nobody; use tact::last_stage where none comes after it");
}

}  // namespace detail

// const auto print = engine.create(tact::last_stage<page>(printer));
// const auto first = engine.create(tact::stage<text, page>(set, print, {.window = 10, .parallel = 2}));
// for (const auto& t : texts) engine.ask(first, tact::put_item<text>{t});  // waits until there is room
// engine.ask(first, tact::end_of_stream{});                           // all are printed
//
// Puts f(item) into `next` for each item that it takes; f may take a transaction& before the item, and is called by
// const, by several threads when options.parallel is more than 1. At most options.window items are in the stage: those
// that wait, those at work, and those whose results `next` has not taken. While there are so many, a further put is not
// answered. So a source that waits for its answers, a thread, a coroutine or an actor, is held back by the slowest of
// all stages, and memory is bounded. No stage waits in a handler.
//
// An item that fails is told to options.failures, in its context, and the next one goes on. When `next` ends, the stage
// fails what waits in it and what comes: an item that it had taken is told to options.failures, and the put of another
// item fails with target_ended. The stage ends when nothing is at work. What waits in a stage that is ended otherwise
// is told in the same way; what is at work goes on to `next`, and is a dead letter if it fails then. Each item that was
// taken arrives once, or its failure is told once.
//
// With parallel = 1 items keep their order. A stage must not be created tact::parallel if they are to. Costs for each
// item one copy, the put, its answer, and a message to an actor of its own; one message more if it must wait, and two
// if it must wait for room. Throws usage_error when `next` is the ref of no actor, and for a window or parallel of 0.
// Source of the idea: the demand of Reactive Streams, and Elixir's GenStage.
template <class In, class Out, class F>
  requires(!detail::is_service<F>)
[[nodiscard]] behavior<stage_protocol<In>> stage(F f, ref<inlet<Out>> next, const stage_options& options = {}) {
  static_assert(std::is_invocable_r_v<Out, const F&, In&&> || std::is_invocable_r_v<Out, const F&, transaction&, In&&>,
                "tact::stage<In, Out>: the function takes an In, or a transaction& and an In, and returns an Out");
  detail::refuse_nobody(next);
  return detail::stage_of<In>(detail::stage_call<In, Out, F>{std::move(f), {next}}, next, options);
}
// As the stage above, but it asks `service` with Q{item}, and the answer is the result. A service that does not answer
// keeps the item at work, so put a tact::timeout before it. An item costs the request, its answer and an actor more.
template <class In, class Out, class Q>
[[nodiscard]] behavior<stage_protocol<In>> stage(ref<request<Q>> service, ref<inlet<Out>> next,
                                                 const stage_options& options = {}) {
  static_assert(
      requires(In&& i) { Q{std::move(i)}; }, "tact::stage: the query of the service is made of the item: Q{item}");
  detail::refuse_nobody(next);
  return detail::stage_of<In>(detail::stage_ask<In, Out, Q>{service, {next}}, next, options);
}

// The last stage of a pipeline: its function, or its service, has no result that matters. It answers end_of_stream when
// all items before that are done.
template <class In, class F>
  requires(!detail::is_service<F>)
[[nodiscard]] behavior<stage_protocol<In>> last_stage(F f, const stage_options& options = {}) {
  static_assert(std::is_invocable_v<const F&, In&&> || std::is_invocable_v<const F&, transaction&, In&&>,
                "tact::last_stage<In>: the function takes an In, or a transaction& and an In");
  return detail::stage_of<In>(detail::stage_call<In, void, F>{std::move(f), {}}, {}, options);
}
template <class In, class Q>
[[nodiscard]] behavior<stage_protocol<In>> last_stage(ref<request<Q>> service, const stage_options& options = {}) {
  static_assert(
      requires(In&& i) { Q{std::move(i)}; }, "tact::stage: the query of the service is made of the item: Q{item}");
  return detail::stage_of<In>(detail::stage_ask<In, void, Q>{service, {}}, {}, options);
}

// Names of earlier versions; they go with the next one.
template <class T>
using staged [[deprecated("use tact::stage_protocol")]] = stage_protocol<T>;

}  // namespace tact

#include "tact/detail/end.hpp"  // last
