// How the bytes of one shape become those of another one: made once from the two shapes, before any value is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <numeric>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/decode_error.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_text.hpp"

namespace tact::detail::coding {

using step_number = std::uint32_t;
inline constexpr step_number no_step = UINT32_MAX;

enum class migration { number, text, list, map, array, optional, wrap, variant, members, duration, upgrade };

struct migration_plan;

struct migration_step {
  migration what = migration::number;
  shape_part from = 0;  // in the shape of the writer
  shape_part to = 0;
  // For each member or alternative of the writer: how it is read, and its place in this program; no_step: passed over.
  std::vector<step_number> parts{};
  std::vector<std::size_t> places{};
  std::vector<std::string> defaults{};  // of the members of this program that the writer lacks; else empty
  std::int64_t numerator = 1;           // of a duration: ticks here for one there
  std::int64_t denominator = 1;
  std::unique_ptr<migration_plan> older{};
};

struct migration_plan {
  const shape_data* from = nullptr;
  const shape_data* to = nullptr;
  std::vector<migration_step> steps;  // the first one is that of the whole
};

// What a plan may have at most: a shape that was made by an enemy may need as many steps as both shapes have pairs.
inline constexpr std::size_t most_steps = 4096;
inline constexpr unsigned most_upgrades = 64;

class migration_planner {
 public:
  // Throws decode_error if values of the one shape cannot be those of the other one.
  static migration_plan make(const shape_data& from, const shape_data& to, const codec_limits& limits) {
    unsigned upgrades = most_upgrades;
    return migration_planner(from, to, limits, upgrades, text_of_part(to, to.root)).make(from.root);
  }

 private:
  struct origin {  // of a step: for errors
    step_number up = no_step;
    std::string name;
  };

  migration_planner(const shape_data& from, const shape_data& to, const codec_limits& limits, unsigned& upgrades,
                    std::string root)
      : from_(from), to_(to), limits_(limits), upgrades_(upgrades), root_(std::move(root)) {
    plan_.from = &from;
    plan_.to = &to;
  }

  migration_plan make(shape_part from) {
    step_for(from, to_.root, {});
    for (step_number n = 0; n != plan_.steps.size(); ++n) {
      current_ = n;
      migration_step step = std::move(plan_.steps[n]);
      find(step);
      plan_.steps[n] = std::move(step);
    }
    return std::move(plan_);
  }

  [[noreturn]] void fail(const std::string& what) const { throw decode_error(path_of(current_), what); }
  [[nodiscard]] std::string path_of(step_number n) const {
    std::vector<step_number> way;
    for (; n != no_step && way.size() < 100; n = origins_[n].up) way.push_back(n);
    std::string text = root_;
    for (; !way.empty(); way.pop_back()) text += origins_[way.back()].name;
    return text;
  }
  [[noreturn]] void fail_kinds(const migration_step& s) const {
    fail("expected " + text_of_part(to_, s.to) + ", found " + text_of_part(from_, s.from) +
         ", which it cannot be made of");
  }

  // The one that there is, or a new one, which is worked out later: so deep shapes take no stack.
  step_number step_for(shape_part from, shape_part to, std::string name) {
    for (std::size_t i = 0; i < plan_.steps.size(); ++i) {
      if (keys_[i] == std::pair(from, to)) return static_cast<step_number>(i);
    }
    if (plan_.steps.size() == most_steps) fail("has too many parts that differ from those that were written");
    plan_.steps.push_back({.from = from, .to = to});
    keys_.emplace_back(from, to);
    origins_.push_back({plan_.steps.size() == 1 ? no_step : current_, std::move(name)});
    return static_cast<step_number>(plan_.steps.size() - 1);
  }

