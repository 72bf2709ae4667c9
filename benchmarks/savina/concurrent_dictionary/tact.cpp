// Concurrent dictionary: workers read from one dictionary and write to it, one request after the other. Savina 08. The
// dictionary is classic, a hash table; or transactional: then a write becomes, a read does not, and several workers
// read at once. What it becomes is an immutable tree that shares with the one before it all but one path: to copy a
// whole table for each write would take longer than all the reads in between.
#include <unordered_map>

#include "savina/concurrent_dictionary/radix_tree.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct result {
  std::int32_t value;
};
struct write {
  using reply = result;
  dictionary_entry entry;
};
struct read {
  using reply = result;
  std::int32_t key;
};
struct work_ended {};
struct dictionary : tact::protocol<tact::request<write>, tact::request<read>, work_ended> {};

class hash_table : public tact::actor<hash_table, dictionary> {
 public:
  hash_table(const dictionary_setting& s, dictionary_contents& at_end) : at_end_(&at_end) {
    s.fill([this](dictionary_entry e) { values_[e.key] = e.value; });
  }
  void receive(tact::self<hash_table>& self, const tact::request<write>& m) {
    values_[m.body.entry.key] = m.body.entry.value;
    self.reply(m, result{m.body.entry.value});
  }
  void receive(tact::self<hash_table>& self, const tact::request<read>& m) {
    const auto found = values_.find(m.body.key);
    self.reply(m, result{found == values_.end() ? no_value : found->second});
  }
  tact::allocation receive(tact::self<hash_table>&, const work_ended&) {
    for (const auto& [key, value] : values_) at_end_->push_back({key, value});
    return tact::allocation::delete_;
  }

 private:
  std::unordered_map<std::int32_t, std::int32_t> values_;
  dictionary_contents* at_end_;
};

tact::behavior<dictionary> open_dictionary(const radix_tree& values, dictionary_contents& at_end) {
  return {
      [values, &at_end](tact::self<dictionary>& self, const tact::request<write>& m) {
        self.become(open_dictionary(values.with(m.body.entry), at_end));
        self.reply(m, result{m.body.entry.value});
      },
      [values](auto& self, const tact::request<read>& m) { self.reply(m, result{values.find(m.body.key)}); },
      [values, &at_end](tact::self<dictionary>& self, const work_ended&) {
        at_end = values.contents();
        self.stop();
      },
  };
}

tact::behavior<dictionary> open_dictionary(const dictionary_setting& s, dictionary_contents& at_end) {
  radix_tree values;
  s.fill([&](dictionary_entry e) { values = values.with(e); });
  return open_dictionary(values, at_end);
}

class master : public tact::actor<master, work_ended> {
 public:
  master(tact::ref<dictionary> of, std::uint64_t workers) : dictionary_(of), left_(workers) {}
  tact::allocation receive(tact::self<master>& self, const work_ended& m) {
    if (--left_ != 0) return tact::allocation::nodelete;
    self.send(dictionary_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<dictionary> dictionary_;
  std::uint64_t left_;
};

struct start {};

class worker : public tact::actor<worker, start, result> {
 public:
  worker(const dictionary_client& mine, tact::ref<dictionary> asked, tact::ref<master> end, dictionary_record& record)
      : mine_(mine), dictionary_(asked), master_(end), record_(&record) {}
  tact::allocation receive(tact::self<worker>& self, const start&) { return go_on(self); }
  tact::allocation receive(tact::self<worker>& self, const result& m) {
    mine_.hear(m.value);
    return go_on(self);
  }

 private:
  tact::allocation go_on(tact::self<worker>& self) {
    const dictionary_request* next = mine_.next();
    if (next == nullptr) {
      *record_ = mine_.record();
      self.send(master_, work_ended{});
      return tact::allocation::delete_;
    }
    if (next->writes) {
      self.send(dictionary_, tact::request<write>{self.ref(), {next->entry}});
    } else {
      self.send(dictionary_, tact::request<read>{self.ref(), {next->entry.key}});
    }
    return tact::allocation::nodelete;
  }

  dictionary_client mine_;
  tact::ref<dictionary> dictionary_;
  tact::ref<master> master_;
  dictionary_record* record_;
};

struct concurrent_dictionary {
  explicit concurrent_dictionary(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the dictionary") == "classic"),
        setting(p),
        records(setting.workers) {}

  std::uint64_t run(tact::engine& engine) {
    const tact::ref<dictionary> asked = classic ? tact::ref<dictionary>(engine.spawn<hash_table>(setting, contents))
                                                : engine.create(open_dictionary(setting, contents), tact::parallel);
    const auto end = engine.spawn<master>(asked, setting.workers);
    for (std::uint64_t i = 0; i < setting.workers; ++i) {
      const auto one = engine.spawn<worker>(dictionary_client(setting, i), asked, end, records[i]);
      engine.send(one, start{});
    }
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_dictionary(p, setting, records, contents);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  dictionary_setting setting;
  std::vector<dictionary_record> records;
  dictionary_contents contents;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::concurrent_dictionary>(
      argc, argv, "Concurrent dictionary: many read from it, and some write (Savina 08).");
}
