// What both programs run: an actor that counts words, and tells its loop when each writer has sent its last line.
#pragma once

#include <tact/tact.hpp>

#include <functional>
#include <sstream>
#include <string>

namespace words {

struct line {
  std::string text;
};
struct last_line {};
struct counter : tact::protocol<line, last_line> {};

inline long count(const std::string& text) {
  std::istringstream in(text);
  long found = 0;
  for (std::string word; in >> word;) ++found;
  return found;
}

inline tact::behavior<counter> count_words(std::function<void(long)> done, int writers, long so_far = 0) {
  return {
      [=](tact::self<counter>& self, const line& m) {
        self.become(count_words(done, writers, so_far + count(m.text)));
      },
      [=](tact::self<counter>& self, const last_line&) {
        if (writers > 1) return self.become(count_words(done, writers - 1, so_far));
        self.on_commit([=] { done(so_far); });
        self.stop();
      },
  };
}

}  // namespace words
