#include "model/sequence.hpp"

#include <algorithm>
#include <map>
#include <optional>
#include <vector>

#include "model/outcome.hpp"
#include "support/dice.hpp"
#include "tact/ref.hpp"

namespace tact::model {

namespace {

using sort = step::sort;

// What is on its way.
struct envelope {
  enum class sort : unsigned char { message, notice, callback, pill, probe } what = sort::message;
  contents message{};  // of a callback its name alone
  item to{};
  failure_reason reason{};
  unsigned collisions = 0;
};

struct citizen {
  place where = place::parallel;
  state now{};
  run_name version = 0;
  unsigned turns = 0;
  bool alive = true;
};
struct customer {
  item owner{};
  unsigned script = 0;
  bool deaf = false;
  bool served = false;
};

class world_in_sequence {
 public:
  world_in_sequence(const program& p, std::uint64_t seed) : program_(&p), dice_(seed) {}

  history play() {
    for (unsigned i = 0; i < program_->founders.size(); ++i) {
      const founder_plan& f = program_->founders[i];
      state first;
      first.script = program_->script_number(f.script);
      add_actor(founder(i), f.where, first);
    }
    std::vector<unsigned> done(program_->threads.size());
    const auto threads = static_cast<unsigned>(done.size());
    for (unsigned left = threads; left != 0 || !queue_.empty();) {
      const unsigned t = threads == 0 ? 0 : dice_.below(threads);
      if (left != 0 && (queue_.empty() || dice_.below(4) == 0)) {
        if (done[t] < program_->threads[t].size()) act_outside(t, done[t]);
        if (done[t]++ == program_->threads[t].size()) --left;
      } else {
        deliver(take());
      }
    }
    settle();
    return std::move(h_);
  }

 private:
  log& all() { return h_.all; }
  static std::uint64_t port_of(unsigned number) { return std::uint64_t{number} << 6; }

  void add_actor(item who, place where, const state& first) {
    citizens_[who] = {where, first};
    add_address(who, false);
  }
  void add_customer(item who, const customer& c) {
    customers_[who] = c;
    add_address(who, true);
  }
  void add_address(item who, bool is_customer) {
    address_text_[who] = detail::describe("", port_of(++ports_));
    all().addresses.push_back({who, port_of(ports_), address_text_[who], is_customer});
  }
  void put(envelope e) {
    ++h_.figures.messages_sent;
    queue_.push_back(std::move(e));
  }

  void act_outside(unsigned thread, unsigned act) {
    if (program_->founders.empty()) return;
    const outside_act& a = program_->threads[thread][act];
    if (a.what == outside_act::sort::cancel) return;
    const item to = founder(a.to % static_cast<unsigned>(program_->founders.size()));
    envelope e;
    e.to = to;
    e.message = {sent_outside(thread + 1, act), a.kind <= letter::crate ? a.kind : letter::nudge, a.fuel, {}, {}};
    if (a.what == outside_act::sort::ask) {
      e.message.kind = letter::query;
      e.message.customer.who = asker_outside(thread + 1, act);
      customers_[e.message.customer.who] = {};
    } else if (a.what == outside_act::sort::pill) {
      if (citizens_[to].where != place::classic) return;
      e.what = envelope::sort::pill;
    }
    put(e);
  }

  // Any of those on their way; what waits for an exclusive actor in the order sent.
  envelope take() {
    auto at = queue_.begin() + dice_.below(static_cast<unsigned>(queue_.size()));
    const auto found = citizens_.find(at->to);
    if (found != citizens_.end() && is_exclusive(found->second.where)) {
      at = std::find_if(queue_.begin(), queue_.end(), [to = at->to](const envelope& e) { return e.to == to; });
    }
    envelope e = std::move(*at);
    queue_.erase(at);
    return e;
  }

  void deliver(envelope e) {
    if (e.what == envelope::sort::callback) {
      all().committed.push_back(e.message.message);
      ++h_.figures.commits;
    } else if (customers_.contains(e.to)) {
      serve(e, customers_[e.to]);
    } else if (const auto at = citizens_.find(e.to); at == citizens_.end() || !at->second.alive) {
      bury(e, failure_reason::target_ended);
    } else if (e.what == envelope::sort::pill) {
      at->second.alive = false;
      ++h_.figures.commits;
    } else {
      run(e, at->second);
    }
  }

  void bury(const envelope& e, failure_reason reason) {
    std::string type = text_of(e.message.kind);
    if (e.what == envelope::sort::pill) type = "poison_pill";
    if (e.what == envelope::sort::probe) type = "probe";
    all().dead.push_back({is_asker(e.to) ? "@asker" : address_text_[e.to], type, reason});
    ++h_.figures.dead_letters;
    if (e.what == envelope::sort::message && e.message.kind == letter::query) {
      refuse(e.message.customer.who, failure_reason::target_ended);
    }
  }
  void refuse(item who, failure_reason reason) {
    envelope e;
    e.what = envelope::sort::notice;
    e.message.kind = letter::failure;
    e.to = who;
    e.reason = reason;
    put(e);
  }

