// Laws 1 to 7 for a decided chronicle.
#include "model/laws.hpp"

#include <algorithm>
#include <iterator>

namespace tact::model {

namespace {

using fate = run_facts::fate;
using sort = step::sort;

const char* ending(fate f) {
  switch (f) {
    case fate::committed:
      return "did not stage it, or discarded it";
    case fate::collided:
      return "collided";
    case fate::failed:
      return "threw";
    case fate::undecided:
      break;
  }
  return "was not seen";
}

// What is there must have been made by a run that committed it.
void require_made(chronicle& c, item thing, const std::string& what) {
  if (is_outside(thing.by())) return;
  const auto at = c.run_by_name.find(thing.by());
  if (at == c.run_by_name.end()) return c.wrong.add("law 1, all or nothing", {}, thing, what + ", and no run made it");
  const run_facts& r = *at->second;
  if (r.committed() && r.must.find(thing) != nullptr) return;
  c.wrong.add("law 1, all or nothing", r.record->actor, r.record->message,
              what + " " + text_of(thing) + ", but its run " + text_of(r.record->run) + " " + ending(r.ended));
}

void check_callbacks(chronicle& c) {
  std::map<item, unsigned> count;
  for (const item i : c.seen.all.committed) {
    require_made(c, i, "called back");
    ++count[i];
  }
  for (const run_facts& r : c.runs) {
    if (!r.committed()) continue;
    for (const step& s : r.must.made) {
      if (s.what != sort::on_commit || count[s.made] == 1 || (c.seen.cut && count[s.made] == 0)) continue;
      c.wrong.add("law 1, on_commit", r.record->actor, r.record->message,
                  "callback " + text_of(s.made) + " ran " + std::to_string(count[s.made]) + " times");
    }
  }
}

}  // namespace

void check_traces(chronicle& c) {
  for (const run_facts& r : c.runs) {
    if (r.record->message.is_somebody()) require_made(c, r.record->message, "there arrived");
    if (c.askers.contains(r.record->actor)) continue;
    require_made(c, r.record->actor, "there ran");
  }
  for (const survivor& s : c.seen.all.survivors) require_made(c, s.actor, "there lives");
  for (const received& r : c.seen.all.answers) require_made(c, r.answer, "there was answered");
  check_callbacks(c);
}

// -- chains of behaviours

namespace {

bool ends_by_failure(const chronicle& c, const actor_facts& a) {
  const settings& how = c.plan_of_all.how;
  return a.where == place::classic ? how.classic_ends : how.transactional_ends;
}

// Each run saw what the last one before it had become.
void check_turns(chronicle& c, const actor_facts& a) {
  run_name version = 0;
  unsigned turn = 0;
  bool ended = false;
  for (const run_facts* r : a.runs) {
    const run_record& got = *r->record;
    if (got.turn != turn || got.met) c.wrong.add("law 6, exclusive", a.who, got.message, "ran beside another run");
    if (got.seen != version) {
      c.wrong.add("law 3, linear", a.who, got.message,
                  "saw the behaviour of run " + text_of(got.seen) + " instead of " + text_of(version));
    }
    if (ended) c.wrong.add("law 3, linear", a.who, got.message, "ran after the end of its actor");
    if (r->committed() && r->must.next) version = got.run;
    ended = ended || (r->committed() && r->must.ends) || (r->ended == fate::failed && ends_by_failure(c, a));
    ++turn;
  }
  if (a.alive && a.alive->version != version) {
    c.wrong.add("law 3, linear", a.who, {},
                "is at " + text_of(a.alive->version) + " at the end, but became " + text_of(version));
  }
}

// The committed changes follow each other from the first behaviour on, one upon the other.
void check_becomes(chronicle& c, const actor_facts& a) {
  std::map<run_name, const run_facts*> after;  // the change that each behaviour was replaced by
  std::size_t changes = 0;
  for (const run_facts* r : a.runs) {
    const run_record& got = *r->record;
    if (got.seen != 0 && !c.run_by_name.at(got.seen)->committed()) {
      c.wrong.add("law 2, isolated", a.who, got.message, "saw what run " + text_of(got.seen) + " did not commit");
    }
    if (!r->committed() || !r->must.changes()) continue;
    ++changes;
    const auto [other, first] = after.emplace(got.seen, r);
    if (!first) {
      c.wrong.add("law 3, linear", a.who, got.message,
                  "replaced the same behaviour as run " + text_of(other->second->record->run));
    }
  }
  run_name last = 0;
  std::size_t chained = 0;
  for (auto at = after.find(0); at != after.end() && chained < changes; at = after.find(last)) {
    last = at->second->record->run;
    ++chained;
    if (at->second->must.ends) break;
  }
  if (chained != changes)
    c.wrong.add("law 3, linear", a.who, {}, "has changes that do not follow from its first behaviour");
  if (a.alive && a.alive->version != last) {
    c.wrong.add("law 3, linear", a.who, {}, "is at " + text_of(a.alive->version) + ", but became " + text_of(last));
  }
}

bool may_have_ended(const chronicle& c, const actor_facts& a) {
  if (a.pills != 0) return true;
  return std::any_of(a.runs.begin(), a.runs.end(), [&](const run_facts* r) {
    return (r->committed() && r->must.ends) || (r->ended == fate::failed && ends_by_failure(c, a));
  });
}

}  // namespace

void check_chains(chronicle& c) {
  for (const auto& [who, a] : c.actors) {
    a.exclusive() ? check_turns(c, a) : check_becomes(c, a);
    if (!a.exists || c.seen.cut) continue;
    const bool ended = may_have_ended(c, a);
    if (a.alive && ended) c.wrong.add("law 3, linear", who, {}, "lives after its end");
    if (!a.alive && !ended) c.wrong.add("law 4, accounted", who, {}, "is not there any more, and nothing ended it");
  }
}

// -- messages

namespace {

void check_runs_of(chronicle& c, item name, const message_facts& m) {
  unsigned final = 0, changes = 0;
  for (const run_facts* r : m.runs) {
    final += r->ended == fate::committed || r->ended == fate::failed;
    changes += r->ended == fate::collided;
  }
  if (final > 1) c.wrong.add("law 4, accounted", m.to.who, name, "was handled " + std::to_string(final) + " times");
  if (final + changes > c.plan_of_all.how.collisions_max + 1) {
    c.wrong.add("law 7, progress", m.to.who, name, "ran " + std::to_string(final + changes) + " times");
  }
}

// Other than probes, pills of the program and of the engine itself, and notices, which law 8 counts.
bool is_of_program(const std::string& message) {
  constexpr const char* others[] = {"probe", "poison_pill", "poison pill"};
  return std::find(std::begin(others), std::end(others), message) == std::end(others) &&
         message != text_of(letter::failure);
}

using letters_by_kind = std::map<std::pair<item, std::string>, long>;

}  // namespace

std::map<std::string, item> names_of_addresses(const history& h) {
  std::map<std::string, item> names;
  for (const whereabouts& w : h.all.addresses) names.emplace(w.text, w.who);
  return names;
}

void check_fates(chronicle& c) {
  letters_by_kind missing;
  for (const auto& [name, m] : c.messages) {
    check_runs_of(c, name, m);
    if (!m.left || m.consumer() != nullptr || c.seen.cut) continue;
    const actor_facts* to = c.actor(m.to.who);
    if (to != nullptr && to->alive) c.wrong.add("law 4, accounted", m.to.who, name, "was never handled");
    if (!c.is_customer(m.to.who)) ++missing[{m.to.who, text_of(m.sent.kind)}];
  }
  if (c.seen.cut) return;
  const auto names = names_of_addresses(c.seen);
  for (const undelivered& d : c.seen.all.dead) {
    const auto at = names.find(d.target);
    if (at == names.end() && !d.target.empty()) continue;  // a thread that asked, or had
    const item to = at == names.end() ? item{} : at->second;
    if (c.is_customer(to)) continue;  // law 8
    if (!is_of_program(d.message)) continue;
    --missing[{to, d.message}];
  }
  for (const auto& [what, count] : missing) {
    if (count == 0) continue;
    c.wrong.add("law 4, accounted", what.first, {},
                std::to_string(count) + " messages " + what.second + " are neither handled nor dead letters");
  }
}

// -- order

namespace {

struct sender {
  item actor{};  // an exclusive one, or none
  run_name run = 0;
  friend auto operator<=>(const sender&, const sender&) = default;
};

}  // namespace

void check_order(chronicle& c) {
  for (const auto& [who, a] : c.actors) {
    if (!a.exclusive()) continue;
    std::map<sender, std::pair<unsigned, unsigned>> latest;
    for (const run_facts* r : a.runs) {
      const item m = r->record->message;
      if (!m.is_somebody()) continue;
      sender from{{}, m.by()};
      std::pair<unsigned, unsigned> at{0, m.index()};
      if (!is_outside(m.by())) {
        const run_record& by = *c.run_by_name.at(m.by())->record;
        const actor_facts* author = c.actor(by.actor);
        if (author != nullptr && author->exclusive()) {
          from = {by.actor, 0};
          at.first = by.turn;
        }
      }
      const auto [before, first] = latest.emplace(from, at);
      if (!first && !(before->second < at)) {
        c.wrong.add("law 5, order", who, m, "arrived after one that its sender sent later");
      }
      before->second = at;
    }
  }
}

}  // namespace tact::model
