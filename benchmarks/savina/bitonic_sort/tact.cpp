// Bitonic sort: a network of actors, each pair of numbers compared by one of its own. Savina 30. Its stages, steps and
// partitions are actors too: each makes what it consists of.
#include <optional>

#include "savina/bitonic_sort/network.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct value {
  std::uint64_t number;
};
struct labelled {
  std::uint32_t worker;
  std::uint64_t number;
};
struct over {};
struct values : tact::protocol<value, over> {};
struct labels : tact::protocol<labelled, over> {};

class relay : public tact::actor<relay, values> {
 public:
  explicit relay(tact::ref<values> next) : next_(next) {}
  void receive(tact::self<relay>& self, const value& m) { self.send(next_, m); }
  tact::allocation receive(tact::self<relay>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<values> next_;
};

class labeller : public tact::actor<labeller, values> {
 public:
  labeller(std::uint32_t worker, tact::ref<labels> next) : worker_(worker), next_(next) {}
  void receive(tact::self<labeller>& self, const value& m) { self.send(next_, labelled{worker_, m.number}); }
  tact::allocation receive(tact::self<labeller>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  std::uint32_t worker_;
  tact::ref<labels> next_;
};

class comparator : public tact::actor<comparator, values> {
 public:
  comparator(std::uint32_t worker, bool up, tact::ref<labels> next) : worker_(worker), up_(up), next_(next) {}
  void receive(tact::self<comparator>& self, const value& m) {
    if (!first_) {
      first_ = m.number;
      return;
    }
    const bool swap = (*first_ > m.number) == up_;
    self.send(next_, labelled{worker_, swap ? m.number : *first_});
    self.send(next_, labelled{worker_, swap ? *first_ : m.number});
    first_.reset();
  }
  tact::allocation receive(tact::self<comparator>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  std::uint32_t worker_;
  bool up_;
  tact::ref<labels> next_;
  std::optional<std::uint64_t> first_;  // of two
};

using receivers = std::vector<tact::ref<values>>;

class splitter : public tact::actor<splitter, values> {
 public:
  splitter(std::uint64_t length, receivers to) : length_(length), to_(std::move(to)) {}
  void receive(tact::self<splitter>& self, const value& m) {
    self.send(to_[turn_], m);
    if (++given_ != length_) return;
    given_ = 0;
    if (++turn_ == to_.size()) turn_ = 0;
  }
  tact::allocation receive(tact::self<splitter>& self, const over& m) {
    for (const auto to : to_) self.send(to, m);
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t length_;
  receivers to_;
  std::size_t turn_ = 0;
  std::uint64_t given_ = 0;  // in this turn
};

class joiner : public tact::actor<joiner, labels> {
 public:
  joiner(std::uint64_t length, std::uint64_t workers, tact::ref<values> next)
      : order_(length, workers), left_(workers), next_(next) {}
  void receive(tact::self<joiner>& self, const labelled& m) {
    order_.add(m.worker, m.number, [&](std::uint64_t number) { self.send(next_, value{number}); });
  }
  tact::allocation receive(tact::self<joiner>& self, const over& m) {
    if (--left_ != 0) return tact::allocation::nodelete;
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  interleaving order_;
  std::uint64_t left_;  // workers that may still send
  tact::ref<values> next_;
};

// Makes what it consists of when its first message comes; that goes through all of it.
template <class Plan>
class composite : public tact::actor<composite<Plan>, values> {
 public:
  explicit composite(Plan plan) : plan_(plan) {}
  void receive(tact::self<composite>& self, const value& m) {
    if (!first_) first_ = plan_.make(self);
    self.send(first_, m);
  }
  tact::allocation receive(tact::self<composite>& self, const over& m) {
    self.send(first_, m);
    return tact::allocation::delete_;
  }

 private:
  Plan plan_;
  tact::ref<values> first_;
};

// Compares each number of a block with that half a block behind it.
struct partition {
  tact::ref<values> make(tact::transaction& tx) const {
    const auto back = tx.spawn<labeller>(worker, next);
    const auto joined = tx.spawn<joiner>(1u, length / 2, back);
    receivers pairs(length / 2);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) pairs[i] = tx.spawn<comparator>(i, up, joined);
    return tx.spawn<splitter>(1u, std::move(pairs));
  }
  std::uint32_t worker;
  std::uint64_t length;
  bool up;
  tact::ref<labels> next;
};

// Does that to all blocks of one length.
struct step {
  tact::ref<values> make(tact::transaction& tx) const {
    receivers blocks(count / length);
    const bool last = run == count;
    const auto joined = tx.spawn<joiner>(length, blocks.size(), last ? next : tx.spawn<relay>(next));
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      const bool up = upwards(i * length, run);
      if (length == 2) {
        blocks[i] = tx.spawn<comparator>(i, up, joined);
      } else {
        blocks[i] = tx.spawn<composite<partition>>(partition{i, length, up, joined});
      }
    }
    return tx.spawn<splitter>(length, std::move(blocks));
  }
  std::uint64_t count;
  std::uint64_t run;
  std::uint64_t length;
  tact::ref<values> next;
};

// Makes sorted runs of one length out of those of half of it.
struct stage {
  tact::ref<values> make(tact::transaction& tx) const {
    auto first = next;
    for (std::uint64_t length = 2; length <= run; length *= 2) {
      first = tx.spawn<composite<step>>(step{count, run, length, first});
    }
    return first;
  }
  std::uint64_t count;
  std::uint64_t run;
  tact::ref<values> next;
};

struct kernel {
  tact::ref<values> make(tact::transaction& tx) const {
    auto first = next;
    for (auto run = count; run >= 2; run /= 2) first = tx.spawn<composite<stage>>(stage{count, run, first});
    return first;
  }
  std::uint64_t count;
  tact::ref<values> next;
};

class validator : public tact::actor<validator, values> {
 public:
  explicit validator(numbers* sorted) : sorted_(sorted) {}
  void receive(tact::self<validator>&, const value& m) { sorted_->push_back(m.number); }
  tact::allocation receive(tact::self<validator>&, const over&) { return tact::allocation::delete_; }

 private:
  numbers* sorted_;
};

struct start {};

class source : public tact::actor<source, start> {
 public:
  source(std::uint64_t count, tact::ref<values> to) : count_(count), to_(to) {}
  tact::allocation receive(tact::self<source>& self, const start&) {
    number_source drawn;
    for (std::uint64_t i = 0; i < count_; ++i) self.send(to_, value{drawn.next()});
    self.send(to_, over{});
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t count_;
  tact::ref<values> to_;
};

struct bitonic_sort {
  explicit bitonic_sort(savina_parameters& p) : count(ask_for_count(p)) {}

  std::uint64_t run(tact::engine& engine) {
    const auto last = engine.spawn<relay>(engine.spawn<validator>(&sorted));
    engine.send(engine.spawn<source>(count, engine.spawn<composite<kernel>>(kernel{count, last})), start{});
    engine.wait_finished();
    return messages_of_network(count);
  }
  void check(program& p, const tact::statistics& s) const {
    check_sorted(p, sorted, count);
    p.check_equal(s.actors_created, size_of_network(count).actors, "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::bitonic_sort>(argc, argv, "Bitonic sort: an actor for each pair (Savina 30).");
}
