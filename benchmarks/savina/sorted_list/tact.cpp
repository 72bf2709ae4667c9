// Sorted list: workers insert into one list, look for numbers in it, and ask for its length, each of which takes as
// long as the list. Savina 09. The list is classic, and changes in place; or transactional: then an insertion becomes,
// what only looks does not, and several workers look at once.
#include "savina/tact.hpp"
#include "savina/clients.hpp"
#include "savina/sorted_list/linked_list.hpp"
#include "savina/sorted_list/shared_list.hpp"

namespace bench {
namespace {

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

struct list_requests : list_client {
  using list_client::list_client;
  template <class Self>
  bool ask(Self& self, tact::ref<sorted_list> asked) {
    if (!next()) return false;
    switch (this->asked()) {
      case list_request::write:
        self.send(asked, tact::request<write>{self.ref(), {value()}});
        break;
      case list_request::contains:
        self.send(asked, tact::request<contains>{self.ref(), {value()}});
        break;
      case list_request::size:
        self.send(asked, tact::request<size>{self.ref()});
        break;
    }
    return true;
  }
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
    begin_clients(engine, asked, records, [this](std::uint64_t i) { return list_requests(setting, i); });
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
