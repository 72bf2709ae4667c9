// A program that stands still, for the test of what gdb shows: three handlers that are busy and have mailboxes, two
// handlers and a continuation that wait for one another, an actor that has ended, and one at rest.
#include <atomic>
#include <cstdlib>
#include <iostream>
#include <string>
#include <tact/inspect/recorder.hpp>
#include <tact/tact.hpp>
#include <thread>

namespace bank {

struct deposit {
  int amount;
};
struct withdraw {
  int amount;
  std::string reason;
};
struct count {
  using reply = int;
};
struct begin {};

// Its handler does not return, and its worker has nothing else to do.
class vault : public tact::actor<vault, deposit, withdraw> {
 public:
  explicit vault(std::atomic<bool>& is_busy) : is_busy_(is_busy) {}
  void receive(tact::self<vault>&, const deposit& d) {
    is_busy_.store(true);
    count_coins(d.amount);
  }
  void receive(tact::self<vault>&, const withdraw&) {}

 private:
  [[gnu::noinline]] void count_coins(int amount) const { is_busy_.wait(amount != 0); }

  std::atomic<bool>& is_busy_;
};

struct answers : tact::protocol<tact::request<count>, begin> {};

[[gnu::noinline]] int ask_the_right(tact::self<answers>& self, tact::ref<answers> right, int page) {
  return self.ask(right, count{}) + page;
}
[[gnu::noinline]] int ask_the_clerk(tact::self<answers>& self, tact::ref<answers> clerk) {
  return self.ask(clerk, count{});
}

// The left asks the right, which asks the clerk, which asks the left by a continuation.
tact::behavior<answers> left(tact::ref<answers> right) {
  return {[=](tact::self<answers>& self, const begin&) { std::cout << ask_the_right(self, right, 17); },
          [](tact::self<answers>& self, const tact::request<count>& m) { self.reply(m, 0); }};
}
tact::behavior<answers> right(tact::ref<answers> clerk) {
  return {[](tact::self<answers>&, const begin&) {},
          [=](tact::self<answers>& self, const tact::request<count>& m) { self.reply(m, ask_the_clerk(self, clerk)); }};
}

class clerk : public tact::actor<clerk, answers> {
 public:
  explicit clerk(tact::ref<answers>& to) : asks_(to) {}
  void receive(tact::self<clerk>&, const begin&) {}
  void receive(tact::self<clerk>& self, const tact::request<count>& m) {
    self.defer(m);
    self.ask(asks_, count{}, [m](tact::transaction& tx, int n) { tx.reply(m, n); });
  }

 private:
  tact::ref<answers>& asks_;
};

struct ping {
  using reply = int;
};
struct pings : tact::protocol<tact::request<ping>> {};

tact::behavior<pings> quiet() {
  return {[](tact::self<pings>& self, const tact::request<ping>& m) { self.reply(m, 1); }};
}

class guest : public tact::actor<guest, begin> {
 public:
  tact::allocation receive(tact::self<guest>&, const begin&) { return tact::allocation::delete_; }
};

}  // namespace bank

namespace {

void wait_until(tact::engine& engine, tact::ref<bank::pings> meanwhile, auto is_so) {
  while (!is_so()) {
    if (engine.ask(meanwhile, bank::ping{}) != 1) std::abort();
    std::this_thread::yield();
  }
}

}  // namespace

// gdb stops here, and in the function behind.
extern "C" [[gnu::noinline]] void all_stand_still(const tact::engine& engine, const tact::failure& why,
                                                  const tact::context& in, tact::ref<bank::vault> full,
                                                  tact::ref<bank::guest> gone, tact::ref<bank::answers> nobody) {
  static_cast<void>(in), static_cast<void>(full), static_cast<void>(gone), static_cast<void>(nobody);
  std::cout << engine.statistics().in_flight() << " messages wait; " << why << std::endl;
}

extern "C" [[gnu::noinline]] void it_goes_on() { std::cout << "it goes on" << std::endl; }

int main() {
  std::atomic<bool> is_busy{false};
  tact::ref<bank::answers> begins;
  std::atomic<bool> is_full{false};
  std::atomic<bool> is_taken{false};
  tact::engine engine({.workers = 4, .workers_rest = false});
  const auto full = engine.spawn<bank::vault>(tact::named("the vault"), is_busy);
  const tact::mailbox_limit two{.messages = 2, .when_full = tact::when_full::drop_oldest};
  const auto small = engine.spawn<bank::vault>(tact::named("the safe"), two, is_full);
  const auto in_order = tact::by_priority(tact::handled_first<bank::withdraw>);
  const auto sorted = engine.spawn<bank::vault>(tact::named("the desk"), in_order, is_taken);
  const auto asked_last = engine.spawn<bank::clerk>(begins);
  const auto asked = engine.create(bank::right(asked_last), tact::named("right"));
  begins = engine.create(bank::left(asked), tact::named("left"));
  const auto rests = engine.create(bank::quiet(), tact::named("rests"));
  const auto gone = engine.spawn<bank::guest>();

  engine.send(gone, bank::begin{});
  engine.send(full, bank::deposit{1});
  engine.send(small, bank::deposit{10});
  engine.send(sorted, bank::deposit{20});
  wait_until(engine, rests, [&] { return is_busy.load() && is_full.load() && is_taken.load(); });
  engine.send(begins, bank::begin{});
  wait_until(engine, rests, [&] { return engine.statistics().waiting == 2; });
  engine.send(full, bank::deposit{2});
  engine.send(full, bank::deposit{3});
  for (int i = 11; i != 14; ++i) engine.send(small, bank::deposit{i});
  engine.send(sorted, bank::deposit{21});
  engine.send(sorted, bank::withdraw{22, ""});
  tact::inspect::recorder numbers(engine);
  engine.send(full, bank::withdraw{4, "rent"});
  wait_until(engine, rests, [&] { return engine.statistics().in_flight() == 13; });
  // The worker that is free runs what there is, and then this, and then it parks.
  const auto parked = engine.statistics().parks;
  static_cast<void>(engine.ask(rests, bank::ping{}));
  while (engine.statistics().parks == parked) std::this_thread::yield();
  tact::failure why{.reason = tact::failure_reason::handler_threw, .what = "no coins"};
  why.causes.push_back("a hole in the wall");
  const tact::context in = tact::context().with_trace(42);
  all_stand_still(engine, why, in, full, gone, {});
  it_goes_on();
  std::_Exit(0);
}