  // A beta, or a thread that asks: it hears what comes first.
  void serve(const envelope& e, customer& c) {
    if (std::exchange(c.served, true)) return bury(e, failure_reason::answered_already);
    if (e.what == envelope::sort::notice) {
      if (c.deaf) return bury(e, failure_reason::failure_not_heard);
      all().refused.push_back({e.to, e.reason});
      ++h_.figures.commits;
    } else if (is_asker(e.to)) {
      all().answers.push_back({e.to, e.message.message});
      ++h_.figures.commits;
    } else {
      scene s;
      s.self.who = c.owner;
      s.may_change = false;
      s.seen.script = c.script;
      citizen nobody;
      nobody.now.script = c.script;
      perform(e, s, nobody, e.to);
    }
  }
  void run(const envelope& e, citizen& a) {
    scene s;
    s.self.who = e.to;
    s.where = a.where;
    s.may_change = e.what != envelope::sort::notice;
    s.seen = a.now;
    perform(e, s, a, e.to);
  }

  void perform(const envelope& e, scene& s, citizen& a, item actor) {
    s.run = outside(recorder::reserved) + ++runs_;
    s.message = e.message;
    run_record r;
    r.run = s.run;
    r.actor = actor;
    r.kind = e.message.kind;
    r.message = e.message.message;
    r.introduced = e.message.introduced.who;
    r.fuel = e.message.fuel;
    r.seen = r.seen_after = a.version;
    r.script = a.now.script;
    r.turn = a.turns;
    r.reason = e.reason;
    const auto steps = plan(*program_, s);
    const outcome o = outcome_of(s, steps);
    r.returned = !o.fails;
    r.threw = o.fails;
    all().runs.push_back(r);
    note_addresses(s, steps, o);
    const bool collides = !is_exclusive(s.where) && o.changes() && e.collisions < program_->how.collisions_max;
    if (collides && dice_.below(4) == 0) return collide(e);
    ++a.turns;
    o.fails ? fail(e, a, s.run) : commit(e, a, s, o);
  }
  void collide(envelope e) {
    ++h_.figures.collisions;
    ++h_.figures.aborts;
    ++e.collisions;
    queue_.insert(queue_.begin() + dice_.below(static_cast<unsigned>(queue_.size()) + 1), e);
  }
  void fail(const envelope& e, citizen& a, run_name run) {
    all().reports.push_back(text_of(run));
    ++h_.figures.failures;
    ++h_.figures.aborts;
    if (e.message.kind == letter::query) refuse(e.message.customer.who, failure_reason::handler_threw);
    if (a.where == place::classic ? program_->how.classic_ends : program_->how.transactional_ends) a.alive = false;
  }
  void commit(const envelope& e, citizen& a, const scene& s, const outcome& o) {
    ++h_.figures.commits;
    if (o.next) {
      a.now = *o.next;
      a.version = s.run;
    }
    if (o.ends) a.alive = false;
    for (const step& made : o.made) {
      envelope next;
      next.message = made.message;
      next.to = made.to.who;
      if (made.what == sort::create) citizens_.at(made.made).alive = true;
      if (made.what == sort::message) put(next);
      if (made.what != sort::on_commit) continue;
      next.what = envelope::sort::callback;
      next.message.message = made.made;
      put(next);
    }
    if (o.owes) refuse(e.message.customer.who, failure_reason::unanswered);
  }
  // Of whatever was created, also in vain.
  void note_addresses(const scene& s, const std::vector<step>& steps, const outcome&) {
    for (const step& made : steps) {
      if (made.what == sort::create) {
        add_actor(made.made, made.where, made.next);
        citizens_[made.made].alive = false;
      } else if (made.asks && made.message.customer.who.by() == s.run) {
        add_customer(made.message.customer.who, {s.self.who, made.next.script, made.who == listener::deaf_beta});
      }
    }
  }

  void settle() {
    for (const auto& [who, a] : citizens_) {
      envelope e;
      e.what = envelope::sort::probe;
      e.to = who;
      ++h_.figures.messages_sent;
      if (!a.alive) {
        bury(e, failure_reason::target_ended);
        continue;
      }
      all().survivors.push_back({who, a.version, a.now.script});
      ++h_.figures.commits;
    }
  }

  const program* program_;
  support::dice dice_;
  history h_;
  std::vector<envelope> queue_;
  std::map<item, citizen> citizens_;
  std::map<item, customer> customers_;
  std::map<item, std::string> address_text_;
  unsigned ports_ = 0;
  std::uint64_t runs_ = 0;
};

}  // namespace

history play_in_sequence(const program& p, std::uint64_t seed) { return world_in_sequence(p, seed).play(); }

}  // namespace tact::model
