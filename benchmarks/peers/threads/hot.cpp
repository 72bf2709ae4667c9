// Hot on threads.
#include "programs/hot.hpp"

#include <latch>
#include <vector>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

// A hit says from whom it comes; an answer says none.
struct hot_note;
using notes = pool<hot_note>;
struct hot_note {
  notes::actor* from = nullptr;
  bool changes = false;
};

class counter : public notes::actor {
 public:
  explicit counter(const hot_setting& s) : setting_(s) {}
  void receive(notes& threads, const hot_note& m) override {
    if (!setting_.do_work()) ++wrong;
    if (m.changes) ++count;
    threads.send(*m.from, {});
  }
  std::uint64_t count = 0;
  std::uint64_t wrong = 0;

 private:
  const hot_setting& setting_;
};

class alignas(64) sender : public notes::actor {
 public:
  void begin(counter& at, std::uint64_t nth, const hot_setting& s, std::latch& done) {
    at_ = &at;
    setting_ = &s;
    done_ = &done;
    mine.begin(s, nth);
  }
  void receive(notes& threads, const hot_note&) override {
    if (mine.hear()) return threads.send(*at_, {this, mine.changes.next()});
    if (mine.answers == setting_->each + setting_->window) done_->count_down();
  }
  hot_sender mine;

 private:
  counter* at_ = nullptr;
  const hot_setting* setting_ = nullptr;
  std::latch* done_ = nullptr;
};

int run(program& p) {
  const hot_setting s(p, 100'000, 100'000);
  p.ready();

  std::latch done(static_cast<std::ptrdiff_t>(s.senders));
  counter target(s);
  std::vector<sender> all(s.senders);
  notes threads(p.threads());
  threads.place(target);
  for (std::size_t i = 0; i < s.senders; ++i) {
    all[i].begin(target, i, s, done);
    threads.place(all[i]);
  }

  stopwatch watch;
  for (std::uint64_t n = 0; n < s.window; ++n) {
    for (sender& one : all) threads.send(one, {});
  }
  done.wait();
  watch.stop();

  for (const sender& one : all) check_hot(p, s, one.mine);
  p.check_equal(target.count, s.changes(), "changes of the state");
  p.check_equal(target.wrong, 0, "work that came out wrong");
  return p.report(watch, s.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Hot: actors on all threads send to one actor.", bench::pool_runtime);
  return bench::run(p);
}
