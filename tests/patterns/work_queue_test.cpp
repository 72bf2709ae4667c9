// tact::work_queue: each message is done by a worker, whoever throws or ends, and one at a time by each.
#include "tact/patterns/work_queue.hpp"

#include <algorithm>
#include <memory>
#include <stdexcept>
#include <vector>

#include "patterns/trouble.hpp"

namespace work_queue_test {

namespace {

using namespace tact::patterns_tests;
using tact::request;

enum class fate : unsigned char { done, thrown, forgotten, last, deferred_and_last };

struct item {
  int number = 0;
  fate how = fate::done;  // at the first attempt
  tracked instance{};
};
using task = request<tact::queued_work<item>>;
using worker = tact::ref<task>;

// What was done, and how often; by runs that have committed.
struct record {
  std::atomic<int> times[8]{};
  std::vector<int> order{};           // in simulations, and with one worker
  std::atomic<int> beside{0};         // begun beside another one of the same worker
  std::atomic<int> late_attempts{0};  // above the number that the queue allows
};
using shared_record = std::shared_ptr<record>;

// Ends what a worker has begun.
tact::behavior<task> finisher(shared_record r, std::shared_ptr<std::atomic<int>> inside) {
  return {[=](auto& self, const task& m) {
    --*inside;
    self.reply(m);
    self.on_commit([r, n = m.body.item().number] {
      ++r->times[n % 8];
      r->order.push_back(n);
    });
  }};
}
template <class Creator>
worker open_worker(Creator& in, const shared_record& r) {
  const auto inside = std::make_shared<std::atomic<int>>(0);
  const worker finish = in.create(finisher(r, inside));
  return in.create(tact::behavior<task>{[=](tact::self<task>& self, const task& m) {
    if (m.body.attempt() > 3) ++r->late_attempts;
    const bool is_first = m.body.attempt() == 1;
    if (is_first && m.body.item().how == fate::thrown) throw std::runtime_error("not today");
    if (is_first && m.body.item().how == fate::forgotten) return;
    if (is_first && m.body.item().how == fate::deferred_and_last) self.defer(m);
    if (is_first && m.body.item().how >= fate::last) return self.stop();
    if (++*inside > 1) ++r->beside;
    self.pass_on(finish, m);
  }});
}

const auto by_queue = [](std::vector<worker> workers) { return tact::work_queue<item>(std::move(workers)); };

// Two threads send six messages to a queue of workers; all are done.
template <class Make>
void all_is_done(tact::simulation& sim, const trouble& t, const std::vector<fate>& fates, const Make& make) {
  auto& engine = sim.engine(quiet_options(2));
  const auto r = std::make_shared<record>();
  std::vector<worker> workers;
  for (int i = 0; i != 3; ++i) workers.push_back(open_worker(engine, r));
  const auto queue = engine.create(make(workers));
  const auto is_sent = std::make_shared<std::vector<char>>(6);
  t.begin();
  for (int thread = 0; thread != 2; ++thread) {
    sim.start_thread([=, &engine] {
      for (int n = thread; n < 6; n += 2) {
        (*is_sent)[std::size_t(n)] = t.tries([&] { engine.send(queue, item{n, fates[std::size_t(n)]}); });
      }
    });
  }
  sim.run();
  // One run that fails may be that of the queue which takes a message, or the one that notes what was done.
  int missing = 0;
  for (int n = 0; n != 6; ++n) {
    if ((*is_sent)[std::size_t(n)] != 0 && r->times[n] == 0) ++missing;
    sim.check(r->times[n] <= 1, "a message was done twice");
  }
  sim.check(missing <= (t.is_none() ? 0 : 1), "a message was not done");
  sim.check(r->late_attempts == 0, "too many attempts");
  if (t.is_none()) sim.check(r->beside == 0, "a worker was given a message beside another one");
  sim.end();
}

// -- a queue that watches nobody: what an ended worker kept is lost
struct freed {
  worker who;
};
struct hopeful : tact::protocol<item, freed> {};
struct hopeful_queue {
  static tact::behavior<hopeful> with(std::vector<worker> idle, std::vector<item> waiting) {
    return {
        [=](tact::self<hopeful>& self, const item& m) {
          auto left = idle;
          auto more = waiting;
          more.push_back(m);
          let_in(self, left, more);
          self.become(with(left, more));
        },
        [=](tact::self<hopeful>& self, const freed& m) {
          auto left = idle;
          auto more = waiting;
          left.push_back(m.who);
          let_in(self, left, more);
          self.become(with(left, more));
        },
    };
  }
  static void let_in(tact::self<hopeful>& self, std::vector<worker>& idle, std::vector<item>& waiting) {
    while (!idle.empty() && !waiting.empty()) {
      const auto end = [queue = self.ref(), who = idle.back()](tact::transaction& tx) { tx.send(queue, freed{who}); };
      const auto taken = tact::detail::counted<tact::detail::work_item<item>>::make(waiting.front(), self.context());
      self.ask(idle.back(), tact::queued_work<item>(taken, 1), end,
               [end](tact::transaction& tx, const tact::failure&) { end(tx); });
      idle.pop_back();
      waiting.erase(waiting.begin());
    }
  }
  tact::behavior<hopeful> operator()(std::vector<worker> workers) const { return with(std::move(workers), {}); }
};

const std::vector<fate> plain(6, fate::done);

}  // namespace

TEST_CASE("work queue: each message is done once, and a worker has one at a time, whatever fails", "[law1][law4]") {
  require_whatever_fails([](tact::simulation& sim, const trouble& t) { all_is_done(sim, t, plain, by_queue); }, 500,
                         10);
}

TEST_CASE("work queue: what a worker throws at, leaves, or had when it ended is done by another one, whatever fails",
          "[law1][law4][law8]") {
  const std::vector<fate> fates{fate::thrown,    fate::last, fate::done, fate::deferred_and_last,
                                fate::forgotten, fate::done};
  require_whatever_fails([=](tact::simulation& sim, const trouble& t) { all_is_done(sim, t, fates, by_queue); }, 500,
                         10);
}

TEST_CASE("work queue: one that watches no worker, and takes nothing back, is found", "[law4]") {
  require_found([](tact::simulation& sim, const trouble& t) {
    all_is_done(sim, t, {fate::thrown, fate::done, fate::last, fate::done, fate::done, fate::done}, hopeful_queue());
  });
}

TEST_CASE("work queue: the oldest goes first, what comes back in front of it, and what is too much is a dead letter",
          "[law4][law5]") {
  const nothing_left left;
  tact::engine engine(quiet_options(0));
  const auto kept = std::make_shared<std::vector<task>>();
  const auto began = std::make_shared<std::vector<int>>();
  const auto open_slow = [&] {
    return engine.create(tact::behavior<task>{[=](auto& self, const task& m) {
                           began->push_back(m.body.item().number);
                           kept->push_back(m);
                           self.defer(m);
                         }},
                         tact::owned);
  };
  const auto queue = engine.create(tact::work_queue<item>({}, {.queue = 3}));
  for (int n = 0; n != 4; ++n) engine.send(queue, item{n});  // the last one is too much
  require_idle(engine);
  CHECK(began->empty());
  CHECK(engine.statistics().dead_letters == 1);
  auto slow = open_slow();
  const auto other = open_slow();
  engine.send(queue, tact::add_worker<item>{slow.ref()});
  require_idle(engine);
  CHECK(*began == std::vector<int>{0});
  engine.send(queue, item{4});
  slow.reset();  // 0 comes back
  require_idle(engine);
  engine.send(queue, tact::add_worker<item>{other.ref()});
  require_idle(engine);
  CHECK(*began == std::vector<int>{0, 0});
  for (std::size_t i = 1; i != kept->size(); ++i) {
    engine.send((*kept)[i].customer, tact::done{});
    require_idle(engine);
  }
  CHECK(*began == std::vector<int>{0, 0, 1, 2, 4});
  CHECK(engine.statistics().dead_letters == 1);
}

TEST_CASE("work queue: a message that all attempts fail is a dead letter, and the workers go on", "[law4]") {
  const nothing_left left;
  auto options = quiet_options(1);
  tact::engine engine(options);
  const auto attempts = std::make_shared<std::atomic<int>>(0);
  const auto done = std::make_shared<std::atomic<int>>(0);
  const auto one = engine.create(tact::behavior<task>{[=](auto& self, const task& m) {
    if (m.body.item().number == 13) {
      *attempts = int(m.body.attempt());
      throw std::runtime_error("never");
    }
    ++*done;
    self.reply(m);
  }});
  const auto queue = engine.create(tact::work_queue<item>({one}, {.attempts = 4}));
  for (const int n : {1, 13, 2}) engine.send(queue, item{n});
  require_idle(engine);
  CHECK(*attempts == 4);
  CHECK(*done == 2);
  const auto letters = engine.dead_letters();
  REQUIRE(letters.size() == 1);
  CHECK_THROWS_AS(tact::work_queue<item>({}, {.attempts = 0}), tact::usage_error);
}

TEST_CASE("work queue: when it ends, what waits in it are dead letters, and what a worker has is done", "[law4]") {
  const nothing_left left;
  tact::engine engine(quiet_options(0));
  const auto kept = std::make_shared<std::vector<task>>();
  const auto slow = engine.create(tact::behavior<task>{[kept](auto& self, const task& m) {
    kept->push_back(m);
    self.defer(m);
  }});
  {
    const auto queue = engine.create(tact::work_queue<item>({slow}), tact::owned);
    for (int n = 0; n != 3; ++n) engine.send(queue.ref(), item{n});
    require_idle(engine);
  }
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 2);
  REQUIRE(kept->size() == 1);
  engine.send(kept->front().customer, tact::done{});
  kept->clear();
  require_idle(engine);
}

