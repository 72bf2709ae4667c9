// A program with a live page whose figures are known, for the tests in a browser: page_program [SLEEPERS]. It prints
// the address of the page, and obeys the words on its standard input: "work" lets messages go round until "rest",
// "structure" makes scopes, supervisors and a topic, "dissolve" ends them, and "end" or its end ends the program.
#include <atomic>
#include <chrono>
#include <iostream>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "tact/inspect/live_page.hpp"
#include "tact/patterns/supervisor.hpp"
#include "tact/patterns/topic.hpp"
#include "tact/tact.hpp"

namespace bank {

struct deposit {
  long cents;
};
struct open {};
struct transfer {
  long cents;
  unsigned steps;
};
struct wait {};
struct sleeper : tact::protocol<wait> {};
struct account : tact::protocol<deposit> {};
struct teller : tact::protocol<open, transfer> {};
struct postman : tact::protocol<open> {};
struct auditor : tact::protocol<wait> {};
struct rates : tact::protocol<deposit> {};

tact::behavior<account> open_account(long cents) {
  return [=](tact::self<account>& self, const deposit& m) {
    if (m.cents <= 0) throw std::invalid_argument("deposit: amount must be positive");
    self.become(open_account(cents + m.cents));
  };
}

tact::behavior<rates> open_rates(long n) {
  return [=](tact::self<rates>& self, const deposit& m) { self.become(open_rates(n + m.cents)); };
}

// Each transfer is a deposit and, until its steps are done, one more transfer.
class teller_actor : public tact::actor<teller_actor, open, transfer> {
 public:
  teller_actor(std::vector<tact::ref<account>> accounts, const std::atomic<bool>& goes_on)
      : accounts_(std::move(accounts)), goes_on_(goes_on) {}
  void receive(tact::self<teller_actor>& self, const open&) { self.send(self.ref(), transfer{1, 100}); }
  void receive(tact::self<teller_actor>& self, const transfer& m) {
    self.send(accounts_[next_++ % accounts_.size()], deposit{m.cents});
    if (m.steps > 1 || goes_on_) self.send(self.ref(), transfer{m.cents, m.steps > 1 ? m.steps - 1 : 1});
  }

 private:
  const std::vector<tact::ref<account>> accounts_;
  const std::atomic<bool>& goes_on_;
  std::size_t next_ = 0;
};

// Two supervisors with a child each, of which one was restarted; two scopes, one in the other; a topic.
struct structure {
  explicit structure(tact::engine& engine)
      : feeds(engine, {.strategy = tact::restart_strategy::rest_for_one, .name = "feeds"}),
        books(engine, feeds, {.name = "books"}),
        sessions(engine, tact::named("<i>sessions</i>")),
        session(engine, sessions, tact::named("session 1")) {
    const tact::restarting makes([] { return open_account(0); });
    const auto feed = feeds.create(makes, tact::permanent, tact::named("feed 1"));
    static_cast<void>(books.create(makes, tact::named("book 1")));
    engine.send(feed, deposit{0});
    for (int i = 0; i < 2; ++i) static_cast<void>(session.create(open_account(0)));
    const auto prices = sessions.create(tact::topic<deposit>(), tact::named("prices"));
    engine.ask(prices, tact::subscribe_topic<deposit>{feed});
  }
  tact::supervisor feeds;
  tact::supervisor books;
  tact::scope sessions;
  tact::scope session;
};

void obey(const std::string& word, tact::engine& engine, std::unique_ptr<structure>& held) {
  if (word == "structure") held = std::make_unique<structure>(engine);
  if (word == "dissolve") held.reset();
}

void collide(tact::engine& engine, tact::ref<rates> shared) {
  for (int i = 0; i < 1000; ++i) engine.send(shared, deposit{1}, tact::spread);
}

}  // namespace bank

int main(int argc, char** argv) {
  using namespace bank;
  const int sleepers = argc > 1 ? std::stoi(argv[1]) : 0;
  tact::engine_options options;
  options.workers = 2;
  options.workers_rest = false;
  options.on_failure = [](const tact::failure_report&) {};
  std::atomic<bool> goes_on{false};
  std::atomic<bool> is_over{false};
  tact::engine engine(options);
  tact::inspect::recorder recorder(engine);
  for (int i = 0; i < sleepers; ++i)
    static_cast<void>(engine.create(tact::behavior<sleeper>([](auto&, const wait&) {})));

  // 4 tellers, each 100 transfers to 8 accounts; of 3 deposits of nothing, each is a failure.
  std::vector<tact::ref<account>> accounts;
  for (int i = 0; i < 8; ++i)
    accounts.push_back(engine.create(open_account(0), tact::named("account " + std::to_string(i))));
  std::vector<decltype(engine.spawn<teller_actor>(accounts, goes_on))> tellers;
  for (int i = 0; i < 4; ++i) tellers.push_back(engine.spawn<teller_actor>(accounts, goes_on));
  for (const auto& t : tellers) engine.send(t, open{});
  for (int i = 0; i < 3; ++i) engine.send(accounts[0], deposit{0});
  engine.wait_idle();

  // 5 dead letters of one actor, for one that has ended.
  const auto gone = engine.create(tact::behavior<account>([](auto& self, const deposit&) { self.stop(); }),
                                  tact::named("closed account"));
  engine.send(gone, deposit{1});
  engine.wait_idle();
  engine.send(engine.create(tact::behavior<postman>([=](auto& self, const open&) {
    for (int i = 0; i < 5; ++i) self.send(gone, deposit{1});
  })),
              open{});

  // A mailbox of 10 with 7 messages in it, behind a handler that is not done; a timer.
  const auto auditor_actor =
      engine.create(tact::behavior<auditor>([&](auto&, const wait&) {
                      while (!is_over) is_over.wait(false);
                    }),
                    tact::blocking, tact::named("the <b>auditor</b>"), tact::mailbox_limit{.messages = 10});
  for (int i = 0; i < 8; ++i) engine.send(auditor_actor, wait{});
  [[maybe_unused]] const auto timer = engine.send_after(std::chrono::hours(1), accounts[0], deposit{1});

  tact::inspect::live_page page(engine, recorder, {.allow_control = true});
  std::cout << page.url() << std::endl;
  const auto shared = engine.create(open_rates(0), tact::parallel);
  std::unique_ptr<structure> held;
  for (std::string word; std::cin >> word && word != "end";) {
    if (word == "work" || word == "rest") goes_on = word == "work";
    if (word == "work") {
      for (const auto& t : tellers) engine.send(t, open{});
    }
    obey(word, engine, held);
    if (word == "collide") collide(engine, shared);
    std::cout << word << std::endl;
  }
  goes_on = false;
  is_over = true;
  is_over.notify_all();
}
