// The page that is worked on: the picture, what it was before, the tool, and what is just being drawn. A value;
// commands make a new one of it.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include "command.hpp"
#include "picture.hpp"

namespace router {

enum class tool : unsigned char { pen, box, oval, select };

inline constexpr int colours = 6;
inline constexpr std::size_t undo_steps_max = 1000;

struct history {
  std::vector<picture_ptr> past{};
  std::vector<picture_ptr> future{};
};

// What a drag draws, or a shape that it moves.
struct draft {
  router::shape shape{};
  std::optional<std::size_t> moves{};  // that shape of the picture
};

struct page {
  picture_ptr picture = std::make_shared<const router::picture>();
  std::shared_ptr<const router::history> history = std::make_shared<const router::history>();
  router::tool tool = router::tool::pen;
  int width = 2;
  std::shared_ptr<const router::draft> draft{};
  std::optional<std::size_t> selected{};
  point pointer{};
};

page after(const page& before, const command& c);

}  // namespace router
