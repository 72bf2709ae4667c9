// The requests of samples that actors have taken, and have not answered in the handlers that took them.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "tact/detail/core.hpp"

namespace tact::inspect {

// A request is over when its customer is: a customer of an ask is told once, and ends. That an ask was given up is told
// here, so a customer that has ended otherwise was answered. Thread safety: any thread.
class kept_requests {
 public:
  struct request {
    detail::port customer = 0;  // 0: none
    detail::port actor = 0;
    std::string_view actor_type{};
    std::string_view message{};
  };
  struct open_request {
    detail::port actor = 0;
    std::string message;
    std::chrono::nanoseconds kept{0};  // so long
  };
  // Of the actors of one type. What is in neither is kept.
  struct ended {
    std::uint64_t answered = 0;
    std::uint64_t unanswered = 0;
  };
  struct reading {
    std::vector<open_request> open;  // the oldest first
    std::map<std::string, ended, std::less<>> over;
  };

  // Where a place is taken by a request that is still open, the newer one is left out.
  void keep(const request& r) noexcept;
  void give_up(detail::port customer) noexcept;
  [[nodiscard]] reading read();  // throws std::bad_alloc
  // Forgets the open ones.
  void clear() noexcept;

 private:
  struct place {
    detail::port customer = 0;  // 0: free
    detail::port actor = 0;
    std::string message;
    std::chrono::nanoseconds since{0};
    ended* of = nullptr;  // its type
  };
  // So few that a reading takes some microseconds, and a program with an actor that answers none shows enough of them.
  static constexpr unsigned places_bits = 8;

  [[nodiscard]] place& place_of(detail::port customer) noexcept;
  static void settle(place& p) noexcept;

  std::mutex mutex_;  // guards the rest
  std::array<place, std::size_t{1} << places_bits> places_;
  std::map<std::string, ended, std::less<>> over_;  // by the type of the actor
};

}  // namespace tact::inspect
