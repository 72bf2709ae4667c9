// Big: every actor pings one at random, waits for its pong, and pings the next. Savina 07.
#include <vector>

#include "savina/big/recount.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

class player;
using players = std::vector<tact::ref<player>>;

struct ping {
  std::uint32_t from;
};
struct pong {
  std::uint32_t from;
};
struct start {};
struct over {};
struct has_finished {};

class sink : public tact::actor<sink, has_finished> {
 public:
  explicit sink(const players& all) : all_(&all), left_(all.size()) {}
  tact::allocation receive(tact::self<sink>& self, const has_finished&);

 private:
  const players* all_;
  std::size_t left_;
};

class player : public tact::actor<player, start, ping, pong, over> {
 public:
  player(std::uint32_t number, std::uint64_t pings, const players& all, tact::ref<sink> end, big_record& record)
      : number_(number), left_(pings), dice_(number), all_(&all), sink_(end), record_(&record) {}
  void receive(tact::self<player>& self, const start&) { go_on(self); }
  void receive(tact::self<player>& self, const ping& m) {
    ++record_->pings;
    self.send((*all_)[m.from], pong{number_});
  }
  void receive(tact::self<player>& self, const pong& m) {
    record_->strays += m.from != asked_;
    go_on(self);
  }
  tact::allocation receive(tact::self<player>&, const over&) { return tact::allocation::delete_; }

 private:
  void go_on(tact::self<player>& self) {
    if (left_ == 0) return self.send(sink_, has_finished{});
    --left_;
    asked_ = static_cast<std::uint32_t>(dice_.below(all_->size()));
    self.send((*all_)[asked_], ping{number_});
  }

  std::uint32_t number_;
  std::uint32_t asked_ = 0;
  std::uint64_t left_;
  savina_random dice_;
  const players* all_;
  tact::ref<sink> sink_;
  big_record* record_;
};

tact::allocation sink::receive(tact::self<sink>& self, const has_finished&) {
  if (--left_ != 0) return tact::allocation::nodelete;
  for (const auto to : *all_) self.send(to, over{});
  return tact::allocation::delete_;
}

struct big {
  explicit big(savina_parameters& p)
      : pings(p.number("pings", {20'000, 60'000, 50}, "pings of each actor")),
        records(p.number("actors", {120, 360, 6}, "actors")) {}

  std::uint64_t run(tact::engine& engine) {
    players all(records.size());
    const auto end = engine.spawn<sink>(all);
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = engine.spawn<player>(i, pings, all, end, records[i]);
    for (const auto to : all) engine.send(to, start{});
    engine.wait_finished();
    return all.size() * (2 * pings + 3);
  }
  void check(program& p, const tact::statistics& s) const {
    check_big(p, records, pings);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  std::uint64_t pings;
  std::vector<big_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::big>(argc, argv, "Big: many actors ping each other at random (Savina 07).");
}
