// What the tests of all toolkits have in common: an actor that counts presses and has their number shown.
#pragma once

#include <chrono>
#include <string>

#include "support/engine_fixture.hpp"

namespace tact::gui_tests {

struct text {
  std::string value;
};
struct label : protocol<text> {};
struct press {};
struct counter : protocol<press> {};

inline behavior<counter> count_presses(ref<label> shown, int presses = 0) {
  return {[=](self<counter>& self, const press&) {
    self.send(shown, text{std::to_string(presses + 1)});
    self.become(count_presses(shown, presses + 1));
  }};
}

// Lets the toolkit wait for events, at most a second each time, until it is over; a test that hangs fails.
template <class Over, class Wait>
bool wait_until(Over over, Wait wait) {
  const auto end = std::chrono::steady_clock::now() + support::generous;
  while (!over()) {
    if (std::chrono::steady_clock::now() > end) return false;
    wait();
  }
  return true;
}

}  // namespace tact::gui_tests
