// What one receiver heard of numbered messages, for every runtime.
#pragma once

#include "programs/program.hpp"

namespace bench {

struct tally {
  std::uint64_t handled = 0;
  std::uint64_t sum = 0;
  std::uint64_t in_order = 0;  // those that came right after their predecessor
  std::uint64_t expected = 0;

  void hear(std::uint64_t number) {
    ++handled;
    sum += number;
    in_order += number == expected;
    expected = number + 1;
  }
};

inline void check_tally(program& p, const tally& heard, std::uint64_t messages) {
  p.check_equal(heard.handled, messages, "messages handled");
  p.check_equal(heard.sum, messages * (messages - 1) / 2, "sum of the messages");
  p.check_equal(heard.in_order, messages, "messages in the order sent");
}

}  // namespace bench
