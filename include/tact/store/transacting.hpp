// tact::transacting: a service whose handlers are transactions of a store.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <exception>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"
#include "tact/store/detail/store_access.hpp"
#include "tact/store/store_file.hpp"

namespace tact {

namespace detail {

// A transaction of an actor: f computes the answer and the changes; the customer is told when they are durable.
template <class R, class F>
struct actors_transaction {
  struct shared {
    std::shared_ptr<store_core> core;
    owner_number owner;
    F f;  // R f(store_view&)
  };

  // Runs it beside the writer, for the n-th time, or in it. Throws what f throws, and then nothing has come of it.
  void run(transaction& tx, unsigned n) const {
    if (n == outer_runs_max) return run_in_writer(tx);
    const byte_reading now = all->core->front().look();
    byte_view bytes(now.in_file, now.accepted, true);
    auto answer = std::make_shared<R>(answer_of(*all, bytes));
    if (bytes.changes().empty()) return tx.send(customer, std::move(*answer));
    ask(tx, checked_write{now.order, bytes.take_reads(), listed(bytes.changes()), all->owner},
        [*this, answer, n](transaction& then, const write_answer& a) {
          if (a.what == write_answer::fate::again) return run_again(then, n + 1);
          end(then, a, *answer);
        });
  }

  std::shared_ptr<const shared> all;
  ref<R> customer;

 private:
  static R answer_of(const shared& all, byte_view& bytes) {
    auto view = store_access::view<store_view>(bytes, *all.core);
    if constexpr (std::is_same_v<R, done>) {
      all.f(view);
      return {};
    } else {
      return all.f(view);
    }
  }
  // In the continuation of a request the customer is told by nothing else.
  void run_again(transaction& tx, unsigned n) const {
    try {
      run(tx, n);
    } catch (...) {
      tx.fail(customer, failure_of(std::current_exception()));
    }
  }
  void run_in_writer(transaction& tx) const {
    auto answer = std::make_shared<std::optional<R>>();
    ask(tx, inner_write{[all = all, answer](byte_view& bytes) { answer->emplace(answer_of(*all, bytes)); }, all->owner},
        [*this, answer](transaction& then, const write_answer& a) {
          if (a.what == write_answer::fate::again) return run_again(then, outer_runs_max);
          end(then, a, answer->has_value() ? **answer : R{});
        });
  }
  template <class Write, class Then>
  void ask(transaction& tx, Write w, Then then) const {
    tx.ask(all->core->writer(), std::move(w), std::move(then),
           [to = customer](transaction& otherwise, const failure& f) { otherwise.fail(to, as_far_as_memory_goes(f)); });
  }
  void end(transaction& tx, const write_answer& a, const R& answer) const {
    if (a.what == write_answer::fate::done) return tx.send(customer, answer);
    tx.fail(customer,
            a.thrown ? failure_of(a.thrown) : failure{failure_reason::handler_threw, failure_text(*all->core, a), {}});
  }
  static failure failure_of(const std::exception_ptr& thrown) {
    try {
      std::rethrow_exception(thrown);
    } catch (const std::exception& e) {
      return {failure_reason::handler_threw, e.what(), {}};
    } catch (...) {
      return {failure_reason::handler_threw, "an exception that is no std::exception", {}};
    }
  }
};

// Begins a transaction for the request m.
template <class Q, class Self, class F>
void begin_transaction(Self& self, const request<Q>& m, const std::shared_ptr<store_core>& core, owner_number owner,
                       F f) {
  using R = typename request<Q>::reply;
  using transaction_type = actors_transaction<R, F>;
  const transaction_type t{std::make_shared<const typename transaction_type::shared>(core, owner, std::move(f)),
                           m.customer};
  t.run(self, 0);
  self.defer(m);
}

// The behaviour of a service whose requests are transactions of that file, or of that owner.
template <class Q, class Place, class F>
[[nodiscard]] behavior<request<Q>> transacting_for(const Place& place, F f) {
  static_assert(std::is_invocable_v<const F&, store_view&, const Q&>,
                "tact::transacting<Q>(file, f): f is called as f(store_view&, const Q&), and is const");
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::transacting<Q>: Q is kept for another run, so it must be copyable");
  const auto shared = std::make_shared<const F>(std::move(f));
  return {[core = store_access::shared_core_of(place), owner = store_access::owner_of(place), shared](
              self<request<Q>>& self, const request<Q>& m) {
    begin_transaction(self, m, core, owner, [shared, q = m.body](store_view& view) { return (*shared)(view, q); });
  }};
}

}  // namespace detail

// struct transfer { using reply = receipt; std::string from, to; long cents; };
// const auto transfers = engine.create(
//     tact::transacting<transfer>(file, [=](tact::store_view& view, const transfer& t) -> receipt { ... }),
//     tact::parallel);
//
// Answers each request with what f(view, query) returns, when all that it has changed by the view is durable. If
// something that it has read was written meanwhile, f is called again, with the new state: it is called four times at
// most, the last time by the actor that writes, where it keeps other writes waiting. If it throws, nothing was changed
// and the request fails, as it does when the store refuses the write or has stopped; the text of the failure says
// which. f is const-callable and has no effects but by the view; it may run on several threads at once. It must not
// wait.
template <class Q, class F>
[[nodiscard]] behavior<request<Q>> transacting(const store_file& file, F f) {
  return detail::transacting_for<Q>(file, std::move(f));
}
// The same by the owner of a file: until its time is over or it lets go. Then the requests fail.
template <class Q, class F>
[[nodiscard]] behavior<request<Q>> transacting(const store_owner& by, F f) {
  return detail::transacting_for<Q>(by, std::move(f));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
