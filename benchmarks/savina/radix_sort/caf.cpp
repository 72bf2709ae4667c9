// Radix sort on CAF.
#include "savina/caf.hpp"
#include "savina/sorting.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;

class validator : public caf::event_based_actor {
 public:
  validator(caf::actor_config& config, std::uint64_t count, numbers* sorted)
      : event_based_actor(config), count_(count), sorted_(sorted) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint64_t number) {
      sorted_->push_back(number);
      if (sorted_->size() == count_) quit();
    }};
  }

 private:
  std::uint64_t count_;
  numbers* sorted_;
};

class sorter : public caf::event_based_actor {
 public:
  sorter(caf::actor_config& config, unsigned bit, std::uint64_t count, caf::actor next)
      : event_based_actor(config), mask_(std::uint64_t{1} << bit), left_(count), next_(std::move(next)) {}
  caf::behavior make_behavior() override {
    return {[this](std::uint64_t number) {
      if ((number & mask_) == 0) {
        send(next_, number);
      } else {
        held_.push_back(number);
      }
      if (--left_ != 0) return;
      for (const auto one : held_) send(next_, one);
      quit();
    }};
  }

 private:
  std::uint64_t mask_;
  std::uint64_t left_;
  caf::actor next_;
  numbers held_;
};

class source : public caf::event_based_actor {
 public:
  source(caf::actor_config& config, std::uint64_t count) : event_based_actor(config), count_(count) {}
  caf::behavior make_behavior() override {
    return {[this](start, const caf::actor& first) {
      number_source drawn;
      for (std::uint64_t i = 0; i < count_; ++i) send(first, drawn.next());
      quit();
    }};
  }

 private:
  std::uint64_t count_;
};

struct radix_sort {
  explicit radix_sort(savina_parameters& p) : count(p.number("count", {100'000, 400'000, 60}, "numbers")) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      caf::actor first = system.spawn<validator>(count, &sorted);
      for (unsigned bit = number_bits; bit-- != 0;) first = system.spawn<sorter>(bit, count, first);
      caf::anon_send(system.spawn<source>(count), start::value, first);
    }
    system.await_all_actors_done();
    return (number_bits + 1) * count + 1;
  }
  void check(program& p) const { check_sorted(p, sorted, count); }

  std::uint64_t count;
  numbers sorted;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::radix_sort>(argc, argv, "Radix sort: an actor for each bit (Savina 16).");
}
