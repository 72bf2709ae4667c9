// Repeat on CAF: a server answers by returning a value.
#include "programs/repeat.hpp"

#include <vector>

#include "peers/caf/system.hpp"

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(bench::repeat_text)

namespace bench {
namespace {

using start = caf::atom_constant<caf::atom("start")>;
using stop = caf::atom_constant<caf::atom("stop")>;

class server : public caf::event_based_actor {
 public:
  explicit server(caf::actor_config& config) : event_based_actor(config) {}
  caf::behavior make_behavior() override {
    return {
        [](long) { return 7l; },
        [](const repeat_text&) { return repeat_answer; },
        [this](stop) { quit(); },
    };
  }
};

class client : public caf::event_based_actor {
 public:
  client(caf::actor_config& config, const repeat_setting* setting, const std::vector<caf::actor>* servers,
         repeat_record* record)
      : event_based_actor(config), setting_(setting), servers_(servers), record_(record) {}

  caf::behavior make_behavior() override {
    return {
        [this](long value) {
          record_->hear_number(value);
          go_on();
        },
        [this](const repeat_text& value) {
          record_->hear_text(value);
          go_on();
        },
        [this](start) {
          for (const auto& to : *servers_) {
            send(to, 0l);
            send(to, repeat_text{});
          }
        },
    };
  }

 private:
  void go_on() {
    if (!record_->ends_round(*setting_)) return;
    if (record_->rounds != setting_->rounds) return send(this, start::value);
    for (const auto& to : *servers_) send(to, stop::value);
    quit();
  }

  const repeat_setting* setting_;
  const std::vector<caf::actor>* servers_;
  repeat_record* record_;
};

int run(program& p) {
  const repeat_setting setting(p, 40, 10'000);  // with two threads its time grows by the square of the servers
  caf_options options(p);
  p.ready();

  repeat_record record;
  std::vector<caf::actor> servers;
  caf::actor_system system(options);
  for (std::uint32_t i = 0; i < setting.servers; ++i) servers.push_back(system.spawn<server, caf::lazy_init>());
  const auto to = system.spawn<client>(&setting, &servers, &record);

  stopwatch watch;
  caf::anon_send(to, start::value);
  system.await_all_actors_done();
  watch.stop();

  check_repeat(p, setting, record);
  return p.report(watch, setting.messages());
}

}  // namespace
}  // namespace bench

int main(int argc, char** argv) {
  bench::program p(argc, argv, "Repeat: one client asks many servers, round after round.", bench::caf_runtime());
  return bench::run(p);
}
