// Thread ring on threads.
#include "programs/thread_ring.hpp"

#include <latch>
#include <vector>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

class node;
struct note {
  enum kind_ : unsigned char { data, ping, exit } kind;
  union {
    node* next;
    std::uint64_t left;
  };
};
using notes = pool<note>;

class node : public notes::actor {
 public:
  explicit node(const thread_ring_setting& setting, std::latch& done) : setting_(setting), done_(done) {}
  void receive(notes& threads, const note& m) override {
    if (m.kind == note::data) {
      next_ = m.next;
    } else if (m.kind == note::ping) {
      ++record.pings;
      record.last_ping = m.left == 0;
      threads.send(*next_,
                   m.left != 0 ? note{note::ping, {.left = m.left - 1}} : note{note::exit, {.left = setting_.actors}});
    } else if (record.exits == 0) {  // later ones reach an actor that has ended
      ++record.exits;
      if (m.left != 0) threads.send(*next_, {note::exit, {.left = m.left - 1}});
      done_.count_down();
    }
  }
  thread_ring_record record;

 private:
  const thread_ring_setting& setting_;
  std::latch& done_;
  node* next_ = nullptr;
};

int run(program& p) {
  const thread_ring_setting setting(p, 10'000'000, 100'000);
  p.ready();

  std::latch done(static_cast<std::ptrdiff_t>(setting.actors));
  std::vector<node> nodes(setting.actors, node(setting, done));
  {
    notes threads(p.threads());
    for (node& n : nodes) threads.place(n);

    stopwatch watch;
    for (std::size_t i = 0; i < nodes.size(); ++i) {
      threads.send(nodes[i], {note::data, {.next = &nodes[(i + 1) % nodes.size()]}});
    }
    threads.send(nodes[0], {note::ping, {.left = setting.hops}});
    done.wait();
    watch.stop();

    check_thread_ring(p, setting, [&](std::size_t i) -> const thread_ring_record& { return nodes[i].record; });
    return p.report(watch, setting.messages());
  }
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Thread ring: a token goes round a ring of actors.", bench::pool_runtime);
  return bench::run(p);
}
