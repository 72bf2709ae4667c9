// Dining philosophers without a deadlock. Five sit round a table, between each two lies one fork, and each needs both
// of his to eat. With a lock for each fork all may take the left one, and wait for ever.
//
// Here none takes anything. A philosopher asks the table for both forks; the table answers when both are free, and
// keeps the request until then: `defer` says that a later run answers it. To give both or none takes one behaviour, and
// so one transaction. None starves either: one that waits is served before those that ask later for the same forks.
#include <iostream>
#include <stdexcept>
#include <string>
#include <tact/tact.hpp>
#include <vector>

namespace {

constexpr unsigned seats = 5;

struct both_forks {
  using reply = void;
  unsigned seat;
};
struct put_back {
  unsigned seat;
};
struct table : tact::protocol<tact::request<both_forks>, put_back> {};

struct forks {
  std::vector<bool> taken = std::vector<bool>(seats);
  std::vector<tact::request<both_forks>> waiting{};

  [[nodiscard]] bool free_for(unsigned seat) const { return !taken[seat] && !taken[(seat + 1) % seats]; }
  void set(unsigned seat, bool are_taken) { taken[seat] = taken[(seat + 1) % seats] = are_taken; }
};

// Answers each philosopher whose forks are free and wanted by none that has waited longer.
forks serve(tact::transaction& tx, const forks& now) {
  forks next{now.taken, {}};
  std::vector<bool> wanted(seats);
  for (const auto& m : now.waiting) {
    const unsigned left = m.body.seat, right = (left + 1) % seats;
    if (next.free_for(left) && !wanted[left] && !wanted[right]) {
      next.set(left, true);
      tx.reply(m);
    } else {
      wanted[left] = wanted[right] = true;
      next.waiting.push_back(m);
    }
  }
  return next;
}

tact::behavior<table> lay_table(forks now) {
  return {
      [now](tact::self<table>& self, const tact::request<both_forks>& m) {
        self.defer(m);
        forks next = now;
        next.waiting.push_back(m);
        self.become(lay_table(serve(self, next)));
      },
      [now](tact::self<table>& self, const put_back& m) {
        forks next = now;
        next.set(m.seat, false);
        self.become(lay_table(serve(self, next)));
      },
  };
}

// Hungry: asks for the forks, eats when it has them, and is hungry again.
struct hungry {
  int meals;
};
struct ate {
  unsigned seat;
};

tact::behavior<hungry> seat_philosopher(unsigned seat, tact::ref<table> t, tact::ref<ate> guest_book) {
  return {[=](tact::self<hungry>& self, const hungry& m) {
    if (m.meals == 0) return self.stop();
    self.ask(t, both_forks{seat}, [=, me = self.ref()](tact::transaction& tx) {
      tx.send(guest_book, ate{seat});
      tx.send(t, put_back{seat});
      tx.send(me, hungry{m.meals - 1});
    });
  }};
}

class guest_book : public tact::actor<guest_book, ate> {
 public:
  void receive(tact::self<guest_book>&, const ate& m) { ++meals[m.seat]; }
  std::vector<int> meals = std::vector<int>(seats);
};

// Each philosopher eats so often, on any engine.
void dine(tact::engine& engine, int meals) {
  guest_book book;
  const auto seen = engine.attach(book);
  const auto t = engine.create(lay_table({}));
  for (unsigned i = 0; i < seats; ++i) engine.send(engine.create(seat_philosopher(i, t, seen)), hungry{meals});
  engine.wait_idle();
  for (unsigned i = 0; i < seats; ++i) {
    if (book.meals[i] != meals) throw std::runtime_error("philosopher " + std::to_string(i) + " is hungry");
  }
  seen | tact::finished_msg;
  engine.wait_idle();
}

}  // namespace

int main() {
  {
    tact::engine engine;
    dine(engine, 2'000);
    std::cout << "On real threads: five philosophers have eaten 2000 times each.\n";
  }
  const auto orders = tact::explore(300, [](tact::simulation& sim) { dine(sim.engine(), 4); });
  std::cout << "In simulations:\n" << orders.text();
  return orders.failed ? 1 : 0;
}
