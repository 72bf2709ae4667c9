// Banking on CAF.
#include <deque>
#include <variant>
#include <vector>

#include "savina/banking/transfers.hpp"
#include "savina/caf.hpp"

namespace bench {
namespace {

using pay = caf::atom_constant<caf::atom("pay")>;
using take = caf::atom_constant<caf::atom("take")>;
using taken = caf::atom_constant<caf::atom("taken")>;
using paid = caf::atom_constant<caf::atom("paid")>;
using close = caf::atom_constant<caf::atom("close")>;
using start = caf::atom_constant<caf::atom("start")>;

class account : public caf::event_based_actor {
 public:
  account(caf::actor_config& config, account_record& record) : event_based_actor(config), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](pay, const caf::actor& to, double amount) {
          handle_in_turn(payment{customer(), to, amount});
        },
        [this](take, double amount) {
          handle_in_turn(receipt{customer(), amount});
        },
        [this](taken) {
          send(customer_, paid::value);
          waits_ = false;
          while (!waits_ && !later_.empty()) {
            std::visit([this](auto& m) { handle(m); }, later_.front());
            later_.pop_front();
          }
        },
        [this](close) {
          *record_ = now_;
          quit();
        },
    };
  }

 private:
  struct payment {
    caf::actor customer;
    caf::actor to;
    double amount;
  };
  struct receipt {
    caf::actor from;
    double amount;
  };

  caf::actor customer() { return caf::actor_cast<caf::actor>(current_sender()); }
  template <class Order>
  void handle_in_turn(Order m) {
    if (waits_) {
      later_.emplace_back(std::move(m));
    } else {
      handle(m);
    }
  }
  void handle(payment& m) {
    now_ = now_.less(m.amount);
    customer_ = std::move(m.customer);
    waits_ = true;
    send(m.to, take::value, m.amount);
  }
  void handle(const receipt& m) {
    now_ = now_.plus(m.amount);
    send(m.from, taken::value);
  }

  account_record now_;
  account_record* record_;
  bool waits_ = false;
  caf::actor customer_;
  std::deque<std::variant<payment, receipt>> later_;
};

class teller : public caf::event_based_actor {
 public:
  teller(caf::actor_config& config, std::vector<caf::actor> accounts, std::uint64_t count, std::uint64_t* replies)
      : event_based_actor(config), accounts_(std::move(accounts)), count_(count), replies_(replies) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          transfers orders(accounts_.size());
          for (std::uint64_t i = 0; i < count_; ++i) {
            const transfer t = orders.next();
            send(accounts_[t.from], pay::value, accounts_[t.to], t.amount);
          }
        },
        [this](paid) {
          if (++*replies_ != count_) return;
          for (const auto& to : accounts_) send(to, close::value);
          quit();
        },
    };
  }

 private:
  std::vector<caf::actor> accounts_;
  std::uint64_t count_;
  std::uint64_t* replies_;
};

struct bank {
  explicit bank(savina_parameters& p)
      : count(p.number("transfers", {50'000, 800'000, 200}, "transfers")),
        records(p.number("accounts", {1'000, 16'000, 10}, "accounts", 10)) {}

  std::uint64_t run(caf::actor_system& system) {
    std::vector<caf::actor> accounts;
    for (auto& r : records) accounts.push_back(system.spawn<account>(std::ref(r)));
    caf::anon_send(system.spawn<teller>(std::move(accounts), count, &replies), start::value);
    system.await_all_actors_done();
    return 1 + 4 * count + records.size();
  }
  void check(program& p) const { check_banking(p, records, count, replies); }

  std::uint64_t count;
  std::uint64_t replies = 0;
  std::vector<account_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::bank>(argc, argv, "Banking: accounts that wait for each other (Savina 15).");
}
