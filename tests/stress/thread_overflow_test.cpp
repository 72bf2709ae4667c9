// Handlers that need more than the stack of a thread, in a program in which no handler waits; each in a process of its
// own.
#include <csignal>
#include <cstddef>

#include "support/death.hpp"
#include "support/engine_fixture.hpp"

namespace thread_overflow_test {

using namespace tact;
using namespace tact::support;

namespace {

using Catch::Matchers::Contains;

struct dig {};
struct digger : protocol<dig> {};

constexpr std::size_t stack_bytes = std::size_t{8} * 1024 * 1024;

// Does what a function does that has so large a frame, and touches its far end only.
[[gnu::noinline]] void leap(std::size_t frame_bytes) {
  *(static_cast<volatile char*>(__builtin_frame_address(0)) - frame_bytes) = 1;
}

// What is left of a process in which an actor so placed leaps.
template <class... Placed>
std::string words_of(unsigned workers, std::size_t frame_bytes, Placed... placed) {
  return last_words(
      [&] {
        engine e(quiet_options(workers));
        const auto d =
            e.create(behavior<digger>{[=](auto&, const dig&) { leap(frame_bytes); }}, named("the mole"), placed...);
        e.send(d, dig{});
        e.wait_idle();
      },
      SIGSEGV);
}

void require_named(const std::string& text) {
  CHECK_THAT(text,
             Contains("stack overflow: the mole (") && Contains("digger) handling ") && Contains("dig needs more"));
  CHECK_THAT(text, Contains(" bytes of stack; ulimit -s makes the stacks of threads larger"));
}

}  // namespace

TEST_CASE("overflow: on the stack of a thread a far end is in the guard as well, and the handler is named") {
  if (sanitized) TACT_SKIP("sanitizers handle the signal themselves");
  rlimit limit{};
  REQUIRE(::getrlimit(RLIMIT_STACK, &limit) == 0);
  if (limit.rlim_cur != stack_bytes) TACT_SKIP("threads have stacks of another size here");
  for (const unsigned workers : {1u, 4u}) {
    for (const std::size_t frame_bytes : {stack_bytes, stack_bytes + 100'000, 3 * stack_bytes, 7 * stack_bytes}) {
      CAPTURE(workers, frame_bytes);
      require_named(words_of(workers, frame_bytes));
      require_named(words_of(workers, frame_bytes, tact::parallel));
      require_named(words_of(workers, frame_bytes, blocking));
    }
  }
}

}  // namespace thread_overflow_test
