// Matrix Search on tact.
#include "programs/matrix_search.hpp"

#include <memory>
#include <string>
#include <vector>

#include "programs/engine.hpp"

namespace bench {
namespace {

// A word goes by its number: all know the list.
struct search {
  std::uint64_t word;
};
struct quit {};
struct found {
  std::uint64_t seeker;  // of its controller, from 0
  std::uint64_t word;
  std::uint32_t findings;
};
struct searchable : tact::protocol<search, quit> {};

// What all know.
struct board {
  const search_setting& setting;
  const recount& expected;
};

// Makes its matrix at its first search, on the worker that runs it.
class seeker : public tact::actor<seeker, searchable> {
 public:
  seeker(const board& all, tact::ref<found> controller, std::uint64_t number)
      : all_(&all), controller_(controller), number_(number) {}
  void receive(tact::self<seeker>& self, const search& m) {
    if (matrix_ == nullptr) matrix_ = std::make_unique<letter_matrix>(all_->setting, all_->expected, number_);
    self.send(controller_, found{number_ % all_->setting.seekers, m.word, matrix_->count(m.word)});
  }
  tact::allocation receive(tact::self<seeker>&, const quit&) { return tact::allocation::delete_; }

 private:
  const board* all_;
  tact::ref<found> controller_;
  std::uint64_t number_;  // among all seekers
  std::unique_ptr<letter_matrix> matrix_;
};

// The same as a parallel actor, which any worker may run at each message: where a message goes is then the sender's
// choice. It becomes once, when it has its matrix.
tact::behavior<searchable> seek_in(std::shared_ptr<const letter_matrix> matrix, tact::ref<found> controller,
                                   std::uint64_t place) {
  return {
      [=](tact::self<searchable>& self, const search& m) {
        self.send(controller, found{place, m.word, matrix->count(m.word)});
      },
      [](tact::self<searchable>& self, const quit&) { self.stop(); },
  };
}
tact::behavior<searchable> begin_to_seek(const board& all, tact::ref<found> controller, std::uint64_t number) {
  return {
      [&all, controller, number](tact::self<searchable>& self, const search& m) {
        const auto matrix = std::make_shared<const letter_matrix>(all.setting, all.expected, number);
        const std::uint64_t place = number % all.setting.seekers;
        self.send(controller, found{place, m.word, matrix->count(m.word)});
        self.become(seek_in(matrix, controller, place));
      },
      [](tact::self<searchable>& self, const quit&) { self.stop(); },
  };
}

struct start {};

class controller : public tact::actor<controller, start, found> {
 public:
  controller(search_desk& desk, const std::vector<tact::ref<searchable>>& seekers, bool spreads)
      : desk_(&desk), seekers_(&seekers), spreads_(spreads) {}
  void receive(tact::self<controller>& self, const start&);
  tact::allocation receive(tact::self<controller>& self, const found& m);

 private:
  auto asking(tact::self<controller>& self) {
    return [&self, this](std::uint64_t seeker, std::uint64_t word) {
      const auto to = (*seekers_)[seeker];
      spreads_ ? self.send(to, search{word}, tact::spread) : self.send(to, search{word});
    };
  }

  search_desk* desk_;
  const std::vector<tact::ref<searchable>>* seekers_;
  bool spreads_;
};

void controller::receive(tact::self<controller>& self, const start&) { desk_->begin(asking(self)); }
tact::allocation controller::receive(tact::self<controller>& self, const found& m) {
  if (!desk_->hear(m.seeker, m.word, m.findings, asking(self))) return tact::allocation::nodelete;
  for (const auto s : *seekers_) self.send(s, quit{});
  return tact::allocation::delete_;
}

// Where a search is run. A classic actor has a home for life, a shard that goes to another worker only when it is
// stolen: so with classic seekers there is no other choice than this home, one of the ordinary shards or one that the
// seeker has for itself (heavy). That a seeker is woken where its controller runs, as in CAF, or on each worker in
// turn, can be said of parallel actors only. They are given round over the workers too, but it does not bind them.
class placing {
 public:
  explicit placing(program& p)
      : word_(p.choice("placing", {"home", "heavy", "local", "round_robin"},
                       "where a search is run: at the seeker's home, of its own with heavy; by a parallel seeker, "
                       "where its controller runs, or on each worker in turn")) {}
  [[nodiscard]] bool is_heavy() const { return word_ == "heavy"; }
  [[nodiscard]] bool is_parallel() const { return word_ == "local" || word_ == "round_robin"; }
  [[nodiscard]] bool spreads() const { return word_ == "round_robin"; }

  [[nodiscard]] tact::ref<searchable> make_seeker(tact::engine& engine, const board& all, tact::ref<found> controller,
                                                  std::uint64_t number) const {
    if (is_parallel()) return engine.create(begin_to_seek(all, controller, number), tact::parallel);
    if (is_heavy()) return engine.spawn<seeker>(tact::heavy, all, controller, number);
    return engine.spawn<seeker>(all, controller, number);
  }

 private:
  std::string word_;
};

// One run, from the making of its actors to their end.
class search_run {
 public:
  search_run(const board& all, const placing& where)
      : desks_(all.setting.controllers, search_desk(all.setting)), all_(all), where_(where), seekers_(desks_.size()) {}
  void make_actors(tact::engine& engine) {
    for (std::uint64_t c = 0; c < desks_.size(); ++c) {
      controllers_.push_back(engine.spawn<controller>(desks_[c], seekers_[c], where_.spreads()));
      for (std::uint64_t s = 0; s < all_.setting.seekers; ++s) {
        const std::uint64_t number = c * all_.setting.seekers + s;
        seekers_[c].push_back(where_.make_seeker(engine, all_, controllers_[c], number));
      }
    }
  }
  void search_all(tact::engine& engine) {
    for (const auto c : controllers_) engine.send(c, start{});
    engine.wait_finished();
  }
  void check(program& p, const tact::engine& engine) const {
    check_search(p, all_.setting, all_.expected, desks_);
    check_engine(p, engine, all_.setting.messages());
  }

 private:
  std::vector<search_desk> desks_;
  const board& all_;
  const placing& where_;
  std::vector<tact::ref<controller>> controllers_;
  std::vector<std::vector<tact::ref<searchable>>> seekers_;
};

int run(program& p) {
  const search_setting setting(p);
  const placing where(p);
  const auto seeds = p.number("seeds", 0, 0, "instead: so many simulations, each with a seed of its own", 0);
  auto options = read_engine_options(p);
  if (where.is_heavy()) options.heavy_shards = static_cast<unsigned>(setting.all_seekers());
  p.ready();
  const recount expected(setting);
  const board all{setting, expected};
  p.say("findings", std::to_string(expected.total()));

  stopwatch watch;
  if (seeds == 0) {
    search_run one(all, where);
    tact::engine engine(options);
    one.make_actors(engine);
    watch = {};
    one.search_all(engine);
    watch.stop();
    say_exchange(p, engine);
    one.check(p, engine);
  }
  for (std::uint64_t seed = 1; seed <= seeds; ++seed) {
    search_run one(all, where);
    tact::simulation sim(seed);
    one.make_actors(sim.engine(options));
    one.search_all(sim.engine());
    one.check(p, sim.engine());
    sim.end();
    p.check(sim.failure().empty(), sim.failure().c_str());
  }
  if (seeds != 0) watch.stop();
  return p.report(watch, setting.messages() * std::max<std::uint64_t>(seeds, 1));
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Matrix Search: seekers look for words, which a controller hands out.",
                   bench::tact_runtime);
  return bench::run(p);
}
