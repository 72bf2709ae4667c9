// Law 8 and the figures of law 4 for a decided chronicle: each customer has heard, and the engine counted the same.
#include <algorithm>

#include "model/laws.hpp"

namespace tact::model {

namespace {

using fate = run_facts::fate;
using sort = step::sort;

std::string counted(const std::map<failure_reason, unsigned>& reasons) {
  std::string text;
  for (const auto& [reason, count] : reasons)
    text += " " + std::to_string(count) + " x " + std::string(to_string(reason));
  return text.empty() ? " nothing" : text;
}

// What one customer was to hear, and what it heard.
struct hearing {
  std::vector<item> answers{};
  std::map<failure_reason, unsigned> refusals{};
  std::vector<item> heard_answers{};
  std::vector<failure_reason> heard_refusals{};
  unsigned dead = 0;
  bool deaf = false;

  [[nodiscard]] unsigned due() const {
    unsigned sum = static_cast<unsigned>(answers.size());
    for (const auto& [reason, count] : refusals) sum += count;
    return sum;
  }
  [[nodiscard]] unsigned heard() const { return static_cast<unsigned>(heard_answers.size() + heard_refusals.size()); }
};

using hearings = std::map<item, hearing>;

void collect_due(const chronicle& c, hearings& all) {
  for (const auto& [name, m] : c.messages) {
    if (m.sent.kind == letter::query && is_asker(m.sent.customer.who)) all[m.sent.customer.who];
    if (m.left && m.sent.kind == letter::answer && c.is_customer(m.to.who)) all[m.to.who].answers.push_back(name);
  }
  for (const auto& [customer, reasons] : notices_of(c)) {
    if (c.is_customer(customer)) all[customer].refusals = reasons;
  }
  for (const auto& [customer, by] : c.askers) {
    const auto asked = std::find_if(by->steps.begin(), by->steps.end(),
                                    [&](const step& s) { return s.asks && s.message.customer.who == customer; });
    all[customer].deaf = asked->who == listener::deaf_beta;
  }
}

void collect_heard(const chronicle& c, hearings& all) {
  for (const run_facts& r : c.runs) {
    if (c.is_customer(r.record->actor)) all[r.record->actor].heard_answers.push_back(r.record->message);
  }
  for (const received& r : c.seen.all.answers) all[r.customer].heard_answers.push_back(r.answer);
  for (const refusal& r : c.seen.all.refused) all[r.customer].heard_refusals.push_back(r.reason);
  const auto names = names_of_addresses(c.seen);
  for (const undelivered& d : c.seen.all.dead) {
    const auto at = names.find(d.target);
    if (at != names.end() && c.is_customer(at->second)) ++all[at->second].dead;
  }
}

// A continuation that nobody has told anything hears at most of the engine's end, once; and it is sent nothing else.
void check_last_word(chronicle& c, item customer, const hearing& h) {
  const bool heard_end = !h.deaf && h.heard() == 1 && h.heard_refusals == std::vector{failure_reason::engine_ended};
  if ((h.heard() == 0 || heard_end) && h.dead == 0) return;
  c.wrong.add("law 11, clean end", customer, {},
              "was owed nothing, heard " + std::to_string(h.heard()) + " times, and there are " +
                  std::to_string(h.dead) + " dead letters for it");
}

void check_hearing(chronicle& c, item customer, const hearing& h) {
  if (!is_asker(customer) && h.due() == 0) return check_last_word(c, customer, h);
  const auto complain = [&](item message, const std::string& what) {
    c.wrong.add("law 8, failure", customer, message, what);
  };
  if (h.heard() > 1) complain({}, "heard " + std::to_string(h.heard()) + " times");
  for (const item a : h.heard_answers) {
    if (std::find(h.answers.begin(), h.answers.end(), a) == h.answers.end()) complain(a, "heard what nobody answered");
  }
  for (const failure_reason r : h.heard_refusals) {
    if (!h.refusals.contains(r)) {
      complain({}, "heard \"" + std::string(to_string(r)) + "\" instead of" + counted(h.refusals));
    }
  }
  const bool may_be_silent = !is_asker(customer) && h.deaf && !h.refusals.empty();
  if (h.heard() == 0 && !may_be_silent) {
    complain(
        h.answers.empty() ? item{} : h.answers.front(),
        "heard nothing; it was owed" + counted(h.refusals) + " and " + std::to_string(h.answers.size()) + " answers");
  }
  // The address of a thread that asks is not known: see check_askers.
  if (!is_asker(customer) && h.heard() + h.dead != h.due()) {
    complain({}, "was owed " + std::to_string(h.due()) + ", heard " + std::to_string(h.heard()) + ", and there are " +
                     std::to_string(h.dead) + " dead letters for it");
  }
}

// Of a cancelled engine: threads that asked from outside have heard, and no customer heard twice.
void check_cut_hearing(chronicle& c, item customer, const hearing& h) {
  if (h.heard() > 1 || (h.heard() == 0 && is_asker(customer))) {
    c.wrong.add("law 11, clean end", customer, {}, "heard " + std::to_string(h.heard()) + " times");
  }
}

// What threads that asked did not take is dead; at addresses that nothing else has.
void check_askers(chronicle& c, const hearings& all) {
  std::size_t left = 0;
  for (const auto& [customer, h] : all) {
    if (is_asker(customer) && h.due() > h.heard()) left += h.due() - h.heard();
  }
  const auto names = names_of_addresses(c.seen);
  const auto dead =
      static_cast<std::size_t>(std::count_if(c.seen.all.dead.begin(), c.seen.all.dead.end(), [&](const undelivered& d) {
        return !d.target.empty() && !names.contains(d.target);
      }));
  if (dead != left) {
    c.wrong.add("law 8, failure", {}, {},
                std::to_string(left) + " answers came too late for threads that ask, and there are " +
                    std::to_string(dead) + " dead letters for them");
  }
}

// Actors hear tact::failure as a message like others, which carries no name: they are counted.
void check_actor_hears(chronicle& c, const actor_facts& a, const std::map<failure_reason, unsigned>& owed,
                       unsigned dead) {
  std::map<failure_reason, unsigned> heard;
  unsigned sum = 0, due = 0;
  for (const run_facts* r : a.runs) {
    if (r->record->kind != letter::failure) continue;
    ++heard[r->record->reason];
    ++sum;
  }
  for (const auto& [reason, count] : owed) due += count;
  bool too_many = false;
  for (const auto& [reason, count] : heard) too_many = too_many || !owed.contains(reason) || owed.at(reason) < count;
  if (too_many || sum + dead != due || (a.alive && dead != 0)) {
    c.wrong.add(
        "law 8, failure", a.who, {},
        "was owed" + counted(owed) + ", heard" + counted(heard) + ", and " + std::to_string(dead) + " were dead");
  }
}

}  // namespace

owed_notices notices_of(const chronicle& c) {
  owed_notices all;
  for (const auto& [name, m] : c.messages) {
    if (m.sent.kind != letter::query || !m.left) continue;
    const run_facts* r = m.consumer();
    auto& customer = all[m.sent.customer.who];
    if (r == nullptr) {
      ++customer[failure_reason::target_ended];
    } else if (r->ended == fate::failed) {
      ++customer[failure_reason::handler_threw];
    } else if (r->must.owes) {
      ++customer[failure_reason::unanswered];
    }
  }
  return all;
}

void check_reports(chronicle& c) {
  std::vector<std::string> thrown, reported = c.seen.all.reports;
  for (const run_facts& r : c.runs) {
    if (r.ended == fate::failed) thrown.push_back(text_of(r.record->run));
  }
  std::sort(thrown.begin(), thrown.end());
  std::sort(reported.begin(), reported.end());
  if (thrown != reported) {
    c.wrong.add(
        "law 8, failure", {}, {},
        std::to_string(thrown.size()) + " handlers threw, and " + std::to_string(reported.size()) + " were reported");
  }
}

void check_customers(chronicle& c) {
  hearings all;
  collect_due(c, all);
  collect_heard(c, all);
  if (c.seen.cut) {
    for (const auto& [customer, h] : all) check_cut_hearing(c, customer, h);
    return;
  }
  for (const auto& [customer, h] : all) check_hearing(c, customer, h);
  check_askers(c, all);

  std::map<item, unsigned> dead;
  const auto names = names_of_addresses(c.seen);
  for (const undelivered& d : c.seen.all.dead) {
    const auto at = names.find(d.target);
    if (at != names.end() && d.message == text_of(letter::failure)) ++dead[at->second];
  }
  const owed_notices owed = notices_of(c);
  for (const auto& [who, a] : c.actors) {
    const auto at = owed.find(who);
    check_actor_hears(c, a, at == owed.end() ? std::map<failure_reason, unsigned>{} : at->second,
                      dead.contains(who) ? dead.at(who) : 0);
  }
}

namespace {

std::uint64_t messages_expected(const chronicle& c) {
  std::uint64_t sent = 0;
  for (const auto& [name, m] : c.messages) sent += m.left;
  for (const run_facts& r : c.runs) {
    if (!r.committed()) continue;
    sent += static_cast<std::uint64_t>(
        std::count_if(r.must.made.begin(), r.must.made.end(), [](const step& s) { return s.what == sort::on_commit; }));
  }
  for (const auto& [who, a] : c.actors) sent += a.pills;
  for (const whereabouts& w : c.seen.all.addresses) sent += !w.is_customer;  // a probe
  for (const auto& [customer, reasons] : notices_of(c)) {
    for (const auto& [reason, count] : reasons) sent += count;
  }
  // What the engine tells continuations at its end.
  for (const refusal& r : c.seen.all.refused)
    sent += r.reason == failure_reason::engine_ended && c.is_customer(r.customer);
  return sent;
}

// Messages by which the engine itself ends an actor whose shard another worker holds: what a run that collided had
// created, and a parallel actor that is at home when a handler threw elsewhere. At most so many.
std::uint64_t own_pills_most(const chronicle& c) {
  std::uint64_t most = 0;
  for (const run_facts& r : c.runs) {
    most += r.ended == fate::failed && c.plan_of_all.how.transactional_ends;
    if (r.ended != fate::collided) continue;
    most += static_cast<std::uint64_t>(std::count_if(r.must.made.begin(), r.must.made.end(), [](const step& s) {
      return s.what == sort::create && is_exclusive(s.where);
    }));
  }
  return most;
}

void compare(chronicle& c, const char* what, std::uint64_t counted, std::uint64_t expected) {
  if (counted == expected) return;
  c.wrong.add(
      "law 4, accounted", {}, {},
      "the engine counted " + std::to_string(counted) + " " + what + ", and there were " + std::to_string(expected));
}

}  // namespace

void check_figures(chronicle& c) {
  const statistics& f = c.seen.figures;
  const auto runs_that = [&](fate end) {
    return static_cast<std::uint64_t>(
        std::count_if(c.runs.begin(), c.runs.end(), [end](const run_facts& r) { return r.ended == end; }));
  };
  compare(c, "failures", f.failures, runs_that(fate::failed));
  compare(c, "dead letters", f.dead_letters, c.seen.all.dead.size());
  compare(c, "commits", f.commits, f.messages_sent - f.failures - f.dead_letters);
  if (!c.seen.cut) {  // then it is not known which of the last runs committed
    const std::uint64_t least = messages_expected(c);
    compare(c, "messages sent", f.messages_sent, std::clamp(f.messages_sent, least, least + own_pills_most(c)));
    compare(c, "collisions", f.collisions, runs_that(fate::collided));
    compare(c, "aborts", f.aborts, runs_that(fate::failed) + runs_that(fate::collided));
  }

  std::map<item, int> parcels;
  for (const item i : c.seen.all.parcels_made) ++parcels[i];
  for (const item i : c.seen.all.parcels_gone) --parcels[i];
  for (const auto& [message, left] : parcels) {
    if (left != 0)
      c.wrong.add("law 4, accounted", {}, message, left > 0 ? "was never destroyed" : "was destroyed twice");
  }
}

std::vector<std::string> check(const program& p, const history& h) {
  complaints wrong;
  if (!h.hung.empty()) wrong.add("law 11, clean end", {}, {}, "the engine did not come to rest: " + h.hung);
  chronicle c(p, h, wrong);
  if (wrong.none()) {
    decide(c);
    for (const auto law : {&check_traces, &check_chains, &check_fates, &check_order, &check_customers, &check_reports})
      law(c);
    if (wrong.none()) check_figures(c);
  }
  std::vector<std::string> all = wrong.all();
  all.insert(all.end(), h.complaints.begin(), h.complaints.end());
  return all;
}

}  // namespace tact::model
