#include "picture.hpp"

#include <algorithm>
#include <cstddef>
#include <memory>
#include <optional>
#include <sstream>
#include <string>

namespace router {
namespace {

constexpr int near_pixels = 6;

}  // namespace

polyline polyline::with(point p) const {
  polyline longer = *this;
  longer.last_.push_back(p);
  if (longer.last_.size() == piece_points) {
    longer.full_.push_back(std::make_shared<const piece>(std::move(longer.last_)));
    longer.last_.clear();
  }
  return longer;
}

bool shape::is_near(point p) const {
  if (points.empty()) return false;
  int left = points.back().x, right = left, top = points.back().y, bottom = top;
  points.for_each([&](point at) {
    left = std::min(left, at.x);
    right = std::max(right, at.x);
    top = std::min(top, at.y);
    bottom = std::max(bottom, at.y);
  });
  if (kind == shape_kind::text) {
    right += 8 * static_cast<int>(text.size());
    top -= 14;
  }
  return p.x >= left - near_pixels && p.x <= right + near_pixels && p.y >= top - near_pixels &&
         p.y <= bottom + near_pixels;
}

shape shape::moved_by(point offset) const {
  shape moved = *this;
  moved.points = {};
  points.for_each([&](point at) { moved.points = moved.points.with({at.x + offset.x, at.y + offset.y}); });
  return moved;
}

std::optional<std::size_t> picture::shape_at(point p) const {
  for (std::size_t i = shapes.size(); i > 0; --i) {
    if (shapes[i - 1]->is_near(p)) return i - 1;
  }
  return std::nullopt;
}

std::string text_of(const picture& p) {
  std::ostringstream all;
  for (const shape_ptr& s : p.shapes) {
    all << static_cast<int>(s->kind) << " colour " << s->colour << " width " << s->width << ' ' << s->text << ':';
    s->points.for_each([&](point at) { all << ' ' << at.x << ',' << at.y; });
    all << '\n';
  }
  all << p.caption << '\n';
  return all.str();
}

}  // namespace router
