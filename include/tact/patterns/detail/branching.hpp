// The behaviour of tact::choices_for_each.
#pragma once

#include <cstddef>
#include <optional>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/waiting_room.hpp"
#include "tact/patterns/next_solution.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {

template <class B>
struct choices_for_each_protocol;  // in amb.hpp

namespace detail {

// Brings alternatives (null if the source has no more solutions), or the failure that is the reason why there are none.
// The actor is itself the customer of this message: so when the run that should handle it fails, the engine tells the
// actor.
template <class B>
struct expanded {
  using reply = void;
  kept<std::vector<B>> alternatives{};
  kept<failure> why{};
};

template <class A, class B, class F>
struct expansion {
  ref<request<next_solution<A>>> source;
  F expand;

  // Asks the source for solutions until one has alternatives. If one of the runs that do this fails, the actor is told.
  static void ask(const counted<const expansion>& by, transaction& asks, ref<choices_for_each_protocol<B>> me) {
    const auto choose = [by, me](transaction& tx, std::optional<A>& s) {
      owe(access::run_of(tx), access::port_of(me));
      if (!s) return report(tx, me, {});
      auto alternatives = by->expand(std::as_const(*s));
      if (!alternatives.empty()) return report(tx, me, {kept<std::vector<B>>::make(std::move(alternatives)), {}});
      settle_debt(access::run_of(tx), access::port_of(me));
      ask(by, tx, me);
    };
    const auto give_up = [me](transaction& tx, const failure& f) {
      const unfailing sure;
      owe(access::run_of(tx), access::port_of(me));
      report(tx, me, {{}, keep(as_far_as_memory_goes(f))});
    };
    asks.ask(by->source, next_solution<A>{}, choose, give_up);
  }
  static void report(transaction& tx, ref<choices_for_each_protocol<B>> me, expanded<B> e) {
    tx.send(me, request<expanded<B>>{access::make_ref<done>(access::port_of(me)), std::move(e)});
  }
};

// The behaviour of an and_then. While requests wait, one of the actor's own is at the source, and no alternative is
// left.
template <class A, class B, class F>
struct branching {
  using self_type = self<choices_for_each_protocol<B>>;
  using room = waiting_room<next_solution<B>>;

  void operator()(self_type& self, const request<next_solution<B>>& m) const {
    if (has_more()) {
      self.reply(m, left->value[at]);
      return self.become(branching{by, left, at + 1});
    }
    if (waiting.empty()) expansion<A, B, F>::ask(by, self, self.ref());
    self.become(branching{by, {}, 0, waiting.with(self, m, "choices_for_each")});
  }
  void operator()(self_type& self, const request<expanded<B>>& m) const {
    const unfailing sure;
    self.defer(m);
    if (m.body.why) return skip(self, m.body.why->value);
    if (!m.body.alternatives) {
      self.become(branching{by});
      return waiting.answer(self, std::nullopt);
    }
    branching next{by, m.body.alternatives, 0, waiting};
    for (; next.has_more() && !next.waiting.empty(); ++next.at)
      next.waiting = next.waiting.answer_first(self, next.left->value[next.at]);
    go_on(self, std::move(next));
  }
  // A run that was to bring alternatives, or to hand them out, has failed.
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    skip(self, f);
  }

  counted<const expansion<A, B, F>> by;
  kept<std::vector<B>> left{};
  std::size_t at = 0;
  room waiting{};

 private:
  [[nodiscard]] bool has_more() const noexcept { return left && at != left->value.size(); }
  // The first request that waits is told of the failure; for the others the source is asked again.
  void skip(self_type& self, const failure& f) const {
    if (!waiting.empty()) go_on(self, {by, {}, 0, waiting.fail_first(self, f)});
  }
  static void go_on(self_type& self, branching next) {
    if (!next.waiting.empty()) expansion<A, B, F>::ask(next.by, self, self.ref());
    self.become(std::move(next));
  }
};

}  // namespace detail
}  // namespace tact
