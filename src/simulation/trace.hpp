// The last operations of a schedule, to be read after it failed.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>
#include <vector>

namespace tact::simulation {

class trace {
 public:
  void clear() noexcept { count_ = 0; }

  // `what` must be a literal.
  void add(unsigned thread, const char* what, const void* at, std::uint64_t value) noexcept {
    events_[count_++ % events_.size()] = {thread, what, at, value};
  }

  // One line for each operation: the thread, what it did, to which word (numbered as they appear), the value.
  [[nodiscard]] std::string text() const {
    std::ostringstream out;
    std::vector<const void*> words;
    for (std::size_t i = count_ > events_.size() ? count_ - events_.size() : 0; i < count_; ++i) {
      const event& e = events_[i % events_.size()];
      auto word = std::find(words.begin(), words.end(), e.at);
      if (word == words.end()) word = words.insert(words.end(), e.at);
      out << "  thread " << e.thread << ": " << e.what << " w" << word - words.begin() << ' ' << e.value << '\n';
    }
    return out.str();
  }

 private:
  struct event {
    unsigned thread;
    const char* what;
    const void* at;
    std::uint64_t value;
  };
  std::array<event, 64> events_{};
  std::size_t count_ = 0;
};

}  // namespace tact::simulation
