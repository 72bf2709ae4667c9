// Actors that answer and actors that do not, for the tests of asking.
#pragma once

#include "support/engine_fixture.hpp"

namespace tact::support {

struct ask_for {
  using reply = long;
  long what = 0;
};
struct nudge {
  using reply = void;
};
struct end {};
struct clerk : protocol<request<ask_for>, request<nudge>, end> {};

enum class manner { answer, answer_twice, fail, ignore, keep };

// The answer is what was asked for, and one more.
inline behavior<clerk> hire_clerk(manner how) {
  const auto serve = [how](auto& self, const auto& m, const auto& answer) {
    if (how == manner::keep) return self.defer(m);
    if (how == manner::ignore) return;
    answer();
    if (how == manner::answer_twice) answer();
    if (how == manner::fail) throw std::runtime_error("no luck today");
  };
  return {
      [=](auto& self, const request<ask_for>& m) { serve(self, m, [&] { self.reply(m, m.body.what + 1); }); },
      [=](auto& self, const request<nudge>& m) { serve(self, m, [&] { self.reply(m); }); },
      [](tact::self<clerk>& self, const end&) { self.stop(); },
  };
}

}  // namespace tact::support
