// The clocks of processors differ, and stamps go back: a trace is read all the same, and causes come before effects.
#include <sstream>

#include "inspect/consistent.hpp"
#include "inspect/packed_event.hpp"
#include "inspect/trace_reader.hpp"
#include "support/catch.hpp"
#include "support/dice.hpp"
#include "support/seed.hpp"

namespace skewed_clocks_test {

namespace {

using namespace tact::support;
using tact::detail::trace_note;
using tact::detail::trace_outcome;
using tact::detail::trace_step;
using tact::inspect::packed_event;
using tact::inspect::trace;
namespace inspect = tact::inspect;

// What threads would have recorded that hand a message on in a circle; the clock of each is wrong in its own way.
class threads_with_clocks {
 public:
  explicit threads_with_clocks(std::vector<std::uint64_t> ahead) : ahead_(std::move(ahead)) {
    all_.names = {"", "hop"};
    for (std::size_t n = 0; n < ahead_.size(); ++n) all_.threads.push_back("worker " + std::to_string(n));
    all_.steps.resize(ahead_.size());
  }
  void note(std::size_t thread, const trace_note& n) {
    all_.steps[thread].events.push_back(packed_event::pack(n, ++now_ + ahead_[thread], 1, 0));
  }
  void hand_on(std::uint64_t messages) {
    note(0, {.id = 1, .actor = 256});
    for (std::uint64_t n = 1; n <= messages; ++n) {
      const std::size_t thread = n % ahead_.size();
      note(thread, {.step = trace_step::begun, .id = n, .actor = 256});
      if (n != messages) note(thread, {.id = n + 1, .actor = 256});
      note(thread, {.step = trace_step::over, .outcome = trace_outcome::committed, .id = n, .actor = 256});
    }
  }
  [[nodiscard]] trace read() && { return inspect::trace_reader::read(std::move(all_)); }

 private:
  std::vector<std::uint64_t> ahead_;
  inspect::probe::contents all_;
  std::uint64_t now_ = 1'000'000'000;
};

void require_chain(const trace& t, std::uint64_t messages) {
  CHECK(contradictions_in(t, read_when::complete) == std::vector<std::string>());
  REQUIRE(t.events().size() == 3 * messages);
  std::uint64_t begun = 0;
  for (const auto& e : t.events()) {
    if (e.what != inspect::step::begun) continue;
    CHECK(e.message == ++begun);
  }
  CHECK(begun == messages);
  CHECK(t.causes_of(messages).size() == messages);
  std::ostringstream json;
  t.write_chrome_json(json);
  CHECK(json.str().ends_with("]\n"));
}

}  // namespace

TEST_CASE("trace: when the clocks of threads differ, each message is sent before it is handled") {
  TACT_SEEDED(seed);
  dice d(seed);
  for (int round = 0; round < 50; ++round) {
    std::vector<std::uint64_t> ahead(1 + d.below(5));
    for (auto& a : ahead) a = d.below(2) == 0 ? d.below(10) : d.below(100'000);
    threads_with_clocks threads(ahead);
    threads.hand_on(100);
    require_chain(std::move(threads).read(), 100);
  }
}

TEST_CASE("trace: when the clock of a thread goes back, its steps stay in their order") {
  inspect::probe::contents all;
  all.names = {"", "hop"};
  all.threads = {"worker 0"};
  all.steps.resize(1);
  std::uint64_t now = 1'000'000;
  for (std::uint64_t n = 1; n <= 20; ++n, now -= 100) {
    all.steps[0].events.push_back(packed_event::pack({.id = n, .actor = 256}, now, 1, 0));
    all.steps[0].events.push_back(
        packed_event::pack({.step = trace_step::begun, .id = n, .actor = 256}, now - 10, 1, 0));
    all.steps[0].events.push_back(packed_event::pack(
        {.step = trace_step::over, .outcome = trace_outcome::committed, .id = n, .actor = 256}, now - 20, 1, 0));
  }
  const trace t = inspect::trace_reader::read(std::move(all));
  CHECK(contradictions_in(t, read_when::complete) == std::vector<std::string>());
  std::uint64_t sent = 0;
  for (const auto& e : t.events()) {
    if (e.what == inspect::step::sent) CHECK(e.message == ++sent);
  }
  CHECK(sent == 20);
}

}  // namespace skewed_clocks_test
