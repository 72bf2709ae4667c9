// User's code that an engine runs, and what it sends to another engine. When a timer ran such code, the workers of the
// timer's engine were told of the mail instead of the other ones: these slept on, or memory was overwritten.
#include <algorithm>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "support/engine_fixture.hpp"
#include "tact/future.hpp"

namespace other_engine_test {

namespace {

using namespace tact;
using namespace tact::support;
using namespace std::chrono_literals;

struct line {};

// The other engine, whose workers sleep, and an actor there that hears.
class listener {
 public:
  listener() : ear_(b_.create(behavior<line>{[this](auto&, const line&) { ++heard_; }})) {}
  // Called by code of the user in the first engine.
  void tell() {
    ++told_;
    b_.send(ear_, line{});
  }
  engine& other() { return b_; }
  // Waits until it has been told, and has heard all; without a call of its engine, which might wake the workers.
  [[nodiscard]] bool hears_all() const {
    const auto end = std::chrono::steady_clock::now() + generous;
    const auto waits_until = [end](const auto& holds) {
      while (!holds() && std::chrono::steady_clock::now() < end) std::this_thread::yield();
      return holds();
    };
    if (!waits_until([this] { return told_ != 0; })) return false;
    return waits_until([this, told = told_.load()] { return heard_ >= told; });
  }
  // All workers sleep, and have been woken so many times.
  std::optional<std::uint64_t> asleep() const {
    const auto s = b_.statistics();
    if (s.parks - s.wakes != s.workers) return {};
    return s.wakes;
  }

 private:
  engine b_{quiet_options(4)};
  ref<line> ear_;
  std::atomic<unsigned> told_{0};
  std::atomic<unsigned> heard_{0};
};

// Waits until no worker of theirs wakes any more: each does once, after half a second, to give its memory back.
void wait_until_asleep(const std::vector<std::unique_ptr<listener>>& all) {
  const auto end = std::chrono::steady_clock::now() + generous;
  const auto look = [&] {
    std::vector<std::optional<std::uint64_t>> seen;
    for (const auto& each : all) seen.push_back(each->asleep());
    return seen;
  };
  for (;;) {
    REQUIRE(std::chrono::steady_clock::now() < end);
    const auto before = look();
    CHECK_FALSE(all.front()->other().wait_finished(700ms));  // while nothing is to be done
    if (before == look() && std::find(before.begin(), before.end(), std::nullopt) == before.end()) return;
  }
}

enum class moment : unsigned char { never, destroyed, copied, moved };

// Tells the listener when it is destroyed, copied or moved.
class teller {
 public:
  teller(listener& to, moment when) : to_(&to), when_(when) {}
  teller(const teller& from) : to_(from.to_), when_(from.when_) { tell_if(moment::copied); }
  teller(teller&& from) noexcept : to_(std::exchange(from.to_, nullptr)), when_(from.when_) { tell_if(moment::moved); }
  teller& operator=(const teller&) = delete;
  teller& operator=(teller&&) = delete;
  ~teller() { tell_if(moment::destroyed); }

 private:
  void tell_if(moment now) const noexcept {
    if (to_ != nullptr && when_ == now) to_->tell();
  }

  listener* to_;
  moment when_;
};

struct note {
  teller tells;
};
struct hold {
  door* came;
  door* until;
};
struct query {
  using reply = int;
};
struct desk : protocol<note, hold, request<query>> {};

behavior<desk> open_desk(teller kept) {
  return {[kept](self<desk>& me, const note&) { me.become(open_desk(kept)); },
          [](auto&, const hold& m) {
            m.came->open();
            static_cast<void>(m.until->pass());
          },
          [](auto& me, const request<query>& m) { me.reply(m, 1); }};
}

// The first engine, with one worker.
class first_engine {
 public:
  explicit first_engine(listener& to, bool hooks_tell = false) : to_(&to) {
    auto o = quiet_options(1);
    o.on_dead_letter = [&to, hooks_tell](const dead_letter&) {
      if (hooks_tell) to.tell();
    };
    o.on_failure = [&to, hooks_tell](const failure_report&) {
      if (hooks_tell) to.tell();
    };
    a_ = std::make_unique<engine>(o);
  }
  first_engine(const first_engine&) = delete;
  first_engine& operator=(const first_engine&) = delete;
  ~first_engine() { open(); }
  engine& get() { return *a_; }
  // A desk whose handler runs until `open`, and whose mailbox has room for one message, which the next one replaces.
  ref<desk> held_desk() {
    const ref<desk> d =
        a_->create(open_desk(silent()), mailbox_limit{.messages = 1, .when_full = when_full::drop_oldest});
    a_->send(d, hold{&came_, &until_});
    REQUIRE(came_.pass());
    return d;
  }
  [[nodiscard]] teller silent() const { return {*to_, moment::never}; }
  [[nodiscard]] teller tells(moment when) const { return {*to_, when}; }
  void open() { until_.open(); }
  void end() {
    open();
    a_.reset();
  }