TEST_CASE("work queue: its runs do the same when they are repeated, also in parallel", "[law1]") {
  const nothing_left left;
  auto options = quiet_options(2);
  std::atomic<int> findings{0};
  options.rehearse = true;
  options.on_unrepeatable = [&](const tact::unrepeatable_handler&) { ++findings; };
  tact::engine engine(options);
  const auto done = std::make_shared<std::atomic<int>>(0);
  const auto one = engine.create(tact::behavior<task>{[done](auto& self, const task& m) {
    self.on_commit([done] { ++*done; });
    self.reply(m);
  }});
  const auto queue = engine.create(tact::work_queue<item>({one, one}), tact::parallel);
  for (int n = 0; n != 50; ++n) engine.send(queue, item{n});
  require_idle(engine);
  CHECK(findings == 0);
  CHECK(*done == 50);
}

TEST_CASE("work queue: many threads send, workers come and go, and all is done", "[law4]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const bool parallel = GENERATE(false, true);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  const auto done = std::make_shared<std::atomic<int>>(0);
  const auto open_one = [&](int lifetime) {
    const auto left_to_do = std::make_shared<std::atomic<int>>(lifetime);
    return engine.create(tact::behavior<task>{[=](tact::self<task>& self, const task& m) {
      if (--*left_to_do == 0) return self.stop();  // with this message in hand
      ++*done;
      self.reply(m);
    }});
  };
  const auto behavior = [&] {
    return tact::work_queue<item>({open_one(20), open_one(1'000'000)}, {.attempts = 1'000});
  };
  const auto queue = parallel ? engine.create(behavior(), tact::parallel) : engine.create(behavior());
  const int each = scaled(500);
  on_threads(3, [&](unsigned thread) {
    for (int i = 0; i != each; ++i) {
      if (thread == 0 && i % 50 == 0) engine.send(queue, tact::add_worker<item>{open_one(10)});
      engine.send(queue, item{i});
    }
  });
  require_idle(engine);
  CHECK(*done == 3 * each);
}

}  // namespace work_queue_test
