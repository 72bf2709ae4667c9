// Chameneos: creatures meet in pairs, in a mall, and change their colours. Savina 06.
#include <optional>
#include <vector>

#include "savina/chameneos/colours.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class creature;
struct start {};
struct meet {
  colour hue;
  tact::ref<creature> who;
};
struct change {
  colour hue;
};
struct close {};
struct met {
  std::uint64_t times;
};

class mall : public tact::actor<mall, meet, met> {
 public:
  mall(std::uint64_t meetings, std::uint64_t creatures, std::uint64_t* sum)
      : left_(meetings), creatures_(creatures), sum_(sum) {}
  void receive(tact::self<mall>& self, const meet& m);
  tact::allocation receive(tact::self<mall>&, const met& m) {
    *sum_ += m.times;
    return --creatures_ == 0 ? tact::allocation::delete_ : tact::allocation::nodelete;
  }

 private:
  std::uint64_t left_;
  std::uint64_t creatures_;
  std::uint64_t* sum_;
  std::optional<tact::ref<creature>> waiting_;
};

class creature : public tact::actor<creature, start, meet, change, close> {
 public:
  creature(tact::ref<mall> at, colour hue) : mall_(at), hue_(hue) {}
  void receive(tact::self<creature>& self, const start&) { go_again(self); }
  void receive(tact::self<creature>& self, const meet& m) {
    turn(complement(hue_, m.hue));
    self.send(m.who, change{hue_});
    go_again(self);
  }
  void receive(tact::self<creature>& self, const change& m) {
    turn(m.hue);
    go_again(self);
  }
  tact::allocation receive(tact::self<creature>& self, const close&) {
    self.send(mall_, met{times_});
    return tact::allocation::delete_;
  }

 private:
  void turn(colour next) {
    hue_ = next;
    ++times_;
  }
  void go_again(tact::self<creature>& self) { self.send(mall_, meet{hue_, self.ref()}); }

  tact::ref<mall> mall_;
  colour hue_;
  std::uint64_t times_ = 0;
};

void mall::receive(tact::self<mall>& self, const meet& m) {
  if (left_ == 0) return self.send(m.who, close{});
  if (!waiting_) {
    waiting_ = m.who;
    return;
  }
  --left_;
  self.send(*waiting_, m);
  waiting_.reset();
}

struct chameneos {
  explicit chameneos(savina_parameters& p)
      : creatures(p.number("creatures", {100, 4'000, 5}, "creatures", 2)),
        meetings(p.number("meetings", {200'000, 800'000, 100}, "meetings")) {}

  std::uint64_t run(tact::engine& engine) {
    const auto at = engine.spawn<mall>(meetings, creatures, &sum);
    for (std::uint64_t i = 0; i < creatures; ++i) {
      engine.send(engine.spawn<creature>(at, static_cast<colour>(i % 3)), start{});
    }
    engine.wait_finished();
    return 4 * meetings + 4 * creatures;
  }
  void check(program& p, const tact::statistics& s) const {
    p.check_equal(sum, 2 * meetings, "meetings of all creatures");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t creatures;
  std::uint64_t meetings;
  std::uint64_t sum = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::chameneos>(argc, argv, "Chameneos: creatures meet in pairs (Savina 06).");
}
