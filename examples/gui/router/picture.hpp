// A picture: shapes, one above the other, and a caption. A value that is never changed, so versions share what is
// equal.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace router {

struct point {
  int x = 0;
  int y = 0;
  friend bool operator==(const point&, const point&) = default;
};

// A line through many points. To add one copies few, because full pieces are shared with the line before.
class polyline {
 public:
  [[nodiscard]] polyline with(point p) const;
  // f(point), from the first to the last.
  template <class F>
  void for_each(F f) const {
    for (const auto& full : full_) {
      for (const point& p : *full) f(p);
    }
    for (const point& p : last_) f(p);
  }
  [[nodiscard]] bool empty() const noexcept { return full_.empty() && last_.empty(); }
  [[nodiscard]] point back() const noexcept { return last_.empty() ? full_.back()->back() : last_.back(); }

 private:
  static constexpr std::size_t piece_points = 64;
  using piece = std::vector<point>;

  std::vector<std::shared_ptr<const piece>> full_;
  piece last_;
};

enum class shape_kind : unsigned char { line, box, oval, text };

struct shape {
  shape_kind kind = shape_kind::line;
  int colour = 0;
  int width = 2;
  polyline points{};  // all of a line, two corners of a box or an oval, where a text begins
  std::string text{};

  [[nodiscard]] bool is_near(point p) const;
  [[nodiscard]] shape moved_by(point offset) const;
};
using shape_ptr = std::shared_ptr<const shape>;

struct picture {
  std::vector<shape_ptr> shapes{};
  std::string caption{};

  // The uppermost there.
  [[nodiscard]] std::optional<std::size_t> shape_at(point p) const;
};
using picture_ptr = std::shared_ptr<const picture>;

// All of it, for comparisons.
std::string text_of(const picture& p);

}  // namespace router
