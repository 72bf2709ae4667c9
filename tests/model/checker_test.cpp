// The checker of histories is not fooled: when a test changes one thing in a history that is right, the checker names
// the law, the actor and the message.
#include <functional>
#include <iostream>

#include "model/generator.hpp"
#include "model/hunt.hpp"
#include "model/laws.hpp"
#include "model/sequence.hpp"
#include "support/engine_fixture.hpp"

namespace {

using namespace tact::model;
using namespace tact::support;

act sends(letter kind, unsigned to, unsigned times) {
  act a;
  a.what = verb::send;
  a.kind = kind;
  a.number = to;
  a.times = times;
  return a;
}
act does(verb what) {
  act a;
  a.what = what;
  return a;
}
outside_act sent(letter kind, unsigned to) { return {outside_act::sort::send, kind, to, 10, false}; }

// Founder 0 is parallel: a note makes it write two notes to founder 1, call back and become; it throws at a parcel,
// after having sent; it answers. Founder 1, which is ordered, ends at a crate.
program small_program() {
  program p;
  p.how.collisions_max = 0;
  p.scripts.resize(2);
  p.scripts[0].rules[unsigned(letter::note)] = {sends(letter::note, 1, 2), does(verb::on_commit), does(verb::become)};
  p.scripts[0].rules[unsigned(letter::parcel)] = {sends(letter::note, 1, 1), does(verb::fail)};
  p.scripts[0].rules[unsigned(letter::query)] = {does(verb::reply)};
  p.scripts[1].rules[unsigned(letter::crate)] = {does(verb::stop)};
  p.founders = {{place::parallel, 0}, {place::ordered, 1}};
  p.threads = {{sent(letter::note, 0),
                sent(letter::note, 0),
                sent(letter::parcel, 0),
                {outside_act::sort::ask, letter::nudge, 0, 10, false}}};
  return p;
}

run_record& run_of(history& h, letter kind, item actor, unsigned nth) {
  for (run_record& r : h.all.runs) {
    if (r.kind == kind && r.actor == actor && r.returned == (kind != letter::parcel) && nth-- == 0) return r;
  }
  throw std::logic_error("no such run");
}

const item writer = founder(0), reader = founder(1);

struct lie {
  const char* law;
  item actor;
  std::function<item(history&)> tell;  // returns the message that must be named
};

// Another attempt at a message, by a run of a name of its own.
void run_again(history& h, const run_record& r, unsigned times) {
  const run_record again = r;
  for (unsigned i = 0; i < times; ++i) {
    h.all.runs.push_back(again);
    h.all.runs.back().run = outside(20) + i + 1;
  }
}

std::vector<lie> lies_about_commits() {
  return {
      {"law 1, all or nothing", writer,
       [](history& h) {
         const run_record threw = run_of(h, letter::parcel, writer, 0);
         run_record ghost = run_of(h, letter::note, reader, 0);
         ghost.run = outside(20) + 1;
         ghost.message = item::of(threw.run, 1);
         ghost.fuel = 9;
         ghost.turn = 4;
         h.all.runs.push_back(ghost);
         return threw.message;
       }},
      {"law 1, on_commit", writer,
       [](history& h) {
         const item missing = h.all.committed.back();
         h.all.committed.pop_back();
         for (const run_record& r : h.all.runs) {
           if (r.run == missing.by()) return r.message;
         }
         return item{};
       }},
      {"law 1, on_commit", writer,
       [](history& h) {
         h.all.committed.push_back(h.all.committed.front());
         for (const run_record& r : h.all.runs) {
           if (r.run == h.all.committed.front().by()) return r.message;
         }
         return item{};
       }},
  };
}
std::vector<lie> lies_about_behaviours() {
  return {
      {"law 2, isolated", writer,
       [](history& h) {
         return run_of(h, letter::note, writer, 1).script = 1, run_of(h, letter::note, writer, 1).message;
       }},
      {"law 2, isolated", writer,
       [](history& h) {
         run_record& r = run_of(h, letter::query, writer, 0);
         r.seen_after = outside(20) + 1;
         return r.message;
       }},
      {"law 3, linear", writer,
       [](history& h) {
         run_record& second = run_of(h, letter::note, writer, 1);
         second.seen = second.seen_after = 0;
         return second.message;
       }},
      {"law 3, linear", writer,
       [](history& h) {
         for (auto& s : h.all.survivors) {
           if (s.actor == writer) s.version = 0;
         }
         return item{};
       }},
  };
}
std::vector<lie> lies_about_messages() {
  return {
      {"law 4, accounted", reader,
       [](history& h) {
         const item lost = run_of(h, letter::note, reader, 3).message;
         h.all.runs.erase(
             std::find_if(h.all.runs.begin(), h.all.runs.end(), [&](auto& r) { return r.message == lost; }));
         return lost;
       }},
      {"law 4, accounted", writer,
       [](history& h) {
         run_again(h, run_of(h, letter::query, writer, 0), 1);
         return run_of(h, letter::query, writer, 0).message;
       }},
      {"law 4, accounted", reader,
       [](history& h) {
         run_of(h, letter::note, reader, 2).damaged = true;
         return run_of(h, letter::note, reader, 2).message;
       }},
      {"law 4, accounted", item{},
       [](history& h) {
         ++h.figures.messages_sent;
         return item{};
       }},
      {"law 4, accounted", item{},
       [](history& h) {
         h.all.parcels_made.push_back(sent_outside(1, 2));
         return sent_outside(1, 2);
       }},
      {"law 5, order", reader,
       [](history& h) {
         run_record& first = run_of(h, letter::note, reader, 0);
         for (run_record& r : h.all.runs) {
           if (r.message.by() != first.message.by() || r.message == first.message) continue;
           std::swap(r.turn, first.turn);
         }
         return first.message;
       }},
      {"law 6, exclusive", reader,
       [](history& h) {
         run_of(h, letter::note, reader, 1).met = true;
         return run_of(h, letter::note, reader, 1).message;
       }},
  };
}
std::vector<lie> lies_about_failures() {
  return {
      {"law 7, progress", writer,
       [](history& h) {
         run_again(h, run_of(h, letter::note, writer, 0), 4);
         return run_of(h, letter::note, writer, 0).message;
       }},
      {"law 8, failure", asker_outside(1, 3),
       [](history& h) {
         const item unheard = h.all.answers.front().answer;
         h.all.answers.clear();
         return unheard;
       }},
      {"law 8, failure", asker_outside(1, 3),
       [](history& h) {
         h.all.answers.clear();
         h.all.refused.push_back({asker_outside(1, 3), tact::failure_reason::unanswered});
         return item{};
       }},
      {"law 8, failure", item{},
       [](history& h) {
         h.all.reports.clear();
         return item{};
       }},
      {"law 8, failure", writer,
       [](history& h) {
         run_record& r = run_of(h, letter::parcel, writer, 0);
         std::swap(r.threw, r.returned);
         return r.message;
       }},
      {"law 11, clean end", item{},
       [](history& h) {
         h.hung = "worker 0 runs node handling note";
         return item{};
       }},
      {"law 13, addresses", writer,
       [](history& h) {
         run_record& r = run_of(h, letter::note, reader, 3);
         r.actor = writer;
         return r.message;
       }},
  };
}

std::vector<lie> lies() {
  std::vector<lie> all;
  for (const auto some : {lies_about_commits, lies_about_behaviours, lies_about_messages, lies_about_failures}) {
    for (lie& l : some()) all.push_back(std::move(l));
  }
  return all;
}

// Takes one record away, or doubles it. False: there is none of that kind.
template <class All>
bool falsify(All& all, dice& d) {
  if (all.empty()) return false;
  const auto at = all.begin() + d.below(static_cast<unsigned>(all.size()));
  if (d.below(2) == 0) {
    all.erase(at);
  } else {
    const auto again = *at;
    all.push_back(again);
  }
  return true;
}
bool falsify_any(history& h, dice& d) {
  switch (d.below(7)) {
    case 0:
      return falsify(h.all.runs, d);
    case 1:
      return falsify(h.all.committed, d);
    case 2:
      return falsify(h.all.refused, d);
    case 3:
      return falsify(h.all.answers, d);
    case 4:
      return falsify(h.all.survivors, d);
    case 5:
      return falsify(h.all.dead, d);
    default:
      return falsify(h.all.reports, d);
  }
}

}  // namespace

