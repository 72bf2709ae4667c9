// Reads the description of a shape, which may have been written by an enemy.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/description.hpp"
#include "tact/codec/detail/shape_data.hpp"

namespace tact::detail::coding {

class shape_parser {
 public:
  // `offset` is where the description begins in what was to be decoded.
  explicit shape_parser(std::string_view description, std::size_t offset = 0)
      : begin_(description.data()), at_(begin_), end_(begin_ + description.size()), offset_(offset) {}

  [[nodiscard]] shape_data parse() {
    shape_data out;
    demand(static_cast<std::size_t>(end_ - at_) <= most_description_bytes, "it has more than 64 KiB");
    out.root = static_cast<shape_part>(number(first_node + most_nodes, "a part"));
    const std::uint64_t count = number(most_nodes, "a number of parts");
    for (std::uint64_t i = 0; i < count; ++i) out.nodes.push_back(node(static_cast<shape_part>(count)));
    demand(is_part(out.root, static_cast<shape_part>(count)), "its root is no part");
    demand(at_ == end_, "bytes follow the last part");
    out.description.assign(begin_, end_);
    out.fingerprint = fingerprint_of(out.description);
    check_times(out);
    return out;
  }

 private:
  [[noreturn]] void fail(const char* why) const {
    throw decode_error("shape", std::string("expected the description of a type, but ") + why,
                       offset_ + static_cast<std::size_t>(at_ - begin_));
  }
  void demand(bool holds, const char* why) const {
    if (!holds) fail(why);
  }
  std::uint64_t number(std::uint64_t most, const char* what) {
    std::uint64_t n = 0;
    const char* const behind = load_count(at_, end_, n);
    if (behind == nullptr)
      fail((std::string("it ends in the midst, or has a malformed number, where ") + what + " is expected").c_str());
    if (n > most) fail((std::string("it has too large a number where ") + what + " is expected").c_str());
    at_ = behind;
    return n;
  }
  std::string name() {
    const std::uint64_t size = number(most_name_bytes, "the size of a name");
    demand(size <= static_cast<std::size_t>(end_ - at_), "a name goes beyond its end");
    std::string text(at_, static_cast<std::size_t>(size));
    at_ += size;
    return text;
  }
  static bool is_part(shape_part part, shape_part nodes) noexcept {
    return part < leaves || (part >= first_node && part - first_node < nodes);
  }
  shape_part part(shape_part nodes) {
    const auto p = static_cast<shape_part>(number(first_node + most_nodes, "a part"));
    demand(is_part(p, nodes), "it names a part that is not there");
    return p;
  }

  shape_node node(shape_part nodes) {
    shape_node n;
    demand(at_ != end_, "it ends before its last part");
    const auto kind = static_cast<unsigned char>(*at_);
    demand(kind != 0 && kind < static_cast<unsigned char>(node_kind::end),
           "a part is of no kind that this version knows");
    ++at_;
    n.kind = static_cast<node_kind>(kind);
    if (n.has_name()) {
      n.name = name();
      n.version = number(UINT32_MAX, "a version");
    }
    if (n.kind == node_kind::array) n.numerator = number(UINT64_MAX, "a number of elements");
    if (n.kind == node_kind::duration) {
      n.numerator = number(INT64_MAX, "a ratio");
      n.denominator = number(INT64_MAX, "a ratio");
      demand(n.numerator != 0 && n.denominator != 0, "a ratio is zero");
    }
    const std::uint64_t members = n.has_count() ? number(most_node_members, "a number of members") : n.fixed_members();
    for (std::uint64_t i = 0; i < members; ++i) n.members.push_back(member(n, nodes));
    demand(have_different_names(n), "two members of a record have the same name");
    return n;
  }
  shape_member member(const shape_node& of, shape_part nodes) {
    std::string its_name = of.kind == node_kind::record ? name() : std::string();
    return {std::move(its_name), part(nodes)};
  }
  static bool have_different_names(const shape_node& n) {
    if (n.kind != node_kind::record) return true;
    std::vector<std::string_view> names;
    for (const shape_member& m : n.members) names.emplace_back(m.name);
    std::sort(names.begin(), names.end());
    return std::adjacent_find(names.begin(), names.end()) == names.end();
  }
  // A duration counts by a number, and a time by a duration.
  void check_times(const shape_data& s) const {
    for (const shape_node& n : s.nodes) {
      if (n.kind == node_kind::duration) {
        const shape_part p = n.members[0].part;
        demand(is_number_leaf(p) && p != leaf::boolean, "a duration counts by no number");
      }
      if (n.kind == node_kind::time) {
        const shape_node* const d = s.node(n.members[0].part);
        demand(d != nullptr && d->kind == node_kind::duration, "a time is no duration");
      }
    }
  }

  const char* begin_;
  const char* at_;
  const char* end_;
  std::size_t offset_;
};

}  // namespace tact::detail::coding
