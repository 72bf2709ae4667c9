#include "layout.hpp"

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace router {

layout layout_of(int width, int height) {
  constexpr int bar = 44;
  constexpr int line = 34;
  constexpr std::size_t window = 0;
  constexpr std::size_t toolbar = 1;
  const int canvas_height = std::max(0, height - bar - line);
  layout views = {{"window", window, {0, 0, width, height}, false}, {"toolbar", window, {0, 0, width, bar}, false}};
  int x = 8;
  for (const char* const button : {"pen", "box", "oval", "select", "undo", "redo"}) {
    views.push_back({button, toolbar, {x, 8, 62, 28}, false});
    x += 70;
  }
  views.push_back({"canvas", window, {0, bar, width, canvas_height}, true});
  views.push_back({"caption", window, {0, bar + canvas_height, width, line}, true});
  return views;
}

std::size_t index_of(const layout& views, std::string_view name) {
  const auto found = std::find_if(views.begin(), views.end(), [&](const view_place& v) { return v.name == name; });
  if (found == views.end()) throw std::invalid_argument("there is no view \"" + std::string(name) + "\"");
  return static_cast<std::size_t>(found - views.begin());
}

std::size_t view_at(const layout& views, int x, int y) noexcept {
  std::size_t innermost = 0;
  for (std::size_t i = 0; i < views.size(); ++i) {
    if (views[i].parent == innermost && views[i].area.contains(x, y)) innermost = i;
  }
  return innermost;
}

std::vector<std::size_t> path_to(const layout& views, std::size_t view) {
  std::vector<std::size_t> path = {view};
  while (path.back() != 0) path.push_back(views[path.back()].parent);
  std::reverse(path.begin(), path.end());
  return path;
}

}  // namespace router
