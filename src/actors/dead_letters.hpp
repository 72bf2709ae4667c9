// The sink for messages that no handler saw: counted, the latest kept, each shown to the user's sink.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actors {

// The type of the actor that this port names or named; null when that is not known any more, because another one has
// its cell by now.
[[nodiscard]] const detail::behavior_type* last_type(detail::port p) noexcept;

// An actor for people: "account@7f3a40#12"; what a ref prints. And its protocol or class alone.
[[nodiscard]] std::string describe(detail::port p);
[[nodiscard]] std::string_view type_name_of(detail::port p) noexcept;
inline constexpr std::string_view nobody_name = "nobody";  // what an empty ref names

// Thread safety: any thread.
class dead_letters {
 public:
  dead_letters(unsigned kept, std::function<void(const dead_letter&)> sink) : kept_(kept), sink_(std::move(sink)) {}

  // The caller counts it. What the sink throws is ignored. Without memory the letter has less text, and may not be
  // kept. `unheard`: the notice that was the message, if it was one.
  void add(detail::port target, const detail::message_type& message, failure_reason reason,
           const failure* unheard) noexcept;
  [[nodiscard]] std::vector<dead_letter> read() const;

 private:
  [[nodiscard]] static dead_letter write(detail::port target, const detail::message_type& message,
                                         failure_reason reason, const failure* unheard) noexcept;
  void keep(const dead_letter& letter) noexcept;
  void show(const dead_letter& letter) noexcept;

  const std::size_t kept_;
  const std::function<void(const dead_letter&)> sink_;
  mutable std::mutex mutex_;
  std::deque<dead_letter> latest_;
};

}  // namespace tact::actors
