// Sorted list: workers insert into one list, look for numbers in it, and ask for its length, each of which takes as
// long as the list. Savina 09. The list is classic, and changes in place; or transactional: then an insertion becomes,
// what only looks does not, and several workers look at once.
#include "savina/tact.hpp"
#include "savina/sorted_list/linked_list.hpp"
#include "savina/sorted_list/shared_list.hpp"

namespace bench {
namespace {

struct result {
  std::int32_t value;
};
struct write {
  using reply = result;
  std::int32_t value;
};
struct contains {
  using reply = result;
  std::int32_t value;
};
struct size {
  using reply = result;
};
struct work_ended {};
struct sorted_list : tact::protocol<tact::request<write>, tact::request<contains>, tact::request<size>, work_ended> {};

class changing_list : public tact::actor<changing_list, sorted_list> {
 public:
  changing_list(const list_setting& s, list_contents& at_end) : at_end_(&at_end) { values_.fill(s.filled); }
  void receive(tact::self<changing_list>& self, const tact::request<write>& m) {
    values_.insert(m.body.value);
    self.reply(m, result{m.body.value});
  }
  void receive(tact::self<changing_list>& self, const tact::request<contains>& m) {
    self.reply(m, result{values_.contains(m.body.value)});
  }
  void receive(tact::self<changing_list>& self, const tact::request<size>& m) { self.reply(m, result{values_.size()}); }
  tact::allocation receive(tact::self<changing_list>&, const work_ended&) {
    *at_end_ = values_.contents();
    return tact::allocation::delete_;
  }

 private:
  linked_list values_;
  list_contents* at_end_;
};

tact::behavior<sorted_list> open_list(const shared_list& values, list_contents& at_end) {
  return {
      [values, &at_end](tact::self<sorted_list>& self, const tact::request<write>& m) {
        self.become(open_list(values.with(m.body.value), at_end));
        self.reply(m, result{m.body.value});
      },
      [values](auto& self, const tact::request<contains>& m) { self.reply(m, result{values.contains(m.body.value)}); },
      [values](auto& self, const tact::request<size>& m) { self.reply(m, result{values.size()}); },
      [values, &at_end](tact::self<sorted_list>& self, const work_ended&) {
        at_end = values.contents();
        self.stop();
      },
  };
}

class master : public tact::actor<master, work_ended> {
 public:
  master(tact::ref<sorted_list> of, std::uint64_t workers) : list_(of), left_(workers) {}
  tact::allocation receive(tact::self<master>& self, const work_ended& m) {
    if (--left_ != 0) return tact::allocation::nodelete;
    self.send(list_, m);
    return tact::allocation::delete_;
  }

 private:
  tact::ref<sorted_list> list_;
  std::uint64_t left_;
};

struct start {};

class worker : public tact::actor<worker, start, result> {
 public:
  worker(const list_client& mine, tact::ref<sorted_list> asked, tact::ref<master> end, list_record& record)
      : mine_(mine), list_(asked), master_(end), record_(&record) {}
  tact::allocation receive(tact::self<worker>& self, const start&) { return go_on(self); }
  tact::allocation receive(tact::self<worker>& self, const result& m) {
    mine_.hear(m.value);
    return go_on(self);
  }

 private:
  tact::allocation go_on(tact::self<worker>& self) {
    if (!mine_.next()) {
      *record_ = mine_.record();
      self.send(master_, work_ended{});
      return tact::allocation::delete_;
    }
    switch (mine_.asked()) {
      case list_request::write:
        self.send(list_, tact::request<write>{self.ref(), {mine_.value()}});
        break;
      case list_request::contains:
        self.send(list_, tact::request<contains>{self.ref(), {mine_.value()}});
        break;
      case list_request::size:
        self.send(list_, tact::request<size>{self.ref()});
    }
    return tact::allocation::nodelete;
  }

  list_client mine_;
  tact::ref<sorted_list> list_;
  tact::ref<master> master_;
  list_record* record_;
};

struct sorting {
  explicit sorting(savina_parameters& p)
      : classic(p.of().choice("variant", {"classic", "transactional"}, "the list") == "classic"),
        setting(p),
        records(setting.workers) {}

  std::uint64_t run(tact::engine& engine) {
    const tact::ref<sorted_list> asked =
        classic ? tact::ref<sorted_list>(engine.spawn<changing_list>(setting, contents))
                : engine.create(open_list(shared_list::of_first(setting.filled), contents), tact::parallel);
    const auto end = engine.spawn<master>(asked, setting.workers);
    for (std::uint64_t i = 0; i < setting.workers; ++i) {
      engine.send(engine.spawn<worker>(list_client(setting, i), asked, end, records[i]), start{});
    }
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_list(p, setting, records, contents);
    p.check_equal(s.dead_letters, 0, "dead letters");
  }

  bool classic;
  list_setting setting;
  std::vector<list_record> records;
  list_contents contents;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::sorting>(argc, argv,
                                             "Sorted list: many look into one list, some insert (Savina 09).");
}
