// Repeat on threads.
#include "programs/repeat.hpp"

#include <latch>

#include "peers/threads/pool.hpp"

namespace bench {
namespace {

struct note {
  enum kind_ : unsigned char { start, number, text, stop } kind;
  union {
    long value;
    repeat_text letters;
  };
};
inline note number_note(long value) { return {.kind = note::number, .value = value}; }
inline note text_note(const repeat_text& letters) { return {.kind = note::text, .letters = letters}; }

using notes = pool<note>;

class server : public notes::actor {
 public:
  void serve(notes::actor& client, std::latch& done) {
    client_ = &client;
    done_ = &done;
  }
  void receive(notes& threads, const note& m) override {
    if (m.kind == note::number) threads.send(*client_, number_note(7));
    if (m.kind == note::text) threads.send(*client_, text_note(repeat_answer));
    if (m.kind == note::stop) done_->count_down();
  }

 private:
  notes::actor* client_ = nullptr;
  std::latch* done_ = nullptr;
};

class client : public notes::actor {
 public:
  client(const repeat_setting& setting, std::vector<server>& servers, std::latch& done)
      : setting_(setting), servers_(servers), done_(done) {}

  void receive(notes& threads, const note& m) override {
    if (m.kind == note::start) {
      for (server& to : servers_) {
        threads.send(to, number_note(0));
        threads.send(to, text_note({}));
      }
      return;
    }
    if (m.kind == note::number) record.hear_number(m.value);
    if (m.kind == note::text) record.hear_text(m.letters);
    if (!record.ends_round(setting_)) return;
    if (record.rounds != setting_.rounds) return threads.send(*this, {.kind = note::start, .value = 0});
    for (server& to : servers_) threads.send(to, {.kind = note::stop, .value = 0});
    done_.count_down();
  }
  repeat_record record;

 private:
  const repeat_setting& setting_;
  std::vector<server>& servers_;
  std::latch& done_;
};

int run(program& p) {
  const repeat_setting setting(p, 40);
  p.ready();

  std::vector<server> servers(setting.servers);
  std::latch done(setting.servers + 1);
  client asks(setting, servers, done);
  notes threads(p.threads());
  for (server& s : servers) {
    s.serve(asks, done);
    threads.place(s);
  }
  threads.place(asks);

  stopwatch watch;
  threads.send(asks, {.kind = note::start, .value = 0});
  done.wait();
  watch.stop();

  check_repeat(p, setting, asks.record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Repeat: one client asks many servers, round after round.", bench::pool_runtime);
  return bench::run(p);
}
