// Coroutines that ask: where they go on, and what becomes of those that are destroyed while they wait.
#include <functional>
#include <optional>
#include <stdexcept>

#include "support/coroutine.hpp"
#include "support/service.hpp"
#include "tact/future.hpp"

namespace async_ask_test {

namespace {

using namespace tact::support;

// Calls what it is given when the test says so, on the test's thread.
class in_tray {
 public:
  [[nodiscard]] auto executor() {
    return [this](std::function<void()> call) {
      const std::lock_guard lock(mutex_);
      calls_.push_back(std::move(call));
      filled_.notify_all();
    };
  }
  void wait_for_call() {
    std::unique_lock lock(mutex_);
    if (!filled_.wait_for(lock, generous, [&] { return !calls_.empty(); })) throw std::logic_error("nothing came");
  }
  void empty() {
    std::vector<std::function<void()>> calls;
    {
      const std::lock_guard lock(mutex_);
      calls.swap(calls_);
    }
    for (const auto& call : calls) call();
  }

 private:
  std::mutex mutex_;
  std::condition_variable filled_;
  std::vector<std::function<void()>> calls_;
};

coroutine ask_by_tray(tact::engine& engine, tact::ref<clerk> to, in_tray& tray, long& answer, std::thread::id& where) {
  const tracked alive;
  answer = co_await engine.ask_async(to, ask_for{1}).via(tray.executor());
  where = std::this_thread::get_id();
}

// Asks again and again, wherever it goes on.
coroutine ask_often(tact::engine& engine, tact::ref<clerk> to, int times, std::atomic<long>& sum,
                    std::atomic<int>& left) {
  for (int i = 0; i < times; ++i) sum += co_await engine.ask_async(to, ask_for{i});
  co_await engine.ask_async(to, nudge{});
  --left;
}

// Throws when it is moved or copied.
struct slippery {
  using reply = int;
  slippery() = default;
  slippery(const slippery& other) : is_held(other.is_held) { slip(); }
  slippery(slippery&& other) : is_held(other.is_held) { slip(); }
  slippery& operator=(const slippery&) = delete;
  void slip() const {
    if (!is_held) throw std::runtime_error("it slips");
  }
  bool is_held = false;
};
struct grip : tact::protocol<tact::request<slippery>> {};

}  // namespace

TEST_CASE("ask: a query that throws when it is moved leaves nothing of what was made for its answer", "[ask]") {
  const nothing_left left;
  tact::engine engine(quiet_options(1));
  const auto a =
      engine.create(tact::behavior<grip>{[](auto& self, const tact::request<slippery>& m) { self.reply(m, 1); }});
  for (int i = 0; i < 10; ++i) {
    CHECK_THROWS_WITH(static_cast<void>(engine.ask(a, slippery())), "it slips");
    CHECK_THROWS_WITH(static_cast<void>(engine.ask_future(a, slippery())), "it slips");
    CHECK_THROWS_WITH(engine.ask(
                          a, slippery(), [alive = tracked()](auto f) { f(); }, [alive = tracked()](int) {},
                          [alive = tracked()](const tact::failure&) {}),
                      "it slips");
  }
  require_idle(engine);
}

TEST_CASE("ask_async: with an executor a coroutine goes on where that calls", "[ask]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  in_tray tray;
  long answer = 0;
  std::thread::id where;
  ask_by_tray(engine, engine.create(hire_clerk(manner::answer), tact::parallel), tray, answer, where);
  tray.wait_for_call();
  CHECK(answer == 0);
  tray.empty();
  CHECK(answer == 2);
  CHECK(where == std::this_thread::get_id());
}

TEST_CASE("ask_async: a coroutine destroyed while it waits does not go on, and its answer is dropped", "[ask]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  in_tray tray;
  long answer = 0;
  std::thread::id where;
  std::optional<coroutine> outlives;
  {
    tact::engine engine(quiet_options(workers));
    const auto silent = engine.create(hire_clerk(manner::keep), tact::parallel);
    const auto good = engine.create(hire_clerk(manner::answer), tact::parallel);
    // Before the answer; while it is on its way; when the executor has it; and behind the engine's end.
    ask_by_tray(engine, silent, tray, answer, where).handle.destroy();
    for (int i = 0; i < scaled(200); ++i) ask_by_tray(engine, good, tray, answer, where).handle.destroy();
    const coroutine told = ask_by_tray(engine, good, tray, answer, where);
    tray.wait_for_call();
    told.handle.destroy();
    outlives = ask_by_tray(engine, silent, tray, answer, where);
    CHECK(tracked::alive == 1);
    require_idle(engine);
  }
  outlives->handle.destroy();
  tray.empty();
  CHECK(answer == 0);
}

TEST_CASE("ask_async: many coroutines ask at once, and each goes on once for each answer", "[ask]") {
  TACT_FOR_EACH_THREAD_COUNT(workers);
  std::atomic<long> sum{0};
  std::atomic<int> left{100};
  const int times = scaled(100);
  tact::engine engine(quiet_options(workers));
  const auto good = engine.create(hire_clerk(manner::answer), tact::parallel);
  for (int i = 0; i < 100; ++i) ask_often(engine, good, times, sum, left);
  require_idle(engine);
  CHECK(left == 0);
  CHECK(sum == 100L * times * (times + 1) / 2);
}

}  // namespace async_ask_test
