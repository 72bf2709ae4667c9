// The display on which FLTK 1.3 opens windows: whether there is one, and how a program that loses it ends in order.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <FL/Fl.H>
#include <FL/Fl_Window.H>

#include <csignal>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// FLTK on X11, where a display can be lost. Declared here because the headers of Xlib define macros like None and Bool.
#if FL_MAJOR_VERSION == 1 && FL_MINOR_VERSION == 3 && !defined(_WIN32) && !defined(__APPLE__)
#define TACT_FLTK_ON_X11

struct _XDisplay;
extern "C" {
_XDisplay* XOpenDisplay(const char* name);
int XCloseDisplay(_XDisplay*);
char* XDisplayString(_XDisplay*);
int XConnectionNumber(_XDisplay*);
int (*XSetIOErrorHandler(int (*)(_XDisplay*)))(_XDisplay*);
void XSetIOErrorExitHandler(_XDisplay*, void (*)(_XDisplay*, void*), void*);  // libX11 1.7
int (*XSetAfterFunction(_XDisplay*, int (*)(_XDisplay*)))(_XDisplay*);
}
extern FL_EXPORT _XDisplay* fl_display;
FL_EXPORT void fl_open_display();
#endif

namespace tact::gui {

#ifdef TACT_FLTK_ON_X11

// Is there a display on which windows can be opened? If not, a line on stderr says so; FLTK itself would end the
// process.
inline bool has_display() {
  if (_XDisplay* const x = ::XOpenDisplay(nullptr); x != nullptr) {
    ::XCloseDisplay(x);
    return true;
  }
  std::fputs("there is no display to open a window on: ", stderr);
  const char* const name = std::getenv("DISPLAY");
  if (name != nullptr && *name != 0) std::fprintf(stderr, "%s does not answer, and DISPLAY names it; ", name);
  std::fputs("set DISPLAY, as in DISPLAY=:0\n", stderr);
  return false;
}

namespace detail {

// FLTK's connection to the X server. When the connection is lost, Xlib ends the process, in the middle of anything.
// From `watch` on it does not: the windows are hidden in the next turn of the event loop, which returns because of
// that. All that the program draws until then, and when it destroys its windows, goes nowhere.
//
// Thread safety: as for all of FLTK, one thread, or threads that hold Fl::lock.
class fltk_display {
 public:
  // Opens the display if that has not been done yet.
  static void watch() {
    ::fl_open_display();
    if (watched_) return;
    watched_ = true;
    foreign_ = ::XSetIOErrorHandler([](_XDisplay* x) { return x == fl_display ? 0 : foreign_(x); });
    ::XSetIOErrorExitHandler(fl_display, &lose, nullptr);
    Fl::add_check(&hide_windows);  // it runs behind checks that are added later, which may show windows
    // The server may go just before something is written to it, which raises SIGPIPE. The signal gets a handler and is
    // not set to SIG_IGN, because programs that are started would inherit that.
    const auto before = std::signal(SIGPIPE, [](int) {});
    if (before != SIG_DFL) std::signal(SIGPIPE, before);
  }
  [[nodiscard]] static bool is_lost() noexcept { return lost_; }

 private:
  static void lose(_XDisplay* x, void*) {
    forget_requests(x);
    if (lost_) return;
    lost_ = true;
    std::fprintf(stderr,
                 "the connection to the display %s was lost: the windows are closed, and their event loop ends\n",
                 ::XDisplayString(x));
    ::XSetAfterFunction(x, &forget_requests);
    Fl::remove_fd(::XConnectionNumber(x));
    Fl::awake();
  }
  // Xlib does not send any more, but goes on to collect requests in its buffer, until that is full and Xlib follows a
  // null pointer. So after each request `bufptr` is set back to `buffer`. Xlib.h shows these members of a display,
  // under other names; they are part of its binary interface, because the libraries of extensions write requests there.
  static int forget_requests(_XDisplay* x) noexcept {
    constexpr std::size_t buffer = 168;
    constexpr std::size_t bufptr = 176;
    char* const members = reinterpret_cast<char*>(x);
    std::memcpy(members + bufptr, members + buffer, sizeof(void*));
    return 0;
  }
  static void hide_windows(void*) {
    if (!lost_ || Fl::first_window() == nullptr) return;
    while (Fl_Window* const w = Fl::first_window()) w->hide();
    Fl::awake();  // else Fl::wait, which is in the middle of a turn, would wait for events
  }

  static inline bool watched_ = false;
  static inline bool lost_ = false;
  static inline int (*foreign_)(_XDisplay*) = nullptr;
};

}  // namespace detail

#else

inline bool has_display() { return true; }

namespace detail {

struct fltk_display {
  static void watch() noexcept {}
  [[nodiscard]] static bool is_lost() noexcept { return false; }
};

}  // namespace detail

#endif
#undef TACT_FLTK_ON_X11

// True when the display was lost; the windows are hidden then.
[[nodiscard]] inline bool has_lost_display() noexcept { return detail::fltk_display::is_lost(); }

}  // namespace tact::gui

#include "tact/detail/end.hpp"  // last
