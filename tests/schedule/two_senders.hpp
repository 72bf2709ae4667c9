// The scenarios in which two threads outside write to two workers, and what such workers may do beside that.
#pragma once

#include <optional>

#include "schedule/staff.hpp"

namespace tact::schedule {

// Each of the threads 0 and 1 sends two letters to its own shard. A handler writes each letter on to `Copies` shards,
// those of the first thread so many times in a row, those of the second one so many. Threads 2 and 3 are the workers.
template <unsigned Shards, unsigned FirstTimes, unsigned SecondTimes, unsigned Copies = 1>
struct two_senders : staff<2, Shards> {
  two_senders() : staff<2, Shards>(2 * power(Copies, FirstTimes) + 2 * power(Copies, SecondTimes)) {}
  unsigned thread_count() const override { return 4; }
  void thread(unsigned index) override {
    if (index >= 2) return this->work(index - 2);
    for (unsigned n = 0; n < 2; ++n) this->send({index, n, index == 0 ? FirstTimes : SecondTimes}, index);
  }
  unsigned copies() const override { return Copies; }

 private:
  static constexpr unsigned power(unsigned base, unsigned times) {
    return times == 0 ? 1 : base * power(base, times - 1);
  }
};

// Workers hold together what they can.
template <class Staff>
struct joining : Staff {
  using Staff::Staff;
  bool joins() const override { return true; }
};

// A worker deals out what it has sent to a sleeping one, instead of waking it.
template <class Staff>
struct withholding : Staff {
  using Staff::Staff;
  bool withholds() const override { return true; }
};

// Each of two workers steals from the other one.
template <class Staff>
struct stealing : Staff {
  using Staff::Staff;
  std::optional<unsigned> victim_of(unsigned me) override { return 1 - me; }
};

// Runs come to nothing, and are done again.
template <class Staff>
struct aborting : Staff {
  using Staff::Staff;
  bool aborts() const override { return true; }
};

}  // namespace tact::schedule
