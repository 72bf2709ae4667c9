// Which runs committed. A run does not know it; but what it left behind does.
#include <algorithm>

#include "model/chronicle.hpp"

namespace tact::model {

namespace {

using fate = run_facts::fate;

class judge {
 public:
  explicit judge(chronicle& c) : c_(&c) {}

  void decide() {
    collect_traces();
    for (auto& [who, a] : c_->actors) {
      if (a.exclusive()) {
        in_turn(a);
      } else {
        in_parallel(a);
      }
    }
    for (run_facts& r : c_->runs) {
      if (r.ended == fate::undecided) r.ended = r.must.fails ? fate::failed : fate::committed;
    }
    for (auto& [name, m] : c_->messages) {
      if (!is_outside(m.by)) m.left = has_left(m);
    }
    for (auto& [who, a] : c_->actors) {
      if (a.creator == 0) continue;
      const run_facts& by = *c_->run_by_name.at(a.creator);
      a.exists = by.committed() && by.must.find(who) != nullptr;
    }
  }

 private:
  void collect_traces() {
    const log& all = c_->seen.all;
    for (const run_record& r : all.runs) {
      if (r.message.is_somebody()) traces_.insert(r.message.by());
      traces_.insert(r.actor.by());
    }
    for (const item i : all.committed) traces_.insert(i.by());
    for (const refusal& r : all.refused) traces_.insert(r.customer.by());
    for (const received& r : all.answers) traces_.insert(r.answer.by());
    for (const survivor& s : all.survivors) traces_.insert(s.actor.by());
  }
  bool has_left(const message_facts& m) const {
    const run_facts& by = *c_->run_by_name.at(m.by);
    return by.committed() && by.must.find(m.sent.message) != nullptr;
  }
  bool left_traces(const run_facts& r) const { return traces_.contains(r.record->run); }

  // An exclusive actor's runs never collide.
  static void in_turn(actor_facts& a) {
    std::sort(a.runs.begin(), a.runs.end(), [](auto* x, auto* y) { return x->record->turn < y->record->turn; });
    for (run_facts* r : a.runs) r->ended = r->must.fails ? fate::failed : fate::committed;
  }

  void in_parallel(actor_facts& a) {
    for (run_facts* r : a.runs) {
      if (r->must.fails) {
        r->ended = fate::failed;
      } else if (!r->must.changes()) {
        r->ended = fate::committed;  // nothing to validate
      } else {
        r->ended = left_traces(*r) ? fate::committed : fate::collided;
      }
    }
    // What the last of its behaviours came from.
    if (a.alive) mark_chain(a, a.alive->version);
    for (run_facts* r : a.runs) {
      // Of a cancelled engine the last behaviours are known only from the runs that saw them.
      if ((r->committed() && r->must.changes()) || c_->seen.cut) mark_chain(a, r->record->seen);
    }
  }
  void mark_chain(const actor_facts& a, run_name version) {
    for (std::size_t steps = 0; version != 0 && steps <= a.runs.size(); ++steps) {
      const auto at = c_->run_by_name.find(version);
      if (at == c_->run_by_name.end()) return;
      at->second->ended = fate::committed;
      version = at->second->record->seen;
    }
  }

  chronicle* c_;
  std::set<run_name> traces_;
};

}  // namespace

void decide(chronicle& c) { judge(c).decide(); }

}  // namespace tact::model
