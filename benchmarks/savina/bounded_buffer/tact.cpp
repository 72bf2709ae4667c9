// Bounded buffer: producers bring items that consumers use up; when many wait, producers rest. Savina 10. The buffer is
// classic, or transactional: then it becomes with each message.
#include <deque>

#include "savina/bounded_buffer/production.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class producer;
class consumer;
struct produce {};
struct close {};
struct open {
  std::vector<tact::ref<producer>> producers;
  std::vector<tact::ref<consumer>> consumers;
};
struct item {
  double value;
  tact::ref<producer> from;
};
struct ready {
  tact::ref<consumer> who;
};
struct gone {};
struct buffering : tact::protocol<open, item, ready, gone> {};

class producer : public tact::actor<producer, produce> {
 public:
  producer(tact::ref<buffering> to, const production& plan, production_record& record)
      : buffer_(to), items_(plan.items), cost_(plan.making), record_(&record) {}
  tact::allocation receive(tact::self<producer>& self, const produce&) {
    if (record_->items == items_) {
      self.send(buffer_, gone{});
      return tact::allocation::delete_;
    }
    ++record_->items;
    record_->last = add_logarithms(record_->last, cost_);
    record_->sum += record_->last;
    self.send(buffer_, item{record_->last, self.ref()});
    return tact::allocation::nodelete;
  }

 private:
  tact::ref<buffering> buffer_;
  std::uint64_t items_;
  std::uint64_t cost_;
  production_record* record_;
};

class consumer : public tact::actor<consumer, item, close> {
 public:
  consumer(tact::ref<buffering> from, const production& plan, production_record& record)
      : buffer_(from), cost_(plan.using_up), record_(&record) {}
  void receive(tact::self<consumer>& self, const item& m) {
    ++record_->items;
    record_->sum += m.value;
    record_->last = add_logarithms(record_->last + m.value, cost_);
    self.send(buffer_, ready{self.ref()});
  }
  tact::allocation receive(tact::self<consumer>&, const close&) { return tact::allocation::delete_; }

 private:
  tact::ref<buffering> buffer_;
  std::uint64_t cost_;
  production_record* record_;
};

template <class Queue>
auto take_first(Queue& from) {
  auto first = from.front();
  from.erase(from.begin());
  return first;
}

class buffer : public tact::actor<buffer, buffering> {
 public:
  buffer(std::uint64_t limit, std::uint64_t* most_waiting) : limit_(limit), most_waiting_(most_waiting) {}
  void receive(tact::self<buffer>& self, const open& m) {
    producers_ = m.producers.size();
    consumers_ = m.consumers.size();
    ready_.assign(m.consumers.begin(), m.consumers.end());
    for (const auto to : m.producers) self.send(to, produce{});
  }
  void receive(tact::self<buffer>& self, const item& m) {
    if (ready_.empty()) {
      waiting_.push_back(m);
      *most_waiting_ = std::max<std::uint64_t>(*most_waiting_, waiting_.size());
    } else {
      self.send(take_first(ready_), m);
    }
    if (waiting_.size() >= limit_) {
      resting_.push_back(m.from);
    } else {
      self.send(m.from, produce{});
    }
  }
  tact::allocation receive(tact::self<buffer>& self, const ready& m) {
    if (waiting_.empty()) {
      ready_.push_back(m.who);
    } else {
      self.send(m.who, take_first(waiting_));
      if (!resting_.empty()) self.send(take_first(resting_), produce{});
    }
    return close_when_done(self);
  }
  tact::allocation receive(tact::self<buffer>& self, const gone&) {
    --producers_;
    return close_when_done(self);
  }

 private:
  tact::allocation close_when_done(tact::self<buffer>& self) {
    if (producers_ != 0 || ready_.size() != consumers_) return tact::allocation::nodelete;
    for (const auto to : ready_) self.send(to, close{});
    return tact::allocation::delete_;
  }

  std::uint64_t limit_;
  std::uint64_t* most_waiting_;
  std::uint64_t producers_ = 0;  // that have not gone
  std::uint64_t consumers_ = 0;
  std::deque<item> waiting_;
  std::deque<tact::ref<producer>> resting_;
  std::deque<tact::ref<consumer>> ready_;
};

// What a transactional buffer knows. It is small, so each message copies it.
struct stock {
  std::uint64_t limit;
  std::uint64_t producers = 0;  // that have not gone
  std::uint64_t consumers = 0;
  std::uint64_t most_waiting = 0;
  std::vector<item> waiting{};
  std::vector<tact::ref<producer>> resting{};
  std::vector<tact::ref<consumer>> ready{};

  [[nodiscard]] bool is_done() const { return producers == 0 && ready.size() == consumers; }
};

stock after(tact::transaction& tx, const open& m, const stock& now) {
  for (const auto to : m.producers) tx.send(to, produce{});
  return {.limit = now.limit, .producers = m.producers.size(), .consumers = m.consumers.size(), .ready = m.consumers};
}
stock after(tact::transaction& tx, const item& m, stock now) {
  if (now.ready.empty()) {
    now.waiting.push_back(m);
    now.most_waiting = std::max<std::uint64_t>(now.most_waiting, now.waiting.size());
  } else {
    tx.send(take_first(now.ready), m);
  }
  if (now.waiting.size() >= now.limit) {
    now.resting.push_back(m.from);
  } else {
    tx.send(m.from, produce{});
  }
  return now;
}
stock after(tact::transaction& tx, const ready& m, stock now) {
  if (now.waiting.empty()) {
    now.ready.push_back(m.who);
  } else {
    tx.send(m.who, take_first(now.waiting));
    if (!now.resting.empty()) tx.send(take_first(now.resting), produce{});
  }
  return now;
}
stock after(tact::transaction&, const gone&, stock now) {
  --now.producers;
  return now;
}

tact::behavior<buffering> open_buffer(stock now, std::uint64_t* most_waiting) {
  return {[now = std::move(now), most_waiting](tact::self<buffering>& self, const auto& m) {
    stock next = after(self, m, now);
    if (!next.is_done()) return self.become(open_buffer(std::move(next), most_waiting));
    for (const auto to : next.ready) self.send(to, close{});
    self.on_commit([most_waiting, most = next.most_waiting] { *most_waiting = most; });
    self.stop();
  }};
}

struct bounded_buffer {
  explicit bounded_buffer(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the buffer") == "classic"), plan(p) {}

  std::uint64_t run(tact::engine& engine) {
    // Nobody has more than one message under way to it, so it need not be ordered.
    const tact::ref<buffering> to =
        classic ? tact::ref<buffering>(engine.spawn<buffer>(plan.limit(), &plan.most_waiting))
                : engine.create(open_buffer({.limit = plan.limit()}, &plan.most_waiting), tact::parallel);
    open all;
    for (auto& record : plan.producers) all.producers.push_back(engine.spawn<producer>(to, plan, record));
    for (auto& record : plan.consumers) all.consumers.push_back(engine.spawn<consumer>(to, plan, record));
    engine.send(to, std::move(all));
    engine.wait_finished();
    return plan.messages() + (classic ? 0 : 1);
  }
  void check(program& p, const tact::statistics& s) const {
    plan.check(p);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  production plan;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::bounded_buffer>(
      argc, argv, "Bounded buffer: producers, consumers, and room for few items (Savina 10).");
}
