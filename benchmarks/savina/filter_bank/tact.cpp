// Filter bank: numbers go through several channels of filters at once, and are put together again. Savina 17.
#include "savina/tact.hpp"
#include "savina/filter_bank/filters.hpp"

namespace bench {
namespace {

struct value {
  double of;
};
struct labelled {
  std::uint32_t channel;
  double of;
};
struct collection {
  std::vector<double> of;  // all channels
};
struct over {};
struct values : tact::protocol<value, over> {};

class sink : public tact::actor<sink, values> {
 public:
  explicit sink(bank_result* result) : result_(result) {}
  void receive(tact::self<sink>&, const value& m) { result_->add(m.of); }
  tact::allocation receive(tact::self<sink>&, const over&) { return tact::allocation::delete_; }

 private:
  bank_result* result_;
};

class combiner : public tact::actor<combiner, collection, over> {
 public:
  explicit combiner(tact::ref<values> next) : next_(next) {}
  void receive(tact::self<combiner>& self, const collection& m) {
    double sum = 0;
    for (const double one : m.of) sum += one;
    self.send(next_, value{sum});
  }
  tact::allocation receive(tact::self<combiner>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<values> next_;
};

class integrator : public tact::actor<integrator, labelled, over> {
 public:
  integrator(std::uint64_t channels, tact::ref<combiner> next) : collected_(channels), left_(channels), next_(next) {}
  void receive(tact::self<integrator>& self, const labelled& m) {
    if (auto all = collected_.add(m.channel, m.of)) self.send(next_, collection{std::move(*all)});
  }
  tact::allocation receive(tact::self<integrator>& self, const over& m) {
    if (--left_ != 0) return tact::allocation::nodelete;
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  collector collected_;
  std::uint64_t left_;  // channels that are not over
  tact::ref<combiner> next_;
};

class labeller : public tact::actor<labeller, values> {
 public:
  labeller(std::uint32_t channel, tact::ref<integrator> next) : channel_(channel), next_(next) {}
  void receive(tact::self<labeller>& self, const value& m) { self.send(next_, labelled{channel_, m.of}); }
  tact::allocation receive(tact::self<labeller>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  std::uint32_t channel_;
  tact::ref<integrator> next_;
};

template <class Filter>
class stage : public tact::actor<stage<Filter>, values> {
 public:
  stage(Filter filter, tact::ref<values> next) : filter_(std::move(filter)), next_(next) {}
  void receive(tact::self<stage>& self, const value& m) {
    const std::optional<double> output = filter_.add(m.of);
    if (output) self.send(next_, value{*output});
  }
  tact::allocation receive(tact::self<stage>& self, const over& m) {
    self.send(next_, m);
    return tact::allocation::delete_;
  }

 private:
  Filter filter_;
  tact::ref<values> next_;
};

using banks = std::vector<tact::ref<values>>;

class branches : public tact::actor<branches, values> {
 public:
  explicit branches(banks to) : to_(std::move(to)) {}
  void receive(tact::self<branches>& self, const value& m) {
    for (const auto to : to_) self.send(to, m);
  }
  tact::allocation receive(tact::self<branches>& self, const over& m) {
    for (const auto to : to_) self.send(to, m);
    return tact::allocation::delete_;
  }

 private:
  banks to_;
};

class source;
struct boot {};
struct next {
  tact::ref<source> whose;
};

class producer : public tact::actor<producer, next> {
 public:
  explicit producer(std::uint64_t inputs) : left_(inputs) {}
  tact::allocation receive(tact::self<producer>& self, const next& m);

 private:
  std::uint64_t left_;
};

class source : public tact::actor<source, boot, over> {
 public:
  source(tact::ref<producer> asked, tact::ref<values> to) : asked_(asked), to_(to) {}
  void receive(tact::self<source>& self, const boot&) {
    self.send(to_, value{static_cast<double>(input_)});
    if (++input_ == inputs_period) input_ = 0;
    self.send(asked_, next{self.ref()});
  }
  tact::allocation receive(tact::self<source>& self, const over& m) {
    self.send(to_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<producer> asked_;
  tact::ref<values> to_;
  std::uint64_t input_ = 0;
};

tact::allocation producer::receive(tact::self<producer>& self, const next& m) {
  if (left_ == 0) {
    self.send(m.whose, over{});
    return tact::allocation::delete_;
  }
  --left_;
  self.send(m.whose, boot{});
  return tact::allocation::nodelete;
}

struct filter_bank {
  explicit filter_bank(savina_parameters& p) : setting(ask_for_bank(p)) {}

  std::uint64_t run(tact::engine& engine) {
    const auto end = engine.spawn<integrator>(setting.channels, engine.spawn<combiner>(engine.spawn<sink>(&result)));
    banks all;
    for (std::uint32_t i = 0; i < setting.channels; ++i) all.push_back(open_channel(engine, i, end));
    const auto first = engine.spawn<producer>(setting.inputs);
    engine.send(first, next{engine.spawn<source>(first, engine.spawn<branches>(all))});
    engine.wait_finished();
    return setting.messages();
  }
  tact::ref<values> open_channel(tact::engine& engine, std::uint32_t channel, tact::ref<integrator> end) const {
    tact::ref<values> to = engine.spawn<labeller>(channel, end);
    const auto put_before = [&]<class Filter>(Filter filter) {
      to = engine.spawn<stage<Filter>>(std::move(filter), to);
    };
    put_before(second_window(setting, channel));
    put_before(delay(setting.columns - 1));
    put_before(sampler(setting.columns));
    put_before(first_window(setting, channel));
    put_before(delay(setting.columns - 1));
    put_before(no_filter());  // the bank
    return to;
  }
  void check(program& p, const tact::statistics& s) const {
    check_bank(p, result, setting);
    p.check_equal(s.actors_created, setting.actors(), "actors made");
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bank_setting setting;
  bank_result result;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::filter_bank>(argc, argv, "Filter bank: channels of filters (Savina 17).");
}
