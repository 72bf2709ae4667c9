// Hot: actors on all workers send to one actor, which does some work and, for some of the messages, changes its state.
#include "programs/hot.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

struct heard {};
struct hit {
  tact::ref<heard> from;
  std::uint32_t number;
  bool changes;
};
struct total {
  using reply = std::uint64_t;
};

// How often the handler of each message ran: an effect outside of the actor, which no collision undoes.
class run_counts {
 public:
  explicit run_counts(std::uint64_t messages) : of_(messages) {}
  void add(std::uint32_t number) { of_[number].fetch_add(1, std::memory_order_relaxed); }

  // REQUIRES: the engine is idle.
  [[nodiscard]] unsigned most() const {
    unsigned found = 0;
    for (const auto& n : of_) found = std::max<unsigned>(found, n);
    return found;
  }
  [[nodiscard]] std::uint64_t sum() const {
    std::uint64_t all = 0;
    for (const auto& n : of_) all += n;
    return all;
  }

 private:
  std::vector<std::atomic<std::uint8_t>> of_;
};

// What the handlers know.
struct setting {
  const hot_setting& hot;
  run_counts* runs;  // null: they are not counted
  bool plain;        // no work, nothing to count

  // What a message does beside changing the state; false if the work came out wrong.
  [[nodiscard]] bool do_work(const hit& m) const {
    if (plain) return true;
    if (runs != nullptr) runs->add(m.number);
    return hot.do_work();
  }
};

class classic_counter : public tact::actor<classic_counter, hit, tact::request<total>> {
 public:
  explicit classic_counter(const setting& s) : setting_(&s) {}
  void receive(tact::self<classic_counter>& self, const hit& m) {
    if (!setting_->do_work(m)) return;
    if (m.changes) ++count_;
    self.send(m.from, heard{});
  }
  void receive(tact::self<classic_counter>& self, const tact::request<total>& m) { self.reply(m, count_); }

 private:
  const setting* setting_;
  std::uint64_t count_ = 0;
};

struct counter : tact::protocol<hit, tact::request<total>> {};

tact::behavior<counter> count(const setting& s, std::uint64_t so_far) {
  return {
      [&s, so_far](tact::self<counter>& self, const hit& m) {
        if (!s.do_work(m)) return;
        if (m.changes) self.become(count(s, so_far + 1));
        self.send(m.from, heard{});
      },
      [so_far](auto& self, const tact::request<total>& m) { self.reply(m, so_far); },
  };
}

class alignas(64) sender : public tact::actor<sender, heard> {
 public:
  void begin(tact::ref<hit> at, std::uint64_t nth, const hot_setting& s) {
    at_ = at;
    first_ = static_cast<std::uint32_t>(nth * s.each);
    mine.begin(s, nth);
  }
  void receive(tact::self<sender>& self, const heard&) {
    if (!mine.hear()) return;
    self.send(at_, hit{self.ref(), first_ + static_cast<std::uint32_t>(mine.left), mine.changes.next()});
  }
  hot_sender mine;

 private:
  tact::ref<hit> at_;
  std::uint32_t first_ = 0;
};

tact::ref<hit> make_target(tact::engine& engine, const std::string& variant, const setting& s,
                           tact::ref<tact::request<total>>& asked) {
  const auto known = [&](auto r) {
    asked = r;
    return r;
  };
  if (variant == "classic") return known(engine.spawn<classic_counter>(s));
  if (variant == "ordered") return known(engine.create(count(s, 0)));
  return known(engine.create(count(s, 0), tact::parallel));
}

// REQUIRES: the engine is idle. Each message ran as often as it may, and as often as the engine says.
void check_runs(program& p, const run_counts& runs, std::uint64_t most, std::uint64_t messages,
                const tact::statistics& counted) {
  p.say("worst_runs", std::to_string(runs.most()));
  p.check(runs.most() <= most, "a message ran more often than it may");
  p.check_equal(runs.sum(), messages + counted.collisions, "runs of all messages");
}

int run(program& p) {
  const auto variant = p.choice("variant", {"adaptive", "classic", "ordered"}, "the actor that is hit");
  const bool counts = p.choice("runs", {"unseen", "counted"}, "runs of each message") == "counted";
  const hot_setting hot(p, 1'000'000, 400'000);
  auto options = read_engine_options(p);
  const auto stretch = options.home_stretch;
  options.home_stretch =
      static_cast<unsigned>(p.number("stretch", stretch, stretch, "messages at home before the next look", 1, 1024));
  p.ready();

  run_counts runs(counts ? hot.messages() : 0);
  const setting s{hot, counts ? &runs : nullptr, !counts && hot.steps == 0};
  std::vector<sender> all(hot.senders);
  std::vector<tact::ref<heard>> refs;
  tact::ref<tact::request<total>> asked;
  tact::engine engine(options);
  const auto target = make_target(engine, variant, s, asked);
  for (sender& one : all) {
    one.begin(target, refs.size(), hot);
    refs.emplace_back(engine.attach(one));
  }

  stopwatch watch;
  for (std::uint64_t n = 0; n < hot.window; ++n) {
    for (const auto r : refs) engine.send(r, heard{});
  }
  engine.wait_idle();
  watch.stop();

  const std::uint64_t messages = hot.messages();
  for (const sender& one : all) check_hot(p, hot, one.mine);
  check_engine(p, engine, 2 * messages + hot.senders * hot.window);
  const auto counted = engine.statistics();
  const bool collides = variant == "adaptive" || variant == "parallel";
  const std::uint64_t again_max = collides ? options.collisions_max : 0;
  p.check(counted.collisions <= messages * again_max, "the messages ran more often than they may");
  if (counts) check_runs(p, runs, again_max + 1, messages, counted);
  p.check_equal(engine.ask(asked, total{}), hot.changes(), "changes of the state");
  p.say("collided", std::to_string(counted.collisions));
  p.say("forwarded", std::to_string(counted.forwarded));
  p.say("home", std::to_string(counted.went_home));
  p.say("back", std::to_string(counted.came_back));
  return p.report(watch, messages);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Hot: actors on all workers send to one actor.", bench::tact_runtime);
  return bench::run(p);
}
