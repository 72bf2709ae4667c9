// The lines of a report at the end of an engine: its groups, the largest first, and how many are not shown.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace tact::actors {

// "1 timer", "3 timers"
[[nodiscard]] inline std::string counted(std::uint64_t count, const char* noun) {
  return std::to_string(count) + " " + noun + (count == 1 ? "" : "s");
}

// The member of a group that says how many things are in it.
template <class Group>
using group_count = std::uint64_t Group::*;

template <class Group>
[[nodiscard]] std::uint64_t sum_of(const std::vector<Group>& groups, group_count<Group> count) {
  std::uint64_t sum = 0;
  for (const Group& g : groups) sum += g.*count;
  return sum;
}

// Groups of the same size keep their order. `from`: the groups before it stay where they are.
template <class Group>
void sort_largest_first(std::vector<Group>& groups, group_count<Group> count, std::size_t from = 0) {
  const auto first = groups.begin() + static_cast<std::ptrdiff_t>(from);
  std::stable_sort(first, groups.end(), [=](const Group& a, const Group& b) { return a.*count > b.*count; });
}

// "  3 account ...\n" for each group, at most nine lines: if there are more groups, the last line says how many are
// not shown, so that a report with its headline has ten lines. `line(group)` is what stands behind the two spaces.
template <class Group, class Line>
[[nodiscard]] std::string lines_of(const std::vector<Group>& groups, group_count<Group> count, Line line) {
  constexpr std::size_t groups_max = 9;
  const std::size_t shown = groups.size() <= groups_max ? groups.size() : groups_max - 1;
  std::string text;
  std::uint64_t left = sum_of(groups, count);
  for (std::size_t i = 0; i < shown; ++i) {
    left -= groups[i].*count;
    text += "  " + line(groups[i]) + "\n";
  }
  if (shown == groups.size()) return text;
  return text + "  and " + std::to_string(left) + " more of " + std::to_string(groups.size() - shown) +
         " other kinds\n";
}

// " (teller 1, teller 2, ...)": at most three of the names; nothing when there is none.
[[nodiscard]] inline std::string in_brackets(const std::vector<std::string>& names) {
  constexpr std::size_t names_max = 3;
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), names_max); ++i) text += (i == 0 ? " (" : ", ") + names[i];
  if (names.empty()) return text;
  return text + (names.size() > names_max ? ", ...)" : ")");
}

}  // namespace tact::actors