TEST_CASE("checker: a history that is right passes, and each lie about it is named by law, actor and message",
          "[model]") {
  TACT_SEEDED(seed);
  const program p = small_program();
  const history right = play_in_sequence(p, seed);
  for (const std::string& line : check(p, right)) FAIL_CHECK(line);
  unsigned number = 0;
  for (const lie& l : lies()) {
    history wrong = right;
    const item message = l.tell(wrong);
    const auto found = check(p, wrong);
    const std::string expected =
        std::string(l.law) + ": actor " + text_of(l.actor) + ", message " + text_of(message) + ":";
    std::string all;
    for (const std::string& line : found) all += line + "\n";
    INFO("lie " << number++ << ", expected: " << expected << "\n" << all);
    CHECK(all.find(expected) != std::string::npos);
  }
}

TEST_CASE("checker: whatever one record is taken away from a history or doubled, it is found out", "[model]") {
  TACT_SEEDED(seed);
  dice d(seed);
  unsigned told = 0;
  for (int n = 0; n < scaled(3'000); ++n) {
    const program p = program_of(seed + static_cast<unsigned>(n), 2);
    history h = play_in_sequence(p, seed);
    if (!falsify_any(h, d)) continue;
    ++told;
    if (!check(p, h).empty()) continue;
    std::cout << text_of(p);
    FAIL("seed=" << seed << ": program " << n << " was falsified, and nobody noticed");
  }
  CHECK(told > 100);
}

TEST_CASE("checker: actors that break a law on a real engine are found out", "[model]") {
  TACT_SEEDED(seed);
  const broken_law mistaken = GENERATE(from_range(broken_laws.begin(), broken_laws.end()));
  INFO(mistaken.law);
  const unsigned found = programs_until_found(on_real_threads(), seed, mistaken);
  std::cout << mistaken.law << ": a deliberate mistake was found after " << found << " programs\n";
  CHECK(found != 0);
}
