// Actors that know each other: every address is reserved before the behaviours are made, which know all of them.
#pragma once

#include <cstddef>
#include <tuple>
#include <utility>

#include "tact/detail/access.hpp"
#include "tact/detail/handlers.hpp"
#include "tact/ref.hpp"

namespace tact::detail {

template <class Shape>
struct group;

// Home makes the actors: port reserve(); void install(port, closure&); void abandon(port), for what was reserved and
// not installed.
template <bool Const, class R, class... Ps>
struct group<shape<Const, R, ref<Ps>...>> {
  template <class F, class Home>
  static std::tuple<ref<Ps>...> make(F& make_behaviors, Home home) {
    return make(make_behaviors, home, std::index_sequence_for<Ps...>{});
  }

 private:
  template <class F, class Home, std::size_t... I>
  static std::tuple<ref<Ps>...> make(F& make_behaviors, Home& home, std::index_sequence<I...>) {
    port ports[sizeof...(Ps)] = {};  // 0: not reserved, or installed
    std::tuple<ref<Ps>...> all;
    try {
      for (port& p : ports) p = home.reserve();
      all = {access::make_ref<Ps>(ports[I])...};
      std::tuple<behavior<Ps>...> behaviors = std::apply(make_behaviors, all);
      (install_one(std::get<I>(all), ports[I], std::get<I>(behaviors), home), ...);
    } catch (...) {
      give_back(ports, home);
      throw;
    }
    give_back(ports, home);
    return all;
  }
  template <class P, class Home>
  static void install_one(ref<P>& r, port& p, behavior<P>& b, Home& home) {
    if (closure* c = access::take(b)) {
      home.install(std::exchange(p, 0), *c);
    } else {
      r = {};
    }
  }
  template <class Home>
  static void give_back(port (&ports)[sizeof...(Ps)], Home& home) noexcept {
    for (const port p : ports) {
      if (p != 0) home.abandon(p);
    }
  }
};

template <class F>
using group_of = group<typename shape_of<decltype(&F::operator())>::type>;

}  // namespace tact::detail
