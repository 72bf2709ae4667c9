#include "model/node.hpp"

#include <algorithm>
#include <atomic>
#include <concepts>
#include <optional>
#include <stdexcept>
#include <thread>

namespace tact::model {

namespace {

using sort = step::sort;

contents read(const nudge& m) { return {m.message, letter::nudge, m.fuel, {}, {}}; }
contents read(const header& h, letter kind) { return {h.message, kind, h.fuel, h.introduced, {}}; }
contents read(const note& m) { return read(m.h, letter::note); }
contents read(const parcel& m) { return read(m.h, letter::parcel); }
contents read(const crate& m) { return read(m.h, letter::crate); }
contents read(const answer& m) { return read(m.h, letter::answer); }
contents read(const failure&) { return {{}, letter::failure, 0, {}, {}}; }
contents read(const request<query>& m) {
  contents c = read(m.body.h, letter::query);
  c.customer = address_of(m.body.customer, m.customer);
  return c;
}

template <class M>
void note_rest(run_record&, const M&) {}
void note_rest(run_record& r, const failure& m) { r.reason = m.reason; }
void note_rest(run_record& r, const crate& m) {
  r.damaged = std::any_of(m.load.begin(), m.load.end(), [&](std::uint64_t word) { return word != m.h.message.bits; });
}

// What an actor's own kind does differently.
class manner {
 public:
  virtual void become(const state&) = 0;
  virtual void end(bool stops) = 0;
  virtual void forget() {}

 protected:
  ~manner() = default;
};

// Carries out the steps of one run.
class performer {
 public:
  performer(world& w, transaction& tx, manner& how, const scene& s) : world_(&w), tx_(&tx), how_(&how), scene_(&s) {}

  void perform() {
    if (makes(mistake::keeps_quiet) && !is_asker(scene_->message.customer.who)) settle_query();
    const auto steps = plan(world_->what, *scene_);
    if (makes(mistake::sends_before_it_throws)) let_one_escape(steps);
    for (const step& s : steps) carry_out(s);
    for (; !late_.empty(); late_.pop_back()) send(*late_.back());
  }

 private:
  [[nodiscard]] bool makes(mistake m) const { return world_->wrong == m; }

  void carry_out(const step& s) {
    switch (s.what) {
      case sort::message:
        return send_perhaps(s);
      case sort::create:
        return create_child(s);
      case sort::become:
        return become(s.next);
      case sort::end:
        return how_->end(s.stops);
      case sort::fail:
        throw std::runtime_error(text_of(scene_->run));
      case sort::discard:
        late_.clear();
        how_->forget();
        return tx_->discard();
      case sort::on_commit:
        return note_commit(s.made);
      case sort::defer:
        return settle_query();
      case sort::spin:
        // Others get in between, also where there are fewer processing units than workers.
        for (unsigned i = 0; i < s.times; ++i) toil();
    }
  }
  static void toil() {
    std::this_thread::yield();
    std::atomic<unsigned> turns{0};
    while (turns.fetch_add(1) < 200) {
    }
  }

  void send_perhaps(const step& s) {
    if (makes(mistake::forgets_to_send) && s.made.index() == 2) return;
    if (makes(mistake::sends_backwards) && !s.asks) return late_.push_back(&s);
    send(s);
    if (makes(mistake::sends_twice) && s.message.kind == letter::note && world_->doubled++ < 3) send(s);
  }
  void send(const step& s) {
    contents c = s.message;
    c.introduced.port = port_of(c.introduced);
    if (s.asks) c.customer.port = customer_of(s);
    with_message(world_->records, c, [&]<class M>(M&& m) { send(s, std::forward<M>(m)); });
  }
  // A customer may be no node.
  void send(const step& s, answer&& m) {
    if (s.replies) return tx_->send(detail::access::make_ref<answer>(s.to.port), std::move(m));
    tx_->send(node_of(s.to), std::move(m));
  }
  template <class M>
  void send(const step& s, M&& m) {
    if (s.spread) return tx_->send(node_of(s.to), std::forward<M>(m), spread);
    tx_->send(node_of(s.to), std::forward<M>(m));
  }
  void become(state next) {
    next.forward_to.port = port_of(next.forward_to);
    how_->become(makes(mistake::becomes_what_it_was) ? scene_->seen : next);
  }
  // What a failure's callback sends leaves at once: a trace of a run that was discarded.
  void let_one_escape(const std::vector<step>& steps) {
    const auto first = std::find_if(steps.begin(), steps.end(), [](auto& s) { return s.what == sort::message; });
    if (steps.empty() || steps.back().what != sort::fail || first == steps.end()) return;
    if (first->asks || first->replies || first->message.kind == letter::query) return;
    contents c = first->message;
    c.introduced.port = port_of(c.introduced);
    world_->records.mine().escaped = [c, to = node_of(first->to), &records = world_->records] {
      with_message(records, c, [&]<class M>(M&& m) { to | std::forward<M>(m); });
    };
  }

  void create_child(const step& s) {
    const ref<node> child = create(*tx_, persona{world_, s.made, s.where, 0, s.next, nullptr});
    children_.push_back(address_of(s.made, child));
  }
  void settle_query() {
    if (scene_->message.kind != letter::query) return;
    tx_->defer(request<query>{detail::access::make_ref<answer>(scene_->message.customer.port), {}});
  }
  void note_commit(item made) {
    recorder& records = world_->records;
    if (makes(mistake::counts_in_handler)) return records.mine().committed.push_back(made);
    tx_->on_commit([&records, made] { records.mine().committed.push_back(made); });
  }

