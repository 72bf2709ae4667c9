// A server that ends when nobody has called it for a while, and cleans up however it ends:
// docs/coming_from_gen_server.md.
#include <chrono>
#include <memory>
#include <string>
#include <tact/tact.hpp>
#include <vector>

namespace {

using namespace std::chrono_literals;

struct store {
  std::string what;
};
struct count {
  using reply = int;
};
struct idle {};
struct shut {};

using log = std::vector<std::string>;

// What must be given back whatever ends the server: an object of its own.
class lock_file {
 public:
  explicit lock_file(log& l) : log_(l) { log_.push_back("locked"); }
  lock_file(const lock_file&) = delete;
  lock_file& operator=(const lock_file&) = delete;
  ~lock_file() { log_.push_back("unlocked"); }

 private:
  log& log_;
};

class server : public tact::actor<server, store, tact::request<count>, idle, shut> {
 public:
  explicit server(log& l) : log_(l), lock_(l) {}

  void receive(tact::self<server>& self, const store& m) {
    kept_.push_back(m.what);
    self.idle_after(1min, idle{});  // {noreply, State, 60000}, from here on
  }
  void receive(tact::self<server>& self, const tact::request<count>& m) {
    self.reply(m, static_cast<int>(kept_.size()));
  }
  void receive(tact::self<server>& self, const idle&) { end(self, "nobody called"); }
  void receive(tact::self<server>& self, const shut&) { end(self, "was shut"); }

 private:
  // terminate(Reason, State), as far as it sends or writes.
  void end(tact::self<server>& self, const std::string& why) {
    log_.push_back(why);
    self.stop();
  }

  log& log_;
  lock_file lock_;
  std::vector<std::string> kept_;
};

}  // namespace

int main() {
  log of_idle, of_shut, of_end;  // before the simulation
  {
    tact::simulation sim(1);
    auto& engine = sim.engine();
    engine.spawn<server>(std::ref(of_idle)) | store{"a"};
    engine.spawn<server>(std::ref(of_shut)) | store{"b"} | shut{};
    engine.spawn<server>(std::ref(of_end));
    sim.advance(2min);
  }
  const bool right = of_idle == log{"locked", "nobody called", "unlocked"} &&
                     of_shut == log{"locked", "was shut", "unlocked"} && of_end == log{"locked", "unlocked"};
  return right ? 0 : 1;
}
