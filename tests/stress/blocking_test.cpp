// Blocking actors: their handlers may wait without delaying others, and they are actors like all others.
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>
#include <string>

#include "support/engine_fixture.hpp"

namespace blocking_test {

namespace {

using namespace tact::support;
using Catch::Matchers::Contains;

struct wait {};
struct hop {
  unsigned left;
};

// Passes the door in each handler.
struct waiter : tact::protocol<wait> {};
tact::behavior<waiter> open_waiter(door& d, std::atomic<unsigned>& inside) {
  return {[&](tact::self<waiter>&, const wait&) {
    ++inside;
    if (!d.pass()) throw std::runtime_error("the door stayed shut");
    --inside;
  }};
}

// Waits for a byte in a pipe.
class reader : public tact::actor<reader, wait> {
 public:
  reader(int pipe, std::atomic<unsigned>& inside) : pipe_(pipe), inside_(&inside) {}
  void receive(tact::self<reader>&, const wait&) {
    ++*inside_;
    char byte = 0;
    while (::read(pipe_, &byte, 1) == 0) {
    }
    --*inside_;
  }

 private:
  int pipe_;
  std::atomic<unsigned>* inside_;
};

using hoppers = std::vector<tact::ref<hop>>;
struct hopper : tact::protocol<hop> {};
tact::behavior<hopper> open_hopper(const hoppers& all, std::atomic<unsigned>& done) {
  return {[&](auto& self, const hop& m) {
    if (m.left == 0) return static_cast<void>(++done);
    self.send(all[m.left % all.size()], hop{m.left - 1});
  }};
}

template <class F>
bool soon(F reached) {
  const auto limit = std::chrono::steady_clock::now() + generous;
  while (!reached()) {
    if (std::chrono::steady_clock::now() > limit) return false;
    std::this_thread::yield();
  }
  return true;
}

unsigned threads_of_process() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);) {
    if (line.rfind("Threads:", 0) == 0) return static_cast<unsigned>(std::stoul(line.substr(8)));
  }
  return 0;
}

// What each sender sent last, and whether two handlers ever met.
struct books {
  static constexpr unsigned senders = 4;
  std::array<unsigned, senders> next{};  // not atomic on purpose
  std::atomic<bool> inside{false};
  std::atomic<unsigned> broken{0};
  unsigned handled = 0;

  void enter(unsigned sender, unsigned number) {
    if (inside.exchange(true)) ++broken;
    if (next[sender]++ != number) ++broken;
    if (++handled % 32 == 0) std::this_thread::yield();
    inside = false;
  }
};

struct entry {
  unsigned sender;
  unsigned number;
};
class clerk : public tact::actor<clerk, entry> {
 public:
  explicit clerk(books& b) : books_(&b) {}
  void receive(tact::self<clerk>&, const entry& m) { books_->enter(m.sender, m.number); }

 private:
  books* books_;
};
struct ledger : tact::protocol<entry> {};
tact::behavior<ledger> open_ledger(books& b) {
  return {[&b](tact::self<ledger>& self, const entry& m) {
    b.enter(m.sender, m.number);
    self.become(open_ledger(b));
  }};
}

}  // namespace

