// The messages that an engine has not handled by its end, and the timers that were still set, for a report.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <vector>

#include "tact/detail/core.hpp"
#include "tact/engine_options.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// Thread safety: none; only the thread that ends the engine uses it.
class drop_report {
 public:
  void add(detail::port target, const detail::message_type& message) noexcept;
  // Adds the message of a timer that was still set.
  void add_timed(detail::port target, const detail::message_type& message) noexcept;
  // The groups with the most messages first; the groups of timers come last.
  [[nodiscard]] std::vector<dropped_messages> list() const;
  // Calls the user's on_dropped, or prints at most ten lines on messages and one on timers to stderr. Does nothing when
  // there is nothing to report.
  void report(const engine_options& options) const noexcept;

 private:
  struct group {
    std::uint64_t messages = 0;
    std::unordered_set<detail::port> actors;  // ports without the index, so that an actor counts once
  };

  using groups = std::map<std::tuple<std::string_view, std::string, std::string_view>, group>;

  static void add_to(groups& all, detail::port target, const detail::message_type& message) noexcept;
  static void list_of(const groups& all, bool were_timed, std::vector<dropped_messages>& into);

  // The key: type of the actor, name of the actor, type of the message.
  groups sent_;
  groups timed_;
};

}  // namespace tact::actors
