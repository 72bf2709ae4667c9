// self.idle_after on real threads: it comes to actors of all placements under load, never too early, and is left out
// for none.
#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <semaphore>
#include <vector>

#include "support/engine_fixture.hpp"

namespace idle_test {

namespace {

using namespace tact::support;
using namespace std::chrono_literals;
using clock = std::chrono::steady_clock;

constexpr auto quiet_time = 2ms;

struct word {
  bool sets;
};
struct idle {
  tracked kept{};
};
struct watched : tact::protocol<word, idle> {};

// What one actor has heard.
struct record {
  std::atomic<clock::rep> last{0};  // when its last message was being handled
  std::atomic<unsigned> idles{0};
  std::atomic<unsigned> early{0};
  static inline std::counting_semaphore<> heard{0};  // once for each idle of all records

  void note() {
    const clock::rep now = clock::now().time_since_epoch().count();
    for (clock::rep seen = last; seen < now && !last.compare_exchange_weak(seen, now);) {
    }
  }
  void hear() {
    const clock::duration passed(clock::now().time_since_epoch().count() - last);
    if (passed < quiet_time) ++early;
    ++idles;
    note();
    heard.release();
  }
};

tact::behavior<watched> open(record& r, unsigned handled) {
  return {[=, &r](tact::self<watched>& self, const word& m) {
            if (m.sets) self.idle_after(quiet_time, idle{});
            if (handled % 5 == 4) self.become(open(r, 0));
            if (handled % 5 == 1) self.become(open(r, handled + 1));
            r.note();
          },
          [&r](auto&, const idle&) { r.hear(); }};
}

class keeper : public tact::actor<keeper, watched> {
 public:
  explicit keeper(record& r) : record_(r) {}
  void receive(tact::self<keeper>& self, const word& m) {
    if (m.sets) self.idle_after(quiet_time, idle{});
    record_.note();
  }
  void receive(tact::self<keeper>&, const idle&) { record_.hear(); }

 private:
  record& record_;
};

bool is_parallel(unsigned kind) { return kind % 6 == 0; }
tact::ref<watched> make(tact::engine& e, record& r, unsigned kind) {
  switch (kind % 6) {
    case 0:
      return e.create(open(r, kind), tact::parallel);
    case 1:
      return e.spawn<keeper>(std::ref(r));
    case 2:
      return e.create(open(r, kind), tact::heavy);
    case 3:
      return e.create(open(r, kind), tact::mailbox_limit{.messages = 4, .when_full = tact::when_full::hold_back});
    case 4:
      return kind < 12 ? e.create(open(r, kind), tact::blocking) : e.create(open(r, kind));
    default:
      return e.create(open(r, kind));
  }
}

}  // namespace

TEST_CASE("idle: under load it comes to actors of all placements, to none too early, and again") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  TACT_SEEDED(seed);
  const nothing_left left;
  constexpr unsigned count = 60;
  std::vector<record> records(count);
  {
    tact::engine e(quiet_options(workers));
    std::vector<tact::ref<watched>> all;
    for (unsigned i = 0; i < count; ++i) all.push_back(make(e, records[i], i));
    on_threads(3, [&](unsigned t) {
      dice d(seed + t);
      for (int i = scaled(20'000); i > 0; --i) {
        e.send(all[d.below(count)], word{d.one_in(10)});
        if (d.one_in(1000)) std::this_thread::yield();
      }
    });
    for (const auto& a : all) e.send(a, word{true});
    for (record& r : records) {
      while (r.idles < 3) REQUIRE(record::heard.try_acquire_for(generous));
    }
    CHECK(e.statistics().dead_letters == 0);
  }
  // Between the decision and the message a parallel actor may handle others, on other workers.
  for (unsigned i = 0; i < count; ++i) CHECK((is_parallel(i) || records[i].early == 0));
}

TEST_CASE("idle: the timers of actors that end and of wishes that change go with them") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  {
    struct change {
      bool ends;
    };
    struct fickle : tact::protocol<change, idle> {};
    tact::engine e(quiet_options(workers));
    for (int round = scaled(60); round > 0; --round) {
      for (int i = 0; i < 64; ++i) {
        auto b = tact::behavior<fickle>{[](tact::self<fickle>& self, const change& m) {
                                          self.idle_after(std::chrono::hours(1), idle{});
                                          if (m.ends) self.stop();
                                        },
                                        [](auto&, const idle&) {}};
        const auto a = i % 2 == 0 ? e.create(std::move(b)) : e.create(std::move(b), tact::parallel);
        for (int n = 0; n < 10; ++n) e.send(a, change{n == 9});
      }
    }
    require_idle(e);
    CHECK(e.statistics().timers_armed < 1000);
  }
}

TEST_CASE("idle: it comes to an actor on a loop, on the thread of that loop") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine e(quiet_options(workers));
  std::binary_semaphore woken{0};
  tact::loop place(e, [&] { woken.release(); });
  record r;
  const auto here = std::this_thread::get_id();
  std::thread::id heard_on;
  const auto a = e.create(
      tact::behavior<watched>{[](tact::self<watched>& self, const word&) { self.idle_after(quiet_time, idle{}); },
                              [&](auto&, const idle&) {
                                heard_on = std::this_thread::get_id();
                                ++r.idles;
                              }},
      tact::on_loop(place));
  e.send(a, word{true});
  while (r.idles < 3) {
    if (!place.pump(16).more) REQUIRE(woken.try_acquire_for(generous));
  }
  CHECK(heard_on == here);
}

}  // namespace idle_test
