// A diary on disk: each line is written to a file that is open only meanwhile; a reading room with a lamp that is
// switched off when nobody reads; and a door that is closed behind every visitor, also behind one who stays too long.
#include <atomic>
#include <chrono>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tact/patterns.hpp>
#include <tact/tact.hpp>

using namespace std::chrono_literals;

struct write_line {
  using reply = void;
  std::string text;
};
struct count_lines {
  using reply = int;
};

void add_line(tact::open_file& diary, const write_line& line) {
  if (std::fputs((line.text + "\n").c_str(), diary.stream()) < 0) throw std::runtime_error("the diary is full");
}
int lines_of(tact::open_file& diary, const count_lines&) {
  int lines = 0;
  for (int c = 0; (c = std::getc(diary.stream())) != EOF;) lines += c == '\n' ? 1 : 0;
  return lines;
}

// A lamp is on as long as its actor lives.
struct read_page {
  using reply = int;
  int page;
};
class lamp {
 public:
  explicit lamp(std::atomic<int>& on) : on_(on) { ++on_; }
  lamp(const lamp&) = delete;
  lamp& operator=(const lamp&) = delete;
  ~lamp() {
    --on_;
    on_.notify_all();
  }

 private:
  std::atomic<int>& on_;
};

void wait_for_dark(const std::atomic<int>& on) {
  for (int n = on; n != 0; n = on) on.wait(n);
}

struct visit {
  using reply = std::string;
  bool stays;
};
struct close_door {};

// Only a visit that fails alarms the porter.
bool alarms_the_porter(tact::engine& engine, tact::ref<tact::request<visit>> host) {
  std::atomic<int> alarms = 0;
  const auto porter = engine.create(tact::behavior<close_door>{[&](auto&, const auto&) { ++alarms; }});
  bool right = engine.ask(engine.create(tact::on_failure(host, porter, close_door{})), visit{false}) == "welcome";
  try {
    engine.ask(engine.create(tact::on_failure(host, porter, close_door{}, 20ms)), visit{true});
    right = false;
  } catch (const tact::ask_error& e) {
    right = right && e.reason() == tact::failure_reason::timed_out;
  }
  engine.wait_idle();
  return right && alarms == 1;
}

int main() {
  int wrong = 0;
  const std::string path = "tact_example_diary.txt";
  {
    tact::engine engine;

    // The file is opened, used and closed for each request, on a thread that may wait for the disk.
    const auto writer = engine.create(tact::with_file<write_line>(path, "w", add_line), tact::blocking);
    const auto counter = engine.create(tact::with_file<count_lines>(path, "r", lines_of), tact::blocking);
    engine.ask(writer, write_line{"a sunny day"});
    wrong += engine.ask(counter, count_lines{}) != 1;
    const auto nowhere = engine.create(tact::with_file<count_lines>("no such diary", "r", lines_of), tact::blocking);
    try {
      engine.ask(nowhere, count_lines{});
      ++wrong;
    } catch (const tact::ask_error& e) {  // "... open 'no such diary': No such file or directory"
      wrong += std::string(e.what()).find("no such diary") == std::string::npos;
    }

    // The lamp is switched on for the first page, stays on for the next ones, and goes out when nobody reads any more.
    std::atomic<int> on = 0;
    std::atomic<int> times_dark = 0;
    const auto told = engine.create(tact::behavior<tact::resource_closed>{[&](auto&, const auto&) { ++times_dark; }});
    const auto room = engine.create(tact::idle_close<read_page>(
        [&on](tact::transaction& tx) {
          return tx.create(
              tact::behavior<tact::request<read_page>>{
                  [light = std::make_shared<lamp>(on)](auto& self, const auto& m) { self.reply(m, m.body.page + 1); }},
              tact::owned);
        },
        50ms, told));
    wrong += engine.ask(room, read_page{1}) != 2;
    wrong += engine.ask(room, read_page{2}) != 3;
    wait_for_dark(on);
    wrong += engine.ask(room, read_page{3}) != 4;  // it is switched on again

    // Whatever becomes of a visit, the door is closed once behind it.
    std::atomic<int> closed = 0;
    const auto door = engine.create(tact::behavior<close_door>{[&](auto&, const auto&) { ++closed; }});
    const auto host = engine.create(tact::behavior<tact::request<visit>>{
        [](auto& self, const auto& m) { m.body.stays ? self.defer(m) : self.reply(m, "welcome"); }});
    const auto house = engine.create(tact::unwind_protect(host, door, close_door{}));
    wrong += engine.ask(house, visit{false}) != "welcome";
    try {
      engine.ask(engine.create(tact::unwind_protect(host, door, close_door{}, 20ms)), visit{true});
      ++wrong;
    } catch (const tact::ask_error& e) {
      wrong += e.reason() != tact::failure_reason::timed_out;
    }
    wait_for_dark(on);
    engine.wait_idle();
    wrong += closed != 2;
    wrong += times_dark < 2;
    wrong += !alarms_the_porter(engine, host);
  }
  wrong += std::remove(path.c_str()) != 0;
  return wrong;
}
