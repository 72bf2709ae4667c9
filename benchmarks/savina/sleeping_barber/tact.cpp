// Sleeping barber: customers come to a barber whose waiting room has few chairs, and return if none is free. Savina 12.
#include <algorithm>
#include <deque>

#include "savina/sleeping_barber/shop.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class customer;
class waiting_room;
struct arrive {};
struct enter {
  tact::ref<customer> who;
};
struct full {};
struct stay {};
struct next {};
struct serve {
  tact::ref<customer> who;
  tact::ref<waiting_room> from;
  std::uint64_t turn;
};
struct sleep {};
struct begin {};
struct finished {};
struct returned {
  tact::ref<customer> who;
};
struct served {};
struct close {};

class barber : public tact::actor<barber, serve, sleep, close> {
 public:
  explicit barber(shop& all) : work_(all.cutting), shop_(&all) {}
  void receive(tact::self<barber>& self, const serve& m);
  void receive(tact::self<barber>&, const sleep&) {}
  tact::allocation receive(tact::self<barber>&, const close&) {
    count_.work = work_.done();
    shop_->barber = count_;
    return tact::allocation::delete_;
  }

 private:
  random_work work_;
  barber_record count_;
  shop* shop_;
};

class waiting_room : public tact::actor<waiting_room, enter, next, close> {
 public:
  waiting_room(tact::ref<barber> to, shop& all) : barber_(to), chairs_(all.chairs), shop_(&all) {}
  void receive(tact::self<waiting_room>& self, const enter& m);
  void receive(tact::self<waiting_room>& self, const next&) {
    ++count_.nexts;
    if (waiting_.empty()) {
      ++count_.naps;
      asleep_ = true;
      return self.send(barber_, sleep{});
    }
    self.send(barber_, waiting_.front());
    waiting_.pop_front();
  }
  tact::allocation receive(tact::self<waiting_room>& self, const close&) {
    self.send(barber_, close{});
    shop_->room = count_;
    return tact::allocation::delete_;
  }

 private:
  tact::ref<barber> barber_;
  std::uint64_t chairs_;
  std::uint64_t entered_ = 0;
  bool asleep_ = true;
  std::deque<serve> waiting_;
  waiting_room_record count_;
  shop* shop_;
};

class factory : public tact::actor<factory, arrive, returned, served> {
 public:
  factory(tact::ref<waiting_room> to, shop& all) : room_(to), work_(all.arriving), shop_(&all) {}
  void receive(tact::self<factory>& self, const arrive&);
  void receive(tact::self<factory>& self, const returned& m) { try_again(self, m.who); }
  tact::allocation receive(tact::self<factory>& self, const served&) {
    if (++served_ != shop_->customers.size()) return tact::allocation::nodelete;
    shop_->attempts = attempts_;
    self.send(room_, close{});
    return tact::allocation::delete_;
  }

 private:
  void try_again(tact::self<factory>& self, tact::ref<customer> who) {
    ++attempts_;
    self.send(room_, enter{who});
  }

  tact::ref<waiting_room> room_;
  random_work work_;
  std::size_t arrived_ = 0;
  std::size_t served_ = 0;
  std::uint64_t attempts_ = 0;
  shop* shop_;
};

class customer : public tact::actor<customer, full, stay, begin, finished> {
 public:
  customer(tact::ref<factory> home, customer_record& record) : home_(home), record_(&record) {}
  void receive(tact::self<customer>& self, const full&) {
    ++count_.refused;
    self.send(home_, returned{self.ref()});
  }
  void receive(tact::self<customer>&, const stay&) { ++count_.waits; }
  void receive(tact::self<customer>&, const begin&) { ++count_.begun; }
  tact::allocation receive(tact::self<customer>& self, const finished&) {
    ++count_.done;
    count_.in_order = count_.begun == 1;
    *record_ = count_;
    self.send(home_, served{});
    return tact::allocation::delete_;
  }

 private:
  tact::ref<factory> home_;
  customer_record count_;
  customer_record* record_;  // those of others are beside it
};

void barber::receive(tact::self<barber>& self, const serve& m) {
  count_.out_of_turn += m.turn != count_.cuts;
  ++count_.cuts;
  self.send(m.who, begin{});
  work_.go_on();
  self.send(m.who, finished{});
  self.send(m.from, next{});
}

void waiting_room::receive(tact::self<waiting_room>& self, const enter& m) {
  if (waiting_.size() == chairs_) return self.send(m.who, full{});
  waiting_.push_back({m.who, self.ref(), entered_++});
  count_.most = std::max<std::uint64_t>(count_.most, waiting_.size());
  if (asleep_) {
    ++count_.wakes;
    asleep_ = false;
    self.send(self.ref(), next{});
  } else {
    ++count_.waits;
    self.send(m.who, stay{});
  }
}

void factory::receive(tact::self<factory>& self, const arrive&) {
  try_again(self, self.spawn<customer>(self.ref(), shop_->customers[arrived_]));
  work_.go_on();
  if (++arrived_ != shop_->customers.size()) self.send(self.ref(), arrive{});
}

struct sleeping_barber {
  explicit sleeping_barber(savina_parameters& p) : all(p) {}

  std::uint64_t run(tact::engine& engine) {
    const auto room = engine.spawn<waiting_room>(engine.spawn<barber>(all), all);
    engine.send(engine.spawn<factory>(room, all), arrive{});
    engine.wait_finished();
    return all.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    all.check(p);
    p.check_equal(s.dead_letters, all.dead_letters(), "dead letters");
  }

  shop all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::sleeping_barber>(argc, argv,
                                                     "Sleeping barber: few chairs, many customers (Savina 12).");
}
