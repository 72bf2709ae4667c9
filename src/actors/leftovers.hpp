// The messages that an engine did not come to handle by its end, and its timers, for a report.
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

// Thread safety: none; the thread that ends the engine.
class leftovers {
 public:
  void add(detail::port target, const detail::message_type& message) noexcept;
  // By a timer that was set.
  void add_timed(detail::port target, const detail::message_type& message) noexcept;
  // Most messages first, those of timers last.
  [[nodiscard]] std::vector<dropped_messages> list() const;
  // Calls the user's handler, or prints ten lines at most on stderr, and one of timers. Nothing when there is nothing
  // to report.
  void report(const engine_options& options) const noexcept;

 private:
  struct group {
    std::uint64_t messages = 0;
    std::unordered_set<detail::port> actors;  // without the index: one address per actor
  };

  using groups = std::map<std::tuple<std::string_view, std::string, std::string_view>, group>;

  static void add_to(groups& all, detail::port target, const detail::message_type& message) noexcept;
  static void list_of(const groups& all, bool were_timed, std::vector<dropped_messages>& into);

  // By type of actor, name, and type of message.
  groups sent_;
  groups timed_;
};

}  // namespace tact::actors
