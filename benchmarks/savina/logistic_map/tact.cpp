// The logistic map: workers compute one series each, term by term; each term is asked of a computer, and the next one
// not before it is there. Savina 14.
//
// All terms are ordered at the beginning, so a worker keeps its orders itself while it waits. A handler that waits,
// with self.ask(computer, compute{...}), says the same in one line; but there each wait puts aside all that has come so
// far, which is quadratic in the orders.
#include <deque>
#include <variant>
#include <vector>

#include "savina/logistic_map/series.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct start {};
struct result {
  double x;
};
struct compute {
  tact::ref<result> customer;
  double x;
};
struct step {};
struct tell {
  tact::ref<result> customer;
};
struct stop {};

class computer : public tact::actor<computer, compute, stop> {
 public:
  explicit computer(double rate) : rate_(rate) {}
  void receive(tact::self<computer>& self, const compute& m) { self.send(m.customer, result{next_term(rate_, m.x)}); }
  tact::allocation receive(tact::self<computer>&, const stop&) { return tact::allocation::delete_; }

 private:
  double rate_;
};

class worker : public tact::actor<worker, step, tell, result, stop> {
 public:
  worker(tact::ref<computer> by, logistic_record& record) : computer_(by), record_(&record) {}
  void receive(tact::self<worker>& self, const step& m) { handle_in_turn(self, m); }
  void receive(tact::self<worker>& self, const tell& m) { handle_in_turn(self, m); }
  void receive(tact::self<worker>& self, const result& m) {
    now_ = {now_.terms + 1, m.x};
    waits_ = false;
    while (!waits_ && !later_.empty()) {
      std::visit([&](const auto& order) { handle(self, order); }, later_.front());
      later_.pop_front();
    }
  }
  tact::allocation receive(tact::self<worker>&, const stop&) {
    *record_ = now_;
    return tact::allocation::delete_;
  }

 private:
  template <class M>
  void handle_in_turn(tact::self<worker>& self, const M& m) {
    if (waits_) {
      later_.emplace_back(m);
    } else {
      handle(self, m);
    }
  }
  void handle(tact::self<worker>& self, const step&) {
    waits_ = true;
    self.send(computer_, compute{self.ref(), now_.last});
  }
  void handle(tact::self<worker>& self, const tell& m) { self.send(m.customer, result{now_.last}); }

  tact::ref<computer> computer_;
  logistic_record* record_;
  logistic_record now_ = *record_;
  bool waits_ = false;
  std::deque<std::variant<step, tell>> later_;
};

struct pair {
  tact::ref<computer> by;
  tact::ref<worker> to;
};

class master : public tact::actor<master, start, result> {
 public:
  master(std::vector<pair> all, std::uint64_t terms, double* sum)
      : all_(std::move(all)), terms_(terms), left_(all_.size()), sum_(sum) {}
  void receive(tact::self<master>& self, const start&) {
    for (std::uint64_t t = 0; t < terms_; ++t) {
      for (const auto& p : all_) self.send(p.to, step{});
    }
    for (const auto& p : all_) self.send(p.to, tell{self.ref()});
  }
  tact::allocation receive(tact::self<master>& self, const result& m) {
    *sum_ += m.x;
    if (--left_ != 0) return tact::allocation::nodelete;
    for (const auto& p : all_) {
      self.send(p.by, stop{});
      self.send(p.to, stop{});
    }
    return tact::allocation::delete_;
  }

 private:
  std::vector<pair> all_;
  std::uint64_t terms_;
  std::uint64_t left_;
  double* sum_;
};

struct logistic_map {
  explicit logistic_map(savina_parameters& p) : setting(p), records(setting.beginnings()) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<pair> all;
    for (std::uint64_t i = 0; i < records.size(); ++i) {
      const auto by = engine.spawn<computer>(logistic_rate(i));
      all.push_back({by, engine.spawn<worker>(by, records[i])});
    }
    engine.send(engine.spawn<master>(all, setting.terms, &sum), start{});
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_logistic_map(p, setting, records, sum);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  logistic_setting setting;
  std::vector<logistic_record> records;
  double sum = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::logistic_map>(argc, argv, "The logistic map, term by term (Savina 14).");
}
