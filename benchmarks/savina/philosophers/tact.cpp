// Philosophers: each asks for two forks until they are free, eats, and puts them back. Savina 11. The
// arbiter that has the forks is classic, or transactional: then it becomes when they change hands, and denies without.
#include "savina/tact.hpp"
#include "savina/philosophers/dinner.hpp"

namespace bench {
namespace {

class philosopher;
struct start {};
struct denied {};
struct eat {};
struct hungry {
  std::uint32_t seat;
  tact::ref<philosopher> who;
};
struct full {
  std::uint32_t seat;
};
struct goodbye {};
struct serving : tact::protocol<hungry, full, goodbye> {};

class philosopher : public tact::actor<philosopher, start, denied, eat> {
 public:
  philosopher(std::uint32_t seat, std::uint64_t meals, tact::ref<serving> table, philosopher_record& record)
      : seat_(seat), meals_(meals), table_(table), record_(&record) {}
  void receive(tact::self<philosopher>& self, const start&) { ask(self); }
  void receive(tact::self<philosopher>& self, const denied&) {
    ++count_.denied;
    ask(self);
  }
  tact::allocation receive(tact::self<philosopher>& self, const eat&) {
    self.send(table_, full{seat_});
    if (++count_.meals < meals_) {
      self.send(self.ref(), start{});
      return tact::allocation::nodelete;
    }
    self.send(table_, goodbye{});
    *record_ = count_;
    return tact::allocation::delete_;
  }

 private:
  void ask(tact::self<philosopher>& self) {
    ++count_.asked;
    self.send(table_, hungry{seat_, self.ref()});
  }

  std::uint32_t seat_;
  std::uint64_t meals_;
  tact::ref<serving> table_;
  philosopher_record count_;
  philosopher_record* record_;  // those of others are beside it
};

class table : public tact::actor<table, serving> {
 public:
  explicit table(dinner& all) : forks_(all.philosophers.size()), guests_(all.philosophers.size()), dinner_(&all) {}
  void receive(tact::self<table>& self, const hungry& m) {
    if (!forks_.are_free(m.seat)) return self.send(m.who, denied{});
    forks_.take(m.seat);
    self.send(m.who, eat{});
  }
  void receive(tact::self<table>&, const full& m) { dinner_->shared += !forks_.put_back(m.seat); }
  tact::allocation receive(tact::self<table>&, const goodbye&) {
    if (--guests_ != 0) return tact::allocation::nodelete;
    dinner_->cleared = forks_.are_all_free();
    return tact::allocation::delete_;
  }

 private:
  forks forks_;
  std::size_t guests_;
  dinner* dinner_;
};

// What a transactional table knows.
struct laid {
  forks on_it;
  std::size_t guests;
  std::uint64_t shared;
  dinner* all;
};

tact::behavior<serving> lay_table(laid now);

// Not ordered: a request may overtake the forks that its philosopher puts back, and is denied; a goodbye may, too.
void go_on(tact::self<serving>& self, laid next) {
  if (next.guests != 0 || !next.on_it.are_all_free()) return self.become(lay_table(std::move(next)));
  self.on_commit([all = next.all, shared = next.shared] {
    all->shared = shared;
    all->cleared = true;
  });
  self.stop();
}

void serve(tact::self<serving>& self, const hungry& m, const laid& now) {
  if (!now.on_it.are_free(m.seat)) return self.send(m.who, denied{});
  laid next = now;
  next.on_it.take(m.seat);
  self.send(m.who, eat{});
  go_on(self, std::move(next));
}
void serve(tact::self<serving>& self, const full& m, laid next) {
  next.shared += !next.on_it.put_back(m.seat);
  go_on(self, std::move(next));
}
void serve(tact::self<serving>& self, const goodbye&, laid next) {
  --next.guests;
  go_on(self, std::move(next));
}

tact::behavior<serving> lay_table(laid now) {
  return {[now = std::move(now)](tact::self<serving>& self, const auto& m) { serve(self, m, now); }};
}

struct philosophers {
  explicit philosophers(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "who has the forks") == "classic"), all(p) {}

  std::uint64_t run(tact::engine& engine) {
    const std::size_t seats = all.philosophers.size();
    const tact::ref<serving> at = classic ? tact::ref<serving>(engine.spawn<table>(all))
                                          : engine.create(lay_table({forks(seats), seats, 0, &all}), tact::parallel);
    for (std::uint32_t seat = 0; seat < seats; ++seat)
      engine.send(engine.spawn<philosopher>(seat, all.meals, at, all.philosophers[seat]), start{});
    engine.wait_finished();
    return all.messages() + (classic ? 0 : 1);
  }
  void check(program& p, const tact::statistics& s) const {
    all.check(p);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  dinner all;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::philosophers>(argc, argv, "Philosophers: each needs two forks to eat (Savina 11).");
}
