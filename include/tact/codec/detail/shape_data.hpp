// The parts of a shape: what a value looks like in bytes, and how its members are called.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/declaration.hpp"

namespace tact::detail::coding {

struct shape_data;
struct shape_access;

// A part without parts, or the node with the number `part - first_node`. The numbers stand in files: none may change.
using shape_part = std::uint32_t;
enum leaf : shape_part {
  boolean,
  int8,
  int16,
  int32,
  int64,
  uint8,
  uint16,
  uint32,
  uint64,
  float32,
  float64,
  text,
  leaves
};
inline constexpr shape_part first_node = 16;

enum class node_kind : std::uint8_t {
  list = 1,
  set,
  map,
  array,
  optional,
  variant,
  tuple,
  record,
  image,
  duration,
  time,
  end  // no kind
};

struct shape_member {
  std::string name;  // of a member of a record only
  shape_part part;
};

// What is known of a type of this program, and stands in no description.
struct record_rules {
  const renamed* renames = nullptr;
  std::size_t rename_count = 0;
  const std::string_view* removed = nullptr;
  std::size_t removed_count = 0;
  // The bytes of each member of T{}.
  std::vector<std::string> (*defaults)(const codec_limits& limits) = nullptr;
  // The type that `upgrade` takes, and a call of it: from the bytes of one to those of a T.
  const shape_data& (*older)() = nullptr;
  void (*upgrade)(std::string_view older, std::string& out, const codec_limits& limits) = nullptr;
};

struct shape_node {
  node_kind kind = node_kind::end;
  std::string name{};           // of a record or an image
  std::uint64_t version = 1;    // of a record or an image
  std::uint64_t numerator = 0;  // elements of an array; of a duration: seconds a tick
  std::uint64_t denominator = 0;
  std::vector<shape_member> members{};  // also key and value, alternatives, elements
  const record_rules* rules = nullptr;

  [[nodiscard]] bool has_name() const noexcept { return kind == node_kind::record || kind == node_kind::image; }
  [[nodiscard]] bool has_count() const noexcept {
    return kind == node_kind::record || kind == node_kind::tuple || kind == node_kind::variant;
  }
  // How many members there are where no count says so.
  [[nodiscard]] std::size_t fixed_members() const noexcept { return kind == node_kind::map ? 2 : 1; }
};

struct shape_data {
  std::string description;
  std::uint64_t fingerprint = 0;
  shape_part root = 0;
  std::vector<shape_node> nodes;

  [[nodiscard]] const shape_node* node(shape_part part) const noexcept {
    return part < first_node ? nullptr : nodes.data() + (part - first_node);
  }
};

// Bytes of a number; 0 of a text.
constexpr std::size_t bytes_of(shape_part leaf) noexcept {
  constexpr std::uint8_t sizes[leaves] = {1, 1, 2, 4, 8, 1, 2, 4, 8, 4, 8, 0};
  return leaf < leaves ? sizes[leaf] : 0;
}
constexpr bool is_number_leaf(shape_part part) noexcept { return part < leaf::text; }

}  // namespace tact::detail::coding
