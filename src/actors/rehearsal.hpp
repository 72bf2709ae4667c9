// What one run of a handler staged, so that it can be compared with another run of the same.
#pragma once

#include <algorithm>
#include <compare>
#include <string>
#include <vector>

#include "mailbox/envelope.hpp"
#include "transactions/journal.hpp"

namespace tact::actors {

// Addresses of actors that the run itself created are known by their turn. Payloads are compared where equal messages
// have equal bytes; of the others only the type is. Thread safety: none.
class staging {
 public:
  // Without memory nothing is compared.
  void read(transactions::journal& staged) noexcept;
  void note_exception() { threw_ = true; }
  void note_wait() { waits_ = true; }

  // What this run did and the other did not, in words; empty: the same.
  [[nodiscard]] std::string difference_from(const staging& other) const;

 private:
  struct send {
    detail::port target;
    const detail::message_type* type;
    std::vector<std::uint64_t> words;
    auto operator<=>(const send&) const = default;
  };
  void read_all(transactions::journal& staged);
  [[nodiscard]] detail::port known_by(detail::port p) const noexcept;

  std::vector<detail::port> created_;
  std::vector<const detail::behavior_type*> created_types_;
  std::vector<send> sends_;  // sorted: to whom they are staged first is up to the dispatcher
  const detail::behavior_type* next_ = nullptr;
  bool stops_ = false;
  bool threw_ = false;
  bool waits_ = false;
  bool is_incomplete_ = false;
};

}  // namespace tact::actors
