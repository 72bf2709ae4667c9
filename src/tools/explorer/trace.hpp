// The operations of one schedule, to be read after it failed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "tools/explorer/names.hpp"

namespace tact::explorer {

class trace {
 public:
  // `what` must be a literal; it is in brackets where it is no operation of the thread itself.
  void add(unsigned thread, const char* what, const void* at) { events_.push_back({thread, what, at, 0, 0, 0}); }
  void add(unsigned thread, const char* what, const void* at, std::uint64_t value) {
    events_.push_back({thread, what, at, 1, 0, value});
  }
  void add(unsigned thread, const char* what, const void* at, std::uint64_t before, std::uint64_t value) {
    events_.push_back({thread, what, at, 2, before, value});
  }

  // One line for each operation: the thread, what it did, to which word, the value. A blank line where another thread
  // goes on. Of a very long trace only the beginning and the end are shown.
  [[nodiscard]] std::string text(names&, const std::vector<std::string>& threads) const;

 private:
  struct event {
    unsigned thread;
    const char* what;
    const void* at;  // null: no word
    unsigned values;
    std::uint64_t before;  // if there are two values
    std::uint64_t value;
  };
  std::vector<event> events_;
};

}  // namespace tact::explorer
