// The bounded buffer on CAF.
#include <deque>

#include "savina/bounded_buffer/production.hpp"
#include "savina/caf.hpp"

namespace bench {
namespace {

using actors = std::vector<caf::actor>;

using open = caf::atom_constant<caf::atom("open")>;
using item = caf::atom_constant<caf::atom("item")>;
using ready = caf::atom_constant<caf::atom("ready")>;
using gone = caf::atom_constant<caf::atom("gone")>;
using produce = caf::atom_constant<caf::atom("produce")>;
using close = caf::atom_constant<caf::atom("close")>;

class producer : public caf::event_based_actor {
 public:
  producer(caf::actor_config& config, caf::actor to, const production& plan, production_record& record)
      : event_based_actor(config), buffer_(std::move(to)), items_(plan.items), cost_(plan.making), record_(&record) {}
  caf::behavior make_behavior() override {
    return {[this](produce) {
      if (record_->items == items_) {
        send(buffer_, gone::value);
        return quit();
      }
      ++record_->items;
      record_->last = add_logarithms(record_->last, cost_);
      record_->sum += record_->last;
      send(buffer_, item::value, record_->last, caf::actor(this));
    }};
  }

 private:
  caf::actor buffer_;
  std::uint64_t items_;
  std::uint64_t cost_;
  production_record* record_;
};

class consumer : public caf::event_based_actor {
 public:
  consumer(caf::actor_config& config, caf::actor from, const production& plan, production_record& record)
      : event_based_actor(config), buffer_(std::move(from)), cost_(plan.using_up), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](item, double value) {
          ++record_->items;
          record_->sum += value;
          record_->last = add_logarithms(record_->last + value, cost_);
          send(buffer_, ready::value, caf::actor(this));
        },
        [this](close) { quit(); },
    };
  }

 private:
  caf::actor buffer_;
  std::uint64_t cost_;
  production_record* record_;
};

template <class T>
T take_first(std::deque<T>& from) {
  T first = std::move(from.front());
  from.pop_front();
  return first;
}

class buffer : public caf::event_based_actor {
 public:
  buffer(caf::actor_config& config, std::uint64_t limit, std::uint64_t* most_waiting)
      : event_based_actor(config), limit_(limit), most_waiting_(most_waiting) {}
  caf::behavior make_behavior() override {
    return {
        [this](open, const actors& producers, const actors& consumers) {
          producers_ = producers.size();
          consumers_ = consumers.size();
          ready_.assign(consumers.begin(), consumers.end());
          for (const auto& to : producers) send(to, produce::value);
        },
        [this](item, double value, const caf::actor& from) { store(value, from); },
        [this](ready, const caf::actor& who) {
          if (waiting_.empty()) {
            ready_.push_back(who);
          } else {
            send(who, item::value, take_first(waiting_));
            if (!resting_.empty()) send(take_first(resting_), produce::value);
          }
          close_when_done();
        },
        [this](gone) {
          --producers_;
          close_when_done();
        },
    };
  }

 private:
  void store(double value, const caf::actor& from) {
    if (ready_.empty()) {
      waiting_.push_back(value);
      *most_waiting_ = std::max<std::uint64_t>(*most_waiting_, waiting_.size());
    } else {
      send(take_first(ready_), item::value, value);
    }
    if (waiting_.size() >= limit_) {
      resting_.push_back(from);
    } else {
      send(from, produce::value);
    }
  }
  void close_when_done() {
    if (producers_ != 0 || ready_.size() != consumers_) return;
    for (const auto& to : ready_) send(to, close::value);
    ready_.clear();
    quit();
  }

  std::uint64_t limit_;
  std::uint64_t* most_waiting_;
  std::uint64_t producers_ = 0;  // that have not gone
  std::uint64_t consumers_ = 0;
  std::deque<double> waiting_;
  std::deque<caf::actor> resting_;
  std::deque<caf::actor> ready_;
};

struct bounded_buffer {
  explicit bounded_buffer(savina_parameters& p) : plan(p) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto to = system.spawn<buffer>(plan.limit(), &plan.most_waiting);
      actors producers, consumers;
      for (auto& one : plan.producers) producers.push_back(system.spawn<producer>(to, std::cref(plan), std::ref(one)));
      for (auto& one : plan.consumers) consumers.push_back(system.spawn<consumer>(to, std::cref(plan), std::ref(one)));
      caf::anon_send(to, open::value, std::move(producers), std::move(consumers));
    }
    system.await_all_actors_done();
    return plan.messages();
  }
  void check(program& p) const { plan.check(p); }

  production plan;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::bounded_buffer>(
      argc, argv, "Bounded buffer: producers, consumers, and room for few items (Savina 10).");
}
