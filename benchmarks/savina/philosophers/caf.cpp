// The philosophers on CAF.
#include "savina/caf.hpp"
#include "savina/philosophers/dinner.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using denied = caf::atom_constant<caf::atom("denied")>;
using eat = caf::atom_constant<caf::atom("eat")>;
using hungry = caf::atom_constant<caf::atom("hungry")>;
using full = caf::atom_constant<caf::atom("full")>;
using goodbye = caf::atom_constant<caf::atom("goodbye")>;

class philosopher : public caf::event_based_actor {
 public:
  philosopher(caf::actor_config& config, std::uint32_t seat, std::uint64_t meals, caf::actor table,
              philosopher_record& record)
      : event_based_actor(config), seat_(seat), meals_(meals), table_(std::move(table)), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) { ask(); },
        [this](denied) {
          ++count_.denied;
          ask();
        },
        [this](eat) {
          send(table_, full::value, seat_);
          if (++count_.meals < meals_) return send(this, start::value);
          send(table_, goodbye::value);
          *record_ = count_;
          quit();
        },
    };
  }

 private:
  void ask() {
    ++count_.asked;
    send(table_, hungry::value, seat_, caf::actor(this));
  }

  std::uint32_t seat_;
  std::uint64_t meals_;
  caf::actor table_;
  philosopher_record count_;
  philosopher_record* record_;  // those of others are beside it
};

class table : public caf::event_based_actor {
 public:
  table(caf::actor_config& config, dinner& all)
      : event_based_actor(config), forks_(all.philosophers.size()), guests_(all.philosophers.size()), dinner_(&all) {}
  caf::behavior make_behavior() override {
    return {
        [this](hungry, std::uint32_t seat, const caf::actor& who) {
          if (!forks_.are_free(seat)) return send(who, denied::value);
          forks_.take(seat);
          send(who, eat::value);
        },
        [this](full, std::uint32_t seat) { dinner_->shared += !forks_.put_back(seat); },
        [this](goodbye) {
          if (--guests_ != 0) return;
          dinner_->cleared = forks_.are_all_free();
          quit();
        },
    };
  }

 private:
  forks forks_;
  std::size_t guests_;
  dinner* dinner_;
};

struct philosophers {
  explicit philosophers(savina_parameters& p) : all(p) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto at = system.spawn<table>(std::ref(all));
      for (std::uint32_t seat = 0; seat < all.philosophers.size(); ++seat) {
        caf::anon_send(system.spawn<philosopher>(seat, all.meals, at, std::ref(all.philosophers[seat])), start::value);
      }
    }
    system.await_all_actors_done();
    return all.messages();
  }
  void check(program& p) const { all.check(p); }

  dinner all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::philosophers>(argc, argv, "Philosophers: each needs two forks to eat (Savina 11).");
}
