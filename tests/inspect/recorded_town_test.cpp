// The laws hold in an engine that is recorded, however it is read and switched meanwhile; and what is read makes sense.
#include <ostream>
#include <streambuf>

#include "inspect/consistent.hpp"
#include "stress/town.hpp"
#include "tact/inspect/recorder.hpp"

namespace recorded_town_test {

namespace {

using namespace tact::stress;
using tact::inspect::event;
using tact::inspect::recorder;

class nowhere final : public std::streambuf {
  int_type overflow(int_type c) override { return traits_type::not_eof(c); }
  std::streamsize xsputn(const char*, std::streamsize n) override { return n; }
};

// Reads all the time, and does with the trace what a user may do.
class audience_of_one {
 public:
  audience_of_one(recorder& r, bool switches, std::uint64_t seed)
      : recorder_(r), switches_(switches), dice_(seed), thread_([this] { look(); }) {}
  ~audience_of_one() { leave(); }
  audience_of_one(const audience_of_one&) = delete;
  audience_of_one& operator=(const audience_of_one&) = delete;

  // It has looked at least once.
  void leave() {
    done_ = true;
    if (thread_.joinable()) thread_.join();
  }
  [[nodiscard]] const std::vector<std::string>& wrong() const { return wrong_; }
  [[nodiscard]] std::uint64_t seen() const { return seen_; }

 private:
  void look() {
    bool is_last = false;  // the last look comes behind all steps, however late this thread runs
    do {
      is_last = done_;
      if (switches_) dice_.below(2) == 0 ? recorder_.stop() : recorder_.start();
      const auto trace = recorder_.read();
      seen_ += trace.events().size();
      for (std::string& w : contradictions_in(trace)) {
        if (wrong_.size() < 10) wrong_.push_back(std::move(w));
      }
      use(trace);
    } while (!is_last);
  }
  void use(const tact::inspect::trace& t) {
    if (t.events().empty()) return;
    std::ostream out(&nowhere_);
    const event& any = t.events()[dice_.below(static_cast<unsigned>(t.events().size()))];
    if (t.why(any.message).empty()) wrong_.emplace_back("why says nothing");
    switch (dice_.below(3)) {
      case 0:
        return t.write_chrome_json(out);
      case 1:
        return t.write_mermaid(out, any.message);
      default:
        return t.write_svg(out, any.message);
    }
  }

  recorder& recorder_;
  const bool switches_;
  dice dice_;
  nowhere nowhere_;
  std::vector<std::string> wrong_;
  std::uint64_t seen_ = 0;
  std::atomic<bool> done_{false};
  std::thread thread_;
};

struct way {
  const char* name;
  unsigned one_of;
  bool switches;
};
constexpr way ways[] = {
    {"all", 1, false}, {"a part", 3, false}, {"all, switched", 1, true}, {"a part, switched", 7, true}};

}  // namespace

TEST_CASE("recorder: all laws hold in a town that is recorded, read and switched all the time", "[law1][law4][law5]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  for (const way& w : ways) {
    INFO("recorded: " << w.name);
    const nothing_left left;
    dice d(seed);
    tact::engine engine(quiet_options(workers));
    recorder records(engine, {.bytes_per_thread = 64 << 10, .one_of = w.one_of});
    town t(engine);
    audience_of_one looks(records, w.switches, seed);
    for (int n = 0; n < scaled(30); ++n) {
      t.live(d.next());
      if (d.below(3) != 0) continue;
      require_idle(engine);
      t.bury();
    }
    require_idle(engine);
    looks.leave();
    CHECK(contradictions_in(records.read(), read_when::at_rest) == std::vector<std::string>());
    CHECK(looks.wrong() == std::vector<std::string>());
    CHECK((looks.seen() != 0 || w.switches));
    t.check();
  }
}

TEST_CASE("recorder: what happens in a town is recorded to the end, if there is memory for it", "[law4]") {
  TACT_SEEDED(seed);
  TACT_FOR_EACH_THREAD_COUNT(workers);
  const nothing_left left;
  tact::engine engine(quiet_options(workers));
  recorder records(engine, {.bytes_per_thread = std::size_t{2} << 20});
  town t(engine);
  for (int n = 0; n < scaled(6); ++n) t.live(seed + static_cast<unsigned>(n));
  require_idle(engine);
  CHECK(contradictions_in(records.read(), read_when::complete) == std::vector<std::string>());
  t.check();
}

}  // namespace recorded_town_test
