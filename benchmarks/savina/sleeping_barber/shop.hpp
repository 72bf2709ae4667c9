// What the runtimes of the sleeping barber share: the customers that come, and what must have happened in the end.
// The suite lets all customers arrive in one handler, which works between them. Here each arrival is a message, because
// what a handler of tact sends leaves when it returns: all would come at once.
#pragma once

#include <vector>

#include "savina/parameters.hpp"
#include "savina/random.hpp"
#include "savina/work.hpp"

namespace bench {

// Work that takes as long as random numbers say. It draws others, of a generator of its own: so it does not change how
// long the next one takes.
class random_work {
 public:
  explicit random_work(std::uint64_t most) : most_(most) {}
  void go_on() {
    const std::uint64_t draws = length();
    savina_spin(spinning_, draws);
    done_ += draws;
  }
  [[nodiscard]] std::uint64_t done() const { return done_; }

  // Of so many pieces.
  static std::uint64_t sum(std::uint64_t pieces, std::uint64_t most) {
    random_work all(most);
    std::uint64_t sum = 0;
    for (std::uint64_t i = 0; i < pieces; ++i) sum += all.length();
    return sum;
  }

 private:
  std::uint64_t length() { return dice_.below(most_) + 10; }

  std::uint64_t most_;
  std::uint64_t done_ = 0;
  savina_random dice_;
  savina_random spinning_;
};

struct customer_record {
  std::uint64_t refused = 0;
  std::uint64_t waits = 0;
  std::uint64_t begun = 0;
  std::uint64_t done = 0;
  bool in_order = false;  // begun once when it was done
};

struct waiting_room_record {
  std::uint64_t most = 0;   // customers at a time
  std::uint64_t waits = 0;  // customers that were told to wait
  std::uint64_t wakes = 0;  // times that the barber was woken
  std::uint64_t naps = 0;   // times that it could sleep
  std::uint64_t nexts = 0;  // how often the next customer was asked for
};

struct barber_record {
  std::uint64_t cuts = 0;
  std::uint64_t out_of_turn = 0;
  std::uint64_t work = 0;
};

struct shop {
  explicit shop(savina_parameters& p)
      : customers(p.number("customers", {5'000, 10'000, 20}, "customers")),
        chairs(p.number("chairs", {1'000, 2'000, 4}, "customers that may wait")),
        arriving(p.number("arriving", {1'000, 1'000, 20}, "numbers drawn at most until the next comes")),
        cutting(p.number("cutting", {1'000, 1'000, 20}, "numbers drawn at most while one is served")) {}

  // Each arrival, each attempt, what became of it; for each customer that the barber serves it, its begin, its end, and
  // that it is back; what the waiting room tells the barber and is told; the ends.
  [[nodiscard]] std::uint64_t messages() const {
    const std::uint64_t n = customers.size();
    return n + attempts + 2 * (attempts - n) + 4 * n + noticed_waits() + room.nexts + room.naps + 2;
  }
  // A customer may be served before it hears that it should wait, and the barber may ask for the next one of a waiting
  // room that is closed.
  [[nodiscard]] std::uint64_t dead_letters() const {
    return room.waits - noticed_waits() + customers.size() + room.wakes - room.nexts;
  }

  void check(program& p) const {
    p.check_equal(random_work::sum(5'000, 1'000), 2'543'428, "the sum of the lengths of 5000 pieces of work");
    std::uint64_t refused = 0;
    for (const customer_record& one : customers) {
      p.check_equal(one.begun, 1, "times that one customer was begun with");
      p.check_equal(one.done, 1, "times that one customer was done");
      p.check(one.in_order, "a customer was done before it was begun with");
      refused += one.refused;
    }
    p.check_equal(attempts, customers.size() + refused, "attempts");
    if (chairs >= customers.size()) p.check_equal(refused, 0, "customers refused though there was a chair for each");
    p.check(room.most <= chairs, "more customers waited than there are chairs");
    p.check_equal(barber.cuts, customers.size(), "customers that the barber served");
    p.check_equal(barber.out_of_turn, 0, "customers served out of turn");
    p.check_equal(barber.work, random_work::sum(customers.size(), cutting), "work of the barber");
    p.check(room.nexts + 1 >= customers.size() + room.wakes, "a request for the next customer was lost");
  }

  [[nodiscard]] std::uint64_t noticed_waits() const {
    std::uint64_t sum = 0;
    for (const customer_record& one : customers) sum += one.waits;
    return sum;
  }

  std::vector<customer_record> customers;
  std::uint64_t chairs;
  std::uint64_t arriving;
  std::uint64_t cutting;
  std::uint64_t attempts = 0;
  waiting_room_record room;
  barber_record barber;
};

}  // namespace bench
