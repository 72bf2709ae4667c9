// Draws the loudness of a file over its time, as far as it was traced.
#pragma once

#include <FL/Fl_Widget.H>

#include <cstddef>
#include <string>
#include <vector>

#include "tracer.hpp"

namespace loudness {

class curve_plot : public Fl_Widget {
 public:
  curve_plot(int x, int y, int w, int h) : Fl_Widget(x, y, w, h) {}

  void show(const curve_begun& m);
  void show(const curve_piece& m);
  using Fl_Widget::show;

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  [[nodiscard]] const std::vector<float>& values() const noexcept { return values_; }
  [[nodiscard]] bool is_complete() const noexcept { return last_.is_last; }
  // What stands in the place of a curve; empty: there is one.
  [[nodiscard]] std::string explanation() const;

 protected:
  void draw() override;

 private:
  [[nodiscard]] int y_of(double lufs) const noexcept;
  [[nodiscard]] int x_of(double seconds) const noexcept;
  void draw_title() const;
  void draw_levels() const;
  void draw_times() const;
  void draw_curve() const;

  std::string path_;
  std::vector<float> values_;
  curve_piece last_{};  // of those that came
};

}  // namespace loudness
