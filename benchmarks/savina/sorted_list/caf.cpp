// Sorted list on CAF.
#include "savina/caf.hpp"
#include "savina/sorted_list/linked_list.hpp"

namespace bench {
namespace {

using write = caf::atom_constant<caf::atom("write")>;
using contains = caf::atom_constant<caf::atom("contains")>;
using size = caf::atom_constant<caf::atom("size")>;
using start = caf::atom_constant<caf::atom("start")>;
using work_ended = caf::atom_constant<caf::atom("ended")>;

class sorted_list : public caf::event_based_actor {
 public:
  sorted_list(caf::actor_config& config, const list_setting& s, list_contents& at_end)
      : event_based_actor(config), at_end_(&at_end) {
    values_.fill(s.filled);
  }
  caf::behavior make_behavior() override {
    return {
        [this](write, std::int32_t value) {
          values_.insert(value);
          return value;
        },
        [this](contains, std::int32_t value) { return std::int32_t{values_.contains(value)}; },
        [this](size) { return values_.size(); },
        [this](work_ended) {
          *at_end_ = values_.contents();
          quit();
        },
    };
  }

 private:
  linked_list values_;
  list_contents* at_end_;
};

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, caf::actor of, std::uint64_t workers)
      : event_based_actor(config), list_(std::move(of)), left_(workers) {}
  caf::behavior make_behavior() override {
    return {[this](work_ended) {
      if (--left_ != 0) return;
      send(list_, work_ended::value);
      quit();
    }};
  }

 private:
  caf::actor list_;
  std::uint64_t left_;
};

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, const list_client& mine, caf::actor asked, caf::actor end, list_record& record)
      : event_based_actor(config), mine_(mine), list_(std::move(asked)), master_(std::move(end)), record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::int32_t answer) {
          mine_.hear(answer);
          go_on();
        },
        [this](start) { go_on(); },
    };
  }

 private:
  void go_on() {
    if (!mine_.next()) {
      *record_ = mine_.record();
      send(master_, work_ended::value);
      return quit();
    }
    switch (mine_.asked()) {
      case list_request::write:
        return send(list_, write::value, mine_.value());
      case list_request::contains:
        return send(list_, contains::value, mine_.value());
      case list_request::size:
        return send(list_, size::value);
    }
  }

  list_client mine_;
  caf::actor list_;
  caf::actor master_;
  list_record* record_;
};

struct sorting {
  explicit sorting(savina_parameters& p) : setting(p), records(setting.workers) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto asked = system.spawn<sorted_list>(std::cref(setting), std::ref(contents));
      const auto end = system.spawn<master>(asked, setting.workers);
      for (std::uint64_t i = 0; i < setting.workers; ++i) {
        const auto one = system.spawn<worker>(list_client(setting, i), asked, end, std::ref(records[i]));
        caf::anon_send(one, start::value);
      }
    }
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { check_list(p, setting, records, contents); }

  list_setting setting;
  std::vector<list_record> records;
  list_contents contents;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::sorting>(argc, argv,
                                            "Sorted list: many look into one list, some insert (Savina 09).");
}
