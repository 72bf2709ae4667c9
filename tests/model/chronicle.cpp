#include "model/chronicle.hpp"

#include <algorithm>

namespace tact::model {

namespace {

using progress = run_facts::progress;
using fate = run_facts::fate;

}  // namespace

void complaints::add(const char* law, item actor, item message, const std::string& what) {
  if (all_.size() == most) return;
  all_.push_back(std::string(law) + ": actor " + text_of(actor) + ", message " + text_of(message) + ": " + what);
}

const run_facts* message_facts::consumer() const noexcept {
  const auto at = std::find_if(runs.begin(), runs.end(), [](const run_facts* r) {
    return r->ended == fate::committed || r->ended == fate::failed;
  });
  return at == runs.end() ? nullptr : *at;
}

chronicle::chronicle(const program& p, const history& h, complaints& c) : plan_of_all(p), seen(h), wrong(c) {
  add_founders();
  read_outside();
  for (const run_record& r : h.all.runs) {
    runs.emplace_back().record = &r;
    if (!run_by_name.emplace(r.run, &runs.back()).second) {
      wrong.add("history", r.actor, r.message, "two runs are called " + text_of(r.run));
    }
  }
  for (run_facts& r : runs) {
    if (resolve(r.record->run) == nullptr) {
      wrong.add("history", r.record->actor, r.record->message, "run " + text_of(r.record->run) + " makes no sense");
    }
  }
  for (const survivor& s : h.all.survivors) {
    actor_facts* a = actor(s.actor);
    if (a == nullptr) {
      wrong.add("law 1, all or nothing", s.actor, {}, "is alive, and nobody created it");
    } else if (a->alive) {
      wrong.add("law 4, accounted", s.actor, {}, "handled one probe twice");
    } else {
      a->alive = s;
    }
  }
}

message_facts* chronicle::message(item i) {
  const auto at = messages.find(i);
  return at == messages.end() ? nullptr : &at->second;
}
actor_facts* chronicle::actor(item i) {
  const auto at = actors.find(i);
  return at == actors.end() ? nullptr : &at->second;
}

void chronicle::add_founders() {
  for (unsigned i = 0; i < plan_of_all.founders.size(); ++i) {
    const founder_plan& f = plan_of_all.founders[i];
    actor_facts a;
    a.who = founder(i);
    a.where = f.where;
    a.script = plan_of_all.script_number(f.script);
    a.exists = true;
    actors.emplace(a.who, a);
  }
}

void chronicle::read_outside() {
  const auto founders = static_cast<unsigned>(plan_of_all.founders.size());
  for (unsigned t = 0; t < plan_of_all.threads.size() && founders != 0; ++t) {
    const auto& acts = plan_of_all.threads[t];
    for (unsigned i = 0; i < acts.size(); ++i) {
      const outside_act& a = acts[i];
      const item to = founder(a.to % founders);
      if (a.what == outside_act::sort::cancel) continue;
      if (a.what == outside_act::sort::pill) {
        actor_facts& target = actors.at(to);
        target.pills += target.where == place::classic;
        continue;
      }
      message_facts m;
      const bool asks = a.what == outside_act::sort::ask;
      const letter kind = asks ? letter::query : a.kind <= letter::crate ? a.kind : letter::nudge;
      m.sent = {sent_outside(t + 1, i), kind, a.fuel, {}, {}};
      if (asks) m.sent.customer.who = asker_outside(t + 1, i);
      m.to.who = to;
      m.by = outside(t + 1);
      m.left = true;
      messages.emplace(m.sent.message, m);
    }
  }
}

// What a run did follows from what it saw: the message, which an earlier run made, and the state, which another did.
run_facts* chronicle::resolve(run_name name) {
  const auto at = run_by_name.find(name);
  if (at == run_by_name.end()) return nullptr;
  run_facts& r = *at->second;
  if (r.how_far == progress::known) return &r;
  if (r.how_far != progress::fresh) return nullptr;
  r.how_far = progress::in_progress;
  r.entry.run = name;
  if (!set_scene(r)) {
    r.how_far = progress::senseless;
    return nullptr;
  }
  r.steps = plan(plan_of_all, r.entry);
  r.must = outcome_of(r.entry, r.steps);
  r.how_far = progress::known;
  note_steps(r);
  compare(r);
  return &r;
}

bool chronicle::set_scene(run_facts& r) {
  if (!set_message(r)) return false;
  const item who = r.record->actor;
  if (who.by() != outside(0) && resolve(who.by()) == nullptr) return false;
  if (askers.contains(who)) return set_customer(r);
  actor_facts* a = actor(who);
  if (a == nullptr || !set_state(r, *a)) return false;
  a->runs.push_back(&r);
  return true;
}

bool chronicle::set_message(run_facts& r) {
  const run_record& seen_by = *r.record;
  if (seen_by.kind == letter::failure) {
    r.entry.message.kind = letter::failure;
    r.entry.message.message = {};
    return true;
  }
  const item name = seen_by.message;
  if (!is_outside(name.by()) && resolve(name.by()) == nullptr) return false;
  message_facts* m = message(name);
  if (m == nullptr) return false;
  r.entry.message = m->sent;
  m->runs.push_back(&r);
  if (m->to.who != seen_by.actor) {
    wrong.add("law 13, addresses", seen_by.actor, name, "was sent to " + text_of(m->to.who));
  }
  return true;
}

bool chronicle::set_state(run_facts& r, const actor_facts& a) {
  r.entry.self.who = a.who;
  r.entry.where = a.where;
  r.entry.may_change = r.record->kind != letter::failure;
  r.entry.seen.script = a.script;
  if (r.record->seen == 0) return true;
  const run_facts* before = resolve(r.record->seen);
  if (before == nullptr) return false;
  if (before->record->actor != a.who || !before->must.next) {
    wrong.add("law 2, isolated", a.who, r.record->message,
              "saw a behaviour of run " + text_of(r.record->seen) + ", which did not become anything");
    return false;
  }
  r.entry.seen = *before->must.next;
  return true;
}

bool chronicle::set_customer(run_facts& r) {
  const run_facts& by = *askers.at(r.record->actor);
  const auto asked = std::find_if(by.steps.begin(), by.steps.end(),
                                  [&](const step& s) { return s.asks && s.message.customer.who == r.record->actor; });
  r.entry.self = by.entry.self;
  r.entry.may_change = false;
  r.entry.seen.script = asked->next.script;
  return true;
}

void chronicle::note_steps(run_facts& r) {
  for (const step& s : r.steps) {
    if (s.what == step::sort::message) {
      message_facts m;
      m.sent = s.message;
      m.to = s.to;
      m.by = r.entry.run;
      messages.emplace(s.made, m);
      if (s.asks && s.message.customer.who.by() == r.entry.run) askers.emplace(s.message.customer.who, &r);
    } else if (s.what == step::sort::create) {
      actor_facts a;
      a.who = s.made;
      a.where = s.where;
      a.script = s.next.script;
      a.creator = r.entry.run;
      actors.emplace(s.made, a);
    }
  }
}

void chronicle::compare(const run_facts& r) {
  const run_record& got = *r.record;
  const contents& sent = r.entry.message;
  const auto complain = [&](const char* law, const std::string& what) {
    wrong.add(law, got.actor, got.message, what + " in run " + text_of(got.run));
  };
  if (got.kind != sent.kind || got.fuel != sent.fuel || got.introduced != sent.introduced.who || got.damaged) {
    complain("law 4, accounted", "is not as it was sent");
  }
  if (got.script != r.entry.seen.script) {
    complain("law 2, isolated",
             "saw script " + std::to_string(got.script) + " instead of " + std::to_string(r.entry.seen.script));
  }
  if (got.returned == got.threw || got.threw != r.must.fails) {
    complain("law 8, failure", r.must.fails ? "did not throw" : "ended by an exception of somebody else");
  }
  if (got.returned && got.seen != got.seen_after) {
    complain("law 2, isolated", "saw another behaviour at its end than at its entry");
  }
}

}  // namespace tact::model
