// tact::link: two actors of which neither outlives the failure of the other.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <memory>

#include "tact/detail/creation_options.hpp"
#include "tact/detail/watchers.hpp"
#include "tact/engine.hpp"
#include "tact/transaction.hpp"

namespace tact {

namespace detail {

// Ends the actor `to` when the other one has failed.
struct link_watcher : watcher {
  explicit link_watcher(port other) noexcept
      : watcher{other,
                [](watcher& w, run*, tact::ended&& e) noexcept {
                  const bool failed =
                      e.earlier || e.reason == end_reason::failed || e.reason == end_reason::link_failed;
                  if (failed) order_end(w.to, end_reason::link_failed);
                  give_up_share<link_watcher>(w);
                },
                &give_up_share<link_watcher>} {}
};

inline watcher& make_link(port other) { return *box<link_watcher>(other).release(); }

}  // namespace detail

// tact::link(self, reader, writer);
//
// When one of the two ends because a handler threw, the other one is ended too (end_reason::link_failed), and what is
// linked with that as well. A restart is no end: a supervised child that fails and is restarted ends nothing. When one
// ends in another way the other lives on, and the link is gone. One that had ended already counts as failed. An actor
// that wants to decide by itself monitors the other one instead. In a handler, `self` stages the link, like a monitor;
// an engine makes it at once, from threads outside. Throws std::bad_alloc. Source of the idea: Erlang.
template <class P, class Q>
void link(transaction& self, ref<P> one, ref<Q> other) {
  detail::run& r = detail::access::run_of(self);
  detail::watch(r, detail::access::port_of(one), detail::make_link(detail::access::port_of(other)));
  detail::watch(r, detail::access::port_of(other), detail::make_link(detail::access::port_of(one)));
}
template <class P, class Q>
void link(engine&, ref<P> one, ref<Q> other) {
  detail::watch(detail::access::port_of(one), detail::make_link(detail::access::port_of(other)));
  detail::watch(detail::access::port_of(other), detail::make_link(detail::access::port_of(one)));
}

}  // namespace tact

#include "tact/detail/end.hpp"  // last
