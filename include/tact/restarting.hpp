// tact::restarting and tact::restartable: what an actor is made of anew when it is restarted.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/maker.hpp"

namespace tact {

// engine.create(tact::restarting([=] { return open_account(0); }), tact::failure_rule(tact::failure_policy::restart));
//
// `make` returns the first behaviour of an actor. It is called when the actor is made, and again each time that the
// actor is restarted: then on the thread that restarts it, outside of transactions, and several workers may call it at
// once if several actors share what it refers to. The ref of the actor stays valid, and what waits in its mailbox
// stays. What an actor has sent, timers that it has set, its monitors, its name and its place stay as well; what its
// behaviour held goes. When `make` throws, that is a failure of the actor too (failure_report::attempts is 0): its rule
// decides again, and the actor ends unless it is to rest and be made anew after that. An exclusive actor's old
// behaviour is destroyed before the new one is made. Source of the idea: Erlang and Akka; that a ref survives is
// Akka's.
template <class F>
struct restarting {
  explicit restarting(F f) : make(std::move(f)) {}
  F make;
};

// engine.spawn<feed>(tact::restartable, address, 80): a classic actor that can be restarted: its object is destroyed,
// and made anew from copies of the arguments, as the first one is. As for a std::thread, an argument that is to be
// passed by reference is wrapped in std::ref.
struct restartable_t {
  explicit restartable_t() = default;
};
inline constexpr restartable_t restartable{};

namespace detail {

template <class T>
inline constexpr bool is_behavior = false;
template <class P>
inline constexpr bool is_behavior<behavior<P>> = true;
template <class T>
struct protocol_in;
template <class P>
struct protocol_in<behavior<P>> : std::type_identity<P> {};

// The protocol of the behaviours that F makes.
template <class F>
using protocol_made_by = typename protocol_in<std::remove_cvref_t<std::invoke_result_t<F&>>>::type;
template <class F>
concept makes_behavior = std::is_invocable_v<F&> && is_behavior<std::remove_cvref_t<std::invoke_result_t<F&>>>;

// Makes behaviours by a function of the user's.
template <class F>
class behavior_maker final : public maker {
 public:
  explicit behavior_maker(F f) : make_(std::move(f)) {}
  [[nodiscard]] closure* make() override {
    auto b = make_();
    return access::take(b);
  }

 private:
  F make_;
};

}  // namespace detail
}  // namespace tact

#include "tact/detail/end.hpp"  // last
