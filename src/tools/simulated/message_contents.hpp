// The contents of messages in a trace, for types that can be printed.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "sync/system.hpp"
#include "tact/simulation.hpp"

namespace tact::simulated {

// Thread safety: none.
class message_contents {
 public:
  // As long as a line of a program. Somebody reads the trace line by line, and behind a longer text the actor of the
  // next line would not be found.
  static constexpr std::size_t bytes_max = 120;

  void show(const detail::type_key& type, detail::message_printer printer);
  // Empty: it is not to be shown, or cannot be. What the printer does beside printing is told nowhere: a message that
  // it sends is noted without its contents.
  [[nodiscard]] std::string text_of(const sync::noted_message& m) noexcept;

  // While one lives, nobody will read the trace, and no message is printed.
  class left_out {
   public:
    left_out() noexcept { ++depth; }
    ~left_out() { --depth; }
    left_out(const left_out&) = delete;
    left_out& operator=(const left_out&) = delete;

   private:
    friend class message_contents;
    static inline thread_local unsigned depth = 0;
  };

 private:
  [[nodiscard]] detail::message_printer find(const detail::type_key& type) const noexcept;

  std::vector<std::pair<const detail::type_key*, detail::message_printer>> printers_;
};

}  // namespace tact::simulated
