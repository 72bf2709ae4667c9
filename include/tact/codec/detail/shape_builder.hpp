// Makes the shape of a type of this program.
#pragma once

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "tact/codec/declaration.hpp"
#include "tact/codec/detail/codec_kind.hpp"
#include "tact/codec/detail/codec_members.hpp"
#include "tact/codec/detail/description.hpp"
#include "tact/codec/detail/encoder.hpp"
#include "tact/codec/detail/read_value.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/detail/type_name.hpp"

namespace tact::detail::coding {

template <class T>
const shape_data& shape_data_of();

template <class T>
consteval shape_part find_leaf() noexcept {
  if constexpr (std::is_enum_v<T>) {
    return find_leaf<std::underlying_type_t<T>>();
  } else if constexpr (std::floating_point<T>) {
    return sizeof(T) == 4 ? leaf::float32 : leaf::float64;
  } else {
    constexpr shape_part sizes[] = {0, 0, 1, 1, 2, 2, 2, 2, 3};
    // A char has a sign on some machines only.
    constexpr bool has_sign = std::is_signed_v<T> && !std::is_same_v<T, char>;
    return (has_sign ? leaf::int8 : leaf::uint8) + sizes[sizeof(T)];
  }
}

template <class T>
constexpr std::string_view codec_name() noexcept {
  if constexpr (requires { codec<T>::name; }) {
    return codec<T>::name;
  } else {
    return type_name<T>.substr(0, most_name_bytes);
  }
}

template <class T>
constexpr bool is_name_of_member(std::string_view name) noexcept {
  if constexpr (kind_of<T> == codec_kind::record) {
    // Not member_names, which GCC 12 takes to be changed here.
    constexpr auto row = find_member_names<T>();
    for (const std::string_view each : row.names) {
      if (!each.empty() && each == name) return true;
    }
  }
  return false;
}
template <class T>
consteval bool renames_are_good() noexcept {
  if constexpr (requires { codec<T>::renamed; }) {
    for (const renamed& r : codec<T>::renamed) {
      if (!is_name_of_member<T>(r.to) || is_name_of_member<T>(r.from)) return false;
    }
  }
  return true;
}
template <class T>
consteval bool removed_are_gone() noexcept {
  if constexpr (requires { codec<T>::removed; }) {
    for (const std::string_view name : codec<T>::removed) {
      if (is_name_of_member<T>(name)) return false;
    }
  }
  return true;
}

struct members_encoder {
  std::vector<std::string>& parts;
  const codec_limits& limits;
  template <class... M>
  void operator()(const M&... m) const {
    (write_value(parts.emplace_back(), m, limits), ...);
  }
};
template <class T>
std::vector<std::string> encode_defaults(const codec_limits& limits) {
  std::vector<std::string> parts;
  const T fresh{};
  with_members(fresh, members_encoder{parts, limits});
  return parts;
}
template <class T, class Older>
void upgrade_bytes(std::string_view older, std::string& out, const codec_limits& limits) {
  write_value(out, codec<T>::upgrade(read_value<Older>(shape_data_of<Older>(), older, 0, limits)), limits);
}
template <class R, class Older>
std::remove_cvref_t<Older> taken_by(R (*)(Older));

template <class T>
constexpr record_rules make_rules() noexcept {
  static_assert(renames_are_good<T>(),
                "tact::codec: `renamed` leads from a name that no member has to the name of a member");
  static_assert(removed_are_gone<T>(), "tact::codec: a member has a name that `removed` says is gone for ever");
  record_rules r;
  if constexpr (requires { codec<T>::renamed; }) {
    r.renames = std::data(codec<T>::renamed);
    r.rename_count = std::size(codec<T>::renamed);
  }
  if constexpr (requires { codec<T>::removed; }) {
    r.removed = std::data(codec<T>::removed);
    r.removed_count = std::size(codec<T>::removed);
  }
  if constexpr (kind_of<T> == codec_kind::record) r.defaults = &encode_defaults<T>;
  if constexpr (requires { &codec<T>::upgrade; }) {
    using older = decltype(taken_by(&codec<T>::upgrade));
    r.older = &shape_data_of<older>;
    r.upgrade = &upgrade_bytes<T, older>;
  }
  return r;
}
// Its address stands for the type, too.
template <class T>
inline constexpr record_rules rules_of = make_rules<T>();

template <class T>
consteval std::uint64_t find_version() noexcept {
  if constexpr (requires { codec<T>::version; }) {
    static_assert(
        codec<T>::version == 1 || requires { &codec<T>::upgrade; },
        "tact::codec: a version above 1 needs `upgrade`, a function from the version before it");
    return codec<T>::version;
  }
  return 1;
}

class shape_builder {
 public:
  template <class T>
  [[nodiscard]] shape_data build() {
    shape_.root = add<T>();
    describe(shape_);
    if (shape_.nodes.size() > most_nodes || shape_.description.size() > most_description_bytes) {
      throw std::length_error("tact::codec: " + text_of_part(shape_, shape_.root) + " has too many parts");
    }
    return std::move(shape_);
  }

