#include "curve_plot.hpp"

#include <FL/fl_draw.H>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "columns.hpp"
#include "report.hpp"

namespace loudness {
namespace {

constexpr int highest_lufs = 0;
constexpr int target_lufs = -23;  // that of EBU R128
constexpr int lowest_lufs = -60;

constexpr int left = 46;  // room for the scales
constexpr int right = 14;
constexpr int top = 26;
constexpr int bottom = 24;

const Fl_Color scale_color = fl_rgb_color(110, 110, 110);
const Fl_Color failure_color = fl_rgb_color(180, 30, 30);
const Fl_Color grid_color = fl_rgb_color(232, 232, 232);
const Fl_Color target_color = fl_rgb_color(60, 150, 70);
const Fl_Color curve_color = fl_rgb_color(40, 95, 175);

// Some five to ten marks, at times that people like.
double step_of_marks(double duration_s) {
  for (const double step : {1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1800.0, 3600.0}) {
    if (duration_s / step <= 9.0) return step;
  }
  return std::ceil(duration_s / 9.0 / 3600.0) * 3600.0;
}

std::string mark_text(double seconds) {
  std::string text = duration_text(seconds);
  return text.substr(0, text.find('.'));
}

}  // namespace

void curve_plot::show(const curve_begun& m) {
  path_ = m.path;
  values_.clear();
  last_ = {};
  redraw();
}

void curve_plot::show(const curve_piece& m) {
  values_.insert(values_.end(), m.values.begin(), m.values.end());
  last_ = m;
  redraw();
}

std::string curve_plot::explanation() const {
  if (path_.empty()) return "Select a file to see its loudness over time";
  if (!last_.failure.empty()) return last_.failure;
  if (last_.is_last && values_.empty()) return "shorter than three seconds: it has no short-term loudness";
  return {};
}

int curve_plot::y_of(double lufs) const noexcept {
  const double below = highest_lufs - std::clamp<double>(lufs, lowest_lufs, highest_lufs);
  const double share = below / (highest_lufs - lowest_lufs);
  return y() + top + static_cast<int>(std::lround(share * (h() - top - bottom)));
}

int curve_plot::x_of(double seconds) const noexcept {
  const double share = last_.duration_s > 0.0 ? std::min(seconds / last_.duration_s, 1.0) : 0.0;
  return x() + left + static_cast<int>(std::lround(share * (w() - left - right)));
}

void curve_plot::draw() {
  fl_push_clip(x(), y(), w(), h());
  fl_draw_box(FL_THIN_DOWN_BOX, x(), y(), w(), h(), FL_WHITE);
  if (const std::string why_none = explanation(); !why_none.empty()) {
    fl_font(FL_HELVETICA, 13);
    fl_color(last_.failure.empty() ? scale_color : failure_color);
    fl_draw(why_none.c_str(), x() + left, y(), w() - left - right, h(), FL_ALIGN_CENTER | FL_ALIGN_CLIP, nullptr, 0);
  } else {
    draw_title();
    draw_levels();
    draw_times();
    draw_curve();
  }
  fl_pop_clip();
}

void curve_plot::draw_title() const {
  constexpr int unit_width = 180;
  const std::string name = printable(std::filesystem::path(path_).filename().string());
  fl_font(FL_HELVETICA_BOLD, 12);
  fl_color(FL_BLACK);
  fl_draw(name.c_str(), x() + left, y() + 2, w() - left - right - unit_width, top - 4, FL_ALIGN_LEFT | FL_ALIGN_CLIP,
          nullptr, 0);
  fl_font(FL_HELVETICA, 11);
  fl_color(scale_color);
  fl_draw("short-term loudness, LUFS", x() + w() - right - unit_width, y() + 2, unit_width, top - 4, FL_ALIGN_RIGHT,
          nullptr, 0);
}

void curve_plot::draw_levels() const {
  for (const int lufs : {0, -10, target_lufs, -35, -45, lowest_lufs}) {
    const bool is_target = lufs == target_lufs;
    fl_color(is_target ? target_color : grid_color);
    fl_xyline(x() + left, y_of(lufs), x() + w() - right);
    fl_color(is_target ? target_color : scale_color);
    fl_draw(std::to_string(lufs).c_str(), x(), y_of(lufs) - 8, left - 6, 16, FL_ALIGN_RIGHT, nullptr, 0);
  }
}

void curve_plot::draw_times() const {
  const double step = step_of_marks(last_.duration_s);
  for (double seconds = 0.0; seconds <= last_.duration_s; seconds += step) {
    fl_color(grid_color);
    fl_yxline(x_of(seconds), y() + top, y() + h() - bottom);
    fl_color(scale_color);
    fl_draw(mark_text(seconds).c_str(), x_of(seconds) - 30, y() + h() - bottom + 3, 60, 16, FL_ALIGN_CENTER, nullptr,
            0);
  }
}

void curve_plot::draw_curve() const {
  const double traced_s = std::max(last_.duration_s - curve_begin_s, curve_step_s);
  const auto all = std::max(static_cast<std::size_t>(traced_s / curve_step_s) + 1, values_.size());
  const std::size_t room = std::min(all, static_cast<std::size_t>(w() - left - right));
  const std::vector<extent> columns = columns_of(values_, all, room);
  int x_before = 0;
  int y_before = 0;
  fl_color(curve_color);
  fl_line_style(FL_SOLID, 2);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    const int at = x_of(curve_begin_s + traced_s * static_cast<double>(i) / static_cast<double>(room));
    const int highest = y_of(columns[i].highest);
    const int lowest = y_of(columns[i].lowest);
    if (i > 0) fl_line(x_before, y_before, at, highest);
    fl_yxline(at, highest, lowest);
    x_before = at;
    y_before = lowest;
  }
  fl_line_style(FL_SOLID, 0);
}

}  // namespace loudness
