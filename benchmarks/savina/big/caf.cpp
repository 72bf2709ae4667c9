// Big on CAF.
#include <vector>

#include "savina/big/recount.hpp"
#include "savina/caf.hpp"

namespace bench {
namespace {

using players = std::vector<caf::actor>;

using ping = caf::atom_constant<caf::atom("ping")>;
using pong = caf::atom_constant<caf::atom("pong")>;
using start = caf::atom_constant<caf::atom("start")>;
using over = caf::atom_constant<caf::atom("over")>;
using finished = caf::atom_constant<caf::atom("finished")>;

class sink : public caf::event_based_actor {
 public:
  sink(caf::actor_config& config, const players& all) : event_based_actor(config), all_(&all), left_(all.size()) {}
  caf::behavior make_behavior() override {
    return {[this](finished) {
      if (--left_ != 0) return;
      for (const auto& to : *all_) send(to, over::value);
      quit();
    }};
  }

 private:
  const players* all_;
  std::size_t left_;
};

class player : public caf::event_based_actor {
 public:
  player(caf::actor_config& config, std::uint32_t number, std::uint64_t pings, const players& all, caf::actor end,
         big_record& record)
      : event_based_actor(config),
        number_(number),
        left_(pings),
        dice_(number),
        all_(&all),
        sink_(std::move(end)),
        record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) { go_on(); },
        [this](ping, std::uint32_t from) {
          ++record_->pings;
          send((*all_)[from], pong::value, number_);
        },
        [this](pong, std::uint32_t from) {
          record_->strays += from != asked_;
          go_on();
        },
        [this](over) { quit(); },
    };
  }

 private:
  void go_on() {
    if (left_ == 0) return send(sink_, finished::value);
    --left_;
    asked_ = static_cast<std::uint32_t>(dice_.below(all_->size()));
    send((*all_)[asked_], ping::value, number_);
  }

  std::uint32_t number_;
  std::uint32_t asked_ = 0;
  std::uint64_t left_;
  savina_random dice_;
  const players* all_;
  caf::actor sink_;
  big_record* record_;
};

struct big {
  explicit big(savina_parameters& p)
      : pings(p.number("pings", {20'000, 60'000, 50}, "pings of each actor")),
        records(p.number("actors", {120, 360, 6}, "actors")) {}

  std::uint64_t run(caf::actor_system& system) {
    players all(records.size());
    {
      const auto end = system.spawn<sink>(std::cref(all));
      for (std::uint32_t i = 0; i < all.size(); ++i) {
        all[i] = system.spawn<player>(i, pings, std::cref(all), end, std::ref(records[i]));
      }
    }
    for (const auto& to : all) caf::anon_send(to, start::value);
    system.await_all_actors_done();
    return all.size() * (2 * pings + 3);
  }
  void check(program& p) const { check_big(p, records, pings); }

  std::uint64_t pings;
  std::vector<big_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::big>(argc, argv, "Big: many actors ping each other at random (Savina 07).");
}
