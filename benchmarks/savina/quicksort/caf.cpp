// Quicksort on CAF.
#include "savina/caf.hpp"
#include "savina/quicksort/numbers.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::shared_numbers)

namespace bench {
namespace {

class sorter : public caf::event_based_actor {
 public:
  // The first one.
  sorter(caf::actor_config& config, std::uint64_t threshold, numbers* result)
      : event_based_actor(config), threshold_(threshold), result_(result) {}
  sorter(caf::actor_config& config, std::uint64_t threshold, caf::actor parent, bool is_below)
      : event_based_actor(config), threshold_(threshold), parent_(std::move(parent)), is_below_(is_below) {}
  caf::behavior make_behavior() override {
    return {
        [this](const shared_numbers& all) {
          if (all->size() < threshold_) {
            numbers own = *all;
            sort_three_ways(own);
            return finish(std::move(own));
          }
          parts_ = split(*all);
          give_away(parts_.less, true);
          give_away(parts_.greater, false);
        },
        [this](bool is_below, numbers& all) {
          (is_below ? parts_.less : parts_.greater) = std::move(all);
          if (--missing_ == 0) finish(concatenate(parts_));
        },
    };
  }

 private:
  void give_away(numbers& part, bool is_below) {
    const auto child = spawn<sorter>(threshold_, caf::actor(this), is_below);
    send(child, std::make_shared<const numbers>(std::move(part)));
  }
  void finish(numbers all) {
    if (parent_) {
      send(parent_, is_below_, std::move(all));
    } else {
      *result_ = std::move(all);
    }
    quit();
  }

  std::uint64_t threshold_;
  numbers* result_ = nullptr;
  caf::actor parent_;
  bool is_below_ = false;
  int missing_ = 2;
  three_parts parts_;
};

struct quicksort {
  explicit quicksort(savina_parameters& p) : setting(p) {}

  std::uint64_t run(caf::actor_system& system) {
    caf::anon_send(system.spawn<sorter>(setting.threshold, &result), setting.input);
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { setting.check(p, result); }

  quicksort_setting setting;
  numbers result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::quicksort>(argc, argv, "Quicksort: a tree of actors sorts numbers (Savina 24).");
}
