// Thread ring: a token goes round a ring of actors, then an exit. Savina 05.
#include "savina/tact.hpp"
#include "savina/thread_ring/ring.hpp"

namespace bench {
namespace {

class member;
struct data {
  tact::ref<member> next;
};
struct token {
  std::uint64_t left;
};
struct exit {
  std::uint64_t left;
};

class member : public tact::actor<member, data, token, exit> {
 public:
  member(std::uint64_t actors, ring_record& record) : actors_(actors), record_(&record) {}
  void receive(tact::self<member>&, const data& m) { next_ = m.next; }
  void receive(tact::self<member>& self, const token& m) {
    ++own_.tokens;
    if (m.left != 0) return self.send(next_, token{m.left - 1});
    own_.last_token = true;
    self.send(next_, exit{actors_});
  }
  // The last exit goes to the actor that was the first to end: a dead letter, as it is meant.
  tact::allocation receive(tact::self<member>& self, const exit& m) {
    if (m.left != 0) self.send(next_, exit{m.left - 1});
    ++own_.exits;
    *record_ = own_;
    return tact::allocation::delete_;
  }

 private:
  std::uint64_t actors_;
  tact::ref<member> next_;
  ring_record own_;
  ring_record* record_;
};

struct thread_ring {
  explicit thread_ring(savina_parameters& p) : setting(p), records(setting.actors) {}

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<member>> ring;
    for (ring_record& r : records) ring.push_back(engine.spawn<member>(setting.actors, r));
    for (std::size_t i = 0; i < ring.size(); ++i) engine.send(ring[i], data{ring[(i + 1) % ring.size()]});
    engine.wait_idle();  // no order is promised between these and a token that comes by way of another actor
    engine.send(ring[0], token{setting.hops});
    engine.wait_finished();
    return setting.messages();
  }
  void check(program& p, const tact::statistics& s) const {
    check_ring(p, setting, records);
    p.check_equal(s.dead_letters, 1, "dead letters");
  }

  ring_setting setting;
  std::vector<ring_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::thread_ring>(argc, argv,
                                                 "Thread ring: a token goes round a ring of actors (Savina 05).");
}
