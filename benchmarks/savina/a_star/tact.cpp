// A* search: workers look for a way through a graph, and hand back to a master what they leave undone. Savina 27.
#include <atomic>
#include <memory>
#include <vector>

#include "savina/a_star/recount.hpp"
#include "savina/tact.hpp"
#include "savina/work.hpp"

namespace bench {
namespace {

struct start {};
struct work {
  node from;
};
struct received {};
struct done {};
struct stop {};
struct stopped {
  std::uint64_t looked_at;
  std::uint64_t dropped;
};

// All workers share it, as in the suite: the one that comes first to a node owns it.
class claims {
 public:
  explicit claims(const graph& g) : parents_(g.size()), distances_(g.size()) {
    for (auto& one : parents_) one.store(origins::nobody, std::memory_order_relaxed);
  }
  bool claim(node to, node from) {
    node nobody = origins::nobody;
    if (parents_[to].load(std::memory_order_relaxed) != nobody) return false;
    if (!parents_[to].compare_exchange_strong(nobody, from)) return false;
    distances_[to] = distances_[from] + 1;
    return true;
  }
  [[nodiscard]] origins found(const graph& g) const {
    origins o(g);
    std::ranges::copy(parents_, o.parent.begin());
    o.distance = distances_;
    return o;
  }

 private:
  std::vector<std::atomic<node>> parents_;
  std::vector<std::uint32_t> distances_;
};

struct search {
  search_parameters given;
  std::uint64_t workers;
  std::uint64_t batch;
  std::shared_ptr<claims> claimed;
};

class master;

class worker : public tact::actor<worker, work, stop> {
 public:
  worker(const search& all, tact::ref<master> to) : all_(&all), master_(to) {}
  void receive(tact::self<worker>& self, const work& m);
  tact::allocation receive(tact::self<worker>& self, const stop&);

 private:
  // Is the target beside it?
  bool expand(node from) {
    for (const node to : all_->given.where->neighbours(from)) {
      if (!all_->claimed->claim(to, from)) continue;
      if (to == all_->given.where->target()) return true;
      queue_.push_back(to);
    }
    return false;
  }

  const search* all_;
  tact::ref<master> master_;
  std::vector<node> queue_;
  std::uint64_t looked_at_ = 0;
  std::uint64_t dropped_ = 0;
  savina_random dice_;
};

struct master_record {
  std::uint64_t sent = 0;  // works
  std::uint64_t completed = 0;
  std::uint64_t found = 0;
  std::uint64_t stops = 0;
  std::uint64_t stopped = 0;
  std::uint64_t looked_at = 0;  // nodes
  std::uint64_t dropped = 0;
};

class master : public tact::actor<master, start, work, received, done, stopped> {
 public:
  master(const search& all, master_record& record) : all_(&all), record_(&record) {}
  void receive(tact::self<master>& self, const start&) {
    for (std::uint64_t i = 0; i < all_->workers; ++i) workers_.push_back(self.spawn<worker>(*all_, self.ref()));
    receive(self, work{graph::origin});
  }
  void receive(tact::self<master>& self, const work& m) {
    self.send(workers_[record_->sent % workers_.size()], m);
    ++record_->sent;
  }
  void receive(tact::self<master>& self, const received&) {
    if (++record_->completed == record_->sent) stop_all(self);
  }
  void receive(tact::self<master>& self, const done&) {
    ++record_->found;
    stop_all(self);
  }
  tact::allocation receive(tact::self<master>&, const stopped& m) {
    record_->looked_at += m.looked_at;
    record_->dropped += m.dropped;
    return ++record_->stopped == workers_.size() ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  // Perhaps twice: when the target is found, and when all work is done nevertheless.
  void stop_all(tact::self<master>& self) {
    for (const auto to : workers_) self.send(to, stop{});
    record_->stops += workers_.size();
  }

  const search* all_;
  master_record* record_;
  std::vector<tact::ref<worker>> workers_;
};

void worker::receive(tact::self<worker>& self, const work& m) {
  queue_.assign(1, m.from);
  std::size_t next = 0;
  while (next < queue_.size() && next < all_->batch) {
    ++looked_at_;
    savina_spin(dice_, all_->given.draws);
    if (!expand(queue_[next++])) continue;
    self.send(master_, done{});
    dropped_ += queue_.size() - next;
    queue_.clear();
  }
  for (; next < queue_.size(); ++next) self.send(master_, work{queue_[next]});
  self.send(master_, received{});
}

tact::allocation worker::receive(tact::self<worker>& self, const stop&) {
  self.send(master_, stopped{looked_at_, dropped_});
  return tact::allocation::delete_;
}

struct a_star {
  explicit a_star(savina_parameters& p)
      : all{search_parameters(p), p.number("workers", {20, 20, 4}, "workers"),
            p.number("batch", {1'024, 1'024, 16}, "nodes that a worker looks at for one message"), nullptr} {}

  std::uint64_t run(tact::engine& engine) {
    all.claimed = std::make_shared<claims>(*all.given.where);
    engine.send(engine.spawn<master>(all, record), start{});
    engine.wait_finished();
    // The master's start, all works but the first, what it heard of them, and the end; works and stops of the workers.
    return 1 + (record.sent - 1) + 2 * record.completed + record.found + 2 * all.workers;
  }
  void check(program& p, const tact::statistics& s) const {
    const origins found = all.claimed->found(*all.given.where);
    check_search(p, all.given, found, record.found);
    const std::uint64_t in_vain = record.sent - record.completed;
    p.check_equal(record.looked_at + record.dropped + in_vain + record.found, count_found(found) + 1,
                  "nodes looked at, or left when the target was found");
    p.check_equal(s.dead_letters, in_vain + record.stops - all.workers, "messages for workers that had ended");
  }

  search all;
  master_record record;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::a_star>(argc, argv, "A* search: many look for a way through a graph (Savina 27).");
}
