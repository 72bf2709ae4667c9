#include "inspect/told_history.hpp"

#include <algorithm>
#include <map>
#include <tuple>
#include <unordered_map>

#include "inspect/consistent.hpp"

namespace tact::model {

namespace {

using inspect::event;
using inspect::name_of_message;
using told_step = inspect::step;
using told_outcome = inspect::outcome;
using fate = run_facts::fate;
using sort = step::sort;

constexpr const char* law = "trace";

std::uint64_t actor_at(detail::port p) { return p & ~detail::index_mask; }

// A run of a handler, as the trace tells it.
struct told_run {
  std::string name;
  std::size_t at = 0;  // in the steps
  const event* mark = nullptr;
  std::uint64_t message = 0;
  std::vector<const event*> sent{};
  std::vector<const event*> changes{};  // created, became, stopped
  told_outcome how = told_outcome::none;
  bool is_undone = false;  // by more than a discard
  bool is_last = false;    // of this handling of the message
};

class told_runs {
 public:
  explicit told_runs(const inspect::trace& t) : threads_(t.threads().size()) {
    const auto& all = t.events();
    for (std::size_t i = 0; i < all.size(); ++i) read(all[i], i);
  }

  [[nodiscard]] const std::vector<told_run>& all() const { return runs_; }

 private:
  static constexpr std::size_t none = ~std::size_t{0};
  struct place {
    std::uint64_t message = 0;
    std::size_t run = none;
  };

  void read(const event& e, std::size_t at) {
    place& here = threads_[e.thread];
    told_run* const run = here.run == none ? nullptr : &runs_[here.run];
    switch (e.what) {
      case told_step::begun:
        here = {e.message};
        break;
      case told_step::marked:
        here.run = runs_.size();
        runs_.push_back({std::string(e.text), at, &e, here.message});
        break;
      case told_step::sent:
        if (run != nullptr) run->sent.push_back(&e);
        break;
      case told_step::created:
      case told_step::became:
      case told_step::stopped:
        if (run != nullptr) run->changes.push_back(&e);
        break;
      case told_step::over:
        if (run != nullptr) {
          run->how = e.how;
          run->is_last = true;
        }
        here = {};
        break;
      case told_step::unserved:
        here.run = none;  // it has collided, and its actor has ended meanwhile: what is sent now is no part of it
        break;
      default:
        break;
    }
  }

  std::vector<told_run> runs_;
  std::vector<place> threads_;
};

class comparison {
 public:
  comparison(chronicle& c, const inspect::trace& t, bool in_turns) : c_(c), trace_(t), in_turns_(in_turns), told_(t) {
    for (const whereabouts& w : c.seen.all.addresses) ports_.emplace(w.who, actor_at(w.port));
    for (const event& e : t.events()) {
      if (e.what == told_step::sent) sends_.emplace(e.message, &e);
    }
  }

  void compare() {
    find_runs();
    if (!c_.wrong.none()) return;
    for (const run_facts& r : c_.runs) compare_sends(r, *told_of_.at(r.record->run));
    for (const run_facts& r : c_.runs) compare_message(r, *told_of_.at(r.record->run));
    if (!c_.seen.cut) {
      for (const run_facts& r : c_.runs) compare_end(r, *told_of_.at(r.record->run));
      compare_messages();
      compare_dead();
    }
    compare_threads();
    if (in_turns_) compare_turns();
  }

 private:
  void complain(const run_facts& r, const std::string& what) {
    c_.wrong.add(law, r.record->actor, r.record->message, "run " + text_of(r.record->run) + " " + what);
  }

  // Each run is told once, and no other.
  void find_runs() {
    std::map<std::string, const run_facts*> by_text;
    for (const run_facts& r : c_.runs) by_text.emplace(text_of(r.record->run), &r);
    for (const told_run& t : told_.all()) {
      const auto at = by_text.find(t.name);
      if (at == by_text.end()) {
        c_.wrong.add(law, {}, {}, "it tells a run \"" + t.name + "\", which was not seen");
      } else if (!told_of_.emplace(at->second->record->run, &t).second) {
        complain(*at->second, "is told twice");
      }
    }
    for (const run_facts& r : c_.runs) {
      if (!told_of_.contains(r.record->run)) complain(r, "is not told");
    }
  }

