// Turns bytes of one shape into those of another one, as a plan says.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <string>
#include <string_view>
#include <vector>

#include "tact/codec/codec_limits.hpp"
#include "tact/codec/detail/byte_order.hpp"
#include "tact/codec/detail/checked_input.hpp"
#include "tact/codec/detail/migration_plan.hpp"
#include "tact/codec/detail/number_conversion.hpp"
#include "tact/codec/detail/shape_data.hpp"
#include "tact/codec/detail/shape_text.hpp"
#include "tact/codec/detail/walker.hpp"

namespace tact::detail::coding {

class migrator {
 public:
  migrator(const migration_plan& plan, checked_input& in, const codec_limits& limits) noexcept
      : plan_(plan), in_(in), limits_(limits), passing_(*plan.from, in) {}

  // Appends what the value becomes; throws decode_error.
  void run(std::string& out) { run(0, out); }

 private:
  void run(step_number number, std::string& out) {
    const migration_step& s = plan_.steps[number];
    const bool is_leaf = s.what == migration::number || s.what == migration::text || s.what == migration::duration;
    if (!is_leaf) in_.enter();
    run_step(s, out);
    if (!is_leaf) in_.leave();
    if (out.size() > limits_.bytes) in_.fail("becomes larger than codec_limits::bytes allows");
  }
  void run_step(const migration_step& s, std::string& out) {
    switch (s.what) {
      case migration::number:
        return convert_number(s, out);
      case migration::text:
        return copy_text(out);
      case migration::list:
        return convert_list(s, out);
      case migration::map:
        return convert_map(s, out);
      case migration::array:
        return convert_array(s, out);
      case migration::optional:
        return convert_optional(s, out);
      case migration::wrap:
        out.push_back('\1');
        return run(s.parts[0], out);
      case migration::variant:
        return convert_variant(s, out);
      case migration::members:
        return convert_members(s, out);
      case migration::duration:
        return convert_duration(s, out);
      case migration::upgrade:
        return upgrade(s, out);
    }
  }

  any_number take_number(shape_part leaf) {
    if (leaf == leaf::boolean) {
      const char flag = in_.take_flag("bool") ? '\1' : '\0';
      return any_number::load(leaf, &flag);
    }
    return any_number::load(leaf, in_.take(bytes_of(leaf), name_of_leaf(leaf)).data());
  }
  [[noreturn]] void fail_value(const migration_step& s, const any_number& n, std::string_view expected) const {
    in_.fail("expected " + std::string(expected) + ", found the " + std::string(name_of_leaf(s.from)) + ' ' + n.text() +
             ", which does not fit");
  }
  void convert_number(const migration_step& s, std::string& out) {
    if (s.from == s.to && s.from != leaf::boolean) {
      out += in_.take(bytes_of(s.from), name_of_leaf(s.from));
      return;
    }
    const any_number n = take_number(s.from);
    if (!n.append_to(out, s.to)) fail_value(s, n, name_of_leaf(s.to));
  }
  void convert_duration(const migration_step& s, std::string& out) {
    const any_number n = take_number(s.from);
    any_number scaled = n;
    const bool to_floating = s.to == leaf::float32 || s.to == leaf::float64;
    const bool is_same = s.numerator == 1 && s.denominator == 1;
    if ((!is_same && !scaled.scale(s.numerator, s.denominator, to_floating)) || !scaled.append_to(out, s.to)) {
      fail_value(s, n, "a duration that is no fraction of its new unit");
    }
  }
  void copy_text(std::string& out) {
    const std::uint64_t size = in_.take_count("text");
    append_count(out, size);
    out += in_.take(size, "text");
  }

  void convert_elements(const migration_step& s, std::uint64_t count, std::string& out) {
    for (std::uint64_t i = 0; i < count; ++i) {
      const one_step to(in_, {}, i);
      run(s.parts[0], out);
    }
  }
  void convert_list(const migration_step& s, std::string& out) {
    const shape_node& from = *plan_.from->node(s.from);
    std::uint64_t count = from.numerator;
    if (from.kind == node_kind::array) {
      if (count == 0) in_.take_zero("an empty array");
      if (count > in_.left()) in_.fail("expected an array of " + std::to_string(count) + " entries, found the end");
    } else {
      const shape_part element = from.members[0].part;
      count = in_.take_elements("list", walker::least_bytes_of(element), !is_number_leaf(element));
    }
    append_count(out, count);
    convert_elements(s, count, out);
  }
  void convert_array(const migration_step& s, std::string& out) {
    const std::uint64_t count = plan_.to->node(s.to)->numerator;
    if (count == 0) {
      in_.take_zero("an empty array");
      out.push_back('\0');
    }
    convert_elements(s, count, out);
  }
  void convert_map(const migration_step& s, std::string& out) {
    const std::uint64_t count = in_.take_elements("map", 1, true);
    append_count(out, count);
    for (std::uint64_t i = 0; i < count; ++i) {
      const one_step to(in_, {}, i);
      run_part(s, 0, "key", out);
      run_part(s, 1, "value", out);
    }
  }
  void run_part(const migration_step& s, std::size_t part, std::string_view name, std::string& out) {
    const one_step to(in_, name);
    run(s.parts[part], out);
  }
  void convert_optional(const migration_step& s, std::string& out) {
    const bool is_there = in_.take_flag("the flag of an optional");
    out.push_back(is_there ? '\1' : '\0');
    if (is_there) run(s.parts[0], out);
  }
  void convert_variant(const migration_step& s, std::string& out) {
    const shape_node& from = *plan_.from->node(s.from);
    const std::size_t index = in_.take_alternative(from.members.size());
    if (s.parts[index] == no_step) {
      in_.fail("expected " + text_of_part(*plan_.to, s.to) + ", found the alternative " +
               text_of_part(*plan_.from, from.members[index].part));
    }
    append_count(out, s.places[index]);
    run(s.parts[index], out);
  }
  // Members are written in the order of this program.
  void convert_members(const migration_step& s, std::string& out) {
    const shape_node& from = *plan_.from->node(s.from);
    std::vector<std::string> members = s.defaults;
    if (from.members.empty()) in_.take_zero("an empty value");
    for (std::size_t i = 0; i < from.members.size(); ++i) {
      const one_step to(in_, from.members[i].name, i);
      if (s.parts[i] == no_step) {
        passing_.walk(from.members[i].part);
      } else {
        run(s.parts[i], members[s.places[i]]);
      }
    }
    if (members.empty()) out.push_back('\0');
    for (const std::string& m : members) out += m;
  }
  void upgrade(const migration_step& s, std::string& out) {
    std::string older;
    migrator(*s.older, in_, limits_).run(older);
    try {
      plan_.to->node(s.to)->rules->upgrade(older, out, limits_);
    } catch (const std::bad_alloc&) {
      throw;
    } catch (const std::exception& e) {
      in_.fail(std::string("cannot be upgraded: ") + e.what());
    }
  }

  const migration_plan& plan_;
  checked_input& in_;
  const codec_limits& limits_;
  walker passing_;
};

}  // namespace tact::detail::coding
