// The dead letters of an engine: messages that no handler saw. Keeps the latest and shows each to the user's sink.
#pragma once

#include <array>
#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "sync/policy.hpp"
#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// The type of the actor that this port names or has named. Null when the type is not known any more, because another
// actor has the cell by now.
[[nodiscard]] const detail::behavior_type* last_type(detail::port p) noexcept;

// The name of an actor for people, such as "account@7f3a40#12": this is what a ref prints.
[[nodiscard]] std::string describe(detail::port p);
// The name of the actor's protocol or class alone.
[[nodiscard]] std::string_view type_name_of(detail::port p) noexcept;
inline constexpr std::string_view nobody_name = "nobody";  // the name for an empty ref

// Thread safety: any thread.
class dead_letters {
 public:
  dead_letters(unsigned kept, std::function<void(const dead_letter&)> sink) : kept_(kept), sink_(std::move(sink)) {}

  // Keeps a letter and shows it; the caller counts it. An exception of the user's sink is ignored. Without memory the
  // letter has less text, and may not be kept. `unheard`: the failure notice, if the message was one; else null.
  void add(detail::port target, const detail::message_type& message, failure_reason reason,
           const failure* unheard) noexcept;
  [[nodiscard]] std::vector<dead_letter> read() const;
  // How many there were, by the reason.
  [[nodiscard]] std::vector<dead_letter_count> read_counts() const;

 private:
  [[nodiscard]] static dead_letter write(detail::port target, const detail::message_type& message,
                                         failure_reason reason, const failure* unheard) noexcept;
  void keep(const dead_letter& letter) noexcept;
  void show(const dead_letter& letter) noexcept;

  const std::size_t kept_;
  const std::function<void(const dead_letter&)> sink_;
  static constexpr std::size_t reasons = static_cast<std::size_t>(failure_reason::out_of_memory) + 1;
  std::array<sync::atomic<std::uint64_t>, reasons> counts_{};
  mutable std::mutex mutex_;
  std::deque<dead_letter> latest_;
};

}  // namespace tact::actors
