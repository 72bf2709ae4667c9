// Actors of all placements that end in every way; for the tests of monitors.
#pragma once

#include <stdexcept>
#include <vector>

#include "support/engine_fixture.hpp"

namespace tact::monitored_tests {

using namespace tact::support;

struct stop {};
struct vanish {};
struct trip {};
struct say {
  int number = 0;
};
struct target : protocol<stop, vanish, trip, say> {};

inline behavior<target> open_target(ref<say> to = {}) {
  return {[to](self<target>& self, const stop&) {
            if (to) self.send(to, say{7});
            self.stop();
          },
          [](self<target>& self, const vanish&) { self.become({}); },
          [](auto&, const trip&) { throw std::runtime_error("the floor is wet"); },
          [to](auto& self, const say& m) {
            if (to) self.send(to, m);
          }};
}

class classic_target : public actor<classic_target, target> {
 public:
  allocation receive(self<classic_target>&, const stop&) { return allocation::delete_; }
  void receive(self<classic_target>& self, const vanish&) { self.stop(); }
  void receive(self<classic_target>&, const trip&) { throw std::runtime_error("the floor is wet"); }
  void receive(self<classic_target>&, const say&) {}
};

inline engine_options ending_options(unsigned workers) {
  auto o = quiet_options(workers);
  o.transactional_failure = failure_policy::end;
  o.blocking_max = 4;
  return o;
}

inline std::vector<ref<target>> one_of_each(engine& engine) {
  return {engine.create(open_target(), parallel), engine.create(open_target()),
          engine.create(open_target(), heavy),    engine.create(open_target(), blocking),
          engine.spawn<classic_target>(),         engine.spawn<classic_target>(blocking)};
}

}  // namespace tact::monitored_tests
