// Concurrent dictionary: workers read from one dictionary and write to it, one request after the other. Savina 08. The
// dictionary is classic, a hash table; or transactional: then a write becomes, a read does not, and several workers
// read at once. What it becomes is an immutable tree that shares with the one before it all but one path: to copy a
// whole table for each write would take longer than all the reads in between.
#include <unordered_map>

#include "savina/clients.hpp"
#include "savina/concurrent_dictionary/radix_tree.hpp"
#include "savina/tact.hpp"

namespace bench {
namespace {

struct write {
  using reply = result;
  dictionary_entry entry;
};
struct read {
  using reply = result;
  std::int32_t key;
};
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

struct dictionary_requests : dictionary_client {
  using dictionary_client::dictionary_client;
  template <class Self>
  bool ask(Self& self, tact::ref<dictionary> asked) {
    const dictionary_request* m = next();
    if (m == nullptr) return false;
    if (m->writes) {
      self.send(asked, tact::request<write>{self.ref(), {m->entry}});
    } else {
      self.send(asked, tact::request<read>{self.ref(), {m->entry.key}});
    }
    return true;
  }
};

struct concurrent_dictionary {
  explicit concurrent_dictionary(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the dictionary") == "classic"),
        setting(p),
        records(setting.workers) {}

  std::uint64_t run(tact::engine& engine) {
    const tact::ref<dictionary> asked = classic ? tact::ref<dictionary>(engine.spawn<hash_table>(setting, contents))
                                                : engine.create(open_dictionary(setting, contents), tact::parallel);
    begin_clients(engine, asked, records, [this](std::uint64_t i) { return dictionary_requests(setting, i); });
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