  // What it has sent is told in its order; the core sends notices behind that.
  void compare_sends(const run_facts& r, const told_run& t) {
    std::size_t n = 0;
    for (const step& s : r.steps) {
      if (s.what != sort::message && s.what != sort::on_commit) continue;
      if (n == t.sent.size()) return complain(r, "sent " + text_of(s.made) + ", which is not told");
      compare_send(r, t, s, *t.sent[n++]);
    }
    compare_notices(r, t, n);
  }
  void compare_send(const run_facts& r, const told_run& t, const step& s, const event& e) {
    const auto differs = [&](const std::string& what) { complain(r, "sent " + text_of(s.made) + "; " + what); };
    if (s.what == sort::on_commit ? e.message_type != "on_commit" : !is_of_type(e, s.message.kind))
      return differs("told is a " + std::string(e.message_type));
    const std::uint64_t to = s.what == sort::message ? port_of(s.to.who) : 0;
    if (to != 0 && to != e.actor) differs("it is told for another actor");
    if (e.cause != t.message) differs("its cause is told as another message");
    const bool is_kept = r.must.find(s.made) != nullptr;
    if (is_known(r) ? e.is_undone == (r.committed() && is_kept) : !is_kept && !e.is_undone)
      differs(e.is_undone ? "it is told as undone" : "it is not told as undone");
    number_of_.emplace(s.made, e.message);
  }
  void compare_notices(const run_facts& r, const told_run& t, std::size_t n) {
    const std::size_t told = t.sent.size() - n;
    for (; n != t.sent.size(); ++n) {
      if (t.sent[n]->is_undone || !is_of_type(*t.sent[n], letter::failure))
        return complain(r, "is told to send a " + std::string(t.sent[n]->message_type) + " more");
    }
    const bool is_owed = r.record->kind == letter::query && (r.ended == fate::failed || (r.committed() && r.must.owes));
    if (is_known(r) && told != (is_owed ? 1U : 0U)) complain(r, "has " + std::to_string(told) + " notices told");
  }

  // It handled the message that is told: the one that its sender was told to have sent.
  void compare_message(const run_facts& r, const told_run& t) {
    const item name = r.record->message;
    const auto sent = sends_.find(t.message);
    if (sent == sends_.end()) return complain(r, "handled a message that is not told as sent");
    const event& e = *sent->second;
    if (!is_of_type(e, r.record->kind)) return complain(r, "handled a message that is told as one of another type");
    const std::uint64_t me = port_of(r.record->actor);
    if (me != 0 && e.actor != me) complain(r, "handled a message that is told for another actor");
    if (!name.is_somebody()) return;
    if (is_outside(name.by())) {
      if (e.cause != 0) complain(r, "handled what a thread sent; told is a cause");
      number_of_.emplace(name, t.message);
    }
    const auto number = number_of_.find(name);
    if (number == number_of_.end() || number->second != t.message)
      complain(r, "handled " + text_of(name) + "; told is message " + name_of_message(t.message));
  }

  void compare_end(const run_facts& r, const told_run& t) {
    const bool is_final = t.is_last && (t.how == told_outcome::committed || t.how == told_outcome::failed);
    if (r.ended == fate::collided ? is_final : !is_final) return complain(r, "ended otherwise than is told");
    if (is_final && (t.how == told_outcome::committed) != r.committed())
      return complain(r, r.committed() ? "committed; told is that it failed" : "failed; told is that it committed");
    const bool discards =
        std::any_of(r.steps.begin(), r.steps.end(), [](const step& s) { return s.what == sort::discard; });
    if (t.mark->is_undone != (!r.committed() || discards)) complain(r, "is told otherwise if it was undone");
    if (r.ended != fate::failed) return compare_changes(r, t);
    if (!t.changes.empty()) complain(r, "failed, and changes are told");
  }
  // What it has created is told first: actors, continuations for what it asks, and those that run what is for after the
  // commit. Members of a classic actor change unseen.
  void compare_changes(const run_facts& r, const told_run& t) {
    std::size_t n = 0;
    const auto next_is = [&](told_step what, std::uint64_t actor, const char* text) {
      if (n == t.changes.size() || t.changes[n]->what != what || (actor != 0 && t.changes[n]->actor != actor))
        return complain(r, std::string(text) + "; that is not told");
      if (t.changes[n++]->is_undone == r.committed())
        complain(r, std::string(text) + "; it is told otherwise if it did");
    };
    for (const step& s : r.must.made) {
      if (s.what == sort::create) next_is(told_step::created, port_of(s.made), "created an actor");
      if (s.what == sort::on_commit) next_is(told_step::created, 0, "created a callback");
      if (s.asks && s.message.customer.who.by() == r.record->run)
        next_is(told_step::created, port_of(s.message.customer.who), "created a continuation");
    }
    if (r.must.ends) {
      next_is(told_step::stopped, port_of(r.record->actor), "ended its actor");
    } else if (r.must.next && r.entry.where != place::classic) {
      next_is(told_step::became, port_of(r.record->actor), "became");
    }
    if (n != t.changes.size()) complain(r, "is told to change more than it did");
  }

