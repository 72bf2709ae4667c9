// The wait word of the public headers on real threads.
#include <array>
#include <chrono>
#include <memory>
#include <thread>

#include "support/catch.hpp"
#include "tact/detail/core.hpp"

namespace wait_word_test {

using tact::detail::wait_word;

TEST_CASE("wait_word: notified before the wait, it does not sleep", "[sync]") {
  wait_word w;
  w.notify();
  REQUIRE(w.wait({}));
}

TEST_CASE("wait_word: after its deadline it may be waited for again", "[sync]") {
  wait_word w;
  REQUIRE_FALSE(w.wait(std::chrono::steady_clock::time_point{}));
  std::thread notifier([&] { w.notify(); });
  REQUIRE(w.wait({}));
  notifier.join();
}

TEST_CASE("wait_word: the waiter sees what was written before notify, and may free the word at once", "[sync]") {
  struct question {
    wait_word answered;
    int answer = 0;
  };
  constexpr int rounds = 2000;
  std::array<std::unique_ptr<question>, rounds> asked;
  for (auto& q : asked) q = std::make_unique<question>();
  std::array<question*, rounds> to_answer{};
  for (int n = 0; n < rounds; ++n)
    to_answer.at(static_cast<std::size_t>(n)) = asked.at(static_cast<std::size_t>(n)).get();
  std::thread notifier([&] {
    int n = 0;
    for (question* q : to_answer) {
      q->answer = ++n;
      q->answered.notify();
    }
  });
  int wrong = 0, n = 0;
  for (auto& q : asked) {
    if (!q->answered.wait({}) || q->answer != ++n) ++wrong;
    q.reset();
  }
  notifier.join();
  REQUIRE(wrong == 0);
}

}  // namespace wait_word_test
