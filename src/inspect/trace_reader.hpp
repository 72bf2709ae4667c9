// Puts the steps of all threads together: which message came of which, and what took no effect.
#pragma once

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "inspect/probe.hpp"
#include "tact/inspect/trace.hpp"

namespace tact::inspect {

class trace_reader {
 public:
  // Throws std::bad_alloc.
  [[nodiscard]] static trace read(probe::contents&& all);

 private:
  explicit trace_reader(probe::contents&& all) : all_(std::move(all)), names_(all_.names.size()) {}

  void read_thread(unsigned thread);
  // What the words say by themselves.
  [[nodiscard]] event unpack(const event_words& words, unsigned thread) const noexcept;
  // Reads the text that follows the event at `at`; returns how many events it takes.
  [[nodiscard]] std::size_t read_text(const std::vector<event_words>& from, std::size_t at, event& into);
  // The first steps of a thread are those of a handler whose beginning was lost: they come of this message.
  void find_cause(std::size_t first, std::uint64_t message) noexcept;
  void order();
  [[nodiscard]] std::string_view name(std::uint32_t number) const noexcept;

  probe::contents all_;
  const std::size_t names_;
  std::shared_ptr<std::deque<std::string>> texts_ = std::make_shared<std::deque<std::string>>();  // first the names
  std::vector<std::uint64_t> ticks_;  // of the events that are made, as many
  trace made_;
};

}  // namespace tact::inspect
