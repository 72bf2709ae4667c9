// Actors in windows of Qt 6 (or 5.10 and later): its event loop as a tact::loop, objects that send, and widgets that
// are sent to. Not part of tact.hpp: for programs that use Qt, which brings its own headers and libraries.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <QtCore/QMetaObject>
#include <QtCore/QObject>
#include <QtCore/QPointer>

#include <chrono>
#include <type_traits>
#include <utility>

#include "tact/behavior.hpp"
#include "tact/gui/shower.hpp"
#include "tact/loop.hpp"
#include "tact/ref.hpp"

namespace tact::gui {

namespace detail {

// The object for which the turns of the loop are queued; as the first base it lives longer than the loop.
struct qt_context {
  QObject context_{};
};

}  // namespace detail

// The event loop of the calling thread, which needs a QCoreApplication, or an event loop of its own.
// QCoreApplication::exec and processEvents run the actors of the loop, for about `at_a_time` at a time; then Qt handles
// its events. While no message comes nothing runs. The header needs no moc.
//
//   tact::gui::qt_loop loop(engine);
//   const auto shown = loop.shows<progress>(bar, [](QProgressBar& bar, const percent& m) { bar.setValue(m.value); });
//   loop.sends(button, &QPushButton::clicked, [] { return start{}; }, worker);
//
// The loop is made and destroyed on its thread, before the engine; the widgets may be destroyed before it or after.
class qt_loop : private detail::qt_context, public loop {
 public:
  explicit qt_loop(engine& e, std::chrono::milliseconds at_a_time = std::chrono::milliseconds(2))
      : loop(e, [this] { call(); }), engine_(e), at_a_time_(at_a_time) {}
  qt_loop(const qt_loop&) = delete;
  qt_loop& operator=(const qt_loop&) = delete;
  ~qt_loop() = default;

  // Makes an actor of the loop that shows what it is sent: each handler gets the object, for example a widget, and a
  // message of P. There is one handler for each message of P. When the object is gone, the next message is a dead
  // letter, and the actor ends.
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(QPointer<W>(&w), std::move(handlers))...}, on_loop(*this));
  }
  // Shows messages as the call above does, but of those that come before it is the actor's turn only the newest is
  // shown: for progress, moves of a pointer, and other messages that come faster than a person sees them. The others
  // are dead letters (mailbox_full).
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows_newest(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(QPointer<W>(&w), std::move(handlers))...}, on_loop(*this),
                          detail::newest_only);
  }

  // Sends to `to` what `make` returns, each time that the object emits the signal, until the loop or the object is
  // destroyed. `make` takes the first argument of the signal, or none. It returns the message, or a std::optional of
  // one: an empty one sends nothing.
  template <class W, class Signal, class F, class P>
  void sends(W& w, Signal emitted, F make, ref<P> to) {
    if constexpr (std::is_invocable_v<F>) {
      QObject::connect(&w, emitted, &context_, [make = std::move(make), to] { detail::give(make(), to); });
    } else {
      QObject::connect(&w, emitted, &context_,
                       [make = std::move(make), to](const auto& value) { detail::give(make(value), to); });
    }
  }

 private:
  // Queues a turn of the loop. Any thread may call it.
  void call() {
    QMetaObject::invokeMethod(
        &context_, [this] { take_turn(); }, Qt::QueuedConnection);
  }
  void take_turn() {
    if (pump(unlimited, at_a_time_).more) call();
  }

  engine& engine_;
  const std::chrono::milliseconds at_a_time_;
};

}  // namespace tact::gui

#include "tact/detail/end.hpp"  // last
