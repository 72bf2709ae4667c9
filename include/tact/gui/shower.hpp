// How messages are shown in widgets, and sent by them: for the headers of this folder.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include "tact/mailbox_limit.hpp"

namespace tact::gui::detail {

// The widget and the message of a function void show(W&, const M&).
template <class F>
struct shower;
template <class C, class W, class M>
struct shower<void (C::*)(W&, const M&) const> {
  using widget = W;
  using message = M;
};

// Makes a handler that shows messages in `w`: a widget, or null once that is gone. Then the message is a dead letter,
// and the actor ends.
template <class Widget, class F>
auto show_in(Widget w, F show) {
  using message = typename shower<decltype(&F::operator())>::message;
  return [w, show](auto& self, const message& m) {
    if (w) return show(*w, m);
    self.pass_on(decltype(self.ref()){}, m);
    self.stop();
  };
}

// Sends what a callback has made: a message, or a std::optional of one.
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

#include "tact/detail/end.hpp"  // last
