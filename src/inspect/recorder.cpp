#include "tact/inspect/recorder.hpp"

#include <algorithm>
#include <bit>
#include <ostream>
#include <string>

#include "base/struct_text.hpp"
#include "inspect/probe.hpp"
#include "inspect/trace_reader.hpp"

namespace tact::inspect {

namespace {

constexpr std::size_t bytes_least = std::size_t{64} << 10;
constexpr std::size_t bytes_most = std::size_t{1} << 36;

recorder_options checked(recorder_options given) {
  if (given.bytes_per_thread > bytes_most) {
    throw option_error("recorder_options.bytes_per_thread = " + std::to_string(given.bytes_per_thread) +
                       ": give at most " + std::to_string(bytes_most));
  }
  if (given.one_of == 0) throw option_error("recorder_options.one_of = 0: give 1 to record all, or more for a part");
  given.bytes_per_thread = std::bit_ceil(std::max(given.bytes_per_thread, bytes_least));
  return given;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const recorder_options& o) {
  return out << base::struct_text("recorder_options")
                    .with("bytes_per_thread", o.bytes_per_thread)
                    .with("one_of", o.one_of)
                    .text();
}

recorder::recorder(engine& of, const recorder_options& options) : steps_(probe::of(of)) {
  if (!steps_->prepare_recording(checked(options))) {
    throw usage_error("tact::inspect::recorder: the engine has had a recorder; stop and start that one");
  }
  start();
}

recorder::~recorder() { stop(); }

void recorder::start() noexcept { steps_->record(true); }
void recorder::stop() noexcept { steps_->record(false); }
bool recorder::is_on() const noexcept { return steps_->sees_all(); }
void recorder::focus_on(const focus& f) { steps_->focus_on(f); }

trace recorder::read() const { return trace_reader::read(steps_->read()); }

}  // namespace tact::inspect
