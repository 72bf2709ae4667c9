// Handlers that need more than their stack has, and other faults; each in a process of its own.
#include <csignal>
#include <cstring>
#include <string_view>
#include <type_traits>
#include <vector>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"

namespace overflow_test {

using namespace tact;
using namespace tact::support;

namespace {

using Catch::Matchers::Contains;

struct number {
  using reply = long;
  long n;
};
struct dig {
  long depth;
};
struct oracle : protocol<request<number>> {};
struct digger : protocol<dig> {};

constexpr long too_deep = 1'000'000;

// Uses a kibibyte for each step.
[[gnu::noinline]] long descend(long depth) {
  volatile char frame[1024];
  frame[depth % 1024] = 1;
  return depth == 0 ? 0 : descend(depth - 1) + frame[depth % 1024];
}

// Needs much at once, and touches the far end of it only. The compiler must not touch more: this file is compiled
// without -fstack-clash-protection.
template <std::size_t KiB>
[[gnu::noinline]] long leap() {
  volatile char frame[KiB * 1024];
  frame[0] = 1;
  return frame[0];
}

[[gnu::noinline]] long read_nowhere() {
  const volatile long* volatile nowhere = nullptr;
  return *nowhere;
}

engine_options small_stacks(unsigned workers) {
  engine_options o = quiet_options(workers);
  o.ask_stack_bytes = 48 * 1024;
  return o;
}

// What is left of a process in which an actor so placed runs f(self, oracle, depth) as its handler.
template <class F, class Before, class... Placed>
std::string words_of(unsigned workers, F f, Before before, Placed... placed) {
  return last_words(
      [&] {
        before();
        engine e(small_stacks(workers));
        const auto wise =
            e.create(behavior<oracle>{[](auto& self, const request<number>& m) { self.reply(m, m.body.n * 2); }},
                     tact::parallel);
        const auto d = e.create(behavior<digger>{[=](auto& self, const dig& m) { f(self, wise, m.depth); }}, placed...);
        e.send(d, dig{1});  // that goes well
        e.send(d, dig{too_deep});
        e.wait_idle();
      },
      SIGSEGV);
}

constexpr auto nothing_before = [] {};

void write_line(const char* text) { static_cast<void>(!::write(STDERR_FILENO, text, std::strlen(text))); }

// The handlers of a user that let the program end.
void users_own(int signal) {
  write_line("the user's handler\n");
  ::signal(signal, SIG_DFL);
}
void users_own_with_more(int signal, siginfo_t* info, void*) {
  write_line(info->si_addr == nullptr ? "the user's handler, at null\n" : "the user's handler\n");
  ::signal(signal, SIG_DFL);
}
void users_own_once(int) { write_line("the user's handler\n"); }

template <class Handler>
auto installed(Handler handler, int flags) {
  return [=] {
    struct sigaction act {};
    if constexpr (std::is_invocable_v<Handler, int>) {
      act.sa_handler = handler;
    } else {
      act.sa_sigaction = handler;
    }
    act.sa_flags = flags;
    ::sigaction(SIGSEGV, &act, nullptr);
  };
}

std::size_t times(const std::string& text, std::string_view what) {
  std::size_t count = 0;
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + 1)) ++count;
  return count;
}

void require_named(const std::string& text) {
  CHECK_THAT(text, Contains("stack overflow: ") && Contains("digger handling ") && Contains("dig needs more than"));
  CHECK_THAT(text, Contains(" 49152 bytes of stack; engine_options::ask_stack_bytes"));
  CHECK(times(text, "stack overflow") == 1);
}

// Of a handler before it waits and behind that, of each kind of actor.
template <std::size_t KiB>
void require_leaps_named(unsigned workers) {
  CAPTURE(KiB);
  const auto leaps = [](auto&, auto, long depth) { return depth == 1 ? 0 : leap<KiB>(); };
  const auto leaps_on = [](auto& self, auto wise, long depth) {
    if (self.ask(wise, number{depth}) != 2) leap<KiB>();
  };
  require_named(words_of(workers, leaps, nothing_before));
  require_named(words_of(workers, leaps, nothing_before, blocking));
  require_named(words_of(workers, leaps_on, nothing_before));
  require_named(words_of(workers, leaps_on, nothing_before, tact::parallel));
}

// Answers when so many have asked.
class patient : public actor<patient, request<number>> {
 public:
  explicit patient(std::size_t count) : count_(count) {}
  void receive(self<patient>& self, const request<number>& m) {
    self.defer(m);
    kept_.push_back(m);
    if (kept_.size() != count_) return;
    for (const auto& each : kept_) self.reply(each, each.body.n);
  }

 private:
  const std::size_t count_;
  std::vector<request<number>> kept_;
};

