// Repeat on a plain executor.
#include "programs/repeat.hpp"

#include "peers/plain/executor.hpp"

namespace bench {
namespace {

enum note : std::uint32_t { start, number, text, stop };

class server : public plain_executor::actor {
 public:
  void serve(const plain_executor::address& client) { client_ = client; }
  void receive(plain_executor::worker& on, const plain_executor::content& m) override {
    if (m.kind == number) on.send(client_, {.kind = number, .value = 7});
    if (m.kind == text) on.send(client_, {.kind = text, .value = std::bit_cast<std::uint64_t>(repeat_answer)});
    if (m.kind == stop) on.end_one();
  }

 private:
  plain_executor::address client_;
};

class client : public plain_executor::actor {
 public:
  client(const repeat_setting& setting, const std::vector<plain_executor::address>& servers)
      : setting_(setting), servers_(servers) {}

  void serve(const plain_executor::address& self) { self_ = self; }
  void receive(plain_executor::worker& on, const plain_executor::content& m) override {
    if (m.kind == start) {
      for (const auto& to : servers_) {
        on.send(to, {.kind = number});
        on.send(to, {.kind = text});
      }
      return;
    }
    if (m.kind == number) record.hear_number(static_cast<long>(m.value));
    if (m.kind == text) record.hear_text(std::bit_cast<repeat_text>(m.value));
    if (!record.ends_round(setting_)) return;
    if (record.rounds != setting_.rounds) return on.send(self_, {.kind = start});
    for (const auto& to : servers_) on.send(to, {.kind = stop});
    on.end_one();
  }
  repeat_record record;

 private:
  const repeat_setting& setting_;
  const std::vector<plain_executor::address>& servers_;
  plain_executor::address self_;
};

int run(program& p) {
  const repeat_setting setting(p, 200);
  const plain_options options = read_plain_options(p);
  p.ready();

  std::vector<server> servers(setting.servers);
  std::vector<plain_executor::address> all;
  client asks(setting, all);
  plain_executor threads(options, std::uint64_t{setting.servers} + 1);
  for (server& s : servers) all.push_back(threads.place(s));
  const auto to = threads.place(asks);
  for (server& s : servers) s.serve(to);
  asks.serve(to);

  stopwatch watch;
  plain_executor::send(to, {.kind = start});
  threads.wait();
  watch.stop();

  threads.check(p, setting.messages());
  check_repeat(p, setting, asks.record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Repeat: one client asks many servers, round after round.", bench::plain_runtime);
  return bench::run(p);
}
