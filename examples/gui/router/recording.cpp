#include "recording.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace router {
namespace {

struct play_next {
  std::size_t index;
};
struct player : tact::protocol<play_next, event_source> {};

// Sends events from that one on, and says when the next one is to be sent.
void send_some(tact::self<player>& self, const recording& events, tact::ref<dispatcher> to, pace how, std::size_t i) {
  for (; i < events->size(); ++i) {
    event e = (*events)[i];
    e.source = self.ref();
    self.send(to, std::make_shared<const event>(std::move(e)));
    if (how == pace::at_once || i + 1 == events->size()) continue;
    const auto wait = (*events)[i + 1].at_ms - (*events)[i].at_ms;
    if (wait <= 0) continue;
    self.send_after(std::chrono::milliseconds(wait), self.ref(), play_next{i + 1});
    return;
  }
}

tact::behavior<player> play_from(recording events, tact::ref<dispatcher> to, pace how) {
  return {
      [=](tact::self<player>& self, const play_next& m) { send_some(self, events, to, how, m.index); },
      // Timers that the graph sets while it is played: those that count are part of the recording.
      [](tact::self<player>&, const event&) {},
      [events](tact::self<player>& self, const taken& m) {
        if (m.number == events->size()) self.stop();
      },
  };
}

std::string in_line(const std::filesystem::path& file, std::size_t number, const std::string& what) {
  return file.string() + ", line " + std::to_string(number) + ": " + what;
}

}  // namespace

recording read_recording(const std::filesystem::path& file) {
  std::ifstream in(file);
  if (!in) throw recording_error(file.string() + " cannot be read: is it the name of a recording?");
  auto events = std::make_shared<std::vector<event>>();
  std::size_t number = 0;
  for (std::string line; std::getline(in, line);) {
    ++number;
    try {
      events->push_back(read_line(line));
    } catch (const recording_error& error) {
      throw recording_error(in_line(file, number, error.what()));
    }
    if (events->back().number != number) {
      throw recording_error(in_line(file, number,
                                    "expected event " + std::to_string(number) + ", got event " +
                                        std::to_string(events->back().number) +
                                        "; is a part of the recording missing?"));
    }
  }
  return events;
}

recorder::recorder(std::filesystem::path file, std::function<void(const std::string&)> tells)
    : file_(std::move(file)), tells_(std::move(tells)), out_(file_) {
  if (!out_)
    throw recording_error(file_.string() + " cannot be written: is there such a folder, and may you write there?");
}

void recorder::receive(tact::self<recorder>&, const event_ptr& m) {
  if (has_failed_) return;
  if (out_ << line_of(*m) << std::endl) return;
  has_failed_ = true;
  tells_(file_.string() + " cannot be written from event " + std::to_string(m->number) + " on: is the disk full?");
}

tact::ref<event_source> play(tact::engine& engine, recording events, tact::ref<dispatcher> to, pace how) {
  const auto made = engine.create(play_from(std::move(events), to, how), tact::named("player"));
  engine.send(made, play_next{0});
  return made;
}

}  // namespace router
