// The effects that one run of a handler has staged, to be compared with those of another run of it.
#pragma once

#include <algorithm>
#include <string>
#include <tuple>
#include <vector>

#include "mailbox/envelope.hpp"
#include "transactions/journal.hpp"

namespace tact::actors {

// The two runs create actors at different addresses, so an actor that the run itself created is known by its number.
// Payloads are compared if equal messages have equal bytes; of the others only the type is. Thread safety: none.
class staged_effects {
 public:
  // If memory is short, nothing is compared.
  void read(transactions::journal& staged) noexcept;
  void note_exception() { threw_ = true; }
  void note_wait() { waits_ = true; }

  // The difference in words: what this run did and the other did not; empty: both did the same.
  [[nodiscard]] std::string difference_from(const staged_effects& other) const;

 private:
  struct send {
    detail::port target;
    const detail::message_type* type;
    std::vector<std::uint64_t> words;
    bool operator==(const send&) const = default;
    // Not by <=>, which the vector of libc++ 16 does not have.
    bool operator<(const send& b) const { return std::tie(target, type, words) < std::tie(b.target, b.type, b.words); }
  };
  void read_all(transactions::journal& staged);
  [[nodiscard]] detail::port known_by(detail::port p) const noexcept;

  std::vector<detail::port> created_;
  std::vector<const detail::behavior_type*> created_types_;
  std::vector<send> sends_;  // sorted, because their order depends on the dispatcher
  const detail::behavior_type* next_ = nullptr;
  bool stops_ = false;
  bool threw_ = false;
  bool waits_ = false;
  bool is_incomplete_ = false;
};

}  // namespace tact::actors
