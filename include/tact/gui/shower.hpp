// How a message is shown in a widget: for the headers of this folder.
#include "tact/detail/language.hpp"  // first
#pragma once

#include "tact/mailbox_limit.hpp"

namespace tact::gui::detail {

// void show(W&, const M&)
template <class F>
struct shower;
template <class C, class W, class M>
struct shower<void (C::*)(W&, const M&) const> {
  using widget = W;
  using message = M;
};

// A handler of an actor that shows: `w` is a widget, or nothing once it has gone. Then what comes is a dead letter, and
// the actor ends.
template <class Widget, class F>
auto show_in(Widget w, F show) {
  using message = typename shower<decltype(&F::operator())>::message;
  return [w, show](auto& self, const message& m) {
    if (w) return show(*w, m);
    self.pass_on(decltype(self.ref()){}, m);
    self.stop();
  };
}

// Sends what a callback has made: a message, or an std::optional of one.
template <class M, class Ref>
void give(M&& m, Ref to) {
  if constexpr (requires {
                  *m;
                  static_cast<bool>(m);
                }) {
    if (m) to | *static_cast<M&&>(m);
  } else {
    to | static_cast<M&&>(m);
  }
}

inline constexpr mailbox_limit newest_only{.messages = 1, .when_full = when_full::drop_oldest};

}  // namespace tact::gui::detail
