// Thread ring: a token goes round, and each actor counts its own rounds and ends after the last one. Reactors. Unlike
// Savina's, in which the token counts, and another message ends the actors.
#include <vector>

#include "savina/tact.hpp"

namespace bench {
namespace {

struct token {
  std::uint64_t value;
};
inline constexpr std::uint64_t token_value = 7;

// What one actor did.
struct ring_record {
  std::uint64_t tokens = 0;
  std::uint64_t others = 0;  // with another value
};

class member : public tact::actor<member, token> {
 public:
  member(const tact::ref<token>& next, std::uint64_t rounds, ring_record& record)
      : next_(&next), left_(rounds), record_(&record) {}
  // The last one hands on to an actor that has ended: a dead letter, as it is meant.
  tact::allocation receive(tact::self<member>& self, const token& m) {
    ++own_.tokens;
    own_.others += m.value != token_value;
    self.send(*next_, m);
    if (--left_ != 0) return tact::allocation::nodelete;
    *record_ = own_;
    return tact::allocation::delete_;
  }

 private:
  const tact::ref<token>* next_;
  std::uint64_t left_;
  ring_record own_;
  ring_record* record_;
};

struct thread_ring {
  explicit thread_ring(savina_parameters& p)
      : hops(p.number("hops", {25'000, 250'000, 1'003}, "times that the token is handed on")),
        records(p.number("actors", {1'000, 1'000, 10}, "actors of the ring", 2)) {
    p.of().require(hops >= records.size(), "--hops is at least --actors: the token goes round once or more");
  }
  [[nodiscard]] std::uint64_t rounds() const { return hops / records.size(); }

  std::uint64_t run(tact::engine& engine) {
    std::vector<tact::ref<token>> ring(records.size());
    for (std::size_t i = 0; i < ring.size(); ++i) {
      ring[i] = engine.spawn<member>(ring[(i + 1) % ring.size()], rounds(), records[i]);
    }
    engine.send(ring[0], token{token_value});
    engine.wait_finished();
    return rounds() * ring.size();
  }
  void check(program& p, const tact::statistics& s) const {
    for (const auto& r : records) {
      p.check_equal(r.tokens, rounds(), "tokens of an actor");
      p.check_equal(r.others, 0, "tokens with another value");
    }
    p.check_equal(s.dead_letters, 1, "dead letters");
  }

  std::uint64_t hops;
  std::vector<ring_record> records;
};

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  return bench::main_on_tact<bench::thread_ring>(argc, argv, "Thread ring: a token goes round a ring (Reactors).");
}
