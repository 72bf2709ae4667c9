#include "intake.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <utility>

namespace router {
namespace {

struct state {
  tact::ref<dispatcher> to;
  tact::ref<event_ptr> recorder;
  std::uint64_t sent = 0;
  std::uint64_t taken = 0;
  std::optional<event> move{};  // waits until all that was sent is taken
};

void send(tact::self<event_source>& self, state& s, event e) {
  e.number = ++s.sent;
  e.source = self.ref();
  const event_ptr numbered = std::make_shared<const event>(std::move(e));
  self.send(s.to, numbered);
  if (s.recorder) self.send(s.recorder, numbered);
}

// A move that waits goes before what comes after it.
void send_move(tact::self<event_source>& self, state& s) {
  if (s.move) send(self, s, *std::exchange(s.move, std::nullopt));
}

tact::behavior<event_source> intake_with(state before) {
  return {
      [before](tact::self<event_source>& self, const event& m) {
        state s = before;
        if (m.kind == event_kind::move && s.taken < s.sent) {
          s.move = m;
        } else {
          if (m.kind != event_kind::move) send_move(self, s);
          send(self, s, m);
        }
        self.become(intake_with(std::move(s)));
      },
      [before](tact::self<event_source>& self, const taken& m) {
        state s = before;
        s.taken = m.number;
        if (s.taken == s.sent) send_move(self, s);
        self.become(intake_with(std::move(s)));
      },
  };
}

}  // namespace

tact::behavior<event_source> make_intake(tact::ref<dispatcher> to, tact::ref<event_ptr> recorder) {
  return intake_with({to, recorder});
}

}  // namespace router
