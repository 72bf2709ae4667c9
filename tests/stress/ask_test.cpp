// Law 8 for every way of asking: each ask ends, with an answer or with the reason why there is none.
#include <functional>
#include <future>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/coroutine.hpp"
#include "support/service.hpp"
#include "tact/future.hpp"

namespace ask_test {

namespace {

using namespace tact::support;
using tact::failure_reason;

// What came of one ask: the answer, or the reason.
struct verdict {
  std::optional<long> answer{};
  std::optional<failure_reason> reason{};
  std::string what{};
};

verdict of(const std::function<long()>& ask) {
  try {
    return {.answer = ask()};
  } catch (const tact::ask_error& e) {
    return {.reason = e.reason(), .what = e.what()};
  }
}

// Told once, by whatever thread; a second time is a failure of the test.
class told_once {
 public:
  void tell(verdict v) {
    const auto promise = promise_;  // the thread that waits may be gone before set_value has returned
    promise->set_value(std::move(v));
  }
  verdict wait() {
    auto told = promise_->get_future();
    if (told.wait_for(generous) != std::future_status::ready) throw std::logic_error("nobody told the asker anything");
    return told.get();
  }

 private:
  std::shared_ptr<std::promise<verdict>> promise_ = std::make_shared<std::promise<verdict>>();
};

coroutine ask_in_coroutine(tact::engine& engine, tact::ref<clerk> to, told_once& told) {
  verdict v;
  try {
    v.answer = co_await engine.ask_async(to, ask_for{1});
  } catch (const tact::ask_error& e) {
    v = {.reason = e.reason(), .what = e.what()};
  }
  told.tell(std::move(v));
}

struct ask_now {};

// One of each: a way to ask one actor for 1.
struct way {
  const char* name;
  std::function<verdict(tact::engine&, tact::ref<clerk>)> ask;
};

const std::vector<way>& ways() {
  static const std::vector<way> all{
      {"wait", [](auto& engine, auto to) { return of([&] { return engine.ask(to, ask_for{1}, generous).value(); }); }},
      {"ask_all",
       [](auto& engine, auto to) { return of([&] { return engine.ask_all(std::array{to}, ask_for{1}).front(); }); }},
      {"future",
       [](auto& engine, auto to) {
         auto answer = engine.ask_future(to, ask_for{1});
         if (answer.wait_for(generous) != std::future_status::ready) throw std::logic_error("a future waits for ever");
         return of([&] { return answer.get(); });
       }},
      {"coroutine",
       [](auto& engine, auto to) {
         told_once told;
         ask_in_coroutine(engine, to, told);
         return told.wait();
       }},
      {"executor",
       [](auto& engine, auto to) {
         told_once told;
         engine.ask(
             to, ask_for{1}, [](auto call) { std::thread(call).detach(); }, [&](long n) { told.tell({.answer = n}); },
             [&](const tact::failure& f) { told.tell({.reason = f.reason, .what = f.what}); });
         return told.wait();
       }},
  };
  return all;
}

// That of a handler, which ends with its engine.
verdict ask_in_handler(tact::engine& engine, tact::ref<clerk> to) {
  told_once told;
  engine.create(tact::behavior<ask_now>{[&](tact::self<ask_now>& self, const ask_now&) {
                  self.ask(
                      to, ask_for{1}, [&](auto&, long n) { told.tell({.answer = n}); },
                      [&](auto&, const tact::failure& f) { told.tell({.reason = f.reason, .what = f.what}); });
                  self.stop();
                }},
                tact::parallel) |
      ask_now{};
  return told.wait();
}

}  // namespace

TEST_CASE("ask: in every way it ends with the answer, or at once with the reason", "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  std::vector<way> all = ways();
  all.push_back({"handler", &ask_in_handler});
  for (const way& w : all) {
    INFO(w.name);
    tact::engine engine(quiet_options(workers));
    const auto ended = engine.create(hire_clerk(manner::answer));
    engine.send(ended, end{});
    require_idle(engine);
    CHECK(w.ask(engine, engine.create(hire_clerk(manner::answer), tact::parallel)).answer == 2);
    CHECK(w.ask(engine, engine.create(hire_clerk(manner::answer_twice))).answer == 2);
    const verdict failed = w.ask(engine, engine.create(hire_clerk(manner::fail), tact::parallel));
    CHECK(failed.reason == failure_reason::handler_threw);
    CHECK(failed.what.find("no luck today") != std::string::npos);
    CHECK(w.ask(engine, engine.create(hire_clerk(manner::ignore), tact::parallel)).reason ==
          failure_reason::unanswered);
    CHECK(w.ask(engine, ended).reason == failure_reason::target_ended);
    CHECK(w.ask(engine, {}).reason == failure_reason::target_ended);
    require_idle(engine);
    CHECK(engine.statistics().failures == 1);
    // The second answer, and the two messages to an empty ref.
    CHECK(engine.statistics().dead_letters == 3);
  }
}

TEST_CASE("ask: an engine that ends tells everybody who asked, in every way, and who asks afterwards",
          "[law8][law11]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  for (int round = 0; round < scaled(10); ++round) {
    tact::engine engine(quiet_options(workers));
    const auto silent = engine.create(hire_clerk(manner::keep));
    std::atomic<int> told{0};
    std::vector<std::thread> askers;
    for (const way& w : ways()) {
      if (std::string(w.name) == "wait") continue;  // failure_test.cpp
      askers.emplace_back([&] { told += w.ask(engine, silent).reason == failure_reason::engine_ended; });
    }
    if (round % 2 == 0) std::this_thread::yield();
    engine.cancel();
    for (auto& t : askers) t.join();
    REQUIRE(told == static_cast<int>(ways().size()) - 1);
    for (const way& w : ways()) {
      INFO(w.name);
      REQUIRE(w.ask(engine, silent).reason == failure_reason::engine_ended);
    }
    require_accounted(engine);
  }
}

