// A recording: the events of a window in a file of text. One actor writes it, another one plays it.
#pragma once

#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <vector>

#include <tact/tact.hpp>

#include "dispatcher.hpp"
#include "event.hpp"

namespace router {

using recording = std::shared_ptr<const std::vector<event>>;

// Throws recording_error, which names the file and the line.
recording read_recording(const std::filesystem::path& file);

// Writes events to a file; blocking, for it waits for the disk. What could not be written is told once.
class recorder : public tact::actor<recorder, event_ptr> {
 public:
  // Throws recording_error when the file cannot be made. `tells` is called on the actor's thread.
  recorder(std::filesystem::path file, std::function<void(const std::string&)> tells);
  void receive(tact::self<recorder>& self, const event_ptr& m);

 private:
  std::filesystem::path file_;
  std::function<void(const std::string&)> tells_;
  std::ofstream out_;
  bool has_failed_ = false;
};

enum class pace : unsigned char {
  as_recorded,  // in real time
  at_once,
};

// Sends the events of a recording to the dispatcher, and ends when the last one was taken.
tact::ref<event_source> play(tact::engine& engine, recording events, tact::ref<dispatcher> to, pace how);

}  // namespace router
