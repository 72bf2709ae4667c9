// The window that shows the graph while it works: the actors, how many messages each got, and the way of the last
// event.
#pragma once

#include <FL/Fl_Double_Window.H>

#include <tact/tact.hpp>

#include "watcher.hpp"

namespace router {

class graph_window : public Fl_Double_Window {
 public:
  graph_window();
  ~graph_window() override;

  // From now on it asks there for what is to be shown, at most once in each frame of 33 ms.
  void watch(tact::ref<more> source, tact::ref<traffic> me);
  void show_traffic(const traffic& t);
  [[nodiscard]] const traffic& shown() const noexcept { return shown_; }

 protected:
  void draw() override;

 private:
  void draw_connections() const;
  void draw_actors() const;
  void draw_newest() const;
  static void ask(void* window);

  tact::ref<more> source_;
  tact::ref<traffic> me_;
  traffic shown_;
};

}  // namespace router
