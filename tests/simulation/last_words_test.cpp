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
    if (parallel) here.wait_idle();  // else the actor may have ended before it is watched
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

TEST_CASE("monitor: one that comes behind the end says why, as long as no other actor has the place", "[law13]") {
  require_in_every_order(30, [](tact::simulation& sim) {
    engine& here = sim.engine(quiet_options(2));
    std::vector<tact::end_reason> told;
    const auto to = here.create(behavior<tact::ended>{[&](auto&, const tact::ended& m) { told.push_back(m.reason); }});
    struct end_now {
      int how;
    };
    const auto open = [] {
      return behavior<end_now>{[](tact::self<end_now>& self, const end_now& m) {
        if (m.how == 0) self.stop();
        if (m.how == 1) self.become({});
        if (m.how == 2) throw std::runtime_error("as planned");
      }};
    };
    std::vector<ref<end_now>> all;
    {
      tact::scope members(here, [](const tact::failure_report&) { return tact::failure_policy::end; });
      for (int how = 0; how < 4; ++how) all.push_back(members.create(open()));
      for (int how = 0; how < 4; ++how) here.send(all[static_cast<std::size_t>(how)], end_now{how});
      here.wait_idle();
    }
    for (const auto& one : all) here.monitor(one, ref<tact::ended>(to));
    here.wait_idle();
    const std::vector<tact::end_reason> expected{tact::end_reason::stopped, tact::end_reason::became_nothing,
                                                 tact::end_reason::failed, tact::end_reason::scope_ended};
    std::string text;
    for (const auto why : told) text += " " + std::string(tact::to_string(why));
    sim.check(told == expected, "another reason was told:" + text);
    // Their places have other actors now.
    for (int i = 0; i < 1'000; ++i) here.send(here.create(open()), end_now{0});
    here.wait_idle();
    told.clear();
    for (const auto& one : all) here.monitor(one, ref<tact::ended>(to));
    here.wait_idle();
    sim.check(told.size() == 4, "a monitor was not told");
    for (std::size_t i = 0; i < told.size(); ++i)
      sim.check(told[i] == expected[i] || told[i] == tact::end_reason::gone, "the reason of another actor was told");
  });
}

}  // namespace last_words_test
