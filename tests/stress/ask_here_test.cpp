// Answers that come as messages of the actor itself which has asked.
#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "support/engine_fixture.hpp"

namespace ask_here_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using tact::failure_reason;

struct price {
  using reply = long;
  long item;
};
struct nothing {
  using reply = void;
};
struct shop : tact::protocol<tact::request<price>, tact::request<nothing>> {};
struct buy {
  long item;
};
struct total {
  using reply = long;
};
struct leave {};
struct cart : tact::protocol<buy, tact::request<total>, leave> {};

constexpr long refused = 13;  // the item for which the shop throws
constexpr long kept = 17;     // the one for which it never answers

tact::behavior<shop> open_shop() {
  return {[](auto& self, const tact::request<price>& m) {
            if (m.body.item == refused) throw std::runtime_error("no such thing");
            m.body.item == kept ? self.defer(m) : self.reply(m, m.body.item * 10);
          },
          [](auto& self, const tact::request<nothing>& m) { self.reply(m); }};
}

// A behaviour that becomes what it is with the price of each item. It counts a failure as a million.
tact::behavior<cart> open_cart(tact::ref<shop> where, long sum) {
  return {[=](auto& self, const buy& m) {
            self.ask_here(
                where, price{m.item}, [=](auto& me, long cents) { me.become(open_cart(where, sum + cents)); },
                [=](auto& me, const tact::failure&) { me.become(open_cart(where, sum + 1'000'000)); });
          },
          [=](auto& self, const tact::request<total>& m) { self.reply(m, sum); },
          [](auto& self, const leave&) { self.stop(); }};
}

// The same as an object whose members only its own handlers touch, without a lock.
class basket : public tact::actor<basket, buy, tact::request<total>, leave> {
 public:
  explicit basket(tact::ref<shop> s) : shop_(s) {}
  void receive(tact::self<basket>& self, const buy& m) {
    if (std::exchange(inside_, true)) throw std::logic_error("two messages at once");
    self.ask_here(
        shop_, price{m.item},
        [this](tact::self<basket>&, long cents) {
          if (std::exchange(inside_, true)) throw std::logic_error("two messages at once");
          sum_ += cents;
          inside_ = false;
        },
        [this](const tact::failure&) { sum_ += 1'000'000; });
    inside_ = false;
  }
  void receive(tact::self<basket>& self, const tact::request<total>& m) { self.reply(m, sum_); }
  tact::allocation receive(tact::self<basket>&, const leave&) { return tact::allocation::finished; }

 private:
  const tact::ref<shop> shop_;
  long sum_ = 0;
  bool inside_ = false;
};

}  // namespace