  // Each message that left is handled to its end, or a dead letter; the others are not.
  void compare_messages() {
    std::unordered_map<std::uint64_t, unsigned> ends;
    for (const event& e : trace_.events()) {
      if (e.what == told_step::over && e.how != told_outcome::forwarded && e.how != told_outcome::put_aside)
        ++ends[e.message];
    }
    std::unordered_map<std::uint64_t, item> names;
    for (const auto& [name, number] : number_of_) {
      const auto [other, first] = names.emplace(number, name);
      if (!first) c_.wrong.add(law, {}, name, "it has the number of " + text_of(other->second));
    }
    for (const auto& [name, m] : c_.messages) {
      const auto number = number_of_.find(name);
      if (number == number_of_.end()) continue;  // of a thread outside, and dead
      const auto end = ends.find(number->second);
      const unsigned told = end == ends.end() ? 0 : end->second;
      if (told != (m.left ? 1U : 0U))
        c_.wrong.add(law, m.to.who, name, "it is told to end " + std::to_string(told) + " times");
    }
  }

  // Dead letters are told with their actor, type and reason.
  void compare_dead() {
    std::map<std::tuple<std::uint64_t, std::string, failure_reason>, int> missing;
    std::map<std::string, std::uint64_t> by_text;
    std::set<std::uint64_t> known;
    for (const whereabouts& w : c_.seen.all.addresses) {
      by_text.emplace(w.text, actor_at(w.port));
      known.insert(actor_at(w.port));
    }
    for (const undelivered& d : c_.seen.all.dead) {
      const auto at = by_text.find(d.target);
      ++missing[{at == by_text.end() ? 0 : at->second, d.message, d.reason}];
    }
    for (const event& e : trace_.events()) {
      if (e.what != told_step::unserved) continue;
      --missing[{known.contains(e.actor) ? e.actor : 0, std::string(e.message_type), e.why}];
    }
    for (const auto& [what, count] : missing) {
      if (count == 0) continue;
      c_.wrong.add(law, {}, {},
                   std::to_string(count) + " dead letters " + std::get<1>(what) + " (" +
                       std::string(to_string(std::get<2>(what))) + ") are not told");
    }
  }

  // What one thread did is told of one thread, in its order. In an engine without workers threads take turns.
  void compare_threads() {
    std::map<unsigned, const told_run*> latest;
    std::map<unsigned, unsigned> log_of_thread;
    for (const auto& [name, run] : told_of_) {  // in the order of the runs of a log
      const auto [before, first] = latest.emplace(log_of(name), run);
      if (!first && (before->second->at >= run->at || before->second->mark->thread != run->mark->thread))
        c_.wrong.add(law, {}, {}, "run " + text_of(name) + " is told in another order than it was seen");
      before->second = run;
      const auto [log, is_new] = log_of_thread.emplace(run->mark->thread, log_of(name));
      if (c_.plan_of_all.how.workers != 0 && log->second != log_of(name))
        c_.wrong.add(law, {}, {}, "run " + text_of(name) + " is told of another thread");
    }
  }

  // Laws 3 and 6: the runs of an exclusive actor are told one after the other; and what a run saw was told before.
  void compare_turns() {
    for (const auto& [who, a] : c_.actors) {
      const told_run* before = nullptr;
      for (const run_facts* r : a.runs) {
        const told_run* const now = told_of_.at(r->record->run);
        if (a.exclusive() && before != nullptr && before->at >= now->at)
          complain(*r, "is told before the run of its actor that came before");
        before = now;
        if (r->record->seen != 0 && told_of_.at(r->record->seen)->at >= now->at)
          complain(*r, "is told before the run whose behaviour it saw");
      }
    }
  }

  // 0: it is not known.
  [[nodiscard]] std::uint64_t port_of(item who) const {
    const auto at = ports_.find(who);
    return at == ports_.end() ? 0 : at->second;
  }
  // Of an engine that was cancelled it is not known which of the last runs committed.
  [[nodiscard]] bool is_known(const run_facts& r) const { return !c_.seen.cut && r.ended != fate::undecided; }
  [[nodiscard]] static bool is_of_type(const event& e, letter kind) {
    if (kind == letter::query) return e.message_type.find("request<") != std::string_view::npos;
    return e.message_type == text_of(kind);
  }

  chronicle& c_;
  const inspect::trace& trace_;
  const bool in_turns_;
  const told_runs told_;
  std::map<item, std::uint64_t> ports_;
  std::unordered_map<std::uint64_t, const event*> sends_;
  std::map<run_name, const told_run*> told_of_;
  std::map<item, std::uint64_t> number_of_;
};

}  // namespace

void check_told(chronicle& c, const inspect::trace& t, bool in_turns) {
  for (const std::string& w :
       support::contradictions_in(t, c.seen.cut ? support::read_when::at_any_time : support::read_when::complete))
    c.wrong.add(law, {}, {}, w);
  if (c.wrong.none()) comparison(c, t, in_turns).compare();
}

}  // namespace tact::model