 private:
  template <class T>
  shape_part add() {
    constexpr codec_kind kind = kind_of<T>;
    if constexpr (kind == codec_kind::boolean) {
      return leaf::boolean;
    } else if constexpr (kind == codec_kind::number) {
      return find_leaf<T>();
    } else if constexpr (kind == codec_kind::text) {
      return leaf::text;
    } else if constexpr (kind == codec_kind::record || kind == codec_kind::image) {
      return add_named<T>();
    } else {
      shape_node node;
      fill<T>(node);
      return place(std::move(node));
    }
  }
  template <class T>
  void add_part(shape_node& node, std::string_view name = {}) {
    const shape_part part = add<T>();
    node.members.push_back({std::string(name), part});
  }
  template <class T>
  shape_part add_named() {
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
      if (shape_.nodes[i].rules == &rules_of<T>) return static_cast<shape_part>(first_node + i);
    }
    const std::size_t place = shape_.nodes.size();
    shape_node& taken = shape_.nodes.emplace_back();
    taken.rules = &rules_of<T>;
    shape_node node;
    node.rules = &rules_of<T>;
    node.name = codec_name<T>();
    node.version = find_version<T>();
    if constexpr (kind_of<T> == codec_kind::image) {
      node.kind = node_kind::image;
      add_part<image_of<T>>(node);
    } else {
      node.kind = node_kind::record;
      add_members<T>(node, member_types<T>{});
    }
    shape_.nodes[place] = std::move(node);
    return static_cast<shape_part>(first_node + place);
  }
  template <class T, class... M>
  void add_members([[maybe_unused]] shape_node& node, type_row<M...>) {
    [[maybe_unused]] std::size_t i = 0;
    (add_part<M>(node, member_names<T>.names[i++]), ...);
  }
  template <class T, std::size_t... I>
  void add_tuple([[maybe_unused]] shape_node& node, std::index_sequence<I...>) {
    (add_part<std::tuple_element_t<I, T>>(node), ...);
  }
  template <class... A>
  void add_alternatives(shape_node& node, const std::variant<A...>*) {
    (add_part<A>(node), ...);
  }
  template <class T>
  void fill(shape_node& node) {
    constexpr codec_kind kind = kind_of<T>;
    if constexpr (kind == codec_kind::list) {
      node.kind = node_kind::list;
      add_part<typename T::value_type>(node);
    } else if constexpr (kind == codec_kind::set) {
      node.kind = node_kind::set;
      add_part<typename T::key_type>(node);
    } else if constexpr (kind == codec_kind::map) {
      node.kind = node_kind::map;
      add_part<typename T::key_type>(node);
      add_part<typename T::mapped_type>(node);
    } else if constexpr (kind == codec_kind::array) {
      node.kind = node_kind::array;
      node.numerator = std::tuple_size_v<T>;
      add_part<typename T::value_type>(node);
    } else if constexpr (kind == codec_kind::optional) {
      node.kind = node_kind::optional;
      add_part<typename inner_value<T>::type>(node);
    } else {
      fill_other<T>(node);
    }
  }
  template <class T>
  void fill_other(shape_node& node) {
    constexpr codec_kind kind = kind_of<T>;
    if constexpr (kind == codec_kind::variant) {
      node.kind = node_kind::variant;
      add_alternatives(node, static_cast<const T*>(nullptr));
    } else if constexpr (kind == codec_kind::tuple) {
      node.kind = node_kind::tuple;
      add_tuple<T>(node, std::make_index_sequence<std::tuple_size_v<T>>{});
    } else if constexpr (kind == codec_kind::duration) {
      node.kind = node_kind::duration;
      node.numerator = static_cast<std::uint64_t>(T::period::num);
      node.denominator = static_cast<std::uint64_t>(T::period::den);
      add_part<typename T::rep>(node);
    } else {
      static_assert(kind == codec_kind::time);
      node.kind = node_kind::time;
      add_part<typename T::duration>(node);
    }
  }
  // Equal parts are one: so a shape does not say which containers the program uses.
  shape_part place(shape_node node) {
    std::string described;
    append_node(described, node);
    for (std::size_t i = 0; i < shape_.nodes.size(); ++i) {
      std::string other;
      if (shape_.nodes[i].rules == nullptr && shape_.nodes[i].kind == node.kind) append_node(other, shape_.nodes[i]);
      if (other == described) return static_cast<shape_part>(first_node + i);
    }
    shape_.nodes.push_back(std::move(node));
    return static_cast<shape_part>(first_node + shape_.nodes.size() - 1);
  }

  shape_data shape_;
};

template <class T>
const shape_data& shape_data_of() {
  static const shape_data made = shape_builder().build<T>();
  return made;
}

}  // namespace tact::detail::coding
