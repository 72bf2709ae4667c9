// What is said of failures stays short, whatever fails, however often, and however far it is passed on.
#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <stdexcept>
#include <string>

#include "support/captured_stderr.hpp"
#include "support/catch.hpp"
#include "support/engine_fixture.hpp"
#include "tact/tact.hpp"

namespace failure_text_test {

namespace {

using namespace tact;
using namespace tact::support;
using Catch::Matchers::Contains;
using Catch::Matchers::EndsWith;
using Catch::Matchers::StartsWith;

struct depth {
  using reply = long;
  long left;
};
struct miner : protocol<request<depth>> {};

std::size_t times(const std::string& text, const std::string& what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

// Each asks the one below, and waits; `wrap` calls that, and says what it throws.
template <class Wrap>
behavior<miner> open_miner(Wrap wrap) {
  return {[=](tact::self<miner>& self, const request<depth>& m) {
    if (m.body.left == 0) throw std::runtime_error("the root cause");
    self.reply(m, wrap([&] { return self.ask(self.ref(), depth{m.body.left - 1}); }));
  }};
}

constexpr auto as_it_is = [](auto asks) { return asks(); };
constexpr auto nested = [](auto asks) -> long {
  try {
    return asks();
  } catch (const std::exception&) {
    std::throw_with_nested(std::runtime_error("a level of the mine gave way"));
  }
};

template <class To>
ask_error error_of(engine& e, To to, long levels) {
  try {
    static_cast<void>(e.ask(to, depth{levels}));
  } catch (const ask_error& error) {
    return error;
  }
  throw std::logic_error("answered");
}

void require_bounded(const ask_error& error) {
  CHECK(std::string(error.what()).size() <= failure_text_max);
  CHECK(error.causes().size() <= failure_causes_max);
  for (const std::string& cause : error.causes()) CHECK(cause.size() <= failure_text_max);
}

[[noreturn]] void throw_nested(int levels) {
  try {
    if (levels == 0) throw std::runtime_error("the root cause");
    throw_nested(levels - 1);
  } catch (...) {
    if (levels == 0) throw;
    std::throw_with_nested(std::runtime_error("level " + std::to_string(levels)));
  }
}

}  // namespace

TEST_CASE("failure text: handlers that ask each other and wait name what threw first once", "[law8]") {
  TACT_FOR_EACH_WORKER_COUNT(workers);
  engine e(quiet_options(workers));
  const long levels = GENERATE(1L, 2L, long{scaled(2'000)});
  const ask_error error = error_of(e, e.create(open_miner(as_it_is), tact::parallel), levels);
  CHECK(std::string(error.what()) == "ask: handler threw: the root cause");
  require_bounded(error);
}

TEST_CASE("failure text: each who asks may add to it, and what threw first stays in it", "[law8]") {
  engine e(quiet_options(2));
  const ask_error error = error_of(e, e.create(open_miner(nested), tact::parallel), 2'000);
  CHECK_THAT(error.what(), StartsWith("ask: handler threw: a level of the mine gave way: ask: "));
  CHECK_THAT(error.what(), EndsWith(": the root cause"));
  CHECK(times(error.what(), "the root cause") == 1);
  require_bounded(error);
}

TEST_CASE("failure text: continuations pass it on as it is", "[law8]") {
  engine e(quiet_options(2));
  const auto deep = e.create(behavior<miner>{[](tact::self<miner>& self, const request<depth>& m) {
                               if (m.body.left == 0) throw std::runtime_error("the root cause");
                               self.defer(m);
                               self.ask(
                                   self.ref(), depth{m.body.left - 1}, [=](transaction& tx, long n) { tx.reply(m, n); },
                                   [=](transaction& tx, const failure& f) { tx.fail(m.customer, f); });
                             }},
                             tact::parallel);
  CHECK(std::string(error_of(e, deep, 5'000).what()) == "ask: handler threw: the root cause");
}

TEST_CASE("failure text: of thousands of nested exceptions the first ones and the innermost are causes", "[law8]") {
  engine e(quiet_options(1));
  const auto nests =
      e.create(behavior<miner>{[](auto&, const request<depth>& m) { throw_nested(static_cast<int>(m.body.left)); }},
               tact::parallel);
  const ask_error error = error_of(e, nests, 500);
  require_bounded(error);
  REQUIRE(error.causes().size() == failure_causes_max);
  CHECK(error.causes().front() == "level 500");
  CHECK(error.causes().back() == "the root cause");
  CHECK_THAT(error.what(), EndsWith(": the root cause"));
}

TEST_CASE("failure text: of a long one the middle is left out, and no character is cut", "[law8]") {
  engine e(quiet_options(1));
  const auto wordy = e.create(behavior<miner>{[](auto&, const request<depth>& m) {
                                std::string text = "first ";
                                for (long i = 0; i < m.body.left; ++i) text += "\u00e4\u20ac";
                                throw std::runtime_error(text + " last");
                              }},
                              tact::parallel);
  for (const long length : {100L, 202L, 203L, 204L, 205L, 206L, 1'000L, 1'001L, 100'000L}) {
    const ask_error error = error_of(e, wordy, length);
    require_bounded(error);
    const std::string text = error.what();
    CHECK_THAT(text, StartsWith("ask: handler threw: first ") && EndsWith(" last"));
    const auto gap = text.find(" ... ");
    if (gap == std::string::npos) continue;
    const auto whole = [](unsigned char c) { return (c & 0xC0u) != 0x80u; };
    CHECK(whole(static_cast<unsigned char>(text[gap + 5])));
    const std::string before = text.substr(0, gap);
    CHECK((before.ends_with("\u00e4") || before.ends_with("\u20ac")));
  }
}

TEST_CASE("failure report: lines on stderr are few in a second, and the others are counted", "[law8]") {
  constexpr int failures = 20'000;
  const auto began = std::chrono::steady_clock::now();
  const std::string text = captured_stderr([] {
    engine_options options;
    options.workers = 2;
    engine e(options);
    const auto a =
        e.create(behavior<int>{[](auto&, const int&) { throw std::runtime_error("once more"); }}, tact::parallel);
    for (int i = 0; i < failures; ++i) e.send(a, i);
    e.wait_idle();
  });
  const auto seconds = std::chrono::duration_cast<std::chrono::seconds>(std::chrono::steady_clock::now() - began);
  const std::size_t written = times(text, ": once more\n");
  CHECK(written >= report_lines_max);
  CHECK(written <= report_lines_max * (static_cast<std::size_t>(seconds.count()) + 2));
  std::size_t left_out = 0;
  for (auto at = text.find(" more failures were left out"); at != std::string::npos;
       at = text.find(" more failures were left out", at + 1)) {
    left_out += std::stoul(text.substr(text.rfind(' ', at - 1) + 1));
  }
  CHECK(written + left_out == failures);
  CHECK_THAT(text, Contains("engine_options::on_failure hears of all"));
}

TEST_CASE("failure report: the function of a user hears of all of them", "[law8]") {
  std::atomic<int> heard{0};
  auto options = quiet_options(2);
  options.on_failure = [&](const failure_report&) { ++heard; };
  engine e(options);
  const auto a =
      e.create(behavior<int>{[](auto&, const int&) { throw std::runtime_error("once more"); }}, tact::parallel);
  for (int i = 0; i < 5'000; ++i) e.send(a, i);
  require_idle(e);
  CHECK(heard == 5'000);
}

TEST_CASE("failure report: what throws in on_commit is named with its handler", "[law8]") {
  std::string actor;
  auto options = quiet_options(1);
  options.on_failure = [&](const failure_report& report) { actor = report.actor; };
  engine e(options);
  const auto a = e.create(behavior<int>{[](tact::self<int>& self, const int&) {
                            self.on_commit([] { throw std::runtime_error("at the commit"); });
                          }},
                          tact::parallel);
  e.send(a, 1);
  require_idle(e);
  CHECK_THAT(actor, Contains("self<int>") || Contains("lambda"));
}

}  // namespace failure_text_test
