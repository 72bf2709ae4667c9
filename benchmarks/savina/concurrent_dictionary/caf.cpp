// Concurrent dictionary on CAF.
#include <unordered_map>

#include "savina/caf.hpp"
#include "savina/concurrent_dictionary/workload.hpp"

namespace bench {
namespace {

using write = caf::atom_constant<caf::atom("write")>;
using read = caf::atom_constant<caf::atom("read")>;
using start = caf::atom_constant<caf::atom("start")>;
using work_ended = caf::atom_constant<caf::atom("ended")>;

class dictionary : public caf::event_based_actor {
 public:
  dictionary(caf::actor_config& config, const dictionary_setting& s, dictionary_contents& at_end)
      : event_based_actor(config), at_end_(&at_end) {
    s.fill([this](dictionary_entry e) { values_[e.key] = e.value; });
  }
  caf::behavior make_behavior() override {
    return {
        [this](write, std::int32_t key, std::int32_t value) { return values_[key] = value; },
        [this](read, std::int32_t key) {
          const auto found = values_.find(key);
          return found == values_.end() ? no_value : found->second;
        },
        [this](work_ended) {
          for (const auto& [key, value] : values_) at_end_->push_back({key, value});
          quit();
        },
    };
  }

 private:
  std::unordered_map<std::int32_t, std::int32_t> values_;
  dictionary_contents* at_end_;
};

class master : public caf::event_based_actor {
 public:
  master(caf::actor_config& config, caf::actor of, std::uint64_t workers)
      : event_based_actor(config), dictionary_(std::move(of)), left_(workers) {}
  caf::behavior make_behavior() override {
    return {[this](work_ended) {
      if (--left_ != 0) return;
      send(dictionary_, work_ended::value);
      quit();
    }};
  }

 private:
  caf::actor dictionary_;
  std::uint64_t left_;
};

class worker : public caf::event_based_actor {
 public:
  worker(caf::actor_config& config, const dictionary_client& mine, caf::actor asked, caf::actor end,
         dictionary_record& record)
      : event_based_actor(config),
        mine_(mine),
        dictionary_(std::move(asked)),
        master_(std::move(end)),
        record_(&record) {}
  caf::behavior make_behavior() override {
    return {
        [this](std::int32_t value) {
          mine_.hear(value);
          go_on();
        },
        [this](start) { go_on(); },
    };
  }

 private:
  void go_on() {
    const dictionary_request* next = mine_.next();
    if (next == nullptr) {
      *record_ = mine_.record();
      send(master_, work_ended::value);
      quit();
    } else if (next->writes) {
      send(dictionary_, write::value, next->entry.key, next->entry.value);
    } else {
      send(dictionary_, read::value, next->entry.key);
    }
  }

  dictionary_client mine_;
  caf::actor dictionary_;
  caf::actor master_;
  dictionary_record* record_;
};

struct concurrent_dictionary {
  explicit concurrent_dictionary(savina_parameters& p) : setting(p), records(setting.workers) {}

  std::uint64_t run(caf::actor_system& system) {
    {
      const auto asked = system.spawn<dictionary>(std::cref(setting), std::ref(contents));
      const auto end = system.spawn<master>(asked, setting.workers);
      for (std::uint64_t i = 0; i < setting.workers; ++i) {
        const auto one = system.spawn<worker>(dictionary_client(setting, i), asked, end, std::ref(records[i]));
        caf::anon_send(one, start::value);
      }
    }
    system.await_all_actors_done();
    return setting.messages();
  }
  void check(program& p) const { check_dictionary(p, setting, records, contents); }

  dictionary_setting setting;
  std::vector<dictionary_record> records;
  dictionary_contents contents;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_caf<bench::concurrent_dictionary>(
      argc, argv, "Concurrent dictionary: many read from it, and some write (Savina 08).");
}
