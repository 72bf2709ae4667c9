// The sink for messages that no handler saw: counted, the latest kept, each shown to the user's sink.
#pragma once

#include <deque>
#include <functional>
#include <mutex>
#include <string>
#include <vector>

#include "tact/detail/core.hpp"
#include "tact/failure.hpp"

namespace tact::actor {

// An actor for people: "account@7f3a40#12"; what a ref prints.
[[nodiscard]] std::string describe(detail::port p);

// Thread safety: any thread.
class dead_letters {
 public:
  dead_letters(unsigned kept, std::function<void(const dead_letter&)> sink) : kept_(kept), sink_(std::move(sink)) {}

  // The caller counts it. What the sink throws is ignored.
  void add(detail::port target, const detail::message_type& message, failure_reason reason) noexcept;
  [[nodiscard]] std::vector<dead_letter> read() const;

 private:
  const std::size_t kept_;
  const std::function<void(const dead_letter&)> sink_;
  mutable std::mutex mutex_;
  std::deque<dead_letter> latest_;
};

}  // namespace tact::actor
