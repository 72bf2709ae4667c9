// A shape, or a part of one, as people read it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "tact/codec/detail/shape_data.hpp"

namespace tact::detail::coding {

inline std::string_view name_of_leaf(shape_part part) noexcept {
  constexpr std::string_view names[leaves] = {"bool",   "int8",   "int16",  "int32",   "int64",   "uint8",
                                              "uint16", "uint32", "uint64", "float32", "float64", "text"};
  return part < leaves ? names[part] : "nothing";
}
inline std::string_view name_of_kind(node_kind kind) noexcept {
  constexpr std::string_view names[] = {"",        "list",  "set",    "map",   "array",    "optional",
                                        "variant", "tuple", "record", "image", "duration", "time"};
  return names[static_cast<std::size_t>(kind)];
}

inline constexpr std::size_t most_text_of_part = 200;

inline void append_part_text(std::string& text, const shape_data& of, shape_part part, unsigned depth) {
  const shape_node* const node = of.node(part);
  if (node == nullptr) {
    text += name_of_leaf(part);
    return;
  }
  text += node->has_name() ? std::string_view(node->name) : name_of_kind(node->kind);
  if (node->has_name() || depth == 0) return;
  text += '<';
  if (node->kind == node_kind::duration) {
    text += std::to_string(node->numerator) + '/' + std::to_string(node->denominator) + " s, ";
  }
  for (const shape_member& m : node->members) {
    if (&m != node->members.data()) text += ", ";
    if (text.size() > most_text_of_part) {
      text += "...";
      break;
    }
    append_part_text(text, of, m.part, depth - 1);
  }
  if (node->kind == node_kind::array) text += ", " + std::to_string(node->numerator);
  text += '>';
}
// "list<int64>"; of a record its name. What is deeper than a few levels, or long, is left out.
inline std::string text_of_part(const shape_data& of, shape_part part) {
  std::string text;
  append_part_text(text, of, part, 4);
  return text;
}

// With the members of a record: "account{owner: text, amount: int64}".
inline std::string text_of_shape(const shape_data& of) {
  const shape_node* const node = of.node(of.root);
  std::string text = text_of_part(of, of.root);
  if (node == nullptr || node->kind != node_kind::record) return text;
  if (node->version != 1) text += " version " + std::to_string(node->version);
  text += '{';
  for (const shape_member& m : node->members) {
    if (&m != node->members.data()) text += ", ";
    text += m.name + ": " + text_of_part(of, m.part);
  }
  return text + '}';
}

}  // namespace tact::detail::coding
