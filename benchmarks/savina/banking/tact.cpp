// Banking: a teller orders transfers between accounts. An account that pays waits until the other one has the money;
// what comes meanwhile is handled afterwards, in order. Savina 15. The accounts are classic, or transactional: then
// each message becomes.
//
// An account keeps what comes meanwhile itself. A handler that waits, with self.ask(to, take{...}), says the same in
// one line; but there each wait puts aside all that has come so far, and here some sixty orders are there from the
// beginning.
#include <deque>
#include <stdexcept>
#include <tact/data/queue.hpp>
#include <variant>
#include <vector>

#include "savina/banking/transfers.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct banking;
struct start {};
struct paid {};
struct pay {
  tact::ref<paid> customer;
  tact::ref<banking> to;
  double amount;
};
struct take {
  tact::ref<banking> from;
  double amount;
};
struct taken {};
struct close {};
struct banking : tact::protocol<pay, take, taken, close> {};

using order = std::variant<pay, take>;

class account : public tact::actor<account, banking> {
 public:
  explicit account(account_record& record) : record_(&record) {}
  void receive(tact::self<account>& self, const pay& m) { handle_in_turn(self, m); }
  void receive(tact::self<account>& self, const take& m) { handle_in_turn(self, m); }
  void receive(tact::self<account>& self, const taken&) {
    self.send(customer_, paid{});
    waits_ = false;
    while (!waits_ && !later_.empty()) {
      std::visit([&](const auto& m) { handle(self, m); }, later_.front());
      later_.pop_front();
    }
  }
  tact::allocation receive(tact::self<account>&, const close&) {
    *record_ = now_;
    return tact::allocation::delete_;
  }

 private:
  template <class M>
  void handle_in_turn(tact::self<account>& self, const M& m) {
    if (waits_) {
      later_.emplace_back(m);
    } else {
      handle(self, m);
    }
  }
  void handle(tact::self<account>& self, const pay& m) {
    now_ = now_.less(m.amount);
    customer_ = m.customer;
    waits_ = true;
    self.send(m.to, take{self.ref(), m.amount});
  }
  void handle(tact::self<account>& self, const take& m) {
    now_ = now_.plus(m.amount);
    self.send(m.from, taken{});
  }

  account_record now_;
  account_record* record_;
  bool waits_ = false;
  tact::ref<paid> customer_;
  std::deque<order> later_;
};

// -- the same, by behaviours

using banking_self = tact::self<banking>;

tact::behavior<banking> open_account(account_record now, account_record* result);
tact::behavior<banking> open_waiting(account_record now, tact::ref<paid> customer, tact::queue<order> later,
                                     account_record* result);

void begin_to_pay(banking_self& self, account_record now, const pay& m, tact::queue<order> later,
                  account_record* result) {
  self.send(m.to, take{self.ref(), m.amount});
  self.become(open_waiting(now.less(m.amount), m.customer, std::move(later), result));
}

void go_on(banking_self& self, account_record now, tact::queue<order> later, account_record* result) {
  for (; !later.empty(); later = std::move(later).pop_front()) {
    if (const auto* m = std::get_if<pay>(&later.front())) return begin_to_pay(self, now, *m, later.pop_front(), result);
    const take& m = std::get<take>(later.front());
    self.send(m.from, taken{});
    now = now.plus(m.amount);
  }
  self.become(open_account(now, result));
}

tact::behavior<banking> open_account(account_record now, account_record* result) {
  return {
      [=](banking_self& self, const pay& m) { begin_to_pay(self, now, m, {}, result); },
      [=](banking_self& self, const take& m) {
        self.send(m.from, taken{});
        self.become(open_account(now.plus(m.amount), result));
      },
      [](banking_self&, const taken&) { throw std::logic_error("an account that does not wait is told to go on"); },
      [=](banking_self& self, const close&) {
        *result = now;
        self.stop();
      },
  };
}

tact::behavior<banking> open_waiting(account_record now, tact::ref<paid> customer, tact::queue<order> later,
                                     account_record* result) {
  return {
      [=](banking_self& self, const taken&) {
        self.send(customer, paid{});
        go_on(self, now, later, result);
      },
      [](banking_self&, const close&) { throw std::logic_error("an account that waits is closed"); },
      [=](banking_self& self, const auto& m) { self.become(open_waiting(now, customer, later.push_back(m), result)); },
  };
}

// --

class teller : public tact::actor<teller, start, paid> {
 public:
  teller(std::vector<tact::ref<banking>> accounts, std::uint64_t count, std::uint64_t* replies)
      : accounts_(std::move(accounts)), count_(count), replies_(replies) {}
  void receive(tact::self<teller>& self, const start&) {
    transfers orders(accounts_.size());
    for (std::uint64_t i = 0; i < count_; ++i) {
      const transfer t = orders.next();
      self.send(accounts_[t.from], pay{self.ref(), accounts_[t.to], t.amount});
    }
  }
  tact::allocation receive(tact::self<teller>& self, const paid&) {
    if (++*replies_ != count_) return tact::allocation::nodelete;
    for (const auto to : accounts_) self.send(to, close{});
    return tact::allocation::delete_;
  }

 private:
  std::vector<tact::ref<banking>> accounts_;
  std::uint64_t count_;
  std::uint64_t* replies_;
};

struct bank {
  explicit bank(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the accounts") == "classic"),
        count(p.number("transfers", {50'000, 800'000, 200}, "transfers")),
        records(p.number("accounts", {1'000, 16'000, 10}, "accounts", 10)) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<banking>> accounts;
    for (auto& r : records) {
      accounts.push_back(classic ? tact::ref<banking>(engine.spawn<account>(r)) : engine.create(open_account({}, &r)));
    }
    engine.send(engine.spawn<teller>(accounts, count, &replies), start{});
    engine.wait_finished();
    return 1 + 4 * count + records.size();
  }
  void check(program& p, const tact::statistics& s) const {
    check_banking(p, records, count, replies);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  std::uint64_t count;
  std::uint64_t replies = 0;
  std::vector<account_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::bank>(argc, argv, "Banking: accounts that wait for each other (Savina 15).");
}
