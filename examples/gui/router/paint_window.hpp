// The window in which one paints: its events go to actors, and it draws the page that they show.
#pragma once

#include <FL/Fl_Double_Window.H>

#include <chrono>
#include <cstdint>
#include <string>

#include <tact/gui/fltk.hpp>
#include <tact/tact.hpp>

#include "document.hpp"
#include "event.hpp"

namespace router {

// What the person should know beside the drawing.
struct notice {
  std::string text;
};

class paint_window : public Fl_Double_Window {
 public:
  paint_window(int width, int height);

  // From now on events go there. Without that the window only shows.
  void send_events(tact::ref<event_source> to) { to_ = to; }
  void show_page(const router::frame& m);
  void show_notice(const notice& m);
  [[nodiscard]] std::uint64_t events_shown() const noexcept { return shown_.number; }
  [[nodiscard]] const std::string& notice_text() const noexcept { return notice_; }
  [[nodiscard]] const router::page& page() const noexcept { return *shown_.page; }

  int handle(int what) override;
  void resize(int x, int y, int w, int h) override;

 protected:
  void draw() override;

 private:
  void send(event e);
  void send_pointer(event_kind kind, int amount = 0);
  void draw_views() const;
  void draw_button(const std::string& name, int x, int y, int w, int h) const;

  tact::ref<event_source> to_;
  std::chrono::steady_clock::time_point opened_ = std::chrono::steady_clock::now();
  frame shown_{0, std::make_shared<const router::page>()};
  std::string notice_;
};

}  // namespace router
