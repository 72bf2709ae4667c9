#include "tact/inspect/watchdog.hpp"

#include <algorithm>
#include <cstdio>
#include <mutex>
#include <ostream>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "base/struct_text.hpp"
#include "inspect/repeated_look.hpp"
#include "tact/detail/access.hpp"
#include "tact/detail/trace_sink.hpp"

namespace tact::inspect {

namespace {

using std::chrono::nanoseconds;
using clock = std::chrono::steady_clock;

void print(const late_handler& h) {
  std::ostringstream line;
  line << "tact: " << h << '\n';
  std::fputs(line.str().c_str(), stderr);
}

watchdog_options checked(watchdog_options o) {
  if (o.limit <= nanoseconds(0))
    throw option_error("watchdog_options.limit = " + base::code_of(o.limit) + ": give more than 0");
  if (!o.on_late) o.on_late = &print;
  return o;
}

}  // namespace

std::ostream& operator<<(std::ostream& out, const late_handler& h) {
  char time[32];
  std::snprintf(time, sizeof time, ", for %.3g s", std::chrono::duration<double>(h.runs_for).count());
  return out << h.where << time;
}

std::ostream& operator<<(std::ostream& out, const watchdog_options& o) {
  return out << base::struct_text("watchdog_options").with("limit", o.limit).with("on_late", o.on_late).text();
}

class watchdog::looking {
 public:
  looking(engine& of, const watchdog_options& options)
      : engine_(of),
        options_(checked(options)),
        again_(std::max<nanoseconds>(options_.limit / 4, std::chrono::milliseconds(1)), repeated_look::last_look::no,
               [this] { look(); }) {}

  void look() {
    const std::lock_guard lock(looking_);
    const auto threads = detail::describe_threads(detail::access::core_of(engine_));
    const auto now = clock::now();
    seen_.resize(std::max(seen_.size(), threads.size()));
    for (std::size_t i = 0; i < threads.size(); ++i) look_at(threads[i], seen_[i], now);
  }

 private:
  // What a thread was at when it was first seen so.
  struct sighting {
    thread_description what;
    clock::time_point since;
    nanoseconds told_at{0};  // how long it had run when that was told last; 0: it was not
  };

  void look_at(const thread_description& t, sighting& s, clock::time_point now) {
    const bool is_same = t.doing == thread_doing::handling && s.what.doing == t.doing && s.what.handled == t.handled &&
                         s.what.actor == t.actor && s.what.message == t.message;
    if (!is_same) {
      s = {t, now, {}};
      return;
    }
    const nanoseconds runs_for = now - s.since;
    if (runs_for < options_.limit || runs_for / 2 < s.told_at) return;
    s.told_at = runs_for;
    try {
      options_.on_late({t, runs_for});
    } catch (...) {
      // As said at the declaration.
    }
  }

  engine& engine_;
  const watchdog_options options_;
  std::mutex looking_;
  std::vector<sighting> seen_;  // by thread
  repeated_look again_;         // last: it uses the others
};

watchdog::watchdog(engine& of, const watchdog_options& options) : looking_(std::make_unique<looking>(of, options)) {}
watchdog::~watchdog() = default;

void watchdog::look() { looking_->look(); }

}  // namespace tact::inspect