  void find(migration_step& s) {
    if (find_upgrade(s)) return;
    s.from = inside_images(from_, s.from);
    s.to = inside_images(to_, s.to);
    const shape_node* const to = to_.node(s.to);
    const shape_node* const from = from_.node(s.from);
    if (to != nullptr && to->kind == node_kind::optional) return find_optional(s, *to, from);
    if (is_bytes(to_, s.to) && is_bytes(from_, s.from) && (to == nullptr || from == nullptr)) {
      s.what = migration::text;
    } else if (to == nullptr && from == nullptr && is_number_leaf(s.to) && is_number_leaf(s.from)) {
      s.what = migration::number;
    } else if (to != nullptr && from != nullptr) {
      find_node(s, *to, *from);
    } else {
      fail_kinds(s);
    }
  }
  void find_node(migration_step& s, const shape_node& to, const shape_node& from) {
    const bool is_row = from.kind == node_kind::list || from.kind == node_kind::set || from.kind == node_kind::array;
    if ((to.kind == node_kind::list || to.kind == node_kind::set) && is_row) {
      find_same_parts(s, migration::list, to, from);
    } else if (to.kind != from.kind) {
      fail_kinds(s);
    } else if (to.kind == node_kind::map) {
      find_same_parts(s, migration::map, to, from);
    } else if (to.kind == node_kind::array && to.numerator == from.numerator) {
      find_same_parts(s, migration::array, to, from);
    } else if (to.kind == node_kind::tuple && to.members.size() == from.members.size()) {
      find_tuple(s, to, from);
    } else if (to.kind == node_kind::variant) {
      find_variant(s, to, from);
    } else if (to.kind == node_kind::record) {
      find_members(s, to, from);
    } else if (to.kind == node_kind::time) {
      find_duration(s, *to_.node(to.members[0].part), *from_.node(from.members[0].part));
    } else if (to.kind == node_kind::duration) {
      find_duration(s, to, from);
    } else {
      fail_kinds(s);
    }
  }

  // Numbers of eight bits, which are texts, too.
  static bool is_bytes(const shape_data& shape, shape_part part) {
    if (part == leaf::text) return true;
    const shape_node* const node = shape.node(part);
    return node != nullptr && node->kind == node_kind::list && node->members[0].part == leaf::uint8;
  }
  shape_part inside_images(const shape_data& shape, shape_part part) const {
    for (std::size_t i = 0; i <= shape.nodes.size(); ++i) {
      const shape_node* const node = shape.node(part);
      if (node == nullptr || node->kind != node_kind::image) return part;
      part = node->members[0].part;
    }
    fail("found a type that is written as itself");
  }

  bool find_upgrade(migration_step& s) {
    const shape_node* const to = to_.node(s.to);
    const shape_node* const from = from_.node(s.from);
    if (to == nullptr || from == nullptr || !to->has_name() || !from->has_name()) return false;
    if (from->version == to->version) return false;
    if (from->version > to->version) {
      fail("expected version " + std::to_string(to->version) + " or an older one, found version " +
           std::to_string(from->version));
    }
    if (to->rules == nullptr || to->rules->older == nullptr)
      fail("has no way from version " + std::to_string(from->version));
    if (upgrades_ == 0) fail("has a version that is made of itself");
    --upgrades_;
    s.what = migration::upgrade;
    s.older = std::make_unique<migration_plan>(
        migration_planner(from_, to->rules->older(), limits_, upgrades_, path_of(current_)).make(s.from));
    return true;
  }
  void find_optional(migration_step& s, const shape_node& to, const shape_node* from) {
    const bool was_optional = from != nullptr && from->kind == node_kind::optional;
    s.what = was_optional ? migration::optional : migration::wrap;
    s.parts.push_back(step_for(was_optional ? from->members[0].part : s.from, to.members[0].part, {}));
  }
  void find_same_parts(migration_step& s, migration what, const shape_node& to, const shape_node& from) {
    s.what = what;
    for (std::size_t i = 0; i < to.members.size(); ++i) {
      const char* const name = what != migration::map ? "[]" : i == 0 ? "[].key" : "[].value";
      s.parts.push_back(step_for(from.members[i].part, to.members[i].part, name));
    }
  }
  void find_tuple(migration_step& s, const shape_node& to, const shape_node& from) {
    s.what = migration::members;
    s.defaults.resize(to.members.size());
    for (std::size_t i = 0; i < to.members.size(); ++i) {
      s.parts.push_back(step_for(from.members[i].part, to.members[i].part, '[' + std::to_string(i) + ']'));
      s.places.push_back(i);
    }
  }
  void find_duration(migration_step& s, const shape_node& to, const shape_node& from) {
    s.what = migration::duration;
    const std::uint64_t upper = std::gcd(from.numerator, to.numerator);
    const std::uint64_t lower = std::gcd(from.denominator, to.denominator);
    if (__builtin_mul_overflow(from.numerator / upper, to.denominator / lower, &s.numerator) ||
        __builtin_mul_overflow(from.denominator / lower, to.numerator / upper, &s.denominator)) {
      fail_kinds(s);
    }
    s.from = from.members[0].part;
    s.to = to.members[0].part;
  }
  // An alternative is known by its type; the second of two with the same type is the second one there.
  void find_variant(migration_step& s, const shape_node& to, const shape_node& from) {
    s.what = migration::variant;
    std::vector<bool> is_taken(to.members.size());
    for (const shape_member& alternative : from.members) {
      const std::string name = text_of_part(from_, alternative.part);
      std::size_t place = 0;
      while (place < to.members.size() && (is_taken[place] || text_of_part(to_, to.members[place].part) != name))
        ++place;
      s.places.push_back(place);
      const bool is_there = place < to.members.size();
      if (is_there) is_taken[place] = true;
      s.parts.push_back(is_there ? step_for(alternative.part, to.members[place].part, '<' + name + '>') : no_step);
    }
  }

