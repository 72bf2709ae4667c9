// The sleeping barber on CAF.
#include <algorithm>
#include <deque>

#include "savina/caf.hpp"
#include "savina/sleeping_barber/shop.hpp"

namespace bench {
namespace {

using arrive = caf::atom_constant<caf::atom("arrive")>;
using enter = caf::atom_constant<caf::atom("enter")>;
using full = caf::atom_constant<caf::atom("full")>;
using stay = caf::atom_constant<caf::atom("stay")>;
using next = caf::atom_constant<caf::atom("next")>;
using serve = caf::atom_constant<caf::atom("serve")>;
using sleep = caf::atom_constant<caf::atom("sleep")>;
using begin = caf::atom_constant<caf::atom("begin")>;
using finished = caf::atom_constant<caf::atom("finished")>;
using returned = caf::atom_constant<caf::atom("returned")>;
using served = caf::atom_constant<caf::atom("served")>;
using close = caf::atom_constant<caf::atom("close")>;

class barber : public caf::event_based_actor {
 public:
  barber(caf::actor_config& config, shop& all) : event_based_actor(config), work_(all.cutting), shop_(&all) {}
  caf::behavior make_behavior() override {
    return {
        [this](serve, const caf::actor& who, const caf::actor& from, std::uint64_t turn) {
          count_.out_of_turn += turn != count_.cuts;
          ++count_.cuts;
          send(who, begin::value);
          work_.go_on();
          send(who, finished::value);
          send(from, next::value);
        },
        [](sleep) {},
        [this](close) {
          count_.work = work_.done();
          shop_->barber = count_;
          quit();
        },
    };
  }

 private:
  random_work work_;
  barber_record count_;
  shop* shop_;
};

class waiting_room : public caf::event_based_actor {
 public:
  waiting_room(caf::actor_config& config, caf::actor to, shop& all)
      : event_based_actor(config), barber_(std::move(to)), chairs_(all.chairs), shop_(&all) {}
  caf::behavior make_behavior() override {
    return {
        [this](enter, const caf::actor& who) { admit(who); },
        [this](next) { call_next(); },
        [this](close) {
          send(barber_, close::value);
          shop_->room = count_;
          quit();
        },
    };
  }

 private:
  void admit(const caf::actor& who) {
    if (waiting_.size() == chairs_) return send(who, full::value);
    waiting_.emplace_back(who, entered_++);
    count_.most = std::max<std::uint64_t>(count_.most, waiting_.size());
    if (asleep_) {
      ++count_.wakes;
      asleep_ = false;
      send(this, next::value);
    } else {
      ++count_.waits;
      send(who, stay::value);
    }
  }
  void call_next() {
    ++count_.nexts;
    if (waiting_.empty()) {
      ++count_.naps;
      asleep_ = true;
      return send(barber_, sleep::value);
    }
    auto [who, turn] = std::move(waiting_.front());
    waiting_.pop_front();
    send(barber_, serve::value, std::move(who), caf::actor(this), turn);
  }

  caf::actor barber_;
  std::uint64_t chairs_;
  std::uint64_t entered_ = 0;
  bool asleep_ = true;
  std::deque<std::pair<caf::actor, std::uint64_t>> waiting_;  // with their turns
  waiting_room_record count_;
  shop* shop_;
};

class customer : public caf::event_based_actor {
 public:
  customer(caf::actor_config& config, caf::actor home, customer_record& record)
      : event_based_actor(config), home_(std::move(home)), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](full) {
          ++count_.refused;
          send(home_, returned::value, caf::actor(this));
        },
        [this](stay) { ++count_.waits; },
        [this](begin) { ++count_.begun; },
        [this](finished) {
          ++count_.done;
          count_.in_order = count_.begun == 1;
          *record_ = count_;
          send(home_, served::value);
          quit();
        },
    };
  }

 private:
  caf::actor home_;
  customer_record count_;
  customer_record* record_;  // those of others are beside it
};

class factory : public caf::event_based_actor {
 public:
  factory(caf::actor_config& config, caf::actor to, shop& all)
      : event_based_actor(config), room_(std::move(to)), work_(all.arriving), shop_(&all) {}
  caf::behavior make_behavior() override {
    return {
        [this](arrive) {
          try_again(spawn<customer>(caf::actor(this), std::ref(shop_->customers[arrived_])));
          work_.go_on();
          if (++arrived_ != shop_->customers.size()) send(this, arrive::value);
        },
        [this](returned, const caf::actor& who) { try_again(who); },
        [this](served) {
          if (++served_ != shop_->customers.size()) return;
          shop_->attempts = attempts_;
          send(room_, close::value);
          quit();
        },
    };
  }

 private:
  void try_again(const caf::actor& who) {
    ++attempts_;
    send(room_, enter::value, who);
  }

  caf::actor room_;
  random_work work_;
  std::size_t arrived_ = 0;
  std::size_t served_ = 0;
  std::uint64_t attempts_ = 0;
  shop* shop_;
};

struct sleeping_barber {
  explicit sleeping_barber(savina_parameters& p) : all(p) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto room = system.spawn<waiting_room>(system.spawn<barber>(std::ref(all)), std::ref(all));
      caf::anon_send(system.spawn<factory>(room, std::ref(all)), arrive::value);
    }
    system.await_all_actors_done();
    return all.messages();
  }
  void check(program& p) const { all.check(p); }

  shop all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::sleeping_barber>(argc, argv,
                                                    "Sleeping barber: few chairs, many customers (Savina 12).");
}