TEST_CASE("ask: of an actor in another engine, or in one that is gone, ends in every way", "[law8][law13]") {
  tact::engine here(quiet_options(2));
  tact::ref<clerk> there_before;
  {
    tact::engine there(quiet_options(2));
    there_before = there.create(hire_clerk(manner::answer), tact::parallel);
    for (const way& w : ways()) {
      INFO(w.name);
      CHECK(w.ask(here, there_before).answer == 2);
      CHECK(w.ask(here, there.create(hire_clerk(manner::fail), tact::parallel)).reason ==
            failure_reason::handler_threw);
    }
  }
  for (const way& w : ways()) {
    INFO(w.name);
    CHECK(w.ask(here, there_before).reason == failure_reason::engine_ended);
  }
}

TEST_CASE("ask: an answer that comes too late is dropped and counted", "[law4][law8]") {
  tact::engine engine(quiet_options(2));
  std::vector<tact::ref<long>> kept;
  struct late : tact::protocol<tact::request<ask_for>, end> {};
  const auto slow = engine.create(tact::behavior<late>{[&](auto& self, const tact::request<ask_for>& m) {
                                                         kept.push_back(m.customer);
                                                         self.defer(m);
                                                       },
                                                       [&](auto& self, const end&) {
                                                         for (const auto c : kept) self.send(c, 1);
                                                       }});
  const auto none = engine.ask_all(std::array{slow, slow}, ask_for{}, std::chrono::milliseconds(1));
  CHECK(none == std::vector<std::optional<long>>(2));
  static_cast<void>(engine.ask_future(slow, ask_for{}));  // dropped, and answered all the same
  engine.send(slow, end{});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 2);
  for (const auto& letter : engine.dead_letters()) CHECK(letter.reason == failure_reason::answered_already);
}

