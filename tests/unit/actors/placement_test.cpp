// How actors are placed: heavy and blocking ones, and messages that are spread.
#include <map>
#include <set>

#include "support/engine_fixture.hpp"
#include "support/home_of.hpp"

namespace placement_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;

struct note {};
struct quit {};
struct question {
  using reply = long;
};
struct desk : tact::protocol<note, quit, tact::request<question>> {};

tact::behavior<desk> open_desk(long notes = 0) {
  return {
      [=](tact::self<desk>& self, const note&) { self.become(open_desk(notes + 1)); },
      [](tact::self<desk>& self, const quit&) { self.stop(); },
      [=](auto& self, const tact::request<question>& m) {
        if (notes == 0) throw std::runtime_error("no notes yet");
        self.reply(m, notes);
      },
  };
}

class counter : public tact::actor<counter, note, tact::request<question>> {
 public:
  explicit counter(long from) : notes_(from) {}
  void receive(tact::self<counter>&, const note&) { ++notes_; }
  void receive(tact::self<counter>& self, const tact::request<question>& m) { self.reply(m, notes_); }

 private:
  long notes_;
};

template <class P>
std::uint32_t home_of(tact::ref<P> r) {
  return tact::support::home_of(tact::detail::access::port_of(r));
}

// Runs f in a handler, and waits until all that comes of it is done.
template <class F>
void in_handler(tact::engine& engine, F f) {
  engine.create(tact::behavior<note>{[f](tact::self<note>& self, const note&) {
                  self.stop();
                  f(self);
                }},
                tact::parallel) |
      note{};
  require_idle(engine);
}

tact::engine_options options_of(unsigned workers, unsigned shards, unsigned heavy) {
  auto o = quiet_options(workers);
  o.shards = shards;
  o.heavy_shards = heavy;
  return o;
}

}  // namespace

TEST_CASE("placement: heavy and blocking actors are actors like others, transactional and classic", "[api]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  counter own(30);
  const auto check = [&](auto... tag) {
    const auto a = engine.create(open_desk(), tag...);
    CHECK_THROWS_AS(engine.ask(a, question{}), tact::ask_error);
    a | note{} | note{};
    CHECK(engine.ask(a, question{}) == 2);
    engine.send(a, quit{});
    CHECK_THROWS_AS(engine.ask(a, question{}), tact::ask_error);
    const auto b = engine.spawn<counter>(tag..., 10);
    b | note{};
    CHECK(engine.ask(b, question{}) == 11);
    b | tact::delete_msg;
    const auto c = engine.attach(own, tag...);
    c | note{};
    engine.ask(c, question{});
    c | tact::finished_msg;
    require_idle(engine);
  };
  check();
  check(tact::heavy);
  check(tact::blocking);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 0);
  CHECK(engine.ask(engine.attach(own), question{}) == 33);
}

TEST_CASE("placement: a handler creates, spawns and attaches heavy and blocking actors", "[api]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  counter first(0), second(0);
  std::atomic<long> heard{0};
  in_handler(engine, [&](tact::self<note>& self) {
    const auto tell = [&](auto r) {
      self.send(r, note{});
      self.send(r, tact::request<question>{self.beta([&](auto&, long n) { heard += n; }), {}});
    };
    tell(self.create(open_desk(), tact::heavy));
    tell(self.create(open_desk(), tact::blocking));
    tell(self.spawn<counter>(tact::heavy, 10));
    tell(self.spawn<counter>(tact::blocking, 100));
    tell(self.attach(first, tact::heavy));
    tell(self.attach(second, tact::blocking));
  });
  require_idle(engine);
  CHECK(heard == 1 + 1 + 11 + 101 + 1 + 1);
  CHECK(engine.statistics().actors_alive == 6);
}

