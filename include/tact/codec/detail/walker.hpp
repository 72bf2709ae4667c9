// Goes through the bytes of a value by their shape: to pass over it, or to find what is wrong with it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "tact/codec/detail/checked_input.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_text.hpp"

namespace tact::detail::coding {

// A fault that the bytes alone do not show, and where the value with it begins.
struct hidden_fault {
  const char* at = nullptr;
  std::string_view what{};
  bool is_of_entry = false;  // of a container; else of an image
};

class walker {
 public:
  walker(const shape_data& shape, checked_input& in, hidden_fault fault = {}) noexcept
      : shape_(shape), in_(in), fault_(fault) {}

  // Passes over a value of that part; throws decode_error.
  void walk(shape_part part) {
    const shape_node* const node = shape_.node(part);
    if (node == nullptr) return walk_leaf(part);
    if (node->kind == node_kind::duration || node->kind == node_kind::time) return walk(node->members[0].part);
    in_.enter();
    walk_node(*node);
    in_.leave();
  }

 private:
  void tell_fault(bool of_entry) const {
    if (fault_.at == nullptr || fault_.at != in_.at() || fault_.is_of_entry != of_entry) return;
    in_.fail(std::string(fault_.what));
  }
  void walk_leaf(shape_part part) {
    if (part == leaf::text) {
      in_.take(in_.take_count("text"), "text");
    } else if (part == leaf::boolean) {
      in_.take_flag("bool");
    } else {
      in_.take(bytes_of(part), name_of_leaf(part));
    }
  }
  void walk_node(const shape_node& node) {
    switch (node.kind) {
      case node_kind::list:
        return walk_list(node.members[0].part);
      case node_kind::set:
      case node_kind::map:
        return walk_entries(node);
      case node_kind::array:
        return walk_array(node.members[0].part, node.numerator);
      case node_kind::optional:
        if (in_.take_flag("the flag of an optional")) walk(node.members[0].part);
        return;
      case node_kind::variant:
        return walk(node.members[in_.take_alternative(node.members.size())].part);
      case node_kind::image:
        tell_fault(false);
        return walk(node.members[0].part);
      case node_kind::tuple:
      case node_kind::record:
      case node_kind::duration:
      case node_kind::time:
      case node_kind::end:
        return walk_members(node);
    }
  }
  void walk_members(const shape_node& node) {
    if (node.members.empty()) in_.take_zero("an empty value");
    for (std::size_t i = 0; i < node.members.size(); ++i) {
      const one_step to(in_, node.members[i].name, i);
      walk(node.members[i].part);
    }
  }
  void walk_list(shape_part element) {
    const std::size_t least = least_bytes_of(element);
    const std::uint64_t n = in_.take_elements("list", least, !is_number_leaf(element));
    if (is_number_leaf(element) && element != leaf::boolean) {
      in_.take(n * least, "numbers");
      return;
    }
    for (std::uint64_t i = 0; i < n; ++i) {
      const one_step to(in_, {}, i);
      walk(element);
    }
  }
  void walk_array(shape_part element, std::uint64_t n) {
    if (n == 0) in_.take_zero("an empty array");
    for (std::uint64_t i = 0; i < n; ++i) {
      const one_step to(in_, {}, i);
      walk(element);
    }
  }
  void walk_entries(const shape_node& node) {
    const std::uint64_t n = in_.take_elements(name_of_kind(node.kind), 1, true);
    for (std::uint64_t i = 0; i < n; ++i) {
      const one_step to(in_, {}, i);
      walk_entry(node);
    }
  }
  void walk_entry(const shape_node& node) {
    tell_fault(true);
    if (node.kind == node_kind::set) return walk(node.members[0].part);
    {
      const one_step to(in_, "key");
      walk(node.members[0].part);
    }
    const one_step to(in_, "value");
    walk(node.members[1].part);
  }

 public:
  // Of a number its size, of anything else the byte that it takes at least.
  static std::size_t least_bytes_of(shape_part part) noexcept {
    return is_number_leaf(part) ? bytes_of(part) : std::size_t{1};
  }

 private:
  const shape_data& shape_;
  checked_input& in_;
  hidden_fault fault_;
};

}  // namespace tact::detail::coding
