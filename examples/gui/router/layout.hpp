// Where the views of the window are: a tree of rectangles that follows from the size of the window.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace router {

struct rectangle {
  int x, y, w, h;

  [[nodiscard]] bool contains(int px, int py) const noexcept { return px >= x && px < x + w && py >= y && py < y + h; }
};

struct view_place {
  std::string name;
  std::size_t parent;  // of the window: itself
  rectangle area;
  bool takes_focus;
};

// Parents come before their children; the first is the window.
using layout = std::vector<view_place>;

layout layout_of(int width, int height);
std::size_t index_of(const layout& views, std::string_view name);
// The innermost view at that place: the hit test.
std::size_t view_at(const layout& views, int x, int y) noexcept;
// From the window to that view.
std::vector<std::size_t> path_to(const layout& views, std::size_t view);

}  // namespace router
