// The word of an actor's end comes behind what the actor has sent, whatever mailbox the watcher has, and whichever
// engine it lives in.
#include "simulation/office.hpp"

namespace last_words_test {

namespace {

using namespace tact::simulated_tests;
using tact::behavior;
using tact::engine;
using tact::mailbox_limit;
using tact::ref;
using tact::request;
using tact::when_full;

struct note {
  int number;
};
struct watcher : tact::protocol<note, tact::ended> {};
struct begin {
  bool fails = false;
};
struct speaker : tact::protocol<begin> {};
struct job {
  using reply = long;
};
struct oracle : tact::protocol<request<job>> {};

struct heard {
  int notes = 0;
  int at_word = -1;  // the notes that had come before the word
};

// The mailboxes that a watcher may have; the last one lives in another engine.
constexpr int mailboxes = 5;
ref<watcher> create_watcher(engine& here, engine& there, int mailbox, heard& h) {
  behavior<watcher> b{[&h](auto&, const note&) { ++h.notes; },
                      [&h](auto&, const tact::ended&) { h.at_word = h.notes; }};
  switch (mailbox) {
    case 0:
      return here.create(std::move(b));
    case 1:
      return here.create(std::move(b), mailbox_limit{.messages = 100});
    case 2:
      return here.create(std::move(b), mailbox_limit{.messages = 100, .when_full = when_full::drop_oldest});
    case 3:
      return here.create(std::move(b), tact::by_priority([](const note&) { return 0; }));
    default:
      return there.create(std::move(b));
  }
}

constexpr int notes = 5;

enum class way { stops, waits_and_stops, becomes_nothing, fails_later, is_ended_later };
constexpr way ways[] = {way::stops, way::waits_and_stops, way::becomes_nothing, way::fails_later, way::is_ended_later};

behavior<speaker> open_speaker(ref<watcher> to, way how, ref<oracle> wise) {
  return {[=](tact::self<speaker>& self, const begin& m) {
    if (m.fails) throw std::runtime_error("as planned");
    for (int i = 0; i < notes; ++i) self.send(to, note{i});
    if (how == way::waits_and_stops) static_cast<void>(self.ask(wise, job{}));
    if (how == way::becomes_nothing) return self.become({});
    if (how == way::stops || how == way::waits_and_stops) self.stop();
  }};
}

void listen(tact::simulation& sim, int mailbox, way how, bool parallel) {
  engine& here = sim.engine(quiet_options(2));
  engine there(quiet_options(1));
  heard h;
  const auto to = create_watcher(here, there, mailbox, h);
  const auto wise = here.create(behavior<oracle>{[](auto& self, const request<job>& m) { self.reply(m, 1L); }});
  {
    tact::scope members(here);
    const auto s = parallel ? members.create(open_speaker(to, how, wise), tact::parallel)
                            : members.create(open_speaker(to, how, wise));
    here.monitor(s, ref<tact::ended>(to));
    here.send(s, begin{});
    if (how == way::fails_later) here.send(s, begin{true});
    here.wait_idle();
  }
  here.wait_idle();
  there.wait_idle();
  sim.check(h.notes == notes, "a note was lost");
  sim.check(h.at_word == notes, "the word came before a note, or not at all");
}

}  // namespace

TEST_CASE("monitor: its word comes behind all that the ended actor has sent, to each mailbox and engine", "[law5]") {
  for (int mailbox = 0; mailbox < mailboxes; ++mailbox) {
    for (const way how : ways) {
      for (const bool parallel : {false, true}) {
        if (parallel && (how == way::fails_later || how == way::waits_and_stops)) continue;  // two runs at once
        INFO("mailbox " << mailbox << ", way " << static_cast<int>(how) << (parallel ? ", parallel" : ""));
        require_in_every_order(30, [=](tact::simulation& sim) { listen(sim, mailbox, how, parallel); });
      }
    }
  }
}

}  // namespace last_words_test
