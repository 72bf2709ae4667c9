// Which actors an event has come through: it travels with the event's messages.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace router {

// An actor of the graph, by its place in node_names().
using node = std::uint8_t;

class trail {
 public:
  [[nodiscard]] trail then(node n) const noexcept {
    assert(size_ < nodes_.size());
    trail longer = *this;
    longer.nodes_[longer.size_++] = n;
    return longer;
  }
  [[nodiscard]] const node* begin() const noexcept { return nodes_.data(); }
  [[nodiscard]] const node* end() const noexcept { return nodes_.data() + size_; }

 private:
  // The longest way: two views down, the target, and two up again, between the dispatcher and three others.
  std::array<node, 11> nodes_{};
  std::uint8_t size_ = 0;
};

const std::vector<std::string>& node_names();
node node_of(const std::string& name);

}  // namespace router
