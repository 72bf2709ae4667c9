// The logistic map on CAF.
#include <deque>
#include <variant>
#include <vector>

#include "savina/caf.hpp"
#include "savina/logistic_map/series.hpp"

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using compute = caf::atom_constant<caf::atom("compute")>;
using result = caf::atom_constant<caf::atom("result")>;
using step = caf::atom_constant<caf::atom("step")>;
using tell = caf::atom_constant<caf::atom("tell")>;
using stop = caf::atom_constant<caf::atom("stop")>;

class computer : public caf::event_based_actor {
 public:
  computer(caf::actor_config& config, double rate) : event_based_actor(config), rate_(rate) {}
  caf::behavior make_behavior() override {
    return {
        [this](compute, const caf::actor& customer, double x) { send(customer, result::value, next_term(rate_, x)); },
        [this](stop) { quit(); },
    };
  }

 private:
  double rate_;
};

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, caf::actor by, logistic_record& record)
      : event_based_actor(config), computer_(std::move(by)), record_(&record), now_(record) {}
  caf::behavior make_behavior() override {
    return {
        [this](step) { handle_in_turn(one_step{}); },
        [this](tell, const caf::actor& customer) { handle_in_turn(customer); },
        [this](result, double x) {
          now_ = {now_.terms + 1, x};
          waits_ = false;
          while (!waits_ && !later_.empty()) {
            std::visit([this](const auto& order) { handle(order); }, later_.front());
            later_.pop_front();
          }
        },
        [this](stop) {
          *record_ = now_;
          quit();
        },
    };
  }

 private:
  struct one_step {};

  template <class Order>
  void handle_in_turn(const Order& order) {
    if (waits_) {
      later_.emplace_back(order);
    } else {
      handle(order);
    }
  }
  void handle(one_step) {
    waits_ = true;
    send(computer_, compute::value, caf::actor(this), now_.last);
  }
  void handle(const caf::actor& customer) { send(customer, result::value, now_.last); }

  caf::actor computer_;
  logistic_record* record_;
  logistic_record now_;
  bool waits_ = false;
  std::deque<std::variant<one_step, caf::actor>> later_;
};

struct pair {
  caf::actor by;
  caf::actor to;
};

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, std::vector<pair> all, std::uint64_t terms, double* sum)
      : event_based_actor(config), all_(std::move(all)), terms_(terms), left_(all_.size()), sum_(sum) {}
  caf::behavior make_behavior() override {
    return {
        [this](start) {
          for (std::uint64_t t = 0; t < terms_; ++t) {
            for (const auto& p : all_) send(p.to, step::value);
          }
          for (const auto& p : all_) send(p.to, tell::value, caf::actor(this));
        },
        [this](result, double x) {
          *sum_ += x;
          if (--left_ != 0) return;
          for (const auto& p : all_) {
            send(p.by, stop::value);
            send(p.to, stop::value);
          }
          quit();
        },
    };
  }

 private:
  std::vector<pair> all_;
  std::uint64_t terms_;
  std::uint64_t left_;
  double* sum_;
};

struct logistic_map {
  explicit logistic_map(savina_parameters& p) : setting(p), records(setting.beginnings()) {}

  std::uint64_t run(caf::actor_system& system) {
    std::vector<pair> all;
    for (std::uint64_t i = 0; i < records.size(); ++i) {
      const auto by = system.spawn<computer>(logistic_rate(i));
      all.push_back({by, system.spawn<worker>(by, std::ref(records[i]))});
    }
    caf::anon_send(system.spawn<master>(std::move(all), setting.terms, &sum), start::value);
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { check_logistic_map(p, setting, records, sum); }

  logistic_setting setting;
  std::vector<logistic_record> records;
  double sum = 0;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::logistic_map>(argc, argv, "The logistic map, term by term (Savina 14).");
}
