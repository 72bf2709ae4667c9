// Actors in windows of FLTK 1.3: its event loop as a tact::loop, widgets that send, and widgets that are sent to.
// Not part of tact.hpp: for programs that use FLTK, which brings its own headers and library. docs/event_loops.md.
#include "tact/detail/language.hpp"  // first
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Widget.H>

#include <chrono>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "tact/behavior.hpp"
#include "tact/gui/fltk_display.hpp"
#include "tact/gui/shower.hpp"
#include "tact/loop.hpp"
#include "tact/ref.hpp"

namespace tact::gui {

// A widget, as long as it is there: null once it was deleted, by whomever. For what an actor of the loop captures.
// Thread safety: the loop's thread.
template <class W>
class fltk_widget {
 public:
  explicit fltk_widget(W& w) : tracker_(std::make_shared<Fl_Widget_Tracker>(&w)) {}

  [[nodiscard]] W* get() const noexcept { return static_cast<W*>(tracker_->widget()); }
  explicit operator bool() const noexcept { return get() != nullptr; }
  W* operator->() const noexcept { return get(); }
  W& operator*() const noexcept { return *get(); }

 private:
  std::shared_ptr<Fl_Widget_Tracker> tracker_;  // FLTK knows it by its address
};

// The event loop of FLTK, of which a program has one. Its actors are run by Fl::wait, Fl::run and Fl::check, which any
// message for them wakes. It runs handlers for about so long at a time, and then lets FLTK handle events, so a window
// stays alive whatever comes. While the window is idle nothing runs.
//
//   tact::engine engine;
//   Fl_Window window(300, 100);
//   tact::gui::fltk_loop loop(engine);
//   const auto shown = loop.shows<progress>(bar, [](Fl_Progress& bar, const percent& m) { bar.value(m.value); });
//   loop.sends(button, [](Fl_Button&) { return start{}; }, worker);
//   return loop.run();
//
// Made on the thread that calls Fl::run, and destroyed there, before the engine; the windows may go before it or after.
// It calls Fl::lock, so other threads may use FLTK's own means as well. It opens the display; when that is lost,
// because the X server has died, stderr is told, the windows are hidden, and the event loop returns. Link libX11 too.
class fltk_loop : public loop {
 public:
  explicit fltk_loop(engine& e, std::chrono::milliseconds at_a_time = std::chrono::milliseconds(2))
      : loop((Fl::lock(), e), [] { Fl::awake(); }), engine_(e), at_a_time_(at_a_time) {
    detail::fltk_display::watch();
    Fl::add_check(&take_turn, this);
  }
  fltk_loop(const fltk_loop&) = delete;
  fltk_loop& operator=(const fltk_loop&) = delete;
  // Widgets that are still there send nothing from now on.
  ~fltk_loop() {
    Fl::remove_check(&take_turn, this);
    for (const auto& s : senders_) s->leave();
    Fl::unlock();
  }

  // Fl::run: until no window is shown. What the program may return: 0, or 1 when it has lost the display.
  [[nodiscard]] int run() {
    const int status = Fl::run();
    return has_lost_display() ? 1 : status;
  }

  // An actor of the loop that shows what it is sent: each handler gets the widget and a message of P. When the widget
  // has gone what comes is a dead letter, and the actor ends. One handler for each message of P.
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(fltk_widget<W>(w), std::move(handlers))...}, on(*this));
  }
  // The same, but of the messages that come before it is the actor's turn only the newest is shown: for progress, moves
  // of a pointer, and what else comes faster than a person sees it. The others are dead letters (mailbox_full).
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows_newest(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(fltk_widget<W>(w), std::move(handlers))...}, on(*this),
                          detail::newest_only);
  }

  // The widget's callback sends make(widget) to `to`; it replaces any callback before. `make` returns the message, or
  // an std::optional of one: nothing is sent then. When FLTK calls it is up to the widget's when().
  template <class W, class F, class P>
  void sends(W& w, F make, ref<P> to) {
    does(w, [make = std::move(make), to](W& of) { detail::give(make(of), to); });
  }
  // The same for what a callback does beside that.
  template <class W, class F>
  void does(W& w, F f) {
    senders_.reserve(senders_.size() + 1);
    auto s = std::make_shared<sender>(w, [f = std::move(f)](Fl_Widget& of) { f(static_cast<W&>(of)); });
    std::erase_if(senders_, [&](const auto& other) { return other->is_gone() || other->is_of(w); });
    w.callback(&call, s.get());
    senders_.push_back(std::move(s));
  }

 private:
  class sender : public std::enable_shared_from_this<sender> {
   public:
    sender(Fl_Widget& w, std::function<void(Fl_Widget&)> f) : widget_(w), call_(std::move(f)) {}
    [[nodiscard]] bool is_gone() const noexcept { return !widget_; }
    [[nodiscard]] bool is_of(const Fl_Widget& w) const noexcept { return widget_.get() == &w; }
    // It may be replaced while it goes on.
    void operator()(Fl_Widget& w) const {
      const auto me = shared_from_this();
      call_(w);
    }
    // Unless somebody has given the widget another callback.
    void leave() noexcept {
      if (widget_ && widget_->user_data() == this) widget_->callback(&do_nothing, nullptr);
    }

   private:
    fltk_widget<Fl_Widget> widget_;
    std::function<void(Fl_Widget&)> call_;
  };

  static void call(Fl_Widget* w, void* s) { (*static_cast<const sender*>(s))(*w); }
  static void do_nothing(Fl_Widget*, void*) {}
  static void take_turn(void* self) {
    auto& me = *static_cast<fltk_loop*>(self);
    if (me.pump(unlimited, me.at_a_time_).more) Fl::awake();
  }
  engine& engine_;
  const std::chrono::milliseconds at_a_time_;
  std::vector<std::shared_ptr<sender>> senders_;
};

}  // namespace tact::gui