TEST_CASE("ask_here: each answer and each failure is one message of the actor that asked", "[law2]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine e(quiet_options(workers));
  const auto s = e.create(open_shop(), tact::parallel);
  const auto times = static_cast<long>(scaled(2'000));
  std::vector<tact::ref<tact::request<total>>> carts;
  for (int i = 0; i < 4; ++i) {
    const auto c = e.spawn<basket>(s);
    for (long n = 0; n < times; ++n) e.send(c, buy{n % 7});
    e.send(c, buy{refused});
    carts.emplace_back(c);
  }
  long expected = 1'000'000;
  for (long n = 0; n < times; ++n) expected += n % 7 * 10;
  require_idle(e);
  for (const auto c : carts) CHECK(e.ask(c, total{}) == expected);
}

// The function of a behaviour's answer captures the sum when it asks. Only if answers come one after the other, each
// behind a question that has seen the one before, the sum is that of all.
TEST_CASE("ask_here: a behaviour of any placement becomes with its answer", "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const nothing_left left;
  tact::engine e(quiet_options(workers));
  const auto s = e.create(open_shop(), tact::parallel);
  const tact::ref<cart> carts[] = {e.create(open_cart(s, 0)), e.create(open_cart(s, 0), tact::parallel),
                                   e.create(open_cart(s, 0), tact::heavy), e.create(open_cart(s, 0), tact::blocking)};
  for (const auto c : carts) {
    long expected = 0;
    for (const long item : {1L, 2L, refused, 3L}) {
      e.send(c, buy{item});
      require_idle(e);
      expected += item == refused ? 1'000'000 : item * 10;
      CHECK(e.ask(c, total{}) == expected);
    }
  }
}

TEST_CASE("ask_here: many answers at once collide in a parallel actor, and each takes effect once", "[law2]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct adding {
    static tact::behavior<tact::protocol<long, tact::request<total>>> open(long sum) {
      return {[=](auto& self, const long& cents) { self.become(open(sum + cents)); },
              [=](auto& self, const tact::request<total>& m) { self.reply(m, sum); }};
    }
  };
  struct passing {
    static tact::behavior<tact::protocol<buy>> open(tact::ref<shop> s, tact::ref<long> to) {
      return {[=](auto& self, const buy& m) {
        self.ask_here(s, price{m.item}, [=](auto& me, long cents) {
          me.become(open(s, to));
          me.send(to, cents);
        });
      }};
    }
  };
  tact::engine e(quiet_options(workers));
  const auto sum = e.create(adding::open(0));
  const auto p = e.create(passing::open(e.create(open_shop(), tact::parallel), sum), tact::parallel);
  const long times = scaled(5'000);
  for (long n = 0; n < times; ++n) e.send(p, buy{1}, tact::spread);
  require_idle(e);
  CHECK(e.ask(sum, total{}) == 10 * times);
}

TEST_CASE("ask_here: the answer keeps its place among what the same sender sends", "[law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct diary;
  struct ask_of {
    using reply = long;
    tact::ref<long> by;
    long n;
  };
  struct diary : tact::actor<diary, buy, long> {
    diary(tact::ref<tact::request<ask_of>> s, std::vector<long>& b) : teller_(s), book_(&b) {}
    void receive(tact::self<diary>& self, const buy& m) {
      self.ask_here(teller_, ask_of{self.ref(), m.item}, [this](auto&, long n) { book_->push_back(n); });
    }
    void receive(tact::self<diary>&, long n) { book_->push_back(n); }
    tact::ref<tact::request<ask_of>> teller_;
    std::vector<long>* book_;
  };
  std::vector<long> book;
  tact::engine e(quiet_options(workers));
  const auto teller = e.create<tact::request<ask_of>>([](auto& self, const tact::request<ask_of>& m) {
    self.send(m.body.by, 3 * m.body.n);
    self.reply(m, 3 * m.body.n + 1);
    self.send(m.body.by, 3 * m.body.n + 2);
  });
  const auto d = e.spawn<diary>(teller, book);
  const long times = scaled(3'000);
  for (long n = 0; n < times; ++n) e.send(d, buy{n});
  require_idle(e);
  REQUIRE(book.size() == static_cast<std::size_t>(3 * times));
  for (std::size_t i = 0; i < book.size(); ++i) REQUIRE(book[i] == static_cast<long>(i));
}

TEST_CASE("ask_here: a limit of the mailbox refuses no answer, and an actor that waits puts it aside") {
  const auto policy = GENERATE(tact::when_full::reject, tact::when_full::drop_newest, tact::when_full::drop_oldest);
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct waiting : tact::actor<waiting, buy, tact::request<total>> {
    explicit waiting(tact::ref<shop> s) : shop_(s) {}
    void receive(tact::self<waiting>& self, const buy& m) {
      self.ask_here(shop_, price{m.item}, [this](auto& me, long cents) {
        inside_ = true;
        sum_ += cents + me.ask(shop_, price{1});
        inside_ = false;
      });
      const bool was_inside = inside_;
      sum_ += self.ask(shop_, price{100});
      if (was_inside) throw std::logic_error("two messages at once");
    }
    void receive(tact::self<waiting>& self, const tact::request<total>& m) { self.reply(m, sum_); }
    tact::ref<shop> shop_;
    long sum_ = 0;
    bool inside_ = false;
  };
  tact::engine e(quiet_options(workers));
  const auto s = e.create(open_shop(), tact::parallel);
  const auto w = e.spawn<waiting>(tact::mailbox_limit{.messages = 1, .when_full = policy}, s);
  const auto handled_by_now = [&] { return e.ask(w, total{}) / (20 + 10 + 1'000); };
  long sent = 0;
  long refused_here = 0;  // of the sender's own messages, which are dead letters
  for (long i = 0; i < 100; ++i) {
    const auto how = e.try_send(w, buy{2});
    sent += how == tact::send_result::sent ? 1 : 0;
    refused_here += how == tact::send_result::dropped ? 1 : 0;
    if (i % 10 == 0) require_idle(e);
  }
  require_idle(e);
  CHECK(handled_by_now() == sent - (static_cast<long>(e.statistics().dead_letters) - refused_here));
}

TEST_CASE("ask_here: with a limit the answer or the limit is heard, whichever is first, and no timer is left") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct asking : tact::actor<asking, buy, tact::request<total>> {
    explicit asking(tact::ref<shop> s) : shop_(s) {}
    void receive(tact::self<asking>& self, const buy& m) {
      self.ask_here(
          shop_, price{m.item}, m.item == kept ? 1ms : generous, [this](auto&, long cents) { heard_ += cents; },
          [this](auto&, const tact::failure& f) {
            if (f.reason == failure_reason::timed_out) heard_ += 1'000;
          });
    }
    void receive(tact::self<asking>& self, const tact::request<total>& m) { self.reply(m, heard_); }
    tact::ref<shop> shop_;
    long heard_ = 0;
  };
  tact::engine e(quiet_options(workers));
  const auto a = e.spawn<asking>(e.create(open_shop()));
  e.send(a, buy{kept});
  e.send(a, buy{4});
  while (e.ask(a, total{}) != 1'040) std::this_thread::yield();
  require_idle(e);
  CHECK(e.statistics().timers_armed == 0);
}

TEST_CASE("ask_here: an actor that has ended, or was made anew, hears no answer that its predecessor has asked for",
          "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct release {};
  struct slow : tact::actor<slow, tact::request<price>, release> {
    void receive(tact::self<slow>& self, const tact::request<price>& m) {
      self.defer(m);
      asked_.push_back(m);
    }
    void receive(tact::self<slow>& self, const release&) {
      for (const auto& m : asked_) self.reply(m, 1L);
      asked_.clear();
    }
    std::vector<tact::request<price>> asked_;
  };
  struct trip {};
  struct fragile : tact::actor<fragile, buy, trip, leave, tact::request<total>> {
    explicit fragile(tact::ref<slow> s) : slow_(s) {}
    void receive(tact::self<fragile>& self, const buy& m) {
      self.ask_here(slow_, price{m.item}, [this](auto&, long cents) { *sum_ += cents; });
    }
    void receive(tact::self<fragile>&, const trip&) { throw std::runtime_error("tripped"); }
    tact::allocation receive(tact::self<fragile>&, const leave&) { return tact::allocation::finished; }
    void receive(tact::self<fragile>& self, const tact::request<total>& m) { self.reply(m, *sum_); }
    tact::ref<slow> slow_;
    std::unique_ptr<long> sum_ = std::make_unique<long>(0);
  };
  tact::engine e(quiet_options(workers));
  const auto s = e.spawn<slow>();
  const auto a = e.spawn<fragile>(tact::restartable, tact::failure_rule(tact::failure_policy::restart), s);
  const auto round = [&](auto then) {
    e.send(a, buy{1});
    require_idle(e);
    then();
    require_idle(e);
    e.send(s, release{});
    require_idle(e);
  };
  round([] {});
  CHECK(e.ask(a, total{}) == 1);
  round([&] { e.send(a, trip{}); });
  CHECK(e.ask(a, total{}) == 0);
  CHECK(e.statistics().dead_letters == 1);
  round([] {});
  CHECK(e.ask(a, total{}) == 1);
  round([&] { e.send(a, leave{}); });
  CHECK(e.statistics().dead_letters == 2);
  const auto letters = e.dead_letters();
  REQUIRE(letters.size() == 2);
  for (const auto& l : letters) {
    CHECK(l.reason == failure_reason::target_ended);
    CHECK(l.message == "answer to request<price>");
  }
}

TEST_CASE("ask_here: it goes on in the context in which it asked, and hears of a void answer") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<std::uint64_t> trace{0};
  std::atomic<int> waved{0};
  tact::engine e(quiet_options(workers));
  const auto s = e.create(open_shop());
  const auto a = e.create<tact::protocol<buy>>([&trace, &waved, s](auto& self, const buy& m) {
    self.ask_here(s, price{m.item}, [&trace](auto& me, long) { trace = me.context().trace(); });
    self.ask_here(s, nothing{}, [&waved](auto&) { ++waved; });
    self.ask_here(s, nothing{}, [&waved] { ++waved; });
  });
  tact::with_context(tact::context().with_trace(7), [&] { e.send(a, buy{1}); });
  require_idle(e);
  CHECK(trace == 7);
  CHECK(waved == 2);
}

TEST_CASE("ask_here: a run that does not commit has asked nobody, and without otherwise a failure is a dead letter",
          "[law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  std::atomic<int> asked{0};
  tact::engine e(quiet_options(workers));
  const auto s = e.create<tact::protocol<tact::request<price>>>([&asked](auto& self, const tact::request<price>& m) {
    ++asked;
    self.fail(m, tact::failure{failure_reason::unanswered, "sold out"});
  });
  const auto a = e.create<tact::protocol<buy>>([s](auto& self, const buy& m) {
    self.ask_here(s, price{m.item}, [](auto&, long) {});
    if (m.item == refused) throw std::runtime_error("never mind");
  });
  e.send(a, buy{refused});
  require_idle(e);
  CHECK(asked == 0);
  e.send(a, buy{1});
  require_idle(e);
  CHECK(asked == 1);
  CHECK(e.statistics().dead_letters == 1);
}

TEST_CASE("ask_here: an answer that a rehearsed behaviour handles is compared, too") {
  auto options = quiet_options(2);
  options.rehearse = true;
  std::atomic<int> runs{0};
  std::atomic<int> differences{0};
  options.on_unrepeatable = [&](const tact::unrepeatable_handler& d) {
    if (d.message == "answer to request<price>") ++differences;
  };
  tact::engine e(options);
  const auto s = e.create(open_shop());
  const auto sink = e.create<tact::protocol<long>>([](auto&, const long&) {});
  const auto a = e.create<tact::protocol<buy>>([=, &runs](auto& self, const buy& m) {
    self.ask_here(s, price{m.item}, [=, &runs](auto& me, long) { me.send(sink, long{++runs}); });
  });
  e.send(a, buy{1});
  require_idle(e);
  CHECK(runs == 2);
  CHECK(differences == 1);
}

TEST_CASE("ask_here: a query or a function that cannot be copied or moved without an exception loses no answer") {
  struct brittle {
    brittle() = default;
    brittle(const brittle&) = default;
    brittle(brittle&& other) : limit(other.limit) {
      if (limit != nullptr && --*limit < 0) throw std::runtime_error("moved too often");
    }
    brittle& operator=(const brittle&) = delete;
    ~brittle() = default;
    std::shared_ptr<std::atomic<int>> limit{};
  };
  struct order {
    using reply = brittle;
    std::shared_ptr<std::atomic<int>> limit;
  };
  tact::engine e(quiet_options(2));
  const auto s = e.create<tact::protocol<tact::request<order>>>([](auto& self, const tact::request<order>& m) {
    brittle b;
    b.limit = m.body.limit;
    self.reply(m, b);
  });
  std::atomic<int> answers{0};
  std::atomic<int> failures{0};
  const auto a = e.create<tact::protocol<buy>>([s, &answers, &failures](auto& self, const buy& m) {
    self.ask_here(
        s, order{std::make_shared<std::atomic<int>>(static_cast<int>(m.item))},
        [&answers](auto&, const brittle&) { ++answers; }, [&failures](const tact::failure&) { ++failures; });
  });
  for (long moves = 0; moves < 8; ++moves) e.send(a, buy{moves});
  require_idle(e);
  CHECK(answers + failures == 8);
  CHECK(answers > 0);
  CHECK(failures > 0);
}

TEST_CASE("ask_here: an actor that is not parallel hears that its engine ends before the answer has come", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const bool drains = GENERATE(true, false);
  std::atomic<int> ended{0};
  {
    tact::engine e(quiet_options(workers));
    const auto s = e.create(open_shop());
    const auto listens = [&ended, s](auto& self, const buy& m) {
      self.ask_here(
          s, price{m.item}, [](auto&, long) {},
          [&ended](auto&, const tact::failure& f) { ended += f.reason == failure_reason::engine_ended ? 1 : 0; });
    };
    e.send(e.create<buy>(listens), buy{kept});
    e.send(e.create<buy>(listens, tact::heavy), buy{kept});
    require_idle(e);
    CHECK((drains ? e.drain(generous) : e.cancel(generous)));
  }
  CHECK(ended == 2);
}

}  // namespace ask_here_test
