// The description of a shape: its parts as bytes, and the number that is made of them.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/shape_data.hpp"

namespace tact::detail::coding {

inline constexpr std::size_t most_description_bytes = std::size_t{64} << 10;
inline constexpr std::size_t most_nodes = 1024;
inline constexpr std::size_t most_node_members = 1024;
inline constexpr std::size_t most_name_bytes = 255;

inline void append_name(std::string& out, std::string_view name) {
  append_count(out, name.size());
  out += name;
}
inline void append_node(std::string& out, const shape_node& node) {
  out.push_back(static_cast<char>(node.kind));
  if (node.has_name()) {
    append_name(out, node.name);
    append_count(out, node.version);
  }
  if (node.kind == node_kind::array || node.kind == node_kind::duration) append_count(out, node.numerator);
  if (node.kind == node_kind::duration) append_count(out, node.denominator);
  if (node.has_count()) append_count(out, node.members.size());
  for (const shape_member& m : node.members) {
    if (node.kind == node_kind::record) append_name(out, m.name);
    append_count(out, m.part);
  }
}

// The hash of Fowler, Noll and Vo, and behind it a mixing by David Stafford, because it stirs the last bytes too
// little.
inline std::uint64_t fingerprint_of(std::string_view description) noexcept {
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : description) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  h = (h ^ (h >> 30)) * 0xbf58476d1ce4e5b9;
  h = (h ^ (h >> 27)) * 0x94d049bb133111eb;
  return h ^ (h >> 31);
}

// Fills in what follows from the parts.
inline void describe(shape_data& shape) {
  shape.description.clear();
  append_count(shape.description, shape.root);
  append_count(shape.description, shape.nodes.size());
  for (const shape_node& node : shape.nodes) append_node(shape.description, node);
  shape.fingerprint = fingerprint_of(shape.description);
}

}  // namespace tact::detail::coding
