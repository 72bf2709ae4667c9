// The shapes of the values in a file.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <string_view>
#include <unordered_map>

#include "tact/codec/shape.hpp"
#include "tact/store/detail/disk.hpp"

namespace tact::detail {

// Thread safety: any number of threads at once.
class [[gnu::visibility("default")]] shape_shelf {
 public:
  // Reads the shapes that are there.
  explicit shape_shelf(disk& file);

  // Whether the shape is in the file.
  [[nodiscard]] bool has(std::uint64_t fingerprint);
  // Null: it is not. Valid as long as the shelf.
  [[nodiscard]] const tact::shape* find(std::uint64_t fingerprint);
  // For the writer: the row is in the file.
  void add(std::string_view key, std::string_view description);
  // Those that another process has written since. For a file that is read only.
  void read();
  [[nodiscard]] table_number table() const noexcept { return table_; }

 private:
  disk& file_;
  table_number table_;
  std::mutex guard_{};
  std::unordered_map<std::uint64_t, std::unique_ptr<const tact::shape>> shapes_{};
};

}  // namespace tact::detail

#include "tact/detail/end.hpp"  // last
