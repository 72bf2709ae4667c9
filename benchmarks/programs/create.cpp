// Create: one actor makes others, batch by batch; each gets one message, and ends.
#include "programs/engine.hpp"

namespace bench {
namespace {

struct next_batch {
  std::uint64_t left;
};
struct once {
  std::uint64_t number;
};

class short_lived : public tact::actor<short_lived, once> {
 public:
  tact::allocation receive(tact::self<short_lived>&, const once&) { return tact::allocation::delete_; }
};

struct one_message : tact::protocol<once> {};
tact::behavior<one_message> open_short_lived() {
  return [](tact::self<one_message>& self, const once&) { self.stop(); };
}

enum class kind : unsigned char { classic, parallel, ordered };

class maker : public tact::actor<maker, next_batch> {
 public:
  maker(std::uint64_t batch, kind which) : batch_(batch), which_(which) {}
  tact::allocation receive(tact::self<maker>& self, const next_batch& m) {
    for (std::uint64_t i = 0; i < batch_; ++i) {
      const once message{made++};
      switch (which_) {
        case kind::classic:
          self.send(self.spawn<short_lived>(), message);
          break;
        case kind::parallel:
          self.send(self.create(open_short_lived(), tact::parallel), message);
          break;
        case kind::ordered:
          self.send(self.create(open_short_lived()), message);
      }
    }
    if (m.left == 1) return tact::allocation::finished;
    self.send(self.ref(), next_batch{m.left - 1});
    return tact::allocation::nodelete;
  }
  std::uint64_t made = 0;

 private:
  std::uint64_t batch_;
  kind which_;
};

int run(program& p) {
  const auto variant = p.choice("variant", {"classic", "transactional", "ordered"}, "the actors that are made");
  const auto batch = p.number("batch", 1000, 10, "actors made by one message");
  const auto batches = p.number("batches", 10'000, 100, "times that it does so");
  const auto options = read_engine_options(p);
  p.ready();

  const auto which = variant == "classic" ? kind::classic : variant == "ordered" ? kind::ordered : kind::parallel;
  maker makes(batch, which);
  tact::engine engine(options);
  const auto to = engine.attach(makes);

  stopwatch watch;
  engine.send(to, next_batch{batches});
  engine.wait_finished();
  watch.stop();

  const std::uint64_t actors = batch * batches;
  p.check_equal(makes.made, actors, "actors made");
  p.check_equal(engine.statistics().actors_created, actors + 1, "actors created");
  p.check_equal(engine.statistics().actors_alive, 0, "actors alive at the end");
  check_engine(p, engine, actors + batches);
  return p.report(watch, actors);
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Create: one actor makes others; each gets one message, and ends.", bench::tact_runtime);
  return bench::run(p);
}
