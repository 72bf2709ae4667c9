// Filter bank on CAF.
#include "savina/caf.hpp"
#include "savina/filter_bank/filters.hpp"

namespace bench {
namespace {

using over = caf::atom_constant<caf::atom("over")>;
using boot = caf::atom_constant<caf::atom("boot")>;
using next = caf::atom_constant<caf::atom("next")>;

class sink : public caf::event_based_actor {
 public:
  sink(caf::actor_config& config, bank_result* result) : event_based_actor(config), result_(result) {}
  caf::behavior make_behavior() override {
    return {
        [this](double value) { result_->add(value); },
        [this](over) { quit(); },
    };
  }

 private:
  bank_result* result_;
};

class combiner : public caf::event_based_actor {
 public:
  combiner(caf::actor_config& config, caf::actor to) : event_based_actor(config), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](const std::vector<double>& channels) {
          double sum = 0;
          for (const double one : channels) sum += one;
          send(to_, sum);
        },
        [this](over) {
          send(to_, over::value);
          quit();
        },
    };
  }

 private:
  caf::actor to_;
};

class integrator : public caf::event_based_actor {
 public:
  integrator(caf::actor_config& config, std::uint64_t channels, caf::actor to)
      : event_based_actor(config), collected_(channels), left_(channels), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::uint32_t channel, double value) {
          if (auto all = collected_.add(channel, value)) send(to_, std::move(*all));
        },
        [this](over) {
          if (--left_ != 0) return;
          send(to_, over::value);
          quit();
        },
    };
  }

 private:
  collector collected_;
  std::uint64_t left_;  // channels that are not over
  caf::actor to_;
};

class labeller : public caf::event_based_actor {
 public:
  labeller(caf::actor_config& config, std::uint32_t channel, caf::actor to)
      : event_based_actor(config), channel_(channel), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](double value) { send(to_, channel_, value); },
        [this](over) {
          send(to_, over::value);
          quit();
        },
    };
  }

 private:
  std::uint32_t channel_;
  caf::actor to_;
};

template <class Filter>
class stage : public caf::event_based_actor {
 public:
  stage(caf::actor_config& config, Filter filter, caf::actor to)
      : event_based_actor(config), filter_(std::move(filter)), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](double value) {
          const std::optional<double> output = filter_.add(value);
          if (output) send(to_, *output);
        },
        [this](over) {
          send(to_, over::value);
          quit();
        },
    };
  }

 private:
  Filter filter_;
  caf::actor to_;
};

using banks = std::vector<caf::actor>;

class branches : public caf::event_based_actor {
 public:
  branches(caf::actor_config& config, banks to) : event_based_actor(config), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](double value) {
          for (const auto& to : to_) send(to, value);
        },
        [this](over) {
          for (const auto& to : to_) send(to, over::value);
          quit();
        },
    };
  }

 private:
  banks to_;
};

class producer : public caf::event_based_actor {
 public:
  producer(caf::actor_config& config, std::uint64_t inputs) : event_based_actor(config), left_(inputs) {}
  caf::behavior make_behavior() override {
    return {[this](next, const caf::actor& whose) {
      if (left_ == 0) {
        send(whose, over::value);
        return quit();
      }
      --left_;
      send(whose, boot::value);
    }};
  }

 private:
  std::uint64_t left_;
};

class source : public caf::event_based_actor {
 public:
  source(caf::actor_config& config, caf::actor asked, caf::actor to)
      : event_based_actor(config), asked_(std::move(asked)), to_(std::move(to)) {}
  caf::behavior make_behavior() override {
    return {
        [this](boot) {
          send(to_, static_cast<double>(input_));
          if (++input_ == inputs_period) input_ = 0;
          send(asked_, next::value, caf::actor(this));
        },
        [this](over) {
          send(to_, over::value);
          quit();
        },
    };
  }

 private:
  caf::actor asked_;
  caf::actor to_;
  std::uint64_t input_ = 0;
};

struct filter_bank {
  explicit filter_bank(savina_parameters& p) : setting(ask_for_bank(p)) {}

  std::uint64_t run(caf::actor_system& system) {
    open(system);
    system.await_all_actors_done();
    return setting.messages();
  }
  void open(caf::actor_system& system) {
    const caf::actor end =
        system.spawn<integrator>(setting.channels, system.spawn<combiner>(system.spawn<sink>(&result)));
    banks all;
    for (std::uint32_t i = 0; i < setting.channels; ++i) all.push_back(open_channel(system, i, end));
    const caf::actor first = system.spawn<producer>(setting.inputs);
    caf::anon_send(first, next::value, system.spawn<source>(first, system.spawn<branches>(all)));
  }
  caf::actor open_channel(caf::actor_system& system, std::uint32_t channel, const caf::actor& end) const {
    caf::actor to = system.spawn<labeller>(channel, end);
    const auto put_before = [&]<class Filter>(Filter filter) {
      to = system.spawn<stage<Filter>>(std::move(filter), to);
    };
    put_before(second_window(setting, channel));
    put_before(delay(setting.columns - 1));
    put_before(sampler(setting.columns));
    put_before(first_window(setting, channel));
    put_before(delay(setting.columns - 1));
    put_before(no_filter());  // the bank
    return to;
  }
  void check(program& p) const { check_bank(p, result, setting); }

  bank_setting setting;
  bank_result result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::filter_bank>(argc, argv, "Filter bank: channels of filters (Savina 17).");
}
