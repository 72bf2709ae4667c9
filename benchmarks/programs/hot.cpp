// Hot: actors on all workers send to one actor, which does some work and, for some of the messages, changes its state.
#include <string>
#include <vector>

#include "programs/engine.hpp"
#include "programs/work.hpp"

namespace bench {
namespace {

struct heard {};
struct hit {
  tact::ref<heard> from;
  bool changes;
};
struct total {
  using reply = std::uint64_t;
};

struct setting {
  std::uint32_t steps;
  std::uint64_t result;

  // The work of one message; false if it came out wrong.
  [[nodiscard]] bool do_work() const { return steps == 0 || work(steps) == result; }
};

class classic_counter : public tact::actor<classic_counter, hit, tact::request<total>> {
 public:
  explicit classic_counter(const setting& s) : setting_(&s) {}
  void receive(tact::self<classic_counter>& self, const hit& m) {
    if (!setting_->do_work()) return;
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
        if (!s.do_work()) return;
        if (m.changes) self.become(count(s, so_far + 1));
        self.send(m.from, heard{});
      },
      [so_far](auto& self, const tact::request<total>& m) { self.reply(m, so_far); },
  };
}

// Has `window` messages under way at a time. One in `changing` of them changes the counter.
class alignas(64) sender : public tact::actor<sender, heard> {
 public:
  void begin(tact::ref<hit> at, std::uint64_t messages, std::uint64_t changing) {
    at_ = at;
    left_ = messages;
    changing_ = changing;
  }
  void receive(tact::self<sender>& self, const heard&) {
    ++answers;
    if (left_ == 0) return;
    self.send(at_, hit{self.ref(), left_ % changing_ == 0});
    --left_;
  }
  std::uint64_t answers = 0;

 private:
  tact::ref<hit> at_;
  std::uint64_t left_ = 0;
  std::uint64_t changing_ = 1;
};

tact::ref<hit> make_target(tact::engine& engine, const std::string& variant, const setting& s,
                           tact::ref<tact::request<total>>& asked) {
  const auto known = [&](auto r) {
    asked = r;
    return r;
  };
  if (variant == "classic") return known(engine.spawn<classic_counter>(s));
  if (variant == "ordered") return known(engine.create(count(s, 0), tact::ordered));
  if (variant == "parallel") return known(engine.create(count(s, 0), tact::parallel));
  return known(engine.create(count(s, 0)));
}

int run(program& p) {
  const auto variant = p.choice("variant", {"adaptive", "classic", "ordered", "parallel"}, "the actor that is hit");
  const auto changing = p.number("changing", 1, 1, "one message in so many changes its state");
  const auto steps = static_cast<std::uint32_t>(p.number("steps", 0, 0, "steps of work per message", 0));
  const auto senders = p.number("senders", 16, 4, "actors that send");
  const auto window = p.number("window", 32, 4, "messages of a sender under way at a time");
  const auto each = p.number("each", steps < 20 ? 200'000 : 40'000, 200, "messages of a sender");
  auto options = read_engine_options(p);
  options.collisions_max = static_cast<unsigned>(p.number("collisions", 3, 3, "before it goes home"));
  options.home_stretch = static_cast<unsigned>(p.number("stretch", 32, 32, "messages at home before the next look"));
  p.ready();
  p.require(each % changing == 0, "--each is a multiple of --changing");
  p.require(window <= each, "--window is no more than --each");

  const setting s{steps, work(steps)};
  std::vector<sender> all(senders);
  std::vector<tact::ref<heard>> refs;
  tact::ref<tact::request<total>> asked;
  tact::engine engine(options);
  const auto target = make_target(engine, variant, s, asked);
  for (sender& one : all) {
    one.begin(target, each, changing);
    refs.emplace_back(engine.attach(one));
  }

  stopwatch watch;
  for (std::uint64_t n = 0; n < window; ++n) {
    for (const auto r : refs) engine.send(r, heard{});
  }
  engine.wait_idle();
  watch.stop();

  const std::uint64_t messages = senders * each;
  for (const sender& one : all) p.check_equal(one.answers, each + window, "messages that a sender received");
  check_engine(p, engine, 2 * messages + senders * window);
  const auto counted = engine.statistics();
  p.check(counted.collisions <= messages * options.collisions_max, "a message ran more often than it may");
  p.check_equal(engine.ask(asked, total{}), messages / changing, "changes of the state");
  p.say("collisions", std::to_string(counted.collisions));
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