  void find_members(migration_step& s, const shape_node& to, const shape_node& from) {
    s.what = migration::members;
    std::vector<bool> is_given(to.members.size());
    for (const shape_member& m : from.members) {
      const std::size_t place = place_of(to, from, m.name);
      s.places.push_back(place);
      const bool is_there = place < to.members.size();
      if (is_there) is_given[place] = true;
      s.parts.push_back(is_there ? step_for(m.part, to.members[place].part, '.' + to.members[place].name) : no_step);
    }
    refuse_strangers(s, to, from);
    refuse_silent_renaming(s, to, from, is_given);
    fill_in(s, to, is_given);
  }
  static std::size_t find_name(const shape_node& in, std::string_view name) noexcept {
    std::size_t i = 0;
    while (i < in.members.size() && in.members[i].name != name) ++i;
    return i;
  }
  static std::size_t place_of(const shape_node& to, const shape_node& from, std::string_view name) noexcept {
    const std::size_t place = find_name(to, name);
    if (place < to.members.size() || to.rules == nullptr) return place;
    for (std::size_t i = 0; i < to.rules->rename_count; ++i) {
      const renamed& r = to.rules->renames[i];
      // If the writer has both, that with the name of today is the one.
      if (r.from == name && find_name(from, r.to) == from.members.size()) return find_name(to, r.to);
    }
    return to.members.size();
  }
  static bool is_removed(const shape_node& to, std::string_view name) noexcept {
    for (std::size_t i = 0; to.rules != nullptr && i < to.rules->removed_count; ++i) {
      if (to.rules->removed[i] == name) return true;
    }
    return false;
  }
  void refuse_strangers(const migration_step& s, const shape_node& to, const shape_node& from) const {
    if (to.members.empty() || from.members.empty()) return;
    for (const step_number part : s.parts) {
      if (part != no_step) return;
    }
    fail("has no member in common with the " + from.name + " that was found");
  }
  // A member that has gone and one that is new, both of one type, look like one with another name; its value would be
  // lost without a word.
  void refuse_silent_renaming(const migration_step& s, const shape_node& to, const shape_node& from,
                              const std::vector<bool>& is_given) const {
    for (std::size_t i = 0; i < from.members.size(); ++i) {
      if (s.parts[i] != no_step || is_removed(to, from.members[i].name)) continue;
      const std::string type = text_of_part(from_, from.members[i].part);
      for (std::size_t k = 0; k < to.members.size(); ++k) {
        if (is_given[k] || text_of_part(to_, to.members[k].part) != type) continue;
        fail("expected the member '" + to.members[k].name + "', found '" + from.members[i].name +
             "' of the same type " + type + "; tact::codec<" + to.name +
             "> must say whether that is `renamed` or `removed`");
      }
    }
  }
  void fill_in(migration_step& s, const shape_node& to, const std::vector<bool>& is_given) {
    std::vector<std::string> defaults;
    if (to.rules != nullptr && to.rules->defaults != nullptr) defaults = to.rules->defaults(limits_);
    s.defaults.resize(to.members.size());
    for (std::size_t i = 0; i < to.members.size(); ++i) {
      if (!is_given[i]) s.defaults[i] = std::move(defaults.at(i));
    }
  }

  const shape_data& from_;
  const shape_data& to_;
  const codec_limits& limits_;
  unsigned& upgrades_;
  std::string root_;
  migration_plan plan_;
  std::vector<std::pair<shape_part, shape_part>> keys_;
  std::vector<origin> origins_;
  step_number current_ = no_step;
};

}  // namespace tact::detail::coding
