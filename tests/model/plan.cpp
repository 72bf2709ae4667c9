#include "model/plan.hpp"

#include <algorithm>
#include <utility>

namespace tact::model {

namespace {

using sort = step::sort;

class planner {
 public:
  planner(const program& p, const scene& s) : program_(&p), scene_(&s), next_(s.seen) {}

  std::vector<step> make() {
    // What comes of a message has its fuel among it: so a program comes to an end.
    if (scene_->seen.forwards && scene_->may_change) {
      share_ = scene_->message.fuel == 0 ? 0 : scene_->message.fuel - 1;
      pass_to(scene_->seen.forward_to);
      return std::move(steps_);
    }
    const rule& acts = rule_of_message();
    unsigned wanted = 0;
    for (const act& a : acts) wanted += messages_of(a);
    share_ = scene_->message.fuel == 0 || wanted == 0 ? 0 : (scene_->message.fuel - 1) / wanted;
    for (const act& a : acts) {
      if (perform(a)) return std::move(steps_);
    }
    announce_change();
    return std::move(steps_);
  }

 private:
  const rule& rule_of_message() const {
    static const rule nothing;
    if (program_->scripts.empty()) return nothing;
    const script& s = program_->scripts[program_->script_number(scene_->seen.script)];
    return s.rules[static_cast<unsigned>(scene_->message.kind)];
  }
  unsigned messages_of(const act& a) const {
    if (a.what == verb::send) return a.times;
    if (a.what == verb::release) return kept_max;
    return a.what == verb::ask || a.what == verb::reply || a.what == verb::pass_on ? 1U : 0U;
  }
  bool has_fuel() const { return scene_->message.fuel != 0; }
  bool handles_query() const { return scene_->message.kind == letter::query; }
  item next_item() { return item::of(scene_->run, ++made_); }
  step& add(sort what) {
    steps_.emplace_back();
    steps_.back().what = what;
    return steps_.back();
  }

  address target(const act& a) const {
    switch (a.to) {
      case whom::founder:
        if (program_->founders.empty()) return {};
        return {founder(a.number % static_cast<unsigned>(program_->founders.size())), 0};
      case whom::self:
        return scene_->self;
      case whom::child:
        return child_;
      case whom::introduced:
        return scene_->message.introduced;
      case whom::nobody:
        break;
    }
    return {};
  }

  // An actor to write to: the latest child, else the actor that this run was told of.
  address introduction() const {
    if (child_.who.is_somebody()) return child_;
    return scene_->message.introduced.who.is_somebody() ? scene_->message.introduced : scene_->self;
  }
  step& message(letter kind, address to) {
    const item made = next_item();
    step& s = add(sort::message);
    s.made = made;
    s.message = {made, kind, share_, kind == letter::nudge ? address{} : introduction(), {}};
    s.to = to;
    return s;
  }
  void answer(address customer) { message(letter::answer, customer).replies = true; }

  // True: the run is over.
  bool perform(const act& a) {
    switch (a.what) {
      case verb::send:
        for (unsigned i = 0; i < a.times && has_fuel(); ++i) {
          message(a.kind <= letter::crate ? a.kind : letter::nudge, target(a)).spread = a.spread;
        }
        return false;
      case verb::create:
        if (has_fuel()) create(a);
        return false;
      case verb::fail:
        add(sort::fail);
        return true;
      case verb::discard:
        add(sort::discard);
        next_ = scene_->seen;
        changes_ = ends_ = false;
        return false;
      case verb::on_commit:
        note_commit();
        return false;
      case verb::ask:
        if (has_fuel()) ask(a);
        return false;
      case verb::reply:
        if (handles_query()) answer(scene_->message.customer);
        return false;
      case verb::pass_on:
        if (handles_query()) pass_to(target(a));
        return false;
      case verb::spin:
        add(sort::spin).times = a.times;
        return false;
      default:
        if (scene_->may_change) change(a);
        return false;
    }
  }

  void create(const act& a) {
    const item made = next_item();
    step& s = add(sort::create);
    s.made = made;
    s.where = a.where == place::blocking ? place::heavy : a.where;
    s.next.script = program_->script_number(a.number);
    child_ = {made, 0};
  }
  void note_commit() {
    const item made = next_item();
    add(sort::on_commit).made = made;
  }
  void ask(const act& a) {
    const bool by_beta = a.who != listener::self || !scene_->may_change;
    const item customer = next_item();
    step& s = message(letter::query, target(a));
    s.asks = true;
    s.who = by_beta && a.who == listener::self ? listener::beta : a.who;
    s.message.customer = by_beta ? address{customer, 0} : scene_->self;
    s.next.script = scene_->seen.script;
  }

  void pass_to(address to) {
    const contents& m = scene_->message;
    if (m.kind == letter::failure || !has_fuel()) return;
    const item made = next_item();
    step& s = add(sort::message);
    s.made = made;
    s.message = m;
    s.message.message = made;
    s.message.fuel = share_;
    s.to = to;
  }

  void change(const act& a) {
    if (ends_ && scene_->where == place::classic) return;  // its members cannot take the end back
    switch (a.what) {
      case verb::become:
        next_.script = program_->script_number(a.number);
        return become();
      case verb::forward:
        next_.forwards = true;
        next_.forward_to = target(a);
        return become();
      case verb::defer:
        if (!handles_query() || next_.kept.size() == kept_max || is_asker(scene_->message.customer.who)) return;
        add(sort::defer);
        next_.kept.push_back({scene_->message.message, scene_->message.customer});
        return become();
      case verb::release:
        if (next_.kept.empty()) return;
        for (const kept_request& k : next_.kept) answer(k.customer);
        next_.kept.clear();
        return become();
      default:
        changes_ = ends_ = true;
        add(sort::end).stops = a.what == verb::stop;
    }
  }
  void become() {
    changes_ = true;
    ends_ = false;
    add(sort::become).next = next_;
  }

  // Of several runs that end a parallel actor one wins. Such an actor cannot be asked for its last state: the winner
  // says so.
  void announce_change() {
    if (!changes_ || is_exclusive(scene_->where)) return;
    if (ends_ || program_->how.transactional_ends) note_commit();
  }

  static constexpr unsigned kept_max = 3;

  const program* program_;
  const scene* scene_;
  std::vector<step> steps_;
  state next_;
  address child_;
  unsigned share_ = 0;
  unsigned made_ = 0;
  bool changes_ = false;
  bool ends_ = false;
};

}  // namespace

std::vector<step> plan(const program& p, const scene& s) { return planner(p, s).make(); }

}  // namespace tact::model