// So many handlers wait at once, until one of them leaps.
template <std::size_t KiB>
void leap_beside_others(long waiting, long which) {
  engine e(small_stacks(1));
  const auto last = e.spawn<patient>(static_cast<std::size_t>(waiting));
  const auto d = e.create(behavior<digger>{[=](auto& self, const dig& m) {
                            if (self.ask(last, number{m.depth}) == which) leap<KiB>();
                          }},
                          tact::parallel);
  for (long n = 0; n < waiting; ++n) e.send(d, dig{n});
  e.wait_idle();
}

}  // namespace

TEST_CASE("overflow: a handler that needs more than its stack is named, with the size and the option") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto digs = [](auto&, auto, long depth) { descend(depth); };
  require_named(words_of(workers, digs, nothing_before));
  require_named(words_of(workers, digs, nothing_before, tact::parallel));
  require_named(words_of(workers, digs, nothing_before, blocking));
  require_named(words_of(
      workers, [](auto&, auto, long depth) { depth == 1 ? 1 : leap<60>(); }, nothing_before));
}

TEST_CASE("overflow: a handler is named behind its wait, and beside others that wait") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const unsigned workers = GENERATE(0u, 1u, 4u);
  const auto digs = [](auto& self, auto wise, long depth) { descend(self.ask(wise, number{depth}) / 2); };
  require_named(words_of(workers, digs, nothing_before));
  require_named(words_of(workers, digs, nothing_before, tact::parallel));
  const auto digs_on = [](auto& self, auto wise, long depth) {
    if (depth == 1) self.ask(wise, number{1});
    descend(depth);
  };
  require_named(words_of(workers, digs_on, nothing_before));
}

TEST_CASE("overflow: a frame of which only the far end is touched ends in the guard, and overwrites nobody") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const unsigned workers = GENERATE(0u, 1u, 4u);
  CAPTURE(workers);
  require_leaps_named<60>(workers);
  require_leaps_named<112>(workers);  // a guard of 64 KiB and the stack below it have as much
  require_leaps_named<322>(workers);
  require_leaps_named<1024>(workers);
  require_leaps_named<7000>(workers);
  require_leaps_named<63 * 1024>(workers);
}

TEST_CASE("overflow: where thousands of others wait, the far end is in the guard as well") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const std::string text = last_words([] { leap_beside_others<1000>(3000, 2500); }, SIGSEGV);
  CHECK_THAT(text, Contains("stack overflow: ") && Contains("digger handling ") && Contains("dig needs more than"));
}

TEST_CASE("overflow: another fault is named with actor and message, and the handler that was there before is called") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const auto faults = [](auto&, auto, long depth) { return depth == 1 ? 0 : read_nowhere(); };
  const std::string line = "tact: SIGSEGV: digger handling dig has faulted\n";
  CHECK(words_of(1, faults, nothing_before) == line);
  CHECK(words_of(1, faults, nothing_before, named{"the mole"}) ==
        "tact: SIGSEGV: the mole (digger) handling dig has faulted\n");
  CHECK(words_of(1, faults, [] { ::signal(SIGSEGV, SIG_IGN); }) == line);
  CHECK(words_of(1, faults, installed(&users_own, 0)) == line + "the user's handler\n");
  CHECK(words_of(1, faults, installed(&users_own_once, static_cast<int>(SA_RESETHAND))) ==
        line + "the user's handler\n");
  CHECK(words_of(1, faults, installed(&users_own_with_more, SA_SIGINFO)) == line + "the user's handler, at null\n");
}

TEST_CASE("overflow: the handler that was there before hears of an overflow too, and one that came later alone") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const auto digs = [](auto&, auto, long depth) { descend(depth); };
  const std::string both = words_of(1, digs, installed(&users_own_with_more, SA_SIGINFO));
  require_named(both);
  CHECK_THAT(both, Catch::Matchers::EndsWith("the user's handler\n"));
  const auto digs_late = [](auto&, auto, long depth) {
    if (depth != 1) installed(&users_own, SA_ONSTACK)();
    descend(depth);
  };
  CHECK(words_of(1, digs_late, nothing_before) == "the user's handler\n");
}

TEST_CASE("overflow: a signal that somebody sends is no fault") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  const auto sends = [](auto&, auto, long depth) {
    if (depth == 1) return;
    ::raise(SIGSEGV);
    ::raise(SIGSEGV);
  };
  CHECK(words_of(1, sends, nothing_before).empty());
  CHECK(words_of(1, sends, installed(&users_own, static_cast<int>(SA_NODEFER))) == "the user's handler\n");
  int status = 0;
  const pid_t child = ::fork();
  if (child == 0) {
    ::signal(SIGSEGV, SIG_IGN);
    {
      engine e(small_stacks(1));
      const auto d = e.create(behavior<digger>{[](auto&, const dig&) { ::raise(SIGSEGV); }}, tact::parallel);
      e.send(d, dig{1});
      e.wait_idle();
    }
    ::_exit(17);
  }
  REQUIRE(::waitpid(child, &status, 0) == child);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 17));
}

}  // namespace overflow_test