TEST_CASE("placement: a heavy actor has a kept shard for itself while there are some", "[actor]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const unsigned shards = 2 * workers;
  tact::engine engine(options_of(workers, shards, 3));
  for (int round = 0; round < scaled(2'000); ++round) {
    std::vector<tact::ref<desk>> kept;
    std::set<std::uint32_t> homes;
    for (int i = 0; i < 3; ++i) {
      kept.push_back(engine.create(open_desk(), tact::heavy));
      homes.insert(home_of(kept.back()));
    }
    REQUIRE(homes == std::set<std::uint32_t>{shards, shards + 1, shards + 2});
    if (round % 100 == 0) {
      const auto one_more = engine.create(open_desk(), tact::heavy);
      CHECK(home_of(one_more) < shards);
      one_more | quit{};
    }
    for (const auto& k : kept) k | note{} | quit{};
    REQUIRE(engine.wait_idle(generous));
  }
  CHECK(engine.statistics().actors_alive == 0);
  // A run that does not commit gives them back.
  in_handler(engine, [&](tact::self<note>& self) {
    for (int i = 0; i < 5; ++i) static_cast<void>(self.create(open_desk(), tact::heavy));
    throw std::runtime_error("not this time");
  });
  CHECK(home_of(engine.create(open_desk(), tact::heavy)) >= shards);
  CHECK(home_of(engine.create(open_desk(), tact::heavy)) >= shards);
  CHECK(home_of(engine.create(open_desk(), tact::heavy)) >= shards);
  CHECK(home_of(engine.create(open_desk(), tact::heavy)) < shards);
}

TEST_CASE("placement: one blocking actor too many throws, and names the option", "[api]") {
  auto options = quiet_options(2);
  options.blocking_max = 1;
  tact::engine engine(options);
  const auto a = engine.create(open_desk(), tact::blocking);
  CHECK_THROWS_WITH(engine.create(open_desk(), tact::blocking), Contains("engine_options.blocking_max = 1"));
  CHECK_THROWS_AS(engine.spawn<counter>(tact::blocking, 1), tact::usage_error);
  in_handler(engine, [&](tact::self<note>& self) { static_cast<void>(self.create(open_desk(), tact::blocking)); });
  CHECK(engine.statistics().failures == 1);
  // As soon as one has ended, as far as anybody can tell, there is a place for the next.
  a | quit{};
  for (int i = 0; i < scaled(2'000); ++i) {
    require_idle(engine);
    engine.create(open_desk(), tact::blocking) | quit{};
  }
  options.blocking_max = 0;
  tact::engine none(options);
  CHECK_THROWS_AS(none.create(open_desk(), tact::blocking), tact::usage_error);
}

TEST_CASE("placement: a blocking actor's handler is refused what waits for its engine", "[api]") {
  tact::engine engine(quiet_options(1));
  std::string text;
  const auto a = engine.create(tact::behavior<note>{[&](auto&, const note&) {
                                 try {
                                   engine.wait_idle();
                                 } catch (const tact::usage_error& e) {
                                   text = e.what();
                                 }
                               }},
                               tact::blocking);
  a | note{};
  require_idle(engine);
  CHECK_THAT(text, Contains("engine.wait_idle") && Contains("inside a handler"));
}

TEST_CASE("spread: a handler's messages to a parallel actor go round over the shards of all workers", "[api]") {
  constexpr unsigned shards = 16;
  auto options = options_of(2, shards, 1);
  options.victims = tact::no_victim;
  door shut;
  meeting held(2);
  std::mutex mutex;
  std::map<std::thread::id, unsigned> handled;
  std::atomic<unsigned> count{0};
  tact::engine engine(options);
  const auto everywhere = engine.create(tact::behavior<note>{[&](auto&, const note&) {
                                          const std::lock_guard lock(mutex);
                                          ++handled[std::this_thread::get_id()];
                                          ++count;
                                        }},
                                        tact::parallel);
  // One worker stands at the door; a sender on the other one.
  const auto blocker = engine.create(tact::behavior<note>{[&](auto&, const note&) {
    held.join();
    shut.pass();
  }});
  tact::ref<note> sender;
  do {
    sender = engine.create(tact::behavior<note>{[&](tact::self<note>& self, const note&) {
      for (unsigned i = 0; i < shards; ++i) self.send(everywhere, note{}, tact::spread);
    }});
  } while (home_of(sender) % 2 == home_of(blocker) % 2);
  blocker | note{};
  REQUIRE(held.join());
  sender | note{};
  while (count != shards / 2) std::this_thread::yield();
  CHECK(handled.size() == 1);
  shut.open();
  require_idle(engine);
  CHECK(count == shards);
  CHECK(handled.size() == 2);  // which may share the other half
}

TEST_CASE("spread: has no effect on the order of messages to an exclusive actor", "[api][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct numbered {
    unsigned n;
  };
  struct in_order {
    static tact::behavior<numbered> open(unsigned next, std::atomic<unsigned>& wrong) {
      return {[next, &wrong](tact::self<numbered>& self, const numbered& m) {
        if (m.n != next) ++wrong;
        self.become(open(next + 1, wrong));
      }};
    }
  };
  std::atomic<unsigned> wrong{0};
  tact::engine engine(quiet_options(workers));
  for (const auto& to : {engine.create(in_order::open(0, wrong)), engine.create(in_order::open(0, wrong), tact::heavy),
                         engine.create(in_order::open(0, wrong), tact::blocking)}) {
    for (unsigned n = 0; n < 500; ++n) engine.send(to, numbered{n}, tact::spread);
    require_idle(engine);  // the handler is another sender
    in_handler(engine, [&, to](tact::self<note>& self) {
      for (unsigned n = 500; n < 1'000; ++n) self.send(to, numbered{n}, tact::spread);
    });
  }
  require_idle(engine);
  CHECK(wrong == 0);
}

}  // namespace placement_test
