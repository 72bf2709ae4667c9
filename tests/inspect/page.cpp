// Writes the page of a run for page_test.py and tests/web/page_test.js: page KIND SEED FILE MOST. Beside it lie
// FILE.trace, what simulation::trace() says of the same run where nothing is recorded, and FILE.recorded, what a
// recorder keeps of it.
#include <chrono>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>

#include "tact/inspect/recorder.hpp"
#include "tact/inspect/run_page.hpp"
#include "tact/tact.hpp"

namespace {

// Texts that would break a page which took them for its own.
constexpr const char* odd = "\"</script><script>throw 1</script>\" & '<b>' \\ \xff \x01 -->";

struct hop {
  unsigned luck;
  unsigned left;
};
std::ostream& operator<<(std::ostream& out, const hop& m) { return out << m.left << ' ' << odd; }
struct mortal : tact::protocol<hop, tact::poison_pill> {};
struct question {
  using reply = int;
};

// Sends on, creates, becomes, asks, ends, or throws: as the message says.
tact::behavior<hop> wanderer(tact::ref<tact::request<question>> asked) {
  return [=](auto& self, const hop& m) {
    const unsigned next = m.luck * 1664525U + 1013904223U;
    if (m.left != 0) self.send(self.ref(), hop{next, m.left - 1});
    if (m.luck % 4 == 0) self.note(odd);
    if (m.luck % 5 == 0) static_cast<void>(self.ask(asked, question{}));
    if (m.luck % 7 == 0 && m.left != 0) self.send(self.create(wanderer(asked)), hop{next / 3, m.left / 2});
    if (m.luck % 2 == 0) self.become(wanderer(asked));
    if (m.luck % 11 == 0) throw std::runtime_error(odd);
  };
}

using began = std::function<void(tact::engine&)>;
using program = std::function<void(tact::simulation&, const began&)>;

void wander(tact::simulation& sim, unsigned left, bool fails, const began& then) {
  sim.show_messages<hop>();
  tact::engine& engine = sim.engine();
  then(engine);
  const auto asked = engine.create(
      tact::behavior<tact::request<question>>([](auto& self, const tact::request<question>& m) { self.reply(m, 1); }));
  const auto all = engine.create(wanderer(asked), tact::parallel);
  const auto gone = engine.create(tact::behavior<mortal>([](auto&, const hop&) {}));
  engine.send(gone, tact::poison_pill{});
  engine.send(gone, hop{});
  engine.wait_idle();
  engine.send(gone, hop{});
  sim.start_thread([&] {
    for (unsigned n = 0; n < 3; ++n) engine.send(all, hop{n, left});
  });
  for (unsigned n = 3; n < 9; ++n) engine.send(all, hop{n, left});
  engine.send_after(std::chrono::seconds(2), all, hop{9, 3});
  sim.advance(std::chrono::seconds(3));
  engine.wait_idle();
  sim.check(!fails, odd);
}

// The steps that a recorder keeps of the same run, each as thread, step, outcome, message type, undone.
void write_recorded(std::ostream& to, unsigned seed, const program& run) {
  tact::simulation sim(seed);
  std::optional<tact::inspect::recorder> recorder;
  run(sim, [&](tact::engine& e) { recorder.emplace(e, tact::inspect::recorder_options{.bytes_per_thread = 1 << 24}); });
  const auto trace = recorder->read();
  for (const tact::inspect::event& e : trace.events()) {
    to << trace.threads()[e.thread] << '\t' << static_cast<int>(e.what) << '\t' << static_cast<int>(e.how) << '\t'
       << e.message_type << '\t' << e.is_undone << '\n';
  }
}

int write(const std::string& kind, unsigned seed, const std::string& file, std::size_t most) {
  const std::map<std::string, std::pair<unsigned, bool>> kinds{
      {"failing", {6, true}}, {"fine", {6, false}}, {"long", {200, true}}};
  const auto& [left, fails] = kinds.at(kind);
  const program wanders = [&](tact::simulation& sim, const began& then) { wander(sim, left, fails, then); };
  std::ofstream page(file, std::ios::binary);
  const auto what = tact::inspect::write_page(
      page, {.seed = seed}, [&](tact::simulation& sim) { wanders(sim, [](tact::engine&) {}); }, most);
  {
    tact::simulation sim(seed);
    wanders(sim, [](tact::engine&) {});
    std::ofstream(file + ".trace", std::ios::binary) << sim.trace();
  }
  std::ofstream recorded(file + ".recorded", std::ios::binary);
  write_recorded(recorded, seed, wanders);
  return what.has_value() == fails && page && recorded ? 0 : 1;
}

}  // namespace

int main(int count, char** words) {
  return count == 5 ? write(words[1], static_cast<unsigned>(std::stoul(words[2])), words[3], std::stoul(words[4])) : 2;
}
