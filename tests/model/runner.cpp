#include "model/runner.hpp"

#include <algorithm>
#include <utility>

namespace tact::model {

namespace {

void create_founders(engine& e, world& w) {
  for (unsigned i = 0; i < w.what.founders.size(); ++i) {
    const founder_plan& f = w.what.founders[i];
    state first;
    first.script = w.what.script_number(f.script);
    ref<clerk> c;
    w.founders.push_back(create(e, persona{&w, founder(i), f.where, 0, first, nullptr}, &c));
    w.clerks.push_back(c);
  }
}

void ask(engine& e, world& w, unsigned log, unsigned act, ref<node> to, unsigned fuel) {
  const item customer = asker_outside(log, act);
  try {
    const auto heard = e.ask(to, query{{sent_outside(log, act), {}, fuel}, customer}, patience);
    if (heard) w.records.mine().answers.push_back({customer, heard->h.message});
  } catch (const ask_error& failed) {
    w.records.mine().refused.push_back({customer, failed.reason()});
  }
}

void act_outside(engine& e, world& w, unsigned thread) {
  const unsigned log = thread + 1;
  w.records.call_this_thread(log);
  const auto& acts = w.what.threads[thread];
  for (unsigned i = 0; i < acts.size() && !w.founders.empty(); ++i) {
    const outside_act& a = acts[i];
    const unsigned to = a.to % static_cast<unsigned>(w.founders.size());
    if (a.what == outside_act::sort::cancel) {
      e.cancel();
    } else if (a.what == outside_act::sort::ask) {
      ask(e, w, log, i, w.founders[to], a.fuel);
    } else if (a.what == outside_act::sort::pill) {
      if (w.clerks[to]) e.send(w.clerks[to], finished_msg);
    } else {
      const letter kind = a.kind <= letter::crate ? a.kind : letter::nudge;
      with_message(w.records, {sent_outside(log, i), kind, a.fuel, {}, {}}, [&]<class M>(M&& m) {
        a.spread ? e.send(w.founders[to], std::forward<M>(m), spread) : e.send(w.founders[to], std::forward<M>(m));
      });
    }
  }
}

bool is_cut(const program& p) {
  return std::any_of(p.threads.begin(), p.threads.end(), [](const auto& acts) {
    return std::any_of(acts.begin(), acts.end(), [](auto& a) { return a.what == outside_act::sort::cancel; });
  });
}

class real_threads final : public stage {
 public:
  explicit real_threads(const engine_options& o) : engine_(o) {}
  engine& house() override { return engine_; }
  void run(std::vector<std::function<void()>> threads) override {
    support::on_threads(static_cast<unsigned>(threads.size()), [&](unsigned i) { threads[i](); });
  }
  bool settle() override { return engine_.wait_idle(patience); }

 private:
  engine engine_;
};

}  // namespace

engine_options options_of(const program& p, recorder& r) {
  engine_options o;
  o.workers = p.how.workers;
  o.shards = p.how.shards == 0 ? 0 : std::max(p.how.shards, p.how.workers);
  o.joint_holds = p.how.joint_holds;
  o.collisions_max = p.how.collisions_max;
  const victim_policy victims[] = {&longest_victim, &random_victim, no_victim, &nearest_victim};
  o.victims = victims[p.how.victims % std::size(victims)];
  o.transactional_failure = p.how.transactional_ends ? failure_policy::end : failure_policy::go_on;
  o.classic_failure = p.how.classic_ends ? failure_policy::end : failure_policy::go_on;
  o.blocking_max = static_cast<unsigned>(p.founders.size());
  o.on_failure = [&r](const failure_report& report) {
    log& l = r.mine();
    l.reports.push_back(report.what);
    if (l.escaped) std::exchange(l.escaped, nullptr)();
  };
  o.on_dead_letter = [&r](const dead_letter& d) {
    r.mine().dead.push_back({address_in(d.target), std::string(d.message), d.reason});
  };
  return o;
}

history play(world& w, stage& s) {
  const program& p = w.what;
  recorder& records = w.records;
  records.call_this_thread(0);
  engine& e = s.house();
  if (w.begins) w.begins(e);
  create_founders(e, w);
  std::vector<std::function<void()>> threads;
  for (unsigned t = 0; t < p.threads.size(); ++t) threads.push_back([&e, &w, t] { act_outside(e, w, t); });
  s.run(std::move(threads));
  std::string hung;
  if (s.settle()) {
    for (const whereabouts& a : records.collect().all.addresses) {
      if (!a.is_customer && !is_cut(p)) e.send(detail::access::make_ref<node>(a.port), probe{});
    }
    if (!s.settle()) hung = e.still_running();
  } else {
    hung = e.still_running();
  }
  if (!hung.empty()) (void)e.cancel(support::generous);
  e.drain();
  history h = records.collect();
  h.figures = e.statistics();
  h.hung = hung;
  h.cut = is_cut(p);
  return h;
}

history play_on_threads(const program& p, mistake wrong, const spectator& looks_on) {
  recorder records;
  world w{p, records, wrong, looks_on};
  history h;
  {
    real_threads here(options_of(p, records));
    h = play(w, here);
  }
  // What the end of the engine destroyed.
  h.all.parcels_gone = records.collect().all.parcels_gone;
  return h;
}

}  // namespace tact::model