 private:
  listener* to_;
  door came_{};
  door until_{};
  std::unique_ptr<engine> a_{};
};

struct way {
  const char* name;
  bool hooks_tell;
  void (*go)(first_engine&);
};

// A timer brings the message that drops the one before.
void drop_by_timer(first_engine& a, note first) {
  const auto d = a.held_desk();
  a.get().send(d, std::move(first));
  a.get().send_after(1ms, d, note{a.silent()});
}

const way ways[] = {
    {"what a timer's message drops is destroyed", false,
     [](first_engine& a) { drop_by_timer(a, note{a.tells(moment::destroyed)}); }},
    {"what a timer's message drops is a dead letter", true,
     [](first_engine& a) { drop_by_timer(a, note{a.silent()}); }},
    {"a timer is cancelled", false,
     [](first_engine& a) { a.get().send_after(1h, a.held_desk(), note{a.tells(moment::destroyed)}).cancel(); }},
    {"a timer comes to an actor that has ended", true,
     [](first_engine& a) {
       auto gone = a.get().create(open_desk(a.silent()), owned);
       a.get().send_after(1ms, gone.ref(), note{a.silent()});
       gone.reset();
     }},
    {"a timer's message is copied", false,
     [](first_engine& a) {
       static_cast<void>(a.get().send_every(1ms, a.get().create(open_desk(a.silent())), note{a.tells(moment::copied)}));
     }},
    {"a timer's message is moved", false,
     [](first_engine& a) {
       a.get().send_after(1ms, a.get().create(open_desk(a.silent())), note{a.tells(moment::moved)});
     }},
    {"a behaviour is replaced", false,
     [](first_engine& a) {
       a.get().send(a.get().create(open_desk(a.tells(moment::destroyed)), parallel), note{a.silent()});
     }},
    {"an actor ends", false,
     [](first_engine& a) { static_cast<void>(a.get().create(open_desk(a.tells(moment::destroyed)), owned)); }},
    {"a handler throws", true,
     [](first_engine& a) {
       a.get().send(a.get().create(behavior<line>{[](auto&, const line&) { throw std::runtime_error("no"); }}), line{});
     }},
    {"the engine ends", false,
     [](first_engine& a) {
       a.get().send(a.held_desk(), note{a.tells(moment::destroyed)});
       a.end();
     }},
};

}  // namespace

TEST_CASE("engines: what user's code in one sends to another one arrives there, whatever runs that code", "[law6]") {
  std::vector<std::unique_ptr<listener>> all;
  for (std::size_t i = 0; i < std::size(ways); ++i) all.push_back(std::make_unique<listener>());
  wait_until_asleep(all);
  for (std::size_t i = 0; i < std::size(ways); ++i) {
    INFO(ways[i].name);
    first_engine a(*all[i], ways[i].hooks_tell);
    ways[i].go(a);
    CHECK(all[i]->hears_all());
    a.end();
    CHECK(all[i]->hears_all());
  }
}

TEST_CASE("engines: the asker of a request that a timer of another engine drops is told", "[law1][law6]") {
  std::vector<std::unique_ptr<listener>> all;
  all.push_back(std::make_unique<listener>());
  listener& to = *all.front();
  first_engine a(to);
  const auto d = a.held_desk();
  auto answer = to.other().ask_future(d, query{});
  wait_until_asleep(all);
  a.get().send_after(1ms, d, note{a.silent()});
  REQUIRE(answer.wait_for(generous) == std::future_status::ready);
  CHECK_THROWS_AS(answer.get(), ask_error);
}

}  // namespace other_engine_test