  [[nodiscard]] detail::port port_of(const address& a) const {
    if (a.port != 0 || !a.who.is_somebody()) return a.port;
    if (a.who.by() == outside(0)) return detail::access::port_of(world_->founders[a.who.index()]);
    for (const address& c : children_) {
      if (c.who == a.who) return c.port;
    }
    return 0;
  }
  [[nodiscard]] ref<node> node_of(const address& a) const { return detail::access::make_ref<node>(port_of(a)); }
  detail::port customer_of(const step& s);

  world* world_;
  transaction* tx_;
  manner* how_;
  const scene* scene_;
  std::vector<address> children_;
  std::vector<const step*> late_;
};

class no_change final : public manner {
 public:
  void become(const state&) override {}
  void end(bool) override {}
};

// One run: what it saw is written down, also when it throws.
template <class M>
void run(world& w, transaction& tx, manner& how, scene s, item actor, const run_name& version, diary* turns,
         const M& m) {
  log& l = w.records.mine();
  s.run = outside(l.number) + ++l.runs_begun;
  s.message = read(m);
  run_record& r = l.runs.emplace_back();
  r.run = s.run;
  r.actor = actor;
  r.kind = s.message.kind;
  r.message = s.message.message;
  r.introduced = s.message.introduced.who;
  r.fuel = s.message.fuel;
  r.seen = version;
  r.script = s.seen.script;
  note_rest(r, m);
  if (turns != nullptr) {
    r.turn = turns->turns++;
    r.met = std::exchange(turns->inside, true);
  }
  if (w.begins) tx.note(text_of(s.run));
  try {
    performer(w, tx, how, s).perform();
    r.seen_after = version;
    r.returned = true;
  } catch (...) {
    r.threw = true;
    if (turns != nullptr) turns->inside = false;
    throw;
  }
  if (turns != nullptr) turns->inside = false;
}

detail::port performer::customer_of(const step& s) {
  if (s.who == listener::self) return detail::access::port_of(ref<answer>(node_of(scene_->self)));
  const item customer = s.message.customer.who;
  const auto answered = [w = world_, owner = scene_->self, script = s.next.script, customer](transaction& tx,
                                                                                             const answer& m) {
    scene mine;
    mine.self = owner;
    mine.may_change = false;
    mine.seen.script = script;
    no_change none;
    const run_name first = 0;
    run(*w, tx, none, mine, customer, first, nullptr, m);
  };
  const auto refused = [&records = world_->records, customer](const failure& f) {
    records.mine().refused.push_back({customer, f.reason});
  };
  const ref<answer> made = s.who == listener::beta ? tx_->beta(answered, refused) : tx_->beta(answered);
  const detail::port p = detail::access::port_of(made);
  world_->records.mine().addresses.push_back({customer, p, text_of_address(p), true});
  return p;
}

scene scene_of(const persona& p, ref<node> self, letter kind) {
  scene s;
  s.self = address_of(p.me, self);
  s.where = p.where;
  s.may_change = kind != letter::failure;
  s.seen = p.now;
  return s;
}

void answer_probe(const persona& p) { p.in->records.mine().survivors.push_back({p.me, p.version, p.now.script}); }

class node_manner final : public manner {
 public:
  node_manner(self<node>& self, const persona& p, run_name next) : self_(&self), p_(&p), next_(next) {}
  void become(const state& s) override { self_->become(open_node({p_->in, p_->me, p_->where, next_, s, p_->turns})); }
  void end(bool stops) override { stops ? self_->stop() : self_->become({}); }

 private:
  self<node>* self_;
  const persona* p_;
  run_name next_;
};

run_name next_run(const world& w) {
  const log& l = w.records.mine();
  return outside(l.number) + l.runs_begun + 1;
}

class clerk_manner final : public manner {
 public:
  clerk_manner(self<clerk>& self, std::optional<state>& next) : self_(&self), next_(&next) {}
  void become(const state& s) override { *next_ = s; }
  void end(bool) override { self_->stop(); }
  void forget() override { next_->reset(); }

 private:
  self<clerk>* self_;
  std::optional<state>* next_;
};

}  // namespace

behavior<node> open_node(persona p) {
  return {[p = std::move(p)]<class M>(self<node>& self, const M& m) {
    if constexpr (std::same_as<M, probe>) {
      answer_probe(p);
    } else {
      node_manner how(self, p, next_run(*p.in));
      run(*p.in, self, how, scene_of(p, self.ref(), read(m).kind), p.me, p.version, p.turns, m);
    }
  }};
}

}  // namespace tact::model

namespace tact::model {

// Its members change at once, and would stay changed if it threw: so they change last.
template <class M>
void clerk::handle(self<clerk>& self, const M& m) {
  if constexpr (std::same_as<M, probe>) {
    answer_probe(p_);
  } else {
    const run_name me = next_run(*p_.in);
    std::optional<state> next;
    clerk_manner how(self, next);
    run(*p_.in, self, how, scene_of(p_, self.ref(), read(m).kind), p_.me, p_.version, p_.turns, m);
    if (!next) return;
    p_.now = *std::move(next);
    p_.version = me;
  }
}

void clerk::receive(self<clerk>& self, const nudge& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const note& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const parcel& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const crate& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const request<query>& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const answer& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const failure& m) { handle(self, m); }
void clerk::receive(self<clerk>& self, const probe& m) { handle(self, m); }

}  // namespace tact::model
