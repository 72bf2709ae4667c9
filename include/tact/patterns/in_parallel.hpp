// tact::and_in_parallel and or_in_parallel: services that are asked at once, until the answer of one of them decides.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/context.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/copied_failure.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/join.hpp"
#include "tact/patterns/detail/racing.hpp"
#include "tact/patterns/outcome.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/transaction.hpp"

namespace tact {
namespace detail {

// The join of one request. An answer that equals `wanted` decides; where false is wanted, a failure decides as well.
template <class Q>
struct deciding : join<deciding<Q>, typename request<Q>::reply, request<Q>> {
  using R = typename request<Q>::reply;

  deciding(const context_node* in, unsigned count, bool w, const cancel_flag& of_losers, ref<R> to) noexcept
      : join<deciding, R, request<Q>>(in, count), last(count - 1), wanted(w), losers(of_losers), customer(to) {}

  void hear(unsigned index, R& answer) noexcept {
    try {
      const bool decided = static_cast<bool>(answer) == wanted;
      if (!decided && index != last) return;
      (decided ? decides : of_last) = outcome<R>(std::move(answer));
    } catch (...) {
      note({failure_reason::handler_threw, "looking at the answer, or moving it, threw", {}});
    }
  }
  void hear(unsigned, const failure& f) noexcept { note(as_far_as_memory_goes(f)); }
  [[nodiscard]] bool has_enough() const noexcept { return decides || this->missing == 0; }
  void conclude(transaction& tx) {
    losers.request_stop();
    outcome<R>& o = decides ? *decides : failed ? *failed : *of_last;
    o ? tx.send(customer, std::move(*o)) : tx.fail(customer, o.why());
  }
  void give_up(transaction& tx, const failure& f) { tx.fail(customer, as_far_as_memory_goes(f)); }
  [[nodiscard]] port answers_to() const noexcept { return access::port_of(customer); }

 private:
  void note(failure f) noexcept {
    auto& place = wanted ? failed : decides;
    if (!place) place = outcome<R>(std::move(f));
  }

  const unsigned last;
  const bool wanted;
  const cancel_flag losers;
  const ref<R> customer;
  std::optional<outcome<R>> decides{};
  std::optional<outcome<R>> failed{};   // the first failure, where it does not decide
  std::optional<outcome<R>> of_last{};  // the answer of the last service, where it does not decide
};

template <class Q>
behavior<request<Q>> service_in_parallel(std::vector<ref<request<Q>>>&& services, bool wanted) {
  static_assert(
      std::is_copy_constructible_v<Q>,
      "tact::and_in_parallel, or_in_parallel: each service is sent a copy of the query, so Q must be copyable");
  static_assert(std::is_constructible_v<bool, const typename request<Q>::reply&>,
                "tact::and_in_parallel, or_in_parallel: the answers must convert to bool");
  if (services.empty()) throw usage_error("tact::and_in_parallel, or_in_parallel: give one service at least");
  refuse_long_race(services.size());
  return {[services = std::move(services), wanted](transaction& tx, const request<Q>& m) {
    const cancel_flag losers;
    const auto among_losers = tx.context().with_flag(losers);
    auto& made = *box<deciding<Q>>(access::run_of(tx).context, static_cast<unsigned>(services.size()), wanted, losers,
                                   m.customer)
                      .release();
    ask_racers(tx, begin_join(tx, made, {}), among_losers, services, m.body);
    tx.defer(m);
  }};
}

}  // namespace detail

// engine.create(tact::and_in_parallel<check>({stock, credit, address}), tact::parallel)
//
// A service that sends each request to all of `services`, at most 62, at once. The first answer that is false,
// `!answer`, is the answer; a failure counts as such an answer, and then the request fails with its reason. When all
// answers are true, the answer is that of the last service in the order of `services`. The others are cancelled, as
// self.ask_first says. Throws usage_error when there is no service, or when there are more. Source: Lisp-Actors, where
// such a service can be asked once.
template <class Q>
[[nodiscard]] behavior<request<Q>> and_in_parallel(std::vector<ref<request<Q>>> services) {
  return detail::service_in_parallel<Q>(std::move(services), false);
}

// As and_in_parallel, but the first answer that is true is the answer. When none is, the request fails with the reason
// of the service that failed first; when no service has failed, the answer is that of the last service.
template <class Q>
[[nodiscard]] behavior<request<Q>> or_in_parallel(std::vector<ref<request<Q>>> services) {
  return detail::service_in_parallel<Q>(std::move(services), true);
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
