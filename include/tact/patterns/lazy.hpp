// tact::lazy: a value for which a service is asked when it is first wanted.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/failure.hpp"
#include "tact/patterns/detail/kept_value.hpp"
#include "tact/patterns/detail/sure_run.hpp"
#include "tact/patterns/detail/waiting_room.hpp"
#include "tact/patterns/eventual.hpp"
#include "tact/patterns/value_of.hpp"
#include "tact/ref.hpp"
#include "tact/request.hpp"
#include "tact/self.hpp"

namespace tact {
namespace detail {

template <class Q>
struct demand {
  ref<request<Q>> service;
  Q query;
};

// The behaviour of a lazy while no request waits in it.
template <class Q>
struct undemanded_value {
  using value = typename request<Q>::reply;
  using self_type = self<eventual_protocol<value>>;

  void operator()(self_type& self, const request<value_of<value>>& m) const;
  // The service, which has failed the request, answers it after all.
  void operator()(self_type& self, const value& m) const { self.become(known_value<value>{keep(m)}); }
  void operator()(self_type& self, const failure& f) const { self.pass_on(ref<failure>(), f); }

  counted<demand<Q>> ask;
};

// The behaviour of a lazy while its request is at the service. When the run that is told the answer fails, the engine
// tells the lazy, and the lazy tells all requests that wait.
template <class Q>
struct demanded_value {
  using value = typename request<Q>::reply;
  using self_type = self<eventual_protocol<value>>;

  void operator()(self_type& self, const request<value_of<value>>& m) const {
    self.become(demanded_value{ask, waiting.with(self, m, "lazy")});
  }
  void operator()(self_type& self, const value& m) const {
    const sure_run sure(self);
    self.become(known_value<value>{keep(m)});
    waiting.answer(self, m);
  }
  void operator()(self_type& self, const failure& f) const {
    const sure_run sure(self);
    self.become(undemanded_value<Q>{ask});
    waiting.fail(self, f);
  }

  counted<demand<Q>> ask;
  waiting_room<value_of<value>> waiting{};
};

template <class Q>
void undemanded_value<Q>::operator()(self_type& self, const request<value_of<value>>& m) const {
  self.send(ask->service, request<Q>{self.ref(), ask->query});
  self.become(demanded_value<Q>{ask, waiting_room<value_of<value>>().with(self, m, "lazy")});
}

}  // namespace detail

// const auto config = engine.create(tact::lazy(disk, read_file{"config"}));
// engine.ask(config, tact::value_of<std::string>{});
//
// As tact::eventual, but the query leaves for `service` when its answer is first asked for: once, however many requests
// wait. An answer is kept, and given to all that ask later. A failure is not kept: it is told to the requests that
// wait, and the next request makes the query leave again, because what has failed once, for example because a service
// was not there yet, may succeed another time. An answer that comes after such a failure is taken, because it is one to
// the same query. When the lazy ends, the requests that wait fail (target_ended). A lazy that is never asked sends
// nothing.
// Thread safety: as tact::eventual. Source: Lisp-Actors (lazy).
template <class P, class Q>
[[nodiscard]] behavior<eventual_protocol<typename request<Q>::reply>> lazy(ref<P> service, Q query) {
  static_assert(detail::sendable<P, request<Q>>, "tact::lazy: the service does not take request<Q>");
  static_assert(std::is_copy_constructible_v<Q>,
                "tact::lazy: the query is sent again when it fails, so Q must be copyable");
  detail::check_deferred<typename request<Q>::reply>();
  return detail::undemanded_value<Q>{
      detail::counted<detail::demand<Q>>::make(ref<request<Q>>(service), std::move(query))};
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
