// The one door between the public types and the library's own code: the friend through which that reaches private
// members.
#pragma once

#include <memory>

#include "tact/detail/core.hpp"
#include "tact/detail/misuse.hpp"

namespace tact {

template <class P>
class ref;
template <class P>
class behavior;
template <class P>
class owner;
template <class P>
class self;
template <class Self, class... Ms>
class actor;
class transaction;
class timer;
class monitor;

namespace detail {

struct owned_actor;

struct access {
  template <class P>
  static constexpr port port_of(ref<P> r) noexcept {
    return r.port_;
  }
  template <class P>
  static constexpr ref<P> make_ref(port p) noexcept {
    return ref<P>(p);
  }
  template <class P>
  static owner<P> make_owner(owned_actor& shared) noexcept {
    return owner<P>(shared);
  }
  template <class P>
  static owned_actor& shared_of(owner<P>& o) noexcept {
    return *o.shared_;
  }
  // Takes the closure out of a behaviour; null if that is empty.
  template <class P>
  static closure* take(behavior<P>& b) noexcept {
    closure* c = b.closure_;
    b.closure_ = nullptr;
    return c;
  }
  template <class Self>
  static Self make_self(run& r) noexcept {
    return Self(r);
  }
  template <class Self>
  static run& run_of(const Self& s) noexcept {
    return s.run_;
  }
  // Looks whether functions that the running handler hands out refer to what is destroyed with it.
  template <class Self, class... F>
  static auto look_at_captures(Self& s, F&... functions) noexcept {
    return s.look_at_captures(functions...);
  }
  // Ends the entry of every handler: in a debug build it notes that the frame is gone. Leaves the stack of a handler
  // that has waited, and does not return then.
  template <class Self>
  static void finish(Self& s) {
#if !defined(NDEBUG)
    if (s.is_referred_to_) [[unlikely]]
      forget_frame(std::addressof(s));
    s.run_.forget();
#endif
    if (s.has_waited_) [[unlikely]]
      end_parked();
  }
  template <class Engine>
  static core& core_of(Engine& e) noexcept {
    return e.core_;
  }
  // Lets a creator make an actor of a closure.
  template <class Creator, class How>
  static port put(Creator& c, closure& first, How&& how) {
    return c.put(first, static_cast<How&&>(how));
  }
  // Lets a creator make an actor of a group in two steps: it reserves an address, and then installs a closure there or
  // abandons the address.
  template <class Creator, class How>
  static port reserve(Creator& c, How&& how) {
    return c.reserve(static_cast<How&&>(how));
  }
  template <class Creator>
  static void install(Creator& c, port reserved, closure& first) {
    c.install(reserved, first);
  }
  template <class Creator>
  static void abandon(Creator& c, port reserved) noexcept {
    c.abandon(reserved);
  }
  template <class Scope>
  static const auto& members_of(const Scope& s) noexcept {
    return *s.members_;
  }
  // The handle of a monitor.
  template <class Monitor = monitor>
  static Monitor make_monitor(watcher& w) noexcept {
    return Monitor(w);
  }
  // The handle of a timer, and its id.
  template <class Timer = timer>
  static Timer make_timer(timer_id id) noexcept {
    return Timer(id);
  }
  template <class Timer>
  static timer_id id_of(const Timer& t) noexcept {
    return t.id_;
  }
  // Asks as transaction::ask does, but no context ends the ask.
  template <class Tx, class... Args>
  static void ask_regardless(Tx& tx, Args&&... args) {
    tx.ask_regardless(static_cast<Args&&>(args)...);
  }
  // Lets a setter of timers call one of the two functions.
  template <class Setter, class InRun, class AtOnce>
  static void set(Setter& s, InRun in_run, AtOnce at_once) {
    s.set(in_run, at_once);
  }
  template <class S, class... Ms>
  static closure& closure_of(actor<S, Ms...>& a) noexcept {
    return a;
  }
  template <class A>
  static A& object_of(closure& c) noexcept {
    return object_of(c, static_cast<A*>(nullptr));
  }

 private:
  template <class S, class... Ms>
  static S& object_of(closure& c, actor<S, Ms...>*) noexcept {
    return static_cast<S&>(static_cast<actor<S, Ms...>&>(c));
  }
};

}  // namespace detail
}  // namespace tact
