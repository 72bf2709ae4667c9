// tact::inspect::recorder: keeps the last steps of an engine in memory: what was sent, handled, created, because of
// what.
#include "tact/detail/begin.hpp"  // first
#pragma once

#include <cstddef>
#include <iosfwd>
#include <memory>

#include "tact/engine.hpp"
#include "tact/inspect/focus.hpp"
#include "tact/inspect/trace.hpp"

namespace tact::inspect {

struct recorder_options {
  // Memory for the steps of each thread that runs handlers, and twice as much as one of them for all threads outside
  // together. When it is full the oldest steps are overwritten. Rounded up to a power of two; at least 64 KiB.
  std::size_t bytes_per_thread = std::size_t{1} << 20;
  // Of so many messages that no recorded handler has sent, one is recorded, with all that comes of it. 1: all.
  unsigned one_of = 1;
};
std::ostream& operator<<(std::ostream&, const recorder_options&);

class probe;

// Records from its beginning to its end, and may be switched meanwhile.
//
//   tact::inspect::recorder recorder(engine);
//   ...
//   std::ofstream file("run.json");
//   recorder.read().write_chrome_json(file);  // ui.perfetto.dev shows it
//
// While it records, each message takes a block of memory of its own, and every thread writes its steps into a ring of
// its own, without a lock; docs/inspect/recorder.md has the costs. Switched off, it costs messages of threads outside
// some nanoseconds, and others nothing. The rings stay until the engine ends.
// Thread safety: any thread, concurrently.
class recorder {
 public:
  // Throws tact::usage_error when the engine has had a recorder before, tact::option_error, and std::bad_alloc.
  explicit recorder(engine& of, const recorder_options& options = {});
  recorder(const recorder&) = delete;
  recorder& operator=(const recorder&) = delete;
  // Stops.
  ~recorder();

  // What begins to be handled from now on is recorded, or is not.
  void start() noexcept;
  void stop() noexcept;
  [[nodiscard]] bool is_on() const noexcept;
  // From now on only the steps of these actors are kept; with an empty focus, those of all. Throws std::bad_alloc.
  void focus_on(const focus& f);

  // Copies what is recorded. Threads go on recording meanwhile. Throws std::bad_alloc.
  [[nodiscard]] trace read() const;

 private:
  const std::shared_ptr<probe> steps_;
};

}  // namespace tact::inspect

#include "tact/detail/end.hpp"  // last
