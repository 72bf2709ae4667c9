// Bitonic sort on CAF.
#include <optional>

#include "savina/bitonic_sort/network.hpp"
#include "savina/caf.hpp"

namespace bench {
namespace {

using over = caf::atom_constant<caf::atom("over")>;
using start = caf::atom_constant<caf::atom("start")>;

class relay : public caf::event_based_actor {
 public:
  relay(caf::actor_config& config, caf::actor next) : event_based_actor(config), next_(std::move(next)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) { send(next_, number); },
        [this](over) {
          send(next_, over::value);
          quit();
        },
    };
  }

 private:
  caf::actor next_;
};

class labeller : public caf::event_based_actor {
 public:
  labeller(caf::actor_config& config, std::uint32_t worker, caf::actor next)
      : event_based_actor(config), worker_(worker), next_(std::move(next)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) { send(next_, worker_, number); },
        [this](over) {
          send(next_, over::value);
          quit();
        },
    };
  }

 private:
  std::uint32_t worker_;
  caf::actor next_;
};

class comparator : public caf::event_based_actor {
 public:
  comparator(caf::actor_config& config, std::uint32_t worker, bool up, caf::actor next)
      : event_based_actor(config), worker_(worker), up_(up), next_(std::move(next)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) {
          if (!first_) {
            first_ = number;
            return;
          }
          const bool swap = (*first_ > number) == up_;
          send(next_, worker_, swap ? number : *first_);
          send(next_, worker_, swap ? *first_ : number);
          first_.reset();
        },
        [this](over) {
          send(next_, over::value);
          quit();
        },
    };
  }

 private:
  std::uint32_t worker_;
  bool up_;
  caf::actor next_;
  std::optional<std::uint64_t> first_;  // of two
};

using receivers = std::vector<caf::actor>;

class splitter : public caf::event_based_actor {
 public:
  splitter(caf::actor_config& config, std::uint64_t length, receivers to)
      : event_based_actor(config), length_(length), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) {
          send(to_[turn_], number);
          if (++given_ != length_) return;
          given_ = 0;
          if (++turn_ == to_.size()) turn_ = 0;
        },
        [this](over) {
          for (const auto& to : to_) send(to, over::value);
          quit();
        },
    };
  }

 private:
  std::uint64_t length_;
  receivers to_;
  std::size_t turn_ = 0;
  std::uint64_t given_ = 0;  // in this turn
};

class joiner : public caf::event_based_actor {
 public:
  joiner(caf::actor_config& config, std::uint64_t length, std::uint64_t workers, caf::actor next)
      : event_based_actor(config), order_(length, workers), left_(workers), next_(std::move(next)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint32_t worker, std::uint64_t value) {
          order_.add(worker, value, [this](std::uint64_t number) { send(next_, number); });
        },
        [this](over) {
          if (--left_ != 0) return;
          send(next_, over::value);
          quit();
        },
    };
  }

 private:
  interleaving order_;
  std::uint64_t left_;  // workers that may still send
  caf::actor next_;
};

// Makes what it consists of when its first message comes; that goes through all of it.
template <class Plan>
class composite : public caf::event_based_actor {
 public:
  composite(caf::actor_config& config, Plan plan) : event_based_actor(config), plan_(std::move(plan)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) {
          if (!first_) first_ = plan_.make(*this);
          send(first_, number);
        },
        [this](over) {
          send(first_, over::value);
          quit();
        },
    };
  }

 private:
  Plan plan_;
  caf::actor first_;
};

// Compares each number of a block with that half a block behind it.
struct partition {
  caf::actor make(caf::event_based_actor& by) const {
    const auto back = by.spawn<labeller, caf::lazy_init>(worker, next);
    const auto joined = by.spawn<joiner, caf::lazy_init>(1u, length / 2, back);
    receivers pairs(length / 2);
    for (std::uint32_t i = 0; i < pairs.size(); ++i) pairs[i] = by.spawn<comparator, caf::lazy_init>(i, up, joined);
    return by.spawn<splitter, caf::lazy_init>(1u, std::move(pairs));
  }
  std::uint32_t worker;
  std::uint64_t length;
  bool up;
  caf::actor next;
};

// Does that to all blocks of one length.
struct step {
  caf::actor make(caf::event_based_actor& by) const {
    receivers blocks(count / length);
    const caf::actor to = run == count ? next : by.spawn<relay, caf::lazy_init>(next);
    const auto joined = by.spawn<joiner, caf::lazy_init>(length, blocks.size(), to);
    for (std::uint32_t i = 0; i < blocks.size(); ++i) {
      const bool up = upwards(i * length, run);
      if (length == 2) {
        blocks[i] = by.spawn<comparator, caf::lazy_init>(i, up, joined);
      } else {
        blocks[i] = by.spawn<composite<partition>, caf::lazy_init>(partition{i, length, up, joined});
      }
    }
    return by.spawn<splitter, caf::lazy_init>(length, std::move(blocks));
  }
  std::uint64_t count;
  std::uint64_t run;
  std::uint64_t length;
  caf::actor next;
};

// Makes sorted runs of one length out of those of half of it.
struct stage {
  caf::actor make(caf::event_based_actor& by) const {
    auto first = next;
    for (std::uint64_t length = 2; length <= run; length *= 2) {
      first = by.spawn<composite<step>, caf::lazy_init>(step{count, run, length, first});
    }
    return first;
  }
  std::uint64_t count;
  std::uint64_t run;
  caf::actor next;
};

struct kernel {
  caf::actor make(caf::event_based_actor& by) const {
    auto first = next;
    for (auto run = count; run >= 2; run /= 2) {
      first = by.spawn<composite<stage>, caf::lazy_init>(stage{count, run, first});
    }
    return first;
  }
  std::uint64_t count;
  caf::actor next;
};

class validator : public caf::event_based_actor {
 public:
  validator(caf::actor_config& config, numbers* sorted) : event_based_actor(config), sorted_(sorted) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint64_t number) { sorted_->push_back(number); },
        [this](over) { quit(); },
    };
  }

 private:
  numbers* sorted_;
};

class source : public caf::event_based_actor {
 public:
  source(caf::actor_config& config, std::uint64_t count, caf::actor to)
      : event_based_actor(config), count_(count), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {[this](start) {
      number_source drawn;
      for (std::uint64_t i = 0; i < count_; ++i) send(to_, drawn.next());
      send(to_, over::value);
      quit();
    }};
  }

 private:
  std::uint64_t count_;
  caf::actor to_;
};

struct bitonic_sort {
  explicit bitonic_sort(savina_parameters& p) : count(ask_for_count(p)) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const caf::actor last = system.spawn<relay>(system.spawn<validator>(&sorted));
      const caf::actor first = system.spawn<composite<kernel>>(kernel{count, last});
      caf::anon_send(system.spawn<source>(count, first), start::value);
    }
    system.await_all_actors_done();
    return messages_of_network(count);
  }
  void check(program& p) const { check_sorted(p, sorted, count); }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::bitonic_sort>(argc, argv, "Bitonic sort: an actor for each pair (Savina 30).");
}