TEST_CASE("ask_all: answers come in the order of the refs, whoever is first", "[ask]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  std::vector<tact::ref<tact::request<ask_for>>> all;
  for (long i = 0; i < 500; ++i) {
    const auto answer = [i](auto& self, const tact::request<ask_for>& m) { self.reply(m, m.body.what + i); };
    all.push_back(i % 2 == 0 ? engine.create(tact::behavior<tact::request<ask_for>>{answer}, tact::parallel)
                             : engine.create(tact::behavior<tact::request<ask_for>>{answer}));
  }
  const std::vector<long> answers = engine.ask_all(all, ask_for{1'000});
  REQUIRE(answers.size() == all.size());
  for (std::size_t i = 0; i < answers.size(); ++i) REQUIRE(answers[i] == 1'000 + static_cast<long>(i));
  CHECK(engine.ask_all(all, ask_for{0}, generous).back() == 499);
  CHECK(engine.ask_all(std::vector<tact::ref<clerk>>{}, ask_for{}).empty());
}

TEST_CASE("ask_all: the first that failed, in the order of the refs, is thrown once all have answered", "[ask]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  tact::engine engine(quiet_options(workers));
  const auto good = engine.create(hire_clerk(manner::answer), tact::parallel);
  const auto ignorant = engine.create(hire_clerk(manner::ignore), tact::parallel);
  const auto bad = engine.create(hire_clerk(manner::fail), tact::parallel);
  const verdict v = of([&] { return engine.ask_all(std::array{good, ignorant, bad, good}, ask_for{1}).front(); });
  CHECK(v.reason == failure_reason::unanswered);
  engine.ask_all(std::array{good, good}, nudge{});
  CHECK(engine.ask_all(std::array{good, good}, nudge{}, generous) == std::vector<bool>{true, true});
  require_idle(engine);
  CHECK(engine.statistics().dead_letters == 0);
}

TEST_CASE("ask_all: when a query cannot be copied for all, none of the asks is left", "[ask]") {
  struct fragile {
    using reply = long;
    std::shared_ptr<int> copies_left = std::make_shared<int>(2);
    fragile() = default;
    fragile(fragile&&) = default;
    fragile& operator=(fragile&&) = default;
    fragile(const fragile& other) : copies_left(other.copies_left) {
      if (--*copies_left < 0) throw std::runtime_error("no more copies");
    }
    fragile& operator=(const fragile&) = delete;
  };
  tact::engine engine(quiet_options(2));
  const auto a = engine.create(
      tact::behavior<tact::request<fragile>>{[](auto& self, const tact::request<fragile>& m) { self.reply(m, 1); }},
      tact::parallel);
  CHECK_THROWS_AS(engine.ask_all(std::array{a, a, a}, fragile{}), std::runtime_error);
  require_idle(engine);
  CHECK(engine.statistics().actors_alive == 1);
}

TEST_CASE("self.ask: a run that does not commit has asked nobody", "[law1]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  std::atomic<int> asked{0}, answered{0};
  tact::engine engine(quiet_options(workers));
  const auto counter = engine.create(tact::behavior<tact::request<nudge>>{[&](auto& self, const auto& m) {
                                       ++asked;
                                       self.reply(m);
                                     }},
                                     tact::parallel);
  const auto once =
      engine.create(tact::behavior<ask_now>{[&](tact::self<ask_now>& self, const ask_now&) {
                      self.ask(counter, nudge{}, [&answered, kept = tracked()](tact::transaction&) { ++answered; });
                      self.discard();
                      self.ask(counter, nudge{}, [&answered, kept = tracked()] { ++answered; });
                    }},
                    tact::parallel);
  const auto never =
      engine.create(tact::behavior<ask_now>{[&](tact::self<ask_now>& self, const ask_now&) {
                      self.ask(counter, nudge{}, [&answered, kept = tracked()](tact::transaction&) { ++answered; });
                      throw std::runtime_error("no");
                    }},
                    tact::parallel);
  const int times = scaled(200);
  for (int i = 0; i < times; ++i) {
    engine.send(once, ask_now{});
    engine.send(never, ask_now{});
  }
  require_idle(engine);
  CHECK(asked == times);
  CHECK(answered == times);
}

TEST_CASE("self.ask: with a limit the answer or the limit is heard, whichever is first, and no timer is left",
          "[law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  std::atomic<long> sum{0};
  std::atomic<int> late{0}, failed{0};
  struct ask_all {};
  const int times = scaled(500);
  {
    tact::engine engine(quiet_options(workers));
    const auto asker = [&](manner how, std::chrono::nanoseconds limit) {
      const auto desk = engine.create(hire_clerk(how), tact::parallel);
      return engine.create(tact::behavior<ask_all>([&, desk, limit](tact::transaction& tx, const ask_all&) {
                             tx.ask(
                                 desk, ask_for{1}, limit,
                                 [&, kept = tracked()](tact::transaction&, long answer) { sum += answer; },
                                 [&, kept = tracked()](const tact::failure& f) {
                                   ++(f.reason == tact::failure_reason::timed_out ? late : failed);
                                 });
                           }),
                           tact::parallel);
    };
    const std::vector all{asker(manner::answer, std::chrono::hours(1)), asker(manner::fail, std::chrono::hours(1)),
                          asker(manner::keep, std::chrono::nanoseconds(0)),
                          asker(manner::keep, std::chrono::milliseconds(1))};
    for (int i = 0; i < times; ++i) {
      for (const auto a : all) engine.send(a, ask_all{});
    }
    const auto end = std::chrono::steady_clock::now() + generous;
    while (late < 2 * times && std::chrono::steady_clock::now() < end) std::this_thread::yield();
    require_idle(engine);
    CHECK(engine.statistics().timers_armed == 0);
    CHECK(engine.statistics().dead_letters == 0);
  }
  CHECK(sum == 2 * times);
  CHECK(failed == times);
  CHECK(late == 2 * times);
}

TEST_CASE("ask: what is for threads outside says so inside a handler", "[ask]") {
  tact::engine engine(quiet_options(2));
  const auto good = engine.create(hire_clerk(manner::answer), tact::parallel);
  std::vector<std::string> said;
  const auto hear = [&](const std::function<void()>& f) {
    try {
      f();
    } catch (const tact::usage_error& e) {
      said.emplace_back(e.what());
    }
  };
  engine.create(tact::behavior<ask_now>{[&](tact::self<ask_now>& self, const ask_now&) {
                  hear([&] { static_cast<void>(engine.ask_future(good, ask_for{})); });
                  hear([&] { static_cast<void>(engine.ask_all(std::array{good}, ask_for{})); });
                  hear([&] {
                    engine.ask(
                        good, ask_for{}, [](auto call) { call(); }, [](long) {}, [](const tact::failure&) {});
                  });
                  self.stop();
                }},
                tact::parallel) |
      ask_now{};
  require_idle(engine);
  REQUIRE(said.size() == 3);
  for (const std::string& s : said) CHECK(s.find("self.ask(to, query, continuation)") != std::string::npos);
}

TEST_CASE("ask: what an executor throws is reported, and the asker ends", "[ask][law8]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  std::atomic<int> reports{0};
  auto options = quiet_options(workers);
  options.on_failure = [&](const tact::failure_report& r) { reports += r.what == "full"; };
  const auto refuse = [](const auto&) { throw std::runtime_error("full"); };
  const auto hear = [kept = tracked()](const auto&) {};
  {
    tact::engine engine(options);
    engine.ask(engine.create(hire_clerk(manner::answer), tact::parallel), ask_for{}, refuse, hear, hear);
    engine.ask(engine.create(hire_clerk(manner::fail), tact::parallel), ask_for{}, refuse, hear, hear);
    require_idle(engine);
    CHECK(reports == 2);
    engine.ask(engine.create(hire_clerk(manner::keep), tact::parallel), ask_for{}, refuse, hear, hear);
    require_idle(engine);
  }
  CHECK(reports == 3);
  CHECK(tracked::alive == 1);  // this function's
}

}  // namespace ask_test