TEST_CASE("blocking: handlers that wait delay no worker and no other actor", "[blocking][law7]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  constexpr unsigned blocked = 8;
  const unsigned hops = static_cast<unsigned>(scaled(10'000));
  int pipe[2];
  REQUIRE(::pipe(pipe) == 0);
  door shut;
  std::atomic<unsigned> inside{0}, done{0};
  hoppers all;
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i + 1 < blocked; ++i) {
    const auto w = engine.create(open_waiter(shut, inside), tact::blocking);
    engine.send(w, wait{});
    engine.send(w, wait{});
  }
  engine.send(engine.spawn<reader>(tact::blocking, pipe[0], inside), wait{});
  REQUIRE(soon([&] { return inside == blocked; }));
  for (unsigned i = 0; i < 16; ++i) {
    if (i % 4 == 0) all.emplace_back(engine.create(open_hopper(all, done), tact::parallel));
    if (i % 4 == 1) all.emplace_back(engine.create(open_hopper(all, done)));
    if (i % 4 == 2) all.emplace_back(engine.create(open_hopper(all, done), tact::heavy));
    if (i % 4 == 3) all.emplace_back(engine.create(open_hopper(all, done), tact::blocking));
  }
  engine.send(all[0], hop{hops});
  for (unsigned i = 0; i < 4; ++i) engine.send(all[i], hop{hops / 4});
  CHECK(soon([&] { return done == 5; }));
  CHECK(inside == blocked);
  CHECK_FALSE(engine.wait_idle(std::chrono::milliseconds(0)));
  shut.open();
  REQUIRE(::write(pipe[1], "x", 1) == 1);
  require_idle(engine);
  CHECK(inside == 0);
  ::close(pipe[0]);
  ::close(pipe[1]);
}

TEST_CASE("blocking: one handler at a time, and each sender's messages in the order sent", "[blocking][law5]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const unsigned each = static_cast<unsigned>(scaled(2'000));
  books classic, transactional;
  tact::engine engine(quiet_options(workers));
  const std::array<tact::ref<entry>, 2> to{engine.spawn<clerk>(tact::blocking, classic),
                                           engine.create(open_ledger(transactional), tact::blocking)};
  struct go {
    unsigned sender;
    unsigned number;
  };
  struct teller : tact::protocol<go> {};
  const auto open_teller = [&] {
    return tact::behavior<teller>{[&](tact::self<teller>& self, const go& m) {
      for (const auto& r : to) self.send(r, entry{m.sender, m.number});
      if (m.number + 1 < each) self.send(self.ref(), go{m.sender, m.number + 1});
    }};
  };
  engine.send(engine.create(open_teller()), go{0, 0});
  engine.send(engine.create(open_teller(), tact::blocking), go{1, 0});
  on_threads(2, [&](unsigned thread) {
    for (unsigned n = 0; n < each; ++n) {
      for (const auto& r : to) engine.send(r, entry{2 + thread, n});
    }
  });
  require_idle(engine);
  for (const books* b : {&classic, &transactional}) {
    CHECK(b->broken == 0);
    CHECK(b->handled == books::senders * each);
  }
}

TEST_CASE("blocking: ten thousand, one after the other, hold neither memory nor threads", "[blocking][law10]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  const int rounds = scaled(10'000) / (workers == 2 ? 1 : 10);
  nothing_left check;
  tact::engine engine(quiet_options(workers));
  struct last {
    tracked kept{};
  };
  const auto open_mortal = [] {
    return tact::behavior<last>{[kept = tracked{}](tact::self<last>& self, const last&) { self.stop(); }};
  };
  struct parent : tact::protocol<hop> {};
  const auto creator = engine.create(tact::behavior<parent>{[&](tact::self<parent>& self, const hop&) {
                                       self.send(self.create(open_mortal(), tact::blocking), last{});
                                     }},
                                     tact::parallel);
  // Two at a time, each once in a while with a message for an actor that has ended.
  const auto round = [&](int i) {
    const auto a = engine.create(open_mortal(), tact::blocking);
    engine.send(a, last{});
    engine.send(creator, hop{0});
    if (i % 16 == 0) engine.send(a, last{});
    REQUIRE(engine.wait_idle(generous));
  };
  for (int i = 0; i < rounds; ++i) round(i);  // the caches of all threads fill
  const auto before = engine.statistics();
  const unsigned threads = threads_of_process();
  for (int i = 0; i < rounds; ++i) round(i);
  const auto after = engine.statistics();
  INFO(after);
  CHECK(threads_of_process() <= threads + 1);
  // What the threads' caches may take; with two workers a leak of a cell per actor would be more.
  CHECK(after.bytes_held <= before.bytes_held + (std::uint64_t{workers} + 16) * 65'536);
  CHECK(after.actors_created == before.actors_created + 2 * static_cast<std::uint64_t>(rounds));
  CHECK(after.actors_alive == 1);
  require_accounted(engine);
}

TEST_CASE("blocking: what a run creates and does not commit leaves its place to others", "[blocking][law1]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  nothing_left check;
  auto options = quiet_options(workers);
  options.blocking_max = 2;
  tact::engine engine(options);
  struct make {
    bool fails;
  };
  struct maker : tact::protocol<make> {};
  const auto creator = engine.create(
      tact::behavior<maker>{[&](tact::self<maker>& self, const make& m) {
        for (int i = 0; i < 2; ++i) {
          const auto made = self.create(
              tact::behavior<hop>{[kept = tracked{}](tact::self<hop>& s, const hop&) { s.stop(); }}, tact::blocking);
          self.send(made, hop{0});
        }
        if (m.fails) throw std::runtime_error("not this time");
      }},
      tact::parallel);
  const int rounds = scaled(300);
  for (int i = 0; i < rounds; ++i) {
    engine.send(creator, make{true});
    require_idle(engine);
    CHECK(engine.statistics().actors_alive == 1);
  }
  CHECK(engine.statistics().failures == static_cast<std::uint64_t>(rounds));
  engine.send(creator, make{false});
  require_idle(engine);
  CHECK(engine.statistics().failures == static_cast<std::uint64_t>(rounds));
  CHECK(engine.statistics().actors_created == 3);
}

TEST_CASE("blocking: runs that collide make each actor once", "[blocking][law3]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  nothing_left check;
  tact::engine engine(quiet_options(workers));
  std::atomic<long> born{0};
  struct make {};
  struct maker : tact::protocol<make> {};
  struct open {
    static tact::behavior<maker> maker_of(std::atomic<long>& count) {
      return {[&count](tact::self<maker>& self, const make&) {
        const auto child = self.create(tact::behavior<hop>{[&count, kept = tracked{}](tact::self<hop>& s, const hop&) {
                                         ++count;
                                         s.stop();
                                       }},
                                       tact::blocking);
        self.send(child, hop{0});
        std::this_thread::yield();
        self.become(maker_of(count));
      }};
    }
  };
  const auto creator = engine.create(open::maker_of(born), tact::parallel);
  on_threads(2, [&](unsigned) {
    for (int i = 0; i < scaled(1'000); ++i) engine.send(creator, make{}, tact::spread);
  });
  require_idle(engine);
  const auto s = engine.statistics();
  INFO(s);
  // A run that found no place failed, and made nothing.
  CHECK(s.failures + static_cast<std::uint64_t>(born) == 2 * static_cast<std::uint64_t>(scaled(1'000)));
  CHECK(s.actors_alive == 1);
}

TEST_CASE("blocking: cancel waits for the handlers that run, names them, and buries the rest", "[blocking][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  nothing_left check;
  door shut;
  std::atomic<unsigned> inside{0};
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i < 3; ++i) {
    const auto w = engine.create(open_waiter(shut, inside), tact::blocking);
    for (unsigned n = 0; n < 5; ++n) engine.send(w, wait{});
  }
  REQUIRE(soon([&] { return inside == 3; }));
  CHECK_FALSE(engine.drain(std::chrono::milliseconds(1)));
  CHECK_FALSE(engine.cancel(std::chrono::milliseconds(1)));
  CHECK_THAT(engine.still_running(), Contains("blocking actor") && Contains("waiter") && Contains("wait"));
  shut.open();
  REQUIRE(engine.cancel(generous));
  require_accounted(engine);
  const auto s = engine.statistics();
  CHECK(s.commits == 3);
  CHECK(s.dead_letters == 12);
  CHECK(s.actors_alive == 0);
}

// A handler of it always leaves one message for itself in its queue.
TEST_CASE("blocking: one that sends itself messages without end hears others, and may be ended by them",
          "[law7][blocking]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  struct go_on {};
  struct enough {};
  struct endless : tact::protocol<go_on, enough> {};
  tact::engine engine(quiet_options(workers));
  std::atomic<bool> over{false};
  const auto a = engine.create(
      tact::behavior<endless>{[](tact::self<endless>& self, const go_on&) { self.send(self.ref(), go_on{}); },
                              [&over](tact::self<endless>& self, const enough&) {
                                over = true;
                                self.stop();
                              }},
      tact::blocking);
  engine.send(a, go_on{});
  while (engine.statistics().commits < 1000) std::this_thread::yield();
  engine.send(a, enough{});
  REQUIRE(engine.wait_finished(generous));
  CHECK(over);
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("blocking: drain finishes what blocking actors have yet to do", "[blocking][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  door shut;
  std::atomic<unsigned> inside{0};
  tact::engine engine(quiet_options(workers));
  for (unsigned i = 0; i < 3; ++i) {
    const auto w = engine.create(open_waiter(shut, inside), tact::blocking);
    for (unsigned n = 0; n < 5; ++n) engine.send(w, wait{});
  }
  shut.open();
  REQUIRE(engine.drain(generous));
  CHECK(engine.statistics().commits == 15);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("blocking: creating while the engine ends leaves nothing behind", "[blocking][law11]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  for (int i = 0; i < scaled(50); ++i) {
    nothing_left check;
    tact::engine engine(quiet_options(workers));
    meeting begin(2);
    on_threads(2, [&](unsigned thread) {
      begin.join();
      if (thread == 0) return engine.cancel();
      for (int n = 0; n < 4; ++n) {
        const auto a = engine.create(tact::behavior<hop>{[kept = tracked{}](auto&, const hop&) {}}, tact::blocking);
        engine.send(a, hop{0});
      }
    });
    require_accounted(engine);
  }
}

}  // namespace blocking_test
