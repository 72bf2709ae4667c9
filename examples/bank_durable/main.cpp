// A bank that lasts: bank_durable FILE [COUNT]. Its accounts are durable actors; a client has COUNT transfers made, 200
// unless given, and prints each one that was answered. However the process is stopped: when it is started again with
// the same file no cent is lost or made, each answered transfer is there, and none was done twice.
//
// - The money on its way is a durable message: it is in the file before it leaves, and is taken once.
// - The client gives each transfer a number. What was not answered it asks for again, by the same number, and the
//   account does it once.
#include <cstdlib>
#include <deque>
#include <iostream>
#include <string>
#include <tact/data/map.hpp>
#include <tact/future.hpp>
#include <tact/store/durable.hpp>
#include <tact/tact.hpp>
#include <utility>
#include <vector>

namespace {

constexpr long accounts = 10, each = 1000;
constexpr long asked_at_once = 16;

// The answer is what was moved: nothing, if the account does not hold so much.
struct transfer {
  using reply = long;
  long number;
  std::string to;
  long cents;
};
struct arrival {
  long number, cents;
};
struct account {
  long cents = each;
  tact::map<long, long> sent{}, taken{};  // number of a transfer -> cents
};
struct look {
  using reply = account;
};
struct account_protocol : tact::protocol<tact::request<transfer>, arrival, tact::request<look>> {};

tact::ref<account_protocol> open_account(tact::engine& engine, const tact::store_file& file, const std::string& name) {
  return tact::create_durable<account_protocol>(
      engine, file, name, account{},
      [](auto& self, account now, const tact::request<transfer>& m) {
        const transfer& t = m.body;
        if (now.sent.contains(t.number)) return self.reply(m, now.sent.at(t.number));  // asked for again
        const long cents = t.cents <= now.cents ? t.cents : 0;
        now.cents -= cents;
        now.sent = now.sent.insert(t.number, cents);
        if (cents != 0) self.send(tact::durable_ref<account_protocol>{t.to}, arrival{t.number, cents});
        self.become(now);
        self.reply(m, cents);
      },
      [](auto& self, account now, const arrival& m) {
        now.cents += m.cents;
        now.taken = now.taken.insert(m.number, m.cents);
        self.become(now);
      },
      [](auto& self, const account& now, const tact::request<look>& m) { self.reply(m, now); });
}

class bank {
 public:
  explicit bank(const std::string& path) : file_(engine_, path) {
    for (long n = 0; n < accounts; ++n) all_.push_back(open_account(engine_, file_, std::to_string(n)));
    engine_.wait_idle();  // the money that was on its way has arrived
  }

  // All transfers that are in the books. Throws if they are not right.
  tact::map<long, long> books() {
    tact::map<long, long> sent, taken;
    long sum = 0;
    for (const account& a : engine_.ask_all(all_, look{})) {
      long is_due = each;
      for (const auto& [number, cents] : a.sent) is_due -= cents;
      for (const auto& [number, cents] : a.taken) is_due += cents;
      if (a.cents != is_due) throw std::runtime_error("AN ACCOUNT DOES NOT HOLD WHAT ITS BOOKS SAY");
      sum += a.cents;
      sent = union_of(sent, a.sent);
      taken = union_of(taken, a.taken);
    }
    if (sum != accounts * each) throw std::runtime_error("MONEY WAS LOST OR MADE");
    for (const auto& [number, cents] : sent) {
      if (cents != 0 && taken.find(number) == taken.end()) throw std::runtime_error("A TRANSFER HAS NOT ARRIVED");
    }
    return sent;
  }
  // Transfer n is always the same one.
  std::future<long> ask(long n) {
    const auto from = static_cast<std::size_t>(n * 7 % accounts);
    return engine_.ask_future(all_[from], transfer{n, std::to_string(n * n * 3 % accounts), n * 31 % 400});
  }

 private:
  tact::engine engine_;
  tact::store_file file_;
  std::vector<tact::ref<account_protocol>> all_;
};

void work(bank& b, long first, long end) {
  std::deque<std::pair<long, std::future<long>>> asked;
  for (long n = first; n < end || !asked.empty(); ++n) {
    if (n < end) asked.emplace_back(n, b.ask(n));
    if (n < end && asked.size() < asked_at_once) continue;
    const long cents = asked.front().second.get();
    std::cout << "answered " << asked.front().first << ' ' << cents << std::endl;
    asked.pop_front();
  }
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 2 || argc > 3) return std::cerr << "bank_durable FILE [COUNT]\n", 2;
  try {
    bank b(argv[1]);
    const auto before = b.books();
    const long last = before.empty() ? 0 : before.rbegin()->first;
    work(b, std::max(1L, last - 2 * asked_at_once), last + (argc == 3 ? std::atol(argv[2]) : 200) + 1);
    for (const auto& [number, cents] : b.books()) std::cout << "in the books " << number << ' ' << cents << '\n';
  } catch (const std::exception& e) {
    return std::cerr << e.what() << '\n', 1;
  }
}
