// Actors in windows of FLTK 1.3: its event loop as a tact::loop, widgets that send, and widgets that are sent to.
// Not part of tact.hpp: for programs that use FLTK, which brings its own headers and library. docs/event_loops.md.
#include "tact/detail/begin.hpp"  // first
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

// Leads to a widget as long as that is there, and is null once the widget was deleted, in whatever way. For handlers
// and callbacks that capture a widget. Thread safety: the loop's thread.
template <class W>
class fltk_widget {
 public:
  explicit fltk_widget(W& w) : tracker_(std::make_shared<Fl_Widget_Tracker>(&w)) {}

  [[nodiscard]] W* get() const noexcept { return static_cast<W*>(tracker_->widget()); }
  explicit operator bool() const noexcept { return get() != nullptr; }
  W* operator->() const noexcept { return get(); }
  W& operator*() const noexcept { return *get(); }

 private:
  std::shared_ptr<Fl_Widget_Tracker> tracker_;  // FLTK knows the tracker by its address
};

// The event loop of FLTK, of which a program has one. Fl::wait, Fl::run and Fl::check run the actors of the loop; any
// message for them wakes Fl::wait. Each time handlers run for about `at_a_time`, and then FLTK handles events, so that
// a window stays alive however many messages come. While the window is idle nothing runs.
//
//   tact::engine engine;
//   Fl_Window window(300, 100);
//   tact::gui::fltk_loop loop(engine);
//   const auto shown = loop.shows<progress>(bar, [](Fl_Progress& bar, const percent& m) { bar.value(m.value); });
//   loop.sends(button, [](Fl_Button&) { return start{}; }, worker);
//   return loop.run();
//
// The loop is made on the thread that calls Fl::run, and destroyed there, before the engine; the windows may be
// destroyed before it or after. It calls Fl::lock, so other threads may use FLTK's own means as well. It opens the
// display. When the display is lost because the X server has died, a line on stderr says so, the windows are hidden,
// and the event loop returns. The program must be linked with libX11 too.
class fltk_loop : public loop {
 public:
  explicit fltk_loop(engine& e, std::chrono::milliseconds at_a_time = std::chrono::milliseconds(2))
      : loop((Fl::lock(), e), [] { Fl::awake(); }), engine_(e), at_a_time_(at_a_time) {
    detail::fltk_display::watch();
    Fl::add_check(&take_turn, this);
  }
  fltk_loop(const fltk_loop&) = delete;
  fltk_loop& operator=(const fltk_loop&) = delete;
  // From now on the widgets that are still there send nothing.
  ~fltk_loop() {
    Fl::remove_check(&take_turn, this);
    for (const auto& s : senders_) s->leave();
    Fl::unlock();
  }

  // Calls Fl::run, which returns when no window is shown. Returns an exit code for the program: 0, or 1 when it has
  // lost the display.
  [[nodiscard]] int run() {
    const int status = Fl::run();
    return has_lost_display() ? 1 : status;
  }

  // Makes an actor of the loop that shows in the widget what it is sent: each handler gets the widget and a message of
  // P. There is one handler for each message of P. When the widget is gone, the next message is a dead letter, and the
  // actor ends.
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(fltk_widget<W>(w), std::move(handlers))...}, on_loop(*this));
  }
  // Shows messages as the call above does, but of those that come before it is the actor's turn only the newest is
  // shown: for progress, moves of a pointer, and other messages that come faster than a person sees them. The others
  // are dead letters (mailbox_full).
  template <class P, class W, class... F>
  [[nodiscard]] ref<P> shows_newest(W& w, F... handlers) {
    return engine_.create(behavior<P>{detail::show_in(fltk_widget<W>(w), std::move(handlers))...}, on_loop(*this),
                          detail::newest_only);
  }

  // Lets the widget's callback send make(widget) to `to`; it replaces any callback of the widget before. `make` returns
  // the message, or a std::optional of one: an empty one sends nothing. The widget's when() says when FLTK calls the
  // callback.
  template <class W, class F, class P>
  void sends(W& w, F make, ref<P> to) {
    does(w, [make = std::move(make), to](W& of) { detail::give(make(of), to); });
  }
  // Lets the widget's callback call f(widget); it replaces any callback of the widget before.
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
    // The callback may be replaced while it runs, so it holds itself until then.
    void operator()(Fl_Widget& w) const {
      const auto me = shared_from_this();
      call_(w);
    }
    // Takes the callback from the widget, unless the program has given that another one.
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

#include "tact/detail/end.hpp"  // last
